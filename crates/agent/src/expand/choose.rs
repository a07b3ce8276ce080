//! Chooses which messages fit a budget, shows them as text, and names those that do not.
//!
//! Pure: the same messages, budget and words give the same choice.

use std::collections::BTreeMap;

use base::{Block, EntryId, Message, Origin, Timestamp, TokenCount, counted, estimate_text};
use compaction::middle;
use session::{ViewContent, ViewItem};

/// Which messages come first where not all of them fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpandOrder {
    /// The first and the last in turn: how it began and how it ended.
    Ends,
    /// From the first on.
    Start,
    /// From the last back.
    End,
    /// Those alone that hold one of these words, the most telling first.
    Query(String),
}

/// A part of what was replaced.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// A message, or an earlier summary.
    Said {
        /// Its entry.
        entry: EntryId,
        /// When.
        at: Timestamp,
        /// Who.
        speaker: String,
        /// Who is answerable for it.
        origin: Origin,
        /// What it says; of one that is too long head and tail.
        text: String,
        /// How much of it is not shown.
        hidden: TokenCount,
    },
    /// Messages that are not shown.
    Gap {
        /// The first of them.
        first: EntryId,
        /// The last of them.
        last: EntryId,
        /// How many.
        n_messages: usize,
        /// How large they are.
        tokens: TokenCount,
    },
}

/// What the lines around a message take.
const FRAME: TokenCount = TokenCount(40);

/// A message is cut to no less than this.
const PIECE_MIN: TokenCount = TokenCount(60);

/// Where not all fit, none takes more than this part of the budget.
const SHARE_MAX: u64 = 2;

/// The messages that fit, in the order in which they were said, with the gaps between them.
pub(super) fn choose(items: &[ViewItem], budget: TokenCount, order: &ExpandOrder) -> Vec<Piece> {
    let texts: Vec<String> = items.iter().map(told).collect();
    let sizes: Vec<TokenCount> = texts.iter().map(|text| estimate_text(text)).collect();
    let chosen = fitting(&sizes, budget, ranked(&texts, order));
    let mut pieces: Vec<Piece> = Vec::new();
    for (position, ((item, text), size)) in items.iter().zip(&texts).zip(&sizes).enumerate() {
        match chosen.get(&position) {
            Some(max) => pieces.push(said(item, text, *size, *max)),
            None => add_to_gap(&mut pieces, item, *size),
        }
    }
    pieces
}

/// How many items are wanted in this order: all, but for a query those that hold a word of it.
pub(super) fn n_wanted(items: &[ViewItem], order: &ExpandOrder) -> usize {
    match order {
        ExpandOrder::Start | ExpandOrder::End | ExpandOrder::Ends => items.len(),
        ExpandOrder::Query(_) => {
            let texts: Vec<String> = items.iter().map(told).collect();
            ranked(&texts, order).len()
        }
    }
}

/// How many tokens each chosen position gets.
fn fitting(
    sizes: &[TokenCount],
    budget: TokenCount,
    order: Vec<usize>,
) -> BTreeMap<usize, TokenCount> {
    let whole: TokenCount = sizes.iter().map(|size| *size + FRAME).sum();
    let share = if sizes.len() > 1 && whole > budget {
        TokenCount(budget.0 / SHARE_MAX).max(PIECE_MIN + FRAME)
    } else {
        budget
    };
    let mut left = budget;
    let mut chosen = BTreeMap::new();
    for position in order {
        let Some(size) = sizes.get(position) else {
            continue;
        };
        let wanted = (*size + FRAME).min(share);
        if wanted <= left {
            chosen.insert(position, wanted.saturating_sub(FRAME));
            left = left.saturating_sub(wanted);
        } else if left >= PIECE_MIN + FRAME {
            chosen.insert(position, left.saturating_sub(FRAME));
            break;
        } else {
            break;
        }
    }
    chosen
}

