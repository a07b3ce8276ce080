//! Compaction that the owner asks for: planned, or carried out.
//!
//! Never cuts messages off without a summary: nothing forces it to.

use base::model::Purpose;
use base::{EntryId, TokenCount};
use compaction::{FlushMode, FlushNeed, Rung, Strategy, flush_need, keep_recent, plan};
use session::{Epoch, Meta, SessionName, View};

use crate::backlog::FlushExtent;
use crate::compact::AttemptOutcome;
use crate::compaction_events::{report_orphaned, stop_job};
use crate::driver::flush;
use crate::driver::{CompactionOrder, compact};
use crate::error::TurnError;
use crate::event::{Event, OnEvent, warn_of_repairs};
use crate::fit_window::best_rung;
use crate::flush::FlushOrder;
use crate::prompt::{Context, assemble};
use crate::runtime::Runtime;
use crate::sandbox::report_no_compaction;
use crate::summarise::Engines;

/// What a compaction would do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionPlan {
    /// The epoch that it ends.
    pub epoch: Epoch,
    /// How many messages leave the view.
    pub n_leaving: usize,
    /// Tokens of what leaves, an earlier summary included, as the window shows it.
    pub leaving: TokenCount,
    /// The first and the last message that leave.
    pub ends: Option<(EntryId, EntryId)>,
    /// How many messages stay.
    pub n_kept: usize,
    /// Tokens of what stays.
    pub kept: TokenCount,
    /// The first entry that stays after the summary; `None` where none does.
    pub first_kept: Option<EntryId>,
    /// The request as it is now.
    pub tokens_before: TokenCount,
    /// Who is asked for the summary first.
    pub rung: Rung,
    /// Whether a flush comes before.
    pub flush: FlushNeed,
}

/// Why nothing would leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaysWhole {
    /// What the window shows of the conversation.
    pub shown: TokenCount,
    /// How much of the newest messages stays in any case; `None` where the strategy does not count so.
    pub keep: Option<TokenCount>,
    /// The strategy.
    pub strategy: &'static str,
}

/// What a compaction would do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// Older messages leave.
    Leaves(CompactionPlan),
    /// Nothing does.
    Stays(StaysWhole),
}

/// How a compaction that the owner asked for ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compacted {
    /// Nothing is compacted in a sandbox, which was told.
    Sandboxed,
    /// Nothing can leave.
    Nothing(StaysWhole),
    /// Older messages have left.
    Done {
        /// What was planned.
        plan: CompactionPlan,
        /// The request as it is now.
        tokens_after: TokenCount,
    },
    /// No summary was worth having; the history is as it was.
    NoSummary {
        /// What was planned.
        plan: CompactionPlan,
    },
}

/// What a compaction would do now. Takes no lock and writes nothing.
pub fn plan_compaction(runtime: &Runtime, name: &SessionName) -> Result<Planned, TurnError> {
    let read = runtime.home.sessions.read(name, runtime.resume_limit())?;
    let context = assemble(runtime, name, &read.view)?;
    Ok(planned(runtime, &read.view, &read.state, &context))
}

/// Lets older messages leave whatever the size of the request, after a flush; `instructions` say what the
/// summary should look at.
pub async fn compact_now(
    runtime: &Runtime,
    name: &SessionName,
    instructions: Option<String>,
    on_event: OnEvent<'_>,
) -> Result<Compacted, TurnError> {
    if runtime.sandbox.is_some() {
        report_no_compaction(on_event);
        return Ok(Compacted::Sandboxed);
    }
    // What a job was making would not stand any more.
    stop_job(runtime, name, on_event);
    let mut turn = runtime
        .home
        .sessions
        .begin_turn(name, runtime.resume_limit())?;
    warn_of_repairs(&turn, on_event);
    let context = assemble(runtime, name, turn.view())?;
    let plan = match planned(runtime, turn.view(), turn.state(), &context) {
        Planned::Leaves(plan) => plan,
        Planned::Stays(why) => return Ok(Compacted::Nothing(why)),
    };
    if instructions.is_some() && runtime.engine.models.is_offline_for(Purpose::Summarise) {
        on_event(Event::Warning(
            "no model is asked, and extraction follows no instructions".to_owned(),
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
    // The logs in the prompt may have grown.
    let context = assemble(runtime, name, turn.view())?;
    let order = CompactionOrder {
        first: plan.rung,
        instructions,
        flush: None,
    };
    let outcome = compact(runtime, &mut turn, &context, order, on_event).await;
    report_orphaned(runtime, name, on_event);
    let outcome = outcome?;
    if outcome != AttemptOutcome::TookEffect {
        return Ok(Compacted::NoSummary { plan });
    }
    let context = assemble(runtime, name, turn.view())?;
    let tokens_after = context.to_provider(context.tokens());
    Ok(Compacted::Done { plan, tokens_after })
}

fn planned(runtime: &Runtime, view: &View, state: &Meta, context: &Context) -> Planned {
    let Some(plan) = plan(view, &context.shown, &context.usage, &context.budget) else {
        return Planned::Stays(stays(context));
    };
    let cut = plan.first_kept.as_ref().and_then(|first_kept| {
        let mut items = context.shown.items.iter();
        items.position(|item| item.entry == *first_kept)
    });
    let n_first = plan.keep_first.len();
    let items = &context.shown.items;
    let kept = items.iter().skip(cut.unwrap_or(items.len()));
    let kept = items.iter().take(n_first).chain(kept);
    let (epoch, marker) = (state.compaction_count, state.memory_flush_compaction_count);
    Planned::Leaves(CompactionPlan {
        epoch,
        n_leaving: plan.n_messages(),
        leaving: context.to_provider(plan.replaced),
        ends: plan.ends(),
        n_kept: kept.clone().count(),
        kept: context.to_provider(kept.map(|item| item.tokens).sum()),
        first_kept: plan.first_kept,
        tokens_before: context.to_provider(plan.tokens_before),
        rung: best_rung(&runtime.engine),
        flush: flush_need(epoch, marker),
    })
}

fn stays(context: &Context) -> StaysWhole {
    let shown = context.shown.items.iter().map(|item| item.tokens).sum();
    let strategy = &context.budget.strategy;
    let keep = match strategy {
        Strategy::Handoff | Strategy::Off => Some(keep_recent(&context.usage, &context.budget)),
        Strategy::Replace(_) | Strategy::Tiered(_) | Strategy::Middle(_) => None,
    };
    StaysWhole {
        shown: context.to_provider(shown),
        keep: keep.map(|keep| context.to_provider(keep)),
        strategy: strategy.as_str(),
    }
}

#[cfg(test)]
#[path = "owner_compaction_tests.rs"]
mod tests;
