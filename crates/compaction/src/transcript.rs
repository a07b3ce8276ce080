//! Renders excerpts as the material of a request, and fills the placeholders of its prompt.
//!
//! Escapes the material, so that nothing in it can look like a label or end the transcript.

use base::model::Excerpt;
use base::{
    Block, Day, Message, Timestamp, TokenCount, Tz, day, escaped, estimate_text, time_of_day,
};
use session::ViewItem;

use crate::shorten;

/// Tool results above this size are shortened first, because their middle matters least.
const TOOL_RESULT_MAX: TokenCount = TokenCount(500);

const ARGUMENTS_MAX: TokenCount = TokenCount(100);

/// No excerpt is shortened below this size; if that is not enough, excerpts from the middle are dropped.
const BODY_MIN: TokenCount = TokenCount(24);

const OPENING: &str = "<transcript>";
const CLOSING: &str = "</transcript>";

/// A time in the owner's time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    /// The time.
    pub at: Timestamp,
    /// The owner's time zone.
    pub timezone: Tz,
}

impl AsOf {
    /// The day in the owner's time zone.
    pub fn day(&self) -> Day {
        day(self.at, self.timezone)
    }

    /// The time of day in the owner's time zone, as `HH:MM`.
    pub fn time_of_day(&self) -> String {
        time_of_day(self.at, self.timezone)
    }
}

/// The messages of a span as evidence, redacted and labelled `e1`, `e2` and so on; skips summaries.
pub fn excerpts(items: &[ViewItem]) -> Vec<Excerpt> {
    let messages = items
        .iter()
        .filter_map(|item| Some((item, item.message()?)));
    messages
        .zip(1_u64..)
        .map(|((item, message), number)| Excerpt {
            label: format!("e{number}"),
            entry: Some(item.entry.clone()),
            at: item.at,
            origin: item.origin,
            message: message.clone().redacted(),
            recalled: None,
        })
        .collect()
}

/// Renders excerpts as one text of at most `max` tokens, each with label, speaker and time. The longest excerpts lose
/// their middle first.
pub(crate) fn render(excerpts: &[Excerpt], timezone: Tz, max: TokenCount) -> String {
    let parts: Vec<(String, String)> = excerpts
        .iter()
        .map(|excerpt| (heading(excerpt, timezone), body(&excerpt.message)))
        .collect();
    let frame = estimate_text(OPENING) + estimate_text(CLOSING) + TokenCount(2);
    // A heading is followed by a space, and the body by a line end.
    let tokens = |(heading, _): &(String, String)| estimate_text(heading) + TokenCount(1);
    let headings: TokenCount = parts.iter().map(tokens).sum();
    let room = max.saturating_sub(frame + headings);
    let cap = shorten::cap(parts.iter().map(|(_, body)| estimate_text(body)), room);
    let lines = match cap {
        None => lines(&parts, TokenCount(u64::MAX)),
        Some(cap) if cap >= BODY_MIN => lines(&parts, cap),
        Some(_) => ends(&parts, max.saturating_sub(frame)),
    };
    format!("{OPENING}\n{}\n{CLOSING}", lines.join("\n"))
}

/// As many shortened excerpts from both ends as fit, around a line with the number of omitted ones.
fn ends(parts: &[(String, String)], max: TokenCount) -> Vec<String> {
    let lines = lines(parts, BODY_MIN);
    let gap = |n_missing: usize| format!("[... {n_missing} messages are not shown here ...]");
    let mut left = max.saturating_sub(estimate_text(&gap(parts.len())) + TokenCount(1));
    let (mut n_first, mut n_last) = (0, 0);
    while n_first + n_last < lines.len() {
        let takes_last = n_last <= n_first;
        let position = if takes_last {
            lines.len() - 1 - n_last
        } else {
            n_first
        };
        let line = lines.get(position).map_or("", String::as_str);
        let tokens = estimate_text(line) + TokenCount(1);
        if tokens > left {
            break;
        }
        left = left.saturating_sub(tokens);
        if takes_last {
            n_last += 1;
        } else {
            n_first += 1;
        }
    }
    let n_missing = lines.len() - n_first - n_last;
    let first = lines.iter().take(n_first).cloned();
    let last = lines.iter().skip(n_first + n_missing).cloned();
    first.chain([gap(n_missing)]).chain(last).collect()
}

/// The headings and bodies, each body with at most `max` tokens.
fn lines(parts: &[(String, String)], max: TokenCount) -> Vec<String> {
    let parts = parts.iter();
    let lines = parts.map(|(heading, body)| format!("{heading} {}", cut_body(body, max)));
    lines.collect()
}

fn heading(excerpt: &Excerpt, timezone: Tz) -> String {
    let speaker = match (&excerpt.message, &excerpt.entry) {
        (_, None) => "summary of what came before".to_owned(),
        (Message::User { name, .. }, Some(_)) => match name {
            Some(name) => format!("user {}", one_line(name)),
            None => "user".to_owned(),
        },
        (Message::Assistant(_), Some(_)) => "assistant".to_owned(),
        (Message::ToolResult(result), Some(_)) => format!("tool {}", one_line(&result.tool_name)),
    };
    let (day, time) = (day(excerpt.at, timezone), time_of_day(excerpt.at, timezone));
    format!("[{}] {speaker}, {day} {time}:", excerpt.label)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a message. Lines after the first are indented, so that only lines of this program begin with a label.
fn body(message: &Message) -> String {
    let parts: Vec<String> = message
        .content()
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.clone()),
            Block::Thinking(_) => None,
            Block::Image(image) => {
                Some(format!("[image {}: {}]", image.mime_type, image.reference))
            }
            Block::ToolCall(call) => {
                let arguments = cut_body(&call.arguments, ARGUMENTS_MAX);
                Some(format!("[calls {} with {arguments}]", call.name))
            }
            Block::Unknown { kind, .. } => Some(format!("[{kind}]")),
        })
        .collect();
    let mut text = escaped(&parts.join("\n")).into_owned();
    if let Message::ToolResult(_) = message {
        text = cut_body(&text, TOOL_RESULT_MAX);
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n  ")
}

/// Cuts the middle out of a body and indents the lines after the first, including those of the tail.
fn cut_body(text: &str, max: TokenCount) -> String {
    if estimate_text(text) <= max {
        return text.to_owned();
    }
    let indent = TokenCount(1);
    let marker = |hidden| format!("  [... {hidden} tokens left out ...]");
    let short = shorten::middle(text, max.saturating_sub(indent), marker);
    let mut lines: Vec<String> = short.split('\n').map(str::to_owned).collect();
    for line in lines.iter_mut().skip(1) {
        if !line.starts_with("  ") {
            line.insert_str(0, "  ");
        }
    }
    lines.join("\n")
}

/// Replaces each `{{name}}` with its value.
///
/// Values are not searched for placeholders. A name without a value is kept, so that tests notice it.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let value = after.split_once("}}").and_then(|(name, behind)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, behind))
        });
        if let Some((value, behind)) = value {
            filled.push_str(value);
            rest = behind;
        } else {
            filled.push_str("{{");
            rest = after;
        }
    }
    filled.push_str(rest);
    filled.truncate(filled.trim_end().len());
    filled
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;
