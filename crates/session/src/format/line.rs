//! Parses a line of a transcript as a header, an entry, or damage.
//!
//! Never fails: an unreadable line is returned as damage, with a reason.

use base::{EntryId, Timestamp};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::content::{Damage, Header, LineContent, read_timestamp};
use super::{message_reading, record, surrogates};
use crate::entry::{Entry, EntryPlace, Payload};

/// Parses the bytes of a line, without its line end.
pub(crate) fn parse(bytes: &[u8]) -> LineContent {
    let Ok(text) = str::from_utf8(bytes) else {
        return damaged(Damage::NotUtf8);
    };
    // JavaScript can cut a text inside an emoji and write half a surrogate pair, which a Rust string cannot
    // represent.
    let mended = surrogates::mend(text);
    parse_text(mended.as_deref().unwrap_or(text))
}

/// Parses only the id and parent of an entry, with the same result as [`parse`].
pub(crate) fn parse_place(bytes: &[u8]) -> Option<EntryPlace> {
    let text = str::from_utf8(bytes).ok()?;
    let mended = surrogates::mend(text);
    let head = read_head(mended.as_deref().unwrap_or(text)).ok()?;
    if head.entry_type == "session" {
        return None;
    }
    head.place
}

/// Whether the line is certainly a message, judging by its first bytes alone.
///
/// A line that begins otherwise may still be a message.
pub(crate) fn is_plain_message(bytes: &[u8]) -> bool {
    bytes.starts_with(br#"{"type":"message","#)
}

/// The place of a message that begins with type, id and parent, as this program writes it, judging by these alone: the
/// rest may be damaged. `None` if it begins otherwise.
pub(crate) fn plain_place(bytes: &[u8]) -> Option<EntryPlace> {
    let rest = bytes.strip_prefix(br#"{"type":"message","id":""#)?;
    let (id, rest) = plain_text(rest)?;
    let rest = rest.strip_prefix(br#","parentId":"#)?;
    let (parent, rest) = match rest.strip_prefix(b"\"") {
        Some(rest) => {
            let (parent, rest) = plain_text(rest)?;
            (Some(EntryId::new(parent)), rest)
        }
        None => (None, rest.strip_prefix(b"null")?),
    };
    rest.starts_with(b",").then(|| EntryPlace {
        id: EntryId::new(id),
        parent,
    })
}

/// The text before the next quotation mark, and what follows that mark; `None` if it holds an escape.
fn plain_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (text, rest) = bytes.split_at_checked(memchr::memchr(b'"', bytes)?)?;
    let is_plain = !text.is_empty() && !text.contains(&b'\\');
    let text = str::from_utf8(text).ok().filter(|_| is_plain)?;
    Some((text, rest.get(1..)?))
}

/// The fields that all lines share.
struct LineHead {
    entry_type: String,
    place: Option<EntryPlace>,
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

/// Distinguishes an explicit `null` from a missing field.
fn stated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn damaged(damage: Damage) -> LineContent {
    LineContent::Damaged {
        damage,
        place: None,
    }
}

fn read_head(text: &str) -> Result<LineHead, Damage> {
    let text = text.trim_start_matches('\u{feff}').trim_ascii();
    if text.is_empty() {
        return Err(Damage::Blank);
    }
    if !text.starts_with('{') {
        let reason = "it does not begin with a brace".to_owned();
        return Err(Damage::NotJson(reason));
    }
    let head: HeadIn<'_> = record::read(text).map_err(Damage::NotJson)?;
    let entry_type = head.entry_type.and_then(string).ok_or(Damage::NoType)?;
    let parent = match head.parent_id {
        Some(raw) if raw.get() == "null" => None,
        Some(raw) => Some(EntryId::new(string(raw).unwrap_or_default())),
        None => Some(EntryId::new("")),
    };
    let id = head.id.and_then(string).filter(|id| !id.is_empty());
    Ok(LineHead {
        entry_type,
        place: id.map(|id| EntryPlace {
            id: EntryId::new(id),
            parent,
        }),
        at: head.timestamp.and_then(string).and_then(read_timestamp),
    })
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

fn parse_text(text: &str) -> LineContent {
    let head = match read_head(text) {
        Ok(head) => head,
        Err(damage) => return damaged(damage),
    };
    let text = text.trim_start_matches('\u{feff}');
    let bad_body = |reason: String| Damage::BadBody(head.entry_type.clone(), reason);
    if head.entry_type == "session" {
        return match record::read(text) {
            Ok(header) => LineContent::Header(Header {
                at: head.at,
                ..header
            }),
            Err(reason) => damaged(bad_body(reason)),
        };
    }
    let Some(place) = head.place else {
        return match (head.entry_type.as_str(), record::read(text)) {
            ("meta", Ok(meta)) => LineContent::ShortMeta(meta),
            _ => damaged(Damage::NoId),
        };
    };
    let payload = read_payload(&head.entry_type, text, &place.id);
    let damage = match (head.at, payload) {
        (Some(at), Ok(payload)) => {
            let EntryPlace { id, parent } = place;
            return LineContent::Entry(Entry {
                id,
                parent,
                at,
                payload,
            });
        }
        (None, _) => Damage::NoTimestamp,
        (_, Err(reason)) => bad_body(reason),
    };
    LineContent::Damaged {
        damage,
        place: Some(place),
    }
}

fn read_payload(entry_type: &str, text: &str, id: &EntryId) -> Result<Payload, String> {
    match entry_type {
        "message" => message_reading::read_message_line(text),
        "custom_message" => message_reading::read_custom_message(text),
        "branch_summary" => message_reading::read_branch_summary(text),
        "compaction" => record::read_compaction(text, id),
        "meta" => record::read_meta(text),
        "reset" => record::read(text).map(Payload::Reset),
        "rewind" => record::read(text).map(Payload::Rewind),
        "custom" => Ok(record::read_custom(text)),
        record::SESSION_INFO => Ok(record::read_session_info(text)),
        other => Ok(Payload::Other(other.to_owned())),
    }
}
