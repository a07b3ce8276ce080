//! Runs a model with fastembed and the ONNX runtime.
//!
//! Only this module uses either of them.

use std::path::Path;
use std::sync::Mutex;

use base::Disk;
use base::disk::read_all;
use fastembed::{
    EmbeddingModel, InitOptionsUserDefined, ModelInfo, OutputKey, Pooling, QuantizationMode,
    TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel,
};
use ort::environment::Environment;

use super::error::OnnxError;
use super::model::{CONFIG, OnnxModel, SPECIAL_TOKENS, TOKENIZER, TOKENIZER_CONFIG, TextPrefixes};
use super::runtime::OnnxRuntime;

/// Maximum names suggested for an unknown one.
const NEAR_MAX: usize = 3;

impl OnnxModel {
    /// Finds a model by the library's name for it, or by its repository with or without the owner; its files are in a
    /// directory of `models`.
    pub fn named(name: &str, models: &Path) -> Result<Self, OnnxError> {
        let wanted = plain(name);
        let mut all = TextEmbedding::list_supported_models();
        all.sort_by_key(|info| info.model.to_string());
        let mut infos = all.iter();
        let by_library = infos.find(|info| plain(&info.model.to_string()) == wanted);
        // Of two variants, the shorter name is the one that is not quantised.
        let places = all.iter().filter(|info| plain(&info.model_code) == wanted);
        let by_place = places.min_by_key(|info| info.model.to_string().len());
        let Some(info) = by_library.or(by_place) else {
            return Err(OnnxError::UnknownModel {
                name: name.to_owned(),
                near: near(&wanted, &all),
            });
        };
        let name = info.model.to_string();
        let pooling = TextEmbedding::get_default_pooling_method(&info.model);
        Ok(Self {
            directory: models.join(&name),
            before: TextPrefixes::of_name(&name),
            name,
            repository: Some(info.model_code.clone()),
            graph: info.model_file.clone(),
            weights: info.additional_files.clone(),
            dimensions: Some(info.dim),
            is_first_token: matches!(pooling, Some(Pooling::Cls)),
        })
    }
}

/// A name without owner, punctuation and the suffix `onnx`.
pub(super) fn plain(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let name = name.to_lowercase();
    name.strip_suffix("onnx").unwrap_or(&name).to_owned()
}

/// Models with the longest common prefix, best first.
fn near(wanted: &str, models: &[ModelInfo<EmbeddingModel>]) -> Vec<String> {
    let alike = |name: &str| {
        let name = plain(name);
        let both = name.chars().zip(wanted.chars());
        both.take_while(|(a, b)| a == b).count()
    };
    let mut names: Vec<String> = models.iter().map(|info| info.model.to_string()).collect();
    names.sort_by_key(|name| (std::cmp::Reverse(alike(name)), name.len()));
    names.retain(|name| alike(name) > 2);
    names.truncate(NEAR_MAX);
    names
}

pub(super) struct Engine {
    running: TextEmbedding,
}

/// The runtime can be initialised only once; its settings last until the program ends.
static RUNTIME: Mutex<Option<Environment>> = Mutex::new(None);

/// Maximum texts per run: all are padded to the longest.
const BATCH_MAX: usize = 32;

impl Engine {
    /// Maximum texts per run. A dynamically quantised model embeds each text alone: its vectors depend on the other
    /// texts of a batch, and must be reproducible.
    pub(super) fn batch_max(model: &OnnxModel) -> usize {
        match quantization(model) {
            QuantizationMode::Dynamic => 1,
            QuantizationMode::None | QuantizationMode::Static => BATCH_MAX,
        }
    }

    /// Loads the runtime, then the model.
    pub(super) fn start(
        model: &OnnxModel,
        runtime: &OnnxRuntime,
        disk: &dyn Disk,
    ) -> Result<Self, OnnxError> {
        Self::running(model, runtime, disk).map_err(|reason| OnnxError::NotStarted {
            name: model.name.clone(),
            reason,
        })
    }

    fn running(model: &OnnxModel, runtime: &OnnxRuntime, disk: &dyn Disk) -> Result<Self, String> {
        let environment = environment(runtime)?;
        let tokenizer = tokenizer_files(model, disk)?;
        let read = |file: &str| read(model, file, disk);
        let mut user_defined = UserDefinedEmbeddingModel::new(read(&model.graph)?, tokenizer)
            .with_quantization(quantization(model))
            .with_pooling(if model.is_first_token {
                Pooling::Cls
            } else {
                Pooling::Mean
            });
        user_defined.output_key = output_key(model);
        for file in &model.weights {
            let name = file.rsplit('/').next().unwrap_or(file).to_owned();
            user_defined = user_defined.with_external_initializer(name, read(file)?);
        }
        let options = InitOptionsUserDefined::new().with_environment(environment);
        let running = TextEmbedding::try_new_from_user_defined(user_defined, options)
            .map_err(|error| error.to_string())?;
        Ok(Self { running })
    }

    pub(super) fn vectors(&mut self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let vectors = self.running.embed(texts, None);
        vectors.map_err(|error| error.to_string())
    }
}

fn read(model: &OnnxModel, file: &str, disk: &dyn Disk) -> Result<Vec<u8>, String> {
    let read = read_all(disk, &model.directory.join(file), u64::MAX);
    read.map_err(|error| error.to_string())
}

/// The contents of the files of a tokenizer.
pub(super) fn tokenizer_files(
    model: &OnnxModel,
    disk: &dyn Disk,
) -> Result<TokenizerFiles, String> {
    let special_tokens = match disk.stat(&model.directory.join(SPECIAL_TOKENS)) {
        Ok(Some(_)) => read(model, SPECIAL_TOKENS, disk)?,
        Ok(None) => b"{}".to_vec(),
        Err(error) => return Err(error.to_string()),
    };
    Ok(TokenizerFiles {
        tokenizer_file: read(model, TOKENIZER, disk)?,
        config_file: read(model, CONFIG, disk)?,
        special_tokens_map_file: special_tokens,
        tokenizer_config_file: read(model, TOKENIZER_CONFIG, disk)?,
    })
}

pub(super) fn environment(runtime: &OnnxRuntime) -> Result<Environment, String> {
    let mut known = base::locked(&RUNTIME);
    if let Some(environment) = known.as_ref() {
        return Ok(environment.clone());
    }
    let builder = ort::init_from(&runtime.library).map_err(|error| error.to_string())?;
    let environment = builder.with_telemetry(false).build();
    let environment = environment.map_err(|error| error.to_string())?;
    *known = Some(environment.clone());
    Ok(environment)
}

fn by_name(model: &OnnxModel) -> Option<EmbeddingModel> {
    model.repository.as_ref()?;
    model.name.parse().ok()
}

fn quantization(model: &OnnxModel) -> QuantizationMode {
    match by_name(model) {
        Some(model) => TextEmbedding::get_quantization_mode(&model),
        // The usual file name of dynamically quantised exports.
        None if model.graph.contains("quantized") => QuantizationMode::Dynamic,
        None => QuantizationMode::None,
    }
}

fn output_key(model: &OnnxModel) -> Option<OutputKey> {
    let model = by_name(model)?;
    let info = TextEmbedding::get_model_info(&model).ok()?;
    info.output_key.clone()
}
