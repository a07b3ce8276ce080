//! What to do about an error of an operation: the same words in every door.
//!
//! Chooses no kind of error.

use base::Hint;
use memory::candidates::{MemoryTxnError, ReviewError, Status};
use memory::curated::UndoError;
use memory::{FileError, FileLinesError, ForgetError, Restorable, TombstoneId, WorkspacePathError};
use session::ReadError;

use crate::asked_error::AskedError;
use crate::forgetting::ForgetPlanError;

const PLACES: &str = "`openclaw memory search QUESTION` shows the place of each result";
const SESSIONS: &str = "`openclaw session list` lists the sessions";
const WAITING: &str = "`openclaw dream list` lists what is waiting";
const LINES: &str = "`openclaw about` prints the lines of MEMORY.md";
const WAIT: &str = "wait for it to finish and run the same command again";
const AGAIN: &str = "run the same command again";
const UPDATE: &str = "update openclaw";

/// What to do about a line that cannot be remembered or corrected.
pub fn hint_of_asked(error: &AskedError) -> Option<Hint> {
    let text = match error {
        AskedError::NoLine(_)
        | AskedError::SeveralLines(_)
        | AskedError::TellsNothing(_)
        | AskedError::NothingAt(_) => LINES,
        AskedError::NoNote(_) => {
            "`openclaw about` prints the lines of MEMORY.md; `openclaw memory search` finds notes"
        }
        AskedError::OnlySaid(..) | AskedError::TakenBack(..) => {
            "`openclaw memory add --lasting TEXT` adds the line that holds now to MEMORY.md"
        }
        AskedError::SeveralNotes(..) => "`openclaw memory get` prints a note",
        AskedError::MemoryTxn(error) => return hint_of_txn(error),
        AskedError::File(error) => return hint_of_file(error),
        AskedError::Source(_) | AskedError::Log(_) => return None,
    };
    Some(Hint::new(text))
}

/// What to do about a decision that is not possible.
pub fn hint_of_review(error: &ReviewError) -> Option<Hint> {
    Some(match error {
        ReviewError::Decided(id, Status::Rejected) => {
            Hint::new(format!("`openclaw dream undo {id}` undoes the rejection"))
        }
        ReviewError::Decided(..) => Hint::new("`openclaw dream list --all` shows what was decided"),
        ReviewError::Unknown(_) | ReviewError::Ambiguous(..) => Hint::new(
            "`openclaw dream list --all` lists the candidates; `openclaw dream log` lists what changed",
        ),
        ReviewError::Empty | ReviewError::Undecided(_) => Hint::new(WAITING),
    })
}

/// What to do about a change that cannot be undone.
pub fn hint_of_undo(error: &UndoError) -> Option<Hint> {
    Some(match error {
        UndoError::Nothing => Hint::new("`openclaw dream log` shows what dreams did"),
        UndoError::Unknown => Hint::new("`openclaw dream log` shows what changed"),
        UndoError::Since { now: Some(_), .. } => Hint::new(
            "`openclaw memory correct` changes that line; `openclaw dream log` shows what changed since",
        ),
        UndoError::Since { now: None, .. } => {
            Hint::new("`openclaw dream log` shows what changed since")
        }
        UndoError::Forgotten { id, .. } => Hint::new(format!(
            "`openclaw memory forget --undo {id}` restores them first"
        )),
        UndoError::Redacted { .. } => {
            Hint::new("edit MEMORY.md by hand; `openclaw dream log` shows what dreams did")
        }
        UndoError::File(error) => return hint_of_file(error),
        UndoError::Conflict { .. } => {
            Hint::new("edit MEMORY.md by hand; the state before each change is in state/preimages/")
        }
    })
}

/// What to do about a file of memory that cannot be used.
pub fn hint_of_file(error: &FileError) -> Option<Hint> {
    let text = match error {
        FileError::Locked { .. } => WAIT,
        FileError::Changed(_) => AGAIN,
        FileError::Busy(_) => "close the file in the editor and run the same command again",
        FileError::Damaged { fix, .. } => fix,
        FileError::TooNew(..) => UPDATE,
        FileError::NotUtf8(..) => {
            "`openclaw doctor` says how to fix the file; then run the same command again"
        }
        FileError::Outside(..)
        | FileError::Poisoned(_)
        | FileError::TooLarge { .. }
        | FileError::Disk(_) => return None,
    };
    Some(Hint::new(text))
}

