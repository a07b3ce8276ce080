//! The turn, from the owner's message to the reply, one stage per line.
//!
//! Holds the session's lock from the first append to the last.

use std::pin::pin;
use std::time::Duration;

use base::model::{Model, ModelError, Quoting, Request, SaidSizes};
use base::{
    Assistant, Block, EntryId, Message, Origin, StopReason, Timestamp, TokenCount, ToolCall,
    ToolOutcome, estimate_message, head,
};
use futures_util::future::{Either, select};
use session::{SessionName, StoredMessage, Turn, ViewItem};

use crate::about::listing_of;
use crate::client::conversation::ClientConversation;
use crate::error::{N_ROUNDS_MAX, TurnError};
use crate::event::{Event, OnEvent};
use crate::heartbeat::offline_answer;
use crate::jobs::compaction::{apply_finished_job, preempt_jobs, report_orphaned};
use crate::jobs::poll::start_next_job;
use crate::jobs::session_flush::flush_other_day;
use crate::prompt::{RequestContext, RequestExtras};
use crate::runtime::{ChatEngine, HomeAccess, Runtime};
use crate::tools::toolbox;
use crate::turn::fit_window::fit_window;
use crate::turn::input::{TurnInput, record_input};
use crate::turn::keep_asked::keep_asked;
use crate::turn::overflow::{RefusedRequest, Relief, learn, relieve};
use crate::turn::recall::{keep, recall};
use crate::turn::reply::{Replied, Stop, broken_off, stream_reply};
use crate::turn::reply_scope::{scopes_of_reply, scopes_of_result};
use crate::waiting::{begin_now, begin_turn};

/// The least reply room that a fallback model needs to be asked.
const REPLY_MIN: TokenCount = TokenCount(1_000);

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
    reply
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
        // If the wait was stopped, append the message only if the turn is free by now.
        None => begin_now(runtime, name, on_event)?,
    };
    let runtime = &*runtime.for_session(turn.state());
    let now = runtime.home.clock.now();
    if !is_stopped {
        let opening = open(runtime, &mut turn, now, on_event);
        is_stopped = until(&mut stop, opening).await.transpose()?.is_none();
    }
    let (question, client) = record_input(runtime, &mut turn, (now, input), on_event).await?;
    if is_stopped {
        return Ok(broken_off(Assistant::default()));
    }
    let mut relief = Relief {
        extras: RequestExtras {
            recall: recall(runtime, &turn, &question, on_event),
            listing: listing_of(runtime, name, &question, on_event),
            ..RequestExtras::of_client(client)
        },
        n_compactions: 0,
    };
    for round in 0..N_ROUNDS_MAX {
        let fitted = fit_window(runtime, &mut turn, &relief.extras, on_event);
        let Some(mut context) = until(&mut stop, fitted).await.transpose()? else {
            return Ok(broken_off(Assistant::default()));
        };
        if round == 0 {
            notify_if_shortened(&turn, &context, on_event);
            let n_passages = context.recalled.len();
            relief.extras.recall.report(n_passages, on_event);
        }
        let (reply, origin) = loop {
            let refusal = match ask(runtime, &mut turn, &context, &mut stop, on_event).await? {
                RequestOutcome::Reply(reply, origin) => break (reply, origin),
                RequestOutcome::Refused(sizes) => RefusedRequest { context, sizes },
            };
            let smaller = relieve(runtime, &mut turn, &mut relief, &refusal, on_event);
            let Some(relieved) = until(&mut stop, smaller).await.transpose()? else {
                return Ok(broken_off(Assistant::default()));
            };
            context = relieved;
        };
        if is_nothing(&reply) {
            return Ok(reply);
        }
        settle(runtime, &mut turn, (&mut relief.extras, &context), on_event)?;
        let entry = append_reply(&runtime.home, &mut turn, (&reply, origin), &context)?;
        if origin == Origin::System && context.check.is_none() {
            keep_asked(runtime, &turn, on_event).await;
        }
        let calls = (&entry, &reply, relief.extras.client.as_deref());
        match answer_calls(runtime, &mut turn, calls, &mut stop, on_event).await? {
            called @ (CallsOutcome::Nothing | CallsOutcome::HandedBack) => {
                if matches!(called, CallsOutcome::Nothing) {
                    warn_of_empty_reply(&reply, on_event);
                }
                let extras = RequestExtras::of_client(relief.extras.client);
                close(runtime, &mut turn, (&context, &extras), on_event)?;
                return Ok(reply);
            }
            CallsOutcome::Answered => {}
            CallsOutcome::BrokenOff => return Ok(broken_off(Assistant::default())),
        }
    }
    Err(TurnError::TooManyRounds)
}

