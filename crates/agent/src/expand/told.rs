//! What a message says, as text.
//!
//! Leaves nothing out but what the model thought.

use base::{Block, Message, counted};
use session::{ViewContent, ViewItem};

/// The whole text of an item.
pub(super) fn told(item: &ViewItem) -> String {
    let message = match &item.content {
        ViewContent::Message(message) => message,
        ViewContent::Summary(summary) => return summary.clone(),
    };
    let parts: Vec<String> = message.content().iter().filter_map(block).collect();
    parts.join("\n")
}

fn block(block: &Block) -> Option<String> {
    match block {
        Block::Text(text) => Some(text.clone()),
        Block::Thinking(_) => None,
        Block::Image(image) => Some(format!("[image {}: {}]", image.mime_type, image.reference)),
        Block::ToolCall(call) => Some(format!("[calls {} with {}]", call.name, call.arguments)),
        Block::Unknown { kind, n_bytes } => Some(format!(
            "[{kind}, {}]",
            counted(*n_bytes as u64, "byte", "bytes")
        )),
    }
}

/// Who says it.
pub(super) fn speaker(item: &ViewItem) -> String {
    match &item.content {
        ViewContent::Summary(_) => "summary".to_owned(),
        ViewContent::Message(Message::User {
            name: Some(name), ..
        }) => format!("user {name}"),
        ViewContent::Message(Message::ToolResult(result)) => format!("tool {}", result.tool_name),
        ViewContent::Message(message @ (Message::User { .. } | Message::Assistant(_))) => {
            message.role().to_owned()
        }
    }
}
