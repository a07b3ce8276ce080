//! The strategy `replace`: one summary and the last request take the place of everything.
//!
//! Leaves a history alone that one message makes.

use std::ops::Range;

use base::{Message, TokenCount, redact};
use session::ViewContent;

use crate::budget::Budget;
use crate::shorten;
use crate::shown::{Shown, is_summary};
use crate::summarise::SummaryPlan;

/// A history of fewer messages is left alone.
const MESSAGES_MIN: usize = 2;

/// What a summary has around its sections.
const FRAME: TokenCount = TokenCount(100);

/// What the last line of the summary opens with.
const LAST_REQUEST: &str = "Last request from user was: ";

/// Everything, where that is a conversation.
pub(super) fn leaving(shown: &Shown) -> Option<Range<usize>> {
    let n_messages = shown.items.iter().filter(|item| !is_summary(item)).count();
    (n_messages >= MESSAGES_MIN).then_some(0..shown.items.len())
}

/// The plan with what the user asked for last: said in the span, or told by the summary before it. With
/// its summary it is shown whole; what is too large for that is shortened.
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
    // Redacted before it is shortened: half a secret is not recognised.
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

/// The end of the summary: what the user asked for last.
pub(crate) fn last_request(plan: &SummaryPlan) -> Option<String> {
    let request = plan.last_request.as_ref()?;
    Some(format!("{LAST_REQUEST}{request}"))
}
