//! What a passage is.
//!
//! Knows neither how one is cut nor how it is found.

use std::ops::Range;

use base::{Day, LineRange, Origin};

/// The unit of search: one bullet, message, paragraph, table row or piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// What it is.
    pub kind: PassageKind,
    /// Where it stands in its file.
    pub lines: LineRange,
    /// Its text, without our comments and without secrets: exactly its lines, or for a message a part of it.
    pub text: String,
    /// Parts of the text that are scored by themselves, in order, as byte ranges.
    pub pieces: Vec<Range<usize>>,
    /// Who says it, where that is known.
    pub speaker: Option<String>,
    /// Who is answerable for it.
    pub origin: Origin,
}

/// What a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PassageKind {
    /// An item of a list.
    Bullet,
    /// A message of a session.
    Message,
    /// Running text.
    Paragraph,
    /// A row of a table.
    TableRow,
    /// Lines of a block of code.
    Code,
    /// A heading under which nothing stands.
    Heading,
}

impl PassageKind {
    /// Every kind, in the order of their numbers in the index.
    pub(crate) const ALL: [Self; 6] = [
        Self::Bullet,
        Self::Message,
        Self::Paragraph,
        Self::TableRow,
        Self::Code,
        Self::Heading,
    ];
}

/// What stands above the passages of a section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// The headings from the outermost, joined by line ends.
    pub path: String,
    /// The day of the section.
    pub day: Option<Day>,
}
