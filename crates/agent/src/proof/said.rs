//! Which texts of a conversation are its own.

use base::Message;

use crate::tools::spec;

/// Whether the text of a message comes from its conversation: a person, a model or a foreign tool said it there. Replies
/// of the offline engine and answers of the program's own tools are phrases of the program and quotations from memory.
pub fn is_of_conversation(message: &Message) -> bool {
    match message {
        Message::User { .. } => true,
        Message::Assistant(_) => !extract::is_own_reply(&message.text()),
        Message::ToolResult(result) => !spec::is_own(&result.tool_name),
    }
}

#[cfg(test)]
mod tests {
    use base::{ToolCallId, ToolOutcome, ToolResult};

    use super::*;

    #[test]
    fn phrases_of_program_and_answers_of_its_tools_are_not_of_conversation() {
        let result = |name: &str| {
            Message::ToolResult(ToolResult {
                call_id: ToolCallId::new("c1"),
                tool_name: name.to_owned(),
                content: Vec::new(),
                outcome: ToolOutcome::Success,
            })
        };
        for (message, expected) in [
            (Message::user("I am offline. I will note:"), true),
            (Message::assistant("The ferry leaves at noon."), true),
            (
                Message::assistant("I am offline. I will note:\n- The ferry"),
                false,
            ),
            (Message::assistant("Ich bin offline."), true),
            (result("weather"), true),
            (result("memory_search"), false),
        ] {
            assert_eq!(is_of_conversation(&message), expected, "{message:?}");
        }
    }
}
