//! Pairs each start of a compaction with one end, however it ends, and calls what the owner wants called at both.
//!
//! What was begun is kept with the session, for it may end in a later turn, or be dropped with one.

use std::fmt::Debug;
use std::time::Duration;

use base::TokenCount;
use compaction::{Dropped, Event as WindowEvent, Summarised, SummaryPlan};
use serde::Serialize;
use session::{Epoch, SessionName, Turn};

use crate::Runtime;

use crate::event::{Event, OnEvent};
use crate::prompt::Context;

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
    let threshold = context.told(context.budget.trigger);
    let told = Told {
        event: "beforeCompaction",
        session: turn.name().as_str(),
        epoch: epoch.0,
        strategy: context.budget.strategy.as_str(),
        messages: plan.map(SummaryPlan::n_messages),
        tokens_before: tokens.0,
        threshold: Some(threshold.0),
        ..Told::default()
    };
    call(runtime, Moment::BeforeCompaction, &told, on_event);
    on_event(Event::Window(WindowEvent::CompactStarted {
        current_context_tokens: tokens,
        threshold,
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

/// When something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Older messages are about to leave.
    BeforeCompaction,
    /// They have left.
    AfterCompaction,
}

/// Calls what the owner wants called.
pub trait Hooks: Send + Sync + Debug {
    /// Calls all that belongs to a moment, and waits for it; `told` is one JSON object on one line.
    ///
    /// Gives why something failed, one line each.
    fn call(&self, moment: Moment, told: &str) -> Vec<String>;
}

/// What a hook is told.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Told<'a> {
    pub(crate) event: &'static str,
    pub(crate) session: &'a str,
    pub(crate) epoch: u64,
    pub(crate) strategy: &'static str,
    /// Messages that leave.
    pub(crate) messages: Option<usize>,
    pub(crate) tokens_before: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threshold: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rung: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<&'a str>,
}

/// Calls what belongs to a moment.
pub(crate) fn call(runtime: &Runtime, moment: Moment, told: &Told<'_>, on_event: OnEvent<'_>) {
    let Some(hooks) = &runtime.hooks else {
        return;
    };
    let failures = match serde_json::to_string(told) {
        Ok(told) => hooks.call(moment, &told),
        Err(error) => vec![error.to_string()],
    };
    for failure in failures {
        on_event(Event::Warning(format!("a hook failed: {failure}")));
    }
}
