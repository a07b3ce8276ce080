//! The engine: its time zone, its embedder, its weights.
//!
//! Keeps nothing between two calls.

use std::sync::Arc;

use base::model::Excerpt;
use base::{Embedder, TokenCount, Tz};

use crate::answer::{self, Passage, Question};
use crate::candidates::{self, Candidate};
use crate::evidence;
use crate::head::{self, Head, Likelihood};
use crate::language::Language;
use crate::notes::{self, Note};
use crate::signals::vectors;
use crate::summary;

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

    /// What of the excerpts deserves a note, within so many tokens, by section and place.
    pub fn notes(&self, excerpts: &[Excerpt], room: TokenCount) -> Vec<Note> {
        notes::notes(&evidence::read(self, excerpts), room)
    }

    /// The summary of the excerpts, in the sections of [`base::SUMMARY_SECTIONS`]; empty where they hold nothing.
    pub fn summary(&self, excerpts: &[Excerpt], room: TokenCount) -> String {
        summary::summary(&evidence::read(self, excerpts), room)
    }

    /// What of the excerpts may deserve to last, in order.
    pub fn candidates(&self, excerpts: &[Excerpt]) -> Vec<Candidate> {
        candidates::candidates(self, excerpts)
    }

    /// The reply to a message, from what memory holds about it.
    pub fn answer(&self, question: &Question<'_>, passages: &[Passage]) -> String {
        answer::answer(self, question, passages)
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
