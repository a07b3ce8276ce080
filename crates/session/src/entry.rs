//! What a line of a transcript says.
//!
//! Names the fields as a line does; `format` turns lines into entries and back.

use base::{Block, EntryId, Message, Origin, SessionId, Timestamp, TokenCount};
use serde::{Deserialize, Serialize, Serializer};
use serde_with::skip_serializing_none;

use crate::Artifacts;

/// One line of a transcript after its header.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Names the entry.
    pub id: EntryId,
    /// The entry before it on its branch; `None` for the first.
    pub parent: Option<EntryId>,
    /// When it was said or done; for a recorded message, when it was recorded.
    pub at: Timestamp,
    /// What it says.
    pub payload: Payload,
}

impl Entry {
    /// Where it stands among the others.
    pub(crate) fn place(&self) -> Place {
        Place {
            id: self.id.clone(),
            parent: self.parent.clone(),
        }
    }

    /// Whether it says something that a flush covers.
    pub(crate) fn says_something(&self) -> bool {
        matches!(
            self.payload,
            Payload::Message(_) | Payload::CustomMessage(_)
        )
    }

    /// Whether this is a compaction that keeps nothing of what was said before.
    fn keeps_nothing(&self) -> bool {
        matches!(&self.payload, Payload::Compaction(compaction) if compaction.first_kept == self.id)
    }
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

/// What an entry says, by its type.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    /// Something said.
    Message(StoredMessage),
    /// Older messages left the view; their summary stands for them.
    Compaction(Compaction),
    /// The state of compaction and flush after something that changed it.
    Meta(Meta),
    /// The view begins anew.
    Reset(Reset),
    /// The conversation goes on from an earlier entry.
    Rewind(Rewind),
    /// What a branch that was left had said.
    BranchSummary(BranchSummary),
    /// A message that a program put into the conversation.
    CustomMessage(CustomMessage),
    /// What a program keeps for itself: never in the view.
    Custom(Custom),
    /// The title that the owner gave the conversation: never in the view.
    SessionInfo(SessionInfo),
    /// State, labels and whatever this version does not know: never in the view, never changed.
    Other(String),
}

/// A message with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMessage {
    /// What was said.
    pub message: Message,
    /// Who is answerable for it; `None` where the line does not say (a foreign file).
    pub origin: Option<Origin>,
    /// Where a replayed message comes from.
    pub source: Option<ReplaySource>,
    /// Where a message of a fork was copied from.
    pub copied_from: Option<CopiedFrom>,
}

/// Where a replayed message comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySource {
    /// SHA-256 of the message as the recording holds it, in hex.
    pub hash: String,
    /// Its place among the messages of the recording, from 0.
    pub index: u64,
}

/// The entry of another session from which a fork copied this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFrom {
    /// The session that was forked.
    pub session: SessionId,
    /// The entry there.
    pub entry: EntryId,
    /// Where the entry there is a copy itself, the entry in which it was said first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<EntryId>,
}

impl CopiedFrom {
    /// The entries that this is a copy of: the one that was copied, and the first of all.
    pub fn entries(&self) -> impl Iterator<Item = &EntryId> {
        std::iter::once(&self.entry).chain(&self.first)
    }
}

impl Payload {
    /// The entry of another session that this is a copy of.
    pub fn copied_from(&self) -> Option<&CopiedFrom> {
        match self {
            Self::Message(stored) => stored.copied_from.as_ref(),
            Self::Compaction(compaction) => compaction.details.copied_from.as_deref(),
            Self::CustomMessage(_)
            | Self::Meta(_)
            | Self::Reset(_)
            | Self::Rewind(_)
            | Self::BranchSummary(_)
            | Self::Custom(_)
            | Self::SessionInfo(_)
            | Self::Other(..) => None,
        }
    }
}

impl StoredMessage {
    /// Who is answerable for it; a line that does not say so proves nothing.
    pub fn origin(&self) -> Origin {
        self.origin.unwrap_or(match self.message {
            Message::Assistant(_) => Origin::Agent,
            Message::User { .. } | Message::ToolResult(_) => Origin::Untrusted,
        })
    }
}

/// The number of `compaction` entries in a file; never decreases.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch after one more compaction.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A summary in the place of older messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// Rendered text, complete: where summaries stack, the whole stack.
    pub summary: String,
    /// The first entry that is shown after the summary; its own id where none is.
    #[serde(rename = "firstKeptEntryId")]
    pub first_kept: EntryId,
    /// Tokens of the request before.
    pub tokens_before: TokenCount,
    /// The epoch that it ended; `None` in a foreign file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<Epoch>,
    /// What else is known.
    pub details: CompactionDetails,
}

