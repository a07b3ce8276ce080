//! The findings of a check.
//!
//! Texts and severities only; other modules make the checks.

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
    /// Whether all findings are notes, or there are none.
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
    /// The entry, if the line has one.
    pub entry: Option<EntryId>,
    /// What is wrong.
    pub kind: FindingKind,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// For information; nothing is wrong.
    Note,
    /// Something is missing, but the file is usable.
    Warning,
    /// The file contradicts itself or cannot be read in full.
    Error,
}

base::words! { Severity: Note = "note", Warning = "warning", Error = "error" }

/// The kinds of findings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindingKind {
    /// The file has no complete line.
    #[error("empty: the session has not started")]
    NotBegun,
    /// The file does not begin with a header.
    #[error("the first line is not a header")]
    NoHeader,
    /// A line after the first is a header.
    #[error("a second header")]
    SecondHeader,
    /// The format is newer than the one that this version writes.
    #[error(
        "the file has format {0}, but this version knows {FORMAT_VERSION}: it is read as far as possible and never \
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
    #[error("the last {0} bytes are an incomplete line")]
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
    #[error("the compaction has epoch {found} instead of {expected}", found = found.0, expected = expected.0)]
    EpochNotConsecutive {
        /// The current epoch.
        expected: Epoch,
        /// The epoch in the compaction.
        found: Epoch,
    },
    /// A state line counts fewer compactions than precede it.
    #[error("it counts {found} compactions; {expected} precede it", found = found.0, expected = expected.0)]
    EpochDecreased {
        /// The number of compactions before it.
        expected: Epoch,
        /// The number that the state line records.
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
        /// The offset that the rewind records.
        offset: u64,
    },
    /// A replayed message is repeated or out of order; holds its index in the recording.
    #[error("message {0} of the recording is repeated or out of order")]
    SourceRepeated(u64),
    /// A flush covers entries that an earlier flush had covered.
    #[error("the flush from {from} to {to} overlaps an earlier one")]
    FlushOverlap {
        /// The first entry of the span.
        from: EntryId,
        /// The last.
        to: EntryId,
    },
    /// The span of a flush does not lie on one branch.
    #[error("the flush from {from} to {to} is not on one branch")]
    FlushSpanUnknown {
        /// The first entry of the span.
        from: EntryId,
        /// The last.
        to: EntryId,
    },
    /// Two flushes before a compaction succeeded in one epoch.
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
