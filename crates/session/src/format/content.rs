//! The content of a transcript line: a header, an entry, or damage.
//!
//! Data only; `line` reads it and `rendering` writes it.

use base::{SessionId, Timestamp};
use serde::{Deserialize, Deserializer};

use crate::entry::{Entry, EntryPlace, Epoch};

/// The format that this version writes.
pub const FORMAT_VERSION: u64 = 3;

/// The longest line in bytes, without its line end: enough for a message with several pictures.
pub const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The content of a line.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every line is an entry")]
pub enum LineContent {
    /// The first line, which identifies the session.
    Header(Header),
    Entry(Entry),
    /// A state line without id and parent, as simpler programs write it.
    ShortMeta(ShortMeta),
    /// An unreadable line.
    Damaged {
        /// What is wrong.
        damage: Damage,
        /// Id and parent of the entry, if at least these are readable.
        place: Option<EntryPlace>,
    },
}

/// The first line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Header {
    /// The format version; 1 if the header has none.
    #[serde(default = "first_version")]
    pub version: u64,
    /// The session id.
    pub id: SessionId,
    /// When the session began, if readable.
    #[serde(skip)]
    pub at: Option<Timestamp>,
    /// The session that it was forked from.
    #[serde(rename = "parentSession")]
    pub parent: Option<SessionId>,
}

fn first_version() -> u64 {
    1
}

/// The part of the compaction and flush state that a short state line contains.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShortMeta {
    /// The epoch of the last successful flush before a compaction.
    pub memory_flush_compaction_count: Option<Epoch>,
    /// Time of the last compaction.
    #[serde(default, deserialize_with = "readable_time")]
    pub last_compaction_at: Option<Timestamp>,
}

/// Reads a time; returns `None` if it cannot be parsed.
fn readable_time<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Timestamp>, D::Error> {
    let text: Option<String> = Deserialize::deserialize(given)?;
    Ok(text.and_then(read_timestamp))
}

/// Why a line cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is empty.
    #[error("the line is blank")]
    Blank,
    /// It exceeds [`LINE_BYTES_MAX`] and was not loaded.
    #[error("the line has {0} bytes; the limit is {LINE_BYTES_MAX}")]
    TooLong(u64),
    /// Its bytes are not UTF-8.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// It is not a JSON object; holds the parser's message.
    #[error("the line is not a JSON object: {0}")]
    NotJson(String),
    /// It has no type.
    #[error("the line has no type")]
    NoType,
    /// It has no id.
    #[error("the line has no id")]
    NoId,
    /// It has no readable timestamp.
    #[error("the line has no RFC 3339 timestamp")]
    NoTimestamp,
    /// Its fields do not match its type; holds the type and the parser's message.
    #[error("the {0} cannot be read: {1}")]
    BadBody(String, String),
}

impl Damage {
    /// Whether the line is blank, which is not an error.
    pub fn is_absence(&self) -> bool {
        *self == Self::Blank
    }
}

/// Parses an RFC 3339 time with any UTC offset.
pub(super) fn read_timestamp(text: impl AsRef<str>) -> Option<Timestamp> {
    text.as_ref().parse().ok()
}
