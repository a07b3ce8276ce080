//! Makes a plan of what the strategy removes, and a compaction entry of a plan and its summary.
//!
//! The only place that dispatches on the strategy to choose what leaves.

use std::ops::Range;

use base::EntryId;
use session::{Artifacts, Compaction, CompactionDetails, Epoch, FileState, View};

use super::{Strategy, middle, replace, tiered};
use crate::budget::Budget;
use crate::cut::cut_point;
use crate::shown::Shown;
use crate::summarise::{Summary, SummaryPlan};
use crate::trigger::{ContextUsage, Leaves};
use crate::truncate::{Truncation, truncate, truncate_to};

/// How messages can leave at the current size.
pub fn leaves(shown: &Shown, usage: &ContextUsage, budget: &Budget) -> Leaves {
    if leaving(shown, usage, budget).is_some() {
        Leaves::BySummary
    } else if is_too_large(usage, budget) && cut_point(shown, usage, budget).is_some() {
        Leaves::ByTruncation
    } else {
        Leaves::Nothing
    }
}

/// Plans what the strategy removes at the current size; `None` if it removes nothing.
pub fn plan(
    view: &View,
    shown: &Shown,
    usage: &ContextUsage,
    budget: &Budget,
) -> Option<SummaryPlan> {
    let leaving = leaving(shown, usage, budget)?;
    let plan = SummaryPlan::new(view, shown, (leaving, budget.strategy), usage)?;
    Some(for_strategy(plan, budget))
}

/// Plans to remove everything before a cut that was chosen earlier; `None` if its entry has left the view.
pub fn plan_up_to(
    view: &View,
    shown: &Shown,
    first_kept: &EntryId,
    usage: &ContextUsage,
    budget: &Budget,
) -> Option<SummaryPlan> {
    let mut items = shown.items.iter();
    let cut = items.position(|item| item.entry == *first_kept)?;
    let plan = SummaryPlan::new(view, shown, (0..cut, budget.strategy), usage)?;
    Some(for_strategy(plan, budget))
}

/// Plans a truncation, for when no summary can be made or there is no time for one.
pub fn truncation(
    view: &View,
    shown: &Shown,
    usage: &ContextUsage,
    budget: &Budget,
) -> Option<Truncation> {
    let in_general = || truncate(view, shown, usage, budget);
    let first = match &budget.strategy {
        Strategy::Tiered(_) => tiered::dropped(shown),
        Strategy::Middle(middle) => middle::trimmed(shown, middle),
        Strategy::Handoff | Strategy::Replace(_) | Strategy::Off => return in_general(),
    };
    let plan = |leaving| SummaryPlan::new(view, shown, (leaving, budget.strategy), usage);
    let first = first.and_then(plan);
    let first = first.and_then(|plan| truncate_to(plan, budget));
    match (first, &budget.strategy) {
        (None, Strategy::Middle(_)) if !is_too_large(usage, budget) => None,
        (None, _) => in_general(),
        (found, _) => found,
    }
}

fn leaving(shown: &Shown, usage: &ContextUsage, budget: &Budget) -> Option<Range<usize>> {
    match &budget.strategy {
        Strategy::Handoff | Strategy::Off => Some(0..cut_point(shown, usage, budget)?),
        Strategy::Replace(_) => replace::leaving(shown),
        Strategy::Tiered(tiered) => tiered::leaving(shown, usage, (budget, tiered)),
        Strategy::Middle(middle) => middle::leaving(shown, middle),
    }
}

fn for_strategy(plan: SummaryPlan, budget: &Budget) -> SummaryPlan {
    let plan = SummaryPlan {
        shown_max: Some(budget.oversized),
        ..plan
    };
    match &budget.strategy {
        Strategy::Handoff | Strategy::Off => plan,
        Strategy::Replace(_) => replace::with_request(plan, budget),
        Strategy::Tiered(_) => tiered::stacked(plan, budget),
        Strategy::Middle(_) => plan.with_output_max(middle::OUTPUT_MAX),
    }
}

fn is_too_large(usage: &ContextUsage, budget: &Budget) -> bool {
    usage.total() > budget.request_max()
}

/// The compaction entry of a plan and its summary; `epoch` is the one that it ends.
///
/// The caller completes it: `first_kept` must be the entry's own id if the plan keeps nothing, and
/// `keep_first` needs the offsets of messages kept before the summary.
pub fn compaction_entry(plan: &SummaryPlan, summary: Summary, epoch: Epoch) -> Compaction {
    let details = CompactionDetails {
        span: plan.ends(),
        tokens_after: Some(plan.tokens_after(&summary.text)),
        ratio_percent: Some(plan.ratio_percent(&summary.text)),
        retention_percent: summary.retention_percent,
        strategy: Some(plan.strategy.as_str().to_owned()),
        rung: Some(summary.rung.as_str().to_owned()),
        failed_rungs: summary
            .failed
            .iter()
            .map(|it| it.as_str().to_owned())
            .collect(),
        read_files: paths(&summary.artifacts, FileState::Read),
        modified_files: paths(&summary.artifacts, FileState::Written),
        artifacts: summary.artifacts,
        ..CompactionDetails::default()
    };
    Compaction {
        epoch: Some(epoch),
        summary: summary.text,
        first_kept: plan.first_kept.clone().unwrap_or_else(|| EntryId::new("")),
        tokens_before: plan.tokens_before,
        details,
    }
}

fn paths(artifacts: &Artifacts, state: FileState) -> Vec<String> {
    let files = artifacts.files.iter().filter(|file| file.state == state);
    files.map(|file| file.path.clone()).collect()
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
