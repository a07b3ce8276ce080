//! Decides, before each request, whether something must leave the window and by which rung.
//!
//! Pure: acts on nothing and remembers nothing but what it is given.

use base::TokenCount;
use session::Epoch;

use crate::budget::Budget;
use crate::rung::{Ladder, Rung};
use crate::strategy::Waiting;

/// What a request holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContextUsage {
    /// System prompt, tools and memory files.
    pub prefix: TokenCount,
    /// Summary and messages, as they are shown.
    pub items: TokenCount,
    /// What is added for this request alone, such as recalled passages.
    pub suffix: TokenCount,
}

impl ContextUsage {
    /// The whole request.
    pub fn total(&self) -> TokenCount {
        self.prefix + self.items + self.suffix
    }

    /// What the items may take before the request touches the reserve.
    pub fn room(&self, budget: &Budget) -> TokenCount {
        budget
            .full
            .saturating_sub(self.prefix)
            .saturating_sub(self.suffix)
    }
}

/// What goes on in the background of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Nothing, and nothing may: the owner waits for every compaction.
    Unavailable,
    /// Nothing.
    Free,
    /// Notes or a summary are being made, here or in another process.
    Busy,
    /// Nothing, because the owner spoke: a model that serves one call at a time was taken from the
    /// compaction of this epoch. It may try again while the request is small enough; nobody waits for it
    /// afterwards, for it may hang.
    Deferred,
    /// An attempt had no effect; the next one waits until the request has this size.
    Resting {
        /// The size.
        until: TokenCount,
    },
}

/// What can leave the window at the present size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// Nothing.
    Nothing,
    /// Older messages, but the strategy would not summarise them.
    ByTruncation,
    /// What the strategy would summarise.
    BySummary,
}

/// What the decision must know of the session besides its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionState {
    /// The number of compactions so far.
    pub epoch: Epoch,
    /// The epoch of the last flush before a compaction; `None` where there was none, for 0 is an epoch.
    pub flush_marker: Option<Epoch>,
    /// The rungs that are left.
    pub ladder: Ladder,
    /// What can leave, as [`leaves`](crate::leaves) finds it.
    pub leaves: Leaves,
    /// What goes on beside the conversation.
    pub jobs: JobState,
}

/// What to do before the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Send it.
    Proceed,
    /// Send it, and say that it is large: above the trigger, but it fits, and nothing can leave or no summary
    /// could be had.
    ProceedWithWarning,
    /// Send it, and begin to let older messages leave in the background.
    InBackground {
        /// Whether they must be written down first.
        flush: FlushNeed,
        /// How to make the summary.
        rung: Rung,
    },
    /// Let older messages leave while the owner waits, then decide again.
    Now {
        /// Whether they must be written down first.
        flush: FlushNeed,
        /// How to make the summary.
        rung: Rung,
    },
    /// The same without asking any model: what goes on in the background, or was put off there, takes too
    /// long and is given up.
    Emergency {
        /// Whether they must be written down first.
        flush: FlushNeed,
        /// How to make the summary.
        rung: Rung,
    },
    /// Nothing can leave and the request does not fit.
    Exhausted {
        /// By how much it is too large.
        excess: TokenCount,
    },
}

/// Whether a flush must come before the compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushNeed {
    /// No flush of this epoch succeeded yet.
    Needed,
    /// This epoch was flushed.
    Done,
}

/// Decides what to do before a request.
pub fn decide(usage: &ContextUsage, budget: &Budget, state: &CompactionState) -> Action {
    let total = usage.total();
    let policy = budget.policy;
    if total < policy.trigger {
        return Action::Proceed;
    }
    let rung = match state.leaves {
        Leaves::Nothing => None,
        Leaves::ByTruncation => state.ladder.rung().map(|_| Rung::Truncate),
        Leaves::BySummary => state.ladder.rung(),
    };
    let flush = flush_need(state.epoch, state.flush_marker);
    match rung {
        Some(_) if total >= policy.emergency => Action::Emergency {
            flush,
            rung: Rung::Truncate,
        },
        Some(Rung::Truncate)
            if total <= budget.request_max() && budget.strategy.truncates_only_for_room() =>
        {
            Action::ProceedWithWarning
        }
        Some(rung) => {
            let lasts = total <= policy.lasts_max;
            let may_begin = lasts && policy.waiting == Waiting::Nobody;
            match state.jobs {
                JobState::Busy if lasts => Action::Proceed,
                JobState::Busy => without_model(flush, rung),
                JobState::Deferred if !lasts && policy.waiting == Waiting::Nobody => {
                    without_model(flush, rung)
                }
                JobState::Resting { until } if may_begin && total < until => Action::Proceed,
                JobState::Free | JobState::Deferred | JobState::Resting { .. } if may_begin => {
                    Action::InBackground { flush, rung }
                }
                JobState::Unavailable
                | JobState::Free
                | JobState::Deferred
                | JobState::Resting { .. } => Action::Now { flush, rung },
            }
        }
        None if total <= budget.request_max() => Action::ProceedWithWarning,
        None => Action::Exhausted {
            excess: total.saturating_sub(budget.request_max()),
        },
    }
}

/// What is left where a model that may hang is not waited for.
fn without_model(flush: FlushNeed, rung: Rung) -> Action {
    let rung = rung.max(Rung::Offline);
    Action::Emergency { flush, rung }
}

/// Whether a compaction of this epoch must be preceded by a flush; `marker` is the epoch of the last one.
pub fn flush_need(epoch: Epoch, marker: Option<Epoch>) -> FlushNeed {
    if marker.is_some_and(|marker| marker >= epoch) {
        FlushNeed::Done
    } else {
        FlushNeed::Needed
    }
}

/// Whether a summary of `summary` tokens is worth having in the place of `replaced` tokens: it must
/// free at least a fifth of them.
pub fn is_effective(replaced: TokenCount, summary: TokenCount) -> bool {
    let freed = replaced.saturating_sub(summary);
    u128::from(freed.0) * 5 >= u128::from(replaced.0) && freed > TokenCount::ZERO
}

#[cfg(test)]
#[path = "trigger_tests.rs"]
mod tests;
