//! The events of flush and compaction, and their messages.
//!
//! Never prints; the listener decides where the messages go.

use std::fmt;
use std::time::Duration;

use base::{TokenCount, estimate_text};
use session::Epoch;

use crate::flush::FlushMode;
use crate::rung::Rung;
use crate::strategy::{Moment, Strategy};
use crate::summarise::SummaryPlan;

/// An event of flush or compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowEvent {
    /// A flush began.
    FlushStarted {
        /// The current epoch.
        epoch: Epoch,
        /// The reason for the flush.
        mode: FlushMode,
    },
    FlushEnded {
        /// The current epoch.
        epoch: Epoch,
        /// The reason for the flush.
        mode: FlushMode,
        outcome: FlushOutcome,
    },
    /// A compaction began.
    CompactStarted {
        /// Tokens of the request without the compaction.
        current_context_tokens: TokenCount,
        /// The trigger: the request size at which compaction begins.
        threshold: TokenCount,
        /// The span to summarise; `None` if the compaction only drops messages.
        summarised: Option<Summarised>,
    },
    /// A compaction took effect.
    CompactEnded {
        /// The epoch that the compaction ended.
        epoch: Epoch,
        /// The rung of the fallback ladder that made the summary.
        rung: Rung,
        /// Tokens of the request before.
        old_context_tokens: TokenCount,
        /// Tokens of the request after.
        new_context_tokens: TokenCount,
        /// Length of the summary in characters.
        summary_length: usize,
        /// Tokens of the replaced messages divided by those of the summary, in hundredths.
        ratio_percent: u64,
        /// Share of the audited items that the summary contains, in hundredths; `None` if it was not measured.
        retention_percent: Option<u64>,
        /// The summarised span; `None` if the compaction only dropped messages.
        summarised: Option<Summarised>,
        /// Duration, by the monotonic clock.
        duration: Duration,
    },
    /// A compaction ended without effect.
    CompactDropped {
        /// The current epoch, which continues.
        epoch: Epoch,
        reason: Dropped,
        /// Tokens of the request, unchanged.
        context_tokens: TokenCount,
        /// Duration, by the monotonic clock.
        duration: Duration,
    },
    /// The request has reached a size at which the owner is warned.
    ContextWarning {
        /// Tokens of the request.
        current_context_tokens: TokenCount,
        /// The trigger: the request size at which compaction begins.
        threshold: TokenCount,
        /// The size that was reached.
        pressure: Pressure,
    },
}

/// The reason why a compaction had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Dropped {
    /// No summary freed enough.
    #[strum(to_string = "The compaction had no effect; the history is unchanged")]
    Ineffective,
    /// It was cancelled before it had a summary, or the span changed meanwhile.
    #[strum(to_string = "The compaction was cancelled; the history is unchanged")]
    Cancelled,
}

/// The sizes at which the owner is warned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressure {
    /// The request has reached half the trigger.
    Half,
    /// The request has reached the trigger, and nothing can leave.
    Full,
    /// The request leaves out messages that a summary under way will replace.
    LeftOut,
}

/// Sizes of a summarised span and its summary, in estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summarised {
    pub strategy: Strategy,
    /// Number of messages.
    pub n_messages: usize,
    /// Tokens of the request before.
    pub before: TokenCount,
    /// Tokens of the summary; 0 before it exists.
    pub summary: TokenCount,
    /// Tokens by which the request shrinks; 0 before the summary exists.
    pub freed: TokenCount,
}

impl Summarised {
    /// The sizes for a plan whose summary does not exist yet.
    pub fn of(plan: &SummaryPlan) -> Self {
        Self {
            strategy: plan.strategy,
            n_messages: plan.n_messages(),
            before: plan.tokens_before,
            summary: TokenCount::ZERO,
            freed: TokenCount::ZERO,
        }
    }

    /// The sizes for a plan and its summary.
    pub fn by(plan: &SummaryPlan, summary: &str) -> Self {
        Self {
            summary: estimate_text(summary),
            freed: plan
                .tokens_before
                .saturating_sub(plan.tokens_after(summary)),
            ..Self::of(plan)
        }
    }
}

