//! The engine: its time zone, its embedder, its weights.
//!
//! Keeps nothing between two calls.

use std::sync::Arc;

use base::{Embedder, Tz};

use crate::head::{self, Head, Likelihood};
use crate::language::Language;
use crate::signals::vectors;

/// Selects and quotes, with no key and no network.
#[derive(Debug, Clone)]
pub struct Extract {
    pub(crate) timezone: Tz,
    embedder: Option<Arc<dyn Embedder>>,
    head: Option<Head>,
}

impl Extract {
    /// An engine that tells days in the owner's time zone; the weights of its head are for the bundled embedder.
    pub fn new(timezone: Tz, embedder: Option<Arc<dyn Embedder>>) -> Self {
        Self {
            timezone,
            embedder,
            head: Head::bundled(),
        }
    }

    /// How likely each text is of each class.
    pub(crate) fn judge(&self, texts: &[&str], language: Option<&Language>) -> Vec<Likelihood> {
        let Some(head) = &self.head else {
            return Vec::new();
        };
        let languages = vec![language; texts.len()];
        let inputs = head::inputs(self.embedder.as_deref(), texts, &languages);
        inputs.iter().map(|it| head.judge(it)).collect()
    }

    /// The vectors of some texts; none where there is no embedder.
    pub(crate) fn vectors(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        vectors(self.embedder.as_deref(), texts)
    }
}
