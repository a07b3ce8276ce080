//! What is asked of a dream, what it reports on its way, and how it ends.
//!
//! Decides nothing.

use base::disk::DiskError;
use base::{Day, Timestamp, TokenCount};
use dreaming::{DreamReport, GatherError, Skip};
use memory::candidates::DeskError;
use memory::{LedgerError, TombstoneError, WorkspaceError};

/// What is asked of a dream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DreamRequest {
    /// Whether it has to be due.
    pub begin: Begin,
    /// Whether old sessions are read, too.
    pub backfill: Backfill,
}

/// Whether a dream has to be due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// It begins in any case, and moves no trigger.
    Now,
    /// It begins where a trigger fires.
    IfDue {
        /// Since when schedules are looked at.
        since: Timestamp,
        /// Which sessions are flushed first.
        talks: Talks,
    },
}

/// Which sessions a dream that is due flushes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talks {
    /// All that hold text without notes.
    All,
    /// Those that rest: the dream runs beside a chat or the service, and a talk that goes on is not noted in
    /// its midst.
    Resting,
}

/// Whether old sessions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backfill {
    /// Only logs are.
    Logs,
    /// Sessions are, as far as no backfill has.
    Sessions,
    /// Sessions are from this day on, whether a backfill has or not.
    SessionsSince(Day),
}

/// How a dream ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DreamOutcome {
    /// No trigger fires.
    NotDue(Vec<Skip>),
    /// There is nothing new; nothing was asked and nothing written.
    NothingNew(Unread),
    /// `MEMORY.md` cannot be read whole, so that nothing may be written into it: nothing was asked.
    MemoryMisread {
        /// The first line that cannot be read.
        line: usize,
    },
    /// Dreams have spent what they may on this day.
    BudgetSpent {
        /// What was spent.
        spent: TokenCount,
        /// What may be.
        budget: TokenCount,
    },
    /// It ran.
    Dreamt {
        /// What it did.
        report: Box<DreamReport>,
        /// What dreams have spent on this day, and what they may.
        spent: (TokenCount, TokenCount),
        /// The triggers that fired.
        triggers: Vec<String>,
    },
}

/// What a dream that found nothing new knows of what it did not look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unread {
    /// When the last dream ended that changed anything; `None` where there was none.
    pub dreamt_at: Option<Timestamp>,
    /// Sessions that are older than what it looks at, and that no dream has read.
    pub n_sessions: usize,
}

/// Progress of a running dream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DreamProgress {
    /// Sessions of a backfill: how many are read, of how many.
    Session {
        /// Read.
        n_done: usize,
        /// In all.
        n_all: usize,
    },
    /// What was said in a session was written into the daily log first.
    Flushed {
        /// The name of the session.
        session: String,
        /// How many notes that made; it may be none.
        n_notes: usize,
    },
    /// Something that the owner should know and that stops nothing.
    Warning(String),
    /// When a trigger may fire next though nothing changes until then.
    NextDue(Option<Timestamp>),
}

/// A dream that broke off; what it had read is read again by the next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DreamError {
    /// Another process dreams, or the workspace cannot be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// Logs or sessions could not be read.
    #[error(transparent)]
    Gather(#[from] GatherError),
    /// Candidates or memory could not be read or changed.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The tombstones cannot be read.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No engine said what deserves to last.
    #[error("no engine says what deserves to last: {reasons}")]
    Model {
        /// What each of them said.
        reasons: String,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
