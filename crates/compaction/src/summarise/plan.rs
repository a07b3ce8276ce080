//! The plan of a compaction: the messages that leave the window, the size limits of the summary, and its input.
//!
//! Made once from a cut; later steps read the plan and never the view.

use std::collections::BTreeSet;
use std::ops::Range;

use base::{EntryId, TokenCount, estimate_text};
use session::{Artifacts, View, ViewItem};

use crate::audit::Audit;
use crate::rung::Rung;
use crate::shown::{Shown, summary_tokens};
use crate::strategy::Strategy;
use crate::transcript::AsOf;
use crate::trigger::{ContextUsage, is_effective};

/// A summary takes at most this share of the tokens that it replaces, in hundredths...
const SHARE_PERCENT: u64 = 10;

/// ...but may always take this much if `RATIO_MIN` allows it...
const OUTPUT_MIN: TokenCount = TokenCount(300);

/// ...and never more than this.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);

/// The replaced span must have at least this many times as many tokens as the summary.
const RATIO_MIN: u64 = 6;

/// The messages that leave the window, and the size limits of their summary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SummaryPlan {
    /// The strategy. It determines the request and the form of the summary.
    pub strategy: Strategy,
    /// The items that leave, as in the transcript, oldest first. An earlier summary comes first.
    pub span: Vec<ViewItem>,
    /// Entries kept before the summary.
    pub keep_first: Vec<EntryId>,
    /// Earlier summaries that stay unchanged before the new one.
    pub carried: Option<String>,
    /// The user's last request, if the summary should end with it.
    pub last_request: Option<String>,
    /// The first entry kept after the summary, if any.
    pub first_kept: Option<EntryId>,
    /// Tokens of the span as in the transcript, from which the ratio is computed.
    pub stored: TokenCount,
    /// Tokens of the span and the carried summaries as shown: the tokens that leave the request.
    pub replaced: TokenCount,
    /// Tokens of the request before the compaction.
    pub tokens_before: TokenCount,
    /// The size limit to ask the model for.
    pub output_max: TokenCount,
    /// The largest message that is shown whole; `None` without a limit. A larger summary would be shown as head and
    /// tail only.
    pub shown_max: Option<TokenCount>,
}

impl SummaryPlan {
    /// Plans to summarise a range of the shown items and to keep the items before it. `None` if the range does not
    /// belong to this view or contains no message.
    pub fn new(
        view: &View,
        shown: &Shown,
        (leaving, strategy): (Range<usize>, Strategy),
        usage: &ContextUsage,
    ) -> Option<Self> {
        let first_kept = shown.items.get(leaving.end).map(|item| item.entry.clone());
        let mut items = view.items.iter();
        let n_leaving = match &first_kept {
            Some(first_kept) => items.position(|item| item.entry == *first_kept)?,
            None => items.len(),
        };
        let keep_first = shown.items.get(..leaving.start)?;
        let keep_first: Vec<EntryId> = keep_first.iter().map(|item| item.entry.clone()).collect();
        let shown_leaving = shown.items.get(leaving)?;
        // A late result was shown next to its call, so it leaves with the call.
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
            strategy,
            span,
            keep_first,
            first_kept,
            stored,
            replaced,
            tokens_before: usage.total(),
            output_max: output_max(stored.min(replaced)),
            ..Self::default()
        };
        (plan.n_messages() > 0).then_some(plan)
    }

    /// Carries earlier summaries, if any, over unchanged before the new one.
    #[must_use]
    pub(crate) fn carrying(mut self) -> Self {
        let carried: Vec<&str> = self.span.iter().filter_map(ViewItem::summary).collect();
        if carried.is_empty() {
            return self;
        }
        self.carried = Some(carried.join("\n\n"));
        self.span.retain(|item| item.message().is_some());
        self.stored = self.span.iter().map(|item| item.tokens).sum();
        let leaving = self.replaced.saturating_sub(self.carried_tokens());
        self.output_max = output_max(self.stored.min(leaving));
        self
    }

    /// Limits the summary to `max` tokens, and still to a sixth of the replaced tokens.
    #[must_use]
    pub(crate) fn with_output_max(self, max: TokenCount) -> Self {
        Self {
            output_max: max.min(self.largest()),
            ..self
        }
    }

    /// The largest summary that [`RATIO_MIN`] allows for the span.
    pub(super) fn largest(&self) -> TokenCount {
        let leaving = self.replaced.saturating_sub(self.carried_tokens());
        TokenCount(self.stored.min(leaving).0 / RATIO_MIN)
    }

    /// The earlier summary at the front of the span, if there is one.
    pub fn previous(&self) -> Option<(&ViewItem, &str)> {
        let mut items = self.span.iter();
        items.find_map(|item| Some((item, item.summary()?)))
    }

    /// The number of messages that leave.
    pub fn n_messages(&self) -> usize {
        self.messages().count()
    }

    /// The first and the last message that leave.
    pub fn ends(&self) -> Option<(EntryId, EntryId)> {
        let first = self.messages().next()?.entry.clone();
        let last = self.messages().next_back()?.entry.clone();
        Some((first, last))
    }

    /// Whether replacing the span with `summary` frees enough of the window, and the window shows the summary whole.
    pub fn is_effective(&self, summary: &str) -> bool {
        let carried = self.carried_tokens();
        let leaving = self.replaced.saturating_sub(carried);
        let tokens = summary_tokens(summary);
        self.shown_max.is_none_or(|max| tokens <= max)
            && is_effective(leaving, tokens.saturating_sub(carried))
    }

    fn carried_tokens(&self) -> TokenCount {
        self.carried
            .as_deref()
            .map_or(TokenCount::ZERO, summary_tokens)
    }

    /// Tokens of the request after replacing the span with `summary`.
    pub fn tokens_after(&self, summary: &str) -> TokenCount {
        self.tokens_before.saturating_sub(self.replaced) + summary_tokens(summary)
    }

    /// Tokens of the span, as in the transcript, divided by those of the summary, in hundredths.
    pub fn ratio_percent(&self, summary: &str) -> u64 {
        let carried = self.carried.as_deref().unwrap_or_default();
        let summary = summary.strip_prefix(carried).unwrap_or(summary);
        let hundredfold = u128::from(self.stored.0) * 100;
        let ratio = hundredfold / u128::from(estimate_text(summary).0.max(1));
        u64::try_from(ratio).unwrap_or(u64::MAX)
    }

    fn messages(&self) -> impl DoubleEndedIterator<Item = &ViewItem> {
        self.span.iter().filter(|item| item.message().is_some())
    }
}

fn output_max(span: TokenCount) -> TokenCount {
    span.percent(SHARE_PERCENT)
        .max(OUTPUT_MIN)
        .min(OUTPUT_MAX)
        .min(TokenCount(span.0 / RATIO_MIN))
}

/// The frozen input of a summary: everything needed to request it and to read the reply.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryBrief {
    /// The messages that leave, and the size limits of the summary.
    pub plan: SummaryPlan,
    /// The time in the owner's time zone.
    pub as_of: AsOf,
    /// The owner's instructions for this summary, verbatim.
    pub instructions: Option<String>,
}

/// A finished summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The text that the window will show.
    pub text: String,
    /// The rung that made it.
    pub rung: Rung,
    /// The rungs that failed before it.
    pub failed: Vec<Rung>,
    /// Share of the audited items that the summary contains, in hundredths; `None` if it was not measured.
    pub retention_percent: Option<u64>,
    /// The files and identifiers of the span.
    pub artifacts: Artifacts,
}

impl Summary {
    /// A summary with the retention and the index that the audit gives.
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
