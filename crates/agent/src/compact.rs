//! The compact stage: puts a summary in the place of older messages.
//!
//! A rung that fails or frees too little leaves the history as it was.

use base::StopReason;
use base::model::complete;
use compaction::{
    AsOf, Event as WindowEvent, Rung, SummaryPlan, compaction_entry, cut_point, render_summary,
    summary_request, truncate,
};
use session::Turn;

use crate::event::{Event, OnEvent};
use crate::prompt::Context;
use crate::{Runtime, TurnError};

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The view is smaller now.
    TookEffect,
    /// Nothing has changed; the next rung may do better.
    Rejected,
}

/// Tries one rung.
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
    let (plan, summary) = match summarise(runtime, turn, context, rung).await {
        Ok(made) => made,
        Err(reason) => {
            on_event(Event::Warning(format!(
                "no summary by {}: {reason}",
                rung.as_str()
            )));
            return Ok(Attempt::Rejected);
        }
    };
    let epoch = turn.state().compaction_count;
    let ended = WindowEvent::CompactEnded {
        epoch,
        rung,
        old_context_tokens: plan.tokens_before,
        new_context_tokens: plan.tokens_after(&summary),
        summary_length: summary.chars().count(),
        ratio_percent: plan.ratio_percent(&summary),
        retention_percent: None,
        duration: runtime.clock.monotonic().saturating_sub(started),
    };
    let now = runtime.clock.now();
    let mut entry = compaction_entry(&plan, summary, epoch, rung);
    entry.details.context_window = Some(context.budget.window);
    turn.append_compaction(now, entry)?;
    // The whole state beside the compaction: resuming reads back no further.
    turn.append_meta(now, turn.state().clone())?;
    on_event(Event::Window(ended));
    Ok(Attempt::TookEffect)
}

/// What leaves and what stands for it; the reason where this rung gives nothing worth having.
async fn summarise(
    runtime: &Runtime,
    turn: &Turn,
    context: &Context,
    rung: Rung,
) -> Result<(SummaryPlan, String), String> {
    let view = turn.view();
    let model = match rung {
        Rung::Model => &runtime.models.primary,
        Rung::Offline => &runtime.models.offline,
        Rung::Truncate => {
            let cut = truncate(view, &context.shown, &context.usage, &context.budget);
            let cut = cut.ok_or("nothing can leave")?;
            return Ok((cut.plan, cut.summary));
        }
    };
    let cut = cut_point(&context.shown, &context.usage, &context.budget);
    let plan = cut.and_then(|cut| SummaryPlan::new(view, &context.shown, cut, &context.usage));
    let plan = plan.ok_or("nothing can leave")?;
    let as_of = AsOf {
        at: runtime.clock.now(),
        timezone: runtime.timezone,
    };
    let request = summary_request(&plan, as_of, runtime.window_of(&**model));
    let reply = complete(&**model, &request)
        .await
        .map_err(|error| error.to_string())?;
    if reply.stop == StopReason::Aborted {
        return Err("it was broken off".to_owned());
    }
    let text = base::Message::Assistant(reply).text();
    let summary = render_summary(&text, &plan, as_of).map_err(|error| error.to_string())?;
    if !plan.is_effective(&summary) {
        return Err("it would free less than a fifth of what it replaces".to_owned());
    }
    Ok((plan, summary))
}
