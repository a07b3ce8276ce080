//! Reads transcripts of Claude Code: JSON Lines, each with its parent.
//!
//! Skips the conversations of its subagents.

use std::path::PathBuf;

use base::{Message, Origin, parted};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::blocks::{self, ForeignBlockIn, KnownCalls, Speaker};
use super::branch::{BranchLink, way_to};
use super::model::{ConversationSource, ImportedMessage, NotUnderstood};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClaudeCodeLine {
    #[serde(default)]
    r#type: String,
    uuid: Option<String>,
    parent_uuid: Option<String>,
    /// The parent across a compaction, where `parent_uuid` is absent.
    logical_parent_uuid: Option<String>,
    timestamp: Option<String>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    /// Set on text that Claude Code shows to the model as the user's.
    is_visible_in_transcript_only: Option<bool>,
    /// The sender, in versions that record one.
    origin: Option<Value>,
    /// How Claude Code was started, and where the text came from, in versions that record these.
    entrypoint: Option<String>,
    prompt_source: Option<String>,
    message: Option<ClaudeCodeMessage>,
}

impl ClaudeCodeLine {
    /// Whether a person sent the line, as far as its fields show.
    fn is_of_person(&self) -> bool {
        if let Some(origin) = &self.origin {
            return origin.get("kind").is_some_and(|kind| kind == "human");
        }
        // Without a terminal, the text may have been piped in.
        let source = self.prompt_source.as_deref();
        match self.entrypoint.as_deref() {
            Some(entry) => !entry.starts_with(BY_PROGRAM) && source != Some("system"),
            None => !matches!(source, Some(BY_PROGRAM | "system")),
        }
    }

    /// The origin of the text in a line of the user.
    fn origin_of_user(&self, content: &[ForeignBlockIn]) -> Origin {
        let is_summary = self.is_compact_summary
            || self.is_visible_in_transcript_only == Some(true)
            || content.first().is_some_and(|it| it.begins(CONTINUED));
        if is_summary {
            // Claude Code wrote this text itself, when the window was full.
            Origin::System
        } else if !self.is_of_person() || content.iter().any(ForeignBlockIn::is_result) {
            Origin::Untrusted
        } else {
            Origin::Owner
        }
    }
}

/// Prefix of an entry point or source that is a program, such as `claude -p`.
const BY_PROGRAM: &str = "sdk";

/// Beginning of the summary with which a full conversation continues; some versions do not flag it.
const CONTINUED: &str = "This session is being continued from a previous conversation";

#[derive(Deserialize)]
struct ClaudeCodeMessage {
    id: Option<String>,
    model: Option<String>,
    content: Option<Box<RawValue>>,
}

/// The model name of replies that Claude Code wrote itself, such as error messages.
const NO_MODEL: &str = "<synthetic>";

/// Types of lines outside the conversation.
const BESIDE: [&str; 9] = [
    "summary",
    "system",
    "progress",
    "file-history-snapshot",
    "queue-operation",
    "ai-title",
    "custom-title",
    "last-prompt",
    "attachment",
];

/// Whether a line is from a Claude Code transcript.
pub(super) fn is_line(text: &str) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct ClaudeCodeSign {
        r#type: String,
        session_id: Option<String>,
        leaf_uuid: Option<String>,
        message_id: Option<String>,
    }
    serde_json::from_str(text).is_ok_and(|sign: ClaudeCodeSign| {
        sign.session_id.is_some()
            || (sign.r#type == "summary" && sign.leaf_uuid.is_some())
            || (sign.r#type == "file-history-snapshot" && sign.message_id.is_some())
    })
}

/// The conversation's id, and the directory in which it began.
pub(super) fn source(text: &str) -> ConversationSource {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct ClaudeCodeSource {
        session_id: Option<String>,
        cwd: Option<PathBuf>,
    }
    let mut source = ConversationSource::default();
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    lines.for_each(|line: ClaudeCodeSource| {
        // Lines copied from another conversation come first.
        source.id = line.session_id.or(source.id.take());
        source.directory = source.directory.take().or(line.cwd);
    });
    source
}

/// The messages on the branch on which the conversation ended.
pub(super) fn read(text: &str, not_understood: &mut NotUnderstood) -> Vec<ImportedMessage> {
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<ClaudeCodeLine>(line) {
            Ok(line) if line.uuid.is_some() && !line.is_sidechain => lines.push(line),
            Ok(line) if line.is_sidechain || BESIDE.contains(&line.r#type.as_str()) => {}
            Ok(line) => not_understood.add(format!("a line of type {:?}", line.r#type)),
            Err(_) => not_understood.add("a line that cannot be read"),
        }
    }
    let tree = lines.iter().map(|line| {
        let parent = line.parent_uuid.as_deref();
        BranchLink {
            id: line.uuid.as_deref().unwrap_or_default(),
            parent: parent.or(line.logical_parent_uuid.as_deref()),
        }
    });
    let tree: Vec<BranchLink<'_>> = tree.collect();
    let way = way_to(lines.len().saturating_sub(1), &tree);
    let mut reading = ReplyReading::default();
    for line in way.into_iter().filter_map(|place| lines.get(place)) {
        reading.take(line, not_understood);
    }
    reading.messages
}

#[derive(Default)]
struct ReplyReading {
    calls: KnownCalls,
    messages: Vec<ImportedMessage>,
    /// The id of the reply that the newest message belongs to. One reply may span several lines.
    reply: Option<String>,
}

impl ReplyReading {
    fn take(&mut self, line: &ClaudeCodeLine, not_understood: &mut NotUnderstood) {
        let speaker = match line.r#type.as_str() {
            "user" => Speaker::User,
            "assistant" => Speaker::Assistant,
            kind if BESIDE.contains(&kind) => return,
            kind => return not_understood.add(format!("a line of type {kind:?}")),
        };
        let is_of_program = |it: &ClaudeCodeMessage| it.model.as_deref() == Some(NO_MODEL);
        let message = line.message.as_ref().filter(|_| !line.is_meta);
        let Some(message) = message.filter(|it| !is_of_program(it)) else {
            return;
        };
        let Some(content) = blocks::read(message.content.as_deref()) else {
            return not_understood.add("content that is neither text nor blocks");
        };
        let origin = match speaker {
            Speaker::User => line.origin_of_user(&content),
            Speaker::Assistant => Origin::Agent,
        };
        let at = line.timestamp.as_ref().and_then(|at| at.parse().ok());
        let known = (&mut self.calls, &mut *not_understood);
        let read = blocks::messages(speaker, origin, content, known);
        let parts = read.into_iter().flat_map(|(origin, it)| parted(origin, it));
        for (origin, message_read) in parts {
            let goes_on =
                speaker == Speaker::Assistant && message.id.is_some() && message.id == self.reply;
            if goes_on
                && let Message::Assistant(more) = &message_read
                && let Some(last) = self.messages.last_mut()
            {
                let mut parts = last.message.content().to_vec();
                parts.extend(more.content.iter().cloned());
                last.message = blocks::assistant(parts);
                continue;
            }
            let said = (origin, message_read);
            self.messages.push(ImportedMessage::new(at, said));
        }
        self.reply = match speaker {
            Speaker::Assistant => message.id.clone(),
            Speaker::User => None,
        };
    }
}
