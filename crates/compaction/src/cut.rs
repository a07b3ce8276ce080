//! Chooses the cut between the messages that leave the window and those that stay, and detects safe points.
//!
//! Pure; never separates a tool call from its result, even if the budget is exceeded.

use std::collections::BTreeSet;

use base::{Message, TokenCount};
use session::{ViewContent, ViewItem};

use crate::budget::Budget;
use crate::shown::{Shown, is_result, is_summary, is_user};
use crate::trigger::ContextUsage;

/// Largest share of the room next to prefix and suffix that the newest messages may take, in hundredths. Twice this
/// share and a summary still fit.
const KEEP_OF_ROOM_PERCENT: u64 = 40;

/// The index of the first item that stays, for items as shown.
///
/// All items before it leave, including a summary at the front. Keeps as many of the newest items as fit into `keep`
/// tokens, starting where a cut is allowed. Extends this range back to the newest user message if the total is at
/// most twice `keep`. The newest message, or the newest calls with their results, always stay. `None` if everything
/// fits into `keep` or nothing can leave.
pub fn cut(items: &[ViewItem], keep: TokenCount) -> Option<usize> {
    if items.iter().map(|item| item.tokens).sum::<TokenCount>() <= keep {
        return None;
    }
    let first_message = 1 + items.iter().position(is_summary).unwrap_or(0);
    let allowed = |position: &usize| {
        items.get(*position).is_some_and(is_boundary)
            && items.iter().take(*position).any(|item| !is_summary(item))
    };
    let newest = (first_message..items.len()).rfind(allowed)?;

    let mut chosen = newest;
    let mut kept = TokenCount::ZERO;
    let mut since_user = None;
    for (position, item) in items.iter().enumerate().skip(first_message).rev() {
        kept += item.tokens;
        if since_user.is_none() && is_user(item) {
            since_user = Some((position, kept));
        }
        if kept <= keep && allowed(&position) {
            chosen = position;
        }
    }
    match since_user {
        Some((user, tokens)) if user < chosen && tokens <= keep + keep && allowed(&user) => {
            Some(user)
        }
        _ => Some(chosen),
    }
}

/// The index at which to cut the shown items to make room; `None` if nothing can leave.
pub fn cut_point(shown: &Shown, usage: &ContextUsage, budget: &Budget) -> Option<usize> {
    cut(&shown.items, keep_recent(usage, budget))
}

/// Tokens of the newest messages to keep. A large prefix reduces the configured number.
pub fn keep_recent(usage: &ContextUsage, budget: &Budget) -> TokenCount {
    let room = usage.room(budget);
    budget.keep_recent.min(room.percent(KEEP_OF_ROOM_PERCENT))
}

// Invariant: a tool result is never the first item that stays.
fn is_boundary(item: &ViewItem) -> bool {
    !is_result(item)
}

/// Whether no call in the last reply is pending. A later user message cancels a call without a result.
pub fn is_safe_point(items: &[ViewItem]) -> bool {
    let mut answered = BTreeSet::new();
    for item in items.iter().rev() {
        match &item.content {
            ViewContent::Message(Message::ToolResult(result)) => {
                answered.insert(result.call_id.as_str());
            }
            ViewContent::Message(message @ Message::Assistant(_)) => {
                return message
                    .tool_calls()
                    .all(|call| answered.contains(call.id.as_str()));
            }
            ViewContent::Message(Message::User { .. }) | ViewContent::Summary(_) => return true,
        }
    }
    true
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
