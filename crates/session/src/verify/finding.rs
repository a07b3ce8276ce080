//! What may be wrong with a transcript.
//!
//! Words and weights only; the checks are elsewhere.

use base::{EntryId, ToolCallId};

use crate::Epoch;
use crate::format::{Damage, FORMAT_VERSION};

/// What a check of a transcript found.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyReport {
    /// Complete lines, the header among them.
    pub n_lines: u64,
    /// Lines that are entries.
    pub n_entries: u64,
    /// Entries that are messages.
    pub n_messages: u64,
    /// The epoch at the end of the file.
    pub epoch: Epoch,
    /// What is wrong, by line.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether nothing is wrong; notes do not count.
    pub fn is_clean(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.severity() == Severity::Note)
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: u64,
    /// The entry, where it is one.
    pub entry: Option<EntryId>,
    /// What is wrong.
    pub kind: FindingKind,
}

impl Finding {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something is missing that a program can do without.
    Warning,
    /// The file says what cannot be.
    Error,
}

base::words! { Severity: Note = "note", Warning = "warning", Error = "error" }

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file does not begin with a header.
    #[error("the first line is no header")]
    NoHeader,
    /// A header stands elsewhere.
    #[error("a second header")]
    SecondHeader,
    /// A newer program wrote the file.
    #[error(
        "the file has format {0}, and this version knows {FORMAT_VERSION}: it is read as far as it is \
         understood, and never written"
    )]
    NewerVersion(u64),
    /// The format is an older one than this version writes.
    #[error("the file has format {0}; this version writes {FORMAT_VERSION}")]
    OtherVersion(u64),
    /// A line cannot be read, or only its place.
    #[error("{0}")]
    Damaged(Damage),
    /// The last line has no end: an append was broken off.
    #[error("the last {0} bytes are a torn line")]
    TornTail(u64),
    /// Two entries have one id.
    #[error("the id was used before")]
    DuplicateId,
    /// The parent is nowhere in the file.
    #[error("its parent {parent:?} is not there", parent = .0.as_str())]
    MissingParent(EntryId),
    /// The parent stands later in the file.
    #[error("its parent {0} stands later")]
    ParentAfterChild(EntryId),
    /// The conversation went on without the result of a call.
    #[error("tool call {0} was never answered")]
    UnansweredCall(ToolCallId),
    /// A result answers no call that is open.
    #[error("the result answers tool call {0}, which is not open")]
    ResultWithoutCall(ToolCallId),
    /// A compaction of ours does not carry the next number.
    #[error("the compaction ends epoch {found}, expected {expected}", found = found.0, expected = expected.0)]
    EpochNotConsecutive {
        /// The number it should carry.
        expected: Epoch,
        /// The number it carries.
        found: Epoch,
    },
    /// A state counts fewer compactions than there are before it.
    #[error("it counts {found} compactions; {expected} stand before it", found = found.0, expected = expected.0)]
    EpochDecreased {
        /// How many there are.
        expected: Epoch,
        /// How many it counts.
        found: Epoch,
    },
    /// A compaction keeps an entry that does not stand before it.
    #[error("it keeps {0}, which does not stand before it")]
    MissingKept(EntryId),
    /// A rewind names a byte at which its target does not begin.
    #[error("it goes back to {target}, which does not begin at byte {offset}")]
    RewindTarget {
        /// The entry to which it goes back.
        target: EntryId,
        /// Where it should begin.
        offset: u64,
    },
    /// A replayed message stands twice, or before one that it should follow.
    #[error("message {0} of the recording stands out of its order")]
    SourceRepeated(u64),
    /// A flush covered what another had covered.
    #[error("the flush from {from} to {to} covers what an earlier one covered")]
    FlushOverlap {
        /// The first entry of the span.
        from: EntryId,
        /// The last.
        to: EntryId,
    },
    /// The span of a flush is no stretch of one branch.
    #[error("the flush from {from} to {to} covers no stretch of one branch")]
    FlushSpanUnknown {
        /// The first entry of the span.
        from: EntryId,
        /// The last.
        to: EntryId,
    },
    /// Two flushes before compaction succeeded in one epoch.
    #[error("a second flush before the compaction of epoch {epoch}", epoch = .0.0)]
    SecondFlush(Epoch),
    /// The time goes back.
    #[error("it is earlier than the entry before it")]
    TimeDecreased,
}

impl FindingKind {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Damaged(Damage::Blank) | Self::TimeDecreased => Severity::Note,
            Self::OtherVersion(_)
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
