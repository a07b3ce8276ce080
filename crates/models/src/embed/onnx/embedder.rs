//! The ONNX embedder as the port shows it.
//!
//! Exists only if its model runs, because a fallback must be chosen before the first text.

use std::fmt;
use std::sync::{Arc, Mutex};

use base::{Disk, EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};

use super::engine::Engine;
use super::error::OnnxError;
use super::model::OnnxModel;
use super::runtime::OnnxRuntime;
use crate::embed::BundledEmbedder;

/// When to start keeping the model in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelLoad {
    /// From the start, for a program that embeds at once and ends.
    FromStart,
    /// From the first text, for a program that waits, to save memory until then.
    FromFirstText,
}

/// An embedder that runs a model on this machine.
pub struct FastEmbedder {
    model: OnnxModel,
    runtime: OnnxRuntime,
    disk: Arc<dyn Disk>,
    identity: String,
    /// The loaded model, if kept.
    engine: Mutex<Option<Engine>>,
    /// The bundled model compares single words: a transformer embeds texts.
    words: Option<BundledEmbedder>,
}

impl FastEmbedder {
    /// Checks that the model runs, which takes some tenths of a second; then keeps it, or unloads it until the first
    /// text.
    pub fn new(
        model: OnnxModel,
        runtime: OnnxRuntime,
        disk: Arc<dyn Disk>,
        held: ModelLoad,
    ) -> Result<Self, OnnxError> {
        model.check(&*disk)?;
        let started = Engine::start(&model, &runtime, &*disk)?;
        Ok(Self {
            identity: model.identity(&*disk)?,
            engine: Mutex::new((held == ModelLoad::FromStart).then_some(started)),
            model,
            runtime,
            disk,
            words: BundledEmbedder::new(),
        })
    }

    fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let mut engine = base::locked(&self.engine);
        let running = match &mut *engine {
            Some(running) => running,
            none => {
                let started = Engine::start(&self.model, &self.runtime, &*self.disk);
                none.insert(started.map_err(|error| error.to_string())?)
            }
        };
        running.vectors(texts)
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
            let found = self.vectors(batch).map_err(|reason| {
                let name = self.profile().name;
                EmbedError::Unavailable { name, reason }
            });
            vectors.extend(found?);
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
