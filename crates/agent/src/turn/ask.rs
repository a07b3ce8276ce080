//! The request stage: asks one model after another for a reply.
//!
//! Appends nothing.

use std::time::Duration;

use base::model::{Model, ModelError, Quoting, Request, SaidSizes};
use base::{Assistant, Block, Message, Origin, TokenCount, estimate_message};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::heartbeat::offline_answer;
use crate::prompt::RequestContext;
use crate::runtime::{ChatEngine, Runtime};
use crate::turn::overflow::learn;
use crate::turn::reply::{Replied, Stop, stream_reply};

/// The least reply room that a fallback model needs to be asked.
const REPLY_MIN: TokenCount = TokenCount(1_000);

/// How a request ended.
pub(crate) enum AskOutcome {
    /// A reply and its origin.
    Reply(Assistant, Origin),
    /// The request exceeds the model's window; holds the sizes that the provider reported.
    Refused(SaidSizes),
    /// The reply broke off with an error; the part that arrived is worth keeping.
    Failed {
        part: Assistant,
        origin: Origin,
        /// Why it broke off.
        error: ModelError,
    },
}

/// Asks the models in turn for a reply; a health check without a model is answered here.
pub(crate) async fn ask(
    runtime: &Runtime,
    context: &RequestContext,
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<AskOutcome, TurnError> {
    let check = context.check.as_deref();
    let Some(check) = check.filter(|_| runtime.engine.models.is_offline()) else {
        return ask_models(runtime, context, stop, on_event).await;
    };
    let answer = offline_answer(check);
    on_event(Event::ReplyDelta(answer.clone()));
    let reply = Assistant {
        content: vec![Block::Text(answer)],
        ..Assistant::default()
    };
    Ok(AskOutcome::Reply(reply, Origin::System))
}

async fn ask_models(
    runtime: &Runtime,
    context: &RequestContext,
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<AskOutcome, TurnError> {
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
                return Ok(AskOutcome::Reply(reply, origin_of(model)));
            }
            Replied::Failed { part, error } if !part.content.is_empty() => {
                let origin = origin_of(model);
                return Ok(AskOutcome::Failed {
                    part,
                    origin,
                    error,
                });
            }
            Replied::Failed {
                error: ModelError::ContextOverflow { said, .. },
                ..
            } => {
                // The configured window belongs to the first model only.
                if failure.is_none() {
                    learn(&runtime.engine, context, said, on_event);
                }
                return Ok(AskOutcome::Refused(said));
            }
            Replied::Failed { error, .. } => failure = Some(error),
        }
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(AskOutcome::Refused(SaidSizes::default())),
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
