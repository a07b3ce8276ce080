//! Prune, count, decide, flush, compact: what stands between a message and the next request.
//!
//! Acts on what `compaction` decides and decides nothing itself.

use base::model::Purpose;
use compaction::{
    Action, Beside, Breaker, Budget, CompactionState, Demand, FlushMode, FlushNeed, Ladder, Leaves,
    Pressure, Rung, decide, leaves, truncation,
};
use session::Turn;

use crate::background::{Work, begin_compaction, settle};
use crate::compact::{Attempt, CompactionOrder, brief, compact, read_through};
use crate::event::{Event, OnEvent};
use crate::flush::{Flushed, Order, flush};
use crate::pairing::stop_job;
use crate::prompt::{Around, Context, assemble_with};
use crate::sandbox::{make_room_in_sandbox, without};
use crate::summarise::Engines;
use crate::{Runtime, TurnError};

/// Gives the context of the next request, after older messages have left it where they must.
pub(crate) async fn make_room(
    runtime: &Runtime,
    turn: &mut Turn,
    around: &Around,
    on_event: OnEvent<'_>,
) -> Result<Context, TurnError> {
    if let Some(sandbox) = &runtime.sandbox {
        return make_room_in_sandbox(runtime, (&*turn, sandbox), around, on_event);
    }
    let mut pass = Pass::new(runtime, turn, Demand::Trigger);
    loop {
        settle(runtime, turn, around, on_event)?;
        let context = assemble_with(runtime, turn.name(), turn.view(), around)?;
        check_prefix(runtime, &context)?;
        match decide_in(runtime, turn, &context, &pass) {
            Action::Proceed => {
                warn_at_half(runtime, turn, &context, on_event);
                return Ok(context);
            }
            Action::ProceedWithWarning => {
                warn(&context, Pressure::Full, on_event);
                return Ok(context);
            }
            Action::InBackground { flush, rung } => {
                if runtime.can_work_beside() {
                    let how = (flush, rung);
                    begin_compaction(runtime, turn, &context, how, on_event)?;
                } else {
                    runtime.background.put_off(turn, Work::Compaction);
                }
                return Ok(context);
            }
            Action::Now { flush, rung } => {
                pass.step(runtime, turn, (&context, flush, rung), on_event)
                    .await?;
            }
            Action::Emergency { flush, rung } => {
                if let Some(shorter) = until_summarised(runtime, turn, (&context, rung), around)? {
                    warn(&context, Pressure::Full, on_event);
                    return Ok(shorter);
                }
                stop_job(runtime, turn.name(), on_event);
                pass.give_up_models();
                pass.step(runtime, turn, (&context, flush, rung), on_event)
                    .await?;
            }
            Action::Exhausted { excess } => return Err(TurnError::DoesNotFit { excess }),
        }
    }
}

/// The request without what the emergency would drop, where a job is at work on a compaction: its summary takes
/// the place of the oldest messages once it is there, so none of them is dropped for good before. `None` where no
/// job is at work, where the offline engine stands in for it, or where the request would still be too large.
fn until_summarised(
    runtime: &Runtime,
    turn: &Turn,
    (context, rung): (&Context, Rung),
    around: &Around,
) -> Result<Option<Context>, TurnError> {
    if rung != Rung::Truncate || !runtime.background.is_compacting(turn.name()) {
        return Ok(None);
    }
    let cut = truncation(turn.view(), &context.shown, &context.usage, &context.budget);
    let Some(view) = cut.and_then(|cut| without(turn.view(), cut)) else {
        return Ok(None);
    };
    let shorter = assemble_with(runtime, turn.name(), &view, around)?;
    let fits = shorter.tokens() <= shorter.budget.request_max();
    Ok(fits.then_some(shorter))
}

fn warn(context: &Context, pressure: Pressure, on_event: OnEvent<'_>) {
    on_event(Event::Window(compaction::Event::ContextWarning {
        current_context_tokens: context.told(context.tokens()),
        threshold: context.told(context.budget.trigger),
        pressure,
    }));
}

