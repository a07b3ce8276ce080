//! Chooses which results are shown, and how much of each.
//!
//! Never shows part of a line of a note.

use std::ops::Range;

use base::{TokenCount, estimate_text};

use super::model::{LeftOut, SearchResult};
use crate::index::{PassageRecord, StretchRow};
use crate::passage_source::Source;

/// Minimum amount of text shown of a message, if it has that much.
const SHOWN_CHARS_MIN: usize = 180;

/// A neighbouring piece of the same message is shown too if it scores at least this share of the best.
const JOINED_SHARE: f64 = 0.8;

/// The pieces that a result shows: the whole passage of a note; for a message, the best piece and a neighbour that
/// scores nearly as well or is needed for context.
pub(crate) fn shown_pieces(
    row: &StretchRow,
    passage: &PassageRecord,
    best: usize,
    score: &dyn Fn(usize) -> f64,
) -> Range<usize> {
    if row.source == Source::Memory {
        return passage.pieces.clone();
    }
    let mut shown = best..best + 1;
    let floor = score(best) * JOINED_SHARE;
    let n_bytes = |range: &Range<usize>| -> usize {
        row.record
            .pieces
            .get(range.clone())
            .unwrap_or_default()
            .iter()
            .map(|piece| piece.text.len())
            .sum()
    };
    if shown.end < passage.pieces.end
        && (score(shown.end) >= floor || n_bytes(&shown) < SHOWN_CHARS_MIN)
    {
        shown.end += 1;
    }
    if shown.start > passage.pieces.start
        && shown.len() == 1
        && (score(shown.start - 1) >= floor || n_bytes(&shown) < SHOWN_CHARS_MIN)
    {
        shown.start -= 1;
    }
    shown
}

/// The results that fit into the budget, best first, and the best one that does not, if it ranks above one that does. A
/// result that does not fit is skipped and the next one tried.
pub(crate) fn pack(
    results: Vec<SearchResult>,
    budget: TokenCount,
) -> (Vec<SearchResult>, Option<LeftOut>) {
    let mut left = budget;
    // Tokens of all results so far, skipped ones included.
    let mut needed = TokenCount(0);
    let mut shown = Vec::new();
    let mut left_out = None;
    let mut is_better = false;
    for result in results {
        let tokens = estimate_text(&result.text);
        needed += tokens;
        if tokens <= left {
            left = left.saturating_sub(tokens);
            is_better |= left_out.is_some();
            shown.push(result);
        } else if left_out.is_none() {
            left_out = Some(LeftOut {
                result: Box::new(result),
                budget: needed,
            });
        }
    }
    let left_out = left_out.filter(|_| is_better || shown.is_empty());
    (shown, left_out)
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
