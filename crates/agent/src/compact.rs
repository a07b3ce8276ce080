//! The compact stage: puts a summary in the place of older messages.
//!
//! A rung that fails or frees too little leaves the history as it was.

use std::time::Duration;

use base::model::{ModelError, Request, complete};
use base::{EntryId, Origin, TokenCount};
use compaction::{
    AsOf, Breaker, Dropped, Event as WindowEvent, Rung, Scale, Strategy, Summarised, Summary,
    SummaryBrief, SummaryPlan, compaction_entry, plan, truncation,
};
use session::{Meta, SessionName, Turn, View, ViewContent, ViewItem};

use crate::event::{Event, OnEvent};
use crate::extract::is_one_reading;
use crate::flush::Announced;
use crate::pairing::{Moment, Told, call, tell_dropped, tell_start};
use crate::prompt::{Context, assemble};
use crate::step::{Desk, Step};
use crate::summarise::{FailureReason, Made, RungFailure};
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

/// An attempt before anything comes of it.
#[derive(Debug)]
pub(crate) struct Tried {
    /// The rung that was asked first.
    pub(crate) first: Rung,
    /// When, on the monotonic clock.
    pub(crate) started: Duration,
    /// What leaves; `None` where nothing can, or where it does not stand any more.
    pub(crate) plan: Option<SummaryPlan>,
    /// What the rungs gave.
    pub(crate) made: Made,
    /// What the provider counts for the request after it, where it was asked.
    pub(crate) recounted: Option<TokenCount>,
}

/// Which compaction.
pub(crate) struct CompactionOrder {
    /// The rung that is asked first.
    pub(crate) rung: Rung,
    /// What the summary should look at.
    pub(crate) instructions: Option<String>,
    /// The flush of what leaves, where one reading gives its notes and the summary.
    pub(crate) announced: Option<Announced>,
}

/// Makes a summary by the rung that is ordered or one below it, and puts it in its place.
pub(crate) async fn compact(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &Context,
    order: CompactionOrder,
    on_event: OnEvent<'_>,
) -> Result<Attempt, TurnError> {
    let first = order.rung;
    let brief = match first {
        Rung::Truncate => None,
        Rung::Model | Rung::Staged | Rung::Partial | Rung::Offline => brief(runtime, turn, context),
    };
    let told = brief.as_ref().map(|brief| &brief.plan);
    tell_start(runtime, turn, (context, told), on_event);
    let summary = brief.map(|brief| {
        let instructions = order.instructions;
        let brief = SummaryBrief {
            instructions,
            ..brief
        };
        (brief, first)
    });
    let step = Step::new(runtime, turn, order.announced, summary);
    let desk = Desk::default();
    step.make(&desk).await;
    step.write_notes(runtime, turn, &desk, on_event)?;
    let mut made = desk.take_made();
    let mut plan = step.summary.map(|(brief, _)| brief.plan);
    if first == Rung::Truncate
        && let Some(cut) = truncation(turn.view(), &context.shown, &context.usage, &context.budget)
    {
        made.summary = Some(cut.summary);
        plan = Some(cut.plan);
    }
    let recounted = match (&plan, &made.summary) {
        (Some(plan), Some(summary)) => {
            recount(runtime, turn.name(), (context, plan), &summary.text).await
        }
        (None, _) | (_, None) => None,
    };
    let tried = Tried {
        first,
        started: step.started,
        plan,
        made,
        recounted,
    };
    conclude(runtime, turn, context, tried, on_event)
}

/// What leaves, frozen, for a summary that is made from it.
pub(crate) fn brief(runtime: &Runtime, turn: &Turn, context: &Context) -> Option<SummaryBrief> {
    let plan = plan(turn.view(), &context.shown, &context.usage, &context.budget)?;
    Some(SummaryBrief {
        plan,
        as_of: AsOf {
            at: runtime.clock.now(),
            timezone: runtime.timezone,
        },
        instructions: None,
    })
}

/// The last message that leaves, where one reading from this rung on gives notes and summary.
pub(crate) fn read_through(brief: &SummaryBrief, rung: Rung) -> Option<EntryId> {
    let (_, last) = brief.plan.ends()?;
    is_one_reading(&brief.plan.strategy, rung).then_some(last)
}

