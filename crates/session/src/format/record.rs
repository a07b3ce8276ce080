//! Reads and writes the lines that are no messages: header, compaction, meta, reset, rewind, custom.
//!
//! Never judges whether what they say fits the rest of the file.

use base::{EntryId, SessionId, Timestamp, TokenCount};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::artifact_wire::ArtifactsWire;
use super::line::read_timestamp;
use super::rendering::write_timestamp;
use super::{Header, ShortMeta};
use crate::{
    Compaction, CompactionDetails, CopiedFrom, Custom, EntryPointer, Epoch, FlushIntent, Meta,
    Payload, Reset, ResetReason, Rewind,
};

pub(super) fn read_header(text: &str, at: Option<Timestamp>) -> Result<Header, String> {
    let header: HeaderIn = read(text)?;
    Ok(Header {
        version: header.version,
        id: SessionId::new(header.id),
        at,
        parent: header.parent_session.map(SessionId::new),
    })
}

pub(super) fn read_short_meta(text: &str) -> Result<ShortMeta, String> {
    let meta: ShortMetaIn = read(text)?;
    Ok(ShortMeta {
        memory_flush_compaction_count: meta.memory_flush_compaction_count.map(Epoch),
        last_compaction_at: meta.last_compaction_at.and_then(read_timestamp),
    })
}

/// Reads a compaction; one that names no first kept entry keeps none.
pub(super) fn read_compaction(text: &str, id: &EntryId) -> Result<Payload, String> {
    let line: CompactionIn<'_> = read(text)?;
    let details = line.details.map_or("", RawValue::get);
    let details: DetailsWire = serde_json::from_str(details).unwrap_or_default();
    let tokens_before = line.tokens_before.map_or("", RawValue::get);
    Ok(Payload::Compaction(Compaction {
        epoch: line.epoch.map(Epoch),
        summary: line.summary,
        first_kept: line
            .first_kept_entry_id
            .map_or_else(|| id.clone(), EntryId::new),
        tokens_before: TokenCount(serde_json::from_str(tokens_before).unwrap_or_default()),
        details: details.into_domain(),
    }))
}

pub(super) fn read_meta(text: &str) -> Result<Payload, String> {
    let MetaHeadIn { compaction_count } = read(text)?;
    if compaction_count.is_none() {
        return Ok(Payload::Other {
            entry_type: "meta".to_owned(),
        });
    }
    let meta: MetaWire = read(text)?;
    meta.into_domain().map(Payload::Meta)
}

pub(super) fn read_reset(text: &str) -> Result<Payload, String> {
    let reset: ResetWire = read(text)?;
    Ok(Payload::Reset(Reset {
        session: SessionId::new(reset.session_id),
        parent: reset.parent_session.map(SessionId::new),
        reason: match reset.reason.as_deref() {
            Some(REPLACED) => ResetReason::Replaced,
            Some(_) | None => ResetReason::Asked,
        },
    }))
}

pub(super) fn read_rewind(text: &str) -> Result<Payload, String> {
    let rewind: RewindWire = read(text)?;
    Ok(Payload::Rewind(Rewind {
        target: EntryPointer {
            id: EntryId::new(rewind.target_id),
            offset: rewind.target_offset,
        },
        state: rewind.state.into_domain()?,
    }))
}

/// Reads what a program keeps for itself; a line that does not name it says nothing to us.
pub(super) fn read_custom(text: &str) -> Payload {
    let other = || Payload::Other {
        entry_type: "custom".to_owned(),
    };
    read(text).map_or_else(
        |_| other(),
        |custom: CustomIn<'_>| {
            Payload::Custom(Custom {
                custom_type: custom.custom_type,
                data: custom.data.map_or("null", RawValue::get).to_owned(),
            })
        },
    )
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A header without a version is the first format's.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeaderIn {
    #[serde(default = "first_version")]
    version: u64,
    id: String,
    #[serde(default)]
    parent_session: Option<String>,
}

fn first_version() -> u64 {
    1
}

