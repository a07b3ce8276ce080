//! The turn: from the owner's message to the reply, a line a stage.
//!
//! Holds the lock of the session from the first append to the last.

use std::pin::pin;
use std::time::Duration;

use base::disk::DiskError;
use base::model::{Model, ModelError, Quoting, Request, SaidSizes};
use base::{
    Assistant, Block, EntryId, Message, Origin, StopReason, Timestamp, TokenCount, ToolCall,
    ToolOutcome, estimate_message, head,
};
use compaction::{BudgetError, Dropped};
use futures_util::future::{Either, select};
use memory::WorkspaceError;
use session::{
    AppendError, BeginTurnError, ReadError, SessionName, SessionNameError, StoredMessage, Turn,
};

use crate::background::{go_on, settle};
use crate::client::ClientConversation;
use crate::event::{Event, OnEvent, warn_of_repairs};
use crate::flush::flush_other_day;
use crate::make_room::make_room;
use crate::overflow::{learn, relieve};
use crate::pairing::{tell_dropped, tell_what_was_dropped};
use crate::prompt::{Around, Context};
use crate::recall::recall;
use crate::reply::{Replied, Stop, broken_off, stream_reply, warn_of_silence};
use crate::turn_input::TurnInput;
use crate::waiting::begin_turn;
use crate::{Runtime, tools};

/// A turn that did not come to its reply. Everything that was appended before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The session cannot be written to.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// The transcript cannot be opened.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The transcript cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The transcript cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The session cannot have such a name.
    #[error(transparent)]
    Name(#[from] SessionNameError),
    /// A workspace file cannot be read.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The window is too small for what every request begins with.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// Nothing more can leave the window.
    #[error(
        "the request does not fit the window by {excess} tokens, and nothing more can leave it"
    )]
    DoesNotFit {
        /// By how much it is too large.
        excess: TokenCount,
    },
    /// The provider refuses even what is left after everything else was tried.
    #[error(
        "the model refuses a request of about {tokens} tokens as larger than its window, and nothing more \
         can leave it"
    )]
    Refused {
        /// The request, in the tokens of the provider.
        tokens: TokenCount,
    },
    /// A flush failed before something that would have taken its messages out of reach.
    #[error(
        "session {name} holds messages that could not be written down; they stay where they are"
    )]
    NotWrittenDown {
        /// The session.
        name: SessionName,
    },
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] base::model::ModelError),
    /// The model went on calling tools.
    #[error("the model called tools in {N_ROUNDS_MAX} replies and never came to an end")]
    TooManyRounds,
}

/// Room for a reply that a model needs to be asked in the place of another.
const REPLY_MIN: TokenCount = TokenCount(1_000);

/// The most replies of one turn; a model that needs more is going in circles.
const N_ROUNDS_MAX: usize = 64;

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
    tell_what_was_dropped(runtime, name, on_event);
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
    tell_what_was_dropped(runtime, name, on_event);
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
        // Whoever stops waiting says nothing, unless the turn is free by now.
        None => runtime.sessions.begin_turn(name, runtime.resume_limit())?,
    };
    warn_of_repairs(&turn, on_event);
    let now = runtime.clock.now();
    if !is_stopped {
        let opening = open(runtime, &mut turn, now, on_event);
        is_stopped = until(&mut stop, opening).await.transpose()?.is_none();
    }
    let (question, client) = (input.question(), input.frame());
    input.append(runtime, &mut turn, now, on_event).await?;
    if is_stopped {
        return keep_broken_off(runtime, &mut turn);
    }
    let mut around = Around {
        recall: recall(runtime, &mut turn, &question, on_event)?,
        ..Around::of_client(client)
    };
    let mut n_compactions = 0;
    for round in 0..N_ROUNDS_MAX {
        let room = until(&mut stop, make_room(runtime, &mut turn, &around, on_event)).await;
        let Some(mut context) = room.transpose()? else {
            return keep_broken_off(runtime, &mut turn);
        };
        if round == 0 {
            tell_if_shortened(&turn, &context, on_event);
        }
        let (reply, origin) = loop {
            let refused = match ask(runtime, &mut turn, &context, &mut stop, on_event).await? {
                Asked::Reply(reply, origin) => break (reply, origin),
                Asked::Refused(said) => (context, said),
            };
            let tried = (&mut around, &mut n_compactions);
            let relief = relieve(runtime, &mut turn, tried, &refused, on_event);
            let Some(relieved) = until(&mut stop, relief).await.transpose()? else {
                return keep_broken_off(runtime, &mut turn);
            };
            context = relieved;
        };
        let entry = append_reply(runtime, &mut turn, &reply, origin)?;
        let made = (&entry, &reply);
        let answers = answer_calls(runtime, &mut turn, (made, &around), &mut stop, on_event);
        match answers.await? {
            called @ (Called::Nothing | Called::HandedBack) => {
                if matches!(called, Called::Nothing) {
                    warn_of_silence(&reply, on_event);
                }
                let around = Around::of_client(around.client);
                close(runtime, &mut turn, (&context, &around), on_event)?;
                return Ok(reply);
            }
            Called::Answered => {}
            Called::BrokenOff => return keep_broken_off(runtime, &mut turn),
        }
    }
    Err(TurnError::TooManyRounds)
}

