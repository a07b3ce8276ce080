//! Takes what a job has made and puts it where it belongs, if it still belongs there.
//!
//! Runs under the lock of a turn and asks no model.

use compaction::{Dropped, SummaryPlan, is_safe_point, plan_up_to};
use session::{SessionName, Turn};

use super::jobs::Job;
use crate::compact::{Attempt, Tried, conclude};
use crate::event::{Event, OnEvent};
use crate::pairing::{tell_dropped, tell_what_was_dropped};
use crate::prompt::{Around, Context, assemble_with};
use crate::{Runtime, TurnError};

/// Writes the notes that are ready and puts the summary that is ready in its place, at a safe point.
///
/// Where the conversation has gone another way since, or somebody else has written down or summarised
/// what the job is about, it is given up and nothing of it is kept.
pub(crate) fn settle(
    runtime: &Runtime,
    turn: &mut Turn,
    around: &Around,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let name = turn.name().clone();
    tell_what_was_dropped(runtime, &name, on_event);
    let Some(mut job) = runtime.background.take_with_news(&name) else {
        return Ok(());
    };
    if !job.ground.holds(turn) {
        if job.is_summarising() {
            tell_given_up(runtime, &name, on_event);
        }
        return Ok(());
    }
    job.step.write_notes(runtime, turn, &job.desk, on_event)?;
    job.ground.intent.clone_from(&turn.state().intent);
    let is_over = job.desk.is_over();
    if is_over && !job.is_summarising() {
        return Ok(());
    }
    if !is_over || !is_safe_point(&turn.view().items) {
        runtime.background.put_back(&name, job);
        return Ok(());
    }
    let context = assemble_with(runtime, &name, turn.view(), around)?;
    apply(runtime, turn, (&context, &job), on_event)
}

fn apply(
    runtime: &Runtime,
    turn: &mut Turn,
    (context, job): (&Context, &Job),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let plan = plan_again(turn, context, job);
    let (Some((_, first)), Some(plan)) = (&job.step.summary, plan) else {
        tell_given_up(runtime, turn.name(), on_event);
        return Ok(());
    };
    let tried = Tried {
        first: *first,
        started: job.step.started,
        plan: Some(plan),
        made: job.desk.take_made(),
        recounted: None,
    };
    let attempt = conclude(runtime, turn, context, tried, on_event)?;
    let until = match attempt {
        Attempt::TookEffect => None,
        Attempt::Rejected { .. } => Some(context.tokens() + context.budget.growth_min()),
    };
    runtime.background.rest(turn.name(), until);
    Ok(())
}

/// That it began was told.
fn tell_given_up(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    tell_dropped(runtime, name, Dropped::Cancelled, on_event);
    let given_up = "The compaction is given up: what it summarised has been changed since.";
    on_event(Event::Notice(given_up.to_owned()));
}

/// The same span with the numbers of now; `None` where it does not lie on the leaf's path any more.
fn plan_again(turn: &Turn, context: &Context, job: &Job) -> Option<SummaryPlan> {
    let first_kept = job.ground.first_kept.as_ref()?;
    let (shown, usage, budget) = (&context.shown, &context.usage, &context.budget);
    let plan = plan_up_to(turn.view(), shown, first_kept, usage, budget)?;
    let entries = plan.span.iter().map(|item| &item.entry);
    entries.eq(&job.ground.span).then_some(plan)
}
