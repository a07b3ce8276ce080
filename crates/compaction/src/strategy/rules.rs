//! What a strategy decides: the file of each implements these functions, and its numbers stand beside them.
//!
//! The only place that tells the strategies apart.

use std::fmt;
use std::ops::Range;

use base::TokenCount;
use session::ViewItem;

use super::{Policy, Strategy, WindowBounds};
use crate::budget::Budget;
use crate::event::Summarised;
use crate::rung::Rung;
use crate::shown::Shown;
use crate::trigger::ContextUsage;

pub(crate) const PROMPT: &str = include_str!("../prompts/summary.md");

/// The parts of a summary, without earlier summaries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SummaryFrame<'a> {
    pub(crate) text: &'a str,
    /// When the summary was made.
    pub(crate) first_line: &'a str,
    /// What it stands for.
    pub(crate) last_line: &'a str,
    /// What the user asked for last.
    pub(crate) last_request: Option<&'a str>,
}

/// How a model is asked for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// Down the ladder, and a second time for what is missing.
    Ladder,
    /// Once: not for missing items, and not after a failure.
    Once,
    /// Down the ladder; where the model takes the span whole, one conversation gives notes and summary.
    WithNotes,
}

/// The rules of a strategy; by default those of `handoff`.
pub(crate) trait Rules: fmt::Debug {
    /// The sizes at which it acts in a window.
    fn policy(&self, bounds: WindowBounds) -> Policy;

    /// What leaves for a summary.
    fn leaving(&self, shown: &Shown, usage: &ContextUsage, budget: &Budget)
    -> Option<Range<usize>>;

    /// The first rung to try: `best`, or truncation if the owner turned summaries off.
    fn first_rung(&self, best: Rung) -> Rung {
        best
    }

    /// How a model is asked for the summary.
    fn asking(&self) -> Asking {
        Asking::Ladder
    }

    /// The prompt of a summary.
    fn prompt(&self) -> &'static str {
        PROMPT
    }

    /// Whether a summary has the known sections; else it is prose.
    fn has_sections(&self) -> bool {
        true
    }

    /// The summary with its frame.
    fn framed(&self, frame: &SummaryFrame<'_>) -> String {
        let SummaryFrame {
            text,
            first_line,
            last_line,
            ..
        } = frame;
        format!("{first_line}\n\n{text}\n\n{last_line}")
    }

    /// The limit of the reply, if it is not a share of what it replaces.
    fn output_max(&self) -> Option<TokenCount> {
        None
    }

    /// The user's last request, if the summary must hold it beside a text of `output_max`.
    fn last_request(
        &self,
        _span: &[ViewItem],
        _output_max: TokenCount,
        _budget: &Budget,
    ) -> Option<String> {
        None
    }

    /// Whether earlier summaries stay as they are, before a new one of `output_max`.
    fn keeps_summaries(
        &self,
        _span: &[ViewItem],
        _output_max: TokenCount,
        _budget: &Budget,
    ) -> bool {
        false
    }

    /// What leaves without a summary, before as much leaves as it takes to fit.
    fn dropped(&self, _shown: &Shown) -> Option<Range<usize>> {
        None
    }

    /// Whether only that leaves from a request that fits.
    fn drops_no_more_than_that(&self) -> bool {
        false
    }

    /// Whether everything is replaced: the span is completed to a well-formed conversation, the compacted request is
    /// counted anew, and messages are truncated only if the request does not fit, even above the trigger.
    fn replaces_everything(&self) -> bool {
        false
    }

    /// Whether the newest messages stay up to a size in tokens.
    fn keeps_recent_tokens(&self) -> bool {
        false
    }

    /// The size that the owner set in estimated tokens, above which it acts.
    fn estimated_threshold(&self) -> Option<TokenCount> {
        None
    }

    /// Its own limit of a shown tool result, in characters.
    fn result_chars_max(&self) -> Option<usize> {
        None
    }

    /// Its own words for a compaction that starts or has ended.
    fn words(&self, _summarised: &Summarised, _moment: Moment) -> Option<String> {
        None
    }
}

/// A moment of a compaction that is told to the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// It starts.
    Start,
    /// It has ended.
    End,
}

impl Strategy {
    /// The name used in files and settings.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    pub(crate) fn rules(&self) -> &dyn Rules {
        match self {
            Self::Handoff => &super::handoff::Handoff,
            Self::Replace(replace) => replace,
            Self::Tiered(tiered) => tiered,
            Self::Middle(middle) => middle,
            Self::Off => &super::off::Off,
        }
    }

    /// The first rung to try: `best`, or truncation if the owner turned summaries off.
    pub fn first_rung(&self, best: Rung) -> Rung {
        self.rules().first_rung(best)
    }

    /// Whether to try a rung after `first`, which was tried first: one that asks once tries only that.
    pub fn tries(&self, rung: Rung, first: Rung) -> bool {
        !self.asks_once() || rung == first
    }

    /// Whether a summary gets a single request: no second one for missing items, and none after a failure.
    pub fn asks_once(&self) -> bool {
        self.rules().asking() == Asking::Once
    }

    /// Whether one conversation with a model gives both notes and summary on this rung.
    pub fn notes_with_summary(&self, rung: Rung) -> bool {
        self.rules().asking() == Asking::WithNotes && rung == Rung::Model
    }

    /// Whether the summary replaces everything, so that the provider can count what is left.
    pub fn replaces_everything(&self) -> bool {
        self.rules().replaces_everything()
    }

    /// Whether the newest messages stay up to a size in tokens.
    pub fn keeps_recent_tokens(&self) -> bool {
        self.rules().keeps_recent_tokens()
    }

    /// Whether the owner set its threshold in estimated tokens.
    pub fn has_estimated_threshold(&self) -> bool {
        self.rules().estimated_threshold().is_some()
    }

    /// The warning for a rung that failed.
    pub fn failure(&self, rung: Rung, reason: &str) -> String {
        if self.asks_once() && rung < Rung::Truncate {
            format!("Compaction failed: {reason}. Falling back to history trimming.")
        } else {
            format!("no summary from {}: {reason}", rung.as_str())
        }
    }
}
