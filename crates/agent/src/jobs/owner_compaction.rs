//! Plans or runs a compaction at the owner's request.
//!
//! Never truncates messages without a summary: nothing forces it to.

use base::model::Purpose;
use base::{EntryId, TokenCount};
use compaction::{FlushMode, FlushNeed, Rung, flush_need, keep_recent, plan};
use session::{Epoch, Meta, SessionName, View};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::backlog::{FlushExtent, FlushOrder};
use crate::jobs::compaction::{CompactionOrder, compact, report_orphaned, stop_job};
use crate::jobs::flush::flush;
use crate::jobs::pass::{AttemptOutcome, best_rung};
use crate::prompt::{RequestContext, assemble};
use crate::runtime::{ChatEngine, Runtime};
use crate::sandbox::report_no_compaction;
use crate::waiting::begin_now;
use crate::writers::summarise::Engines;

/// The effect of a compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionPlan {
    /// The epoch that the compaction ends.
    pub epoch: Epoch,
    /// Messages that leave the view.
    pub n_leaving: usize,
    /// Shown size of the messages that leave, including an earlier summary.
    pub leaving: TokenCount,
    /// The first and the last message that leave.
    pub ends: Option<(EntryId, EntryId)>,
    /// Messages that stay.
    pub n_kept: usize,
    /// Size of the messages that stay.
    pub kept: TokenCount,
    /// The first entry that stays after the summary; `None` if none does.
    pub first_kept: Option<EntryId>,
    /// Size of the current request.
    pub tokens_before: TokenCount,
    /// The rung that is tried first.
    pub rung: Rung,
    /// Whether a flush comes first.
    pub flush: FlushNeed,
}

/// Why a compaction would change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaysWhole {
    /// Size of the conversation as shown.
    pub shown: TokenCount,
    /// Size of the newest messages that always stay; `None` if the strategy sets no such size.
    pub keep: Option<TokenCount>,
    pub strategy: &'static str,
}

/// The outcome of a compaction requested by the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompactionOutcome {
    /// A sandbox compacts nothing; this was reported.
    Sandboxed,
    /// Nothing can leave.
    Nothing(StaysWhole),
    /// Older messages have left.
    Done {
        plan: CompactionPlan,
        /// Size of the request afterwards.
        tokens_after: TokenCount,
    },
    /// No summary was usable; the history is unchanged.
    NoSummary { plan: CompactionPlan },
}

/// Plans a compaction without a lock and without writing; or says why nothing would leave.
pub fn plan_compaction(
    runtime: &Runtime,
    name: &SessionName,
) -> Result<Result<CompactionPlan, StaysWhole>, TurnError> {
    let read = runtime.home.sessions.read(name, runtime.resume_limit())?;
    let context = assemble(runtime, name, &read.view)?;
    Ok(planned(&runtime.engine, &read.view, &read.state, &context))
}

/// Flushes and compacts regardless of the request's size; `instructions` say what the summary should pay attention to.
pub async fn compact_now(
    runtime: &Runtime,
    name: &SessionName,
    instructions: Option<String>,
    on_event: OnEvent<'_>,
) -> Result<CompactionOutcome, TurnError> {
    if runtime.sandbox.is_some() {
        report_no_compaction(on_event);
        return Ok(CompactionOutcome::Sandboxed);
    }
    // This compaction would invalidate a running job's results.
    stop_job(runtime, name, on_event);
    let mut turn = begin_now(runtime, name, on_event)?;
    let context = assemble(runtime, name, turn.view())?;
    let plan = match planned(&runtime.engine, turn.view(), turn.state(), &context) {
        Ok(plan) => plan,
        Err(why) => return Ok(CompactionOutcome::Nothing(why)),
    };
    if instructions.is_some() && runtime.engine.models.is_offline_for(Purpose::Summarise) {
        on_event(Event::Warning(
            "the instructions are ignored: the offline engine makes this summary and cannot follow them".to_owned(),
        ));
    }
    if plan.flush == FlushNeed::Needed {
        let order = FlushOrder {
            mode: FlushMode::BeforeCompaction,
            engines: Engines::All,
            extent: FlushExtent::Whole,
            through: None,
        };
        flush(runtime, &mut turn, &order, on_event).await?;
    }
    // The flush may have grown the logs in the prompt.
    let context = assemble(runtime, name, turn.view())?;
    let order = CompactionOrder {
        context: &context,
        first: plan.rung,
        instructions,
        flush: None,
    };
    let outcome = compact(runtime, &mut turn, order, on_event).await;
    report_orphaned(runtime, name, on_event);
    let outcome = outcome?;
    if outcome != AttemptOutcome::TookEffect {
        return Ok(CompactionOutcome::NoSummary { plan });
    }
    let context = assemble(runtime, name, turn.view())?;
    let tokens_after = context.to_provider(context.tokens());
    Ok(CompactionOutcome::Done { plan, tokens_after })
}

fn planned(
    engine: &ChatEngine,
    view: &View,
    state: &Meta,
    context: &RequestContext,
) -> Result<CompactionPlan, StaysWhole> {
    let Some(plan) = plan(view, &context.shown, &context.usage, &context.budget) else {
        return Err(stays(context));
    };
    let items = context.shown.items.iter();
    let (first, rest) = (items.clone().take(plan.keep_first.len()), items);
    let kept = rest.skip_while(|item| Some(&item.entry) != plan.first_kept.as_ref());
    let kept = first.chain(kept);
    let (epoch, marker) = (state.compaction_count, state.memory_flush_compaction_count);
    Ok(CompactionPlan {
        epoch,
        n_leaving: plan.n_messages(),
        leaving: context.to_provider(plan.replaced),
        ends: plan.ends(),
        n_kept: kept.clone().count(),
        kept: context.to_provider(kept.map(|item| item.tokens).sum()),
        first_kept: plan.first_kept,
        tokens_before: context.to_provider(plan.tokens_before),
        rung: best_rung(engine),
        flush: flush_need(epoch, marker),
    })
}

fn stays(context: &RequestContext) -> StaysWhole {
    let shown = context.shown.items.iter().map(|item| item.tokens).sum();
    let strategy = &context.budget.strategy;
    let keep = strategy
        .keeps_recent_tokens()
        .then(|| keep_recent(&context.usage, &context.budget));
    StaysWhole {
        shown: context.to_provider(shown),
        keep: keep.map(|keep| context.to_provider(keep)),
        strategy: strategy.as_str(),
    }
}

#[cfg(test)]
#[path = "owner_compaction_tests.rs"]
mod tests;
