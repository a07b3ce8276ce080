//! The turn: from the owner's message to the reply, a line a stage.
//!
//! Holds the lock of the session from the first append to the last.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use base::model::{Model, ModelError, Quoting, Request, SaidSizes};
use base::{
    Assistant, Block, EntryId, Message, Origin, StopReason, Timestamp, TokenCount, ToolCall,
    ToolOutcome, estimate_message, head,
};
use compaction::Dropped;
use futures_util::future::{Either, select};
use session::{SessionName, StoredMessage, Turn, ViewContent};

use crate::client::conversation::ClientConversation;
use crate::client::frame::ClientFrame;
use crate::client::take_up::take_up;
use crate::compaction_events::{report_dropped, report_orphaned};
use crate::driver::{apply_finished_job, flush_other_day};
use crate::error::{N_ROUNDS_MAX, TurnError};
use crate::event::{Event, OnEvent, warn_of_repairs};
use crate::fit_window::fit_window;
use crate::overflow::{RefusedRequest, Relief, learn, relieve};
use crate::poll::go_on;
use crate::prompt::{Context, RequestExtras};
use crate::recall::recall;
use crate::reply::{Replied, Stop, broken_off, stream_reply};
use crate::runtime::{ChatEngine, HomeAccess, Runtime};
use crate::tools::toolbox;
use crate::waiting::begin_turn;

/// Room for a reply that a model needs to be asked in the place of another.
const REPLY_MIN: TokenCount = TokenCount(1_000);

/// Appends a message of the owner and gives the reply to it.
///
/// # Errors
///
/// [`TurnError`]; what was acknowledged before stays in the transcript, and the next turn goes on.
pub async fn run_turn(
    runtime: &Runtime,
    name: &SessionName,
    message: Message,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let never = pin!(std::future::pending());
    run_turn_until(runtime, name, message, never, on_event).await
}

/// Does the same until `stop` is ready: what has come of the reply by then is kept as one that was
/// broken off, and is what is given.
pub async fn run_turn_until(
    runtime: &Runtime,
    name: &SessionName,
    message: Message,
    stop: Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let input = TurnInput::Owner(message);
    let reply = reply_until(runtime, name, input, stop, on_event).await;
    report_orphaned(runtime, name, on_event);
    reply
}

/// Takes up a conversation that a client keeps, and gives the reply to it until `stop` is ready: one that calls
/// tools of the client waits for their results, which come with the next such conversation.
pub async fn run_client_turn(
    runtime: &Runtime,
    name: &SessionName,
    conversation: &ClientConversation,
    stop: Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let input = TurnInput::Client(conversation);
    let reply = reply_until(runtime, name, input, stop, on_event).await;
    report_orphaned(runtime, name, on_event);
    reply
}

/// What a turn begins with.
enum TurnInput<'a> {
    /// A message of the owner.
    Owner(Message),
    /// A conversation that a client keeps.
    Client(&'a ClientConversation),
}

