//! What a line of a transcript is: the header, an entry, or damage.
//!
//! Never fails: a line that cannot be read is told with its reason.

use base::{EntryId, SessionId, Timestamp};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::rendering::ASIDE;
use super::{message_reading, record, surrogates};
use crate::{Entry, Epoch, Payload};

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

/// Where an entry stands among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The entry.
    pub id: EntryId,
    /// The entry before it; `None` for the first of a conversation.
    ///
    /// An empty id means that the line does not say, and names nothing.
    pub parent: Option<EntryId>,
}

/// Why a line cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It holds nothing.
    #[error("the line is blank")]
    Blank,
    /// It keeps the place of an entry that was set aside.
    #[error("what stood here was set aside")]
    SetAside,
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
        matches!(self, Self::Blank | Self::SetAside)
    }
}

/// Reads the bytes of a line, its line end left out.
pub(crate) fn parse(bytes: &[u8]) -> LineContent {
    let Ok(text) = str::from_utf8(bytes) else {
        return damaged(Damage::NotUtf8);
    };
    // JavaScript writes half a surrogate pair where a text was cut inside an emoji; no Rust string holds it.
    let mended = surrogates::mend(text);
    parse_text(mended.as_deref().unwrap_or(text))
}

/// Reads only the place of an entry; says the same as [`parse`] would.
pub(crate) fn parse_place(bytes: &[u8]) -> Option<Place> {
    let text = str::from_utf8(bytes).ok()?;
    let mended = surrogates::mend(text);
    let head = read_head(mended.as_deref().unwrap_or(text)).ok()?;
    if head.entry_type == "session" {
        return None;
    }
    head.place
}

/// Whether the line is a message and nothing that changes state, told from its first bytes alone.
///
/// A line that begins otherwise may still be a message.
pub(crate) fn is_plain_message(bytes: &[u8]) -> bool {
    bytes.starts_with(br#"{"type":"message","#)
}

/// The fields that all lines share.
struct Head {
    entry_type: String,
    place: Option<Place>,
    at: Option<Timestamp>,
}

#[derive(Deserialize)]
struct HeadIn<'a> {
    #[serde(rename = "type", borrow, default)]
    entry_type: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(rename = "parentId", borrow, default, deserialize_with = "stated")]
    parent_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    timestamp: Option<&'a RawValue>,
}

/// Tells a `null` that is there from nothing at all.
fn stated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn damaged(damage: Damage) -> LineContent {
    LineContent::Damaged {
        damage,
        place: None,
    }
}

fn read_head(text: &str) -> Result<Head, Damage> {
    let text = text.trim_start_matches('\u{feff}').trim_ascii();
    if text.is_empty() {
        return Err(Damage::Blank);
    }
    let not_json = |reason: String| Damage::NotJson(reason);
    if !text.starts_with('{') {
        return Err(not_json("it does not begin with a brace".to_owned()));
    }
    let head: HeadIn<'_> =
        serde_json::from_str(text).map_err(|error| not_json(error.to_string()))?;
    let entry_type = head.entry_type.and_then(string).ok_or(Damage::NoType)?;
    let parent = match head.parent_id {
        Some(raw) if raw.get() == "null" => None,
        Some(raw) => Some(EntryId::new(string(raw).unwrap_or_default())),
        None => Some(EntryId::new("")),
    };
    let id = head.id.and_then(string).filter(|id| !id.is_empty());
    Ok(Head {
        entry_type,
        place: id.map(|id| Place {
            id: EntryId::new(id),
            parent,
        }),
        at: head.timestamp.and_then(string).and_then(read_timestamp),
    })
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Reads an instant with any offset.
fn read_timestamp(text: impl AsRef<str>) -> Option<Timestamp> {
    text.as_ref().parse().ok()
}

fn parse_text(text: &str) -> LineContent {
    let head = match read_head(text) {
        Ok(head) => head,
        Err(damage) => return damaged(damage),
    };
    let text = text.trim_start_matches('\u{feff}');
    let bad_body = |reason: String| Damage::BadBody(head.entry_type.clone(), reason);
    if head.entry_type == "session" {
        return match record::read_header(text, head.at) {
            Ok(header) => LineContent::Header(header),
            Err(reason) => damaged(bad_body(reason)),
        };
    }
    let Some(place) = head.place else {
        return match (head.entry_type.as_str(), record::read_short_meta(text)) {
            ("meta", Ok(meta)) => LineContent::ShortMeta(meta),
            _ => damaged(Damage::NoId),
        };
    };
    if head.entry_type == ASIDE {
        return LineContent::Damaged {
            damage: Damage::SetAside,
            place: Some(place),
        };
    }
    let Some(at) = head.at else {
        return LineContent::Damaged {
            damage: Damage::NoTimestamp,
            place: Some(place),
        };
    };
    match read_payload(&head.entry_type, text, &place.id) {
        Ok(payload) => LineContent::Entry(Entry {
            id: place.id,
            parent: place.parent,
            at,
            payload,
        }),
        Err(reason) => LineContent::Damaged {
            damage: bad_body(reason),
            place: Some(place),
        },
    }
}

fn read_payload(entry_type: &str, text: &str, id: &EntryId) -> Result<Payload, String> {
    match entry_type {
        "message" => message_reading::read_message_line(text),
        "custom_message" => message_reading::read_custom_message(text),
        "branch_summary" => message_reading::read_branch_summary(text),
        "compaction" => record::read_compaction(text, id),
        "meta" => record::read_meta(text),
        "reset" => record::read_reset(text),
        "rewind" => record::read_rewind(text),
        "custom" => Ok(record::read_custom(text)),
        other => Ok(Payload::Other(other.to_owned())),
    }
}

/// The format that this version writes.
pub const FORMAT_VERSION: u64 = 3;

/// The longest line in bytes, its line end left out: a message with several pictures fits.
pub const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;
