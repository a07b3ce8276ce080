//! Plans what the strategy removes, and makes a compaction entry from a plan and its summary.
//!
//! Uses only the rules of the strategy, never its name.

use std::ops::Range;

use base::EntryId;
use session::{Artifacts, Compaction, CompactionDetails, Epoch, FileState, View};

use crate::budget::Budget;
use crate::cut::cut_point;
use crate::shown::Shown;
use crate::summarise::{Summary, SummaryPlan};
use crate::trigger::{ContextUsage, Leaves};
use crate::truncate::{Truncation, truncate, truncate_to};

/// Which ways of removing messages are possible at the current size.
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

/// Plans a truncation, for when no summary can be made in time or at all.
pub fn truncation(
    view: &View,
    shown: &Shown,
    usage: &ContextUsage,
    budget: &Budget,
) -> Option<Truncation> {
    let rules = budget.strategy.rules();
    let plan = |leaving| SummaryPlan::new(view, shown, (leaving, budget.strategy), usage);
    let first = rules.dropped(shown).and_then(plan);
    let first = first.and_then(|plan| truncate_to(plan, budget));
    if first.is_some() || rules.drops_no_more_than_that() && !is_too_large(usage, budget) {
        return first;
    }
    truncate(view, shown, usage, budget)
}

fn leaving(shown: &Shown, usage: &ContextUsage, budget: &Budget) -> Option<Range<usize>> {
    budget.strategy.rules().leaving(shown, usage, budget)
}

fn for_strategy(plan: SummaryPlan, budget: &Budget) -> SummaryPlan {
    let rules = budget.strategy.rules();
    let plan = SummaryPlan {
        shown_max: Some(budget.oversized),
        last_request: rules.last_request(&plan.span, plan.output_max, budget),
        ..plan
    };
    let keeps_summaries = rules.keeps_summaries(&plan.span, plan.output_max, budget);
    let plan = if keeps_summaries {
        plan.carrying()
    } else {
        plan
    };
    match rules.output_max() {
        Some(max) => plan.with_output_max(max),
        None => plan,
    }
}

fn is_too_large(usage: &ContextUsage, budget: &Budget) -> bool {
    usage.total() > budget.request_max()
}

/// The compaction entry for a plan and its summary; `epoch` is the epoch that it ends.
///
/// The caller completes the entry: `first_kept` must be the entry's own id if the plan keeps nothing, and
/// `keep_first` needs the offsets of the messages kept before the summary.
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
