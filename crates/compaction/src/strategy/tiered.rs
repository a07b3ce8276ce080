//! The strategy `tiered`: the oldest part leaves, the more the fuller the window; summaries stack.
//!
//! Counts messages, not tokens: the shares are shares of what was said.

use std::ops::Range;

use base::TokenCount;

use super::Tiered;
use crate::budget::Budget;
use crate::shown::{Shown, is_result, is_summary};
use crate::summarise::SummaryPlan;
use crate::trigger::ContextUsage;

/// The oldest part that is summarised, in hundredths of the messages...
const OLDEST_PERCENT: usize = 30;

/// ...where the window is fuller, and where no model is asked.
const OLDEST_PRESSING_PERCENT: usize = 50;

/// A stack of summaries above this share of the window, in hundredths, is summarised with the rest.
const STACK_PERCENT: u64 = 10;

/// The oldest messages that are to be summarised, at the present size.
pub(super) fn leaving(
    shown: &Shown,
    usage: &ContextUsage,
    (budget, tiered): (&Budget, &Tiered),
) -> Option<Range<usize>> {
    let percent = if usage.total() < tiered.aggressive.of(budget.window) {
        OLDEST_PERCENT
    } else {
        OLDEST_PRESSING_PERCENT
    };
    oldest(shown, percent)
}

/// The oldest messages that leave without a summary.
pub(super) fn dropped(shown: &Shown) -> Option<Range<usize>> {
    oldest(shown, OLDEST_PRESSING_PERCENT)
}

const FRAME: TokenCount = TokenCount(100);

/// The plan with earlier summaries left as they are, unless they have outgrown their share.
pub(super) fn stacked(plan: SummaryPlan, budget: &Budget) -> SummaryPlan {
    let summaries = plan.span.iter().filter(|item| is_summary(item));
    let stack: TokenCount = summaries.map(|item| item.tokens).sum();
    let is_shown_whole = stack + plan.output_max + FRAME <= budget.oversized;
    if stack <= budget.window.percent(STACK_PERCENT) && is_shown_whole {
        plan.carrying()
    } else {
        plan
    }
}

/// A share of the messages from the oldest on, rounded down and at least one; never a call without its
/// result, and never the last.
fn oldest(shown: &Shown, percent: usize) -> Option<Range<usize>> {
    let items = &shown.items;
    let first = items.iter().take_while(|item| is_summary(item)).count();
    let n_messages = items.len() - first;
    let wanted = first + (n_messages * percent / 100).max(1);
    let is_boundary = |at: &usize| items.get(*at).is_some_and(|item| !is_result(item));
    let ahead = (wanted..items.len()).find(is_boundary);
    let behind = (first + 1..wanted).rev().find(is_boundary);
    Some(0..ahead.or(behind)?)
}
