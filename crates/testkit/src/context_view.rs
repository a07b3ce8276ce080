//! Shows a request as labelled lines, for people and for snapshots.
//!
//! Shortens long messages and says by how much; shows the whole system prompt.

use std::fmt::Write;

use base::model::Request;
use base::{Block, Message, ToolOutcome, head, tail};

use crate::normalise::without_ids;

/// The longest text that is shown whole, in characters.
const CHARS_WHOLE_MAX: usize = 240;

/// How many characters are shown of each end of a longer text.
const CHARS_OF_END: usize = 80;

/// Shows a request as labelled lines.
pub fn context_view(request: &Request) -> String {
    let mut view = format!("purpose: {:?}\n", request.purpose);
    writeln!(view, "output at most: {} tokens", request.output_max).unwrap();
    writeln!(view, "system: {}", request.system.trim_end()).unwrap();
    for tool in &request.tools {
        writeln!(view, "tool: {} {}", tool.name, tool.parameters).unwrap();
    }
    for (number, message) in (1..).zip(&request.messages) {
        writeln!(view, "[{number}] {}", show(message)).unwrap();
    }
    view
}

fn show(message: &Message) -> String {
    let speaker = match message {
        Message::User { name: None, .. } => "user".to_owned(),
        Message::User {
            name: Some(name), ..
        } => format!("user({name})"),
        Message::Assistant(_) => "assistant".to_owned(),
        Message::ToolResult(result) => {
            let failed = match result.outcome {
                ToolOutcome::Success => "",
                ToolOutcome::Failure => " failed",
            };
            format!("result({} #{}{failed})", result.tool_name, result.call_id)
        }
    };
    let blocks: Vec<String> = message.content().iter().map(show_block).collect();
    format!("{speaker}: {}", blocks.join(" "))
}

fn show_block(block: &Block) -> String {
    match block {
        Block::Text(text) => shorten(text),
        Block::Thinking(text) => format!("<thinks {}>", shorten(text)),
        Block::Image(image) => format!("<image {} {}>", image.mime_type, image.reference),
        Block::ToolCall(call) => {
            format!(
                "<call {} #{} {}>",
                call.name,
                call.id,
                shorten(&call.arguments)
            )
        }
        Block::Unknown { kind, n_bytes } => format!("<{kind}, {n_bytes} bytes>"),
    }
}

fn shorten(text: &str) -> String {
    // Ids are replaced before the cut, which could leave half an id.
    let text = without_ids(text);
    let n_chars = text.chars().count();
    if n_chars <= CHARS_WHOLE_MAX {
        return text.into_owned();
    }
    let n_hidden = n_chars - 2 * CHARS_OF_END;
    format!(
        "{} ... {n_hidden} characters ... {}",
        head(&text, CHARS_OF_END),
        tail(&text, CHARS_OF_END)
    )
}

#[cfg(test)]
mod tests {
    use base::model::{Purpose, ToolSpec};
    use base::{Assistant, TokenCount, ToolCall, ToolCallId, ToolResult};

    use super::*;

    #[test]
    fn context_view_of_request() {
        let id = ToolCallId::new("c1");
        let call = ToolCall {
            id: id.clone(),
            name: "read".into(),
            arguments: r#"{"path":"a"}"#.into(),
        };
        let content = vec![Block::Thinking("hm".into()), Block::ToolCall(call)];
        let result = ToolResult {
            call_id: id,
            tool_name: "read".into(),
            content: vec![Block::Text("x".repeat(1_000))],
            outcome: ToolOutcome::Failure,
        };
        let request = Request {
            purpose: Purpose::Chat,
            system: "Be brief.".into(),
            messages: vec![
                Message::user("hello"),
                Message::Assistant(Assistant {
                    content,
                    ..Assistant::default()
                }),
                Message::ToolResult(result),
            ],
            format: None,
            tools: vec![ToolSpec {
                name: "read".into(),
                description: "Reads a file".into(),
                parameters: "{}".into(),
            }],
            output_max: TokenCount(2_000),
            sampling: base::model::Sampling::Usual,
        };
        insta::assert_snapshot!(context_view(&request));
    }
}
