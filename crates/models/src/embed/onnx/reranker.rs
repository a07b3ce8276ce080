//! The ONNX reranker as the port shows it: a cross-encoder of fastembed.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use base::{Disk, RerankError, Reranker};
use fastembed::{OnnxSource, RerankInitOptionsUserDefined, TextRerank, UserDefinedRerankingModel};

use super::engine::{environment, plain, tokenizer_files};
use super::error::OnnxError;
use super::model::{OnnxModel, TextPrefixes};
use super::runtime::OnnxRuntime;

/// Passages per run: all are padded to the longest, so more of them waste time.
const BATCH: usize = 8;

impl OnnxModel {
    /// Finds a cross-encoder by its repository, with or without the owner; its files are in a directory of `models`.
    pub fn reranker_named(name: &str, models: &Path) -> Result<Self, OnnxError> {
        let all = TextRerank::list_supported_models();
        let own_name = |code: &str| code.rsplit('/').next().unwrap_or(code).to_owned();
        let wanted = plain(name);
        let Some(info) = all.iter().find(|info| plain(&info.model_code) == wanted) else {
            return Err(OnnxError::UnknownModel {
                name: name.to_owned(),
                near: all.iter().map(|info| own_name(&info.model_code)).collect(),
            });
        };
        let name = own_name(&info.model_code);
        Ok(Self {
            directory: models.join(&name),
            name,
            repository: Some(info.model_code.clone()),
            graph: info.model_file.clone(),
            weights: info.additional_files.clone(),
            dimensions: None,
            is_first_token: false,
            before: TextPrefixes::default(),
        })
    }
}

/// A cross-encoder that runs on this machine.
pub struct FastReranker {
    model: OnnxModel,
    running: Mutex<TextRerank>,
}

impl FastReranker {
    /// Loads the model, and checks that it gives scores.
    pub fn new(
        model: OnnxModel,
        runtime: &OnnxRuntime,
        disk: &dyn Disk,
    ) -> Result<Self, OnnxError> {
        model.check(disk)?;
        let started = start(&model, runtime, disk).and_then(|mut running| {
            compared(&mut running, "a", &["b"])?;
            Ok(running)
        });
        match started {
            Ok(running) => Ok(Self {
                model,
                running: Mutex::new(running),
            }),
            Err(reason) => Err(OnnxError::NotStarted {
                name: model.name,
                reason,
            }),
        }
    }
}

fn start(model: &OnnxModel, runtime: &OnnxRuntime, disk: &dyn Disk) -> Result<TextRerank, String> {
    let environment = environment(runtime)?;
    let tokenizer = tokenizer_files(model, disk)?;
    // By path, since a large model refers to files of weights beside it.
    let graph = OnnxSource::File(model.directory.join(&model.graph));
    let user_defined = UserDefinedRerankingModel::new(graph, tokenizer);
    let options = RerankInitOptionsUserDefined::new().with_environment(environment);
    TextRerank::try_new_from_user_defined(user_defined, options).map_err(|error| error.to_string())
}

fn compared(model: &mut TextRerank, question: &str, passages: &[&str]) -> Result<Vec<f32>, String> {
    // The library panics on output of another shape.
    let found = catch_unwind(AssertUnwindSafe(|| {
        model.rerank(question, passages, false, Some(BATCH))
    }));
    let found = found.map_err(|_| "it does not give one score for each passage".to_owned())?;
    let found = found.map_err(|error| error.to_string())?;
    // The library sorts by score.
    let mut scores = vec![0.0; passages.len()];
    for result in found {
        if let Some(score) = scores.get_mut(result.index) {
            *score = result.score;
        }
    }
    Ok(scores)
}

impl Reranker for FastReranker {
    fn scores(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let mut running = base::locked(&self.running);
        compared(&mut running, question, passages).map_err(|reason| RerankError {
            name: self.model.name.clone(),
            reason,
        })
    }
}

impl fmt::Debug for FastReranker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FastReranker")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
