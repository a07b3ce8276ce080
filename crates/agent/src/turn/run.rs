//! The turn, from the owner's message to the reply, one stage per line.
//!
//! Holds the session's lock from the first append to the last.

use std::pin::pin;

use base::{Assistant, Block, EntryId, Message, Origin, StopReason, Timestamp};
use session::{SessionName, StoredMessage, Turn};

use crate::error::{N_ROUNDS_MAX, TurnError};
use crate::event::{Event, OnEvent};
use crate::jobs::compaction::{apply_finished_job, preempt_jobs, report_orphaned};
use crate::jobs::poll::start_next_job;
use crate::jobs::session_flush::flush_other_day;
use crate::prompt::{RequestContext, RequestExtras};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::ask::{AskOutcome, ask};
use crate::turn::calls::{CallsOutcome, answer_calls};
use crate::turn::fit_window::fit_window;
use crate::turn::input::{TurnInput, record_input};
use crate::turn::keep_asked::keep_asked;
use crate::turn::listing::listing_of;
use crate::turn::overflow::{RefusedRequest, Relief, relieve};
use crate::turn::recall::{keep, recall};
use crate::turn::reply::{Stop, Stopped, broken_off, until};
use crate::turn::reply_scope::scopes_of_reply;
use crate::turn::tell_due::{tell_due, tell_subject};
use crate::waiting::{begin_now, begin_turn};

/// Why a turn ends before its reply.
enum TurnEnd {
    /// The owner stopped it.
    Stopped,
    /// A stage failed.
    Failed(TurnError),
}

