//! Fences text from memory with `<recalled>` and `<memory>` marks, and strips such text before anything is learned from
//! a message.
//!
//! Escapes the text, so that it cannot close its fence.

use std::borrow::Cow;
use std::fmt::Display;

use base::{Block, Day, Message, Origin, escaped};

/// The beginning and end of each fence.
const RECALLED: (&str, &str) = ("<recalled ", "</recalled>");
const MEMORY: (&str, &str) = ("<memory ", "</memory>");

/// Where recalled text comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecallFence<'a> {
    /// The place, such as `memory/2026-04-20.md:12`.
    pub(crate) source: &'a str,
    /// The title of its note and the headings above it, if the note is in a folder elsewhere.
    pub(crate) section: Option<&'a str>,
    /// Its day, if known.
    pub(crate) day: Option<Day>,
    /// Its origin, if it has a single one.
    pub(crate) origin: Option<Origin>,
    /// The day that it planned for, if that has passed.
    pub(crate) planned_for: Option<Day>,
    /// The day on which a newer value replaced what it says.
    pub(crate) replaced_on: Option<Day>,
}

impl<'a> RecallFence<'a> {
    /// A place without day and origin.
    pub(crate) fn of(source: &'a str) -> Self {
        Self {
            source,
            section: None,
            day: None,
            origin: None,
            planned_for: None,
            replaced_on: None,
        }
    }
}

/// Puts text into a fence that names its source.
pub(crate) fn fenced(fence: RecallFence<'_>, text: &str) -> String {
    let plain = |text: &str| {
        let text = text.replace(['"', '<', '>'], "'");
        text.replace(char::is_control, " ")
    };
    let source = plain(fence.source);
    // In an attribute the sign between headings is another one.
    let section = fence.section.map(|it| plain(&it.replace(" > ", " / ")));
    let section = attribute("section", section);
    let day = attribute("day", fence.day);
    let origin = attribute("origin", fence.origin);
    let planned = attribute("planned-for", fence.planned_for);
    let replaced = attribute("replaced", fence.replaced_on);
    let text = escaped(text.trim_end());
    let (opening, closing) = RECALLED;
    format!(
        "{opening}source=\"{source}\"{section}{day}{origin}{planned}{replaced}>\n{text}\n{closing}"
    )
}

/// Puts long-term memory, which the owner approved, into a fence that names its file.
pub(crate) fn fenced_memory(name: &str, text: &str) -> String {
    let (opening, closing) = MEMORY;
    format!(
        "{opening}name=\"{name}\">\n{}\n{closing}",
        escaped(text.trim_end())
    )
}

fn attribute(name: &str, value: Option<impl Display>) -> String {
    let attribute = value.map(|value| format!(" {name}=\"{value}\""));
    attribute.unwrap_or_default()
}

/// Removes fenced text; an unclosed fence reaches to the end.
pub(crate) fn without_fenced(text: &str) -> Cow<'_, str> {
    [RECALLED, MEMORY]
        .into_iter()
        .fold(Cow::Borrowed(text), without_marks)
}

fn without_marks<'t>(text: Cow<'t, str>, (opening, closing): (&str, &str)) -> Cow<'t, str> {
    if !text.contains(opening) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once(opening) {
        kept.push_str(before);
        rest = after.split_once(closing).map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The message without recalled text; `None` if nothing else is left.
pub(crate) fn message_without_fenced(message: &Message) -> Option<Message> {
    let mut message = message.clone();
    let content = message.content_mut();
    let was_empty = content.is_empty();
    for block in content.iter_mut() {
        match block {
            Block::Text(text) => *text = without_fenced(text).into_owned(),
            Block::ToolCall(call) => {
                call.arguments = without_fenced(&call.arguments).into_owned();
            }
            Block::Thinking(_) | Block::Image(_) | Block::Unknown { .. } => {}
        }
    }
    content.retain(|block| !matches!(block, Block::Text(text) if text.trim().is_empty()));
    (was_empty || !content.is_empty()).then_some(message)
}

#[cfg(test)]
#[path = "fence_tests.rs"]
mod tests;
