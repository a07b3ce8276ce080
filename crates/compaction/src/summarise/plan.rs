//! What leaves the window, and how large its summary may be.
//!
//! Made once from a cut; everything later reads it and never the view again.

use std::collections::BTreeSet;

use base::{EntryId, TokenCount, estimate_text};
use session::{View, ViewContent, ViewItem};

use crate::show::summary_tokens;
use crate::trigger::is_effective;
use crate::{ContextUsage, Shown};

/// A summary takes at most this many hundredths of what it replaces...
const SHARE_PERCENT: u64 = 10;

/// ...but this much in any case, where the ratio allows it...
const OUTPUT_MIN: TokenCount = TokenCount(300);

/// ...and never more than this.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);

/// What is replaced is at least this many times as large as the summary.
const RATIO_MIN: u64 = 6;

/// What leaves the window.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryPlan {
    /// What leaves, as the transcript holds it, oldest first; an earlier summary stands at the front.
    pub span: Vec<ViewItem>,
    /// The first entry that stays.
    pub first_kept: EntryId,
    /// Tokens of the span as the transcript holds it: what the ratio is measured against.
    pub stored: TokenCount,
    /// Tokens of the span as it was shown: what leaves the request.
    pub replaced: TokenCount,
    /// Tokens of the request before.
    pub tokens_before: TokenCount,
    /// The most that the summary may take.
    pub output_max: TokenCount,
}

impl SummaryPlan {
    /// Plans the summary of what stands before `cut` among the shown items; `None` where the cut does
    /// not belong to this view or no message stands before it.
    pub fn new(view: &View, shown: &Shown, cut: usize, usage: &ContextUsage) -> Option<Self> {
        let first_kept = shown.items.get(cut)?.entry.clone();
        let n_leaving = view
            .items
            .iter()
            .position(|item| item.entry == first_kept)?;
        // A late result leaves with its call, beside which it was shown.
        let leaving = shown.items.iter().take(cut).map(|item| &item.entry);
        let leaving: BTreeSet<&EntryId> = leaving.collect();
        let items = view.items.iter().enumerate();
        let leaves = |(position, item): &(usize, &ViewItem)| {
            *position < n_leaving || leaving.contains(&item.entry)
        };
        let span: Vec<ViewItem> = items.filter(leaves).map(|(_, item)| item.clone()).collect();
        let stored: TokenCount = span.iter().map(|item| item.tokens).sum();
        let replaced: TokenCount = shown.items.iter().take(cut).map(|item| item.tokens).sum();
        let plan = Self {
            span,
            first_kept,
            stored,
            replaced,
            tokens_before: usage.total(),
            output_max: output_max(stored.min(replaced)),
        };
        (plan.n_messages() > 0).then_some(plan)
    }

    /// The summary that stands at the front of the span.
    pub fn previous(&self) -> Option<(&ViewItem, &str)> {
        self.span.iter().find_map(|item| match &item.content {
            ViewContent::Summary(summary) => Some((item, summary.as_str())),
            ViewContent::Message(_) => None,
        })
    }

    /// How many messages leave.
    pub fn n_messages(&self) -> usize {
        self.messages().count()
    }

    /// The first and the last message that leave.
    pub fn ends(&self) -> Option<(EntryId, EntryId)> {
        let first = self.messages().next()?.entry.clone();
        let last = self.messages().next_back()?.entry.clone();
        Some((first, last))
    }

    /// Whether `summary` frees enough of the window to take the place of the span.
    pub fn is_effective(&self, summary: &str) -> bool {
        is_effective(self.replaced, summary_tokens(summary))
    }

    /// Tokens of the request with `summary` in the place of the span.
    pub fn tokens_after(&self, summary: &str) -> TokenCount {
        self.tokens_before.saturating_sub(self.replaced) + summary_tokens(summary)
    }

    /// Tokens of what is replaced, as the transcript holds it, over tokens of the summary, in hundredths.
    pub fn ratio_percent(&self, summary: &str) -> u64 {
        let hundredfold = u128::from(self.stored.0) * 100;
        let ratio = hundredfold / u128::from(estimate_text(summary).0.max(1));
        u64::try_from(ratio).unwrap_or(u64::MAX)
    }

    fn messages(&self) -> impl DoubleEndedIterator<Item = &ViewItem> {
        self.span
            .iter()
            .filter(|item| matches!(item.content, ViewContent::Message(_)))
    }
}

fn output_max(span: TokenCount) -> TokenCount {
    span.percent(SHARE_PERCENT)
        .max(OUTPUT_MIN)
        .min(OUTPUT_MAX)
        .min(TokenCount(span.0 / RATIO_MIN))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
