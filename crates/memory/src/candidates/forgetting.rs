//! Removes forgotten text from candidates, keeps a copy, and restores it on undo. Redaction removes it for good.
//!
//! Never decides what is forgotten: the tombstones do.

use std::collections::BTreeSet;

use base::{EntryId, LineRange, Timestamp};

use super::change::StateChange;
use super::desk::{Access, MemoryTxn};
use super::error::MemoryTxnError;
use super::evidence::Evidence;
use super::model::{Candidate, Proposal, Status};
use super::pending::PendingRecords;
use super::state::{DreamState, same_words};
use crate::curated::memory_lines;
use crate::dreams_file::parse;
use crate::misread::readable;
use crate::note_text::MemoryText;
use crate::tombstone::{PurgeTargets, Tombstone, TombstoneId, Tombstones, load_tombstones};
use crate::workspace::Workspace;

/// Replaces redacted words.
const REDACTED: &str = "[redacted]";

/// Removes forgotten text from the candidates now instead of when the desk is opened next.
///
/// # Errors
///
/// [`MemoryTxnError`]; the tombstone hides the text anyway.
pub(crate) fn forget_candidates(
    workspace: &Workspace,
    now: Timestamp,
) -> Result<(), MemoryTxnError> {
    if is_nothing_known(workspace)? {
        return Ok(());
    }
    // `MemoryTxn::open` calls `MemoryTxn::forget`.
    MemoryTxn::open(workspace, now, Access::Write).map(|_| ())
}

/// Removes redacted text from the candidates for good.
pub(crate) fn redact_candidates(
    workspace: &Workspace,
    gone: &PurgeTargets,
    now: Timestamp,
) -> Result<(), MemoryTxnError> {
    if is_nothing_known(workspace)? {
        return Ok(());
    }
    let mut desk = MemoryTxn::open(workspace, now, Access::Write)?;
    let next = redacted(desk.state(), gone);
    desk.put_state(next, "something was redacted")
}

/// The pending candidates as last written, each with the lines of its block in `DREAMS.md`; `None` if the block
/// is missing.
pub(crate) fn waiting_candidates(
    workspace: &Workspace,
) -> Result<Vec<(Candidate, Option<LineRange>)>, MemoryTxnError> {
    let records = PendingRecords { workspace };
    let waiting = records.state()?.pending;
    let bytes = records.dreams_bytes()?.unwrap_or_default();
    let parsed = parse(&readable(&bytes));
    let places = waiting.into_iter().map(|own| {
        let lines = parsed.lines_of(&own.id);
        (own, lines)
    });
    Ok(places.collect())
}

/// Whether no dream or decision has ever written a record.
pub fn is_nothing_known(workspace: &Workspace) -> Result<bool, MemoryTxnError> {
    let records = PendingRecords { workspace };
    Ok(records.begun()?.is_none() && records.state()? == DreamState::default())
}

