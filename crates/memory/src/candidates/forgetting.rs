//! What forgetting takes from candidates, keeps for a while, and gives back; and what redacting takes for good.
//!
//! Judges nothing: what is forgotten is for the tombstones to say.

use std::collections::BTreeSet;

use base::{EntryId, LineRange, Timestamp};

use super::change::Kept;
use super::change::StateChange;
use super::desk::{Desk, Review};
use super::error::DeskError;
use super::evidence::Evidence;
use super::model::{Candidate, Proposal, Status};
use super::pending::Records;
use super::state::{DreamState, same_words};
use super::wire::from_json;
use crate::curated::memory_lines;
use crate::dreams_file::parse;
use crate::misread::readable;
use crate::tombstone::{Gone, Tombstone, TombstoneId, Tombstones, load_tombstones};
use crate::workspace::Workspace;

/// What takes the place of words that are to stand nowhere.
const REDACTED: &str = "[redacted]";

/// Takes what was forgotten out of the candidates at once, and not only when somebody looks at them next.
///
/// # Errors
///
/// [`DeskError`]; it is hidden all the same.
pub(crate) fn forget_candidates(workspace: &Workspace, now: Timestamp) -> Result<(), DeskError> {
    if is_nothing_known(workspace)? {
        return Ok(());
    }
    // Whoever opens the desk takes it out.
    Desk::open(workspace, now, Review::TakeIn).map(|_| ())
}

/// Takes out of the candidates, for good, what must stand nowhere any more.
pub(crate) fn redact_candidates(
    workspace: &Workspace,
    gone: &Gone,
    now: Timestamp,
) -> Result<(), DeskError> {
    if is_nothing_known(workspace)? {
        return Ok(());
    }
    let mut desk = Desk::open(workspace, now, Review::TakeIn)?;
    let next = redacted(desk.state(), gone);
    desk.put_state(next, "something was redacted")
}

/// The candidates that wait, as they were written last, with the lines of `DREAMS.md` in which each stands;
/// without lines where its block is missing.
pub(crate) fn waiting_candidates(
    workspace: &Workspace,
) -> Result<Vec<(Candidate, Option<LineRange>)>, DeskError> {
    let records = Records { workspace };
    let waiting = records.state()?.pending;
    let bytes = records.dreams_bytes()?.unwrap_or_default();
    let parsed = parse(&readable(&bytes));
    let places = waiting.into_iter().map(|own| {
        let lines = parsed.lines_of(&own.id);
        (own, lines)
    });
    Ok(places.collect())
}

/// Whether no dream and no decision ever left anything.
pub fn is_nothing_known(workspace: &Workspace) -> Result<bool, DeskError> {
    let records = Records { workspace };
    Ok(records.begun()?.is_none() && records.state()? == DreamState::default())
}

impl Desk<'_> {
    /// What was forgotten waits no more, and is not remembered among what was decided. Durability: it is
    /// kept beside its tombstone before it goes.
    pub(super) fn forget(&mut self) -> Result<(), DeskError> {
        self.tombstones = load_tombstones(self.records.workspace)?;
        let tombstones = self.tombstones.clone();
        if tombstones.hides_nothing() {
            return Ok(());
        }
        let next = without_forgotten(&self.state, &tombstones);
        if next == self.state {
            return Ok(());
        }
        for tombstone in tombstones.forgotten() {
            let taken = taken_by(&self.state, tombstone);
            if !taken.is_empty() {
                self.records.keep_forgotten(&tombstone.id, taken)?;
            }
        }
        self.put_state(next, "something was forgotten")
    }

    /// Lets candidates that were forgotten under an id be there again; gives how many of them wait again.
    pub(crate) fn give_back(&mut self, id: &TombstoneId) -> Result<usize, DeskError> {
        let kept = self.records.kept_forgotten(id)?;
        let (next, n_waiting) = given_back(&self.state, self.memory(), kept);
        self.put_state(next, "what was forgotten was taken back")?;
        Ok(n_waiting)
    }

    fn put_state(&mut self, next: DreamState, cause: &str) -> Result<(), DeskError> {
        if next == self.state {
            return Ok(());
        }
        self.commit(StateChange::of_state(next, cause))
    }
}

fn without_forgotten(state: &DreamState, tombstones: &Tombstones) -> DreamState {
    let mut next = with_what_is_left(state, |own| left_of(own, tombstones));
    let forgotten_at = tombstones.forgotten().map(|it| it.at).max();
    for line in &mut next.log {
        // What a dream told before may say the same in other words, which no hash finds.
        if forgotten_at.is_some_and(|at| line.at <= at) {
            line.details.clear();
        }
        line.details.retain(|own| !tombstones.hides_text(&own.text));
    }
    next
}

fn with_what_is_left(
    state: &DreamState,
    left_of: impl Fn(&Candidate) -> Option<Candidate>,
) -> DreamState {
    DreamState {
        pending: state.pending.iter().filter_map(&left_of).collect(),
        history: state.history.iter().filter_map(&left_of).collect(),
        ..state.clone()
    }
}

/// The candidates from which one tombstone takes something, as they are before.
fn taken_by(state: &DreamState, tombstone: &Tombstone) -> Vec<Candidate> {
    let alone = Tombstones::new(vec![tombstone.clone()]);
    let all = state.pending.iter().chain(&state.history);
    let is_taken = |own: &&Candidate| left_of(own, &alone).as_ref() != Some(*own);
    all.filter(is_taken).cloned().collect()
}

