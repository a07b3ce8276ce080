//! Why nothing can be remembered or corrected.
//!
//! Names no next step: the hints do.

use base::{Day, SourceError};
use memory::candidates::MemoryTxnError;
use memory::{FileError, LogError};

/// Why nothing could be done.
#[derive(Debug, thiserror::Error)]
pub enum AskedError {
    /// The conversation could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Memory could not be read or written.
    #[error(transparent)]
    MemoryTxn(#[from] MemoryTxnError),
    /// The note could not be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file of memory could not be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// No line of `MEMORY.md` has these words.
    #[error("no line of MEMORY.md says {0:?}")]
    NoLine(String),
    /// Neither a line of `MEMORY.md` nor a note has these words.
    #[error("neither a line of MEMORY.md nor a note of a daily log says {0:?}")]
    NoNote(String),
    /// The owner took back the line with these words on a day, and no note says them.
    #[error("no line of MEMORY.md says {0:?} any more: you took it back on {1}")]
    TakenBack(String, Day),
    /// No text of memory stands at a place.
    #[error("no line of MEMORY.md or USER.md and no note of a daily log stands at {0}")]
    NothingAt(String),
    /// Only a message has these words, with its place.
    #[error(
        "neither a line of MEMORY.md nor a note of a daily log says {0:?}; only the message at {1} does"
    )]
    OnlySaid(String, String),
    /// Several lines of `MEMORY.md`, or of the page about the owner, have these words.
    #[error("several lines say {0:?}: give more words of the line, or its place")]
    SeveralLines(String),
    /// These words are in too many texts to name one.
    #[error("{0:?} does not identify a line: give more words of the line")]
    TellsNothing(String),
    /// Several notes have these words, with the places of some.
    #[error("several notes say {0:?}: give more words of one of these: {1}")]
    SeveralNotes(String, String),
}
