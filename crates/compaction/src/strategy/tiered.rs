//! The strategy `tiered`: the oldest part leaves, a larger one if the window is fuller; summaries stack.
//!
//! The shares that leave are shares of messages, not of tokens.

use std::ops::Range;

use base::TokenCount;

use super::Tiered;
use crate::budget::Budget;
use crate::shown::{Shown, is_result, is_summary};
use crate::summarise::SummaryPlan;
use crate::trigger::ContextUsage;

/// The oldest part to summarise, in hundredths of the messages...
const OLDEST_PERCENT: usize = 30;

/// ...and the part if the window is fuller, or in an emergency.
const OLDEST_PRESSING_PERCENT: usize = 50;

/// Summarise the stack of summaries as well if it exceeds this share of the window, in hundredths.
const STACK_PERCENT: u64 = 10;

/// The oldest messages to summarise at the current size.
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

/// Carries the earlier summaries over unchanged, unless they exceed their share.
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

/// The oldest messages, as a share rounded down, at least one; never a call without its result, and never
/// the last message.
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
