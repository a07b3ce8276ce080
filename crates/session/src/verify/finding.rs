//! The findings of a check.
//!
//! Texts and severities only; the checks are elsewhere.

use base::{EntryId, ToolCallId};

use crate::Epoch;
use crate::format::{Damage, FORMAT_VERSION};

/// The result of checking a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyReport {
    /// Number of complete lines, including the header.
    pub n_lines: u64,
    /// Number of entries.
    pub n_entries: u64,
    /// Number of messages.
    pub n_messages: u64,
    /// The epoch at the end of the file.
    pub epoch: Epoch,
    /// The findings, sorted by line.
    pub findings: Vec<VerifyFinding>,
}

impl VerifyReport {
    /// Whether there are no findings above a note.
    pub fn is_clean(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.kind.severity() == Severity::Note)
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyFinding {
    /// The line number, from 1.
    pub line: u64,
    /// The entry, if the line holds one.
    pub entry: Option<EntryId>,
    /// What is wrong.
    pub kind: FindingKind,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something is missing, but the file is usable.
    Warning,
    /// The file contradicts itself or cannot be read in full.
    Error,
}

base::words! { Severity: Note = "note", Warning = "warning", Error = "error" }

/// The kinds of findings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file has no complete line.
    #[error("empty: the session has not started")]
    NotBegun,
    /// The file does not begin with a header.
    #[error("the first line is not a header")]
    NoHeader,
    /// A later line is a header as well.
    #[error("a second header")]
    SecondHeader,
    /// A newer program wrote the file.
    #[error(
        "the file has format {0}, and this version knows {FORMAT_VERSION}: it is read as far as possible and never \
         written"
    )]
    NewerVersion(u64),
    /// The format is older than the one that this version writes.
    #[error("the file has format {0}; this version writes {FORMAT_VERSION}")]
    OtherVersion(u64),
    /// A line is unreadable, except perhaps for its id and parent.
    #[error("{0}")]
    Damaged(Damage),
    /// The last line has no line end: an append was interrupted.
    #[error("the last {0} bytes are a torn line")]
    TornTail(u64),
    /// Two entries have the same id.
    #[error("the id is already in use")]
    DuplicateId,
    /// The parent is not in the file.
    #[error("its parent {parent:?} is missing", parent = .0.as_str())]
    MissingParent(EntryId),
    /// The parent comes later in the file.
    #[error("its parent {0} comes later")]
    ParentAfterChild(EntryId),
    /// The conversation continued without the result of a tool call.
    #[error("tool call {0} was never answered")]
    UnansweredCall(ToolCallId),
    /// A tool result answers no open call.
    #[error("the result answers tool call {0}, which is not open")]
    ResultWithoutCall(ToolCallId),
    /// The epoch of a compaction is not the current one.
    #[error("the compaction ends epoch {found}, expected {expected}", found = found.0, expected = expected.0)]
    EpochNotConsecutive {
        /// The current epoch.
        expected: Epoch,
        /// The epoch in the compaction.
        found: Epoch,
    },
    /// A state counts fewer compactions than precede it.
    #[error("it counts {found} compactions; {expected} precede it", found = found.0, expected = expected.0)]
    EpochDecreased {
        /// The number of compactions before it.
        expected: Epoch,
        /// The number that it states.
        found: Epoch,
    },
    /// A compaction keeps an entry that does not precede it.
    #[error("it keeps {0}, which does not precede it")]
    MissingKept(EntryId),
    /// The offset in a rewind is not that of its target.
    #[error("it rewinds to {target}, which does not begin at byte {offset}")]
    RewindTarget {
        /// The target of the rewind.
        target: EntryId,
        /// The stated offset.
        offset: u64,
    },
    /// A replayed message is duplicated or out of order.
    #[error("message {0} of the recording is repeated or out of order")]
    SourceRepeated(u64),
    /// A flush covered entries that an earlier one had covered.
    #[error("the flush from {from} to {to} overlaps an earlier one")]
    FlushOverlap {
        /// The first entry of the span.
        from: EntryId,
        /// The last.
        to: EntryId,
    },
    /// The span of a flush does not lie on one branch.
    #[error("the flush from {from} to {to} does not lie on one branch")]
    FlushSpanUnknown {
        /// The first entry of the span.
        from: EntryId,
        /// The last.
        to: EntryId,
    },
    /// Two flushes before compaction succeeded in one epoch.
    #[error("a second flush before the compaction of epoch {epoch}", epoch = .0.0)]
    SecondFlush(Epoch),
    /// The time is earlier than that of the entry before.
    #[error("its time is before that of the previous entry")]
    TimeDecreased,
}

impl FindingKind {
    /// The severity of this kind of finding.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Damaged(Damage::Blank) | Self::TimeDecreased => Severity::Note,
            Self::NotBegun
            | Self::OtherVersion(_)
            | Self::TornTail(_)
            | Self::UnansweredCall(_)
            | Self::ResultWithoutCall(_)
            | Self::MissingKept(_)
            | Self::FlushSpanUnknown { .. } => Severity::Warning,
            Self::NoHeader
            | Self::SecondHeader
            | Self::NewerVersion(_)
            | Self::Damaged(_)
            | Self::DuplicateId
            | Self::MissingParent { .. }
            | Self::ParentAfterChild { .. }
            | Self::EpochNotConsecutive { .. }
            | Self::EpochDecreased { .. }
            | Self::RewindTarget { .. }
            | Self::SourceRepeated { .. }
            | Self::FlushOverlap { .. }
            | Self::SecondFlush(_) => Severity::Error,
        }
    }
}