/// What the owner has just said is shown by its ends where it is too large for the window.
fn tell_if_shortened(turn: &Turn, context: &Context, on_event: OnEvent<'_>) {
    let (Some(said), Some(shown)) = (turn.view().items.last(), context.shown.items.last()) else {
        return;
    };
    if said.entry == shown.entry && shown.tokens < said.tokens {
        let (whole, part) = (context.told(said.tokens), context.told(shown.tokens));
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
    settle(runtime, turn, &Around::default(), on_event)?;
    if !runtime.can_work_beside() && runtime.background.make_way(turn.name()) {
        tell_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
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
    (context, around): (&Context, &Around),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let newest = turn.view().items.last().map(|item| item.tokens);
    let is_large = context.tokens() + newest.unwrap_or_default() >= context.budget.trigger;
    if is_large || runtime.background.is_waiting(turn.name()) {
        go_on(runtime, turn, around, on_event)?;
    }
    Ok(())
}

/// What came of a request.
enum Asked {
    /// Somebody answered, and is answerable for it.
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
) -> Result<Asked, TurnError> {
    let mut failure: Option<ModelError> = None;
    let quoting = Quoting {
        extractor: &*runtime.models.offline,
        evidence: &context.evidence,
    };
    for model in runtime.models.answering() {
        let model: &dyn Model = if runtime.models.is_stand_in(model) {
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
        let asked = runtime.clock.monotonic();
        match stream_reply(model, &request, stop, on_event).await {
            Replied::Whole(mut reply) => {
                count(runtime, context, &reply, asked);
                if let Some(usage) = &mut reply.usage {
                    usage.estimate = Some(context.tokens());
                }
                return Ok(Asked::Reply(reply, origin_of(model)));
            }
            Replied::Failed { part, error } if !part.content.is_empty() => {
                append_reply(runtime, turn, &part, origin_of(model))?;
                return Err(error.into());
            }
            Replied::Failed {
                error: ModelError::ContextOverflow { said, .. },
                ..
            } => {
                // Only of the first model is the window that of the settings.
                if failure.is_none() {
                    learn(runtime, (context, said), on_event);
                }
                return Ok(Asked::Refused(said));
            }
            Replied::Failed { error, .. } => failure = Some(error),
        }
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(Asked::Refused(SaidSizes::default())),
    }
}

/// The request as another model than the first can take it; `None` where its window has no room.
fn fitting(context: &Context, model: &dyn Model) -> Option<Request> {
    let request = context.to_request();
    let Some(window) = model.profile().context_window else {
        return Some(request);
    };
    let left = window.saturating_sub(context.told(context.tokens()));
    let output_max = request.output_max.min(left);
    let is_enough = output_max >= request.output_max.min(REPLY_MIN);
    is_enough.then_some(Request {
        output_max,
        ..request
    })
}

/// What the offline engine says is a quotation or a formula: nobody is to learn from it.
fn origin_of(model: &dyn Model) -> Origin {
    if model.profile().only_quotes {
        Origin::System
    } else {
        Origin::Agent
    }
}

/// Keeps count of a reply, as the provider counted it where it said how.
fn count(runtime: &Runtime, context: &Context, reply: &Assistant, asked: Duration) {
    let (prompt, completion) = if let Some(usage) = &reply.usage {
        (usage.request(), usage.output)
    } else {
        let message = Message::Assistant(reply.clone());
        (context.tokens(), estimate_message(&message))
    };
    let took = runtime.clock.monotonic().saturating_sub(asked);
    runtime.statistics.replied(prompt, completion, took);
}

/// Waits for the work, or for the stop; then the work is dropped and nothing given.
async fn until<T>(stop: &mut Stop<'_>, work: impl Future<Output = T>) -> Option<T> {
    match select(stop.as_mut(), pin!(work)).await {
        Either::Left(((), _)) => None,
        Either::Right((done, _)) => Some(done),
    }
}

fn keep_broken_off(runtime: &Runtime, turn: &mut Turn) -> Result<Assistant, TurnError> {
    let reply = broken_off(Assistant::default());
    let origin = origin_of(&*runtime.models.primary);
    append_reply(runtime, turn, &reply, origin)?;
    Ok(reply)
}

fn append_reply(
    runtime: &Runtime,
    turn: &mut Turn,
    reply: &Assistant,
    origin: Origin,
) -> Result<EntryId, TurnError> {
    let message = stored(Message::Assistant(reply.clone()), origin);
    Ok(turn.append_message(runtime.clock.now(), message)?)
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
    ((entry, reply), around): ((&EntryId, &Assistant), &Around),
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
    let client = around.client.as_deref();
    let is_handed_back = |call: &ToolCall| client.is_some_and(|client| client.answers(&call.name));
    let (handed_back, own): (Vec<&ToolCall>, Vec<&ToolCall>) =
        calls.partition(|call| is_handed_back(call));
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
            let answer = tools::answer(runtime, turn.name(), entry, call);
            until(stop, answer).await
        };
        is_stopped = answered.is_none();
        let result = answered.unwrap_or_else(|| tools::broken_off(call));
        let (name, outcome) = (call.name.clone(), result.outcome);
        let result = Message::ToolResult(result);
        let reason = (outcome == ToolOutcome::Failure).then(|| first_line(&result.text()));
        on_event(Event::ToolEnded {
            name,
            outcome,
            reason,
        });
        let result = stored(result, Origin::Untrusted);
        results.push((runtime.clock.now(), result));
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

/// The longest reason that is told of a call that failed.
const REASON_CHARS_MAX: usize = 200;

/// The first line of an answer that says something, in short; marks around it say nothing.
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
