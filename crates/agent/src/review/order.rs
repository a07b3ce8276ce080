//! In which order candidates are reviewed, and which may be older words for the same.
//!
//! Decides nothing about them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use memory::candidates::{Candidate, CandidateId, DreamState, Status};

/// The order of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewOrder {
    /// What may be about the same stands together, the newest first.
    pub ids: Vec<CandidateId>,
    /// Of each the older ones that may be about the same.
    pub older: BTreeMap<CandidateId, Vec<CandidateId>>,
}

impl ReviewOrder {
    /// The order of what waits.
    pub fn of(pending: &[Candidate]) -> Self {
        let mut rest: Vec<&Candidate> = pending.iter().collect();
        // Of one day what was proposed later comes first.
        rest.sort_by_key(|own| Reverse((own.day, own.proposed_at)));
        let mut ids = Vec::new();
        while !rest.is_empty() {
            let newest = rest.remove(0);
            let findings: Vec<&str> = rest.iter().map(|own| own.finding.as_str()).collect();
            let near = dreaming::near(&newest.finding, &findings);
            let mut places = 0..;
            let (beside, others) = rest
                .iter()
                .partition(|_| places.next().is_some_and(|place| near.contains(&place)));
            rest = others;
            let group: Vec<&Candidate> = beside;
            ids.extend([newest].iter().chain(&group).map(|own| own.id.clone()));
        }
        // Only what is of an earlier day is older, and only what may be about the same as this one itself.
        let findings: Vec<&str> = pending.iter().map(|own| own.finding.as_str()).collect();
        let older = pending.iter().map(|own| {
            let near = dreaming::near(&own.finding, &findings).into_iter();
            let near = near.filter_map(|place| pending.get(place));
            let mut near: Vec<&Candidate> = near.filter(|other| other.day < own.day).collect();
            near.sort_by_key(|other| Reverse((other.day, other.proposed_at)));
            let near = near.into_iter().map(|other| other.id.clone());
            (own.id.clone(), near.collect())
        });
        Self {
            ids,
            older: older.collect(),
        }
    }

    /// Of a candidate the older ones that may be about the same.
    pub fn older_than(&self, id: &CandidateId) -> &[CandidateId] {
        self.older.get(id).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Those of the candidates that still wait.
pub fn waiting_among(state: &DreamState, ids: &[CandidateId]) -> Vec<Candidate> {
    let found = ids.iter().filter_map(|id| state.candidate(id));
    found
        .filter(|own| own.status == Status::Pending)
        .cloned()
        .collect()
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
