//! The ONNX reranker as the port shows it: a cross-encoder of fastembed.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

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
    runtime: OnnxRuntime,
    disk: Arc<dyn Disk>,
    /// The model, once loaded.
    running: Mutex<Option<TextRerank>>,
}

impl FastReranker {
    /// Checks that the files of the model exist; the first question loads them.
    pub fn new(
        model: OnnxModel,
        runtime: OnnxRuntime,
        disk: Arc<dyn Disk>,
    ) -> Result<Self, OnnxError> {
        model.check(&*disk)?;
        Ok(Self {
            model,
            runtime,
            disk,
            running: Mutex::default(),
        })
    }

    fn start(&self) -> Result<TextRerank, String> {
        let environment = environment(&self.runtime)?;
        let tokenizer = tokenizer_files(&self.model, &*self.disk)?;
        // By path, since a large model refers to files of weights beside it.
        let graph = OnnxSource::File(self.model.directory.join(&self.model.graph));
        let model = UserDefinedRerankingModel::new(graph, tokenizer);
        let options = RerankInitOptionsUserDefined::new().with_environment(environment);
        TextRerank::try_new_from_user_defined(model, options).map_err(|error| error.to_string())
    }

    fn compared(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, String> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let model = match &mut *running {
            Some(model) => model,
            none => none.insert(self.start()?),
        };
        let found = model.rerank(question, passages, false, Some(BATCH));
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
}

impl Reranker for FastReranker {
    fn scores(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        self.compared(question, passages)
            .map_err(|reason| RerankError {
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
