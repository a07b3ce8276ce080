//! Splits a span that is too large for one request, and merges the summaries of its parts.
//!
//! Only builds requests; the caller iterates over the parts.

use base::model::Request;
use base::{Block, TokenCount};
use session::{ViewContent, ViewItem};

use super::plan::{SummaryBrief, SummaryPlan};
use super::request::{SAFETY_PERCENT, SummaryAsk, request};
use crate::oversized::with_content;
use crate::transcript;

const OVERSIZED_NOTE: &str = include_str!("../prompts/oversized_note.md");

/// A part takes this share of the window, in hundredths...
const PART_PERCENT: u64 = 40;

/// ...or as little as this share if messages are large.
const PART_PERCENT_MIN: u64 = 15;

/// Messages count as large if their mean size exceeds this share of the window, in hundredths.
const LARGE_PERCENT: u64 = 10;

/// A message above this share of the model's window, in hundredths, is left out by `without_oversized`.
const OVERSIZED_PERCENT: u64 = 50;

/// Maximum number of parts. For a longer span the parts grow, and their requests shorten the messages.
const PARTS_MAX: usize = 24;

const MESSAGES_MIN: usize = 4;

/// Every part may have a summary of at least this size.
const PART_OUTPUT_MIN: TokenCount = TokenCount(300);

/// The parts of a span, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryParts {
    /// The brief of each part.
    pub briefs: Vec<SummaryBrief>,
}

impl SummaryParts {
    /// Splits the span of a brief into parts of similar size for a model with this window; `None` if there are too
    /// few messages.
    pub fn new(brief: &SummaryBrief, window: TokenCount) -> Option<Self> {
        let items = &brief.plan.span;
        if items.len() < MESSAGES_MIN {
            return None;
        }
        let total: TokenCount = items.iter().map(|item| item.tokens).sum();
        let max = part_tokens(items, window);
        let n_parts = total.percent(SAFETY_PERCENT).0.div_ceil(max.0.max(1));
        let n_parts = usize::try_from(n_parts)
            .unwrap_or(PARTS_MAX)
            .clamp(2, PARTS_MAX);
        let parts = shared_out(items, n_parts);
        let n_parts = u64::try_from(parts.len()).unwrap_or(1).max(1);
        // Each part may use twice its share, because merging removes repetitions.
        let output_max = TokenCount(brief.plan.output_max.0 * 2 / n_parts).max(PART_OUTPUT_MIN);
        let briefs = parts.into_iter().map(|span| part(brief, span, output_max));
        Some(Self {
            briefs: briefs.collect(),
        })
    }
}

/// Requests one summary from the summaries of the parts, oldest first.
pub fn merge_request(brief: &SummaryBrief, texts: &[String], window: TokenCount) -> Request {
    let item = |text: &String| {
        let content = ViewContent::Summary(text.clone());
        brief.plan.span.first().map(|first| ViewItem {
            tokens: content.estimate(),
            content,
            ..first.clone()
        })
    };
    let span = texts.iter().filter_map(item).collect();
    let merged = SummaryBrief {
        plan: SummaryPlan {
            span,
            ..brief.plan.clone()
        },
        ..brief.clone()
    };
    request(&merged, SummaryAsk::Merge, window)
}

/// Replaces each message that is too large for a model with this window with a note; `None` if there is no such
/// message.
pub fn without_oversized(brief: &SummaryBrief, window: TokenCount) -> Option<SummaryBrief> {
    let max = window.percent(OVERSIZED_PERCENT);
    let mut lighter = brief.clone();
    let mut n_left_out = 0;
    for item in &mut lighter.plan.span {
        if let ViewContent::Message(message) = &mut item.content
            && item.tokens.percent(SAFETY_PERCENT) > max
        {
            let tokens = item.tokens.to_string();
            let values = [("tokens", tokens.as_str()), ("entry", item.entry.as_str())];
            let note = transcript::fill(OVERSIZED_NOTE, &values);
            *message = with_content(message, vec![Block::Text(note)]);
            item.tokens = base::estimate_message(message);
            n_left_out += 1;
        }
    }
    (n_left_out > 0).then_some(lighter)
}

/// The size of a part: a smaller share of the window if messages are large.
fn part_tokens(items: &[ViewItem], window: TokenCount) -> TokenCount {
    let total: TokenCount = items.iter().map(|item| item.tokens).sum();
    let n_items = u64::try_from(items.len()).unwrap_or(u64::MAX).max(1);
    let mean = (total.0 / n_items).saturating_mul(SAFETY_PERCENT) / 100;
    let mean_percent = mean.saturating_mul(100) / window.0.max(1);
    let percent = if mean_percent > LARGE_PERCENT {
        PART_PERCENT
            .saturating_sub(mean_percent.saturating_mul(2))
            .max(PART_PERCENT_MIN)
    } else {
        PART_PERCENT
    };
    window.percent(percent)
}

/// Splits items into `n_parts` non-empty parts with similar numbers of tokens, or fewer parts. A call may be
/// separated from its result, because each part is rendered as text.
fn shared_out(items: &[ViewItem], n_parts: usize) -> Vec<Vec<ViewItem>> {
    let total: u64 = items.iter().map(|item| item.tokens.0.max(1)).sum();
    let n_wanted = u64::try_from(n_parts).unwrap_or(1).max(1);
    let mut parts: Vec<Vec<ViewItem>> = Vec::new();
    let (mut spent, mut current) = (0_u64, Vec::new());
    for item in items {
        current.push(item.clone());
        spent += item.tokens.0.max(1);
        let n_done = u64::try_from(parts.len()).unwrap_or(u64::MAX) + 1;
        if u128::from(spent) * u128::from(n_wanted) >= u128::from(total) * u128::from(n_done) {
            parts.push(std::mem::take(&mut current));
        }
    }
    if !current.is_empty() {
        parts.push(current);
    }
    parts
}

fn part(brief: &SummaryBrief, span: Vec<ViewItem>, output_max: TokenCount) -> SummaryBrief {
    let stored = span.iter().map(|item| item.tokens).sum();
    SummaryBrief {
        plan: SummaryPlan {
            span,
            stored,
            replaced: stored,
            output_max,
            ..brief.plan.clone()
        },
        ..brief.clone()
    }
}

#[cfg(test)]
#[path = "staged_tests.rs"]
mod tests;
