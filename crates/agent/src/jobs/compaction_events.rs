//! Reports the start and end of each compaction in pairs, and calls the owner's hooks at both.
//!
//! Keeps the start with the session, because a compaction may end in a later turn or be dropped with one.

use compaction::{Dropped, Summarised, SummaryPlan, WindowEvent};
use session::{SessionName, Turn};

use crate::event::{Event, OnEvent};
use crate::hooks::{HookMoment, HookReport};
use crate::jobs::slots::StartedCompaction;
use crate::prompt::RequestContext;
use crate::runtime::Runtime;

/// Reports that a compaction starts; `plan` holds the messages to be summarised, if it makes a summary.
pub(crate) fn report_start(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    plan: Option<&SummaryPlan>,
    on_event: OnEvent<'_>,
) {
    report_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
    let epoch = turn.state().compaction_count;
    let tokens = context.to_provider(context.tokens());
    let started = StartedCompaction {
        epoch,
        tokens,
        at: runtime.home.clock.monotonic(),
    };
    runtime.jobs.note_start(turn.name(), started);
    let threshold = context.threshold;
    let report = HookReport {
        event: HookMoment::BeforeCompaction,
        session: turn.name().as_str(),
        epoch: epoch.0,
        strategy: context.budget.strategy.as_str(),
        messages: plan.map(SummaryPlan::n_messages),
        tokens_before: tokens.0,
        threshold: Some(threshold.0),
        ..HookReport::default()
    };
    call_hooks(runtime, &report, on_event);
    on_event(Event::Window(WindowEvent::CompactStarted {
        current_context_tokens: tokens,
        threshold,
        summarised: plan.map(Summarised::of),
    }));
}

/// Reports that a started compaction changed nothing; silent if none was started.
pub(crate) fn report_dropped(
    runtime: &Runtime,
    name: &SessionName,
    reason: Dropped,
    on_event: OnEvent<'_>,
) {
    if let Some(started) = runtime.jobs.take_start(name) {
        let now = runtime.home.clock.monotonic();
        on_event(Event::Window(WindowEvent::CompactDropped {
            epoch: started.epoch,
            reason,
            context_tokens: started.tokens,
            duration: now.saturating_sub(started.at),
        }));
    }
}

/// Reports the end of a compaction that was dropped with its turn or by another session, unless a job still works on
/// it.
pub(crate) fn report_orphaned(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    if !runtime.jobs.has_job(name) {
        report_dropped(runtime, name, Dropped::Cancelled, on_event);
    }
}

/// Cancels a session's job and reports it; returns whether it was making a summary.
pub(crate) fn stop_job(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) -> bool {
    let was_summarising = runtime.jobs.cancel(name);
    report_dropped(runtime, name, Dropped::Cancelled, on_event);
    was_summarising
}

pub(crate) fn call_hooks(runtime: &Runtime, report: &HookReport<'_>, on_event: OnEvent<'_>) {
    let Some(hooks) = &runtime.hooks else {
        return;
    };
    let failures = match serde_json::to_string(report) {
        Ok(told) => hooks.call(report.event, &told),
        Err(error) => vec![error.to_string()],
    };
    for failure in failures {
        on_event(Event::Warning(format!("a hook failed: {failure}")));
    }
}
