//! Shows old tool results shortened, then as a placeholder.
//!
//! Never changes the transcript: it works on what a request shows.

use base::{Block, Message, estimate_text, head, tail};
use session::{ViewContent, ViewItem};

use crate::show::sent_tokens;

/// A result above this many characters is shortened first.
const SHORTEN_ABOVE_CHARS: usize = 4_000;

/// What remains of each end of a shortened result.
const END_CHARS: usize = 1_500;

/// What stands in the place of a result that is older still.
const PLACEHOLDER: &str = "[Old tool result content cleared]";

/// Shortens the tool results that more than `after_rounds` replies of the assistant follow; those
/// that more than twice as many follow give way to a placeholder.
///
/// What was said before the first user message stays. Returns how many results were changed.
pub(crate) fn prune(items: &mut [ViewItem], after_rounds: usize) -> usize {
    let opening = items.iter().position(is_said_to_the_assistant);
    let mut n_rounds = 0;
    let mut n_pruned = 0;
    for (position, item) in items.iter_mut().enumerate().rev() {
        let ViewContent::Message(message) = &mut item.content else {
            continue;
        };
        match message {
            Message::Assistant(_) => n_rounds += 1,
            Message::User { .. } => {}
            Message::ToolResult(result) => {
                let is_opening = opening.is_none_or(|opening| position < opening);
                let changed = if is_opening || n_rounds <= after_rounds {
                    None
                } else if n_rounds <= after_rounds.saturating_mul(2) {
                    shortened(&result.content)
                } else {
                    cleared(&result.content)
                };
                if let Some(content) = changed {
                    result.content = content;
                    item.tokens = sent_tokens(&item.content);
                    n_pruned += 1;
                }
            }
        }
    }
    n_pruned
}

/// A summary opens a conversation as its first user message did.
fn is_said_to_the_assistant(item: &ViewItem) -> bool {
    match &item.content {
        ViewContent::Summary(_) => true,
        ViewContent::Message(message) => matches!(message, Message::User { .. }),
    }
}

/// Head and tail of the text, which is moved before whatever else the result holds.
fn shortened(content: &[Block]) -> Option<Vec<Block>> {
    let is_text = |block: &&Block| matches!(block, Block::Text(_));
    let text = text_of(content);
    let n_chars = text.chars().count();
    if n_chars <= SHORTEN_ABOVE_CHARS {
        return None;
    }
    let (start, end) = (head(&text, END_CHARS), tail(&text, END_CHARS));
    let n_hidden = n_chars - 2 * END_CHARS;
    let short = format!("{start}\n[... {n_hidden} characters cleared ...]\n{end}");
    let others = content.iter().filter(|block| !is_text(block)).cloned();
    Some(std::iter::once(Block::Text(short)).chain(others).collect())
}

/// The placeholder, where it is the shorter of the two.
fn cleared(content: &[Block]) -> Option<Vec<Block>> {
    let is_worth_it = content.iter().any(|block| !matches!(block, Block::Text(_)))
        || estimate_text(&text_of(content)) > estimate_text(PLACEHOLDER);
    is_worth_it.then(|| vec![Block::Text(PLACEHOLDER.to_owned())])
}

fn text_of(content: &[Block]) -> String {
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            Block::Thinking(_) | Block::Image(_) | Block::ToolCall(_) | Block::Unknown { .. } => {
                None
            }
        })
        .collect();
    texts.join("\n")
}
