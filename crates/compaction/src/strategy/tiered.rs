//! The strategy `tiered`: the oldest part leaves, and more of it if the window is fuller; summaries stack.
//!
//! The shares that leave are shares of messages, not of tokens.

use std::ops::Range;

use base::TokenCount;
use session::ViewItem;

use super::rules::{Asking, Rules, SummaryFrame};
use super::{Policy, Tiered, Waiting, WindowBounds};
use crate::budget::Budget;
use crate::shown::{Shown, is_result, is_summary};
use crate::trigger::ContextUsage;

/// The oldest part to summarise, in hundredths of the messages...
const OLDEST_PERCENT: usize = 30;

/// ...and the part if the window is fuller, or in an emergency.
const OLDEST_PRESSING_PERCENT: usize = 50;

/// The stack of summaries is summarised as well if it exceeds this share of the window, in hundredths.
const STACK_PERCENT: u64 = 10;

/// Tokens that a summary needs around its text.
const FRAME: TokenCount = TokenCount(100);

/// The opening of a summary.
pub(crate) const STACKED: &str = "[Compaction Summary]: ";

pub(crate) const PROMPT: &str = include_str!("../prompts/tiered.md");

impl Rules for Tiered {
    fn policy(&self, bounds: WindowBounds) -> Policy {
        let emergency = self.emergency.of(bounds.window).min(bounds.too_large());
        Policy {
            trigger: self.background.of(bounds.window).min(emergency),
            lasts_max: emergency.saturating_sub(TokenCount(1)),
            waiting: Waiting::Nobody,
            emergency,
        }
    }

    fn leaving(
        &self,
        shown: &Shown,
        usage: &ContextUsage,
        budget: &Budget,
    ) -> Option<Range<usize>> {
        let percent = if usage.total() < self.aggressive.of(budget.window) {
            OLDEST_PERCENT
        } else {
            OLDEST_PRESSING_PERCENT
        };
        oldest(shown, percent)
    }

    fn dropped(&self, shown: &Shown) -> Option<Range<usize>> {
        oldest(shown, OLDEST_PRESSING_PERCENT)
    }

    fn asking(&self) -> Asking {
        Asking::WithNotes
    }

    fn prompt(&self) -> &'static str {
        PROMPT
    }

    fn has_sections(&self) -> bool {
        false
    }

    fn framed(&self, frame: &SummaryFrame<'_>) -> String {
        format!("{STACKED}{}\n\n{}", frame.text, frame.last_line)
    }

    /// Earlier summaries stay unless they exceed their share of the window.
    fn keeps_summaries(&self, span: &[ViewItem], output_max: TokenCount, budget: &Budget) -> bool {
        let summaries = span.iter().filter(|item| is_summary(item));
        let stack: TokenCount = summaries.map(|item| item.tokens).sum();
        let is_shown_whole = stack + output_max + FRAME <= budget.oversized;
        stack <= budget.window.percent(STACK_PERCENT) && is_shown_whole
    }
}

/// The oldest messages: a share, rounded down, but at least one message. Never includes a call without its result, or
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
