//! A conversation as a page for people.
//!
//! Opens no transcript; what was said stands as it was said.

use std::fmt::Write;

use base::{Block, Day, EntryId, Message, Origin, Timestamp, ToolOutcome, Tz, counted, day};

/// Something of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExportPart {
    Said {
        entry: EntryId,
        at: Timestamp,
        message: Message,
        origin: Origin,
    },
    /// A summary that stands for what was said before.
    Summary {
        at: Timestamp,
        summary: String,
    },
    Compacted {
        at: Timestamp,
    },
    BegunAnew {
        at: Timestamp,
    },
}

/// Writes parts one after the other; each day has a heading.
#[derive(Debug)]
pub(super) struct Page {
    timezone: Tz,
    ids: Ids,
    day: Option<Day>,
}

/// Whether each message is named by the id of its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ids {
    /// It is, so that other commands can be told which is meant.
    Shown,
    /// It is not.
    LeftOut,
}

/// Longest run of backticks of a fence; a longer one in a text is left to its reader.
const FENCE_MAX: usize = 32;

impl Page {
    /// A page whose days are those of the owner.
    pub(super) fn new(timezone: Tz, ids: Ids) -> Self {
        Self {
            timezone,
            ids,
            day: None,
        }
    }

    /// The heading of the page.
    pub(super) fn title(name: &str) -> String {
        format!("# Session {name}\n")
    }

    /// The text of one part.
    pub(super) fn render(&mut self, part: &ExportPart) -> String {
        let mut text = String::new();
        let (ExportPart::Said { at, .. }
        | ExportPart::Summary { at, .. }
        | ExportPart::Compacted { at }
        | ExportPart::BegunAnew { at }) = part;
        let today = day(*at, self.timezone);
        // Writing to a String cannot fail, here and below.
        if self.day != Some(today) {
            writeln!(text, "\n## {today}").unwrap_or_default();
            self.day = Some(today);
        }
        let time = at.with_timezone(&self.timezone).format("%H:%M");
        match part {
            ExportPart::Said {
                entry,
                message,
                origin,
                ..
            } => {
                let who = speaker(message, *origin);
                let id = match self.ids {
                    Ids::Shown => format!(" {entry}"),
                    Ids::LeftOut => String::new(),
                };
                writeln!(text, "\n### {time} {who}{id}\n").unwrap_or_default();
                for block in message.content() {
                    text.push_str(&rendered(block, message));
                }
            }
            ExportPart::Summary { summary, .. } => {
                let summary = summary.trim_end();
                writeln!(text, "\n### {time} summary\n\n{summary}").unwrap_or_default();
            }
            ExportPart::Compacted { .. } => {
                text.push_str("\n*Older messages left the window here.*\n");
            }
            ExportPart::BegunAnew { .. } => {
                text.push_str("\n*The conversation began anew here.*\n");
            }
        }
        text
    }
}

fn speaker(message: &Message, origin: Origin) -> String {
    match message {
        Message::User {
            name: Some(name), ..
        } => name.clone(),
        Message::User { .. } if origin == Origin::System => "system".to_owned(),
        Message::User { .. } => "user".to_owned(),
        Message::Assistant(_) => "assistant".to_owned(),
        Message::ToolResult(result) => {
            let failed = match result.outcome {
                ToolOutcome::Success => "",
                ToolOutcome::Failure => ", failed",
            };
            format!("result of {}{failed}", result.tool_name)
        }
    }
}

fn rendered(block: &Block, message: &Message) -> String {
    match block {
        // What a tool gave is no Markdown of ours.
        Block::Text(text) if matches!(message, Message::ToolResult(_)) => fenced(text, ""),
        Block::Text(text) => format!("{}\n", text.trim_end_matches('\n')),
        Block::Thinking(_) => String::new(),
        Block::Image(image) => format!("*({}: {})*\n", image.mime_type, image.reference),
        Block::ToolCall(call) => {
            format!(
                "*calls {}*\n\n{}",
                call.name,
                fenced(&call.arguments, "json")
            )
        }
        Block::Unknown { kind, n_bytes } => {
            let bytes = counted(*n_bytes as u64, "byte", "bytes");
            format!("*({kind}: {bytes})*\n")
        }
    }
}

/// Behind a fence that the text does not hold.
fn fenced(text: &str, language: &str) -> String {
    let fence = (3..FENCE_MAX)
        .map(|length| "`".repeat(length))
        .find(|fence| !text.contains(fence.as_str()))
        .unwrap_or_else(|| "`".repeat(FENCE_MAX));
    format!(
        "{fence}{language}\n{}\n{fence}\n",
        text.trim_end_matches('\n')
    )
}
