//! Prunes tool results: caps large ones, reduces old ones to head and tail, then to a placeholder.
//!
//! Changes only the shown items, never the transcript.

use base::{Block, EntryId, Message, ToolOutcome, ToolResult, estimate_text, tail};
use session::{ViewContent, ViewItem};

use crate::budget::Budget;
use crate::settings::WindowSettings;
use crate::shorten;
use crate::shown::{is_summary, is_user, sent_tokens};

const SHORTEN_ABOVE_CHARS: usize = 4_000;

const SHORTENED_CHARS: usize = 3_000;

/// Replaces results that are more than twice as old as the pruning age.
const PLACEHOLDER: &str = "[Old tool result content cleared]";

/// Number of characters kept from the end of an old result of a failed tool, after the placeholder.
const ERROR_TAIL_CHARS: usize = 300;

/// Even a recent result shows at most this share of the window, in hundredths...
const CAP_PERCENT: u64 = 30;

/// ...and at most this many characters, unless the strategy sets another limit...
const CAP_CHARS_MAX: usize = 40_000;

/// ...but never fewer than this many.
const CAP_CHARS_MIN: usize = 2_000;

/// Share of the tail in a shortened text, in hundredths: in general, and if the tool failed.
const TAIL_PERCENT: usize = 50;
const FAILURE_TAIL_PERCENT: usize = 75;

/// Limits every result to its share of the window.
///
/// Does not change items before the first user message.
pub(crate) fn cap(items: &mut [ViewItem], budget: &Budget) {
    let share = budget.window.percent(CAP_PERCENT).to_chars();
    let most = budget.strategy.rules().result_chars_max();
    let most = most.map_or(CAP_CHARS_MAX, |most| most.max(CAP_CHARS_MIN));
    let max = share.clamp(CAP_CHARS_MIN, most);
    for (item, _) in results(items) {
        change(item, |result, entry| {
            let text = Block::text_of(&result.content);
            (text.chars().count() > max).then(|| {
                let short = ends((&text, result.outcome), max, &|n_hidden| {
                    format!("[... {n_hidden} characters of entry {entry} are not shown here ...]")
                });
                with_text(&result.content, short)
            })
        });
    }
}

/// Shortens tool results older than `prune_after_rounds` rounds. Replaces results more than twice as old with a
/// placeholder, which keeps the end of a failed tool's output.
///
/// Does not change items before the first user message, or results of excluded tools.
pub(crate) fn prune(items: &mut [ViewItem], settings: &WindowSettings) {
    let after_rounds = settings.prune_after_rounds;
    let tools = &settings.pruned_tools;
    for (item, n_rounds) in results(items) {
        change(item, |result, _| {
            if n_rounds <= after_rounds || !tools.include(&result.tool_name) {
                None
            } else if n_rounds <= after_rounds.saturating_mul(2) {
                shortened(result)
            } else {
                cleared(result)
            }
        });
    }
}

/// The tool results after the first user message, each with the number of replies after it.
fn results(items: &mut [ViewItem]) -> Vec<(&mut ViewItem, usize)> {
    // A summary can open a conversation in place of a user message.
    let is_opening = |item: &ViewItem| is_user(item) || is_summary(item);
    let opening = items.iter().position(is_opening);
    let mut n_rounds = 0;
    let mut found = Vec::new();
    for (position, item) in items.iter_mut().enumerate().rev() {
        match &item.content {
            ViewContent::Message(Message::Assistant(_)) => n_rounds += 1,
            ViewContent::Message(Message::ToolResult(_))
                if opening.is_some_and(|opening| position >= opening) =>
            {
                found.push((item, n_rounds));
            }
            ViewContent::Message(_) | ViewContent::Summary(_) => {}
        }
    }
    found
}

/// Replaces the content of a tool result if `changed` returns new content.
fn change(item: &mut ViewItem, changed: impl Fn(&ToolResult, &EntryId) -> Option<Vec<Block>>) {
    if let ViewContent::Message(Message::ToolResult(result)) = &mut item.content
        && let Some(content) = changed(result, &item.entry)
    {
        result.content = content;
        item.tokens = sent_tokens(&item.content);
    }
}

/// Reduces the text to head and tail, and each image to a line with its type.
fn shortened(result: &ToolResult) -> Option<Vec<Block>> {
    let content = &result.content;
    let text = Block::text_of(content);
    let is_long = text.chars().count() > SHORTEN_ABOVE_CHARS;
    let has_image = content.iter().any(|block| matches!(block, Block::Image(_)));
    if !is_long && !has_image {
        return None;
    }
    let text = if is_long {
        ends((&text, result.outcome), SHORTENED_CHARS, &|n_hidden| {
            format!("[... {n_hidden} characters cleared ...]")
        })
    } else {
        text
    };
    let rest = content.iter().filter_map(|block| match block {
        Block::Image(image) => Some(Block::Text(format!("[image {} cleared]", image.mime_type))),
        Block::Text(_) => None,
        Block::Thinking(_) | Block::ToolCall(_) | Block::Unknown { .. } => Some(block.clone()),
    });
    let text = (!text.is_empty()).then_some(Block::Text(text));
    Some(text.into_iter().chain(rest).collect())
}

/// The placeholder, with the end of the text if the tool failed; `None` if that is not shorter.
fn cleared(result: &ToolResult) -> Option<Vec<Block>> {
    let content = &result.content;
    let text = Block::text_of(content);
    let placeholder = if result.outcome == ToolOutcome::Failure {
        format!(
            "{PLACEHOLDER} ... {}",
            tail(text.trim_end(), ERROR_TAIL_CHARS)
        )
    } else {
        PLACEHOLDER.to_owned()
    };
    let is_worth_it = content.iter().any(|block| !matches!(block, Block::Text(_)))
        || estimate_text(&text) > estimate_text(&placeholder);
    is_worth_it.then(|| vec![Block::Text(placeholder)])
}

/// Head and tail of a text, `max` characters in total, around a marker with the number of hidden characters. The tail
/// is longer if the tool failed, because error messages come last.
fn ends(
    (text, outcome): (&str, ToolOutcome),
    max: usize,
    marker: &dyn Fn(usize) -> String,
) -> String {
    let percent = if outcome == ToolOutcome::Failure {
        FAILURE_TAIL_PERCENT
    } else {
        TAIL_PERCENT
    };
    let n_tail = max * percent / 100;
    shorten::ends(text, (max - n_tail, n_tail), marker)
}

/// Replaces all text blocks with a single one, before the other blocks.
fn with_text(content: &[Block], text: String) -> Vec<Block> {
    let is_text = |block: &&Block| matches!(block, Block::Text(_));
    let others = content.iter().filter(|block| !is_text(block)).cloned();
    std::iter::once(Block::Text(text)).chain(others).collect()
}

#[cfg(test)]
#[path = "prune_tests.rs"]
mod tests;