impl MemoryTxn<'_> {
    /// Removes forgotten candidates from pending and history. Durability: a copy is on disk next to the tombstone
    /// before the state changes.
    pub(super) fn forget(&mut self) -> Result<(), MemoryTxnError> {
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

    /// Restores the candidates that tombstone `id` removed; returns how many are pending again.
    pub(crate) fn restore_forgotten(&mut self, id: &TombstoneId) -> Result<usize, MemoryTxnError> {
        let kept = self.records.kept_forgotten(id)?;
        let (next, n_waiting) = given_back(&self.state, self.memory(), kept);
        self.put_state(next, "a forget was undone")?;
        Ok(n_waiting)
    }

    fn put_state(&mut self, next: DreamState, cause: &str) -> Result<(), MemoryTxnError> {
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
        // Details from before the forget may paraphrase the text, which no hash finds.
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

/// The candidates that `tombstone` changes or removes, unchanged.
fn taken_by(state: &DreamState, tombstone: &Tombstone) -> Vec<Candidate> {
    let alone = Tombstones::new(vec![tombstone.clone()]);
    let all = state.pending.iter().chain(&state.history);
    let is_taken = |own: &&Candidate| left_of(own, &alone).as_ref() != Some(*own);
    all.filter(is_taken).cloned().collect()
}

/// The candidate without forgotten text; `None` if its finding or all of its evidence is forgotten.
fn left_of(own: &Candidate, tombstones: &Tombstones) -> Option<Candidate> {
    let mut left = without(
        own,
        |text| tombstones.hides_text(text),
        |entry| tombstones.hides_all_of(entry),
    )?;
    for evidence in &mut left.evidence {
        let entry = EntryId::new(evidence.key.clone());
        // The entry is hidden because of something else it says: quote only the finding.
        if tombstones.hides_entry(&entry) && evidence.quote.contains(&own.finding) {
            evidence.quote.clone_from(&own.finding);
        }
    }
    Some(left)
}

/// The candidate without the given texts and entries; `None` if its finding or all of its evidence goes.
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
    // The original wording may repeat the removed evidence.
    let is_whole = left.evidence == own.evidence;
    left.proposed_as = left.proposed_as.filter(|words| is_whole && !goes(words));
    if left.proposal.other().is_some_and(goes) {
        left.proposal = Proposal::Add;
    }
    (!left.evidence.is_empty()).then_some(left)
}

/// The state without redacted text.
fn redacted(state: &DreamState, gone: &PurgeTargets) -> DreamState {
    let mut next = with_what_is_left(state, |own| unredacted_part(own, gone));
    for line in &mut next.log {
        line.text = without_words(&line.text, &gone.words);
        line.details.clear();
    }
    next
}

/// The candidate without redacted text; `None` if nothing is left. A spared finding stays, and so do its words in the
/// rest of the candidate and its evidence from other messages.
fn unredacted_part(own: &Candidate, gone: &PurgeTargets) -> Option<Candidate> {
    if !gone.spares(&own.finding) {
        return unspared_part(own, gone);
    }
    let gone = gone.beside(&own.finding);
    let mut own = own.clone();
    for evidence in &mut own.evidence {
        evidence.quote = without_words(&evidence.quote, &gone.words);
    }
    unspared_part(&own, &gone)
}

fn unspared_part(own: &Candidate, gone: &PurgeTargets) -> Option<Candidate> {
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
    // Longest first: one may be part of another.
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut text = text.to_owned();
    for word in words {
        text = text.replace(word, REDACTED);
    }
    text
}

impl Proposal {
    /// The text of the other line that the proposal refers to.
    fn other(&self) -> Option<&str> {
        match self {
            Self::Add => None,
            Self::Supersede { older, .. } | Self::Retire { older, .. } => Some(older),
            Self::Beside { other } => Some(other),
        }
    }
}

/// Restores kept candidates into `state`; also returns how many are pending again.
///
/// If a candidate with the same id exists, or one with the same words that is pending or was decided since, only
/// its evidence is restored: text and status stay as the owner left them. A candidate that the owner rejected or
/// that `MEMORY.md` contains is not restored to pending.
fn given_back(
    state: &DreamState,
    memory: &MemoryText,
    kept: Vec<Candidate>,
) -> (DreamState, usize) {
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

/// The candidate in `state` with the same id, or the one that replaced it.
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

/// Whether a candidate is pending, or was decided after `proposed_at`.
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
    // Forgetting the other line had turned the proposal into `Add`.
    if known.proposal == Proposal::Add && known.id == kept.id && known.status == Status::Pending {
        known.proposal = kept.proposal;
    }
}

/// Whether a line of `MEMORY.md` has the id or the words of this candidate.
fn stands_in(memory: &MemoryText, candidate: &Candidate) -> bool {
    let words = same_words(&candidate.finding);
    let lines = memory_lines(memory);
    lines
        .iter()
        .any(|line| line.id() == Some(candidate.id.as_str()) || same_words(&line.text) == words)
}

#[cfg(test)]
#[path = "forgetting_tests.rs"]
mod tests;
