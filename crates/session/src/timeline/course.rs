//! The data of a timeline: days, and the events on each day.
//!
//! Data only.

use base::{Day, EntryId, SessionId, Timestamp, TokenCount};
use serde::{Serialize, Serializer};

use crate::entry::{write_time, write_timestamp};

/// The timeline of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// The session's name.
    pub name: String,
    /// The id of the last session in the file.
    pub id: SessionId,
    /// The previous session in the same file, or the session that this one was forked from.
    pub parent: Option<SessionId>,
    /// The session that the file was forked from, if any.
    pub forked_from: Option<SessionId>,
    /// When the first session of the file began.
    #[serde(serialize_with = "write_time")]
    pub created_at: Option<Timestamp>,
    /// Number of messages.
    pub messages: u64,
    pub epoch: u64,
    /// Number of rewinds.
    pub rewinds: u64,
    /// Number of successful flushes.
    pub flushes: u64,
    /// Number of compactions, not counting those copied by a fork.
    pub compactions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Days with activity, in order of first appearance.
    pub days: Vec<TimelineDay>,
}

/// One day of a timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineDay {
    pub day: Day,
    /// Message counts.
    pub messages: MessageCounts,
    /// Other events, in order.
    pub events: Vec<TimelineEvent>,
}

/// Message counts by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MessageCounts {
    /// The user's messages.
    pub user: u64,
    /// The assistant's messages.
    pub assistant: u64,
    /// Tool results.
    pub tool: u64,
}

/// An event other than a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineEvent {
    /// Its time.
    #[serde(serialize_with = "write_instant")]
    pub at: Timestamp,
    /// Its kind and details.
    #[serde(flatten)]
    pub kind: TimelineEventKind,
}

/// The kind of an event, and its details.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum TimelineEventKind {
    /// A flush succeeded.
    Flush {
        /// The epoch in which it succeeded.
        epoch: u64,
        /// The log file, relative to the workspace; `None` if there was no new message to note.
        log_file: Option<String>,
    },
    FlushFailed {
        /// The epoch in which it failed.
        epoch: u64,
    },
    /// A summary replaced older messages.
    Compaction {
        /// The compaction entry.
        entry: EntryId,
        /// The epoch that it ended.
        epoch: Option<u64>,
        /// Tokens of the request before it.
        tokens_before: TokenCount,
        /// Tokens of the request after it.
        tokens_after: Option<TokenCount>,
        /// Tokens of the replaced messages divided by those of the summary, in hundredths.
        #[serde(rename = "ratio", serialize_with = "write_hundredths")]
        ratio_percent: Option<u64>,
        /// Share of the audited names and figures that the summary still contains, in hundredths.
        #[serde(rename = "retention", serialize_with = "write_hundredths")]
        retention_percent: Option<u64>,
        /// The rung of the fallback ladder that made the summary.
        rung: Option<String>,
    },
    /// A new session began in the same file.
    Reset {
        /// The id of the new session.
        session: SessionId,
    },
    /// The conversation continued from an earlier entry.
    Rewind {
        /// The entry from which the conversation continued.
        target: EntryId,
    },
}

pub(super) fn write_instant<S: Serializer>(
    at: &Timestamp,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    write_timestamp(*at).serialize(serializer)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::ref_option,
    reason = "a ratio that large has no use for its last digits; serde passes fields by reference"
)]
fn write_hundredths<S: Serializer>(
    percent: &Option<u64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    percent
        .map(|percent| percent as f64 / 100.0)
        .serialize(serializer)
}

/// One session of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionPart {
    /// The session name of the file.
    pub name: String,
    pub id: SessionId,
    /// The previous session in the same file, or the session that this one was forked from.
    pub parent: Option<SessionId>,
    /// The line of the transcript at which it begins.
    #[serde(skip)]
    pub first_line: u64,
    /// Its title; `None` before the first message.
    pub title: Option<String>,
    /// Number of messages.
    pub messages: u64,
    /// Time of its last entry.
    #[serde(serialize_with = "write_time")]
    pub last_activity_at: Option<Timestamp>,
    pub epoch: u64,
    /// Its share of the file in bytes.
    pub bytes: u64,
}
