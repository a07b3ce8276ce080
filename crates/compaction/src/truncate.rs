//! The last rung: drops older messages and states how many.
//!
//! Needs no model and always terminates.

use base::TokenCount;
use session::View;

use crate::audit::Audit;
use crate::budget::Budget;
use crate::cut;
use crate::rung::Rung;
use crate::shown::{Shown, summary_tokens};
use crate::summarise::{Summary, SummaryPlan};
use crate::trigger::ContextUsage;

const MARKER_START: &str = "[System: ";
const MARKER_END: &str = " older messages were truncated due to context limits]";

/// A compaction without a new summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Truncation {
    /// The messages that leave.
    pub plan: SummaryPlan,
    /// The replacement: the earlier summary if there is room for it, and a line with the number of dropped messages.
    pub text: String,
}

impl Truncation {
    /// The replacement as an audited summary. Reads every message that leaves, so it takes seconds for a long span.
    pub fn audited(&self) -> Summary {
        Summary::new(self.text.clone(), Rung::Truncate, &Audit::of(&self.plan))
    }
}

/// Drops as many older messages as needed to free the reserve: first those that a summary would replace, then more,
/// finally all but the newest. `None` if nothing can leave.
pub fn truncate(
    view: &View,
    shown: &Shown,
    usage: &ContextUsage,
    budget: &Budget,
) -> Option<Truncation> {
    let mut keep = cut::keep_recent(usage, budget);
    let mut last = None;
    loop {
        let at = cut::cut(&shown.items, keep);
        let found =
            at.and_then(|at| SummaryPlan::new(view, shown, (0..at, budget.strategy), usage));
        if let Some(plan) = found {
            let (plan, text) = truncation(plan, budget, budget.full);
            if plan.is_effective(&text) {
                if plan.tokens_after(&text) < budget.full {
                    return Some(Truncation { plan, text });
                }
                last = Some(Truncation { plan, text });
            }
        }
        if keep == TokenCount::ZERO {
            return last;
        }
        keep = TokenCount(keep.0 / 2);
    }
}

/// Drops the items of a plan; `None` if that frees too little.
pub(crate) fn truncate_to(plan: SummaryPlan, budget: &Budget) -> Option<Truncation> {
    let (plan, text) = truncation(plan, budget, budget.request_max());
    plan.is_effective(&text)
        .then_some(Truncation { plan, text })
}

/// The text of a truncation: the marker, after the earlier summary if the request then stays below `goal`.
fn truncation(plan: SummaryPlan, budget: &Budget, goal: TokenCount) -> (SummaryPlan, String) {
    let previous = plan.previous();
    let (earlier, n_before) = previous.map_or(("", 0), |(_, summary)| counted(summary));
    let n_leaving = u64::try_from(plan.n_messages()).unwrap_or(u64::MAX);
    let n_missing = n_leaving.saturating_add(n_before);
    let marker = format!("{MARKER_START}{n_missing}{MARKER_END}");
    let with_earlier = format!("{earlier}\n\n{marker}");
    let fits = !earlier.is_empty()
        && summary_tokens(&with_earlier) <= budget.oversized
        && plan.is_effective(&with_earlier)
        && plan.tokens_after(&with_earlier) < goal;
    let text = if fits { with_earlier } else { marker };
    (plan, text)
}

/// Splits the marker off an earlier summary and reads the number of messages in it.
fn counted(summary: &str) -> (&str, u64) {
    let read = || {
        let (earlier, marker) = summary.rsplit_once(MARKER_START)?;
        let n_missing = marker.strip_suffix(MARKER_END)?.parse().ok()?;
        Some((earlier.trim_end(), n_missing))
    };
    read().unwrap_or((summary, 0))
}

#[cfg(test)]
#[path = "truncate_tests.rs"]
mod tests;
