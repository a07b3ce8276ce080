//! Chooses what is shown of what was found, and how much of it.
//!
//! Never shows half a line of a note.

use std::ops::Range;

use base::{TokenCount, estimate_text};

use super::model::SearchResult;
use crate::index::{PassageRecord, StretchRow};
use crate::passage_source::Source;

/// Fewest characters that are shown of a message that has them.
const SHOWN_CHARS_MIN: usize = 180;

/// A neighbouring piece of the same message is shown too where it scores this share of the best.
const JOINED_SHARE: f64 = 0.8;

/// The pieces that a result shows: all of a passage of a note; of a message the best and those beside it
/// that are nearly as good, or that it needs to be understood.
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

/// The results that fit into a budget, best first; one that does not fit makes room for the next.
pub(crate) fn pack(results: Vec<SearchResult>, budget: TokenCount) -> Vec<SearchResult> {
    let mut left = budget;
    let mut fits = |result: &SearchResult| {
        let needed = estimate_text(&result.text);
        let fits = needed <= left;
        if fits {
            left = left.saturating_sub(needed);
        }
        fits
    };
    results.into_iter().filter(|result| fits(result)).collect()
}
