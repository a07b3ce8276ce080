//! Hides forgotten candidates from every reader; they stay in the state for an undo. Redaction removes text for good.
//!
//! Never decides which text is forgotten: the tombstones do.

use std::collections::BTreeSet;

use base::{Day, EntryId, LineRange, Timestamp};
use chrono::TimeDelta;

use super::change::StateChange;
use super::desk::{Access, MemoryTxn};
use super::error::MemoryTxnError;
use super::model::{Candidate, CandidateId, Proposal};
use super::pending::PendingRecords;
use super::review::Reviewed;
use super::state::{CORRECTED, DreamState, REMEMBERED, UNDONE, same_words};
use crate::curated::memory_lines;
use crate::dreams_file::parse;
use crate::misread::readable;
use crate::note_text::MemoryText;
use crate::tombstone::{PurgeTargets, TombstoneId, Tombstones, lift_tombstone, load_tombstones};
use crate::workspace::Workspace;

/// Replaces redacted words.
const REDACTED: &str = "[redacted]";

/// Stands for a forgotten text in the cause of a change.
const FORGOTTEN: &str = "(forgotten)";

/// How long forgotten candidates stay in the state, hidden, for an undo.
const AGE_MAX: TimeDelta = TimeDelta::days(30);

/// Takes forgotten candidates off the review page, and out of the state once they can no longer be undone.
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
    MemoryTxn::open(workspace, now, Access::Write)?.hide_forgotten(now)
}

/// Removes a tombstone, after the review page shows again what it alone hides; returns how many candidates wait again.
pub(crate) fn lift_over(
    workspace: &Workspace,
    id: &TombstoneId,
    now: Timestamp,
) -> Result<usize, MemoryTxnError> {
    let opened = match is_nothing_known(workspace) {
        Ok(true) => None,
        Ok(false) => Some(MemoryTxn::open(workspace, now, Access::Write)),
        Err(error) => Some(Err(error)),
    };
    match opened {
        Some(Ok(mut txn)) => txn.lift(id, now),
        // What cannot be read shows nothing.
        None => {
            lift_tombstone(workspace, id)?;
            Ok(0)
        }
        Some(Err(error)) if error.is_unreadable_record() => {
            lift_tombstone(workspace, id)?;
            Ok(0)
        }
        Some(Err(error)) => Err(error),
    }
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
    let next = redacted(&desk.state, gone);
    desk.put_state(next, "something was redacted")
}

/// Takes forgotten text out of the state, the log of dreams included; no undo can restore it.
pub(crate) fn drop_forgotten_candidates(
    workspace: &Workspace,
    now: Timestamp,
) -> Result<(), MemoryTxnError> {
    if is_nothing_known(workspace)? {
        return Ok(());
    }
    let mut txn = MemoryTxn::open(workspace, now, Access::Write)?;
    let next = visible_part(&txn.state, &txn.forgotten);
    txn.put_state(next, "the copies of what was forgotten were deleted")
}

/// Material that no dream counts as read from now on.
#[derive(Debug)]
pub(crate) struct UnreadMaterial<'s> {
    /// The path of the transcript of a session.
    pub(crate) session: &'s str,
    /// The day and key of each note.
    pub(crate) notes: Vec<(Day, String)>,
}

