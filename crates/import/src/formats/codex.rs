//! Reads transcripts of Codex: JSON Lines of items.
//!
//! Events mostly repeat the items; they are read only for the text that the user typed and for rolled-back turns.

use std::collections::HashSet;
use std::path::PathBuf;

use base::{Block, Image, Message, Origin, Timestamp, ToolCall, ToolCallId, ToolOutcome, parted};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::blocks::{ANY_IMAGE, KnownCalls, assistant};
use super::model::{ConversationSource, ImportedMessage, NotUnderstood};

#[derive(Deserialize)]
struct CodexLine {
    #[serde(default)]
    r#type: String,
    timestamp: Option<String>,
    payload: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct ItemIn {
    #[serde(default)]
    r#type: String,
    role: Option<String>,
    content: Option<Vec<PartIn>>,
    name: Option<String>,
    arguments: Option<String>,
    input: Option<String>,
    action: Option<Box<RawValue>>,
    call_id: Option<String>,
    output: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct PartIn {
    #[serde(default)]
    r#type: String,
    text: Option<String>,
}

#[derive(Deserialize)]
struct OutputIn {
    content: Option<String>,
    output: Option<String>,
}

/// Types of lines that contain no item.
const BESIDE: [&str; 7] = [
    "session_meta",
    "event_msg",
    "turn_context",
    "compacted",
    "state",
    "world_state",
    "token_usage_record",
];

/// Beginning of the instructions that Codex inserts from files; old versions do not record what was typed.
const INSTRUCTIONS: &str = "# AGENTS.md instructions";

/// Beginning of a text that an editor wrapped.
const HEADING: &str = "# ";

/// Beginning of the text that an editor puts above the request.
const EDITOR: &str = "# Context from my IDE setup:";

/// The heading above the typed text, in a message that an editor wrapped.
const REQUEST: &str = "\n## My request for Codex:";

/// A transcript's metadata about its conversation.
#[derive(Deserialize, Default)]
struct MetaIn {
    id: Option<String>,
    cwd: Option<PathBuf>,
    originator: Option<String>,
    git: Option<GitIn>,
}

#[derive(Deserialize)]
struct GitIn {
    repository_url: Option<String>,
}

/// The Codex program that runs without a terminal. Its prompt may have been piped in.
const BY_PIPE: &str = "codex_exec";

/// A compaction. Its text ends with the summary that the model wrote.
#[derive(Deserialize)]
struct CompactedIn {
    #[serde(default)]
    message: String,
}

/// An event that contains the text that the user typed, or the number of turns rolled back.
#[derive(Deserialize)]
struct EventIn {
    #[serde(default)]
    r#type: String,
    message: Option<String>,
    /// The kind of message; `plain` or absent for typed text.
    kind: Option<String>,
    num_turns: Option<usize>,
}

/// Whether a line is from a Codex transcript.
pub(super) fn is_line(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|line: CodexLine| {
        line.payload.is_some()
            && (line.r#type == "response_item" || BESIDE.contains(&line.r#type.as_str()))
    })
}

/// The metadata in a transcript. The first is that of the conversation; a fork contains its original's metadata
/// further down.
fn metas(text: &str) -> impl Iterator<Item = MetaIn> {
    let lines = text.lines();
    let lines = lines.filter_map(|line| serde_json::from_str::<CodexLine>(line).ok());
    lines.filter_map(|line| {
        let tells = matches!(line.r#type.as_str(), "session_meta" | "turn_context");
        let payload = line.payload.filter(|_| tells)?;
        serde_json::from_str(payload.get()).ok()
    })
}

/// The conversation's id, and the directory and repository in which it began.
pub(super) fn source(text: &str) -> ConversationSource {
    let mut metas = metas(text);
    let meta = metas.next().unwrap_or_default();
    ConversationSource {
        directory: meta.cwd.or_else(|| metas.find_map(|later| later.cwd)),
        id: meta.id,
        remote: meta.git.and_then(|git| git.repository_url),
        scope: None,
    }
}

/// The messages, in order.
pub(super) fn read(text: &str, not_understood: &mut NotUnderstood) -> Vec<ImportedMessage> {
    let mut calls = KnownCalls::default();
    let mut messages: Vec<ImportedMessage> = Vec::new();
    // The index of the first message of each user turn.
    let mut turns: Vec<usize> = Vec::new();
    let texts = UserTexts::read(text);
    let is_piped = metas(text)
        .next()
        .and_then(|meta| meta.originator)
        .as_deref()
        == Some(BY_PIPE);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Ok(line) = serde_json::from_str::<CodexLine>(line) else {
            not_understood.add("a line that cannot be read");
            continue;
        };
        if line.r#type != "response_item" {
            if !BESIDE.contains(&line.r#type.as_str()) {
                not_understood.add(format!("a line of type {:?}", line.r#type));
            }
            if let Some(n_turns) = taken_back(&line) {
                let left = turns.split_off(turns.len().saturating_sub(n_turns));
                messages.truncate(left.first().copied().unwrap_or(messages.len()));
            }
            if line.r#type == "compacted" && without_summary(&line, &mut messages) {
                not_understood.add(SUMMARY);
            }
            continue;
        }
        let item = line.payload.as_deref();
        let item = item.and_then(|item| serde_json::from_str::<ItemIn>(item.get()).ok());
        let Some(item) = item else {
            not_understood.add("an item that cannot be read");
            continue;
        };
        let at = line.timestamp.and_then(|at| at.parse().ok());
        if let Some((origin, message)) = message(item, &mut calls, not_understood) {
            let parts = by_whom(origin, message, &texts);
            if parts.iter().any(|(origin, _)| *origin == Origin::Owner) {
                turns.push(messages.len());
            }
            for (origin, message) in parts {
                let origin = if is_piped && origin == Origin::Owner {
                    Origin::Untrusted
                } else {
                    origin
                };
                push(&mut messages, at, origin, message);
            }
        }
    }
    messages
}

/// The number of turns that an event rolls back.
fn taken_back(line: &CodexLine) -> Option<usize> {
    let event: EventIn = serde_json::from_str(line.payload.as_ref()?.get()).ok()?;
    let is_rollback = event.r#type == "thread_rolled_back";
    event.num_turns.filter(|_| is_rollback)
}

/// The description under which a summary is recorded as not imported.
const SUMMARY: &str = "a summary; the messages behind it are imported instead";

/// Removes the summary that a compaction requested from the model. Returns whether the newest reply was that summary.
fn without_summary(line: &CodexLine, messages: &mut Vec<ImportedMessage>) -> bool {
    let read = line.payload.as_ref();
    let read = read.and_then(|raw| serde_json::from_str::<CompactedIn>(raw.get()).ok());
    let (Some(compacted), Some(last)) = (read, messages.last_mut()) else {
        return false;
    };
    let mut parts = last.message.content().to_vec();
    let is_reply = matches!(last.message, Message::Assistant(_));
    let Some(Block::Text(summary)) = parts.pop().filter(|_| is_reply) else {
        return false;
    };
    let is_summary = compacted.message.trim_end().ends_with(summary.trim());
    if is_summary && parts.is_empty() {
        messages.pop();
    } else if is_summary {
        last.message = assistant(parts);
    }
    is_summary
}

/// The texts of the user's messages as events record them; old versions write no events.
#[derive(Default)]
struct UserTexts {
    /// Texts that the user typed.
    typed: HashSet<String>,
    /// Texts that Codex added as separate messages.
    added: HashSet<String>,
}

impl UserTexts {
    fn read(text: &str) -> Self {
        let mut texts = Self::default();
        let lines = text.lines();
        let lines = lines.filter_map(|line| serde_json::from_str(line).ok());
        let events = lines.filter(|line: &CodexLine| line.r#type == "event_msg");
        let read = events.filter_map(|line| serde_json::from_str(line.payload?.get()).ok());
        for event in read.filter(|event: &EventIn| event.r#type == "user_message") {
            let is_typed = event.kind.as_deref().is_none_or(|kind| kind == "plain");
            let among = if is_typed {
                &mut texts.typed
            } else {
                &mut texts.added
            };
            among.extend(event.message.map(|text| text.trim().to_owned()));
        }
        texts
    }

    fn is_typed(&self, text: &str) -> bool {
        self.typed.contains(text)
    }
}

/// Splits a user message by origin. The owner's texts are those that an event proves or, without events, those
/// outside tags. The rest was added by the program or an editor.
fn by_whom(origin: Origin, message: Message, texts: &UserTexts) -> Vec<(Origin, Message)> {
    if origin != Origin::Owner {
        return vec![(origin, message)];
    }
    let said = message.text();
    let said = said.trim();
    if texts.is_typed(said) {
        return unwrapped(message);
    }
    if said.starts_with(INSTRUCTIONS) || texts.added.contains(said) {
        return vec![(Origin::System, message)];
    }
    let request = said.rsplit_once(REQUEST).map(|(_, request)| request.trim());
    if said.starts_with(HEADING) && request.is_some_and(|it| texts.is_typed(it)) {
        return unwrapped(message);
    }
    let has_no_events = texts.typed.is_empty();
    // The heading of the request proves nothing by itself, because any page may contain it.
    let parts = if has_no_events && said.starts_with(EDITOR) {
        unwrapped(message)
    } else {
        vec![(origin, message)]
    };
    let blocks = parts.into_iter().flat_map(|(origin, part)| {
        let blocks = part.content().to_vec().into_iter();
        blocks.map(move |block| (origin, block))
    });
    let parts = blocks.flat_map(|(origin, block)| parted(origin, by_user(vec![block])));
    let parts = parts.map(|(origin, part)| {
        let origin = match origin {
            Origin::Owner if has_no_events || texts.is_typed(part.text().trim()) => origin,
            Origin::Owner => Origin::Untrusted,
            Origin::Agent | Origin::Untrusted | Origin::System => Origin::System,
        };
        (origin, part)
    });
    parts.collect()
}

/// A typed message, without the text that an editor put above the request.
fn unwrapped(message: Message) -> Vec<(Origin, Message)> {
    let is_wrapped = |text: &str| text.trim_start().starts_with(HEADING);
    let (mut added, mut own) = (Vec::new(), Vec::new());
    for block in message.content() {
        if let Block::Text(text) = block
            && is_wrapped(text)
            && let Some((above, request)) = text.rsplit_once(REQUEST)
        {
            added.push(Block::Text(above.trim().to_owned()));
            own.push(Block::Text(request.trim().to_owned()));
        } else {
            own.push(block.clone());
        }
    }
    if added.is_empty() {
        return vec![(Origin::Owner, message)];
    }
    let parts = [(Origin::System, added), (Origin::Owner, own)];
    parts
        .map(|(origin, content)| (origin, by_user(content)))
        .into()
}

fn by_user(content: Vec<Block>) -> Message {
    Message::User {
        content,
        name: None,
    }
}

/// Merges adjacent assistant messages into one reply.
fn push(
    messages: &mut Vec<ImportedMessage>,
    at: Option<Timestamp>,
    origin: Origin,
    message: Message,
) {
    if let (Some(last), Message::Assistant(more)) = (messages.last_mut(), &message)
        && matches!(last.message, Message::Assistant(_))
    {
        let mut parts = last.message.content().to_vec();
        parts.extend(more.content.iter().cloned());
        last.message = assistant(parts);
        return;
    }
    messages.push(ImportedMessage::new(at, (origin, message)));
}

fn message(
    item: ItemIn,
    calls: &mut KnownCalls,
    not_understood: &mut NotUnderstood,
) -> Option<(Origin, Message)> {
    match item.r#type.as_str() {
        "message" => said(item, not_understood),
        "reasoning" => None,
        "function_call" | "custom_tool_call" | "local_shell_call" => {
            let name = item.name.unwrap_or_else(|| "shell".to_owned());
            let arguments = item.arguments.or(item.input);
            let arguments = arguments.or_else(|| item.action.map(|raw| raw.get().to_owned()));
            let call = Block::ToolCall(ToolCall {
                id: ToolCallId::new(calls.called(item.call_id, &name)),
                name,
                arguments: arguments.unwrap_or_else(|| "{}".to_owned()),
            });
            Some((Origin::Agent, assistant(vec![call])))
        }
        "function_call_output" | "custom_tool_call_output" => {
            let text = item.output.as_deref().map(output).unwrap_or_default();
            let content = vec![Block::Text(text)];
            let result = calls.answered(item.call_id, content, ToolOutcome::Success);
            Some((Origin::Untrusted, result))
        }
        kind => {
            not_understood.add(format!("an item of type {kind:?}"));
            None
        }
    }
}

fn said(item: ItemIn, not_understood: &mut NotUnderstood) -> Option<(Origin, Message)> {
    let mut content = Vec::new();
    for part in item.content.unwrap_or_default() {
        match part.text {
            Some(text) if part.r#type.ends_with("text") => content.push(Block::Text(text)),
            None if part.r#type.ends_with("image") => content.push(Block::Image(Image {
                mime_type: ANY_IMAGE.to_owned(),
                reference: "left behind".to_owned(),
            })),
            Some(_) | None => not_understood.add(format!("a part of type {:?}", part.r#type)),
        }
    }
    content.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    if content.is_empty() {
        return None;
    }
    match item.role.as_deref() {
        Some("user") => Some((Origin::Owner, by_user(content))),
        Some("assistant") => Some((Origin::Agent, assistant(content))),
        Some("developer" | "system") => Some((Origin::System, by_user(content))),
        role => {
            not_understood.add(format!("a message of role {role:?}"));
            None
        }
    }
}

/// The text of a tool's output, which is a string, an object around a string, or text parts; otherwise the raw JSON.
fn output(raw: &RawValue) -> String {
    let parts = serde_json::from_str::<Vec<PartIn>>(raw.get()).ok();
    let texts = |parts: Vec<PartIn>| parts.into_iter().map(|part| part.text).collect();
    if let Some(texts) = parts.and_then::<Vec<String>, _>(texts) {
        return texts.join("\n");
    }
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        let inner = serde_json::from_str::<OutputIn>(&text).ok();
        return inner.and_then(|inner| inner.output).unwrap_or(text);
    }
    let inner = serde_json::from_str::<OutputIn>(raw.get()).ok();
    let inner = inner.and_then(|inner| inner.content.or(inner.output));
    inner.unwrap_or_else(|| raw.get().to_owned())
}