/// Stores what is not stored already; gives what memory is asked about, and what a client brings.
async fn take_down(
    runtime: &Runtime,
    turn: &mut Turn,
    (now, input): (Timestamp, TurnInput<'_>),
    on_event: OnEvent<'_>,
) -> Result<(String, Option<Arc<ClientFrame>>), TurnError> {
    match input {
        TurnInput::Client(conversation) => {
            take_up(runtime, turn, (now, conversation), on_event).await?;
            Ok((conversation.question(), Some(conversation.frame())))
        }
        TurnInput::Owner(message) => {
            let question = message.text();
            // The same words again, where nothing answered them, are the message that is there already.
            if !awaits_reply(turn, &message) {
                turn.append_message(now, stored(message, Origin::Owner))?;
            }
            Ok((question, None))
        }
    }
}

async fn reply_until(
    runtime: &Runtime,
    name: &SessionName,
    input: TurnInput<'_>,
    mut stop: Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let begun = until(&mut stop, begin_turn(runtime, name, on_event)).await;
    let mut is_stopped = begun.is_none();
    let mut turn = match begun {
        Some(begun) => begun?,
        // A message whose wait was stopped is not appended, unless the turn is free by now.
        None => runtime
            .home
            .sessions
            .begin_turn(name, runtime.resume_limit())?,
    };
    warn_of_repairs(&turn, on_event);
    let now = runtime.home.clock.now();
    if !is_stopped {
        let opening = open(runtime, &mut turn, now, on_event);
        is_stopped = until(&mut stop, opening).await.transpose()?.is_none();
    }
    let taken = take_down(runtime, &mut turn, (now, input), on_event).await?;
    let (question, client) = taken;
    if is_stopped {
        return keep_broken_off(runtime, &mut turn);
    }
    let mut relief = Relief::new(RequestExtras {
        recall: recall(runtime, &mut turn, &question, on_event)?,
        ..RequestExtras::of_client(client)
    });
    for round in 0..N_ROUNDS_MAX {
        let room = until(
            &mut stop,
            fit_window(runtime, &mut turn, &relief.extras, on_event),
        )
        .await;
        let Some(mut context) = room.transpose()? else {
            return keep_broken_off(runtime, &mut turn);
        };
        if round == 0 {
            notify_if_shortened(&turn, &context, on_event);
        }
        let (reply, origin) = loop {
            let refusal = match ask(runtime, &mut turn, &context, &mut stop, on_event).await? {
                RequestOutcome::Reply(reply, origin) => break (reply, origin),
                RequestOutcome::Refused(sizes) => RefusedRequest { context, sizes },
            };
            let smaller = relieve(runtime, &mut turn, &mut relief, &refusal, on_event);
            let Some(relieved) = until(&mut stop, smaller).await.transpose()? else {
                return keep_broken_off(runtime, &mut turn);
            };
            context = relieved;
        };
        let entry = append_reply(&runtime.home, &mut turn, &reply, origin)?;
        let calls = ReplyCalls {
            entry: &entry,
            reply: &reply,
            client: relief.extras.client.as_deref(),
        };
        match answer_calls(runtime, &mut turn, calls, &mut stop, on_event).await? {
            called @ (Called::Nothing | Called::HandedBack) => {
                if matches!(called, Called::Nothing) {
                    warn_of_empty_reply(&reply, on_event);
                }
                let extras = RequestExtras::of_client(relief.extras.client);
                close(runtime, &mut turn, (&context, &extras), on_event)?;
                return Ok(reply);
            }
            Called::Answered => {}
            Called::BrokenOff => return keep_broken_off(runtime, &mut turn),
        }
    }
    Err(TurnError::TooManyRounds)
}

/// What the owner has just said is shown by its ends where it is too large for the window.
fn notify_if_shortened(turn: &Turn, context: &Context, on_event: OnEvent<'_>) {
    let (Some(said), Some(shown)) = (turn.view().items.last(), context.shown.items.last()) else {
        return;
    };
    if said.entry == shown.entry && shown.tokens < said.tokens {
        let (whole, part) = (
            context.to_provider(said.tokens),
            context.to_provider(shown.tokens),
        );
        on_event(Event::Notice(format!(
            "Your message takes {whole} tokens, too much for this window: the model sees {part} of them, \
             its beginning and its end. The transcript keeps the whole."
        )));
    }
}

/// What comes before the owner's message: what was made since the last one, and notes of another day.
async fn open(
    runtime: &Runtime,
    turn: &mut Turn,
    now: Timestamp,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    apply_finished_job(runtime, turn, &RequestExtras::default(), on_event)?;
    if !runtime.engine.models.can_work_beside() && runtime.jobs.make_way(turn.name()) {
        report_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
        let waits =
            "The compaction waits until this reply is there: the model serves one call at a time.";
        on_event(Event::Notice(waits.to_owned()));
    }
    flush_other_day(runtime, turn, now, on_event).await
}

/// What comes after the reply: work for the time in which the owner reads it.
fn close(
    runtime: &Runtime,
    turn: &mut Turn,
    (context, extras): (&Context, &RequestExtras),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let newest = turn.view().items.last().map(|item| item.tokens);
    let is_large = context.tokens() + newest.unwrap_or_default() >= context.budget.trigger;
    if is_large || runtime.jobs.is_waiting(turn.name()) {
        go_on(runtime, turn, extras, on_event)?;
    }
    Ok(())
}

fn warn_of_empty_reply(reply: &Assistant, on_event: OnEvent<'_>) {
    let is_said = !Message::Assistant(reply.clone()).text().trim().is_empty();
    let why = match reply.stop {
        StopReason::Aborted => return,
        StopReason::Length => {
            "all tokens of its reply were spent before the first word; \
             `compaction.reserveTokensFloor` gives it more"
        }
        StopReason::Stop | StopReason::ToolUse | StopReason::Error => {
            "say it in other words, or choose another model"
        }
    };
    if !is_said {
        let warning = format!("the model answered with nothing; {why}");
        on_event(Event::Warning(warning));
    }
}

enum RequestOutcome {
    /// A reply and its origin.
    Reply(Assistant, Origin),
    /// It is larger than the window of the model, which says so much of both.
    Refused(SaidSizes),
}

async fn ask(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &Context,
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<RequestOutcome, TurnError> {
    let mut failure: Option<ModelError> = None;
    let quoting = Quoting {
        extractor: &*runtime.engine.models.offline,
        evidence: &context.evidence,
    };
    for model in context.answering(&runtime.engine.models) {
        let model: &dyn Model = if runtime.engine.models.is_stand_in(model) {
            &quoting
        } else {
            &**model
        };
        let request = match &failure {
            None => context.to_request(),
            Some(error) => {
                let Some(request) = fitting(context, model) else {
                    on_event(Event::Warning(format!(
                        "{} is not asked: its window has no room for the request",
                        model.profile().name
                    )));
                    continue;
                };
                on_event(Event::AskedInstead {
                    model: model.profile().name,
                    reason: error.to_string(),
                });
                request
            }
        };
        let asked = runtime.home.clock.monotonic();
        match stream_reply(model, &request, stop, on_event).await {
            Replied::Whole(mut reply) => {
                let took = runtime.home.clock.monotonic().saturating_sub(asked);
                count(&runtime.engine, context, &reply, took);
                if let Some(usage) = &mut reply.usage {
                    usage.estimate = Some(context.tokens());
                }
                return Ok(RequestOutcome::Reply(reply, origin_of(model)));
            }
            Replied::Failed { part, error } if !part.content.is_empty() => {
                append_reply(&runtime.home, turn, &part, origin_of(model))?;
                return Err(error.into());
            }
            Replied::Failed {
                error: ModelError::ContextOverflow { said, .. },
                ..
            } => {
                // Only of the first model is the window that of the settings.
                if failure.is_none() {
                    learn(&runtime.engine, context, said, on_event);
                }
                return Ok(RequestOutcome::Refused(said));
            }
            Replied::Failed { error, .. } => failure = Some(error),
        }
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(RequestOutcome::Refused(SaidSizes::default())),
    }
}

/// The request as another model than the first can take it; `None` where its window has no room.
fn fitting(context: &Context, model: &dyn Model) -> Option<Request> {
    let request = context.to_request();
    let Some(window) = model.profile().context_window else {
        return Some(request);
    };
    let left = window.saturating_sub(context.to_provider(context.tokens()));
    let output_max = request.output_max.min(left);
    let is_enough = output_max >= request.output_max.min(REPLY_MIN);
    is_enough.then_some(Request {
        output_max,
        ..request
    })
}

/// The offline engine only quotes or fills in phrases: nothing is to be learned from it.
fn origin_of(model: &dyn Model) -> Origin {
    if model.profile().only_quotes {
        Origin::System
    } else {
        Origin::Agent
    }
}

/// Keeps count of a reply, as the provider counted it where it said how.
fn count(engine: &ChatEngine, context: &Context, reply: &Assistant, took: Duration) {
    let (prompt, completion) = if let Some(usage) = &reply.usage {
        (usage.request(), usage.output)
    } else {
        let message = Message::Assistant(reply.clone());
        (context.tokens(), estimate_message(&message))
    };
    engine.statistics.replied(prompt, completion, took);
}

/// Waits for the work, or for the stop; then the work is dropped and nothing given.
async fn until<T>(stop: &mut Stop<'_>, work: impl Future<Output = T>) -> Option<T> {
    match select(stop.as_mut(), pin!(work)).await {
        Either::Left(((), _)) => None,
        Either::Right((done, _)) => Some(done),
    }
}

/// Whether the last thing that was said is this message.
fn awaits_reply(turn: &Turn, message: &Message) -> bool {
    let last = turn.view().items.last();
    last.is_some_and(|item| matches!(&item.content, ViewContent::Message(last) if last == message))
}

fn keep_broken_off(runtime: &Runtime, turn: &mut Turn) -> Result<Assistant, TurnError> {
    let reply = broken_off(Assistant::default());
    let origin = origin_of(&*runtime.engine.models.primary);
    append_reply(&runtime.home, turn, &reply, origin)?;
    Ok(reply)
}

fn append_reply(
    home: &HomeAccess,
    turn: &mut Turn,
    reply: &Assistant,
    origin: Origin,
) -> Result<EntryId, TurnError> {
    let message = stored(Message::Assistant(reply.clone()), origin);
    Ok(turn.append_message(home.clock.now(), message)?)
}

struct ReplyCalls<'a> {
    entry: &'a EntryId,
    reply: &'a Assistant,
    client: Option<&'a ClientFrame>,
}

/// What came of the calls of a reply.
enum Called {
    /// There were none.
    Nothing,
    /// All were answered.
    Answered,
    /// Some are for the client to answer; all others were answered.
    HandedBack,
    /// The owner stopped before all were; those got an answer that says so.
    BrokenOff,
}

/// Answers the calls of a reply, one after the other.
///
/// Invariant: every call has its result, whenever the owner stops.
async fn answer_calls(
    runtime: &Runtime,
    turn: &mut Turn,
    ReplyCalls {
        entry,
        reply,
        client,
    }: ReplyCalls<'_>,
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Called, TurnError> {
    if reply.stop == StopReason::Aborted {
        return Ok(Called::Nothing);
    }
    let calls = reply.content.iter().filter_map(|block| match block {
        Block::ToolCall(call) => Some(call),
        Block::Text(_) | Block::Thinking(_) | Block::Image(_) | Block::Unknown { .. } => None,
    });
    let (handed_back, own): (Vec<&ToolCall>, Vec<&ToolCall>) =
        calls.partition(|call| client.is_some_and(|client| client.answers(&call.name)));
    let mut results = Vec::new();
    let mut is_stopped = false;
    for call in own {
        on_event(Event::ToolStarted {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        });
        let answered = if is_stopped {
            None
        } else {
            let answer = toolbox::answer(runtime, turn.name(), entry, call);
            until(stop, answer).await
        };
        is_stopped = answered.is_none();
        let result = answered.unwrap_or_else(|| toolbox::broken_off(call));
        let (name, outcome) = (call.name.clone(), result.outcome);
        let result = Message::ToolResult(result);
        let reason = (outcome == ToolOutcome::Failure).then(|| first_line(&result.text()));
        on_event(Event::ToolEnded {
            name,
            outcome,
            reason,
        });
        let result = stored(result, Origin::Untrusted);
        results.push((runtime.home.clock.now(), result));
    }
    let has_calls = !results.is_empty();
    turn.append_messages(results)?;
    Ok(match (is_stopped, has_calls) {
        (true, _) => Called::BrokenOff,
        _ if !handed_back.is_empty() => Called::HandedBack,
        (false, true) => Called::Answered,
        (false, false) => Called::Nothing,
    })
}

/// The longest reason that is reported for a failed call.
const REASON_CHARS_MAX: usize = 200;

/// The first line of an answer that says something, in short; marks extras it say nothing.
fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let said = lines.find(|line| !line.is_empty() && !line.starts_with('<'));
    head(said.unwrap_or_default(), REASON_CHARS_MAX).to_owned()
}

pub(crate) fn stored(message: Message, origin: Origin) -> StoredMessage {
    StoredMessage {
        message,
        origin: Some(origin),
        source: None,
        copied_from: None,
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;