/// Warns once in an epoch, where the owner wants it.
fn warn_at_half(runtime: &Runtime, turn: &Turn, context: &Context, on_event: OnEvent<'_>) {
    let total = context.tokens();
    let is_half = total + total >= context.budget.trigger && total < context.budget.trigger;
    let epoch = turn.state().compaction_count;
    if runtime.settings.warns_at_half && is_half && runtime.background.warns(turn.name(), epoch) {
        warn(context, Pressure::Half, on_event);
    }
}

/// Where one pass through the ladder stands.
pub(crate) struct Pass {
    first: Rung,
    demand: Demand,
    ladder: Ladder,
    engines: Engines,
    flush: Option<FlushNeed>,
}

impl Pass {
    /// The beginning.
    pub(crate) fn new(runtime: &Runtime, turn: &Turn, demand: Demand) -> Self {
        let first = runtime.settings.strategy.first_rung(best_rung(runtime));
        Self {
            first,
            demand,
            ladder: breaker(turn).ladder(first, demand),
            engines: Engines::All,
            flush: None,
        }
    }

    /// From here on only the offline engine is asked.
    fn give_up_models(&mut self) {
        self.first = self.first.max(Rung::Offline);
        self.ladder = Ladder::starting_at(self.first);
        self.engines = Engines::Offline;
    }

    /// The rung that comes next.
    pub(crate) fn rung(&self) -> Option<Rung> {
        self.ladder.rung()
    }

    /// Flushes, or else tries the rung; whether older messages have left.
    pub(crate) async fn step(
        &mut self,
        runtime: &Runtime,
        turn: &mut Turn,
        (context, need, rung): (&Context, FlushNeed, Rung),
        on_event: OnEvent<'_>,
    ) -> Result<bool, TurnError> {
        let mut announced = None;
        // A flush that failed is not tried twice for one compaction: its span waits for the next.
        if need == FlushNeed::Needed && self.flush.is_none() {
            let brief = brief(runtime, turn, context);
            let order = Order {
                mode: FlushMode::BeforeCompaction,
                engines: self.engines,
                extent: runtime.background.extent_in_turn(),
                through: brief.and_then(|brief| read_through(&brief, rung)),
            };
            let flushed = flush(runtime, turn, &order, on_event).await?;
            self.flush = Some(FlushNeed::Done);
            match flushed {
                Flushed::Over(_) => return Ok(false),
                Flushed::Announced(last) => announced = Some(last),
            }
        }
        let order = CompactionOrder {
            rung,
            instructions: None,
            announced,
        };
        let attempt = compact(runtime, turn, context, order, on_event).await?;
        match attempt {
            Attempt::TookEffect => {
                self.ladder = breaker(turn).ladder(self.first, self.demand);
                self.flush = None;
            }
            Attempt::Rejected { last } => self.ladder = self.ladder.without(last),
        }
        Ok(attempt == Attempt::TookEffect)
    }
}

/// What the size of the next request calls for, as things stand.
pub(crate) fn decide_on(runtime: &Runtime, turn: &Turn, context: &Context) -> Action {
    decide_in(
        runtime,
        turn,
        context,
        &Pass::new(runtime, turn, Demand::Trigger),
    )
}

fn decide_in(runtime: &Runtime, turn: &Turn, context: &Context, pass: &Pass) -> Action {
    let state = state(runtime, turn, context, pass);
    decide(&context.usage, &context.budget, &state)
}

/// What the decision must know of the session.
pub(crate) fn state(
    runtime: &Runtime,
    turn: &Turn,
    context: &Context,
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
        background: if is_below {
            Beside::Never
        } else {
            runtime.background.beside(runtime, turn)
        },
    }
}

/// The best of the rungs that can be asked.
pub(crate) fn best_rung(runtime: &Runtime) -> Rung {
    if runtime.models.is_offline_for(Purpose::Summarise) {
        Rung::Offline
    } else {
        Rung::Model
    }
}

fn breaker(turn: &Turn) -> Breaker {
    Breaker {
        n_ineffective: turn.state().compaction_failures,
    }
}

/// In the tokens of the provider, which are those of the settings.
pub(crate) fn check_prefix(runtime: &Runtime, context: &Context) -> Result<(), TurnError> {
    let prefix = context.told(context.usage.prefix + context.usage.suffix);
    let settings = runtime.settings_in_force();
    Ok(Budget::new(&settings).check_prefix(&settings, prefix)?)
}
