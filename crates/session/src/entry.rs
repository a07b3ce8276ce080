//! The entries of a transcript.
//!
//! Fields follow the JSON of a line; `format` parses and renders lines.

use base::{Block, EntryId, Message, Origin, SessionId, Timestamp, TokenCount};
use serde::{Deserialize, Serialize, Serializer};
use serde_with::skip_serializing_none;

use crate::Artifacts;

/// One line of a transcript after its header.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: EntryId,
    /// The entry before it on its branch; `None` for the first.
    pub parent: Option<EntryId>,
    /// Time of the message or event; for a replayed message, the time in the recording.
    pub at: Timestamp,
    /// Its content.
    pub payload: Payload,
}

impl Entry {
    /// Its id and parent.
    pub(crate) fn place(&self) -> EntryPlace {
        EntryPlace {
            id: self.id.clone(),
            parent: self.parent.clone(),
        }
    }

    /// Whether it is a message or custom message, which a flush must cover.
    pub(crate) fn says_something(&self) -> bool {
        matches!(
            self.payload,
            Payload::Message(_) | Payload::CustomMessage(_)
        )
    }

    /// Whether this is a compaction that keeps no earlier entry.
    fn keeps_nothing(&self) -> bool {
        matches!(&self.payload, Payload::Compaction(compaction) if compaction.first_kept == self.id)
    }
}

/// The position of an entry in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPlace {
    /// The entry that is placed.
    pub id: EntryId,
    /// The entry before it; `None` for the first of a conversation.
    ///
    /// An empty id means that the line has no readable parent field; it refers to no entry.
    pub parent: Option<EntryId>,
}

/// The content of an entry, by type.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    Message(StoredMessage),
    /// A summary that replaces older messages in the view.
    Compaction(Compaction),
    /// The state of compaction and flush, written after a change of it.
    Meta(Meta),
    /// A new session begins in the same file, with an empty view.
    Reset(Reset),
    /// The conversation continues from an earlier entry.
    Rewind(Rewind),
    /// A summary of an abandoned branch.
    BranchSummary(BranchSummary),
    /// A message that a program inserted.
    CustomMessage(CustomMessage),
    /// Private data of a program; never in the view.
    Custom(Custom),
    /// The owner's title for the conversation; never in the view.
    SessionInfo(SessionInfo),
    /// Any other type, known or unknown to this version; never in the view, never rewritten.
    Other(String),
}

/// A message and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMessage {
    pub message: Message,
    /// The author who answers for the text; `None` if the line does not record one (a file of another program).
    pub origin: Option<Origin>,
    /// The place in a recording from which the message was replayed.
    pub source: Option<ReplaySource>,
    /// The entry in another session from which a fork copied the message.
    pub copied_from: Option<CopiedFrom>,
    /// The scopes of the repositories whose passages the message draws on, if the session is outside these
    /// repositories.
    pub scopes: Vec<String>,
}

/// The place in a recording from which a message was replayed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySource {
    /// SHA-256 of the message as it is in the recording, in hex.
    pub hash: String,
    /// Its index among the messages of the recording, from 0.
    pub index: u64,
}

/// The entry of another session from which a fork copied this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFrom {
    /// The session that was forked.
    pub session: SessionId,
    /// The original entry in that session.
    pub entry: EntryId,
    /// The very first original, if `entry` is itself a copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<EntryId>,
}

impl CopiedFrom {
    /// The entries that this is a copy of: the direct original, then the very first one.
    pub fn entries(&self) -> impl Iterator<Item = &EntryId> {
        std::iter::once(&self.entry).chain(&self.first)
    }
}

impl Payload {
    /// The entry of another session that this one is a copy of, if any.
    pub fn copied_from(&self) -> Option<&CopiedFrom> {
        if let Self::Message(stored) = self {
            stored.copied_from.as_ref()
        } else if let Self::Compaction(compaction) = self {
            compaction.details.copied_from.as_deref()
        } else {
            None
        }
    }
}

impl StoredMessage {
    /// A message written by this program, without a replay source or an original.
    pub fn new(message: Message, origin: Origin) -> Self {
        Self {
            origin: Some(Origin::of(&message, origin)),
            message,
            source: None,
            copied_from: None,
            scopes: Vec::new(),
        }
    }

    /// The author who answers for the text. If the line records none, a user's message counts as untrusted. Words of
    /// any other speaker never count as the owner's, even if the line says so.
    pub fn origin(&self) -> Origin {
        let by_role = match self.message {
            Message::Assistant(_) => Origin::Agent,
            Message::User { .. } | Message::ToolResult(_) => Origin::Untrusted,
        };
        Origin::of(&self.message, self.origin.unwrap_or(by_role))
    }
}

/// The number of compactions in a file; never decreases.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch after the next compaction.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A summary that replaces older messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// The complete rendered text; for stacked summaries, the whole stack.
    pub summary: String,
    /// The first entry shown after the summary; the compaction's own id if it keeps none.
    #[serde(rename = "firstKeptEntryId")]
    pub first_kept: EntryId,
    /// Tokens of the request before the compaction.
    pub tokens_before: TokenCount,
    /// The epoch that this compaction ended; `None` in a file of another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<Epoch>,
    /// How the summary was made and what it covers.
    pub details: CompactionDetails,
}

