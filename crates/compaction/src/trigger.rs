//! Decides, before each request, whether messages must leave the window and by which rung.
//!
//! Pure: no I/O and no state.

use base::TokenCount;
use session::Epoch;

use crate::budget::Budget;
use crate::rung::{Ladder, Rung};
use crate::strategy::Waiting;

/// The sizes of the parts of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContextUsage {
    /// Tokens of the system prompt, tools and memory files.
    pub prefix: TokenCount,
    /// Tokens of the summaries and messages, as shown.
    pub items: TokenCount,
    /// Tokens that only this request adds, such as recalled passages.
    pub suffix: TokenCount,
}

impl ContextUsage {
    /// Tokens of the whole request.
    pub fn total(&self) -> TokenCount {
        self.prefix + self.items + self.suffix
    }

    /// Tokens available to the items before the request touches the reserve.
    pub fn room(&self, budget: &Budget) -> TokenCount {
        budget.full.saturating_sub(self.prefix + self.suffix)
    }
}

/// The state of a session's background jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Background jobs are not allowed; the owner waits for every compaction.
    Unavailable,
    /// No job is running.
    Free,
    /// A job in this or another process is making notes or a summary.
    Busy,
    /// No job is running, because the owner's message needed a model that serves one call at a time. The job may
    /// start again while the request is small enough. Beyond that size the compaction does not ask the model, since
    /// it may hang.
    Deferred,
    /// An attempt had no effect; the next one waits until the request reaches this size.
    Resting {
        /// Size of the request in tokens.
        until: TokenCount,
    },
}

/// How messages can leave the window at the current size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// Nothing can leave.
    Nothing,
    /// Older messages can leave, but the strategy would not summarise them.
    ByTruncation,
    /// The strategy would summarise some messages.
    BySummary,
}

/// The inputs of a decision besides the sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionState {
    /// The current epoch, that is the number of compactions so far.
    pub epoch: Epoch,
    /// The epoch of the last flush before a compaction. `None` before the first flush, because 0 is a valid epoch.
    pub flush_marker: Option<Epoch>,
    /// The rungs that are left to try.
    pub ladder: Ladder,
    /// What can leave, as found by [`leaves`](crate::leaves).
    pub leaves: Leaves,
    /// The state of background jobs.
    pub jobs: JobState,
}

/// What to do before the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Sends the request.
    Proceed,
    /// Sends the request with a warning: it is above the trigger and fits, but nothing can leave or no summary could
    /// be made.
    ProceedWithWarning,
    /// Sends the request, and compacts in the background.
    InBackground {
        /// Whether to flush first.
        flush: FlushNeed,
        /// The rung to begin with.
        rung: Rung,
    },
    /// Sends a request without the older messages, and compacts in the background. So much has piled up, for example
    /// after an import, that the owner would otherwise wait for several summaries.
    AfterReply {
        /// Whether to flush first.
        flush: FlushNeed,
        /// The rung to begin with.
        rung: Rung,
    },
    /// Compacts while the owner waits, then decides again.
    Now {
        /// Whether to flush first.
        flush: FlushNeed,
        /// The rung to begin with.
        rung: Rung,
    },
    /// Like `Now`, but without a model: the background job, running or deferred, takes too long and is abandoned.
    Emergency {
        /// Whether to flush first.
        flush: FlushNeed,
        /// The rung to begin with.
        rung: Rung,
    },
    /// Fails: the request does not fit and nothing can leave.
    Exhausted {
        /// Number of tokens by which the request is too large.
        excess: TokenCount,
    },
}

/// Whether a flush must come before the compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushNeed {
    /// No flush has succeeded in this epoch yet.
    Needed,
    /// A flush has succeeded in this epoch.
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
            if total <= budget.request_max() && budget.strategy.replaces_everything() =>
        {
            Action::ProceedWithWarning
        }
        Some(rung) => {
            let lasts = total <= policy.lasts_max;
            let may_begin = lasts && policy.waiting == Waiting::Nobody;
            let is_backlog = total >= budget.backlog_min() && rung < Rung::Truncate;
            match state.jobs {
                JobState::Busy | JobState::Free | JobState::Deferred | JobState::Resting { .. }
                    if is_backlog =>
                {
                    Action::AfterReply { flush, rung }
                }
                JobState::Busy if lasts => Action::Proceed,
                JobState::Busy => without_model(flush, rung),
                JobState::Deferred if !lasts && policy.waiting == Waiting::Nobody => {
                    without_model(flush, rung)
                }
                JobState::Resting { until } if lasts && total < until => Action::Proceed,
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

/// The action that avoids the model, which may hang.
fn without_model(flush: FlushNeed, rung: Rung) -> Action {
    let rung = rung.max(Rung::Offline);
    Action::Emergency { flush, rung }
}

/// Whether a compaction of this epoch needs a flush first; `marker` is the epoch of the last flush.
pub fn flush_need(epoch: Epoch, marker: Option<Epoch>) -> FlushNeed {
    if marker.is_some_and(|marker| marker >= epoch) {
        FlushNeed::Done
    } else {
        FlushNeed::Needed
    }
}

/// Whether replacing `replaced` tokens with a summary of `summary` tokens is worth it: it must free at least a fifth
/// of them.
pub fn is_effective(replaced: TokenCount, summary: TokenCount) -> bool {
    let freed = replaced.saturating_sub(summary);
    u128::from(freed.0) * 5 >= u128::from(replaced.0) && freed > TokenCount::ZERO
}

#[cfg(test)]
#[path = "trigger_tests.rs"]
mod tests;
