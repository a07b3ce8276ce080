//! The events of flush and compaction, and their messages.
//!
//! Never prints; the listener decides where messages go.

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
        /// The epoch.
        epoch: Epoch,
        /// Why it runs.
        mode: FlushMode,
    },
    /// A flush ended.
    FlushEnded {
        /// The epoch.
        epoch: Epoch,
        /// Why it ran.
        mode: FlushMode,
        /// Its outcome.
        outcome: FlushOutcome,
    },
    /// A compaction began.
    CompactStarted {
        /// Tokens of the request without the compaction.
        current_context_tokens: TokenCount,
        /// The trigger: the request size at which compaction begins.
        threshold: TokenCount,
        /// What will be summarised, if anything.
        summarised: Option<Summarised>,
    },
    /// A compaction took effect.
    CompactEnded {
        /// The epoch that it ended.
        epoch: Epoch,
        /// The rung that made the summary.
        rung: Rung,
        /// Tokens of the request before.
        old_context_tokens: TokenCount,
        /// Tokens of the request after.
        new_context_tokens: TokenCount,
        /// Characters of the summary.
        summary_length: usize,
        /// Replaced tokens over tokens of the summary, in hundredths.
        ratio_percent: u64,
        /// Share of the audited items that the summary holds, in hundredths, if measured.
        retention_percent: Option<u64>,
        /// What was summarised, if anything.
        summarised: Option<Summarised>,
        /// Duration, by the monotonic clock.
        duration: Duration,
    },
    /// A compaction ended without effect.
    CompactDropped {
        /// The epoch, which continues.
        epoch: Epoch,
        /// Why.
        reason: Dropped,
        /// Tokens of the request, unchanged.
        context_tokens: TokenCount,
        /// Duration, by the monotonic clock.
        duration: Duration,
    },
    /// The request has grown large.
    ContextWarning {
        /// Tokens of the request.
        current_context_tokens: TokenCount,
        /// The trigger: the request size at which compaction begins.
        threshold: TokenCount,
        /// How large it is.
        pressure: Pressure,
    },
}

/// Why a compaction had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Dropped {
    /// No summary freed enough.
    #[strum(to_string = "The compaction had no effect; the history is unchanged")]
    Ineffective,
    /// It was cancelled before it had a summary, or the summarised span changed.
    #[strum(to_string = "The compaction was cancelled; the history is unchanged")]
    Cancelled,
}

/// The sizes at which the owner is warned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressure {
    /// Half the trigger.
    Half,
    /// The trigger or more, and nothing can leave.
    Full,
    /// So much that the request leaves out the messages that a summary under way will replace.
    LeftOut,
}

/// Sizes of a summarised span and its summary, in estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summarised {
    /// The strategy.
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
    /// The span of a plan, before its summary exists.
    pub fn of(plan: &SummaryPlan) -> Self {
        Self {
            strategy: plan.strategy,
            n_messages: plan.n_messages(),
            before: plan.tokens_before,
            summary: TokenCount::ZERO,
            freed: TokenCount::ZERO,
        }
    }

    /// The span of a plan and its summary.
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

/// How a flush ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushOutcome {
    /// Notes were written.
    Written {
        /// How many.
        n_notes: usize,
    },
    /// Nothing was worth keeping.
    Nothing,
    /// No model or engine returned usable notes; the span waits for the next flush.
    Failed,
}

/// The strategy's own words for a moment of its compaction, if it has any.
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
