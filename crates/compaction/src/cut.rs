//! Chooses where the messages that leave the window end, and tells when they may leave without disturbing what is under way.
//!
//! Pure: never parts a tool call from its result, whatever the budget asks.

use std::collections::BTreeSet;

use base::{Message, TokenCount};
use session::{ViewContent, ViewItem};

use crate::budget::Budget;
use crate::shown::{Shown, is_result, is_summary, is_user};
use crate::trigger::ContextUsage;

/// The most that the newest messages may take of the room that prompt and suffix leave, in hundredths.
/// Twice this and a summary still fit.
const KEEP_OF_ROOM_PERCENT: u64 = 40;

/// The first item that stays in the window, for items as they are shown.
///
/// Everything before it leaves, the summary at the front included. Walks back from the newest item
/// until `keep` is spent and then forward to the next place where a cut is allowed. The newest user
/// message stays with all that follows it where this takes at most twice `keep`; the newest message,
/// or the newest calls with their results, stay in any case. `None` where everything fits into `keep`
/// or nothing can leave.
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

/// Where to cut what is shown, so that the request has room again; `None` where nothing can leave.
pub fn cut_point(shown: &Shown, usage: &ContextUsage, budget: &Budget) -> Option<usize> {
    cut(&shown.items, keep_recent(usage, budget))
}

/// How much of the newest messages stays: less than the settings ask where the prompt is large.
pub fn keep_recent(usage: &ContextUsage, budget: &Budget) -> TokenCount {
    let room = usage.room(budget);
    budget.keep_recent.min(room.percent(KEEP_OF_ROOM_PERCENT))
}

// Invariant: a tool result is never the first item that stays.
fn is_boundary(item: &ViewItem) -> bool {
    !is_result(item)
}

/// Whether no call of the last reply waits for its result. A call that a later message of the owner
/// passed over waits for nothing.
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

#[cfg(test)]
mod safe_point_tests {
    use super::*;
    use crate::fixture::view;

    #[test]
    fn a_call_that_waits_for_its_result_is_no_safe_point() {
        let cases = [
            ("", true),
            ("user: hi\nassistant: hello", true),
            ("user: hi\nassistant: call(a)", false),
            ("user: hi\nassistant: call(a) call(b)\ntool(b): done", false),
            (
                "user: hi\nassistant: call(a) call(b)\ntool(b): done\ntool(a): done",
                true,
            ),
            ("user: hi\nassistant: call(a)\nuser: never mind", true),
            ("summary: earlier", true),
            ("summary: earlier\ntool(a): late", true),
        ];
        for (conversation, expected) in cases {
            assert_eq!(
                is_safe_point(&view(conversation).items),
                expected,
                "{conversation}"
            );
        }
    }
}
