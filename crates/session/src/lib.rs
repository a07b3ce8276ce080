//! Append-only transcripts of sessions, and the part of a transcript that fits the context window (its view).
//!
//! Never changes a line except to redact it, never calls a model, and does not depend on `memory`.

mod artifacts;
mod entry;
mod format;
mod name;

mod append_error;
mod draft;
mod home;
mod queue;
mod store;
mod turn;
mod writer;

mod recovery;
mod resume;
mod view;

mod epoch;
mod path;
mod reader;

mod live;
mod lookup;
pub mod timeline;
mod tree;
mod unflushed;
mod verify;

mod browse;
mod fork;
mod redact;
mod replaced;
mod rewind;

#[cfg(test)]
mod test_kit;

pub use append_error::AppendError;
pub use artifacts::{ArtifactFile, ArtifactIdentifier, Artifacts, FileState};
pub use entry::{
    BranchSummary, Compaction, CompactionDetails, CopiedFrom, Custom, CustomMessage, Entry,
    EntryPlace, EntryPointer, Epoch, FlushIntent, Meta, Payload, ReplaySource, Reset, ResetReason,
    Rewind, SessionInfo, StoredMessage,
};
pub use epoch::StateCache;
pub use fork::Fork;
pub use format::{
    Damage, FORMAT_VERSION, Header, LINE_BYTES_MAX, LineContent, RenderError, ShortMeta,
};
pub use live::{LiveBranch, LiveLines};
pub use lookup::EntrySelector;
pub use name::{SessionName, SessionNameError};
pub use queue::Ticket;
pub use reader::{ForwardReader, LineStart, TornTail, TranscriptLine};
pub use recovery::Repair;
pub use redact::{RedactedKind, RedactedLine, Redaction};
pub use replaced::{ReplacedBy, ReplacedItems};
pub use resume::SessionSnapshot;
pub use rewind::{MessageRange, RewindPlan};
pub use store::{BeginTurnError, Lineage, PastPart, ReadError, SessionStore};
pub use turn::Turn;
pub use unflushed::Unflushed;
pub use verify::{FindingKind, Severity, VerifyFinding, VerifyReport, verify};
pub use view::{ResumeLimit, View, ViewContent, ViewItem};
