//! What flush and compaction tell those who watch, and the words for it.
//!
//! Never prints: whoever listens decides where the words go.

use std::fmt;
use std::time::Duration;

use base::{TokenCount, estimate_text};
use session::Epoch;

use crate::flush::FlushMode;
use crate::rung::Rung;
use crate::strategy::Strategy;
use crate::summarise::SummaryPlan;

/// Something that happened to the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A flush began.
    FlushStarted {
        /// The epoch.
        epoch: Epoch,
        /// Why.
        mode: FlushMode,
    },
    /// A flush ended.
    FlushEnded {
        /// The epoch.
        epoch: Epoch,
        /// Why it was made.
        mode: FlushMode,
        /// How.
        outcome: FlushOutcome,
    },
    /// A compaction began.
    CompactStarted {
        /// Tokens of the request that would have been sent.
        current_context_tokens: TokenCount,
        /// The size from which on a request calls for compaction.
        threshold: TokenCount,
        /// What is to be summarised; `None` where nothing is.
        summarised: Option<Summarised>,
    },
    /// A compaction took effect.
    CompactEnded {
        /// The epoch that it ended.
        epoch: Epoch,
        /// The rung of the ladder that made the summary.
        rung: Rung,
        /// Tokens of the request before.
        old_context_tokens: TokenCount,
        /// Tokens of the request after.
        new_context_tokens: TokenCount,
        /// Characters of the summary.
        summary_length: usize,
        /// Tokens of what was replaced over tokens of the summary, in hundredths.
        ratio_percent: u64,
        /// How much of what should be found again the summary holds, in hundredths, where it was
        /// measured.
        retention_percent: Option<u64>,
        /// What was summarised; `None` where nothing was.
        summarised: Option<Summarised>,
        /// How long it took on the monotonic clock.
        duration: Duration,
    },
    /// A compaction that began changed nothing.
    CompactDropped {
        /// The epoch, which goes on.
        epoch: Epoch,
        /// Why.
        reason: Dropped,
        /// Tokens of the request, before and after.
        context_tokens: TokenCount,
        /// How long it took on the monotonic clock.
        duration: Duration,
    },
    /// The context grows large.
    ContextWarning {
        /// Tokens of the request.
        current_context_tokens: TokenCount,
        /// The size from which on a request calls for compaction.
        threshold: TokenCount,
        /// Why this is said.
        pressure: Pressure,
    },
}

/// Why a compaction changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    /// No summary was worth having.
    Ineffective,
    /// It was given up before it had one, or what it summarised had changed by then.
    Cancelled,
}

/// How large a context is that is warned about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressure {
    /// It has half the size at which compaction begins.
    Half,
    /// It has that size, and nothing can leave it.
    Full,
}

/// A part of a conversation and its summary, in estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summarised {
    /// The strategy that chose it.
    pub strategy: Strategy,
    /// How many messages.
    pub n_messages: usize,
    /// Tokens of the request before.
    pub before: TokenCount,
    /// Tokens of the summary; none before it is made.
    pub summary: TokenCount,
    /// Tokens that the request becomes smaller by; none before the summary is made.
    pub freed: TokenCount,
}

impl Summarised {
    /// What a plan lets leave.
    pub fn of(plan: &SummaryPlan) -> Self {
        Self {
            strategy: plan.strategy,
            n_messages: plan.n_messages(),
            before: plan.tokens_before,
            summary: TokenCount::ZERO,
            freed: TokenCount::ZERO,
        }
    }

    /// The same with its summary.
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
    /// There was nothing worth keeping.
    Nothing,
    /// No engine gave usable notes; the span waits for the next flush.
    Failed,
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FlushStarted { .. } => {
                formatter.write_str("Writing down what is worth keeping...")
            }
            Self::FlushEnded { outcome, .. } => outcome.fmt(formatter),
            Self::CompactStarted {
                summarised:
                    Some(Summarised {
                        strategy: Strategy::Middle(middle),
                        n_messages,
                        before,
                        ..
                    }),
                ..
            } => write!(
                formatter,
                "Compaction: estimated ~{before} tokens, threshold {} \u{2014} compacting {n_messages} \
                 messages",
                middle.threshold
            ),
            Self::CompactStarted { .. } => {
                formatter.write_str("Compacting conversation history...")
            }
            Self::CompactEnded {
                summarised:
                    Some(Summarised {
                        strategy: Strategy::Middle(_),
                        n_messages,
                        summary,
                        freed,
                        ..
                    }),
                ..
            } => write!(
                formatter,
                "Compaction: summarized {n_messages} messages into ~{summary} tokens, freed ~{freed} \
                 estimated tokens"
            ),
            Self::CompactEnded {
                old_context_tokens: old,
                new_context_tokens: new,
                ..
            } => {
                let change = change_percent(*old, *new);
                write!(
                    formatter,
                    "Compaction complete: {old} \u{2192} {new} tokens ({change}%)"
                )
            }
            Self::CompactDropped { reason, .. } => reason.fmt(formatter),
            Self::ContextWarning {
                current_context_tokens: current,
                threshold,
                pressure: Pressure::Half,
            } => write!(
                formatter,
                "The context holds {current} tokens, half of the {threshold} at which it is compacted"
            ),
            Self::ContextWarning {
                current_context_tokens: current,
                threshold,
                pressure: Pressure::Full,
            } => write!(
                formatter,
                "The context holds {current} tokens, above {threshold}, and nothing can leave it"
            ),
        }
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ineffective => "The compaction had no effect; the history is as it was",
            Self::Cancelled => "The compaction was given up; the history is as it was",
        })
    }
}

impl fmt::Display for FlushOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { n_notes: 1 } => formatter.write_str("Wrote 1 note into the daily log"),
            Self::Written { n_notes } => {
                write!(formatter, "Wrote {n_notes} notes into the daily log")
            }
            Self::Nothing => formatter.write_str("Nothing new to write down"),
            Self::Failed => {
                formatter.write_str("Nothing could be written down; it will be tried again")
            }
        }
    }
}

/// The change with its sign, rounded down to a whole number.
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
        Event::CompactEnded {
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
    fn events_have_words() {
        assert_eq!(
            Event::CompactStarted {
                current_context_tokens: TokenCount(200_000),
                threshold: TokenCount(176_000),
                summarised: None,
            }
            .to_string(),
            "Compacting conversation history..."
        );
        assert_eq!(
            ended(200_000, 15_000),
            "Compaction complete: 200,000 → 15,000 tokens (-92%)"
        );
        assert_eq!(ended(0, 0), "Compaction complete: 0 → 0 tokens (-0%)");
        assert_eq!(
            ended(100, 150),
            "Compaction complete: 100 → 150 tokens (+50%)"
        );
    }
}
