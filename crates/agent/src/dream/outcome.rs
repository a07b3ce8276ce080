//! The request, progress, outcome and errors of a dream.

use base::disk::DiskError;
use base::{Day, Timestamp, TokenCount};
use dreaming::{DreamReport, GatherError, Skip};
use memory::FileError;
use memory::candidates::MemoryTxnError;

/// What a dream is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DreamRequest {
    /// Whether the dream must be due.
    pub begin: Begin,
    /// Whether old sessions are read as well as logs.
    pub backfill: Backfill,
}

/// Whether a dream must be due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// Start in any case, without resetting a trigger.
    Now,
    /// Start if a trigger fires.
    IfDue {
        /// Scheduled times after this instant count.
        since: Timestamp,
        /// Which sessions are flushed first.
        talks: SessionFilter,
    },
}

/// Which sessions a dream that is due flushes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionFilter {
    /// All sessions with unflushed text.
    All,
    /// Idle sessions only: the dream runs alongside a chat or the service and must not flush a conversation midway.
    Resting,
}

/// Whether old sessions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backfill {
    /// Logs only.
    Logs,
    /// Also sessions that no backfill has read.
    Sessions,
    /// Also all sessions from this day on, even if a backfill has read them.
    SessionsSince(Day),
}

/// How a dream ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DreamOutcome {
    /// No trigger fired.
    NotDue(Vec<Skip>),
    /// Nothing was new, so no model was asked and nothing written.
    NothingNew(Unread),
    /// `MEMORY.md` is not valid UTF-8 and must not be written, so no model was asked.
    MemoryMisread {
        /// The first unreadable line.
        line: usize,
    },
    /// Dreams have used up the token budget of this day.
    BudgetSpent {
        /// Tokens spent.
        spent: TokenCount,
        budget: TokenCount,
    },
    /// The dream ran.
    Dreamt {
        /// What it changed.
        report: Box<DreamReport>,
        /// Tokens that dreams have spent on this day, and their budget.
        spent: (TokenCount, TokenCount),
        /// The triggers that fired.
        triggers: Vec<String>,
    },
}

/// What a dream that found nothing new has not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unread {
    /// The end of the last dream that changed anything; `None` if there was none.
    pub dreamt_at: Option<Timestamp>,
    /// Sessions that no dream has read and that are too old for this one.
    pub n_sessions: usize,
}

/// Progress of a running dream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DreamProgress {
    /// Progress of a backfill.
    Session {
        /// Sessions read.
        n_done: usize,
        /// Sessions in total.
        n_all: usize,
    },
    /// A session was flushed before the dream.
    Flushed {
        /// The name of the session.
        session: String,
        /// Notes written; may be 0.
        n_notes: usize,
    },
    /// A session was not flushed, because a turn is running in it; the next dream flushes it.
    InUse {
        /// The name of the session.
        session: String,
    },
    /// A warning for the owner; the dream continues.
    Warning(String),
    /// When a trigger may fire next if nothing changes until then.
    NextDue(Option<Timestamp>),
}

/// Why a dream failed; the next dream reads the same material again.
#[derive(Debug, thiserror::Error)]
pub enum DreamError {
    /// Another process is dreaming; its id if known.
    #[error("another dream is running{}", in_process(*.0))]
    Running(Option<u32>),
    /// Logs or sessions could not be read.
    #[error(transparent)]
    Gather(#[from] GatherError),
    /// Candidates or memory could not be read or changed.
    #[error(transparent)]
    MemoryTxn(#[from] MemoryTxnError),
    /// A file of memory cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// No engine gave usable proposals.
    #[error("neither a model nor the offline engine returned usable proposals: {reasons}")]
    Model {
        /// The reason of each engine.
        reasons: String,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn in_process(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" in process {pid}"))
}
