//! The conversation of another program that calls a hook: which session is its copy, and what its model sees already.
//!
//! Reads the end of the transcript; what cannot be read counts as not shown.

use agent::RunningConversation;
use base::{Disk, short_hash};
use import::ImportFormat;

use super::hook::HookInput;
use crate::prelude::*;

/// Maximum number of bytes read from the end of a transcript.
const TRANSCRIPT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The event source of a session that continues after a compaction, which the transcript may not record yet.
const COMPACTED: &str = "compact";

/// The conversation that calls.
#[derive(Debug)]
pub(super) struct Calling {
    /// The hashes of its ids: names of its copies end in them.
    hashes: Vec<String>,
    /// Its transcript, from the last compaction on.
    transcript: String,
}

impl Calling {
    pub(super) fn read(context: &Context, format: ImportFormat, told: &HookInput) -> Self {
        let is_compacted = told.source.as_deref() == Some(COMPACTED);
        let path = told.transcript_path.as_deref().filter(|_| !is_compacted);
        let end = path.and_then(|path| end_of(&*context.host.disk, path));
        let end = end.unwrap_or_default();
        let mark = format.compaction_mark();
        let behind = mark.and_then(|mark| end.rsplit_once(mark).map(|(_, behind)| behind));
        Self {
            hashes: told.ids().into_iter().map(short_hash).collect(),
            transcript: behind.unwrap_or(&end).to_owned(),
        }
    }
}

impl RunningConversation for Calling {
    fn is_copy(&self, session: &str) -> bool {
        self.hashes.iter().any(|hash| session.ends_with(hash))
    }

    fn shows(&self, text: &str) -> bool {
        // As it stands within the JSON of the transcript.
        let quoted = json!(text.trim()).to_string();
        let inner = quoted.trim_matches('"');
        !inner.is_empty() && self.transcript.contains(inner)
    }
}

/// The end of a file.
fn end_of(disk: &dyn Disk, path: &Path) -> Option<String> {
    let file = disk.open(path).ok()?;
    let n_bytes = usize::try_from(file.len().ok()?).ok()?;
    let mut bytes = vec![0; n_bytes.min(TRANSCRIPT_BYTES_MAX)];
    let from = n_bytes - bytes.len();
    let n_read = file.read_at(u64::try_from(from).ok()?, &mut bytes).ok()?;
    bytes.truncate(n_read);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
