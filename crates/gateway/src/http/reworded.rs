//! Candidates as they were before the owner accepted them in other words, until that decision is undone.
//!
//! Bounded: the newest stay.

use std::collections::VecDeque;
use std::sync::Mutex;

use base::locked;
use memory::candidates::Candidate;

const KEPT_MAX: usize = 50;

/// Each candidate with what identifies the decision.
#[derive(Debug, Default)]
pub(crate) struct Reworded(Mutex<VecDeque<(String, Candidate)>>);

impl Reworded {
    pub(crate) fn keep(&self, left: &str, before: Candidate) {
        let mut kept = locked(&self.0);
        if kept.len() == KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back((left.to_owned(), before));
    }

    /// The candidate before that decision.
    pub(crate) fn before(&self, left: &str) -> Option<Candidate> {
        let kept = locked(&self.0);
        let own = kept.iter().rev().find(|(own, _)| own == left);
        own.map(|(_, before)| before.clone())
    }
}
