//! What taking a forgetting back makes of candidates.
//!
//! Pure; overrules nothing that was decided since.

use base::Timestamp;

use super::evidence::Evidence;
use super::model::{Candidate, Proposal, Status};
use super::state::{DreamState, same_words};
use crate::curated::memory_lines;

/// The state with what was kept of forgotten candidates, and how many of them wait again.
///
/// What is known by its id, or says what was decided or is proposed since, only gets its evidence back: its
/// words and what became of it are as the owner left them. What `MEMORY.md` says waits no more.
pub(super) fn given_back(
    state: &DreamState,
    memory: &str,
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
