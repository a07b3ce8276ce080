//! Stretches: consecutive passages of one section, indexed and replaced as a unit.
//!
//! The end of a stretch depends only on what precedes it, so that appending changes only the last one.

use super::model::{Heading, Passage};
use crate::note_source::ForgottenFilter;

/// Maximum number of pieces of a stretch. A longer section is split into stretches that share no context.
pub(crate) const STRETCH_PIECES_MAX: usize = 256;

/// Consecutive passages of one section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stretch {
    /// Their heading.
    pub heading: Heading,
    /// Where reading can resume to rebuild this stretch; `None` in the middle of a message.
    pub resume: Option<ResumePlace>,
    /// The passages, in order.
    pub passages: Vec<Passage>,
}

/// A position in a document where reading can resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResumePlace {
    /// The line, from 1.
    pub line: usize,
    /// Source-defined, for finding the line again, such as its byte offset.
    pub offset: u64,
}

impl Heading {
    fn n_bytes(&self) -> usize {
        self.path.len() + self.names.len() + self.topics.len()
    }
}

impl Stretch {
    /// Removes forgotten passages and headings; returns whether there were any.
    pub(crate) fn hide(&mut self, forgotten: &dyn ForgottenFilter) -> bool {
        if forgotten.is_empty() {
            return false;
        }
        let n_before = self.passages.len() + self.heading.n_bytes();
        self.passages
            .retain(|passage| !forgotten.hides_text(&passage.text));
        let Heading {
            path,
            names,
            topics,
            ..
        } = &mut self.heading;
        for lines in [path, names, topics] {
            let shown = lines.split('\n');
            let shown: Vec<&str> = shown.filter(|text| !forgotten.hides_text(text)).collect();
            *lines = shown.join("\n");
        }
        self.passages.len() + self.heading.n_bytes() < n_before
    }
}

/// Collects passages into stretches.
#[derive(Debug, Default)]
pub(crate) struct Stretches {
    open: Stretch,
    n_pieces: usize,
}

impl Stretches {
    /// Adds a passage below `heading`; returns the stretch that it completed.
    pub(crate) fn push(
        &mut self,
        heading: &Heading,
        passage: Passage,
        resume: Option<ResumePlace>,
    ) -> Option<Stretch> {
        let n_new = passage.pieces.len();
        let is_full = self.n_pieces + n_new > STRETCH_PIECES_MAX || self.open.heading != *heading;
        let ended = if is_full { self.end() } else { None };
        if self.open.passages.is_empty() {
            self.open.heading.clone_from(heading);
            self.open.resume = resume;
        }
        self.n_pieces += n_new;
        self.open.passages.push(passage);
        ended
    }

    /// Ends the open stretch, at the end of a section.
    pub(crate) fn end(&mut self) -> Option<Stretch> {
        self.n_pieces = 0;
        let ended = std::mem::take(&mut self.open);
        (!ended.passages.is_empty()).then_some(ended)
    }
}
