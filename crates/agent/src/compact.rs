//! The compact stage: puts a summary in the place of older messages.
//!
//! A rung that fails or frees too little leaves the history as it was.

use compaction::{
    AsOf, Event as WindowEvent, Rung, Summary, SummaryBrief, SummaryPlan, compaction_entry,
    cut_point, truncate,
};
use session::Turn;

use crate::event::{Event, OnEvent};
use crate::prompt::Context;
use crate::summarise::{Writers, summarise};
use crate::{Runtime, TurnError};

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The view is smaller now.
    TookEffect,
    /// Nothing has changed; a rung below this one may do better.
    Rejected {
        /// The last that was tried.
        last: Rung,
    },
}

/// Makes a summary by `rung` or one below it, and puts it in its place.
///
/// # Errors
///
/// [`TurnError`] where the transcript cannot be written.
pub(crate) async fn compact(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &Context,
    rung: Rung,
    on_event: OnEvent<'_>,
) -> Result<Attempt, TurnError> {
    let started = runtime.clock.monotonic();
    on_event(Event::Window(WindowEvent::CompactStarted {
        current_context_tokens: context.tokens(),
        threshold: context.budget.trigger,
    }));
    let Some((plan, summary)) = make(runtime, turn, context, rung, on_event).await else {
        let last = rung.max(Rung::Offline);
        return Ok(Attempt::Rejected { last });
    };
    let epoch = turn.state().compaction_count;
    let ended = WindowEvent::CompactEnded {
        epoch,
        rung: summary.rung,
        old_context_tokens: plan.tokens_before,
        new_context_tokens: plan.tokens_after(&summary.text),
        summary_length: summary.text.chars().count(),
        ratio_percent: plan.ratio_percent(&summary.text),
        retention_percent: summary.retention_percent,
        duration: runtime.clock.monotonic().saturating_sub(started),
    };
    let now = runtime.clock.now();
    let mut entry = compaction_entry(&plan, summary, epoch);
    entry.details.context_window = Some(context.budget.window);
    turn.append_compaction(now, entry)?;
    // The whole state beside the compaction: resuming reads back no further.
    turn.append_meta(now, turn.state().clone())?;
    on_event(Event::Window(ended));
    Ok(Attempt::TookEffect)
}

/// What leaves and what stands for it; `None`, with the reasons told, where there is nothing worth having.
async fn make(
    runtime: &Runtime,
    turn: &Turn,
    context: &Context,
    rung: Rung,
    on_event: OnEvent<'_>,
) -> Option<(SummaryPlan, Summary)> {
    let view = turn.view();
    let mut warn = |rung: Rung, reason: &str| {
        let rung = rung.as_str();
        on_event(Event::Warning(format!("no summary by {rung}: {reason}")));
    };
    if rung == Rung::Truncate {
        let cut = truncate(view, &context.shown, &context.usage, &context.budget);
        if cut.is_none() {
            warn(rung, "nothing can leave");
        }
        return cut.map(|cut| (cut.plan, cut.summary));
    }
    let cut = cut_point(&context.shown, &context.usage, &context.budget);
    let plan = cut.and_then(|cut| SummaryPlan::new(view, &context.shown, cut, &context.usage));
    let Some(plan) = plan else {
        warn(rung, "nothing can leave");
        return None;
    };
    let brief = SummaryBrief {
        plan,
        as_of: AsOf {
            at: runtime.clock.now(),
            timezone: runtime.timezone,
        },
        instructions: None,
    };
    let made = summarise(&brief, &Writers::of(runtime), rung).await;
    for failure in &made.failures {
        warn(failure.rung, &failure.reason.to_string());
    }
    made.summary.map(|summary| (brief.plan, summary))
}
