//! Tells when older messages may leave without disturbing what is under way.
//!
//! Looks at the newest messages alone, however long the view is.

use std::collections::BTreeSet;

use base::Message;
use session::{ViewContent, ViewItem};

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
mod tests {
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
