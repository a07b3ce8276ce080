//! The strategy `replace`: one summary and the last request replace everything.
//!
//! Does not change a history of a single message.

use std::ops::Range;

use base::{Message, TokenCount, redact};
use session::{ViewContent, ViewItem};

use super::rules::{Rules, SummaryFrame};
use super::{Policy, Replace, WindowBounds};
use crate::budget::Budget;
use crate::rung::Rung;
use crate::shorten;
use crate::shown::{Shown, is_summary};
use crate::trigger::ContextUsage;

/// A history with fewer messages is not compacted.
const MESSAGES_MIN: usize = 2;

/// Tokens that a summary needs around its sections.
const FRAME: TokenCount = TokenCount(100);

/// The beginning of the last line of a summary.
const LAST_REQUEST: &str = "Last request from user was: ";

impl Rules for Replace {
    fn policy(&self, bounds: WindowBounds) -> Policy {
        match self.threshold {
            Some(threshold) => bounds.owner_waits_from(threshold),
            None => bounds.only_if_too_large(),
        }
    }

    /// All items; `None` if there are fewer than `MESSAGES_MIN` messages.
    fn leaving(
        &self,
        shown: &Shown,
        _usage: &ContextUsage,
        _budget: &Budget,
    ) -> Option<Range<usize>> {
        let n_messages = shown.items.iter().filter(|item| !is_summary(item)).count();
        (n_messages >= MESSAGES_MIN).then_some(0..shown.items.len())
    }

    fn first_rung(&self, best: Rung) -> Rung {
        if self.threshold.is_some() {
            best
        } else {
            Rung::Truncate
        }
    }

    /// The request from the span or from an earlier summary, shortened so that summary and request together are not
    /// oversized.
    fn last_request(
        &self,
        span: &[ViewItem],
        output_max: TokenCount,
        budget: &Budget,
    ) -> Option<String> {
        let request = span.iter().rev().find_map(|item| match &item.content {
            ViewContent::Message(message @ Message::User { .. }) => Some(message.text()),
            ViewContent::Summary(summary) => {
                let (_, request) = summary.rsplit_once(LAST_REQUEST)?;
                Some(request.to_owned())
            }
            ViewContent::Message(Message::Assistant(_) | Message::ToolResult(_)) => None,
        });
        let room = budget.oversized.saturating_sub(output_max + FRAME);
        // Redaction comes before shortening, because half a secret is not recognised.
        request.map(|request| {
            shorten::middle(&redact(&request), room, |hidden| {
                format!("[... {hidden} tokens are not shown here ...]")
            })
        })
    }

    fn framed(&self, frame: &SummaryFrame<'_>) -> String {
        let SummaryFrame {
            text, last_line, ..
        } = frame;
        match frame.last_request {
            Some(request) => format!("{text}\n\n{last_line}\n\n{LAST_REQUEST}{request}"),
            None => format!("{text}\n\n{last_line}"),
        }
    }

    fn replaces_everything(&self) -> bool {
        true
    }
}
