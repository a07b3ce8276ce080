//! The engine: time zone, embedder and weights.
//!
//! Stateless between calls.

use std::sync::Arc;

use base::{Embedder, Tz};

use crate::head::{self, ClassifierHead, Likelihood};
use crate::language::Language;
use crate::signals::vectors;

/// Selects and quotes, without an API key or network.
#[derive(Debug, Clone)]
pub struct Extract {
    pub(crate) timezone: Tz,
    embedder: Option<Arc<dyn Embedder>>,
    head: Option<ClassifierHead>,
}

impl Extract {
    /// An engine that dates messages in the owner's time zone; the weights of its head are for the bundled embedder.
    pub fn new(timezone: Tz, embedder: Option<Arc<dyn Embedder>>) -> Self {
        Self {
            timezone,
            embedder,
            head: ClassifierHead::bundled(),
        }
    }

    /// The class likelihoods of each text.
    pub(crate) fn judge(&self, texts: &[&str], language: Option<&Language>) -> Vec<Likelihood> {
        let Some(head) = &self.head else {
            return Vec::new();
        };
        let languages = vec![language; texts.len()];
        let inputs = head::inputs(self.embedder.as_deref(), texts, &languages);
        inputs.iter().map(|it| head.judge(it)).collect()
    }

    /// The vectors of some texts; empty without an embedder.
    pub(crate) fn vectors(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        vectors(self.embedder.as_deref(), texts)
    }
}
