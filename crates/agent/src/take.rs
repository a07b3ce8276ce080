//! Puts a conversation of another program into a session.
//!
//! Adds only what is not there yet, and nothing to a session that went another way.

use base::{Timestamp, TokenCount, content_hash};
use import::{Conversation, ImportedMessage, line_of};
use session::{
    AppendError, BeginTurnError, LineContent, Payload, ReadError, ReplaySource, ResumeLimit,
    SessionName, SessionStore, StoredMessage,
};

/// What became of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// How it stands now.
    pub state: TakenState,
    /// How many messages were added, or would be.
    pub n_added: usize,
}

/// How a session stands to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenState {
    /// It began with it.
    New,
    /// It held the beginning, and has the rest now.
    Grown,
    /// It held all of it.
    Unchanged,
    /// Nothing was said in it.
    Empty,
    /// It holds something else.
    Differs,
    /// It held the beginning, and went on by itself since.
    WentOn,
}

/// A conversation that was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TakeError {
    /// The session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The session is in use, or of another format.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// The disk failed, or a message is too large.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// A message cannot be written.
    #[error("a message cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// Messages that are written at once.
const BATCH: usize = 200;

/// Nothing of the session has to be shown.
const NO_VIEW: ResumeLimit = ResumeLimit {
    tokens: TokenCount(0),
};

/// What a session holds of conversations of other programs.
#[derive(Debug, Default)]
struct Held {
    hashes: Vec<String>,
    /// Whether something else was said in it.
    has_more: bool,
}

/// Puts the conversation into the session; without `act` it is only found out what would be done.
///
/// Durability: what was added before a crash is known again by its hashes, and another call goes on after
/// it.
pub fn take_conversation(
    store: &SessionStore,
    name: &SessionName,
    conversation: &Conversation,
    (now, act): (Timestamp, Act),
) -> Result<Taken, TakeError> {
    store.check_writable(name)?;
    let messages = &conversation.messages;
    let hashes = messages.iter().map(hash).collect::<Result<Vec<_>, _>>()?;
    let (state, from) = compare(&held(store, name)?, &hashes);
    let is_wanted = matches!(state, TakenState::New | TakenState::Grown);
    if act == Act::Look || !is_wanted {
        let n_added = if is_wanted { messages.len() - from } else { 0 };
        return Ok(Taken { state, n_added });
    }
    let mut turn = store.begin_turn(name, NO_VIEW)?;
    // Another process may have taken it over since.
    let (state, from) = compare(&held(store, name)?, &hashes);
    let rest = match state {
        TakenState::New | TakenState::Grown => messages.get(from..).unwrap_or_default(),
        TakenState::Unchanged | TakenState::Empty | TakenState::Differs | TakenState::WentOn => &[],
    };
    let before = from.checked_sub(1).and_then(|before| messages.get(before));
    let mut at = before.and_then(|before| before.at);
    at = at.or_else(|| messages.iter().find_map(|message| message.at));
    let mut at = at.unwrap_or(now);
    for (batch, place) in rest.chunks(BATCH).zip((from..).step_by(BATCH)) {
        let stored = batch.iter().zip(place..).map(|(message, place)| {
            at = message.at.unwrap_or(at);
            let hash = hashes.get(place).cloned().unwrap_or_default();
            (at, stored(message, hash, place as u64))
        });
        let stored = stored.collect();
        turn.append_messages(stored)?;
    }
    Ok(Taken {
        state,
        n_added: rest.len(),
    })
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// It is.
    Write,
    /// It is only looked.
    Look,
}

fn stored(message: &ImportedMessage, hash: String, index: u64) -> StoredMessage {
    StoredMessage {
        message: message.message.clone(),
        origin: Some(message.origin),
        source: Some(ReplaySource { hash, index }),
        copied_from: None,
    }
}

/// Knows a message again, whenever it is read.
fn hash(message: &ImportedMessage) -> Result<String, serde_json::Error> {
    let at = message.at.unwrap_or_default();
    let line = line_of(&message.message, at, message.origin)?;
    Ok(content_hash(line.as_bytes()))
}

fn held(store: &SessionStore, name: &SessionName) -> Result<Held, ReadError> {
    let mut held = Held::default();
    if !store.exists(name)? {
        return Ok(held);
    }
    for line in store.lines(name)? {
        if let LineContent::Entry(entry) = line?.content
            && let Payload::Message(message) = entry.payload
        {
            match message.source {
                Some(source) => held.hashes.push(source.hash),
                None => held.has_more = true,
            }
        }
    }
    Ok(held)
}

/// How they stand to one another, and from which message on the session lacks them.
fn compare(held: &Held, wanted: &[String]) -> (TakenState, usize) {
    let n_held = held.hashes.len();
    let state = if wanted.is_empty() {
        TakenState::Empty
    } else if n_held == 0 && !held.has_more {
        TakenState::New
    } else if n_held == 0 || !(wanted.starts_with(&held.hashes) || held.hashes.starts_with(wanted))
    {
        TakenState::Differs
    } else if n_held >= wanted.len() {
        TakenState::Unchanged
    } else if held.has_more {
        TakenState::WentOn
    } else {
        TakenState::Grown
    };
    (state, n_held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(held: (&[&str], bool), wanted: &[&str], expected: TakenState) {
        let strings = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let (hashes, has_more) = held;
        let held = Held {
            hashes: strings(hashes),
            has_more,
        };
        assert_eq!(compare(&held, &strings(wanted)), (expected, hashes.len()));
    }

    #[test]
    fn only_what_is_missing_at_the_end_is_added() {
        check((&[], false), &["a", "b"], TakenState::New);
        check((&["a"], false), &["a", "b"], TakenState::Grown);
        check((&["a", "b"], false), &["a", "b"], TakenState::Unchanged);
        check((&["a", "b"], true), &["a", "b"], TakenState::Unchanged);
        check((&["a", "b"], false), &["a"], TakenState::Unchanged);
        check((&["a"], true), &["a", "b"], TakenState::WentOn);
        check((&["x"], false), &["a", "b"], TakenState::Differs);
        check((&[], true), &["a"], TakenState::Differs);
        check((&["a"], false), &[], TakenState::Empty);
    }
}
