//! Reads and writes the index of a span inside the details of a compaction.
//!
//! Never judges whether the entries that it names exist.

use base::EntryId;
use serde::{Deserialize, Serialize};

use crate::{ArtifactFile, ArtifactIdentifier, Artifacts, FileState};

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ArtifactsWire {
    files: Vec<FileWire>,
    identifiers: Vec<IdentifierWire>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct FileWire {
    path: String,
    state: String,
    entry_id: String,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct IdentifierWire {
    text: String,
    entry_ids: Vec<String>,
}

impl ArtifactsWire {
    /// `None` where there is nothing to list.
    pub(super) fn new(artifacts: &Artifacts) -> Option<Self> {
        if artifacts.files.is_empty() && artifacts.identifiers.is_empty() {
            return None;
        }
        let files = artifacts.files.iter().map(|file| FileWire {
            path: file.path.clone(),
            state: file.state.as_str().to_owned(),
            entry_id: file.entry.to_string(),
        });
        let identifiers = artifacts.identifiers.iter().map(|found| IdentifierWire {
            text: found.text.clone(),
            entry_ids: found.entries.iter().map(EntryId::to_string).collect(),
        });
        Some(Self {
            files: files.collect(),
            identifiers: identifiers.collect(),
        })
    }

    pub(super) fn into_domain(self) -> Artifacts {
        let files = self.files.into_iter().map(|file| ArtifactFile {
            path: file.path,
            state: FileState::from_word(&file.state),
            entry: EntryId::new(file.entry_id),
        });
        let identifiers = self.identifiers.into_iter();
        let identifiers = identifiers.map(|found| ArtifactIdentifier {
            text: found.text,
            entries: found.entry_ids.into_iter().map(EntryId::new).collect(),
        });
        Artifacts {
            files: files.collect(),
            identifiers: identifiers.collect(),
        }
    }
}
