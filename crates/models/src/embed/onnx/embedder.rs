//! The embedder that runs a model of the owner's choice, as the port shows it.
//!
//! Is there only where its model runs: what stands in for it must be known before the first text.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use base::{Disk, EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};

use super::engine::Engine;
use super::error::OnnxError;
use super::model::OnnxModel;
use super::runtime::OnnxRuntime;
use crate::embed::BundledEmbedder;

/// An embedder that runs a model on this machine.
pub struct FastEmbedder {
    model: OnnxModel,
    identity: String,
    engine: Mutex<Engine>,
    /// Single words are compared by the model in the program: a transformer knows texts.
    words: Option<BundledEmbedder>,
}

impl FastEmbedder {
    /// Loads the runtime and the model, which takes some tenths of a second.
    ///
    /// # Errors
    ///
    /// [`OnnxError::NoModel`] where a file is missing, [`OnnxError::NotStarted`] where the runtime is too
    /// old or the model does not run in it, and [`OnnxError::Disk`].
    pub fn new(
        model: OnnxModel,
        runtime: &OnnxRuntime,
        disk: &dyn Disk,
    ) -> Result<Self, OnnxError> {
        let missing = model.missing(disk)?;
        if !missing.is_empty() {
            return Err(OnnxError::NoModel {
                name: model.name,
                directory: model.directory,
                files: missing,
            });
        }
        Ok(Self {
            identity: model.identity(disk)?,
            engine: Mutex::new(Engine::start(&model, runtime, disk)?),
            model,
            words: BundledEmbedder::new(),
        })
    }

    fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.vectors(texts)
    }
}

impl Embedder for FastEmbedder {
    fn profile(&self) -> EmbedderProfile {
        EmbedderProfile {
            name: format!("fastembed ({})", self.model.name),
            identity: self.identity.clone(),
            dimensions: self.model.dimensions,
            batch_max: Engine::batch_max(&self.model),
        }
    }

    fn embed(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let before = self.model.before.of(role);
        let texts: Vec<String> = texts.iter().map(|text| format!("{before}{text}")).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(Engine::batch_max(&self.model)) {
            let found = self
                .vectors(batch)
                .map_err(|reason| EmbedError::Unavailable {
                    name: self.profile().name,
                    reason,
                })?;
            vectors.extend(found);
        }
        Ok(vectors)
    }

    fn words(&self) -> Option<&dyn WordVectors> {
        Some(self.words.as_ref()?)
    }
}

impl fmt::Debug for FastEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FastEmbedder")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
