//! A read-only sandbox: what becomes of the window where nothing may be written.
//!
//! Never flushes and never compacts; what does not fit is left out of the request alone.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use base::TokenCount;
use compaction::{Truncation, truncate};
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
#[derive(Debug, Clone, Default)]
pub struct Sandbox {
    warn_at: Option<TokenCount>,
    /// What the owner knows already.
    told: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl Sandbox {
    /// One in which the owner is warned of requests of this size; where it is `None`, of those that would
    /// call for a compaction.
    pub fn new(warn_at: Option<TokenCount>) -> Self {
        Self {
            warn_at,
            told: Arc::default(),
        }
    }

    /// Tells that no notes are written.
    pub(crate) fn tell_no_flush(&self, on_event: OnEvent<'_>) {
        self.tell_once(NO_FLUSH, Event::Notice, on_event);
    }

    /// Tells that nothing leaves the conversation.
    fn tell_no_compaction(&self, on_event: OnEvent<'_>) {
        self.tell_once(NO_COMPACTION, Event::Notice, on_event);
    }

    /// What holds for every request from here on is told at the first.
    fn tell_once(&self, words: &'static str, event: fn(String) -> Event, on_event: OnEvent<'_>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.insert(words) {
            on_event(event(words.to_owned()));
        }
    }
}

/// Tells the owner, who asked for it, that nothing leaves the conversation.
pub(crate) fn tell_no_compaction(on_event: OnEvent<'_>) {
    on_event(Event::Notice(NO_COMPACTION.to_owned()));
}

/// Gives the context of the next request: pruned, and where that does not do, without older messages.
///
/// # Errors
///
/// [`TurnError::DoesNotFit`] where nothing more can be left out.
pub(crate) fn make_room_in_sandbox(
    runtime: &Runtime,
    (turn, sandbox): (&Turn, &Sandbox),
    around: &Around,
    on_event: OnEvent<'_>,
) -> Result<Context, TurnError> {
    let context = assemble_with(runtime, turn.name(), turn.view(), around)?;
    check_prefix(runtime, &context)?;
    let tokens = context.told(context.tokens());
    let trigger = context.told(context.budget.trigger);
    if tokens >= trigger {
        sandbox.tell_no_flush(on_event);
        sandbox.tell_no_compaction(on_event);
    }
    if tokens >= sandbox.warn_at.unwrap_or(trigger) {
        sandbox.tell_once(PRESSURE, Event::Warning, on_event);
    }
    if context.tokens() <= context.budget.request_max() {
        return Ok(context);
    }
    let cut = truncate(turn.view(), &context.shown, &context.usage, &context.budget);
    let context = match cut.and_then(|cut| without(turn.view(), cut)) {
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

/// The view with a line in the place of what the truncation takes.
pub(crate) fn without(view: &View, cut: Truncation) -> Option<View> {
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
