//! Opens a transcript where it was left: its id, view, state and leaf.
//!
//! Reads backwards, so that the cost follows the window and not the file.

use base::disk::DiskError;
use base::{EntryId, SessionId};

use crate::epoch::read_state;
use crate::format::{Header, LineContent};
use crate::path::Path;
use crate::reader::TranscriptFile;
use crate::recovery::Repair;
use crate::view::{ReadView, read_view};
use crate::{Meta, Payload, ResumeLimit, SessionName, View};

/// A session as it was at one moment: what a conversation goes on from.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The id that its header says.
    pub session: SessionId,
    /// What a window shows of it.
    pub view: View,
    /// Its epoch and how far the flushes reach.
    pub state: Meta,
    /// Where the newest line begins that says the whole state; 0 where none does.
    pub(crate) state_offset: u64,
    /// The newest entry.
    pub leaf: Option<EntryId>,
    /// What is broken in the part that was read; the file was left as it is.
    pub repairs: Vec<Repair>,
}

/// The first line of a transcript; `None` where it is no header.
pub(crate) fn read_header(file: &TranscriptFile) -> Result<Option<Header>, DiskError> {
    let first = file.line_at(0)?.map(|line| line.parse());
    Ok(match first {
        Some(LineContent::Header(header)) => Some(header),
        Some(LineContent::Entry(_) | LineContent::ShortMeta(_) | LineContent::Damaged { .. })
        | None => None,
    })
}

/// Reads what the conversation in a file that has begun goes on from.
pub(crate) fn resume(
    file: &TranscriptFile,
    name: &SessionName,
    limit: ResumeLimit,
) -> Result<Snapshot, DiskError> {
    let mut repairs = Vec::new();
    let first = file.line_at(0)?.map(|line| line.parse());
    let session = if let Some(LineContent::Header(header)) = first {
        header.id
    } else {
        if !matches!(first, Some(LineContent::Damaged { damage, .. }) if damage.is_absence()) {
            repairs.push(Repair::NoHeader);
        }
        SessionId::new(name.as_str())
    };
    let ReadView {
        view,
        leaf,
        repairs: found,
        ..
    } = read_view(file, limit)?;
    repairs.extend(found);
    let found = read_state(file)?;
    Ok(Snapshot {
        session,
        view,
        state: found.state,
        state_offset: found.offset,
        leaf,
        repairs,
    })
}

/// The session that the newest reset began; `None` where there was none, and the header's goes on.
pub(crate) fn newest_part(file: &TranscriptFile) -> Result<Option<SessionId>, DiskError> {
    let mut path = Path::from_leaf(file);
    let mut next = None;
    while let Some(line) = path.next()? {
        if let Some(Payload::Reset(reset)) = line.entry.as_ref().map(|entry| &entry.payload)
            && reset.begins(next.as_ref())
        {
            return Ok(Some(reset.session.clone()));
        }
        next = line.entry;
    }
    Ok(None)
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
