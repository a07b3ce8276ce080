//! The embedder that runs a model of the owner's choice, as the port shows it.
//!
//! Is there only where its model runs: what stands in for it must be known before the first text. Whoever
//! makes it says from when on the model stays in memory.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use base::{Disk, EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};

use super::engine::Engine;
use super::error::OnnxError;
use super::model::OnnxModel;
use super::runtime::OnnxRuntime;
use crate::embed::BundledEmbedder;

/// From when on the model stays in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// From the start: whoever asks will compare texts at once, and end.
    FromStart,
    /// From the first text: a program that waits does without it until then.
    FromFirstText,
}

/// An embedder that runs a model on this machine.
pub struct FastEmbedder {
    model: OnnxModel,
    runtime: OnnxRuntime,
    disk: Arc<dyn Disk>,
    identity: String,
    /// The model once it was needed.
    engine: Mutex<Option<Engine>>,
    /// Single words are compared by the model in the program: a transformer knows texts.
    words: Option<BundledEmbedder>,
}

impl FastEmbedder {
    /// Looks whether the model runs, which takes some tenths of a second, and keeps it, or lets it go until the
    /// first text.
    pub fn new(
        model: OnnxModel,
        runtime: OnnxRuntime,
        disk: Arc<dyn Disk>,
        held: Held,
    ) -> Result<Self, OnnxError> {
        let missing = model.missing(&*disk)?;
        if !missing.is_empty() {
            return Err(OnnxError::NoModel {
                name: model.name,
                directory: model.directory,
                files: missing,
            });
        }
        let started = Engine::start(&model, &runtime, &*disk)?;
        Ok(Self {
            identity: model.identity(&*disk)?,
            engine: Mutex::new((held == Held::FromStart).then_some(started)),
            model,
            runtime,
            disk,
            words: BundledEmbedder::new(),
        })
    }

    fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
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
