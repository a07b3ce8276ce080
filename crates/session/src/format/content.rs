//! What a line of a transcript can be: the header, an entry, or damage.
//!
//! Data alone; `line` reads it and `rendering` writes it.

use base::{SessionId, Timestamp};
use serde::{Deserialize, Deserializer};

use crate::entry::{Entry, Epoch, Place};

/// The format that this version writes.
pub const FORMAT_VERSION: u64 = 3;

/// The longest line in bytes, its line end left out: a message with several pictures fits.
pub const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every line is an entry")]
pub enum LineContent {
    /// The first line: which session this is.
    Header(Header),
    /// One entry.
    Entry(Entry),
    /// A line of state without a place among the entries, as simpler programs write it.
    ShortMeta(ShortMeta),
    /// Nothing that can be read.
    Damaged {
        /// What is wrong.
        damage: Damage,
        /// The place of the entry among the others, where that much can be read.
        place: Option<Place>,
    },
}

/// The first line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Header {
    /// The version of the format; a header without one is the first format's.
    #[serde(default = "first_version")]
    pub version: u64,
    /// The session.
    pub id: SessionId,
    /// When it began, where that can be read.
    #[serde(skip)]
    pub at: Option<Timestamp>,
    /// The session that it was made from.
    #[serde(rename = "parentSession")]
    pub parent: Option<SessionId>,
}

fn first_version() -> u64 {
    1
}

/// The state of compaction and flush, as far as a shorter line tells it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShortMeta {
    /// The epoch whose flush before compaction succeeded last.
    pub memory_flush_compaction_count: Option<Epoch>,
    /// When a compaction happened last.
    #[serde(default, deserialize_with = "readable_time")]
    pub last_compaction_at: Option<Timestamp>,
}

/// An instant that is written in any other way is none.
fn readable_time<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Timestamp>, D::Error> {
    let text: Option<String> = Deserialize::deserialize(given)?;
    Ok(text.and_then(read_timestamp))
}

/// Why a line cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It holds nothing.
    #[error("the line is blank")]
    Blank,
    /// It is longer than a line may be; it was not loaded.
    #[error("the line holds {0} bytes; at most {LINE_BYTES_MAX} are read")]
    TooLong(u64),
    /// Its bytes are no text.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// It is no object of JSON: what the parser said.
    #[error("the line is not a JSON object: {0}")]
    NotJson(String),
    /// It does not say what it is.
    #[error("the line has no type")]
    NoType,
    /// It has no name by which others could call it.
    #[error("the line has no id")]
    NoId,
    /// It does not say when.
    #[error("the line has no timestamp of RFC 3339")]
    NoTimestamp,
    /// It does not hold what its type promises: the type, and what the parser said.
    #[error("the {0} cannot be read: {1}")]
    BadBody(String, String),
}

impl Damage {
    /// Whether there is nothing to read, rather than something that cannot be read.
    pub fn is_absence(&self) -> bool {
        *self == Self::Blank
    }
}

/// Reads an instant with any offset.
pub(super) fn read_timestamp(text: impl AsRef<str>) -> Option<Timestamp> {
    text.as_ref().parse().ok()
}