/// How a summary was made and what it covers. A file of another program may lack any of these fields.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CompactionDetails {
    /// Files that were read, as OpenClaw lists them.
    pub read_files: Vec<String>,
    /// Files that were changed, as OpenClaw lists them.
    pub modified_files: Vec<String>,
    /// Entries shown before the summary, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep_first: Vec<EntryPointer>,
    /// The first and last entry that the summary replaces.
    pub span: Option<(EntryId, EntryId)>,
    /// Tokens of the request after the compaction.
    pub tokens_after: Option<TokenCount>,
    /// Tokens of the replaced messages divided by those of the summary, in hundredths.
    pub ratio_percent: Option<u64>,
    /// Share of the audited names and figures that the summary still contains, in hundredths.
    pub retention_percent: Option<u64>,
    /// The model's context window.
    pub context_window: Option<TokenCount>,
    /// The strategy that made the summary, such as `handoff`.
    pub strategy: Option<String>,
    /// The rung of the fallback ladder that made the summary, such as `offline`.
    pub rung: Option<String>,
    /// The rungs that were tried before and failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_rungs: Vec<String>,
    /// The files and identifiers of the replaced span.
    #[serde(skip_serializing_if = "is_default")]
    pub artifacts: Artifacts,
    /// For a compaction copied into a fork: the original. Its session contains the replaced entries.
    pub copied_from: Option<Box<CopiedFrom>>,
}

/// An entry and the offset of its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPointer {
    /// The entry.
    pub id: EntryId,
    /// Bytes from the beginning of the file.
    pub offset: u64,
}

/// The state of compaction and flush; each `meta` line contains all of it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// The current epoch.
    pub compaction_count: Epoch,
    /// The epoch of the last successful flush before a compaction. `None` before the first flush, because 0 is a
    /// valid epoch.
    pub memory_flush_compaction_count: Option<Epoch>,
    /// The last entry that a successful flush covered.
    #[serde(rename = "flushedThroughEntryId")]
    pub flushed_through: Option<EntryId>,
    /// Time of the last successful flush.
    #[serde(serialize_with = "write_time")]
    pub memory_flush_at: Option<Timestamp>,
    /// Time of the last compaction.
    #[serde(serialize_with = "write_time")]
    pub last_compaction_at: Option<Timestamp>,
    /// Failed flushes in this epoch.
    #[serde(default)]
    pub flush_failures: u64,
    /// The flush in progress. It ends with the next `meta` that has no intent.
    pub intent: Option<FlushIntent>,
    /// The number of rewinds in the file; never decreases.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rewind_count: u64,
    /// Consecutive attempts in which the model returned no usable summary.
    #[serde(default, skip_serializing_if = "is_default")]
    pub compaction_failures: u64,
    /// Whether other people take part in the session. The owner's memory is then not shown in it.
    #[serde(default, rename = "isolated", skip_serializing_if = "is_default")]
    pub is_isolated: bool,
    /// Whether the owner chose the session's scope. Repairs then leave it unchanged.
    #[serde(default, rename = "scopeChosen", skip_serializing_if = "is_default")]
    pub is_scope_chosen: bool,
}

/// Formats a time as RFC 3339 in UTC, with milliseconds.
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

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A flush that was announced before it began: the span to cover and the file to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FlushIntent {
    /// The log file, relative to the workspace, such as `memory/2026-04-20.md`.
    pub log_file: String,
    /// The epoch in which the flush began.
    pub epoch: Epoch,
    /// The first and last entry to cover.
    pub span: (EntryId, EntryId),
    /// Whether a compaction waits for this flush. Its success then sets `memory_flush_compaction_count`.
    pub before_compaction: bool,
}

/// The start of a new session in the same file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// The session that begins.
    #[serde(rename = "sessionId")]
    pub session: SessionId,
    /// The session that ends.
    #[serde(rename = "parentSession", skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
    /// Why the view starts over.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reason: ResetReason,
}

impl Reset {
    /// Whether this reset takes effect; `next` is the following entry on the path to the leaf.
    ///
    /// A replacing reset takes effect only with the compaction written in the same append. If a crash lost the
    /// compaction, readers ignore the reset.
    pub fn begins(&self, next: Option<&Entry>) -> bool {
        match self.reason {
            ResetReason::Asked => true,
            ResetReason::Replaced => next.is_some_and(Entry::keeps_nothing),
        }
    }
}

/// Why the view starts over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ResetReason {
    /// The next line is a compaction that keeps nothing; its summary replaces everything before. Without that line,
    /// readers ignore the reset.
    #[serde(rename = "compaction")]
    Replaced,
    /// The user asked for it; the view shows nothing from before.
    #[default]
    #[serde(other)]
    Asked,
}

/// A return to an earlier entry. The target is the parent of this entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewind {
    /// The entry from which the conversation continues.
    #[serde(flatten, with = "TargetFields")]
    pub target: EntryPointer,
    /// The state on the target's branch. The epoch does not change, because it counts the whole file.
    pub state: Meta,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "EntryPointer")]
struct TargetFields {
    #[serde(rename = "targetId")]
    id: EntryId,
    #[serde(rename = "targetOffset")]
    offset: u64,
}

/// A summary of an abandoned branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchSummary {
    /// The complete rendered text.
    pub summary: String,
}

/// A message that a program inserted.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomMessage {
    /// The message type, in the inserting program's words.
    pub custom_type: String,
    pub content: Vec<Block>,
}

/// Private data of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// The data type, in the program's words.
    pub custom_type: String,
    /// JSON on one line, verbatim.
    pub data: String,
}

/// The title of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// Its title.
    pub name: String,
}
