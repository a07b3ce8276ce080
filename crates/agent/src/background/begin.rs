//! Begins a job: announces the flush, freezes the span, and lets the models work.
//!
//! Waits for nobody.

use std::sync::Arc;

use base::disk::Lock;
use compaction::{FlushMode, FlushNeed, Rung};
use session::{BeginTurnError, Turn};

use super::jobs::{Ground, Job};
use crate::backlog::{Backlog, Extent};
use crate::compact::{brief, read_through};
use crate::event::OnEvent;
use crate::flush::{Announced, Flushed, Order, announce};
use crate::pairing::tell_start;
use crate::prompt::Context;
use crate::step::Step;
use crate::summarise::Engines;
use crate::{Runtime, TurnError};

/// Begins to let older messages leave: notes first where they are needed, then a summary.
pub(crate) fn begin_compaction(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &Context,
    (flush, rung): (FlushNeed, Rung),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let Some(lock) = lock(runtime, turn)? else {
        return Ok(());
    };
    let brief = brief(runtime, turn, context);
    let order = Order {
        mode: FlushMode::BeforeCompaction,
        engines: Engines::All,
        extent: Extent::BeforeReply,
        through: brief.as_ref().and_then(|brief| read_through(brief, rung)),
    };
    let announced = match flush {
        FlushNeed::Needed => first_part(runtime, turn, &order, on_event)?,
        FlushNeed::Done => None,
    };
    let is_flushed_after = announced.as_ref().is_none_or(|announced| announced.is_last);
    let brief = brief.filter(|_| is_flushed_after);
    if let Some(brief) = &brief {
        tell_start(runtime, turn, (context, Some(&brief.plan)), on_event);
    }
    let summary = brief.map(|brief| (brief, rung));
    let step = Step::new(runtime, turn, announced, summary);
    start(runtime, turn, step, lock);
    Ok(())
}

/// Begins to write down what was said, as much as `extent` takes; no compaction follows.
pub(crate) fn begin_notes(
    runtime: &Runtime,
    turn: &mut Turn,
    extent: Extent,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let Some(lock) = lock(runtime, turn)? else {
        return Ok(());
    };
    let order = Order {
        mode: FlushMode::SessionNotes,
        engines: Engines::All,
        extent,
        through: None,
    };
    if let Some(announced) = first_part(runtime, turn, &order, on_event)? {
        let step = Step::new(runtime, turn, Some(announced), None);
        start(runtime, turn, step, lock);
    }
    Ok(())
}

/// What no other job of the session may hold; `None` where another process is at it.
fn lock(runtime: &Runtime, turn: &Turn) -> Result<Option<Lock>, TurnError> {
    match runtime.sessions.lock_background(turn.name()) {
        Ok(lock) => Ok(Some(lock)),
        Err(BeginTurnError::Locked(..)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn start(runtime: &Runtime, turn: &Turn, step: Step, lock: Lock) {
    let plan = step.summary.as_ref().map(|(brief, _)| &brief.plan);
    let span = plan.iter().flat_map(|plan| &plan.span);
    let ground = Ground {
        epoch: turn.state().compaction_count,
        intent: turn.state().intent.clone(),
        span: span.map(|item| item.entry.clone()).collect(),
        first_kept: plan.and_then(|plan| plan.first_kept.clone()),
    };
    let job = Job {
        ground,
        step: Arc::new(step),
        desk: Arc::default(),
        task: None,
        _lock: lock,
    };
    runtime.background.begin(turn.name(), job);
}

/// The first part that somebody must be asked for; `None` where nothing is left to ask, and where more waits
/// than the extent takes.
fn first_part(
    runtime: &Runtime,
    turn: &mut Turn,
    order: &Order,
    on_event: OnEvent<'_>,
) -> Result<Option<Announced>, TurnError> {
    let Some(mut backlog) = Backlog::open(turn, order.extent)? else {
        return Ok(None);
    };
    match announce(runtime, turn, (order, &mut backlog), on_event)? {
        Flushed::Announced(announced) => Ok(Some(announced)),
        Flushed::Over(_) => Ok(None),
    }
}
