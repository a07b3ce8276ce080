//! Begins a job: announces the flush, freezes the span, and lets the models work.
//!
//! Waits for nobody.

use std::sync::Arc;

use base::EntryId;
use base::disk::Lock;
use compaction::{FlushMode, FlushNeed, FlushOutcome, Rung, Scale, SummaryBrief};
use session::{BeginTurnError, Turn};

use super::desk::Order;
use super::jobs::{Ground, Job};
use crate::backlog::{Backlog, Extent};
use crate::compact::{brief, last_message};
use crate::event::OnEvent;
use crate::extract::is_one_reading;
use crate::flush::{self, Announced, Begun};
use crate::pairing::tell_start;
use crate::prompt::Context;
use crate::summarise::Writers;
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
    let mode = FlushMode::BeforeCompaction;
    let through = match &brief {
        Some(brief) if is_one_reading(&brief.plan.strategy, rung) => last_message(brief),
        Some(_) | None => None,
    };
    let announced = match flush {
        FlushNeed::Needed => {
            let what = (mode, through, Extent::BeforeReply);
            announce(runtime, turn, what, on_event)?
        }
        FlushNeed::Done => None,
    };
    let is_flushed_after = announced.as_ref().is_none_or(|announced| announced.is_last);
    let brief = brief.filter(|_| is_flushed_after);
    if let Some(brief) = &brief {
        tell_start(runtime, turn, (context, Some(&brief.plan)), on_event);
    }
    let summary = brief.map(|brief| (brief, rung));
    start(runtime, turn, (announced, summary, context.scale), lock);
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

fn start(
    runtime: &Runtime,
    turn: &Turn,
    (announced, summary, scale): (Option<Announced>, Option<(SummaryBrief, Rung)>, Scale),
    lock: Lock,
) {
    let plan = summary.as_ref().map(|(brief, _)| &brief.plan);
    let span = plan.iter().flat_map(|plan| &plan.span);
    let ground = Ground {
        epoch: turn.state().compaction_count,
        intent: turn.state().intent.clone(),
        span: span.map(|item| item.entry.clone()).collect(),
        first_kept: plan.and_then(|plan| plan.first_kept.clone()),
    };
    let order = Order {
        notes: announced.as_ref().map(|announced| announced.brief.clone()),
        writers: Writers::of(runtime, scale),
        summary,
    };
    let job = Job {
        ground,
        first: order.summary.as_ref().map(|(_, rung)| *rung),
        started: runtime.clock.monotonic(),
        announced,
        desk: Arc::default(),
        task: None,
        _lock: lock,
    };
    runtime.background.begin(turn.name(), order, job);
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
    let what = (FlushMode::SessionNotes, None, extent);
    let Some(announced) = announce(runtime, turn, what, on_event)? else {
        return Ok(());
    };
    let scale = runtime.scale(turn.view());
    start(runtime, turn, (Some(announced), None, scale), lock);
    Ok(())
}

/// The first part that somebody must be asked for; `None` where nothing is left to ask, and where more waits
/// than the extent takes.
fn announce(
    runtime: &Runtime,
    turn: &mut Turn,
    (mode, through, extent): (FlushMode, Option<EntryId>, Extent),
    on_event: OnEvent<'_>,
) -> Result<Option<Announced>, TurnError> {
    let Some(mut backlog) = Backlog::open(turn, extent)? else {
        return Ok(None);
    };
    loop {
        let what = ((mode, through.as_ref()), &mut backlog);
        match flush::begin(runtime, turn, what, on_event)? {
            Begun::Announced(announced) => return Ok(Some(announced)),
            Begun::Over {
                outcome: FlushOutcome::Failed,
                ..
            }
            | Begun::Over { is_last: true, .. } => return Ok(None),
            Begun::Over { is_last: false, .. } => {}
        }
    }
}
