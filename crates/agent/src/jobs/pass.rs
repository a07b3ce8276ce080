//! One pass down the ladder of a compaction: how far it has come, and the action for the size of a request.
//!
//! Data and decisions alone: asks no model and writes nothing.

use base::model::Purpose;
use compaction::{
    Action, Breaker, CompactionState, Demand, FlushNeed, JobState, Ladder, Leaves, Rung, decide,
    leaves,
};
use session::Turn;

use crate::prompt::RequestContext;
use crate::runtime::{ChatEngine, Runtime};
use crate::writers::summarise::Engines;

/// The compaction that a request calls for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactionNeed<'a> {
    /// The request.
    pub(crate) context: &'a RequestContext,
    pub(crate) flush: FlushNeed,
    pub(crate) rung: Rung,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttemptOutcome {
    /// The view is smaller now.
    TookEffect,
    /// The view is unchanged; a rung below `last` may do better.
    Rejected { last: Rung },
}

/// The state of one pass down the ladder.
#[derive(Debug)]
pub(crate) struct Pass {
    first: Rung,
    demand: Demand,
    ladder: Ladder,
    /// The engines that may write the notes.
    pub(crate) engines: Engines,
    /// Whether a flush was tried since the last compaction. A failed one is not retried within one compaction: its
    /// span waits for the next.
    pub(crate) has_flushed: bool,
}

impl Pass {
    /// Starts at the best rung for the strategy and the breaker's state.
    pub(crate) fn new(engine: &ChatEngine, turn: &Turn, demand: Demand) -> Self {
        let first = engine.settings.strategy.first_rung(best_rung(engine));
        Self {
            first,
            demand,
            ladder: breaker(turn).ladder(first, demand),
            engines: Engines::All,
            has_flushed: false,
        }
    }

    /// Uses only the offline engine from here on.
    pub(crate) fn give_up_models(&mut self) {
        self.first = self.first.max(Rung::Offline);
        self.ladder = Ladder::starting_at(self.first);
        self.engines = Engines::Offline;
    }

    /// Whether it has tried every rung without effect.
    pub(crate) fn has_failed(&self) -> bool {
        self.ladder.rung().is_none()
    }

    /// The next rung.
    pub(crate) fn rung(&self) -> Option<Rung> {
        self.ladder.rung()
    }

    /// Continues after an attempt: from the top if older messages have left the view, else below the rungs tried.
    pub(crate) fn continue_after(&mut self, outcome: AttemptOutcome, turn: &Turn) {
        match outcome {
            AttemptOutcome::TookEffect => {
                self.ladder = breaker(turn).ladder(self.first, self.demand);
                self.has_flushed = false;
            }
            AttemptOutcome::Rejected { last } => self.ladder = self.ladder.without(last),
        }
    }
}

/// The action that the size of the next request calls for.
pub(crate) fn decide_on(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    pass: &Pass,
) -> Action {
    let state = state(runtime, turn, context, pass);
    decide(&context.usage, &context.budget, &state)
}

/// The session state that `decide` needs.
pub(crate) fn state(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    pass: &Pass,
) -> CompactionState {
    let is_below = context.tokens() < context.budget.trigger;
    CompactionState {
        epoch: turn.state().compaction_count,
        flush_marker: turn.state().memory_flush_compaction_count,
        ladder: pass.ladder,
        leaves: if is_below && pass.demand == Demand::Trigger {
            Leaves::Nothing
        } else {
            leaves(&context.shown, &context.usage, &context.budget)
        },
        jobs: if is_below {
            JobState::Unavailable
        } else {
            runtime.jobs.state(&runtime.home.sessions, turn)
        },
    }
}

pub(crate) fn best_rung(engine: &ChatEngine) -> Rung {
    if engine.models.is_offline_for(Purpose::Summarise) {
        Rung::Offline
    } else {
        Rung::Model
    }
}

pub(crate) fn breaker(turn: &Turn) -> Breaker {
    Breaker {
        n_ineffective: turn.state().compaction_failures,
    }
}
