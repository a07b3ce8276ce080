//! The strategy `replace`: one summary and the last request replace everything.
//!
//! Leaves a history of a single message alone.

use std::ops::Range;

use base::{Message, TokenCount, redact};
use session::ViewContent;

use crate::budget::Budget;
use crate::shorten;
use crate::shown::{Shown, is_summary};
use crate::summarise::SummaryPlan;

/// Shorter histories stay as they are.
const MESSAGES_MIN: usize = 2;

/// Tokens of a summary around its sections.
const FRAME: TokenCount = TokenCount(100);

/// The beginning of the last line of a summary.
const LAST_REQUEST: &str = "Last request from user was: ";

/// All items; `None` if there are fewer than `MESSAGES_MIN` messages.
pub(super) fn leaving(shown: &Shown) -> Option<Range<usize>> {
    let n_messages = shown.items.iter().filter(|item| !is_summary(item)).count();
    (n_messages >= MESSAGES_MIN).then_some(0..shown.items.len())
}

/// Adds the user's last request to a plan, from the span or from an earlier summary. Shortens it so that
/// summary and request together are not oversized.
pub(super) fn with_request(plan: SummaryPlan, budget: &Budget) -> SummaryPlan {
    let request = plan.span.iter().rev().find_map(|item| match &item.content {
        ViewContent::Message(message @ Message::User { .. }) => Some(message.text()),
        ViewContent::Summary(summary) => {
            let (_, request) = summary.rsplit_once(LAST_REQUEST)?;
            Some(request.to_owned())
        }
        ViewContent::Message(Message::Assistant(_) | Message::ToolResult(_)) => None,
    });
    let room = budget.oversized.saturating_sub(plan.output_max + FRAME);
    // Redact before shortening: half a secret is not recognised.
    let last_request = request.map(|request| {
        shorten::middle(&redact(&request), room, |hidden| {
            format!("[... {hidden} tokens are not shown here ...]")
        })
    });
    SummaryPlan {
        last_request,
        ..plan
    }
}

/// The end of the summary: the user's last request.
pub(crate) fn last_request(plan: &SummaryPlan) -> Option<String> {
    let request = plan.last_request.as_ref()?;
    Some(format!("{LAST_REQUEST}{request}"))
}