/// What is left of a candidate; `None` where it, or all that says so, was forgotten.
fn left_of(own: &Candidate, tombstones: &Tombstones) -> Option<Candidate> {
    let mut left = without(
        own,
        |text| tombstones.hides_text(text),
        |entry| tombstones.hides_all_of(entry),
    )?;
    for evidence in &mut left.evidence {
        let entry = EntryId::new(evidence.key.clone());
        // The message is hidden for another thing that it says: no more of it is shown than this.
        if tombstones.hides_entry(&entry) && evidence.quote.contains(&own.finding) {
            evidence.quote.clone_from(&own.finding);
        }
    }
    Some(left)
}

/// A candidate without the texts and entries that go; `None` where its words go, or all that says so.
fn without(
    own: &Candidate,
    goes: impl Fn(&str) -> bool,
    entry_goes: impl Fn(&EntryId) -> bool,
) -> Option<Candidate> {
    if goes(&own.finding) {
        return None;
    }
    let mut left = own.clone();
    left.evidence
        .retain(|it| !entry_goes(&EntryId::new(it.key.clone())) && !goes(&it.quote));
    // What went may have been said in the words of the proposal.
    let is_whole = left.evidence == own.evidence;
    left.proposed_as = left.proposed_as.filter(|words| is_whole && !goes(words));
    if left.proposal.other().is_some_and(goes) {
        left.proposal = Proposal::Add;
    }
    (!left.evidence.is_empty()).then_some(left)
}

/// The state without what must stand nowhere any more.
fn redacted(state: &DreamState, gone: &Gone) -> DreamState {
    let mut next = with_what_is_left(state, |own| unredacted_part(own, gone));
    for line in &mut next.log {
        line.text = without_words(&line.text, &gone.words);
        line.details.clear();
    }
    next
}

/// Whether what is kept of forgotten candidates holds what must stand nowhere any more; what cannot be read
/// may hold it.
pub(crate) fn holds_what_is_gone(kept: &[u8], gone: &Gone) -> bool {
    let is_whole = |own: &Candidate| unredacted_part(own, gone).as_ref() == Some(own);
    !from_json("", kept).is_ok_and(|kept: Kept| kept.candidates.iter().all(is_whole))
}

fn unredacted_part(own: &Candidate, gone: &Gone) -> Option<Candidate> {
    let mut left = without(
        own,
        |text| gone.says(text),
        |entry| gone.entries.contains(entry),
    )?;
    left.section = without_words(&left.section, &gone.words);
    left.staged_because = left
        .staged_because
        .map(|text| without_words(&text, &gone.words));
    Some(left)
}

fn without_words(text: &str, words: &[String]) -> String {
    let words: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    // The longest first, for one may be a part of another.
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut text = text.to_owned();
    for word in words {
        text = text.replace(word, REDACTED);
    }
    text
}

impl Proposal {
    /// What the line says that it is about besides the new one.
    fn other(&self) -> Option<&str> {
        match self {
            Self::Add => None,
            Self::Supersede { older, .. } | Self::Retire { older, .. } => Some(older),
            Self::Beside { other } => Some(other),
        }
    }
}

/// The state with what was kept of forgotten candidates, and how many of them wait again.
///
/// What is known by its id, or says what was decided or is proposed since, only gets its evidence back: its
/// words and what became of it are as the owner left them. What `MEMORY.md` says waits no more.
fn given_back(state: &DreamState, memory: &str, kept: Vec<Candidate>) -> (DreamState, usize) {
    let mut next = state.clone();
    let mut n_waiting = 0;
    for mut candidate in kept {
        if let Some(known) = known_again(&mut next, &candidate) {
            give_evidence(known, candidate);
        } else if candidate.status != Status::Pending {
            next.history.push(candidate);
        } else if !state.was_rejected(&candidate.finding) && !stands_in(memory, &candidate) {
            candidate.missing_since = None;
            next.pending.push(candidate);
            n_waiting += 1;
        }
    }
    (next, n_waiting)
}

/// The candidate that this one has become, or that took its place.
fn known_again<'s>(state: &'s mut DreamState, kept: &Candidate) -> Option<&'s mut Candidate> {
    let words = same_words(&kept.finding);
    let says_it = |own: &Candidate| {
        kept.status == Status::Pending
            && is_since(own.decided_at, kept.proposed_at)
            && same_words(&own.finding) == words
    };
    let all = || state.pending.iter().chain(&state.history);
    let by_id = all().position(|own| own.id == kept.id);
    let place = by_id.or_else(|| all().position(says_it))?;
    let mut all = state.pending.iter_mut().chain(&mut state.history);
    all.nth(place)
}

/// Whether something waits, or was decided while the other waited.
fn is_since(decided_at: Option<Timestamp>, proposed_at: Timestamp) -> bool {
    decided_at.is_none_or(|at| at >= proposed_at)
}

fn give_evidence(known: &mut Candidate, kept: Candidate) {
    let is_same = |one: &Evidence, other: &Evidence| one.path == other.path && one.key == other.key;
    let mut evidence = kept.evidence;
    for own in known.evidence.drain(..) {
        if !evidence.iter().any(|it| is_same(it, &own)) {
            evidence.push(own);
        }
    }
    known.evidence = evidence;
    // What it was to stand beside or to replace was forgotten with it.
    if known.proposal == Proposal::Add && known.id == kept.id && known.status == Status::Pending {
        known.proposal = kept.proposal;
    }
}

/// Whether a line of `MEMORY.md` is this candidate, or says the same.
fn stands_in(memory: &str, candidate: &Candidate) -> bool {
    let words = same_words(&candidate.finding);
    let lines = memory_lines(memory);
    lines
        .iter()
        .any(|line| line.id() == Some(candidate.id.as_str()) || same_words(&line.text) == words)
}

#[cfg(test)]
#[path = "forgetting_tests.rs"]
mod tests;
