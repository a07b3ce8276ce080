//! What the course of a session is made of: days, and what happened on them.
//!
//! Reads nothing.

use base::{Day, EntryId, SessionId, Timestamp, TokenCount};
use serde::{Serialize, Serializer};

use crate::entry::{write_time, write_timestamp};

/// The course of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// Its name.
    pub name: String,
    /// Its id; of a file with several sessions that of the last.
    pub id: SessionId,
    /// The session before it in the same file, or the one that it was copied from.
    pub parent: Option<SessionId>,
    /// The session whose view it began with, where it is a fork.
    pub forked_from: Option<SessionId>,
    /// When it began.
    #[serde(serialize_with = "write_time")]
    pub created_at: Option<Timestamp>,
    /// Its messages.
    pub messages: u64,
    /// Its epoch.
    pub epoch: u64,
    /// How often the conversation went on from an earlier entry.
    pub rewinds: u64,
    /// Flushes that took effect.
    pub flushes: u64,
    /// Compactions that happened here.
    pub compactions: u64,
    /// The size of its file.
    pub bytes: u64,
    /// What happened, oldest day first.
    pub days: Vec<TimelineDay>,
}

/// What happened on a day.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineDay {
    /// The day.
    pub day: Day,
    /// What was said.
    pub messages: MessageCounts,
    /// What happened besides, in order.
    pub events: Vec<TimelineEvent>,
}

/// Messages, by who said them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MessageCounts {
    /// The person's.
    pub user: u64,
    /// The assistant's.
    pub assistant: u64,
    /// Results of tools.
    pub tool: u64,
}

/// Something that happened besides messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineEvent {
    /// When.
    #[serde(serialize_with = "write_instant")]
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub kind: TimelineEventKind,
}

/// What happened besides messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum TimelineEventKind {
    /// Notes were written.
    Flush {
        /// The epoch.
        epoch: u64,
        /// The log that it was for, relative to the workspace; `None` where no message was new.
        log_file: Option<String>,
    },
    /// Notes could not be written.
    FlushFailed {
        /// The epoch.
        epoch: u64,
    },
    /// A summary took the place of older messages.
    Compaction {
        /// The summary.
        entry: EntryId,
        /// The epoch that it ended.
        epoch: Option<u64>,
        /// Tokens of the request before it.
        tokens_before: TokenCount,
        /// Tokens after it.
        tokens_after: Option<TokenCount>,
        /// Tokens of what was replaced over tokens of the summary, in hundredths.
        #[serde(rename = "ratio", serialize_with = "write_hundredths")]
        ratio_percent: Option<u64>,
        /// The part of what the audit looked for that the summary holds, in hundredths.
        #[serde(rename = "retention", serialize_with = "write_hundredths")]
        retention_percent: Option<u64>,
        /// The rung of the ladder that made it.
        rung: Option<String>,
    },
    /// A session began anew in the same file.
    Reset {
        /// Its id.
        session: SessionId,
    },
    /// The conversation went on from an earlier entry.
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

/// One of the sessions that a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionPart {
    /// The name of the file.
    pub name: String,
    /// Its id.
    pub id: SessionId,
    /// The session before it in the same file, or the one that it was copied from.
    pub parent: Option<SessionId>,
    /// What it is called; `None` before anything was said.
    pub title: Option<String>,
    /// Its messages.
    pub messages: u64,
    /// When it last grew.
    pub last_activity_at: Option<Timestamp>,
    /// Its epoch.
    pub epoch: u64,
    /// What it takes of the file.
    pub bytes: u64,
}
