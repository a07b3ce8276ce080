//! The data of a timeline: days, and the events on them.
//!
//! Reads nothing.

use base::{Day, EntryId, SessionId, Timestamp, TokenCount};
use serde::{Serialize, Serializer};

use crate::entry::{write_time, write_timestamp};

/// The timeline of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// The session's name.
    pub name: String,
    /// Its id; for a file with several sessions, that of the last.
    pub id: SessionId,
    /// The session before it in the same file, or the one that it was forked from.
    pub parent: Option<SessionId>,
    /// The session that the file was forked from, if any.
    pub forked_from: Option<SessionId>,
    /// When it began.
    #[serde(serialize_with = "write_time")]
    pub created_at: Option<Timestamp>,
    /// Number of messages.
    pub messages: u64,
    /// Its epoch.
    pub epoch: u64,
    /// Number of rewinds.
    pub rewinds: u64,
    /// Number of successful flushes.
    pub flushes: u64,
    /// Number of compactions, without those copied by a fork.
    pub compactions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Days with activity, in order of first appearance.
    pub days: Vec<TimelineDay>,
}

/// One day of a timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineDay {
    /// The day.
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

/// The kinds of events.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum TimelineEventKind {
    /// A flush succeeded.
    Flush {
        /// The epoch.
        epoch: u64,
        /// The log file, relative to the workspace; `None` if no message was new.
        log_file: Option<String>,
    },
    /// A flush failed.
    FlushFailed {
        /// The epoch.
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
        /// Tokens after it.
        tokens_after: Option<TokenCount>,
        /// Replaced tokens over tokens of the summary, in hundredths.
        #[serde(rename = "ratio", serialize_with = "write_hundredths")]
        ratio_percent: Option<u64>,
        /// Share of the audited items that the summary holds, in hundredths.
        #[serde(rename = "retention", serialize_with = "write_hundredths")]
        retention_percent: Option<u64>,
        /// The rung of the ladder that made it.
        rung: Option<String>,
    },
    /// A new session began in the same file.
    Reset {
        /// Its id.
        session: SessionId,
    },
    /// The conversation continued from an earlier entry.
    Rewind {
        /// That entry.
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
    /// Its id.
    pub id: SessionId,
    /// The session before it in the same file, or the one that it was forked from.
    pub parent: Option<SessionId>,
    /// Its title; `None` before the first message.
    pub title: Option<String>,
    /// Its messages.
    pub messages: u64,
    /// Time of its last entry.
    #[serde(serialize_with = "write_time")]
    pub last_activity_at: Option<Timestamp>,
    /// Its epoch.
    pub epoch: u64,
    /// Its share of the file in bytes.
    pub bytes: u64,
}
