//! What the entries behind a summary were about: files and identifiers, and where they stand.
//!
//! Finds nothing itself: it is a list that a compaction carries.

use base::EntryId;

/// The index of a span.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Artifacts {
    /// Files by their path.
    pub files: Vec<ArtifactFile>,
    /// What must survive to the letter, most used first.
    pub identifiers: Vec<ArtifactIdentifier>,
}

/// A file and the last that happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactFile {
    /// Its path as it was written.
    pub path: String,
    /// What happened to it.
    pub state: FileState,
    /// The last entry that did so.
    pub entry: EntryId,
}

/// What happened to a file, the weightiest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileState {
    /// Someone spoke of it.
    Mentioned,
    /// A tool read it.
    Read,
    /// A tool wrote it.
    Written,
}

impl FileState {
    /// The word that stands in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mentioned => "mentioned",
            Self::Read => "read",
            Self::Written => "written",
        }
    }

    /// What a word says; an unknown one says the least.
    pub fn from_word(word: &str) -> Self {
        match word {
            "read" => Self::Read,
            "written" => Self::Written,
            _ => Self::Mentioned,
        }
    }
}

/// An identifier and the entries that hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactIdentifier {
    /// To the letter.
    pub text: String,
    /// The first entry that holds it and the last ones, in order.
    pub entries: Vec<EntryId>,
}
