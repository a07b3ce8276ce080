//! Renders entries as lines.
//!
//! Renders only the types that this program writes, never those of other programs.

use base::{SessionId, Timestamp};
use serde::Serialize;

use super::content::{Damage, FORMAT_VERSION, LINE_BYTES_MAX};
use super::message_writing::MessageLineOut;
use super::record::{CustomOut, HeaderOut, SESSION_INFO};
use crate::entry::{Entry, Payload, write_timestamp};

/// The reason why an entry cannot be written to a transcript.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Its line would exceed [`LINE_BYTES_MAX`].
    #[error("the entry takes {0} bytes; the limit per line is {LINE_BYTES_MAX}")]
    TooLong(u64),
    /// The year does not have four digits, as RFC 3339 requires.
    #[error("the year of {0} does not have four digits")]
    BadTimestamp(Timestamp),
    /// Only other programs write entries of this type.
    #[error("entries of type {0} can be read but not written")]
    Foreign(String),
    /// The rendered line would not read back.
    #[error("the entry could not be read back: {0}")]
    Damaged(Damage),
    /// The JSON serializer failed.
    #[error("the entry cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// Renders the line of an entry, including its line end.
pub(crate) fn render(entry: &Entry) -> Result<Vec<u8>, RenderError> {
    match &entry.payload {
        Payload::Message(stored) => line(entry, "message", MessageLineOut::new(stored, entry.at)),
        Payload::Compaction(compaction) => line(entry, "compaction", compaction),
        Payload::Meta(meta) => line(entry, "meta", meta),
        Payload::Reset(reset) => line(entry, "reset", reset),
        Payload::Rewind(rewind) => line(entry, "rewind", rewind),
        Payload::Custom(custom) => line(entry, "custom", CustomOut::new(custom)?),
        Payload::SessionInfo(info) => line(entry, SESSION_INFO, info),
        Payload::BranchSummary(_) => Err(foreign("branch_summary")),
        Payload::CustomMessage(_) => Err(foreign("custom_message")),
        Payload::Other(entry_type) => Err(foreign(entry_type)),
    }
}

/// Renders the first line of a transcript, including its line end; `parent` is the session it was forked from.
pub(crate) fn render_header(
    id: &SessionId,
    at: Timestamp,
    parent: Option<&SessionId>,
) -> Result<Vec<u8>, RenderError> {
    finish(&HeaderOut {
        r#type: "session",
        version: FORMAT_VERSION,
        id: id.as_str(),
        timestamp: checked_timestamp(at)?,
        // The format requires a working directory, but a session belongs to its home, which may move.
        cwd: ".",
        parent_session: parent.map(SessionId::as_str),
    })
}

fn checked_timestamp(at: Timestamp) -> Result<String, RenderError> {
    let text = write_timestamp(at);
    if text.len() == "2026-01-01T00:00:00.000Z".len() {
        Ok(text)
    } else {
        Err(RenderError::BadTimestamp(at))
    }
}

fn foreign(entry_type: &str) -> RenderError {
    RenderError::Foreign(entry_type.to_owned())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryLineOut<'a, T: Serialize> {
    r#type: &'static str,
    id: &'a str,
    parent_id: Option<&'a str>,
    timestamp: String,
    #[serde(flatten)]
    body: T,
}

fn line(
    entry: &Entry,
    entry_type: &'static str,
    body: impl Serialize,
) -> Result<Vec<u8>, RenderError> {
    finish(&EntryLineOut {
        r#type: entry_type,
        id: entry.id.as_str(),
        parent_id: entry.parent.as_ref().map(base::EntryId::as_str),
        timestamp: checked_timestamp(entry.at)?,
        body,
    })
}

fn finish(line: &impl Serialize) -> Result<Vec<u8>, RenderError> {
    let mut bytes = serde_json::to_vec(line)?;
    let n_bytes = bytes.len() as u64;
    if n_bytes > LINE_BYTES_MAX {
        return Err(RenderError::TooLong(n_bytes));
    }
    bytes.push(b'\n');
    Ok(bytes)
}
