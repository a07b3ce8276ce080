//! What a budget kept out of an answer though it is better than what is shown.
//!
//! Searches nothing itself.

use base::{TokenCount, estimate_text};
use memory::SearchResult;

use crate::output::LeftOut;

/// What was left out of `shown`, which is all that fits of `all`, where something worse is shown or nothing is.
pub(super) fn left_out(all: &[SearchResult], shown: &[SearchResult]) -> Option<LeftOut> {
    let is_shown = |result: &SearchResult| {
        let place = place(result);
        shown.iter().any(|shown| self::place(shown) == place)
    };
    let rank = all.iter().position(|result| !is_shown(result))?;
    let (before, rest) = all.split_at_checked(rank)?;
    let (best, worse) = rest.split_first()?;
    if !shown.is_empty() && !worse.iter().any(is_shown) {
        return None;
    }
    let held = before.iter().chain([best]);
    let budget: TokenCount = held.map(|result| estimate_text(&result.text)).sum();
    Some(LeftOut {
        path: best.path.clone(),
        start_line: best.start_line,
        end_line: best.end_line,
        budget: budget.0,
    })
}

fn place(result: &SearchResult) -> (&str, usize, usize) {
    (&result.path, result.start_line, result.end_line)
}
