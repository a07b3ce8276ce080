//! The decisions that differ between strategies. Each strategy's file implements these functions and defines its
//! numbers.
//!
//! No other code distinguishes the strategies.

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
    /// The line that says when the summary was made.
    pub(crate) first_line: &'a str,
    /// The line that says which messages the summary replaces.
    pub(crate) last_line: &'a str,
    /// The user's last request, for strategies that quote it.
    pub(crate) last_request: Option<&'a str>,
}

/// How a model is asked for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// Each rung of the ladder is tried, and the model is asked a second time for missing items.
    Ladder,
    /// The model is asked once: not for missing items, and not after a failure.
    Once,
    /// Each rung of the ladder is tried. If the model can read the whole span, one conversation gives notes and
    /// summary.
    WithNotes,
}

/// The rules of a strategy. The default implementations are those of `handoff`.
pub(crate) trait Rules: fmt::Debug {
    /// The sizes at which it acts in a window.
    fn policy(&self, bounds: WindowBounds) -> Policy;

    /// The range of items that a summary replaces.
    fn leaving(&self, shown: &Shown, usage: &ContextUsage, budget: &Budget)
    -> Option<Range<usize>>;

    /// The rung to try first: `best`, or truncation if the owner turned summaries off.
    fn first_rung(&self, best: Rung) -> Rung {
        best
    }

    /// How a model is asked for the summary.
    fn asking(&self) -> Asking {
        Asking::Ladder
    }

    /// The system prompt for a summary.
    fn prompt(&self) -> &'static str {
        PROMPT
    }

    /// Whether a summary has the known sections; otherwise it is prose.
    fn has_sections(&self) -> bool {
        true
    }

    /// The summary inside its frame.
    fn framed(&self, frame: &SummaryFrame<'_>) -> String {
        let SummaryFrame {
            text,
            first_line,
            last_line,
            ..
        } = frame;
        format!("{first_line}\n\n{text}\n\n{last_line}")
    }

    /// The size limit of the reply; `None` if it is a share of the replaced tokens.
    fn output_max(&self) -> Option<TokenCount> {
        None
    }

    /// The user's last request, if the summary must quote it after a text of `output_max`.
    fn last_request(
        &self,
        _span: &[ViewItem],
        _output_max: TokenCount,
        _budget: &Budget,
    ) -> Option<String> {
        None
    }

    /// Whether earlier summaries are carried over unchanged before a new one of `output_max`.
    fn keeps_summaries(
        &self,
        _span: &[ViewItem],
        _output_max: TokenCount,
        _budget: &Budget,
    ) -> bool {
        false
    }

    /// The range that is dropped without a summary, before more is dropped until the request fits.
    fn dropped(&self, _shown: &Shown) -> Option<Range<usize>> {
        None
    }

    /// Whether only the range of `dropped` leaves if the request fits without more.
    fn drops_no_more_than_that(&self) -> bool {
        false
    }

    /// Whether the summary replaces everything. The span is then completed to a well-formed conversation, the
    /// provider counts the compacted request again, and messages are truncated only if the request does not fit, even
    /// if it is above the trigger.
    fn replaces_everything(&self) -> bool {
        false
    }

    /// Whether the number of newest messages that stay is set in tokens.
    fn keeps_recent_tokens(&self) -> bool {
        false
    }

    /// The threshold in estimated tokens, if the owner sets it in this unit.
    fn estimated_threshold(&self) -> Option<TokenCount> {
        None
    }

    /// The strategy's own limit for a shown tool result, in characters.
    fn result_chars_max(&self) -> Option<usize> {
        None
    }

    /// The strategy's own message for a compaction that starts or has ended.
    fn words(&self, _summarised: &Summarised, _moment: Moment) -> Option<String> {
        None
    }
}

/// A moment of a compaction that is reported to the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Start,
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

    /// The rung to try first: `best`, or truncation if the owner turned summaries off.
    pub fn first_rung(&self, best: Rung) -> Rung {
        self.rules().first_rung(best)
    }

    /// Whether to try a rung after `first` failed. A strategy that asks once tries only `first`.
    pub fn tries(&self, rung: Rung, first: Rung) -> bool {
        !self.asks_once() || rung == first
    }

    /// Whether the model is asked only once: no second request for missing items, and none after a failure.
    pub fn asks_once(&self) -> bool {
        self.rules().asking() == Asking::Once
    }

    /// Whether one conversation with a model gives both notes and summary on this rung.
    pub fn notes_with_summary(&self, rung: Rung) -> bool {
        self.rules().asking() == Asking::WithNotes && rung == Rung::Model
    }

    /// Whether the summary replaces everything, so that the provider can count the rest.
    pub fn replaces_everything(&self) -> bool {
        self.rules().replaces_everything()
    }

    /// Whether the number of newest messages that stay is set in tokens.
    pub fn keeps_recent_tokens(&self) -> bool {
        self.rules().keeps_recent_tokens()
    }

    /// Whether the owner sets the threshold in estimated tokens.
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
