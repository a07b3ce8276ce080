//! Puts a conversation of another program into a session.
//!
//! Adds only what is not there yet, and nothing where something else was said in the session.

use std::collections::HashMap;

use base::{EntryId, Timestamp, TokenCount, content_hash};
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

/// What a session holds of conversations of other programs: a tree, for a conversation that went back goes on beside
/// what it left.
#[derive(Debug, Default)]
struct HeldMessages {
    messages: Vec<HeldMessage>,
    /// By what they follow and what they say.
    places: HashMap<(Option<usize>, String), usize>,
    /// The newest on the live branch.
    live: Option<usize>,
    /// Whether something else was said in it.
    has_more: bool,
}

#[derive(Debug)]
struct HeldMessage {
    entry: EntryId,
    before: Option<usize>,
    /// Its place in the conversation, from 0.
    index: u64,
}

impl HeldMessages {
    fn read(store: &SessionStore, name: &SessionName) -> Result<Self, ReadError> {
        let mut held = Self::default();
        if !store.exists(name)? {
            return Ok(held);
        }
        // The newest message on the branch of each entry.
        let mut at: HashMap<EntryId, Option<usize>> = HashMap::new();
        for line in store.lines(name)? {
            let LineContent::Entry(entry) = line?.content else {
                continue;
            };
            let parent = entry.parent.as_ref().and_then(|parent| at.get(parent));
            let mut newest = parent.copied().unwrap_or(held.live);
            if let Payload::Message(message) = entry.payload {
                match message.source {
                    Some(source) => newest = Some(held.add(newest, entry.id.clone(), source)),
                    None => held.has_more = true,
                }
            }
            held.live = newest;
            at.insert(entry.id, newest);
        }
        Ok(held)
    }

    /// Adds a message on the branch of another; one that stands earlier in the conversation begins it anew.
    fn add(&mut self, newest: Option<usize>, entry: EntryId, source: ReplaySource) -> usize {
        let ReplaySource { hash, index } = source;
        let is_before = |it: &usize| self.messages.get(*it).is_some_and(|it| it.index < index);
        let before = self.way_back(newest).find(is_before);
        let idx = self.messages.len();
        self.messages.push(HeldMessage {
            entry,
            before,
            index,
        });
        self.places.insert((before, hash), idx);
        idx
    }

    /// A message and those before it, the newest first.
    fn way_back(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |idx| self.messages.get(*idx)?.before)
    }

    /// How the session stands to a conversation.
    fn compare(&self, wanted: &[String], act: TakeMode) -> Compared {
        let (mut last, mut from) = (None, 0);
        for hash in wanted {
            let Some(next) = self.places.get(&(last, hash.clone())) else {
                break;
            };
            (last, from) = (Some(*next), from + 1);
        }
        let may_turn = act == TakeMode::Follow && !self.has_more;
        let mut turn = Turning::No;
        let state = if wanted.is_empty() {
            TakenState::Empty
        } else if self.messages.is_empty() && !self.has_more {
            TakenState::New
        } else if from == wanted.len()
            && (!may_turn || self.way_back(self.live).any(|it| Some(it) == last))
        {
            TakenState::Unchanged
        } else if last == self.live && last.is_some() {
            if self.has_more {
                TakenState::WentOn
            } else {
                TakenState::Grown
            }
        } else if may_turn {
            let to = last.and_then(|last| self.messages.get(last));
            turn = to.map_or(Turning::ToStart, |to| Turning::To(to.entry.clone()));
            TakenState::Grown
        } else {
            TakenState::Differs
        };
        Compared { state, from, turn }
    }
}

/// How a session stands to a conversation.
#[derive(Debug, PartialEq, Eq)]
struct Compared {
    state: TakenState,
    /// From which message on the session lacks them.
    from: usize,
    /// Whence the conversation goes on.
    turn: Turning,
}

#[derive(Debug, PartialEq, Eq)]
enum Turning {
    No,
    To(EntryId),
    ToStart,
}

impl Compared {
    /// What the session lacks, where it is to have it.
    fn rest<'m>(&self, messages: &'m [ImportedMessage]) -> &'m [ImportedMessage] {
        match self.state {
            TakenState::New | TakenState::Grown => messages.get(self.from..).unwrap_or_default(),
            TakenState::Unchanged
            | TakenState::Empty
            | TakenState::Differs
            | TakenState::WentOn => &[],
        }
    }
}

/// Puts the conversation into the session; with [`TakeMode::Look`] it is only found out what would be done.
///
/// Durability: what was added before a crash is known again by its hashes, and another call goes on after
/// it.
pub fn take_conversation(
    store: &SessionStore,
    name: &SessionName,
    conversation: &Conversation,
    (now, act): (Timestamp, TakeMode),
) -> Result<Taken, TakeError> {
    store.check_writable(name)?;
    let messages = &conversation.messages;
    let hashes = messages.iter().map(hash).collect::<Result<Vec<_>, _>>()?;
    let compared = HeldMessages::read(store, name)?.compare(&hashes, act);
    let (n_added, state) = (compared.rest(messages).len(), compared.state);
    if act == TakeMode::Look || n_added == 0 && compared.turn == Turning::No {
        return Ok(Taken { state, n_added });
    }
    let mut turn = store.begin_turn(name, NO_VIEW)?;
    // Another process may have taken it over since.
    let compared = HeldMessages::read(store, name)?.compare(&hashes, act);
    match &compared.turn {
        Turning::No => {}
        Turning::To(entry) => drop(turn.append_rewind(now, entry)?),
        Turning::ToStart => drop(turn.append_reset(now)?),
    }
    let (rest, from) = (compared.rest(messages), compared.from);
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
        state: compared.state,
        n_added: rest.len(),
    })
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakeMode {
    /// What is missing at the end is.
    Write,
    /// That too; and where the conversation went back or a reply of it grew, the session goes back too.
    Follow,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(held: (&[&str], bool), wanted: &[&str], expected: TakenState) {
        let (hashes, has_more) = held;
        let mut held = HeldMessages {
            has_more,
            ..HeldMessages::default()
        };
        for (index, hash) in (0..).zip(hashes) {
            let (hash, entry) = ((*hash).to_owned(), EntryId::new(*hash));
            held.live = Some(held.add(held.live, entry, ReplaySource { hash, index }));
        }
        let wanted: Vec<String> = wanted.iter().map(|&text| text.to_owned()).collect();
        for act in [TakeMode::Look, TakeMode::Write] {
            assert_eq!(held.compare(&wanted, act).state, expected);
        }
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
