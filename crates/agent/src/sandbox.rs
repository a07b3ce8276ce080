//! A read-only sandbox: what becomes of the window where nothing may be written.
//!
//! Never flushes and never compacts; what does not fit is left out of the request alone.

use base::TokenCount;
use compaction::truncate;
use session::{Turn, View, ViewContent, ViewItem};

use crate::event::{Event, OnEvent};
use crate::make_room::check_prefix;
use crate::prompt::{Around, Context, assemble_with};
use crate::{Runtime, TurnError};

const NO_FLUSH: &str = "Sandbox read-only mode: skipping memory flush";
const NO_COMPACTION: &str = "Sandbox read-only mode: skipping compaction";
const PRESSURE: &str =
    "Context Window pressure high in read-only sandbox; consider increasing contextWindow";

/// What is different where nothing may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sandbox {
    /// The size of a request from which on the owner is warned; that of a compaction where it is `None`.
    pub warn_at: Option<TokenCount>,
}

/// Tells that no notes are written.
pub(crate) fn tell_no_flush(on_event: OnEvent<'_>) {
    on_event(Event::Warning(NO_FLUSH.to_owned()));
}

/// Tells that nothing leaves the conversation.
pub(crate) fn tell_no_compaction(on_event: OnEvent<'_>) {
    on_event(Event::Warning(NO_COMPACTION.to_owned()));
}

/// Gives the context of the next request: pruned, and where that does not do, without older messages.
///
/// # Errors
///
/// [`TurnError::DoesNotFit`] where nothing more can be left out.
pub(crate) fn make_room_in_sandbox(
    runtime: &Runtime,
    (turn, sandbox): (&Turn, Sandbox),
    around: &Around,
    on_event: OnEvent<'_>,
) -> Result<Context, TurnError> {
    let context = assemble_with(runtime, turn.name(), turn.view(), around)?;
    check_prefix(runtime, &context)?;
    let tokens = context.told(context.tokens());
    let trigger = context.told(context.budget.trigger);
    if tokens >= trigger {
        tell_no_flush(on_event);
        tell_no_compaction(on_event);
    }
    if tokens >= sandbox.warn_at.unwrap_or(trigger) {
        on_event(Event::Warning(PRESSURE.to_owned()));
    }
    if context.tokens() <= context.budget.request_max() {
        return Ok(context);
    }
    let shorter = shortened(turn.view(), &context);
    let context = match shorter {
        Some(view) => assemble_with(runtime, turn.name(), &view, around)?,
        None => context,
    };
    let excess = context
        .tokens()
        .saturating_sub(context.budget.request_max());
    if excess > TokenCount::ZERO {
        return Err(TurnError::DoesNotFit { excess });
    }
    Ok(context)
}

/// The view with a line in the place of older messages; `None` where none can be left out.
fn shortened(view: &View, context: &Context) -> Option<View> {
    let cut = truncate(view, &context.shown, &context.usage, &context.budget)?;
    let oldest = cut.plan.span.first()?;
    let marker = ViewContent::Summary(cut.summary.text);
    let line = ViewItem {
        tokens: marker.estimate(),
        content: marker,
        ..oldest.clone()
    };
    let leaves = |item: &&ViewItem| !cut.plan.span.iter().any(|left| left.entry == item.entry);
    let mut shorter = view.clone();
    shorter.items = view.items.iter().filter(leaves).cloned().collect();
    shorter.items.insert(0, line);
    Some(shorter)
}

#[cfg(test)]
#[path = "sandbox_tests.rs"]
mod tests;
