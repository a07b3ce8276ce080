//! What a flush reads: the messages of a span, without what memory put into them.
//!
//! Never gives what was recalled, or what the program says itself, so that neither is learned again.

use std::borrow::Cow;

use base::model::Excerpt;
use base::{Assistant, Block, Message, Origin, ToolOutcome, ToolResult};
use session::{Entry, Payload};

use crate::fence::message_without_fenced;
use crate::tools::spec::is_own;

/// Stands for a reply that the program made of memory: that there was one, but not what it said.
const QUOTED: &str = "[an answer quoted from memory]";

/// The most of one message that is read for notes, in bytes; the transcript and the index hold the whole.
const MESSAGE_BYTES_MAX: usize = 256 * 1024;

const LEFT_OUT: &str = "\n\n[the middle of this message is left out]\n\n";

/// The messages of a span as evidence, labelled `e1`, `e2` and so on.
pub(crate) fn excerpts<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<Excerpt> {
    let messages = entries.into_iter().filter_map(|entry| {
        let (message, origin) = message_of(entry)?;
        let message = match (&*message, origin) {
            (Message::Assistant(_), Origin::System) => Message::assistant(QUOTED),
            // That a tool of the program did not take its arguments is no news of the owner's world.
            (Message::ToolResult(result), _)
                if result.outcome == ToolOutcome::Failure && is_own(&result.tool_name) =>
            {
                return None;
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
            // Redacted whole before it is cut, so that no cut parts a secret.
            message: bounded(message.redacted()),
            recalled: None,
        })
        .collect()
}

/// What an entry says, and who is answerable for it; what a program put into the conversation is somebody else's.
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

/// A message by its ends where it is too long.
fn bounded(mut message: Message) -> Message {
    let (Message::User { content, .. }
    | Message::Assistant(Assistant { content, .. })
    | Message::ToolResult(ToolResult { content, .. })) = &mut message;
    for block in content {
        if let Block::Text(text) = block
            && let Cow::Owned(short) = ends(text)
        {
            *text = short;
        }
    }
    message
}

/// A text, or its beginning and its end where it is too long, both cut between words.
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
