//! The ports through which sessions are read and texts understood: what was said, by whom, and where it stands.
//!
//! Knows no format of a transcript.

use std::collections::BTreeSet;
use std::fmt::Debug;

use base::{Day, EntryId, Origin, SessionId, Timestamp};

/// Sessions as dreams read them.
///
/// What was left by a rewind, what was recalled and what was forgotten is never given.
pub trait Conversations: Send + Sync + Debug {
    /// The sessions as they are now.
    fn sessions(&self) -> Result<Vec<SessionStat>, ConversationError>;

    /// Gives the messages of a session to `sink`, in order, those before the byte `from` left out.
    fn read(
        &self,
        path: &str,
        from: u64,
        sink: &mut dyn FnMut(Said),
    ) -> Result<(), ConversationError>;

    /// The messages of these entries that are still there, in no certain order.
    fn find(&self, entries: &[(SessionId, EntryId)]) -> Result<Vec<Said>, ConversationError>;
}

/// What is known of a session without reading it whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStat {
    /// Its path relative to the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// Its length in bytes.
    pub n_bytes: u64,
    /// When somebody last spoke in it, and in which entry; `None` where nobody has.
    pub last: Option<(Timestamp, EntryId)>,
}

/// A message of a person, the assistant or a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The session's path.
    pub path: String,
    /// The session.
    pub session: SessionId,
    /// Its entry.
    pub entry: EntryId,
    /// Its line, from 1.
    pub line: usize,
    /// When.
    pub at: Timestamp,
    /// Who is answerable for it.
    pub origin: Origin,
    /// Whether a person says it, and not the assistant or a tool.
    pub is_person: bool,
    /// What is said, what was recalled left out.
    pub text: String,
}

/// Sessions could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}")]
pub struct ConversationError {
    /// The session, or the directory.
    pub path: String,
    /// Why.
    #[source]
    pub cause: Box<dyn std::error::Error + Send + Sync>,
}

/// Tells what a text says.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// What of a message its writer says in person; the rest is blanked out.
    pub in_person: fn(&str) -> String,
    /// The figures that follow from the words of a text which was said on a day: numbers written as words, and the
    /// parts of the dates that it may mean. Those that it writes with digits need not be given.
    pub said: fn(&str, Day) -> BTreeSet<u64>,
    /// The figures that a text claims in words, each with all its readings.
    pub claimed: fn(&str) -> Vec<BTreeSet<u64>>,
    /// Whether a word, in lower case, belongs to the calendar, such as the name of a month.
    pub is_calendar_word: fn(&str) -> bool,
    /// Whether a text denies or forbids something.
    pub denies: fn(&str) -> bool,
    /// Whether a text is in a language whose denials are known.
    pub knows_denials: fn(&str) -> bool,
    /// Whether a text is in a language that writes every noun with a capital.
    pub capitalises_nouns: fn(&str) -> bool,
    /// The words of a text that say nothing by themselves, in lower case; none where its language is not known.
    pub common_words: fn(&str) -> BTreeSet<String>,
}
