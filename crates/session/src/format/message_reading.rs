//! Reads messages, both this program's and those of other programs with the same format.
//!
//! Lenient: drops malformed details, and turns unknown blocks into `Block::Unknown`.

use base::{
    Assistant, Block, Image, Message, Origin, ToolCall, ToolCallId, ToolOutcome, ToolResult, Usage,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::record::read;
use crate::entry::{
    BranchSummary, CopiedFrom, CustomMessage, Payload, ReplaySource, StoredMessage,
};

pub(super) fn read_message_line(text: &str) -> Result<Payload, String> {
    let line: MessageLineIn<'_> = read(text)?;
    let raw = line.message.get();
    let role: RoleIn = read(raw)?;
    let mut origin = line.origin.as_deref().and_then(Origin::parse);
    let message = match role.role.as_str() {
        "user" => read_user(raw)?,
        "assistant" => read_assistant(raw)?,
        "toolResult" => read_tool_result(raw)?,
        "bashExecution" => match read_shell_command(raw)? {
            // The output of a command is not the user's text, even if the line says so.
            Some(message) => {
                origin = Some(Origin::Untrusted);
                message
            }
            None => return Ok(other()),
        },
        "custom" | "hookMessage" => return read_custom_message(raw),
        "branchSummary" | "compactionSummary" => return read_branch_summary(raw),
        _ => return Ok(other()),
    };
    Ok(Payload::Message(StoredMessage {
        message,
        origin,
        source: line.source,
        copied_from: line.copied_from,
        scopes: line.scopes,
    }))
}

/// Reads a message that a program inserted.
pub(super) fn read_custom_message(text: &str) -> Result<Payload, String> {
    let message: CustomMessageIn<'_> = read(text)?;
    Ok(Payload::CustomMessage(CustomMessage {
        custom_type: message.custom_type,
        content: read_content(message.content)?,
    }))
}

pub(super) fn read_branch_summary(text: &str) -> Result<Payload, String> {
    let SummaryIn { summary } = read(text)?;
    Ok(Payload::BranchSummary(BranchSummary { summary }))
}

#[derive(Deserialize)]
struct MessageLineIn<'a> {
    origin: Option<String>,
    source: Option<ReplaySource>,
    #[serde(rename = "copiedFrom", default)]
    copied_from: Option<CopiedFrom>,
    #[serde(default)]
    scopes: Vec<String>,
    #[serde(borrow)]
    message: &'a RawValue,
}

#[derive(Deserialize)]
struct RoleIn {
    role: String,
}

#[derive(Deserialize)]
struct UserIn<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AssistantIn<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    stop_reason: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolResultIn<'a> {
    tool_call_id: ToolCallId,
    #[serde(default)]
    tool_name: String,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShellCommandIn {
    command: String,
    #[serde(default)]
    output: String,
    exit_code: Option<i64>,
    #[serde(default)]
    exclude_from_context: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomMessageIn<'a> {
    #[serde(default)]
    custom_type: String,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct SummaryIn {
    summary: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryBlockIn<'a> {
    #[serde(rename = "type")]
    kind: String,
    omitted_bytes: Option<usize>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    mime_type: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    reference: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

fn other() -> Payload {
    Payload::Other("message".to_owned())
}

/// Reads an optional field; `None` if it is missing or malformed.
fn detail<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

fn read_user(raw: &str) -> Result<Message, String> {
    let user: UserIn<'_> = read(raw)?;
    Ok(Message::User {
        content: read_content(user.content)?,
        name: detail(user.name),
    })
}

fn read_assistant(raw: &str) -> Result<Message, String> {
    let assistant: AssistantIn<'_> = read(raw)?;
    Ok(Message::Assistant(Assistant {
        content: read_content(assistant.content)?,
        // Other programs write an all-zero usage for a failed call.
        usage: detail(assistant.usage).filter(|usage| *usage != Usage::default()),
        stop: detail(assistant.stop_reason).unwrap_or_default(),
    }))
}

fn read_tool_result(raw: &str) -> Result<Message, String> {
    let result: ToolResultIn<'_> = read(raw)?;
    Ok(Message::ToolResult(ToolResult {
        call_id: result.tool_call_id,
        tool_name: result.tool_name,
        content: read_content(result.content)?,
        outcome: if result.is_error {
            ToolOutcome::Failure
        } else {
            ToolOutcome::Success
        },
    }))
}

/// A shell command that the user ran; `None` if they excluded it from the context.
fn read_shell_command(raw: &str) -> Result<Option<Message>, String> {
    let command: ShellCommandIn = read(raw)?;
    if command.exclude_from_context {
        return Ok(None);
    }
    let mut text = format!("$ {}\n{}", command.command, command.output);
    if let Some(code) = command.exit_code.filter(|code| *code != 0) {
        text = format!("{}\n(exit code {code})", text.trim_end());
    }
    Ok(Some(Message::user(text)))
}

/// Reads the content of a message; a message without content counts as damaged.
fn read_content(raw: Option<&RawValue>) -> Result<Vec<Block>, String> {
    let raw = raw.ok_or("it has no content")?.get();
    if raw.starts_with('"') {
        read(raw).map(|text| vec![Block::Text(text)])
    } else {
        let blocks: Vec<&RawValue> = read(raw)?;
        Ok(blocks.into_iter().map(read_block).collect())
    }
}

fn read_block(raw: &RawValue) -> Block {
    let block: EntryBlockIn<'_> = detail(Some(raw)).unwrap_or_default();
    let known = match block.kind.as_str() {
        "text" => detail(block.text).map(Block::Text),
        "thinking" => detail(block.thinking).map(Block::Thinking),
        "image" => read_image(&block),
        "toolCall" => read_tool_call(&block),
        _ => None,
    };
    known.unwrap_or_else(|| Block::Unknown {
        kind: block.kind,
        n_bytes: block.omitted_bytes.unwrap_or(raw.get().len()),
    })
}

fn read_image(image: &EntryBlockIn<'_>) -> Option<Block> {
    // Without the two quotes; base64 needs no escapes.
    let inline = |data: &RawValue| format!("inline:{}", data.get().len().saturating_sub(2));
    Some(Block::Image(Image {
        mime_type: detail(image.mime_type).unwrap_or_default(),
        reference: image.data.map(inline).or(detail(image.reference))?,
    }))
}

fn read_tool_call(call: &EntryBlockIn<'_>) -> Option<Block> {
    let arguments = call.arguments.map_or("", RawValue::get);
    // A string contains arguments that were not a JSON object; keep it verbatim.
    let text = detail(call.arguments).filter(|_| arguments.starts_with('"'));
    Some(Block::ToolCall(ToolCall {
        id: ToolCallId::new(detail::<String>(call.id)?),
        name: detail(call.name)?,
        arguments: text.unwrap_or_else(|| arguments.to_owned()),
    }))
}