/// Takes pending candidates, and the record that their material was read, out of the state, as if no dream had read it;
/// returns how many candidates there were.
pub(crate) fn take_back_candidates(
    workspace: &Workspace,
    (ids, unread): (&BTreeSet<CandidateId>, &UnreadMaterial<'_>),
    now: Timestamp,
) -> Result<usize, MemoryTxnError> {
    if is_nothing_known(workspace)? {
        return Ok(0);
    }
    let mut txn = MemoryTxn::open(workspace, now, Access::Write)?;
    let mut next = txn.state.clone();
    next.pending.retain(|own| !ids.contains(&own.id));
    next.backfilled.remove(unread.session);
    next.idle.remove(unread.session);
    for (day, key) in &unread.notes {
        if let Some(read) = next.consumed.get_mut(day) {
            read.remove(key);
        }
    }
    let n_taken = txn.state.pending.len() - next.pending.len();
    txn.put_state(next, "an import was undone")?;
    Ok(n_taken)
}

/// The pending candidates as last written, each with the lines of its block in `DREAMS.md`; `None` if the block
/// is missing.
pub(crate) fn waiting_candidates(
    workspace: &Workspace,
) -> Result<Vec<(Candidate, Option<LineRange>)>, MemoryTxnError> {
    let records = PendingRecords { workspace };
    let visible = visible_part(&records.state()?, &load_tombstones(workspace)?);
    let waiting = visible.pending;
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
    fn hide_forgotten(&mut self, now: Timestamp) -> Result<(), MemoryTxnError> {
        let old = self
            .forgotten
            .forgotten()
            .filter(|it| it.at + AGE_MAX < now);
        let old = Tombstones::new(old.cloned().collect());
        let mut next = self.state.clone();
        if !old.hides_nothing() {
            next = with_what_is_left(&next, |own| left_of(own, &old));
        }
        for own in &mut next.pending {
            // Its block is no longer missing, but not shown.
            if self.visible.candidate(&own.id).is_none() {
                own.is_shown = false;
                own.missing_since = None;
            }
        }
        self.put_state(next, "something was forgotten")?;
        self.records.show(&self.visible, now)?;
        Ok(())
    }

    fn lift(&mut self, id: &TombstoneId, now: Timestamp) -> Result<usize, MemoryTxnError> {
        let others = self.forgotten.all().iter().filter(|it| it.id != *id);
        let others = Tombstones::new(others.cloned().collect());
        let visible = visible_part(&self.state, &others);
        let is_again = |own: &Candidate| {
            visible.candidate(&own.id).is_some() && self.visible.candidate(&own.id).is_none()
        };
        let mut next = self.state.clone();
        // What the owner has written or rejected meanwhile does not wait again.
        let is_decided = |own: &Candidate| {
            stands_in(self.memory(), own) || self.state.was_rejected(&own.finding)
        };
        next.pending
            .retain(|own| !is_again(own) || !is_decided(own));
        let n_waiting = next.pending.iter().filter(|own| is_again(own)).count();
        // Shown before the tombstone goes: a missing block would count as rejected.
        self.records.show(&visible_part(&next, &others), now)?;
        lift_tombstone(self.records.workspace, id)?;
        (self.tombstones, self.forgotten) = (others.clone(), others);
        self.commit(StateChange::of_state(next, "forgotten text was restored"))?;
        Ok(n_waiting)
    }

    fn put_state(&mut self, next: DreamState, cause: &str) -> Result<(), MemoryTxnError> {
        if next == self.state {
            return Ok(());
        }
        self.commit(StateChange::of_state(next, cause))
    }
}

/// The state without forgotten text.
pub(super) fn visible_part(state: &DreamState, tombstones: &Tombstones) -> DreamState {
    if tombstones.hides_nothing() {
        return state.clone();
    }
    let mut next = with_what_is_left(state, |own| left_of(own, tombstones));
    let forgotten_at = tombstones.forgotten().map(|it| it.at).max();
    let mut log = std::mem::take(&mut next.log);
    for line in &mut log {
        // Details from before the forget may paraphrase the text, which no hash finds.
        if forgotten_at.is_some_and(|at| line.at <= at) {
            line.details.clear();
        }
        line.details.retain(|own| !tombstones.hides_text(&own.text));
        line.text = visible_cause(&line.text, (state, &next), tombstones);
    }
    DreamState { log, ..next }
}

/// The cause of a change without a text that is forgotten: by itself, or with the candidate that has its words.
pub(super) fn visible_cause(
    cause: &str,
    (state, visible): (&DreamState, &DreamState),
    tombstones: &Tombstones,
) -> String {
    let mut said = cause;
    while let Some(undone) = said.strip_prefix(UNDONE) {
        said = undone;
    }
    let mut asked = [REMEMBERED, CORRECTED].into_iter();
    let Some(text) = asked.find_map(|own| said.strip_prefix(own)) else {
        return cause.to_owned();
    };
    let asked = same_words(text);
    let has_it = |state: &DreamState| {
        let mut all = state.pending.iter().chain(&state.history);
        all.any(|own| own.wordings().any(|words| same_words(words) == asked))
    };
    if tombstones.hides_text(text) || has_it(state) && !has_it(visible) {
        let begin = cause.strip_suffix(text).unwrap_or_default();
        return format!("{begin}{FORGOTTEN}");
    }
    cause.to_owned()
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

/// The outcome of a review, without forgotten text.
pub(super) fn visible_review(done: Reviewed, tombstones: &Tombstones) -> Reviewed {
    let visible = |all: Vec<Candidate>| {
        let all = all.iter();
        all.filter_map(|own| left_of(own, tombstones)).collect()
    };
    Reviewed {
        accepted: visible(done.accepted),
        rejected: visible(done.rejected),
        ..done
    }
}

/// The candidate without forgotten text; `None` if its finding or all of its evidence is forgotten.
pub(super) fn left_of(own: &Candidate, tombstones: &Tombstones) -> Option<Candidate> {
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

/// The candidate without the given texts and entries; `None` if its finding or all of its evidence is forgotten.
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