/// Records what the turn's first answered request recalled, and keeps its suffix for the other requests.
fn settle(
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

/// Before the owner's message: applies a finished job and flushes an earlier day.
async fn open(
    runtime: &Runtime,
    turn: &mut Turn,
    now: Timestamp,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    apply_finished_job(runtime, turn, &RequestExtras::default(), on_event)?;
    preempt_jobs(runtime, turn, on_event);
    flush_other_day(runtime, turn, now, on_event).await
}

/// After the reply: starts background work while the owner reads.
fn close(
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

enum RequestOutcome {
    /// A reply and its origin.
    Reply(Assistant, Origin),
    /// The request exceeds the model's window; holds the sizes that the provider reported.
    Refused(SaidSizes),
}

/// Asks for a reply; a health check without a model is answered here.
async fn ask(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &RequestContext,
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<RequestOutcome, TurnError> {
    let check = context.check.as_deref();
    let Some(check) = check.filter(|_| runtime.engine.models.is_offline()) else {
        return ask_models(runtime, turn, context, stop, on_event).await;
    };
    let answer = offline_answer(check);
    on_event(Event::ReplyDelta(answer.clone()));
    let reply = Assistant {
        content: vec![Block::Text(answer)],
        ..Assistant::default()
    };
    Ok(RequestOutcome::Reply(reply, Origin::System))
}

async fn ask_models(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &RequestContext,
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
                        "{} was skipped: the request does not fit its window",
                        model.profile().name
                    )));
                    continue;
                };
                on_event(Event::FallbackModel {
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
                append_reply(&runtime.home, turn, (&part, origin_of(model)), context)?;
                return Err(error.into());
            }
            Replied::Failed {
                error: ModelError::ContextOverflow { said, .. },
                ..
            } => {
                // The configured window belongs to the first model only.
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

/// The request for a fallback model; `None` if its window has no room.
fn fitting(context: &RequestContext, model: &dyn Model) -> Option<Request> {
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

/// The origin of a model's replies; the offline engine only quotes, so nothing is learned from its replies.
fn origin_of(model: &dyn Model) -> Origin {
    if model.profile().only_quotes {
        Origin::System
    } else {
        Origin::Agent
    }
}

/// Adds a reply to the statistics, with the provider's token counts if it reports them.
fn count(engine: &ChatEngine, context: &RequestContext, reply: &Assistant, took: Duration) {
    let (prompt, completion) = if let Some(usage) = &reply.usage {
        (usage.request(), usage.output)
    } else {
        let message = Message::Assistant(reply.clone());
        (context.tokens(), estimate_message(&message))
    };
    engine.statistics.replied(prompt, completion, took);
}

/// Runs the work; if `stop` is ready first, drops it and returns `None`.
async fn until<T>(stop: &mut Stop<'_>, work: impl Future<Output = T>) -> Option<T> {
    match select(stop.as_mut(), pin!(work)).await {
        Either::Left(((), _)) => None,
        Either::Right((done, _)) => Some(done),
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

/// The text of the newest message of a person.
fn newest_question(turn: &Turn) -> String {
    let said = turn.view().items.iter().rev().filter_map(ViewItem::message);
    let mut questions = said.filter(|it| matches!(it, Message::User { .. }));
    questions.next().map(Message::text).unwrap_or_default()
}

/// The outcome of a reply's tool calls.
enum CallsOutcome {
    /// No calls.
    Nothing,
    /// All calls have results.
    Answered,
    /// The client must answer some calls; all others have results.
    HandedBack,
    /// The owner stopped first; the remaining calls got a result that says so.
    BrokenOff,
}

/// Runs the calls of a reply, which is an entry of the transcript, in sequence.
///
/// Invariant: every call of our tools gets a result, whenever the owner stops.
async fn answer_calls(
    runtime: &Runtime,
    turn: &mut Turn,
    (entry, reply, client): (&EntryId, &Assistant, Option<&ClientConversation>),
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<CallsOutcome, TurnError> {
    if reply.stop == StopReason::Aborted {
        return Ok(CallsOutcome::Nothing);
    }
    let calls = reply.content.iter().filter_map(Block::tool_call);
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
            let asked = newest_question(turn);
            until(
                stop,
                toolbox::answer(runtime, (turn.name(), entry), &asked, call),
            )
            .await
        };
        is_stopped = answered.is_none();
        let (result, notice) = answered.unwrap_or_else(|| (toolbox::broken_off(call), None));
        let (name, outcome) = (call.name.clone(), result.outcome);
        let result = Message::ToolResult(result);
        let reason = (outcome == ToolOutcome::Failure).then(|| first_line(&result.text()));
        on_event(Event::ToolEnded {
            name,
            outcome,
            reason,
        });
        if let Some(notice) = notice {
            on_event(Event::Notice(notice));
        }
        let result = StoredMessage {
            scopes: scopes_of_result(turn, &result),
            ..StoredMessage::new(result, Origin::Untrusted)
        };
        results.push((runtime.home.clock.now(), result));
    }
    let has_calls = !results.is_empty();
    turn.append_messages(results)?;
    Ok(match (is_stopped, has_calls) {
        (true, _) => CallsOutcome::BrokenOff,
        _ if !handed_back.is_empty() => CallsOutcome::HandedBack,
        (false, true) => CallsOutcome::Answered,
        (false, false) => CallsOutcome::Nothing,
    })
}

/// Maximum length of the reported reason of a failed call.
const REASON_CHARS_MAX: usize = 200;

/// The first line with content, shortened; skips blank lines and marks.
fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let said = lines.find(|line| !line.is_empty() && !line.starts_with('<'));
    head(said.unwrap_or_default(), REASON_CHARS_MAX).to_owned()
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