impl From<Stopped> for TurnEnd {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

impl<E: Into<TurnError>> From<E> for TurnEnd {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Appends the owner's message and returns the reply.
///
/// # Errors
///
/// [`TurnError`]; what was already acknowledged stays in the transcript, and the next turn continues from there.
pub async fn run_turn(
    runtime: &Runtime,
    name: &SessionName,
    message: Message,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let never = pin!(std::future::pending());
    let input = TurnInput::Owner(message);
    run_turn_until(runtime, name, input, never, on_event).await
}

/// Like [`run_turn`], but for any input, and ends when `stop` is ready: keeps and returns the partial reply, marked as
/// aborted.
pub async fn run_turn_until(
    runtime: &Runtime,
    name: &SessionName,
    input: TurnInput<'_>,
    stop: Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    // Boxed, so that the futures of callers stay small.
    let reply = Box::pin(reply_until(runtime, name, input, stop, on_event)).await;
    report_orphaned(runtime, name, on_event);
    match reply {
        Ok(reply) => Ok(reply),
        Err(TurnEnd::Stopped) => Ok(broken_off(Assistant::default())),
        Err(TurnEnd::Failed(error)) => Err(error),
    }
}

async fn reply_until(
    runtime: &Runtime,
    name: &SessionName,
    input: TurnInput<'_>,
    mut stop: Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnEnd> {
    let begun = until(&mut stop, begin_turn(runtime, name, on_event)).await;
    let mut is_stopped = begun.is_err();
    // If the wait was stopped, record the message only if the turn is free by now.
    let mut turn = begun.unwrap_or_else(|Stopped| begin_now(runtime, name, on_event))?;
    let runtime = &*runtime.for_session(turn.state());
    let now = runtime.home.clock.now();
    if !is_stopped {
        let prepared = before_message(runtime, &mut turn, now, on_event);
        let prepared = until(&mut stop, prepared).await;
        is_stopped = prepared.is_err();
        prepared.unwrap_or(Ok(()))?;
    }
    let (question, client) = record_input(runtime, &mut turn, (now, input), on_event).await?;
    if is_stopped {
        return Err(Stopped.into());
    }
    let mut relief = Relief {
        extras: RequestExtras {
            recall: recall(runtime, &turn, &question, on_event),
            listing: listing_of(runtime, &turn, &question, on_event),
            ..RequestExtras::of_client(client)
        },
        n_compactions: 0,
    };
    for round in 0..N_ROUNDS_MAX {
        let fitted = fit_window(runtime, &mut turn, &relief.extras, on_event);
        let mut context = until(&mut stop, fitted).await??;
        if round == 0 {
            report_first(&turn, &context, &relief.extras, on_event);
        }
        let (reply, origin) = loop {
            match ask(runtime, &context, &mut stop, on_event).await? {
                AskOutcome::Reply(reply, origin) => break (reply, origin),
                AskOutcome::Refused(sizes) => {
                    let refused = RefusedRequest { context, sizes };
                    let smaller = relieve(runtime, &mut turn, &mut relief, &refused, on_event);
                    context = until(&mut stop, smaller).await??;
                }
                AskOutcome::Failed {
                    part,
                    origin,
                    error,
                } => {
                    append_reply(&runtime.home, &mut turn, (&part, origin), &context)?;
                    return Err(error.into());
                }
            }
        };
        if is_nothing(&reply) {
            return Ok(reply);
        }
        keep_recalled(runtime, &mut turn, (&mut relief.extras, &context), on_event)?;
        let entry = append_reply(&runtime.home, &mut turn, (&reply, origin), &context)?;
        let calls = (&entry, &reply, relief.extras.client.as_deref());
        match answer_calls(runtime, &mut turn, calls, &mut stop, on_event).await? {
            CallsOutcome::Answered => continue,
            CallsOutcome::BrokenOff => return Err(Stopped.into()),
            CallsOutcome::Nothing => warn_of_empty_reply(&reply, on_event),
            CallsOutcome::HandedBack => {}
        }
        if context.check.is_none() {
            keep_asked(runtime, &turn, origin, on_event).await;
        }
        let extras = RequestExtras::of_client(relief.extras.client);
        after_reply(runtime, &mut turn, (&context, &extras), on_event)?;
        tell_client(runtime, &turn, (&reply, &extras, &question), on_event);
        return Ok(reply);
    }
    Err(TurnError::TooManyRounds.into())
}

/// Before the owner's message: applies a finished job and flushes an earlier day.
async fn before_message(
    runtime: &Runtime,
    turn: &mut Turn,
    now: Timestamp,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    apply_finished_job(runtime, turn, &RequestExtras::default(), on_event)?;
    preempt_jobs(runtime, turn, on_event);
    flush_other_day(runtime, turn, now, on_event).await
}

/// Reports which part of memory the first request of a turn shows, and a message that is too long for the request.
fn report_first(
    turn: &Turn,
    context: &RequestContext,
    extras: &RequestExtras,
    on_event: OnEvent<'_>,
) {
    notify_if_shortened(turn, context, on_event);
    extras.recall.report(context.recalled.len(), on_event);
}

/// Notifies the owner if the model sees only the head and tail of their message.
fn notify_if_shortened(turn: &Turn, context: &RequestContext, on_event: OnEvent<'_>) {
    let (Some(said), Some(shown)) = (turn.view().items.last(), context.shown.items.last()) else {
        return;
    };
    if said.entry == shown.entry && shown.tokens < said.tokens {
        let [whole, part] = [said, shown].map(|item| context.to_provider(item.tokens));
        on_event(Event::Notice(format!(
            "Your message takes {whole} tokens, too many for this window: the model sees only {part} of them, from its \
             beginning and its end. The transcript keeps all of it."
        )));
    }
}

/// Whether the owner stopped a reply before its first word. Nothing of it is kept.
fn is_nothing(reply: &Assistant) -> bool {
    let is_said = |block: &Block| match block {
        Block::Text(text) => !text.trim().is_empty(),
        Block::Image(_) | Block::ToolCall(_) | Block::Unknown { .. } => true,
        Block::Thinking(_) => false,
    };
    reply.stop == StopReason::Aborted && !reply.content.iter().any(is_said)
}

/// Records what the turn's first answered request recalled, and keeps its suffix for the other requests.
fn keep_recalled(
    runtime: &Runtime,
    turn: &mut Turn,
    (extras, context): (&mut RequestExtras, &RequestContext),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    if extras.suffix.is_none() {
        keep(&runtime.home, turn, &context.recalled, on_event)?;
        extras.suffix = Some(context.suffix_parts.clone());
    }
    Ok(())
}

fn append_reply(
    home: &HomeAccess,
    turn: &mut Turn,
    (reply, origin): (&Assistant, Origin),
    context: &RequestContext,
) -> Result<EntryId, TurnError> {
    let message = StoredMessage {
        scopes: scopes_of_reply(home, turn, &context.recalled),
        ..StoredMessage::new(Message::Assistant(reply.clone()), origin)
    };
    Ok(turn.append_message(home.clock.now(), message)?)
}

fn warn_of_empty_reply(reply: &Assistant, on_event: OnEvent<'_>) {
    let is_said = !Message::Assistant(reply.clone()).text().trim().is_empty();
    let why = match reply.stop {
        StopReason::Aborted => return,
        StopReason::Length => {
            "all of its tokens were spent before the first word; raise `compaction.reserveTokensFloor`"
        }
        StopReason::Stop | StopReason::ToolUse | StopReason::Error => {
            "rephrase the message, or choose another model"
        }
    };
    if !is_said {
        let warning = format!("the model gave an empty reply; {why}");
        on_event(Event::Warning(warning));
    }
}

/// A client shows due promises below a reply that ends the turn, and never above one that fails.
fn tell_client(
    runtime: &Runtime,
    turn: &Turn,
    (reply, extras, question): (&Assistant, &RequestExtras, &str),
    on_event: OnEvent<'_>,
) {
    let client = extras.client.as_deref();
    let calls_client = reply.content.iter().any(|it| it.tool_call().is_some());
    if client.is_some_and(|it| it.shows_notices) && !calls_client {
        tell_due(runtime, turn.name(), on_event);
        tell_subject(runtime, turn.name(), question, on_event);
    }
}

/// After the reply: starts background work while the owner reads.
fn after_reply(
    runtime: &Runtime,
    turn: &mut Turn,
    (context, extras): (&RequestContext, &RequestExtras),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let newest = turn.view().items.last().map(|item| item.tokens);
    let is_large = context.tokens() + newest.unwrap_or_default() >= context.budget.trigger;
    if is_large || runtime.jobs.is_waiting(turn.name()) {
        start_next_job(runtime, turn, extras, on_event)?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