/// The positions in the order in which they are wanted.
fn ranked(texts: &[String], order: &ExpandOrder) -> Vec<usize> {
    let n_texts = texts.len();
    match order {
        ExpandOrder::Start => (0..n_texts).collect(),
        ExpandOrder::End => (0..n_texts).rev().collect(),
        ExpandOrder::Ends => {
            let last_first = (0..n_texts).rev();
            let mut both: Vec<usize> = (0..n_texts)
                .zip(last_first)
                .flat_map(|(first, last)| [last, first])
                .collect();
            both.truncate(n_texts);
            both
        }
        ExpandOrder::Query(query) => by_words(texts, query),
    }
}

/// The texts that hold a word of the query: a rare word tells more than a frequent one.
fn by_words(texts: &[String], query: &str) -> Vec<usize> {
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let query = query.to_lowercase();
    let words: Vec<&str> = base::words(&query).collect();
    let weight = |word: &&str| {
        let n_holding = lower.iter().filter(|text| text.contains(*word)).count();
        // Whole numbers, so that the order is the same on every machine.
        (1 + lower.len() * 1_000)
            .checked_div(n_holding)
            .unwrap_or(0)
    };
    let weights: Vec<(&str, usize)> = words.iter().map(|word| (*word, weight(word))).collect();
    let score = |text: &String| -> usize {
        let held = weights.iter().filter(|(word, _)| text.contains(word));
        held.map(|(_, weight)| weight).sum()
    };
    let mut scored: Vec<(usize, usize)> = lower.iter().map(score).enumerate().collect();
    scored.retain(|(_, score)| *score > 0);
    scored.sort_by_key(|(position, score)| (std::cmp::Reverse(*score), *position));
    scored.into_iter().map(|(position, _)| position).collect()
}

fn said(item: &ViewItem, text: &str, size: TokenCount, max: TokenCount) -> Piece {
    let shown = middle(text, max, |hidden| {
        format!(
            "[... {hidden} tokens of entry {} are not shown here ...]",
            item.entry
        )
    });
    Piece::Said {
        entry: item.entry.clone(),
        at: item.at,
        speaker: speaker(item),
        origin: item.origin,
        hidden: if shown == text {
            TokenCount::ZERO
        } else {
            size.saturating_sub(max)
        },
        text: shown,
    }
}

fn add_to_gap(pieces: &mut Vec<Piece>, item: &ViewItem, size: TokenCount) {
    if let Some(Piece::Gap {
        last,
        n_messages,
        tokens,
        ..
    }) = pieces.last_mut()
    {
        last.clone_from(&item.entry);
        *n_messages += 1;
        *tokens += size;
    } else {
        pieces.push(Piece::Gap {
            first: item.entry.clone(),
            last: item.entry.clone(),
            n_messages: 1,
            tokens: size,
        });
    }
}

/// The whole text of an item.
pub(super) fn told(item: &ViewItem) -> String {
    let message = match &item.content {
        ViewContent::Message(message) => message,
        ViewContent::Summary(summary) => return summary.clone(),
    };
    let parts: Vec<String> = message.content().iter().filter_map(block).collect();
    parts.join("\n")
}

fn block(block: &Block) -> Option<String> {
    match block {
        Block::Text(text) => Some(text.clone()),
        Block::Thinking(_) => None,
        Block::Image(image) => Some(format!("[image {}: {}]", image.mime_type, image.reference)),
        Block::ToolCall(call) => Some(format!("[calls {} with {}]", call.name, call.arguments)),
        Block::Unknown { kind, n_bytes } => Some(format!(
            "[{kind}, {}]",
            counted(*n_bytes as u64, "byte", "bytes")
        )),
    }
}

/// Who says it.
pub(super) fn speaker(item: &ViewItem) -> String {
    match &item.content {
        ViewContent::Summary(_) => "summary".to_owned(),
        ViewContent::Message(Message::User {
            name: Some(name), ..
        }) => format!("user {name}"),
        ViewContent::Message(Message::ToolResult(result)) => format!("tool {}", result.tool_name),
        ViewContent::Message(message @ (Message::User { .. } | Message::Assistant(_))) => {
            message.role().to_owned()
        }
    }
}

#[cfg(test)]
#[path = "choose_tests.rs"]
mod tests;
