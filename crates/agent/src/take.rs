//! Imports a conversation of another program into a session.
//!
//! Adds only missing messages, and none if the session holds other messages.

use std::collections::{HashMap, HashSet};

use base::disk::DiskError;
use base::{EntryId, Origin, Timestamp, TokenCount, content_hash};
use import::{Conversation, ImportedMessage, line_of};
use session::{
    AppendError, BeginTurnError, LineContent, Payload, ReadError, ReplaySource, ResumeLimit,
    SessionName, SessionStore, StoredMessage,
};

/// The result of importing a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenConversation {
    /// How the session compared to the conversation.
    pub state: TakenState,
    /// Messages added, or to be added with [`TakeMode::Look`].
    pub n_added: usize,
}

/// How a session compares to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenState {
    /// The session is new.
    New,
    /// The session held the beginning and gets the rest.
    Grown,
    /// The session already held all of it.
    Unchanged,
    /// The conversation is empty.
    Empty,
    /// The session holds other messages.
    Differs,
    /// The session had the beginning, and has since got messages of its own.
    WentOn,
}

/// Why a conversation was not imported.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// The session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The session is in use or has another format.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// The disk failed or a message is too large.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The session cannot be deleted.
    #[error(transparent)]
    Delete(#[from] DiskError),
    /// A message cannot be written as JSON.
    #[error("a message cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// Messages per append.
const BATCH: usize = 200;

/// Reads no view: none is needed.
pub(crate) const NO_VIEW: ResumeLimit = ResumeLimit {
    tokens: TokenCount(0),
};

/// The imported messages of a session: a tree, because a rewound conversation has an abandoned branch and a new one.
#[derive(Debug, Default)]
pub(crate) struct HeldMessages {
    messages: Vec<HeldMessage>,
    /// Message indices by predecessor and hash.
    places: HashMap<(Option<usize>, String), usize>,
    /// The newest message on the live branch.
    live: Option<usize>,
    /// Whether the session holds other messages.
    has_more: bool,
}

#[derive(Debug)]
struct HeldMessage {
    entry: EntryId,
    before: Option<usize>,
    /// Its position in the conversation, from 0.
    index: u64,
}

impl HeldMessages {
    pub(crate) fn read(store: &SessionStore, name: &SessionName) -> Result<Self, ReadError> {
        let mut held = Self::default();
        if !store.exists(name)? {
            return Ok(held);
        }
        // The newest imported message on the branch of each entry.
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

    /// How many messages were imported; `None` if the session has others.
    pub(crate) fn n_imported(&self) -> Option<usize> {
        (!self.has_more).then_some(self.messages.len())
    }

    /// Adds a message after its nearest predecessor on the branch: the first one at an earlier position.
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

    /// A message and its predecessors, newest first.
    fn way_back(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |idx| self.messages.get(*idx)?.before)
    }

    /// The entry in `other` for each message here; `None` if one is missing there, or if messages were added here that
    /// are not imported.
    pub(crate) fn within(&self, other: &Self) -> Option<HashMap<EntryId, EntryId>> {
        if self.has_more {
            return None;
        }
        let by_place = |held: &Self| -> HashMap<(u64, String), EntryId> {
            let places = held.places.iter().filter_map(|((_, hash), idx)| {
                let message = held.messages.get(*idx)?;
                Some(((message.index, hash.clone()), message.entry.clone()))
            });
            places.collect()
        };
        let there = by_place(other);
        let own = by_place(self).into_iter();
        own.map(|(place, entry)| Some((entry, there.get(&place)?.clone())))
            .collect()
    }

    /// Whether both hold a message of one conversation, at the same position.
    pub(crate) fn shares_with(&self, other: &Self) -> bool {
        let own: HashSet<(u64, &str)> = self.by_position().collect();
        other.by_position().any(|it| own.contains(&it))
    }

    fn by_position(&self) -> impl Iterator<Item = (u64, &str)> {
        self.places.iter().filter_map(|((_, hash), idx)| {
            let message = self.messages.get(*idx)?;
            Some((message.index, hash.as_str()))
        })
    }

    /// Compares the session to a conversation, given by its hashes. `others` gives the hashes that earlier versions may
    /// have stored for a message.
    fn compare(
        &self,
        (wanted, others): (&[String], &dyn Fn(usize) -> Vec<String>),
        act: TakeMode,
    ) -> Compared {
        let (mut last, mut from) = (None, 0);
        for hash in wanted {
            let at = |hash: String| self.places.get(&(last, hash));
            let found = at(hash.clone()).or_else(|| others(from).into_iter().find_map(at));
            let Some(next) = found else {
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

/// The result of a comparison.
#[derive(Debug, PartialEq, Eq)]
struct Compared {
    state: TakenState,
    /// The first message that the session lacks.
    from: usize,
    /// The point to which the session must first go back.
    turn: Turning,
}

#[derive(Debug, PartialEq, Eq)]
enum Turning {
    No,
    To(EntryId),
    ToStart,
}

impl Compared {
    /// The messages to add.
    fn rest<'m>(&self, messages: &'m [ImportedMessage]) -> &'m [ImportedMessage] {
        let adds = matches!(self.state, TakenState::New | TakenState::Grown);
        let rest = messages.get(self.from..).filter(|_| adds);
        rest.unwrap_or_default()
    }
}

/// Imports the conversation into the session; [`TakeMode::Look`] only reports what would be done.
///
/// Durability: hashes identify the messages added before a crash, so another call continues after them.
pub fn take_conversation(
    store: &SessionStore,
    name: &SessionName,
    conversation: &Conversation,
    now: Timestamp,
    act: TakeMode,
) -> Result<TakenConversation, TakeError> {
    store.check_writable(name)?;
    let messages = &conversation.messages;
    let hashes = messages.iter().map(hash).collect::<Result<Vec<_>, _>>()?;
    let others = |place: usize| messages.get(place).map(other_hashes).unwrap_or_default();
    let compared = HeldMessages::read(store, name)?.compare((&hashes, &others), act);
    let (n_added, state) = (compared.rest(messages).len(), compared.state);
    if act == TakeMode::Look || n_added == 0 && compared.turn == Turning::No {
        return Ok(TakenConversation { state, n_added });
    }
    let mut turn = store.begin_turn(name, NO_VIEW)?;
    // Another process may have imported it in the meantime.
    let compared = HeldMessages::read(store, name)?.compare((&hashes, &others), act);
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
    Ok(TakenConversation {
        state: compared.state,
        n_added: rest.len(),
    })
}

/// The hashes under which the first message of a conversation may be stored; none without a time, because its words
/// alone may begin many conversations.
pub fn beginning_of(conversation: &Conversation) -> Result<Vec<String>, TakeError> {
    let first = conversation.messages.first();
    let Some(first) = first.filter(|message| message.at.is_some()) else {
        return Ok(Vec::new());
    };
    let mut hashes = other_hashes(first);
    hashes.insert(0, hash(first)?);
    Ok(hashes)
}

/// The hash of the first message of a session, if it was imported.
pub fn beginning_in(store: &SessionStore, name: &SessionName) -> Result<Option<String>, ReadError> {
    for line in store.lines(name)? {
        if let LineContent::Entry(entry) = line?.content
            && let Payload::Message(message) = entry.payload
        {
            return Ok(message.source.map(|source| source.hash));
        }
    }
    Ok(None)
}

/// What an import may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakeMode {
    /// Appends missing messages.
    Write,
    /// Also rewinds the session if the conversation was rewound or one of its replies grew.
    Follow,
    /// Writes nothing.
    Look,
}

fn stored(message: &ImportedMessage, hash: String, index: u64) -> StoredMessage {
    StoredMessage {
        source: Some(ReplaySource { hash, index }),
        ..StoredMessage::new(message.message.clone(), message.origin)
    }
}

/// Identifies a message across imports.
fn hash(message: &ImportedMessage) -> Result<String, serde_json::Error> {
    let at = message.at.unwrap_or_default();
    let line = line_of(&message.message, at, message.origin)?;
    Ok(content_hash(line.as_bytes()))
}

/// The hashes of a message if another origin had been read from it.
fn other_hashes(message: &ImportedMessage) -> Vec<String> {
    let others = Origin::ALL.into_iter();
    let others = others.filter(|origin| *origin != message.origin);
    let hashes = others.filter_map(|origin| {
        let other = ImportedMessage {
            origin,
            ..message.clone()
        };
        hash(&other).ok()
    });
    hashes.collect()
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
            assert_eq!(
                held.compare((&wanted, &|_| Vec::new()), act).state,
                expected
            );
        }
    }

    #[test]
    fn take_adds_only_messages_missing_at_end() {
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
