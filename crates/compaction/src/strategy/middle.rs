//! The strategy `middle`: keeps the first user message and the newest messages, and summarises the rest.
//!
//! Trims the history if no summary can be made.

use std::ops::Range;

use base::TokenCount;

use super::rules::{Asking, Moment, Rules, SummaryFrame};
use super::{Middle, Policy, WindowBounds};
use crate::budget::Budget;
use crate::event::Summarised;
use crate::shown::{CONTEXT_OPENING, Shown, is_result, is_summary, is_user};
use crate::trigger::ContextUsage;

const MESSAGES_MIN: usize = 2;

/// Trimming removes at least the history divided by this.
const TRIMMED_PART: usize = 5;

/// Maximum size of a summary.
const OUTPUT_MAX: TokenCount = TokenCount(4_096);

/// The last line of a summary.
pub(crate) const CONTEXT_CLOSING: &str = "[END CONTEXT SUMMARY]";

pub(crate) const PROMPT: &str = include_str!("../prompts/middle.md");

impl Rules for Middle {
    fn policy(&self, bounds: WindowBounds) -> Policy {
        bounds.owner_waits_from(self.threshold + TokenCount(1))
    }

    /// The items between the first user message and the newest messages. A call stays together with its result.
    fn leaving(
        &self,
        shown: &Shown,
        _usage: &ContextUsage,
        _budget: &Budget,
    ) -> Option<Range<usize>> {
        let items = &shown.items;
        // A summary at the front was made by another strategy; it is summarised with the rest.
        let start = match items.iter().position(|item| !is_summary(item)) {
            Some(0) if items.first().is_some_and(is_user) => 1,
            Some(_) | None => 0,
        };
        let mut end = items.len().checked_sub(self.protected_tail)?;
        while end > start && items.get(end).is_some_and(is_result) {
            end -= 1;
        }
        let zone = items.get(start..end)?;
        let n_messages = zone.iter().filter(|item| !is_summary(item)).count();
        (n_messages >= MESSAGES_MIN && end < items.len()).then_some(start..end)
    }

    /// All but the newest `messages_max` messages; `None` if these are less than a fifth. Without this bound, each
    /// turn would end an epoch to drop just two messages.
    fn dropped(&self, shown: &Shown) -> Option<Range<usize>> {
        let items = &shown.items;
        let n_summaries = items.iter().filter(|item| is_summary(item)).count();
        let n_messages = items.len() - n_summaries;
        let n_leaving = n_messages.saturating_sub(self.messages_max);
        if n_leaving == 0 || n_leaving * TRIMMED_PART < n_messages {
            return None;
        }
        let wanted = items.len().checked_sub(self.messages_max)?;
        let is_boundary = |at: &usize| items.get(*at).is_some_and(|item| !is_result(item));
        Some(0..(wanted..items.len()).find(is_boundary)?)
    }

    fn drops_no_more_than_that(&self) -> bool {
        true
    }

    fn asking(&self) -> Asking {
        Asking::Once
    }

    fn prompt(&self) -> &'static str {
        PROMPT
    }

    fn has_sections(&self) -> bool {
        false
    }

    fn framed(&self, frame: &SummaryFrame<'_>) -> String {
        let SummaryFrame {
            text, last_line, ..
        } = frame;
        format!("{CONTEXT_OPENING}\n{text}\n\n{last_line}\n{CONTEXT_CLOSING}")
    }

    fn output_max(&self) -> Option<TokenCount> {
        Some(OUTPUT_MAX)
    }

    fn estimated_threshold(&self) -> Option<TokenCount> {
        Some(self.threshold)
    }

    fn result_chars_max(&self) -> Option<usize> {
        Some(self.result_chars_max)
    }

    fn words(&self, by: &Summarised, moment: Moment) -> Option<String> {
        Some(match moment {
            Moment::Start => format!(
                "Compaction: estimated ~{} tokens, threshold {} \u{2014} compacting {} messages",
                by.before, self.threshold, by.n_messages
            ),
            Moment::End => format!(
                "Compaction: summarized {} messages into ~{} tokens, freed ~{} estimated tokens",
                by.n_messages, by.summary, by.freed
            ),
        })
    }
}
