//! What the entries behind a summary were about: files and identifiers, and where they stand.
//!
//! Finds nothing itself: it is a list that a compaction carries.

use base::EntryId;
use serde::{Deserialize, Serialize};

/// The index of a span.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Artifacts {
    /// Files by their path.
    pub files: Vec<ArtifactFile>,
    /// What must survive to the letter, most used first.
    pub identifiers: Vec<ArtifactIdentifier>,
}

/// A file and the last that happened to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactFile {
    /// Its path as it was written.
    pub path: String,
    /// What happened to it.
    pub state: FileState,
    /// The last entry that did so.
    #[serde(rename = "entryId")]
    pub entry: EntryId,
}

/// What happened to a file, the weightiest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "String")]
pub enum FileState {
    /// Someone spoke of it.
    Mentioned,
    /// A tool read it.
    Read,
    /// A tool wrote it.
    Written,
}

impl From<String> for FileState {
    /// What a word says; an unknown one says the least.
    fn from(word: String) -> Self {
        match word.as_str() {
            "read" => Self::Read,
            "written" => Self::Written,
            _ => Self::Mentioned,
        }
    }
}

impl Artifacts {
    /// Whether there is nothing to list.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.identifiers.is_empty()
    }
}

/// An identifier and the entries that hold it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactIdentifier {
    /// To the letter.
    pub text: String,
    /// The first entry that holds it and the last ones, in order.
    #[serde(rename = "entryIds")]
    pub entries: Vec<EntryId>,
}