/// What else is known of a compaction. All of it may be absent in a foreign file.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CompactionDetails {
    /// Files that were read, as OpenClaw lists them.
    pub read_files: Vec<String>,
    /// Files that were changed, as OpenClaw lists them.
    pub modified_files: Vec<String>,
    /// Entries that are shown before the summary, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep_first: Vec<EntryPointer>,
    /// The first and last entry that the summary stands for.
    pub span: Option<(EntryId, EntryId)>,
    /// Tokens of the request after.
    pub tokens_after: Option<TokenCount>,
    /// Tokens of what was replaced over tokens of the summary, in hundredths.
    pub ratio_percent: Option<u64>,
    /// How much of what the audit looked for the summary holds, in hundredths.
    pub retention_percent: Option<u64>,
    /// The window that it made room in.
    pub context_window: Option<TokenCount>,
    /// The strategy that made it, such as `handoff`.
    pub strategy: Option<String>,
    /// The rung of the ladder that made it, such as `offline`.
    pub rung: Option<String>,
    /// The rungs that were tried before it and gave nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_rungs: Vec<String>,
    /// The index of what leaves.
    #[serde(skip_serializing_if = "Artifacts::is_empty")]
    pub artifacts: Artifacts,
    /// Where the compaction of a fork stood: what it replaced is there.
    pub copied_from: Option<Box<CopiedFrom>>,
}

/// An entry and where its line begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPointer {
    /// The entry.
    pub id: EntryId,
    /// Bytes from the beginning of the file.
    pub offset: u64,
}

/// The state of compaction and flush; each `meta` says all of it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// The epoch.
    pub compaction_count: Epoch,
    /// The epoch whose flush before compaction succeeded last; `None` before the first, for 0 is an epoch.
    pub memory_flush_compaction_count: Option<Epoch>,
    /// The last entry that a successful flush covered.
    #[serde(rename = "flushedThroughEntryId")]
    pub flushed_through: Option<EntryId>,
    /// When a flush succeeded last.
    #[serde(serialize_with = "write_time")]
    pub memory_flush_at: Option<Timestamp>,
    /// When a compaction happened last.
    #[serde(serialize_with = "write_time")]
    pub last_compaction_at: Option<Timestamp>,
    /// Flushes of this epoch that failed.
    #[serde(default)]
    pub flush_failures: u64,
    /// A flush that was begun; the next `meta` without one ends it.
    pub intent: Option<FlushIntent>,
    /// How many rewinds the file holds; never decreases.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rewind_count: u64,
    /// Attempts of a model in a row that gave no summary worth having.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compaction_failures: u64,
}

/// With milliseconds, in UTC.
pub(crate) fn write_timestamp(at: Timestamp) -> String {
    at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
pub(crate) fn write_time<S: Serializer>(
    at: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    at.map(write_timestamp).serialize(serializer)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A flush that was begun: what it will write, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FlushIntent {
    /// The log file, relative to the workspace, such as `memory/2026-04-20.md`.
    pub log_file: String,
    /// The epoch in which it was begun.
    pub epoch: Epoch,
    /// The first and last entry that it covers.
    pub span: (EntryId, EntryId),
    /// Whether a compaction waits for it, so that its success moves the marker.
    pub before_compaction: bool,
}

/// A new beginning in the same file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// The session that begins.
    #[serde(rename = "sessionId")]
    pub session: SessionId,
    /// The session that ends.
    #[serde(rename = "parentSession", skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
    /// Why.
    #[serde(default, skip_serializing_if = "ResetReason::is_asked")]
    pub reason: ResetReason,
}

impl Reset {
    /// Whether a session begins here; `next` is the entry after it on the way to the leaf.
    ///
    /// One that replaces begins with the summary that was written with it; where a crash left it alone,
    /// nothing has begun.
    pub fn begins(&self, next: Option<&Entry>) -> bool {
        match self.reason {
            ResetReason::Asked => true,
            ResetReason::Replaced => next.is_some_and(Entry::keeps_nothing),
        }
    }
}

/// Why a view begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ResetReason {
    /// A compaction that keeps nothing stands in the next line, and its summary for what was said before.
    /// Where that line is missing, nothing has begun.
    #[serde(rename = "compaction")]
    Replaced,
    /// Somebody asked for it: what was said before is not shown any more.
    #[default]
    #[serde(other)]
    Asked,
}

impl ResetReason {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes fields by reference"
    )]
    fn is_asked(&self) -> bool {
        *self == Self::Asked
    }
}

/// A return to an earlier entry, which is the parent of this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewind {
    /// The entry from which the conversation goes on, and where its line begins.
    #[serde(flatten, with = "TargetFields")]
    pub target: EntryPointer,
    /// The state as it applies to the target; the epoch is that of the file.
    pub state: Meta,
}

/// How a rewind names its target.
#[derive(Serialize, Deserialize)]
#[serde(remote = "EntryPointer")]
struct TargetFields {
    #[serde(rename = "targetId")]
    id: EntryId,
    #[serde(rename = "targetOffset")]
    offset: u64,
}

/// What a branch that was left had said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchSummary {
    /// Rendered text.
    pub summary: String,
}

/// A message that a program put into the conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomMessage {
    /// The program's word for it.
    pub custom_type: String,
    /// What it says.
    pub content: Vec<Block>,
}

/// What a program keeps for itself beside the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// The program's word for it.
    pub custom_type: String,
    /// JSON text on one line, as it stands in the file.
    pub data: String,
}

/// What a conversation is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// Its title.
    pub name: String,
}
