//! Finds ONNX models and their runtime from the settings.

use models::{OnnxError, OnnxModel, OnnxRuntime};

use crate::config::{EmbeddingProvider, EmbeddingSettings};
use crate::host::Host;
use crate::prelude::*;

/// The variable with the path of the ONNX runtime library; the `ort` crate uses the same one.
pub(super) const RUNTIME_VARIABLE: &str = "ORT_DYLIB_PATH";

/// The variable with the system's search path for libraries.
const LIBRARY_DIRECTORIES: &str = "LD_LIBRARY_PATH";

const MODELS_URL: &str = "https://huggingface.co";

/// The setting that names the embedder's model.
const SETTING: &str = "memory.embedding.model";

/// The hint for a setting that names no known model.
pub(super) const HINT: &str = "set one with `--set memory.embedding.model=bge-small-en-v1.5`, or a directory with model.onnx and its tokenizer";

/// Finds the model with this name or directory. The outer error is an invalid setting, the inner error a missing
/// file.
pub(super) fn find(name: &str, host: &Host, home: &Home) -> Result<Result<OnnxModel, OnnxError>> {
    let directory = host.environment.expand_home(name);
    if directory.is_absolute() {
        return Ok(OnnxModel::in_directory(&*host.disk, &directory));
    }
    match OnnxModel::named(name, &home.models()) {
        Err(error @ OnnxError::UnknownModel { .. }) => {
            Err(CliError::from_error(ErrorKind::Config, &error)
                .doing(format!("reading {SETTING}"))
                .hint(HINT))
        }
        model => Ok(model),
    }
}

/// The name of the chosen model if it runs on this machine.
fn local_model(settings: &EmbeddingSettings) -> Option<&str> {
    let is_local = settings.provider == EmbeddingProvider::Fastembed;
    settings.model.as_deref().filter(|_| is_local)
}

/// The chosen model if files of it are missing, with the address to download it from.
pub fn model_to_fetch(
    settings: &EmbeddingSettings,
    host: &Host,
    home: &Home,
) -> Result<Option<(OnnxModel, String)>> {
    // A missing part is reported when the model is built.
    let Some(Ok(model)) = local_model(settings)
        .map(|name| find(name, host, home))
        .transpose()?
    else {
        return Ok(None);
    };
    let is_missing = model.is_fetchable() && !model.missing(&*host.disk)?.is_empty();
    if !is_missing || runtime(host).is_err() {
        return Ok(None);
    }
    let base_url = settings.base_url.as_deref().unwrap_or(MODELS_URL);
    Ok(Some((model, base_url.to_owned())))
}

/// The setting of a model that cannot run because a file or the runtime is missing, with the reason.
pub fn unusable_model(
    settings: &EmbeddingSettings,
    host: &Host,
    home: &Home,
) -> Option<(&'static str, CliError)> {
    let failure = match find(local_model(settings)?, host, home) {
        Err(wrong) => wrong,
        Ok(model) => {
            let usable = model.and_then(|model| {
                model.check(&*host.disk)?;
                runtime(host)
            });
            let error = usable.err()?;
            CliError::from_error(ErrorKind::Config, &error).hint(hint(&error))
        }
    };
    Some((SETTING, failure))
}

/// Finds the runtime library.
pub(super) fn runtime(host: &Host) -> Result<OnnxRuntime, OnnxError> {
    let variables = &host.environment.others;
    let directories: Vec<PathBuf> = variables
        .get(LIBRARY_DIRECTORIES)
        .map(|list| std::env::split_paths(list).collect())
        .unwrap_or_default();
    let named = variables.get(RUNTIME_VARIABLE).map(Path::new);
    OnnxRuntime::find(&*host.disk, named, &directories)
}

pub(super) fn hint(error: &OnnxError) -> &'static str {
    match error {
        OnnxError::NoRuntime { .. } => {
            "install the ONNX runtime (`pip install onnxruntime` includes it) and set ORT_DYLIB_PATH to its library"
        }
        OnnxError::NoModel { .. } => {
            "`openclaw memory index` downloads a model given by name; a directory needs all of its files"
        }
        OnnxError::NotStarted { .. } => {
            "it needs ONNX runtime 1.24 or later, set in ORT_DYLIB_PATH, and an intact model: delete a damaged one \
             from models/ and run `openclaw memory index`"
        }
        OnnxError::UnknownModel { .. } | OnnxError::Download { .. } | OnnxError::Disk(_) => {
            "check the model's files, or set no model"
        }
    }
}
