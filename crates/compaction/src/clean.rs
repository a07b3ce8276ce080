//! Makes a history whole that is to be summarised as a conversation: calls answered, the last word the
//! assistant's.
//!
//! Never touches the transcript: what it adds is said in a request alone.

use base::{Message, Origin};
use session::{ViewContent, ViewItem};

use crate::pairing;
use crate::show::sent_tokens;

/// What the assistant says where a tool had the last word.
const UNDERSTOOD: &str = "Understood.";

/// The items with a result for every call, and a reply where they end in a result.
pub(crate) fn clean(items: &[ViewItem]) -> Vec<ViewItem> {
    let (mut items, _) = pairing::pair(items);
    let last = items
        .last()
        .filter(|item| matches!(item.content, ViewContent::Message(Message::ToolResult(_))));
    if let Some(last) = last {
        let content = ViewContent::Message(Message::assistant(UNDERSTOOD));
        let reply = ViewItem {
            origin: Origin::System,
            tokens: sent_tokens(&content),
            content,
            ..last.clone()
        };
        items.push(reply);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{script, view};

    #[track_caller]
    fn check(conversation: &str, expected: &str) {
        assert_eq!(script(&clean(&view(conversation).items)), expected);
    }

    #[test]
    fn a_history_that_ends_in_a_result_is_answered_and_no_call_is_left_open() {
        check(
            "user: go\nassistant: call(a) call(b)\ntool(b): done",
            "user: go\nassistant: call(a) call(b)\ntool(b): done\ntool(a): Tool no response\n\
             assistant: Understood.",
        );
        check("user: go\nassistant: gone", "user: go\nassistant: gone");
        check("user: go", "user: go");
        check("", "");
    }
}
