//! One message of the owner and the reply to it, told as it comes.
//!
//! Decides nothing about the session.

use std::pin::pin;

use agent::run_turn_until;
use base::{Assistant, Message, StopReason};
use memory::search::Degraded;

use super::interrupt::interrupt;
use super::opening::Opened;
use super::telling::Teller;
use crate::app::Context;
use crate::error::CliError;
use crate::output::{ChatEvent, Format};

/// What came of a message.
pub(super) struct Said {
    /// The reply.
    pub(super) reply: Assistant,
    /// Why what memory holds may be missing from it.
    pub(super) degraded: Option<Degraded>,
}

/// Says something; what the reply says is printed as it comes, and Ctrl-C breaks it off.
///
/// # Errors
///
/// Where no reply came, or where it could not be printed.
pub(super) async fn say(
    opened: &Opened,
    words: String,
    context: &mut Context<'_, '_>,
) -> Result<Said, CliError> {
    let stdout = context.host.environment.stdout;
    let mut teller = Teller::new(context.output, stdout);
    let mut on_event = |event| teller.tell(event);
    let stop = pin!(interrupt());
    let message = Message::user(words);
    let replied = run_turn_until(&opened.runtime, &opened.name, message, stop, &mut on_event).await;
    match replied {
        Ok(reply) => {
            teller.say(&whole(opened, &reply));
            let degraded = teller.degraded();
            teller.finish()?;
            if context.output.format() == Format::Human {
                tell_ending(&reply, context);
            }
            Ok(Said { reply, degraded })
        }
        Err(error) => {
            teller.finish()?;
            Err(error.into())
        }
    }
}

fn whole(opened: &Opened, reply: &Assistant) -> ChatEvent {
    let models = &opened.runtime.models;
    ChatEvent::Reply {
        text: Message::Assistant(reply.clone()).text(),
        stop_reason: stop_reason(reply.stop),
        model: models.primary.profile().name,
        offline: models.is_offline(),
    }
}

fn tell_ending(reply: &Assistant, context: &mut Context<'_, '_>) {
    match reply.stop {
        StopReason::Aborted => context
            .output
            .tell_aside("Broken off; what came of the reply is kept."),
        StopReason::Length => context
            .output
            .tell_aside("The reply was cut at its greatest length; ask for the rest."),
        StopReason::Stop | StopReason::ToolUse | StopReason::Error => {}
    }
}

fn stop_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ToolUse => "toolUse",
        StopReason::Error => "error",
        StopReason::Aborted => "aborted",
    }
}