/// The first line as we write it.
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
struct ShortMetaIn {
    #[serde(default)]
    memory_flush_compaction_count: Option<u64>,
    #[serde(default)]
    last_compaction_at: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompactionIn<'a> {
    summary: String,
    #[serde(default)]
    first_kept_entry_id: Option<String>,
    #[serde(borrow, default)]
    tokens_before: Option<&'a RawValue>,
    #[serde(default)]
    epoch: Option<u64>,
    #[serde(borrow, default)]
    details: Option<&'a RawValue>,
}

/// The fields of a line of type `compaction` after those that all lines share.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompactionOut<'a> {
    summary: &'a str,
    first_kept_entry_id: &'a str,
    tokens_before: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    epoch: Option<u64>,
    details: DetailsWire,
}

impl<'a> CompactionOut<'a> {
    pub(super) fn new(compaction: &'a Compaction) -> Self {
        Self {
            summary: &compaction.summary,
            first_kept_entry_id: compaction.first_kept.as_str(),
            tokens_before: compaction.tokens_before.0,
            epoch: compaction.epoch.map(|Epoch(epoch)| epoch),
            details: DetailsWire::new(&compaction.details),
        }
    }
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct DetailsWire {
    read_files: Vec<String>,
    modified_files: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keep_first: Vec<PointerWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_percent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retention_percent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_window: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rung: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed_rungs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifacts: Option<ArtifactsWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copied_from: Option<CopiedFromWire>,
}

#[derive(Serialize, Deserialize)]
struct CopiedFromWire {
    session: String,
    entry: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct PointerWire {
    id: String,
    offset: u64,
}

impl DetailsWire {
    fn new(details: &CompactionDetails) -> Self {
        Self {
            read_files: details.read_files.clone(),
            modified_files: details.modified_files.clone(),
            keep_first: details
                .keep_first
                .iter()
                .map(|pointer| PointerWire {
                    id: pointer.id.to_string(),
                    offset: pointer.offset,
                })
                .collect(),
            span: details.span.as_ref().map(span_wire),
            tokens_after: details.tokens_after.map(|TokenCount(tokens)| tokens),
            ratio_percent: details.ratio_percent,
            retention_percent: details.retention_percent,
            context_window: details.context_window.map(|TokenCount(tokens)| tokens),
            strategy: details.strategy.clone(),
            rung: details.rung.clone(),
            failed_rungs: details.failed_rungs.clone(),
            artifacts: ArtifactsWire::new(&details.artifacts),
            copied_from: details.copied_from.as_ref().map(|from| CopiedFromWire {
                session: from.session.to_string(),
                entry: from.entry.to_string(),
                first: from.first.as_ref().map(ToString::to_string),
            }),
        }
    }

