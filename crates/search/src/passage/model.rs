//! The passage, the unit of search.
//!
//! Independent of cutting and searching.

use std::ops::Range;

use base::{Day, LineRange, Origin};

/// The unit of search: one bullet, message, paragraph, table row or piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    pub kind: PassageKind,
    /// Its lines in the file.
    pub lines: LineRange,
    /// The text of exactly its lines, or part of a message; without our comments and secrets.
    pub text: String,
    /// Byte ranges of the text that are scored separately, in order.
    pub pieces: Vec<Range<usize>>,
    /// The speaker, if known.
    pub speaker: Option<String>,
    pub origin: Origin,
}

/// The kind of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PassageKind {
    /// An item of a list.
    Bullet,
    /// A message of a session.
    Message,
    /// Running text.
    Paragraph,
    TableRow,
    /// Lines of a block of code.
    Code,
    /// A heading with nothing below it.
    Heading,
}

impl PassageKind {
    /// Every kind, in the order of its number in the index.
    pub(crate) const ALL: [Self; 6] = [
        Self::Bullet,
        Self::Message,
        Self::Paragraph,
        Self::TableRow,
        Self::Code,
        Self::Heading,
    ];
}

/// The heading of a section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// The title of the note and the headings from the outermost in, joined by newlines.
    pub path: String,
    /// The names by which a question may call the note, joined by newlines; none if it has only a file name.
    pub names: String,
    /// What else is searched and not shown, such as folders and tags, joined by newlines.
    pub topics: String,
    /// The day of the section.
    pub day: Option<Day>,
}
