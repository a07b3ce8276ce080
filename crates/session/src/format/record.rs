//! Reads and writes lines other than messages: header, compaction, meta, reset, rewind, custom.
//!
//! Never checks a line against the rest of the file.

use base::EntryId;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::entry::{Compaction, Custom, Epoch, Payload};

/// The type of the line that holds a title.
pub(super) const SESSION_INFO: &str = "session_info";

/// Reads a compaction. If it names no first kept entry, it keeps none.
pub(super) fn read_compaction(text: &str, id: &EntryId) -> Result<Payload, String> {
    let line: CompactionIn<'_> = read(text)?;
    let details = line.details.map_or("", RawValue::get);
    let tokens_before = line.tokens_before.map_or("", RawValue::get);
    Ok(Payload::Compaction(Compaction {
        epoch: line.epoch,
        summary: line.summary,
        first_kept: line.first_kept_entry_id.unwrap_or_else(|| id.clone()),
        tokens_before: serde_json::from_str(tokens_before).unwrap_or_default(),
        details: serde_json::from_str(details).unwrap_or_default(),
    }))
}

pub(super) fn read_meta(text: &str) -> Result<Payload, String> {
    let MetaHeadIn { compaction_count } = read(text)?;
    if compaction_count.is_none() {
        return Ok(Payload::Other("meta".to_owned()));
    }
    read(text).map(Payload::Meta)
}

/// Reads a program's private data; a malformed line becomes `Payload::Other`.
pub(super) fn read_custom(text: &str) -> Payload {
    let Ok(custom) = read::<CustomEntryIn<'_>>(text) else {
        return Payload::Other("custom".to_owned());
    };
    Payload::Custom(Custom {
        custom_type: custom.custom_type,
        data: custom.data.map_or("null", RawValue::get).to_owned(),
    })
}

/// Reads the title of a conversation. A line without a title becomes `Payload::Other`.
pub(super) fn read_session_info(text: &str) -> Payload {
    read(text).map_or_else(
        |_| Payload::Other(SESSION_INFO.to_owned()),
        Payload::SessionInfo,
    )
}

/// Deserializes a line; the error is the parser's message.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The header line as this version writes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HeaderOut<'a> {
    pub(super) r#type: &'static str,
    pub(super) version: u64,
    pub(super) id: &'a str,
    pub(super) timestamp: String,
    pub(super) cwd: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent_session: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompactionIn<'a> {
    summary: String,
    first_kept_entry_id: Option<EntryId>,
    #[serde(borrow, default)]
    tokens_before: Option<&'a RawValue>,
    epoch: Option<Epoch>,
    #[serde(borrow, default)]
    details: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MetaHeadIn {
    compaction_count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomEntryIn<'a> {
    custom_type: String,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

/// The fields of a `custom` line after the fields common to all lines.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomOut<'a> {
    custom_type: &'a str,
    data: Box<RawValue>,
}

impl<'a> CustomOut<'a> {
    pub(super) fn new(custom: &'a Custom) -> Result<Self, serde_json::Error> {
        // In valid JSON a raw line end can only occur between tokens, where a space is equivalent.
        let line = custom.data.replace(['\n', '\r'], " ");
        Ok(Self {
            custom_type: &custom.custom_type,
            data: RawValue::from_string(line)?,
        })
    }
}
