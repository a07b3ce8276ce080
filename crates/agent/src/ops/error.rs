//! Why an operation failed.
//!
//! Each door says it in its own form: an exit code and hints, a status, or a sentence.

use base::disk::DiskError;
use base::{Hint, SourceError, with_causes};
use memory::candidates::{MemoryTxnError, ReviewError};
use memory::promises::PromiseError;
use memory::{
    FileError, FileLinesError, ForgetError, LogError, Restorable, TombstoneId, WorkspacePathError,
};
use search::IndexError;
use session::{BeginTurnError, ReadError};

use super::asked;
use super::hints::{
    hint_of_asked, hint_of_file, hint_of_forget, hint_of_forgetting, hint_of_forgotten,
    hint_of_lines, hint_of_path, hint_of_place, hint_of_read, hint_of_review, hint_of_session,
    hint_of_txn,
};
use super::past::AS_OF;
use super::promise_meant::PromiseChoice;
use super::promises;
use crate::about::AboutError;
use crate::asked_error::AskedError;
use crate::expand::ExpandError;
use crate::forgetting::ForgetPlanError;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum OpError {
    /// A parameter has a value that it cannot have.
    #[error("{parameter}: {why}")]
    Invalid {
        parameter: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// This conversation has no memory to search.
    #[error("there is no memory to search here")]
    NoMemory,
    /// The viewer must not see it.
    #[error("{0} belongs to another repository")]
    OtherRepository(String),
    /// No message that the viewer may see is there.
    #[error("there is no message to show at {place}; the last one is on line {last_line}")]
    NoMessage {
        place: String,
        /// The line of the last message of the session.
        last_line: usize,
    },
    /// The conversation began after the moment that was asked about.
    #[error("conversation {session} did not exist then: it began on {began}")]
    BeganLater {
        session: String,
        /// When it began, in the owner's time.
        began: String,
    },
    /// What was asked for is not shown as it was then, for this reason; it may have been forgotten since.
    #[error("{0}; perhaps it was there then: what was forgotten since is not shown")]
    HiddenSince(String),
    /// No line of memory and no message stands at a place.
    #[error("there is nothing at {0}")]
    NothingAt(String),
    /// The words look like a place, and are none.
    #[error("{0} is not a place: lines are counted from 1")]
    NotPlace(String),
    /// A file whose lines have no history.
    #[error("{0} has no history: only lines of MEMORY.md, notes of a day, and messages have one")]
    NoHistory(String),
    /// The session has no such entry.
    #[error("session {session} has no entry {entry}")]
    NoEntry {
        session: String,
        /// The id that was asked for.
        entry: String,
    },
    /// The owner forgot the text of a note.
    #[error("this was forgotten, so the note would stay hidden")]
    Forgotten(TombstoneId, Restorable),
    /// A note has no text.
    #[error("the note is empty")]
    EmptyNote,
    /// A line would not go into `MEMORY.md`, with the reason.
    #[error("MEMORY.md was not changed: {0}")]
    NotRemembered(String),
    /// The owner wrote a line of `MEMORY.md` by hand, so it stays there.
    #[error("you wrote this line of MEMORY.md by hand, so it stays there: {0}")]
    WrittenByHand(String),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A transcript cannot be changed now.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// Memory cannot be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The path is none of the workspace.
    #[error(transparent)]
    Path(#[from] WorkspacePathError),
    /// The lines of a note cannot be read.
    #[error(transparent)]
    Lines(#[from] FileLinesError),
    /// A session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The messages of a session cannot be read.
    #[error("{}", with_causes(.0))]
    Source(SourceError),
    /// A summary cannot be expanded.
    #[error(transparent)]
    Expand(ExpandError),
    /// A note cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A line cannot be remembered.
    #[error(transparent)]
    Asked(#[from] AskedError),
    /// Memory cannot be read.
    #[error(transparent)]
    About(#[from] AboutError),
    /// A file of memory cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// Candidates or `MEMORY.md` cannot be changed.
    #[error(transparent)]
    Txn(#[from] MemoryTxnError),
    /// The decision is not possible.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// Nothing can be forgotten.
    #[error(transparent)]
    Forget(#[from] ForgetPlanError),
    /// What was forgotten cannot be restored.
    #[error(transparent)]
    UndoForget(#[from] ForgetError),
    /// No plan of a forget waits under this token.
    #[error("no plan has this token: a token works only once, and a restart invalidates it")]
    NoPlan,
    /// A time is not certain, with the reason and a command that names one.
    #[error("the time is unclear: {why}")]
    UncertainTime {
        /// Why it is not certain.
        why: String,
        /// A command for each time that may be meant, without the name of the program.
        commands: Vec<String>,
    },
    /// Several promises have the words that were to name one.
    #[error("several reminders match {words:?}")]
    SeveralPromises {
        /// The words.
        words: String,
        /// The reminders that they may mean.
        choices: Vec<PromiseChoice>,
    },
    /// A promise cannot be made or changed.
    #[error(transparent)]
    Promise(#[from] PromiseError),
    /// Another change was made since the one that was to be undone.
    #[error("another change was made since, so nothing was undone")]
    ChangedSince,
}

/// The kind of a failure, by what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpErrorKind {
    /// Ask otherwise.
    Invalid,
    /// Ask for something else: this does not exist, or not for the viewer.
    NotFound,
    /// Resolve what stands against it, and ask again.
    Conflict,
    /// Nothing: the service failed.
    Internal,
}

impl From<SourceError> for OpError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl OpError {
    /// The error for a text that cannot be looked for.
    pub(super) fn invalid_proof(error: impl std::fmt::Display) -> Self {
        Self::invalid("prove", error.to_string())
    }

    pub(super) fn invalid(parameter: &'static str, why: String) -> Self {
        Self::Invalid { parameter, why }
    }

    /// The kind of this failure.
    pub fn kind(&self) -> OpErrorKind {
        match self {
            Self::Invalid { .. }
            | Self::Path(_)
            | Self::EmptyNote
            | Self::NotPlace(_)
            | Self::NoHistory(_)
            | Self::WrittenByHand(_)
            | Self::UncertainTime { .. }
            | Self::SeveralPromises { .. }
            | Self::Promise(PromiseError::Empty | PromiseError::Several(_))
            | Self::Log(LogError::NoteTooLong(..))
            | Self::Review(ReviewError::Ambiguous(..) | ReviewError::Empty) => OpErrorKind::Invalid,
            Self::OtherRepository(_)
            | Self::NoMessage { .. }
            | Self::NothingAt(_)
            | Self::HiddenSince(_)
            | Self::BeganLater { .. }
            | Self::NoEntry { .. }
            | Self::Expand(_)
            | Self::Asked(
                AskedError::NoLine(_)
                | AskedError::NoNote(_)
                | AskedError::OnlySaid(..)
                | AskedError::NothingAt(_)
                | AskedError::TakenBack(..),
            )
            | Self::Review(ReviewError::Unknown(_))
            | Self::Promise(PromiseError::NotFound(_))
            | Self::NoPlan => OpErrorKind::NotFound,
            Self::Forget(error) => of_plan(error),
            Self::UndoForget(error) => of_forget(error),
            Self::Lines(error) => of_lines(error),
            Self::Read(error) => of_read(Some(error)),
            Self::Source(error) => of_read(error.cause.downcast_ref()),
            Self::Forgotten(..)
            | Self::NotRemembered(_)
            | Self::ChangedSince
            | Self::Begin(BeginTurnError::Locked(..))
            | Self::Promise(
                PromiseError::Unchanged(_)
                | PromiseError::NothingToUndo(_)
                | PromiseError::NothingChanged
                | PromiseError::Forgotten,
            )
            | Self::Asked(
                AskedError::SeveralLines(_)
                | AskedError::SeveralNotes(..)
                | AskedError::TellsNothing(_),
            )
            | Self::Review(ReviewError::Decided(..) | ReviewError::Undecided(_))
            | Self::Txn(
                MemoryTxnError::Review(_)
                | MemoryTxnError::Undo(_)
                | MemoryTxnError::Forgotten
                | MemoryTxnError::File(FileError::Busy(_)),
            ) => OpErrorKind::Conflict,
            Self::NoMemory
            | Self::Disk(_)
            | Self::Begin(_)
            | Self::Index(_)
            | Self::Log(_)
            | Self::Asked(_)
            | Self::About(_)
            | Self::File(_)
            | Self::Promise(_)
            | Self::Txn(_) => OpErrorKind::Internal,
        }
    }

    /// What to do about it, if the operation knows.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Forgotten(id, restorable) => Some(hint_of_forgotten(id, *restorable)),
            Self::NotRemembered(because) => asked::hint(because),
            Self::Invalid { parameter, .. } if *parameter == AS_OF => Some(Hint::new(
                "name a time that has passed, as in 2026-04-20, \"2026-04-20 14:30\" or yesterday",
            )),
            Self::HiddenSince(_) => Some(Hint::new(
                "`openclaw memory forget --list` lists what was forgotten, and whether it can be restored",
            )),
            Self::BeganLater { .. } => Some(Hint::new("ask for that time or a later one")),
            Self::WrittenByHand(_) => Some(Hint::new("move it with an editor")),
            Self::EmptyNote => Some(Hint::new(
                "type its text, as in `openclaw memory add The tax form is due in May`",
            )),
            Self::NoMessage { .. }
            | Self::NoEntry { .. }
            | Self::NothingAt(_)
            | Self::NotPlace(_)
            | Self::NoHistory(_) => Some(hint_of_place()),
            Self::Path(error) => hint_of_path(error),
            Self::Lines(error) => hint_of_lines(error),
            Self::Read(error) | Self::Expand(ExpandError::Read(error)) => hint_of_read(error),
            Self::Source(_) | Self::Expand(_) => Some(hint_of_session()),
            Self::Asked(error) => hint_of_asked(error),
            Self::File(error) => hint_of_file(error),
            Self::Txn(error) => hint_of_txn(error),
            Self::Review(error) => hint_of_review(error),
            Self::Forget(error) => hint_of_forget(error),
            Self::UndoForget(error) => hint_of_forgetting(error),
            Self::UncertainTime { commands, .. } => {
                let commands = commands.iter().map(|own| format!("`openclaw {own}`"));
                let commands: Vec<String> = commands.collect();
                Some(Hint::new(format!("{} names one", commands.join(" or "))))
            }
            Self::SeveralPromises { choices, .. } => {
                let choices = choices.iter();
                let choices = choices.map(|own| {
                    let reminder = own.reminder.replace('`', "'");
                    format!("`openclaw {}` means {reminder}", own.command)
                });
                let choices: Vec<String> = choices.collect();
                Some(Hint::new(choices.join("; ")))
            }
            Self::Promise(error) => promises::hint(error),
            Self::NoPlan => Some(Hint::new("ask for a plan again")),
            Self::ChangedSince => Some(Hint::new("`openclaw dream log` shows the last change")),
            Self::Invalid { .. }
            | Self::NoMemory
            | Self::OtherRepository(_)
            | Self::Disk(_)
            | Self::Begin(_)
            | Self::Index(_)
            | Self::Log(_)
            | Self::About(_) => None,
        }
    }
}

fn of_plan(error: &ForgetPlanError) -> OpErrorKind {
    match error {
        ForgetPlanError::Already { .. } => OpErrorKind::Conflict,
        ForgetPlanError::Path(_) => OpErrorKind::Invalid,
        ForgetPlanError::Source(error) => of_read(error.cause.downcast_ref()),
        ForgetPlanError::Forget(error) => of_forget(error),
        ForgetPlanError::Index(_) => OpErrorKind::Internal,
    }
}

fn of_forget(error: &ForgetError) -> OpErrorKind {
    match error {
        ForgetError::NothingThere(..) | ForgetError::Unknown(_) => OpErrorKind::NotFound,
        ForgetError::File(FileError::Locked { .. } | FileError::Busy(_)) => OpErrorKind::Conflict,
        ForgetError::File(_) | ForgetError::MemoryTxn(_) => OpErrorKind::Internal,
    }
}

fn of_lines(error: &FileLinesError) -> OpErrorKind {
    match error {
        FileLinesError::File(_) => OpErrorKind::Internal,
        FileLinesError::NotSearched(_)
        | FileLinesError::LeftOut(_)
        | FileLinesError::NotFound(_)
        | FileLinesError::NoSuchLine { .. } => OpErrorKind::NotFound,
    }
}

fn of_read(error: Option<&ReadError>) -> OpErrorKind {
    match error {
        Some(ReadError::Disk(_)) | None => OpErrorKind::Internal,
        Some(_) => OpErrorKind::NotFound,
    }
}
