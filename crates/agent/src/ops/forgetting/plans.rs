//! The plans that wait for consent.
//!
//! Kept in memory alone: a restart drops them, and the owner asks again.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Mutex;

use base::{EntryId, Locator, Timestamp, locked};
use memory::{ForgetPlan, OwnerLines, Tombstone, planned_tombstone};

use super::for_good::Removal;
use super::plan::ForgetItem;
use crate::knowledge::scope::Viewer;
use crate::ops::{OpContext, OpError};

/// Limit of plans that wait for consent; a further one evicts the oldest.
const PLANS_MAX: usize = 100;

/// The plans that wait for consent.
#[derive(Debug, Default)]
pub(crate) struct ForgetPlans(Mutex<VecDeque<WaitingPlan>>);

#[derive(Debug)]
struct WaitingPlan {
    token: String,
    /// Only who was shown the plan can confirm it.
    viewer: Viewer,
    planned: PlannedForget,
}

/// A plan, and what it does with lines of the owner.
#[derive(Debug, Clone)]
pub(super) struct PlannedForget {
    pub(super) plan: ForgetPlan,
    pub(super) owner_lines: OwnerLines,
    /// What the same request has hidden before and is now to be removed for good.
    pub(super) earlier: Vec<Tombstone>,
}

impl PlannedForget {
    /// What removing it for good takes out of the home. Call it before the plan is carried out.
    pub(super) fn removal(
        &self,
        owner_lines: OwnerLines,
        at: &OpContext<'_>,
    ) -> Result<Removal, OpError> {
        let mut tombstones = self.earlier.clone();
        if !self.plan.is_empty() {
            let now = at.home.clock.now();
            tombstones.push(planned_tombstone(&self.plan, owner_lines, now));
        }
        let lines = self.plan.lines.iter().map(|own| own.text.clone());
        let candidates = self.plan.candidates.iter().map(|own| own.finding.clone());
        Removal::of(&tombstones, lines.chain(candidates), at)
    }

    /// The passages, and the further lines of transcripts that a removal for good changes.
    pub(super) fn items(
        &self,
        owner_lines: OwnerLines,
        removal: Option<&Removal>,
        at: &OpContext<'_>,
    ) -> Result<Vec<ForgetItem>, OpError> {
        let mut items = ForgetItem::all(&self.plan, owner_lines);
        let Some(removal) = removal else {
            return Ok(items);
        };
        for item in items.iter_mut().filter(|item| item.keeper == "transcript") {
            item.action = "remove";
        }
        let known: BTreeSet<Locator> = items.iter().map(ForgetItem::place).collect();
        let more = removal.items(at)?.into_iter();
        items.extend(more.filter(|item| !known.contains(&item.place())));
        Ok(items)
    }
}

impl ForgetPlans {
    /// Keeps a plan; returns the token that confirms it.
    pub(super) fn keep(&self, planned: PlannedForget, viewer: &Viewer, now: Timestamp) -> String {
        // A token that could be computed would let a program confirm what the owner never saw.
        let token = EntryId::generate(now).to_string();
        let mut plans = locked(&self.0);
        if plans.len() >= PLANS_MAX {
            plans.pop_front();
        }
        plans.push_back(WaitingPlan {
            token: token.clone(),
            viewer: viewer.clone(),
            planned,
        });
        token
    }

    /// Takes out the plan that a token confirms.
    pub(super) fn take(&self, token: &str, viewer: &Viewer) -> Option<PlannedForget> {
        let mut plans = locked(&self.0);
        let is_meant = |own: &WaitingPlan| own.token == token && own.viewer == *viewer;
        let place = plans.iter().position(is_meant)?;
        plans.remove(place).map(|own| own.planned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> PlannedForget {
        PlannedForget {
            plan: ForgetPlan::default(),
            owner_lines: OwnerLines::Leave,
            earlier: Vec::new(),
        }
    }

    #[test]
    fn plan_is_taken_once_and_only_by_its_viewer() {
        let (plans, program) = (ForgetPlans::default(), Viewer::Program(None));
        let token = plans.keep(empty(), &program, Timestamp::default());
        assert!(plans.take("0000", &program).is_none());
        assert!(plans.take(&token, &Viewer::Owner).is_none());
        assert!(plans.take(&token, &program).is_some());
        assert!(plans.take(&token, &program).is_none());
    }

    #[test]
    fn plan_beyond_limit_evicts_oldest() {
        let plans = ForgetPlans::default();
        let keep = || plans.keep(empty(), &Viewer::Owner, Timestamp::default());
        let tokens: Vec<String> = (0..=PLANS_MAX).map(|_| keep()).collect();
        assert!(plans.take(&tokens[0], &Viewer::Owner).is_none());
        for token in &tokens[1..] {
            assert!(plans.take(token, &Viewer::Owner).is_some());
        }
    }
}