/// What to do about candidates or `MEMORY.md` that cannot be changed.
pub fn hint_of_txn(error: &MemoryTxnError) -> Option<Hint> {
    match error {
        MemoryTxnError::Review(error) => hint_of_review(error),
        MemoryTxnError::Undo(error) => hint_of_undo(error),
        MemoryTxnError::File(error) => hint_of_file(error),
        MemoryTxnError::Forgotten => Some(Hint::new(WAIT)),
    }
}

/// What an undo of a forget does.
pub(super) fn hint_of_forgotten(id: &TombstoneId, restorable: Restorable) -> Hint {
    let undo = format!("`openclaw memory forget --undo {id}`");
    Hint::new(match restorable {
        Restorable::Whole => format!("{undo} restores it"),
        Restorable::WithoutLines => {
            format!(
                "{undo} shows it again where it still is; the lines that left their files are no longer kept"
            )
        }
        Restorable::Nothing => {
            format!(
                "it was removed for good, so nothing restores it; after {undo} memory can have it again"
            )
        }
    })
}

/// What to do about something that cannot be forgotten or restored.
pub fn hint_of_forget(error: &ForgetPlanError) -> Option<Hint> {
    match error {
        ForgetPlanError::Already { id, restorable } => Some(hint_of_forgotten(id, *restorable)),
        ForgetPlanError::Forget(error) => hint_of_forgetting(error),
        ForgetPlanError::Source(_) => Some(Hint::new(SESSIONS)),
        ForgetPlanError::Index(_) | ForgetPlanError::Path(_) => None,
    }
}

/// What to do about notes that cannot be changed by forgetting.
pub fn hint_of_forgetting(error: &ForgetError) -> Option<Hint> {
    match error {
        ForgetError::NothingThere(..) => Some(Hint::new(PLACES)),
        ForgetError::Unknown(_) => Some(Hint::new(
            "`openclaw memory forget --list` lists what was forgotten",
        )),
        ForgetError::File(error) => hint_of_file(error),
        ForgetError::MemoryTxn(error) => hint_of_txn(error),
    }
}

/// What to do about lines of a note that cannot be read.
pub fn hint_of_lines(error: &FileLinesError) -> Option<Hint> {
    match error {
        FileLinesError::NotSearched(_)
        | FileLinesError::NotFound(_)
        | FileLinesError::NoSuchLine { .. } => Some(Hint::new(PLACES)),
        FileLinesError::File(error) => hint_of_file(error),
        FileLinesError::LeftOut(_) => None,
    }
}

/// What to do about a path that is none of the workspace.
pub fn hint_of_path(_: &WorkspacePathError) -> Option<Hint> {
    Some(Hint::new(PLACES))
}

/// What to do about a session that cannot be read.
pub fn hint_of_read(error: &ReadError) -> Option<Hint> {
    Some(match error {
        ReadError::Disk(_) => return None,
        ReadError::NotBegun(name) => Hint::new(format!("`openclaw chat -s {name}` starts it")),
        ReadError::NoEntry {
            nearest: Some(nearest),
            ..
        } => Hint::new(format!("did you mean {nearest}?")),
        ReadError::NoEntry { name, .. } => Hint::new(format!(
            "`openclaw session export {name} --ids` prints the entries with their ids"
        )),
        ReadError::Ambiguous { candidates, .. } => {
            let ids: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            Hint::new(format!("use a longer prefix: {}", ids.join(", ")))
        }
        ReadError::NotEnded { name, .. } => Hint::new(format!(
            "`openclaw session show {name}` lists its compactions"
        )),
        ReadError::NothingReplaced(name) => Hint::new(format!(
            "`openclaw session show {name}` lists all compactions in the file; choose one with `--epoch N`"
        )),
        ReadError::SaysNothing(name, _) => Hint::new(format!(
            "choose a message or a compaction; `openclaw session export {name} --ids` lists them"
        )),
        ReadError::NotFound(_) | ReadError::NotOnBranch(..) => Hint::new(SESSIONS),
    })
}

/// What to do about a place without a message.
pub(super) fn hint_of_place() -> Hint {
    Hint::new(PLACES)
}

/// What to do about a session that is not there.
pub(super) fn hint_of_session() -> Hint {
    Hint::new(SESSIONS)
}
