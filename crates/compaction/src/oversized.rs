//! Shows oversized messages as head and tail.
//!
//! Keeps calls and results paired; the transcript keeps the full text.

use base::{Block, EntryId, Message, TokenCount, estimate_message};
use session::{ViewContent, ViewItem};

use crate::shorten;
use crate::shown::{Shown, is_result, sent_tokens, summary_tokens};

/// Replaces oversized arguments of a call, which move into the text.
const NO_ARGUMENTS: &str = "{}";

/// Shortens every message above `max` tokens, and every call whose size with all its results is above `max`, because
/// no cut can separate these. In such a group, the longest messages shrink first.
pub(crate) fn shorten(items: &mut [ViewItem], max: TokenCount) {
    for group in items.chunk_by_mut(|_, after| is_result(after)) {
        if let Some(cap) = shorten::cap(group.iter().map(|item| item.tokens), max) {
            for item in group {
                shorten_item(item, cap);
            }
        }
    }
}

/// Shortens every tool result above `max` tokens, even if the window has room: the provider rejected the request, so
/// the configured window size is wrong.
pub fn shorten_results(shown: &mut Shown, max: TokenCount) {
    for item in shown.items.iter_mut().filter(|item| is_result(item)) {
        shorten_item(item, max);
    }
    shown.tokens = shown.items.iter().map(|item| item.tokens).sum();
}

fn shorten_item(item: &mut ViewItem, max: TokenCount) {
    if item.tokens <= max {
        return;
    }
    let short = match &item.content {
        ViewContent::Summary(summary) => {
            let room = max.saturating_sub(summary_tokens(""));
            ViewContent::Summary(shorten_text(summary, room, &item.entry))
        }
        ViewContent::Message(message) => {
            ViewContent::Message(shorten_message(message, max, &item.entry))
        }
    };
    if short != item.content {
        item.tokens = sent_tokens(&short);
        item.content = short;
    }
}

/// Reduces a message to one text and its calls. If the calls take more than half of `max`, moves their
/// arguments into the text.
fn shorten_message(message: &Message, max: TokenCount, entry: &EntryId) -> Message {
    let half = TokenCount(max.0 / 2);
    let mut calls: Vec<Block> = message.tool_calls().cloned().map(Block::ToolCall).collect();
    let mut text = described(message.content());
    if estimate_message(&with_content(message, calls.clone())) > half {
        for block in &mut calls {
            if let Block::ToolCall(call) = block
                && call.arguments != NO_ARGUMENTS
            {
                let arguments = std::mem::replace(&mut call.arguments, NO_ARGUMENTS.to_owned());
                text = format!(
                    "{text}\n[arguments of the call to {}: {arguments}]",
                    call.name
                );
            }
        }
    }
    let rest = with_content(message, calls.clone());
    let room = max.saturating_sub(estimate_message(&rest));
    if room == TokenCount::ZERO {
        return rest;
    }
    let text = Block::Text(shorten_text(text.trim_start(), room, entry));
    with_content(message, std::iter::once(text).chain(calls).collect())
}

fn shorten_text(text: &str, max: TokenCount, entry: &EntryId) -> String {
    shorten::middle(text, max, |hidden| {
        format!("[... {hidden} tokens of entry {entry} are not shown here ...]")
    })
}

/// All blocks except calls and thinking, rendered as text.
fn described(content: &[Block]) -> String {
    let parts: Vec<String> = content
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.clone()),
            Block::Image(image) => {
                Some(format!("[image {}: {}]", image.mime_type, image.reference))
            }
            Block::Unknown { kind, n_bytes } => Some(format!("[{kind}, {n_bytes} bytes]")),
            Block::Thinking(_) | Block::ToolCall(_) => None,
        })
        .collect();
    parts.join("\n")
}

/// A copy of the message with this content.
pub(crate) fn with_content(message: &Message, content: Vec<Block>) -> Message {
    let mut message = message.clone();
    *message.content_mut() = content;
    message
}

#[cfg(test)]
#[path = "oversized_tests.rs"]
mod tests;