/// Puts the summary of an attempt in its place, where it has one worth having, and keeps count of the
/// attempts of the model.
pub(crate) fn conclude(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &Context,
    tried: Tried,
    on_event: OnEvent<'_>,
) -> Result<Attempt, TurnError> {
    let strategy = context.budget.strategy;
    let mut warn = |rung: Rung, reason: &str| {
        on_event(Event::Warning(strategy.failure(rung, reason)));
    };
    for failure in &tried.made.failures {
        warn(failure.rung, &failure.reason.to_string());
    }
    let first = tried.first;
    let was_unreachable = is_unreachable(&tried.made.failures);
    let effective = match (tried.plan, tried.made.summary) {
        (Some(plan), Some(summary)) => {
            // The chat may have gone on since it was asked for, and the numbers with it.
            let is_effective = plan.is_effective(&summary.text);
            if !is_effective {
                warn(
                    summary.rung,
                    "it would free less than a fifth of what it replaces",
                );
            }
            is_effective.then_some((plan, summary))
        }
        (None, _) => {
            warn(first, "nothing can leave");
            None
        }
        (Some(_), None) => None,
    };
    let before = Breaker {
        n_ineffective: turn.state().compaction_failures,
    };
    let rung = effective.as_ref().map(|(_, summary)| summary.rung);
    // A model that cannot be reached says nothing about the summaries that it writes.
    let after = if was_unreachable {
        before
    } else {
        before.after(first, rung)
    };
    let attempt = if let Some((plan, summary)) = effective {
        let placed = (plan, summary, (tried.started, tried.recounted));
        put_in_place(runtime, turn, context, placed, on_event)?;
        keep_count(runtime, turn, after)?;
        Attempt::TookEffect
    } else {
        tell_dropped(runtime, turn.name(), Dropped::Ineffective, on_event);
        if after != before {
            keep_count(runtime, turn, after)?;
        }
        Attempt::Rejected {
            last: first.max(Rung::Offline),
        }
    };
    if after != before && after.has_opened() {
        on_event(Event::Warning(format!(
            "the model gave no usable summary {} times in a row: the next ones are made offline, and it is \
             asked again now and then; `openclaw session compact {}` asks it at once",
            after.n_ineffective,
            turn.name()
        )));
    }
    Ok(attempt)
}

/// Whether a model was asked and could not be reached.
fn is_unreachable(failures: &[RungFailure]) -> bool {
    let is_away = |failure: &RungFailure| {
        matches!(
            failure.reason,
            FailureReason::Away(_)
                | FailureReason::Model(
                    ModelError::Unavailable { .. } | ModelError::RateLimited { .. }
                )
        )
    };
    !failures.is_empty() && failures.iter().all(is_away)
}

fn put_in_place(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &Context,
    (plan, summary, (started, recounted)): (SummaryPlan, Summary, (Duration, Option<TokenCount>)),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let epoch = turn.state().compaction_count;
    let estimated = context.told(plan.tokens_after(&summary.text));
    let tokens_after = recounted.unwrap_or(estimated);
    let ended = WindowEvent::CompactEnded {
        epoch,
        rung: summary.rung,
        old_context_tokens: context.told(plan.tokens_before),
        new_context_tokens: tokens_after,
        summary_length: summary.text.chars().count(),
        ratio_percent: plan.ratio_percent(&summary.text),
        retention_percent: summary.retention_percent,
        summarised: (summary.rung != Rung::Truncate).then(|| Summarised::by(&plan, &summary.text)),
        duration: runtime.clock.monotonic().saturating_sub(started),
    };
    let (rung, text) = (summary.rung, summary.text.clone());
    let mut entry = compaction_entry(&plan, summary, epoch);
    entry.tokens_before = context.told(plan.tokens_before);
    entry.details.tokens_after = Some(tokens_after);
    entry.details.context_window = Some(runtime.settings_in_force().context_window);
    for kept in &plan.keep_first {
        entry.details.keep_first.extend(turn.locate(kept)?);
    }
    let now = runtime.clock.now();
    let tokens = (entry.tokens_before, tokens_after);
    match plan.first_kept {
        Some(_) => turn.append_compaction(now, entry)?,
        None => turn.append_replacement(now, entry)?,
    };
    runtime.statistics.compacted();
    runtime.background.take_start(turn.name());
    on_event(Event::Window(ended));
    let told = Told {
        event: "afterCompaction",
        session: turn.name().as_str(),
        epoch: epoch.0,
        strategy: plan.strategy.as_str(),
        messages: Some(plan.n_messages()),
        tokens_before: tokens.0.0,
        tokens_after: Some(tokens.1.0),
        rung: Some(rung.as_str()),
        summary: Some(&text),
        ..Told::default()
    };
    call(runtime, Moment::AfterCompaction, &told, on_event);
    Ok(())
}

/// The whole state, also beside a compaction: resuming reads back no further.
fn keep_count(runtime: &Runtime, turn: &mut Turn, breaker: Breaker) -> Result<(), TurnError> {
    let meta = Meta {
        compaction_failures: breaker.n_ineffective,
        ..turn.state().clone()
    };
    turn.append_meta(runtime.clock.now(), meta)?;
    Ok(())
}

/// The most that the reply of a probe holds: nobody reads it.
const PROBE_MAX: TokenCount = TokenCount(16);

/// What the provider counts for the request once this summary stands in it, where the strategy leaves nothing
/// else and the provider has counted before.
async fn recount(
    runtime: &Runtime,
    name: &SessionName,
    (context, plan): (&Context, &SummaryPlan),
    summary: &str,
) -> Option<TokenCount> {
    let is_all_new = matches!(plan.strategy, Strategy::Replace(_)) && plan.first_kept.is_none();
    if !is_all_new || context.scale == Scale::ONE {
        return None;
    }
    let alone = ViewContent::Summary(summary.to_owned());
    let item = ViewItem {
        entry: EntryId::new("recount"),
        at: runtime.clock.now(),
        origin: Origin::System,
        tokens: alone.estimate(),
        content: alone,
    };
    let view = View {
        items: vec![item],
        is_cut: false,
    };
    let probe = Request {
        output_max: PROBE_MAX,
        ..assemble(runtime, name, &view).ok()?.to_request()
    };
    let asked = complete(&*runtime.models.primary, &probe);
    let reply = runtime.background.patience().wait(asked).await.ok()?.ok()?;
    let counted = reply.usage?.request();
    (counted > TokenCount::ZERO).then_some(counted)
}