    fn into_domain(self) -> CompactionDetails {
        CompactionDetails {
            keep_first: self
                .keep_first
                .into_iter()
                .map(|pointer| EntryPointer {
                    id: EntryId::new(pointer.id),
                    offset: pointer.offset,
                })
                .collect(),
            span: self.span.map(span_domain),
            tokens_after: self.tokens_after.map(TokenCount),
            ratio_percent: self.ratio_percent,
            retention_percent: self.retention_percent,
            context_window: self.context_window.map(TokenCount),
            strategy: self.strategy,
            rung: self.rung,
            failed_rungs: self.failed_rungs,
            artifacts: self.artifacts.unwrap_or_default().into_domain(),
            copied_from: self.copied_from.map(|from| {
                Box::new(CopiedFrom {
                    session: SessionId::new(from.session),
                    entry: EntryId::new(from.entry),
                    first: from.first.map(EntryId::new),
                })
            }),
            read_files: self.read_files,
            modified_files: self.modified_files,
        }
    }
}

fn span_wire((from, to): &(EntryId, EntryId)) -> (String, String) {
    (from.to_string(), to.to_string())
}

fn span_domain((from, to): (String, String)) -> (EntryId, EntryId) {
    (EntryId::new(from), EntryId::new(to))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MetaHeadIn {
    #[serde(default)]
    compaction_count: Option<u64>,
}

/// The fields of a line of type `meta` after those that all lines share.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MetaWire {
    compaction_count: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    memory_flush_compaction_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    flushed_through_entry_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    memory_flush_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    last_compaction_at: Option<String>,
    #[serde(default)]
    flush_failures: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    intent: Option<IntentWire>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rewind_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    compaction_failures: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct IntentWire {
    log_file: String,
    epoch: u64,
    span: (String, String),
    before_compaction: bool,
}

impl MetaWire {
    pub(super) fn new(meta: &Meta) -> Self {
        Self {
            compaction_count: meta.compaction_count.0,
            memory_flush_compaction_count: meta
                .memory_flush_compaction_count
                .map(|Epoch(epoch)| epoch),
            flushed_through_entry_id: meta.flushed_through.as_ref().map(ToString::to_string),
            memory_flush_at: meta.memory_flush_at.map(write_timestamp),
            last_compaction_at: meta.last_compaction_at.map(write_timestamp),
            flush_failures: meta.flush_failures,
            intent: meta.intent.as_ref().map(|intent| IntentWire {
                log_file: intent.log_file.clone(),
                epoch: intent.epoch.0,
                span: span_wire(&intent.span),
                before_compaction: intent.before_compaction,
            }),
            rewind_count: Some(meta.rewind_count).filter(|count| *count > 0),
            compaction_failures: Some(meta.compaction_failures).filter(|count| *count > 0),
        }
    }

    fn into_domain(self) -> Result<Meta, String> {
        Ok(Meta {
            compaction_count: Epoch(self.compaction_count),
            memory_flush_compaction_count: self.memory_flush_compaction_count.map(Epoch),
            flushed_through: self.flushed_through_entry_id.map(EntryId::new),
            memory_flush_at: required(self.memory_flush_at)?,
            last_compaction_at: required(self.last_compaction_at)?,
            flush_failures: self.flush_failures,
            intent: self.intent.map(|intent| FlushIntent {
                log_file: intent.log_file,
                epoch: Epoch(intent.epoch),
                span: span_domain(intent.span),
                before_compaction: intent.before_compaction,
            }),
            rewind_count: self.rewind_count.unwrap_or(0),
            compaction_failures: self.compaction_failures.unwrap_or(0),
        })
    }
}

/// A timestamp that is there must be one.
fn required(text: Option<String>) -> Result<Option<Timestamp>, String> {
    text.map(|text| read_timestamp(&text).ok_or(format!("{text:?} is no timestamp of RFC 3339")))
        .transpose()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomIn<'a> {
    custom_type: String,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

/// The fields of a line of type `custom` after those that all lines share.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomOut<'a> {
    custom_type: &'a str,
    data: Box<RawValue>,
}

impl<'a> CustomOut<'a> {
    pub(super) fn new(custom: &'a Custom) -> Result<Self, serde_json::Error> {
        // Between the tokens of JSON any white space may stand, and inside them no line end.
        let line = custom.data.replace(['\n', '\r'], " ");
        Ok(Self {
            custom_type: &custom.custom_type,
            data: RawValue::from_string(line)?,
        })
    }
}

/// The fields of a line of type `reset` after those that all lines share.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResetWire {
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    parent_session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reason: Option<String>,
}

/// The reason of a reset that a compaction follows.
const REPLACED: &str = "compaction";

impl ResetWire {
    pub(super) fn new(reset: &Reset) -> Self {
        Self {
            session_id: reset.session.to_string(),
            parent_session: reset.parent.as_ref().map(ToString::to_string),
            reason: match reset.reason {
                ResetReason::Replaced => Some(REPLACED.to_owned()),
                ResetReason::Asked => None,
            },
        }
    }
}

/// The fields of a line of type `rewind` after those that all lines share.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RewindWire {
    target_id: String,
    target_offset: u64,
    state: MetaWire,
}

impl RewindWire {
    pub(super) fn new(rewind: &Rewind) -> Self {
        Self {
            target_id: rewind.target.id.to_string(),
            target_offset: rewind.target.offset,
            state: MetaWire::new(&rewind.state),
        }
    }
}
