//! The index of a summarised span: its files and identifiers, with the entries that contain them.
//!
//! Data only; the audit in `compaction` fills it.

use base::EntryId;
use serde::{Deserialize, Serialize};

/// The files and identifiers of a span.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Artifacts {
    /// The files that the span mentions, reads or writes.
    pub files: Vec<ArtifactFile>,
    /// Text that must survive verbatim, most used first.
    pub identifiers: Vec<ArtifactIdentifier>,
}

/// A file and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactFile {
    /// Its path, verbatim.
    pub path: String,
    /// What happened to it.
    pub state: FileState,
    /// The last entry in which the file reached this state.
    #[serde(rename = "entryId")]
    pub entry: EntryId,
}

/// The strongest thing that happened to a file; later variants outrank earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "String")]
pub enum FileState {
    /// A message mentions it.
    Mentioned,
    /// A tool read it.
    Read,
    /// A tool wrote it.
    Written,
}

impl From<String> for FileState {
    /// Maps unknown words to `Mentioned`.
    fn from(word: String) -> Self {
        match word.as_str() {
            "read" => Self::Read,
            "written" => Self::Written,
            _ => Self::Mentioned,
        }
    }
}

/// An identifier and the entries that contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactIdentifier {
    /// Its text, verbatim.
    pub text: String,
    /// The first and the last few entries that contain it, in file order.
    #[serde(rename = "entryIds")]
    pub entries: Vec<EntryId>,
}