/// The outcome of a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushOutcome {
    /// Notes were written.
    Written {
        /// Number of notes.
        n_notes: usize,
    },
    /// Nothing was worth keeping.
    Nothing,
    /// Neither a model nor the offline engine returned usable notes; the span waits for the next flush.
    Failed,
}

/// The strategy's own message for a moment of its compaction, if it has one.
fn words(summarised: Option<&Summarised>, moment: Moment) -> Option<String> {
    let by = summarised?;
    by.strategy.rules().words(by, moment)
}

impl fmt::Display for WindowEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FlushStarted { .. } => {
                formatter.write_str("Writing down what is worth keeping...")
            }
            Self::FlushEnded { outcome, .. } => outcome.fmt(formatter),
            Self::CompactStarted { summarised, .. } => {
                let words = words(summarised.as_ref(), Moment::Start);
                formatter.write_str(
                    words
                        .as_deref()
                        .unwrap_or("Compacting conversation history..."),
                )
            }
            Self::CompactEnded {
                old_context_tokens: old,
                new_context_tokens: new,
                summarised,
                ..
            } => match words(summarised.as_ref(), Moment::End) {
                Some(words) => formatter.write_str(&words),
                None => write!(
                    formatter,
                    "Compaction complete: {old} \u{2192} {new} tokens ({}%)",
                    change_percent(*old, *new)
                ),
            },
            Self::CompactDropped { reason, .. } => reason.fmt(formatter),
            Self::ContextWarning {
                current_context_tokens: current,
                threshold,
                pressure,
            } => match pressure {
                Pressure::Half => write!(
                    formatter,
                    "The context holds {current} tokens, half of the compaction threshold of {threshold}"
                ),
                Pressure::Full => write!(
                    formatter,
                    "The context holds {current} tokens, above the threshold of {threshold}, and nothing can be compacted"
                ),
                Pressure::LeftOut => write!(
                    formatter,
                    "The context holds {current} tokens, above the threshold of {threshold}: the oldest messages are left \
                     out until their summary is ready"
                ),
            },
        }
    }
}

impl fmt::Display for FlushOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { n_notes: 1 } => formatter.write_str("Wrote 1 note to the daily log"),
            Self::Written { n_notes } => {
                write!(formatter, "Wrote {n_notes} notes to the daily log")
            }
            Self::Nothing => formatter.write_str("Nothing new to write down"),
            Self::Failed => {
                formatter.write_str("No notes could be written; the next flush will retry")
            }
        }
    }
}

/// The signed change in whole percent, rounded towards zero.
fn change_percent(old: TokenCount, new: TokenCount) -> String {
    let whole = u128::from(old.0.max(1));
    if new <= old {
        format!("-{}", u128::from(old.0 - new.0) * 100 / whole)
    } else {
        format!("+{}", u128::from(new.0 - old.0) * 100 / whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(old: u64, new: u64) -> String {
        WindowEvent::CompactEnded {
            epoch: Epoch(0),
            rung: Rung::Offline,
            duration: Duration::ZERO,
            old_context_tokens: TokenCount(old),
            new_context_tokens: TokenCount(new),
            summary_length: 1,
            ratio_percent: 1_000,
            retention_percent: None,
            summarised: None,
        }
        .to_string()
    }

    #[test]
    fn window_events_display_message_and_change() {
        let started = WindowEvent::CompactStarted {
            current_context_tokens: TokenCount(200_000),
            threshold: TokenCount(176_000),
            summarised: None,
        };
        assert_eq!(started.to_string(), "Compacting conversation history...");
        for (old, new, expected) in [
            (200_000, 15_000, "200,000 → 15,000 tokens (-92%)"),
            (0, 0, "0 → 0 tokens (-0%)"),
            (100, 150, "100 → 150 tokens (+50%)"),
        ] {
            assert_eq!(ended(old, new), format!("Compaction complete: {expected}"));
        }
    }
}
