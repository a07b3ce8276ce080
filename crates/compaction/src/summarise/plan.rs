//! What leaves the window, how large its summary may be, and what that is made from.
//!
//! Made once from a cut; everything later reads it and never the view again.

use std::collections::BTreeSet;
use std::ops::Range;

use base::{EntryId, TokenCount, estimate_text};
use session::{Artifacts, View, ViewContent, ViewItem};

use crate::audit::Audit;
use crate::rung::Rung;
use crate::shown::{Shown, summary_tokens};
use crate::strategy::Strategy;
use crate::transcript::AsOf;
use crate::trigger::{ContextUsage, is_effective};

/// A summary takes at most this many hundredths of what it replaces...
const SHARE_PERCENT: u64 = 10;

/// ...but this much in any case, where the ratio allows it...
const OUTPUT_MIN: TokenCount = TokenCount(300);

/// ...and never more than this.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);

/// What is replaced is at least this many times as large as the summary.
const RATIO_MIN: u64 = 6;

/// What leaves the window.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SummaryPlan {
    /// How the summary is asked for and shown.
    pub strategy: Strategy,
    /// What leaves, as the transcript holds it, oldest first; an earlier summary stands at the front.
    pub span: Vec<ViewItem>,
    /// What is shown before the summary, as it was said.
    pub keep_first: Vec<EntryId>,
    /// Earlier summaries that stay as they are, before the new one.
    pub carried: Option<String>,
    /// What the user asked for last, where the summary is to end with it.
    pub last_request: Option<String>,
    /// The first entry that stays after the summary; `None` where none does.
    pub first_kept: Option<EntryId>,
    /// Tokens of the span as the transcript holds it: what the ratio is measured against.
    pub stored: TokenCount,
    /// Tokens of the span, and of what is carried, as it was shown: what leaves the request.
    pub replaced: TokenCount,
    /// Tokens of the request before.
    pub tokens_before: TokenCount,
    /// The most that the summary may take.
    pub output_max: TokenCount,
}

impl SummaryPlan {
    /// Plans the summary of a range of the shown items, what stands before it being kept; `None` where the
    /// range does not belong to this view or holds no message.
    pub fn new(
        view: &View,
        shown: &Shown,
        leaving: Range<usize>,
        usage: &ContextUsage,
    ) -> Option<Self> {
        let first_kept = shown.items.get(leaving.end).map(|item| item.entry.clone());
        let n_leaving = match &first_kept {
            Some(first_kept) => view
                .items
                .iter()
                .position(|item| item.entry == *first_kept)?,
            None => view.items.len(),
        };
        let keep_first = shown.items.get(..leaving.start)?;
        let keep_first: Vec<EntryId> = keep_first.iter().map(|item| item.entry.clone()).collect();
        let shown_leaving = shown.items.get(leaving)?;
        // A late result leaves with its call, beside which it was shown.
        let leaving: BTreeSet<&EntryId> = shown_leaving.iter().map(|item| &item.entry).collect();
        let items = view.items.iter().enumerate();
        let leaves = |(position, item): &(usize, &ViewItem)| {
            let is_leaving = *position < n_leaving || leaving.contains(&item.entry);
            is_leaving && !keep_first.contains(&item.entry)
        };
        let span: Vec<ViewItem> = items.filter(leaves).map(|(_, item)| item.clone()).collect();
        let stored: TokenCount = span.iter().map(|item| item.tokens).sum();
        let replaced: TokenCount = shown_leaving.iter().map(|item| item.tokens).sum();
        let plan = Self {
            strategy: Strategy::Handoff,
            span,
            keep_first,
            carried: None,
            last_request: None,
            first_kept,
            stored,
            replaced,
            tokens_before: usage.total(),
            output_max: output_max(stored.min(replaced)),
        };
        (plan.n_messages() > 0).then_some(plan)
    }

    /// The same with the earlier summary, where there is one, standing as it is before the new one.
    #[must_use]
    pub(crate) fn carrying(mut self) -> Self {
        let summaries = self.span.iter().filter_map(|item| match &item.content {
            ViewContent::Summary(summary) => Some(summary.as_str()),
            ViewContent::Message(_) => None,
        });
        let carried: Vec<&str> = summaries.collect();
        if carried.is_empty() {
            return self;
        }
        self.carried = Some(carried.join("\n\n"));
        self.span
            .retain(|item| matches!(item.content, ViewContent::Message(_)));
        self.stored = self.span.iter().map(|item| item.tokens).sum();
        let leaving = self.replaced.saturating_sub(self.carried_tokens());
        self.output_max = output_max(self.stored.min(leaving));
        self
    }

    /// The same with a summary of at most `max`, which still is a sixth of what it replaces at most.
    #[must_use]
    pub(crate) fn with_output_max(self, max: TokenCount) -> Self {
        let ratio_max = TokenCount(self.stored.min(self.replaced).0 / RATIO_MIN);
        Self {
            output_max: max.min(ratio_max),
            ..self
        }
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
        let carried = self.carried_tokens();
        let leaving = self.replaced.saturating_sub(carried);
        is_effective(leaving, summary_tokens(summary).saturating_sub(carried))
    }

    fn carried_tokens(&self) -> TokenCount {
        let carried = self.carried.as_deref();
        carried.map_or(TokenCount::ZERO, summary_tokens)
    }

    /// Tokens of the request with `summary` in the place of the span.
    pub fn tokens_after(&self, summary: &str) -> TokenCount {
        self.tokens_before.saturating_sub(self.replaced) + summary_tokens(summary)
    }

    /// Tokens of what is replaced, as the transcript holds it, over tokens of the summary, in hundredths.
    pub fn ratio_percent(&self, summary: &str) -> u64 {
        let carried = self.carried.as_deref().unwrap_or_default();
        let summary = summary.strip_prefix(carried).unwrap_or(summary);
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

/// Everything that asking for a summary and reading it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryBrief {
    /// What leaves, and how large the summary may be.
    pub plan: SummaryPlan,
    /// The moment on the owner's clock.
    pub as_of: AsOf,
    /// What the owner asks of this summary, in the owner's words.
    pub instructions: Option<String>,
}

/// A summary that is worth having.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The text that the window shows.
    pub text: String,
    /// How it was made.
    pub rung: Rung,
    /// The rungs that were tried before and gave nothing.
    pub failed: Vec<Rung>,
    /// How much of what must not get lost it holds, in hundredths, where that was measured.
    pub retention_percent: Option<u64>,
    /// The index of what leaves.
    pub artifacts: Artifacts,
}

impl Summary {
    /// A summary with what the audit says of it.
    pub fn new(text: String, rung: Rung, audit: &Audit) -> Self {
        Self {
            retention_percent: Some(audit.retention_percent(&text)),
            text,
            rung,
            failed: Vec::new(),
            artifacts: audit.artifacts().clone(),
        }
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
