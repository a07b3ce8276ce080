//! Keeps when the lines that the owner wrote into `MEMORY.md` by hand were first there: after a write of ours, the time
//! of the file no longer shows it.
//!
//! Keeps hashes of lines, never their text.

use std::collections::BTreeMap;

use base::disk::{DiskError, read_some, replace};
use base::{Timestamp, short_hash};

use super::line::{LineOwner, memory_lines};
use crate::note_text::NoteText;
use crate::workspace::{MEMORY_FILE, Workspace};

/// Size limit of the file in bytes.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Maximum number of lines that are kept; beyond that, only those that are still there.
const LINES_MAX: usize = 10_000;

/// When lines by hand were first there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinesByHand(BTreeMap<String, Timestamp>);

impl LinesByHand {
    /// Reads the record of earlier writes; a damaged file counts as empty.
    pub fn read(workspace: &Workspace) -> Self {
        let path = workspace.layout().lines_by_hand();
        let read = read_some(workspace.disk(), &path, BYTES_MAX).unwrap_or(None);
        let read = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self(read.unwrap_or_default())
    }

    /// When a line with this text was first there; `None` if no write of ours has seen it.
    pub fn since(&self, text: &str) -> Option<Timestamp> {
        self.0.get(&short_hash(text)).copied()
    }
}

/// Keeps the lines by hand of `text`, which is about to be replaced: new ones since the last change of the file.
pub(crate) fn keep_lines_by_hand(
    workspace: &Workspace,
    text: &NoteText<'_>,
) -> Result<(), DiskError> {
    let file = workspace.root().join(MEMORY_FILE);
    let stat = workspace.disk().stat(&file)?;
    let Some(changed_at) = stat.and_then(|stat| stat.modified_at) else {
        return Ok(());
    };
    let LinesByHand(mut known) = LinesByHand::read(workspace);
    let lines = memory_lines(text).into_iter();
    let by_hand = lines.filter(|line| line.owner == LineOwner::Owner);
    let present: Vec<String> = by_hand.map(|line| short_hash(&line.text)).collect();
    let n_known = known.len();
    for line in &present {
        known.entry(line.clone()).or_insert(changed_at);
    }
    if known.len() == n_known {
        return Ok(());
    }
    if known.len() > LINES_MAX {
        known.retain(|line, _| present.contains(line));
    }
    workspace.make_dir(&workspace.layout().state())?;
    let path = workspace.layout().lines_by_hand();
    let text = serde_json::json!(known).to_string();
    replace(workspace.disk(), &path, text.as_bytes())
}
