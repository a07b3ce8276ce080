//! Pairs each start of a compaction with one end, however it ends.
//!
//! What was begun is kept with the session, for it may end in a later turn, or be dropped with one.

use std::time::Duration;

use base::TokenCount;
use compaction::{Dropped, Event as WindowEvent, Summarised, SummaryPlan};
use session::{Epoch, SessionName, Turn};

use crate::event::{Event, OnEvent};
use crate::prompt::Context;
use crate::{Runtime, hooks};

/// A compaction whose start was told, and whose end was not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begun {
    epoch: Epoch,
    tokens: TokenCount,
    started: Duration,
}

/// Tells that older messages are about to leave: those of the plan, where a summary is made of them.
pub(crate) fn tell_start(
    runtime: &Runtime,
    turn: &Turn,
    (context, plan): (&Context, Option<&SummaryPlan>),
    on_event: OnEvent<'_>,
) {
    tell_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
    let epoch = turn.state().compaction_count;
    let tokens = context.told(context.tokens());
    let begun = Begun {
        epoch,
        tokens,
        started: runtime.clock.monotonic(),
    };
    runtime.background.note_start(turn.name(), begun);
    let where_in = (turn.name(), epoch);
    hooks::before(
        runtime.hooks.as_deref(),
        where_in,
        (context, plan),
        on_event,
    );
    on_event(Event::Window(WindowEvent::CompactStarted {
        current_context_tokens: tokens,
        threshold: context.told(context.budget.trigger),
        summarised: plan.map(Summarised::of),
    }));
}

/// Tells that a compaction whose start was told changed nothing; says nothing where none was begun.
pub(crate) fn tell_dropped(
    runtime: &Runtime,
    name: &SessionName,
    reason: Dropped,
    on_event: OnEvent<'_>,
) {
    if let Some(begun) = runtime.background.take_start(name) {
        let now = runtime.clock.monotonic();
        on_event(Event::Window(WindowEvent::CompactDropped {
            epoch: begun.epoch,
            reason,
            context_tokens: begun.tokens,
            duration: now.saturating_sub(begun.started),
        }));
    }
}

/// Tells the end of what was dropped with a turn, or by another session; what goes on in the background
/// ends later.
pub(crate) fn tell_what_was_dropped(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    if !runtime.background.has_job(name) {
        tell_dropped(runtime, name, Dropped::Cancelled, on_event);
    }
}

/// Ends what goes on in the background of a session and tells it; whether a summary was being made.
pub(crate) fn stop_job(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) -> bool {
    let was_summarising = runtime.background.cancel(name);
    tell_dropped(runtime, name, Dropped::Cancelled, on_event);
    was_summarising
}
