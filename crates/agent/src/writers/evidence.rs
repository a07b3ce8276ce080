//! Prepares the messages of a span as evidence for a flush.
//!
//! Leaves out recalled text and the program's own replies, so that neither is learned again.

use std::borrow::Cow;

use base::model::Excerpt;
use base::{Block, Message, Origin, ToolOutcome, ToolResult};
use session::{Entry, Payload};

use crate::fence::message_without_fenced;
use crate::tools::spec::is_own;

/// Replaces a reply that quotes memory: the notes see that there was one, but not its text.
const QUOTED: &str = "[an answer quoted from memory]";

/// Replaces the answer of a failed call of our own tools: it says nothing about the owner, but the call alone would read
/// as if it had succeeded.
const FAILED: &str = "[the call failed and changed nothing]";

/// Limit of one message as evidence, in bytes; transcript and index hold the whole.
const MESSAGE_BYTES_MAX: usize = 256 * 1024;

const LEFT_OUT: &str = "\n\n[the middle of this message is left out]\n\n";

/// The messages of a span as evidence, labelled `e1`, `e2`, and so on.
pub(crate) fn excerpts<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<Excerpt> {
    let messages = entries.into_iter().filter_map(|entry| {
        let (message, origin) = message_of(entry)?;
        let message = match (&*message, origin) {
            (Message::Assistant(_), Origin::System) => Message::assistant(QUOTED),
            (Message::ToolResult(result), _)
                if result.outcome == ToolOutcome::Failure && is_own(&result.tool_name) =>
            {
                Message::ToolResult(ToolResult {
                    content: vec![Block::Text(FAILED.to_owned())],
                    ..result.clone()
                })
            }
            (message, _) => message_without_fenced(message)?,
        };
        Some((entry, origin, message))
    });
    messages
        .zip(1_u64..)
        .map(|((entry, origin, message), number)| Excerpt {
            label: format!("e{number}"),
            entry: Some(entry.id.clone()),
            at: entry.at,
            origin,
            // Redact before cutting, so that no cut splits a secret.
            message: bounded(message.redacted()),
            recalled: None,
        })
        .collect()
}

/// The message of an entry and its origin; messages that other programs inserted are untrusted.
pub(crate) fn message_of(entry: &Entry) -> Option<(Cow<'_, Message>, Origin)> {
    if let Payload::Message(stored) = &entry.payload {
        return Some((Cow::Borrowed(&stored.message), stored.origin()));
    }
    let Payload::CustomMessage(custom) = &entry.payload else {
        return None;
    };
    let message = Message::User {
        content: custom.content.clone(),
        name: None,
    };
    Some((Cow::Owned(message), Origin::Untrusted))
}

/// Cuts an oversized message to its head and tail.
fn bounded(mut message: Message) -> Message {
    for block in message.content_mut() {
        if let Block::Text(text) = block
            && let Cow::Owned(short) = ends(text)
        {
            *text = short;
        }
    }
    message
}

/// The text, or its head and tail, cut between words, if it is too long.
pub(crate) fn ends(text: &str) -> Cow<'_, str> {
    if text.len() <= MESSAGE_BYTES_MAX {
        return Cow::Borrowed(text);
    }
    let half = MESSAGE_BYTES_MAX / 2;
    let (head, _) = text.split_at(text.floor_char_boundary(half));
    let (_, tail) = text.split_at(text.ceil_char_boundary(text.len() - half));
    let head = head
        .rsplit_once(char::is_whitespace)
        .map_or(head, |(head, _)| head);
    let tail = tail
        .split_once(char::is_whitespace)
        .map_or(tail, |(_, tail)| tail);
    Cow::Owned([head, LEFT_OUT, tail].concat())
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
