//! Finds ONNX models and their runtime by the settings.

use models::{OnnxError, OnnxModel, OnnxRuntime};

use crate::config::EmbeddingProvider;
use crate::config::MemorySettings;
use crate::host::Host;
use crate::prelude::*;

/// The path of the ONNX runtime library; the `ort` crate uses the same variable.
pub(super) const RUNTIME_VARIABLE: &str = "ORT_DYLIB_PATH";

/// The system's search path for libraries.
const LIBRARY_DIRECTORIES: &str = "LD_LIBRARY_PATH";

const MODELS_URL: &str = "https://huggingface.co";

/// A setting that names a model.
pub(super) struct ModelSetting {
    key: &'static str,
    named: fn(&str, &Path) -> Result<OnnxModel, OnnxError>,
    pub(super) hint: &'static str,
}

pub(super) const EMBEDDER: ModelSetting = ModelSetting {
    key: "memory.embedding.model",
    named: OnnxModel::named,
    hint: "set one with `--set memory.embedding.model=bge-small-en-v1.5`, or a directory with model.onnx and its \
           tokenizer",
};

pub(super) const RERANKER: ModelSetting = ModelSetting {
    key: "memory.reranker.model",
    named: OnnxModel::reranker_named,
    hint: "set one with `--set memory.reranker.model=bge-reranker-base`, or a directory with model.onnx and its \
           tokenizer",
};

impl ModelSetting {
    /// Finds the model of this name or directory. The outer error is a wrong setting, the inner one a missing file.
    pub(super) fn find(
        &self,
        name: &str,
        host: &Host,
        home: &Home,
    ) -> Result<Result<OnnxModel, OnnxError>> {
        let directory = host.environment.expand_home(name);
        if directory.is_absolute() {
            return Ok(OnnxModel::in_directory(&*host.disk, &directory));
        }
        match (self.named)(name, &home.models()) {
            Err(error @ OnnxError::UnknownModel { .. }) => {
                Err(CliError::from_error(ErrorKind::Config, &error)
                    .doing(format!("reading {}", self.key))
                    .hint(self.hint))
            }
            found => Ok(found),
        }
    }
}

/// The settings that name a model, each with the name and where to download from.
fn named(
    settings: &MemorySettings,
) -> [(&'static ModelSetting, Option<&String>, Option<&String>); 2] {
    let (embedding, reranker) = (&settings.embedding, &settings.reranker);
    let is_local = embedding.provider == EmbeddingProvider::Fastembed;
    let embedder = embedding.model.as_ref().filter(|_| is_local);
    [
        (&EMBEDDER, embedder, embedding.base_url.as_ref()),
        (
            &RERANKER,
            reranker.model.as_ref(),
            reranker.base_url.as_ref(),
        ),
    ]
}

/// The named models of which files are missing, each with the URL to download it from.
pub fn models_to_fetch(
    settings: &MemorySettings,
    host: &Host,
    home: &Home,
) -> Result<Vec<(OnnxModel, String)>> {
    let mut missing = Vec::new();
    for (setting, name, base_url) in named(settings) {
        // Building the model reports a missing part.
        let Some(Ok(model)) = name
            .map(|name| setting.find(name, host, home))
            .transpose()?
        else {
            continue;
        };
        let is_missing = model.is_fetchable() && !model.missing(&*host.disk)?.is_empty();
        if is_missing && runtime(host).is_ok() {
            let base_url = base_url.map_or(MODELS_URL, String::as_str);
            missing.push((model, base_url.to_owned()));
        }
    }
    Ok(missing)
}

/// The settings of models that cannot run for lack of a file or of the runtime, each with the reason.
pub fn unusable_models(
    settings: &MemorySettings,
    host: &Host,
    home: &Home,
) -> Vec<(&'static str, CliError)> {
    let named = named(settings).into_iter();
    let found = named.filter_map(|(setting, name, _)| {
        let failure = match setting.find(name?, host, home) {
            Err(wrong) => wrong,
            Ok(found) => {
                let usable = found.and_then(|model| {
                    model.check(&*host.disk)?;
                    runtime(host)
                });
                let error = usable.err()?;
                CliError::from_error(ErrorKind::Config, &error).hint(hint(&error))
            }
        };
        Some((setting.key, failure))
    });
    found.collect()
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

/// What to do about an error.
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
