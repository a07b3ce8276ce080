//! The candidates as they were: those that had been proposed, each as it had been decided by then.

use base::Timestamp;

use crate::candidates::{Candidate, DreamState, Status};

/// The state at a moment.
pub(super) fn state_at(state: DreamState, at: Timestamp) -> DreamState {
    let (decided, waiting): (Vec<Candidate>, Vec<Candidate>) = state
        .history
        .into_iter()
        .filter(|own| own.proposed_at <= at)
        .partition(|own| own.decided_at.is_none_or(|decided| decided <= at));
    let waiting = waiting.into_iter().map(|own| Candidate {
        status: Status::Pending,
        decided_at: None,
        ..own
    });
    let pending = state
        .pending
        .into_iter()
        .filter(|own| own.proposed_at <= at);
    let mut pending: Vec<Candidate> = pending.chain(waiting).collect();
    pending.sort_by_key(|own| own.proposed_at);
    let mut log = state.log;
    log.retain(|line| line.at <= at);
    DreamState {
        pending,
        history: decided,
        log,
        dreamt_at: state.dreamt_at.filter(|it| *it <= at),
        ..state
    }
}
