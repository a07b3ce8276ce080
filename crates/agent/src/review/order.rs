//! Orders candidates for review and links each to older ones about the same thing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use memory::candidates::{Candidate, CandidateId, DreamState, Status};

/// The order in which candidates are reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewOrder {
    /// Newest first; candidates that may be about the same thing are adjacent.
    pub ids: Vec<CandidateId>,
    /// For each candidate, the older ones that may be about the same thing.
    pub older: BTreeMap<CandidateId, Vec<CandidateId>>,
}

impl ReviewOrder {
    /// Orders the pending candidates.
    pub fn of(pending: &[Candidate]) -> Self {
        let mut rest: Vec<&Candidate> = pending.iter().collect();
        // Within a day, the one proposed later comes first.
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
        // "Older" means of an earlier day, and near this candidate itself rather than near its group.
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

    /// The older candidates that may be about the same thing as this one.
    pub fn older_than(&self, id: &CandidateId) -> &[CandidateId] {
        self.older.get(id).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The candidates with these ids that are still pending.
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
