//! Decides which promises to show, from the promises, the records of those that were told, and the local time.
//!
//! Pure.

use chrono::NaiveDateTime;

use super::occasion::PromiseTime;
use super::page::{Promise, open_time};
use crate::FileError;

/// Why a promise cannot be made or changed.
#[derive(Debug, thiserror::Error)]
pub enum PromiseError {
    /// No promise has this id.
    #[error("no reminder matches {0:?}")]
    NotFound(String),
    /// Several promises have an id that begins like this.
    #[error("several reminders match {0:?}")]
    Several(String),
    /// The promise was dropped, so that nothing but an undo changes it.
    #[error("the reminder {text:?} was dropped")]
    Dropped {
        /// Its text.
        text: String,
        /// Its id.
        id: String,
    },
    /// The promise has no text.
    #[error("it does not say what to remind you of")]
    Empty,
    /// The subject is empty.
    #[error("it does not say which subject brings it up")]
    NoSubject,
    /// No copy of the page has the promise otherwise.
    #[error("the reminder {0:?} has no recent change to undo")]
    NothingToUndo(String),
    /// No copy of the page differs from it.
    #[error("no reminder was changed lately, so there is nothing to undo")]
    NothingChanged,
    /// The promise was forgotten since.
    #[error("the reminder was forgotten after this change; undo the forgetting first")]
    Forgotten,
    /// Nothing would change, for this reason.
    #[error("{0}")]
    Unchanged(String),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

crate::file_error::file_error_from_disk!(PromiseError);

/// The times of a promise that one telling covers: for a repetition, all times that became due while nothing ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Covered {
    pub(super) from: NaiveDateTime,
    pub(super) through: NaiveDateTime,
}

/// A promise that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DueNow {
    /// The time that it fell due.
    pub(super) when: PromiseTime,
    pub(super) covered: Covered,
    /// The next time of a repetition.
    pub(super) next: Option<PromiseTime>,
}

/// The part of a promise that is due at a local time.
pub(super) fn due_now(promise: &Promise, told: &[Covered], now: NaiveDateTime) -> Option<DueNow> {
    let is_open = !promise.is_done && !promise.is_proposed();
    let when = open_time(promise, told).filter(|_| is_open)?;
    if when.local() > now {
        return None;
    }
    let after = |own: PromiseTime| promise.occasion.repeats()?.next_after(own.day);
    let mut last = when;
    let mut next = after(last);
    while let Some(own) = next.filter(|own| own.local() <= now) {
        last = own;
        next = after(last);
    }
    Some(DueNow {
        when,
        covered: Covered {
            from: when.local(),
            through: last.local(),
        },
        next,
    })
}
