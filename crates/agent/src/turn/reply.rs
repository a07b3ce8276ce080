//! The reply stage: streams a reply until it ends or is stopped. Appends nothing.

use std::pin::{Pin, pin};

use base::model::{Model, ModelError, ReplyEvent, Request};
use base::{Assistant, Block, StopReason};
use futures_util::StreamExt;
use futures_util::future::{Either, select};

use crate::event::{Event, OnEvent};

/// Limit of tool calls per reply: every call runs, and all results must fit into the window.
pub(crate) const CALLS_MAX: usize = 64;

/// Becomes ready when the owner wants the turn to end.
pub type Stop<'a> = Pin<&'a mut (dyn Future<Output = ()> + Send + 'a)>;

/// The owner wants the turn to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Runs the work; if `stop` is ready first, drops it.
pub(crate) async fn until<T>(
    stop: &mut Stop<'_>,
    work: impl Future<Output = T>,
) -> Result<T, Stopped> {
    match select(stop.as_mut(), pin!(work)).await {
        Either::Left(((), _)) => Err(Stopped),
        Either::Right((done, _)) => Ok(done),
    }
}

#[derive(Debug, PartialEq)]
pub(crate) enum Replied {
    /// A complete reply, or the part that arrived before the owner stopped it.
    Whole(Assistant),
    /// The stream failed; the part before that may be worth keeping.
    Failed {
        /// The part that arrived.
        part: Assistant,
        /// Why the stream failed.
        error: ModelError,
    },
}

/// Requests a reply and reports each piece as it arrives.
pub(crate) async fn stream_reply(
    model: &dyn Model,
    request: &Request,
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Replied {
    let mut stream = model.stream(request);
    let mut reply = Assistant::default();
    let mut n_calls = 0;
    loop {
        // Poll `stop` first, so that a model that keeps streaming cannot starve it.
        let next = match select(stop.as_mut(), stream.next()).await {
            Either::Left(((), _)) => return Replied::Whole(broken_off(reply)),
            Either::Right((next, _)) => next,
        };
        match next {
            Some(Ok(ReplyEvent::Done { stop, usage })) => {
                warn_of_calls(n_calls, on_event);
                return Replied::Whole(Assistant {
                    usage,
                    stop,
                    ..reply
                });
            }
            Some(Ok(ReplyEvent::ToolCall(call))) => {
                n_calls += 1;
                if n_calls <= CALLS_MAX {
                    reply.content.push(Block::ToolCall(call));
                }
            }
            Some(Ok(event)) => take(&mut reply, event, on_event),
            Some(Err(error)) => return failed(reply, error),
            None => {
                let model = model.profile().name;
                let reason = "it ended without saying so".into();
                return failed(reply, ModelError::Broken { model, reason });
            }
        }
    }
}

fn take(reply: &mut Assistant, event: ReplyEvent, on_event: OnEvent<'_>) {
    match event {
        ReplyEvent::Text(more) => {
            on_event(Event::ReplyDelta(more.clone()));
            match reply.content.last_mut() {
                Some(Block::Text(text)) => text.push_str(&more),
                _ => reply.content.push(Block::Text(more)),
            }
        }
        ReplyEvent::Thinking(more) => {
            on_event(Event::ThinkingDelta(more.clone()));
            match reply.content.last_mut() {
                Some(Block::Thinking(text)) => text.push_str(&more),
                _ => reply.content.push(Block::Thinking(more)),
            }
        }
        ReplyEvent::AskedAgain { reason, wait } => on_event(Event::AskedAgain { reason, wait }),
        ReplyEvent::Warning(warning) => on_event(Event::Warning(warning)),
        ReplyEvent::ToolCall(_) | ReplyEvent::Done { .. } => {}
    }
}

fn warn_of_calls(n_calls: usize, on_event: OnEvent<'_>) {
    if n_calls > CALLS_MAX {
        on_event(Event::Warning(format!(
            "the reply makes {n_calls} tool calls; only the first {CALLS_MAX} are run"
        )));
    }
}

/// Marks a reply as aborted and drops its tool calls, which will get no results.
pub(crate) fn broken_off(mut reply: Assistant) -> Assistant {
    reply
        .content
        .retain(|block| !matches!(block, Block::ToolCall(_)));
    Assistant {
        stop: StopReason::Aborted,
        ..reply
    }
}

fn failed(reply: Assistant, error: ModelError) -> Replied {
    let part = Assistant {
        stop: StopReason::Error,
        ..broken_off(reply)
    };
    Replied::Failed { part, error }
}
