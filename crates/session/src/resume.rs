//! Resumes a transcript: reads its id, view, state and leaf.
//!
//! Reads backwards, so the cost grows with the window and not with the file.

use base::disk::DiskError;
use base::{EntryId, SessionId, scope_of, without_scope};

use crate::epoch::read_state;
use crate::format::{Header, LineContent};
use crate::path::Path;
use crate::reader::TranscriptFile;
use crate::recovery::Repair;
use crate::view::read_view;
use crate::{Meta, Payload, ResumeLimit, SessionName, View};

/// A session at one moment: everything needed to continue it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSnapshot {
    /// The id in its header.
    pub session: SessionId,
    /// The part of the transcript that fits the window.
    pub view: View,
    /// Its state of compaction and flush.
    pub state: Meta,
    /// Offset of the newest line that holds the full state; 0 if there is none.
    pub(crate) state_offset: u64,
    /// The newest entry.
    pub leaf: Option<EntryId>,
    /// Damage in the part that was read; the file was not changed.
    pub repairs: Vec<Repair>,
}

/// Reads the header of a transcript; `None` if the first line is not a header.
pub(crate) fn read_header(file: &TranscriptFile) -> Result<Option<Header>, DiskError> {
    let Some(LineContent::Header(header)) = file.line_at(0)?.map(|line| line.parse()) else {
        return Ok(None);
    };
    Ok(Some(header))
}

/// The current session id: the header's id with the scope of the session's name. A transcript that was moved into a
/// repository, or out of one on the owner's request, keeps its old header. A file that somebody copied to a name
/// without a scope keeps the scope in its header.
pub(crate) fn in_scope(
    file: &TranscriptFile,
    name: &SessionName,
    id: SessionId,
) -> Result<SessionId, DiskError> {
    let scope = scope_of(name.as_str()).unwrap_or_default();
    let is_same = scope_of(id.as_str()).unwrap_or_default() == scope;
    if is_same || scope.is_empty() && !read_state(file)?.state.is_scope_chosen {
        return Ok(id);
    }
    Ok(SessionId::new(format!(
        "{scope}{}",
        without_scope(id.as_str())
    )))
}

/// The id of a transcript that has begun. If its header is lost, the id is the session name.
pub(crate) fn read_id(file: &TranscriptFile, name: &SessionName) -> Result<SessionId, DiskError> {
    match read_header(file)? {
        Some(header) => in_scope(file, name, header.id),
        None => Ok(SessionId::new(name.as_str())),
    }
}

/// Reads the snapshot of a file that has at least one line.
pub(crate) fn resume(
    file: &TranscriptFile,
    name: &SessionName,
    limit: ResumeLimit,
) -> Result<SessionSnapshot, DiskError> {
    let mut repairs = Vec::new();
    let first = file.line_at(0)?.map(|line| line.parse());
    let session = if let Some(LineContent::Header(header)) = first {
        in_scope(file, name, header.id)?
    } else {
        if !matches!(first, Some(LineContent::Damaged { damage, .. }) if damage.is_absence()) {
            repairs.push(Repair::NoHeader);
        }
        SessionId::new(name.as_str())
    };
    let read = read_view(file, limit)?;
    repairs.extend(read.repairs);
    let found = read_state(file)?;
    Ok(SessionSnapshot {
        session,
        view: read.view,
        state: found.state,
        state_offset: found.offset,
        leaf: read.leaf,
        repairs,
    })
}

/// The session that the newest reset on the live branch began; `None` without a reset.
pub(crate) fn newest_part(file: &TranscriptFile) -> Result<Option<SessionId>, DiskError> {
    let mut path = Path::from_leaf(file);
    let mut next = None;
    while let Some(line) = path.next()? {
        if let Some(Payload::Reset(reset)) = line.payload()
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
