//! Selects the passages of a search that a model is shown.
//!
//! Pure. docs/performance.md shows what each bar lets through.

use base::{Locator, TokenCount};
use search::{SearchResult, ends_first, in_order};

use crate::turn::recall::render;

/// How likely passages must be to bear on a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RecallBar {
    /// The best one; otherwise none is shown.
    pub(crate) best: f64,
    /// Each other.
    pub(crate) other: f64,
}

/// The bar in a chat.
pub(crate) const IN_CHAT: RecallBar = RecallBar {
    best: 0.15,
    other: 0.05,
};

/// The bar for other programs: passages that they are shown leave openclaw.
pub(crate) const FOR_PROGRAMS: RecallBar = RecallBar {
    best: 0.2,
    other: 0.1,
};

/// Limit of passages for one message; the token budget is often reached earlier.
const PASSAGES_MAX: usize = 6;

/// For an engine that weighs passages itself, those that score below this fraction of the best are left out.
const FAR_PART: f64 = 0.5;

/// The passages worth showing next to what the model is shown already, in the order of the search, as many as fit.
///
/// Never those that only ask, or ask to forget, that the owner took back, or that another one repeats or supersedes,
/// whether that is shown here or already. The lines of a period that the message names all bear on it.
pub(crate) fn worth_showing(
    found: &[SearchResult],
    bar: RecallBar,
    budget: TokenCount,
    is_shown: &dyn Fn(&SearchResult) -> bool,
) -> Vec<SearchResult> {
    let reaches = |it: &SearchResult, least: f64| it.is_of_span || it.likelihood >= least;
    let says = |it: &&SearchResult| reaches(it, bar.other) && !it.is_untrue && tells(it);
    let likely: Vec<&SearchResult> = found.iter().filter(says).collect();
    let superseded: Vec<&Locator> = likely.iter().filter_map(|it| it.renews.as_ref()).collect();
    let mut kept: Vec<SearchResult> = Vec::new();
    for passage in likely {
        let place = passage.place();
        let is_old = superseded.iter().any(|older| older.overlaps(&place));
        if !is_old && !is_shown(passage) && !is_repeated(passage, &kept) {
            kept.push(passage.clone());
        }
    }
    if !kept.iter().any(|it| reaches(it, bar.best)) {
        return Vec::new();
    }
    let mut n_others = 0;
    let mut packed = pack(kept, budget);
    packed.retain(|it| {
        n_others += usize::from(!it.is_of_span);
        it.is_of_span || n_others <= PASSAGES_MAX
    });
    packed
}

/// The passages for an engine that weighs them itself: without questions, values that a newer one replaced, repetitions
/// and those far below the best.
pub(crate) fn for_weighing(mut found: Vec<SearchResult>) -> Vec<SearchResult> {
    found.retain(|it| it.replaced_on.is_none() && tells(it));
    let best = found.iter().map(|it| it.score).fold(0.0, f64::max);
    let mut kept: Vec<SearchResult> = Vec::new();
    for passage in found {
        if passage.score >= best * FAR_PART && !is_repeated(&passage, &kept) {
            kept.push(passage);
        }
    }
    kept
}

/// Whether a passage states something: a question does not, nor does a request to forget.
fn tells(passage: &SearchResult) -> bool {
    !base::only_asks(&passage.text) && !extract::only_takes_back(&passage.text)
}

/// Whether a kept passage of the same day contains all of this passage.
fn is_repeated(passage: &SearchResult, kept: &[SearchResult]) -> bool {
    let text = passage.text.trim();
    let mut kept = kept.iter();
    kept.any(|it| it.text.contains(text) && it.day == passage.day)
}

/// The passages that fit into the budget with their fences, in order. A passage that is too large is skipped; of the
/// lines of a span the best are kept.
pub(crate) fn pack(mut found: Vec<SearchResult>, budget: TokenCount) -> Vec<SearchResult> {
    ends_first(&mut found);
    let mut left = budget;
    found.retain(|passage| {
        let needed = base::estimate_text(&render(passage));
        let fits = needed <= left;
        if fits {
            left = left.saturating_sub(needed);
        }
        fits
    });
    in_order(&mut found);
    found
}

#[cfg(test)]
#[path = "worth_tests.rs"]
mod tests;
