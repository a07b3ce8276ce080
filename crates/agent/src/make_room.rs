//! Prune, count, decide, flush, compact: what stands between a message and the next request.
//!
//! Acts on what `compaction` decides and decides nothing itself.

use compaction::{Action, CompactionState, FlushMode, FlushNeed, Ladder, Rung, cut_point, decide};
use session::Turn;

use crate::compact::{Attempt, compact};
use crate::event::{Event, OnEvent};
use crate::flush::flush;
use crate::prompt::{Context, assemble_with};
use crate::recall::Recall;
use crate::{Runtime, TurnError};

/// Gives the context of the next request, after older messages have left it where they must.
///
/// # Errors
///
/// [`TurnError`] where the transcript cannot be written, or where nothing more can leave and the
/// request still does not fit.
pub(crate) async fn make_room(
    runtime: &Runtime,
    turn: &mut Turn,
    recall: &Recall,
    on_event: OnEvent<'_>,
) -> Result<Context, TurnError> {
    let mut ladder = first_rung(runtime);
    let mut flush_need = None;
    loop {
        let context = assemble_with(runtime, turn.name(), turn.view(), recall)?;
        context.budget.check_prefix(
            &runtime.settings,
            context.usage.prefix + context.usage.suffix,
        )?;
        match decide(
            &context.usage,
            &context.budget,
            &state(turn, &context, ladder),
        ) {
            Action::Proceed => return Ok(context),
            Action::ProceedWithWarning => {
                on_event(Event::Window(compaction::Event::ContextWarning {
                    current_context_tokens: context.tokens(),
                    threshold: context.budget.trigger,
                }));
                return Ok(context);
            }
            // A flush that failed is not tried twice for one compaction: its span waits for the next.
            Action::Compact {
                flush: FlushNeed::Needed,
                ..
            } if flush_need.is_none() => {
                flush(runtime, turn, FlushMode::BeforeCompaction, on_event).await?;
                flush_need = Some(FlushNeed::Done);
            }
            Action::Compact { rung, .. } => {
                match compact(runtime, turn, &context, rung, on_event).await? {
                    Attempt::TookEffect => {
                        ladder = first_rung(runtime);
                        flush_need = None;
                    }
                    Attempt::Rejected { last } => ladder = ladder.without(last),
                }
            }
            Action::Exhausted { excess } => return Err(TurnError::DoesNotFit { excess }),
        }
    }
}

fn state(turn: &Turn, context: &Context, ladder: Ladder) -> CompactionState {
    CompactionState {
        epoch: turn.state().compaction_count,
        flush_marker: turn.state().memory_flush_compaction_count,
        ladder,
        has_cuttable_span: cut_point(&context.shown, &context.usage, &context.budget).is_some(),
    }
}

fn first_rung(runtime: &Runtime) -> Ladder {
    if runtime.models.is_offline() {
        Ladder::starting_at(Rung::Offline)
    } else {
        Ladder::default()
    }
}
