//! The first stage of a turn: appends the new input to the transcript.

use std::sync::Arc;

use base::{Message, Timestamp};
use session::{Meta, StoredMessage, Turn, ViewItem};

use crate::client::conversation::ClientConversation;
use crate::client::take_up::take_up;
use crate::error::TurnError;
use crate::event::OnEvent;
use crate::runtime::{PrivateSessions, Runtime};
use crate::turn::tell_due::{tell_due, tell_subject};

/// The input of a turn.
#[derive(Debug)]
pub enum TurnInput<'a> {
    /// The owner's message.
    Owner(Message),
    /// A conversation that a client keeps. A reply that calls the client's own tools ends the turn; their results
    /// arrive with the next request.
    Client(&'a Arc<ClientConversation>),
}

/// Appends new input; returns the question for recall, and the conversation if a client keeps it.
pub(crate) async fn record_input(
    runtime: &Runtime,
    turn: &mut Turn,
    (now, input): (Timestamp, TurnInput<'_>),
    on_event: OnEvent<'_>,
) -> Result<(String, Option<Arc<ClientConversation>>), TurnError> {
    isolate(runtime, turn, now)?;
    match input {
        TurnInput::Client(conversation) => {
            take_up(runtime, turn, (now, conversation), on_event).await?;
            Ok((conversation.question(), Some(Arc::clone(conversation))))
        }
        TurnInput::Owner(message) => {
            let question = message.text();
            // A message identical to an unanswered last one is a retry: it is stored already.
            if !awaits_reply(turn, &message) {
                let origin = runtime.speaker(turn.name());
                turn.append_message(now, StoredMessage::new(message, origin))?;
            }
            tell_due(runtime, turn.name(), on_event);
            tell_subject(runtime, turn.name(), &question, on_event);
            Ok((question, None))
        }
    }
}

/// Records in the transcript that others talk in the session, so that every later run keeps memory out of it.
fn isolate(runtime: &Runtime, turn: &mut Turn, now: Timestamp) -> Result<(), TurnError> {
    let is_isolated = runtime.memory.private_sessions == PrivateSessions::Isolated;
    if is_isolated && !turn.state().is_isolated && !runtime.is_primary(turn.name()) {
        let state = Meta {
            is_isolated,
            ..turn.state().clone()
        };
        turn.append_meta(now, state)?;
    }
    Ok(())
}

/// Whether this message is already the last one of the view.
fn awaits_reply(turn: &Turn, message: &Message) -> bool {
    turn.view().items.last().and_then(ViewItem::message) == Some(message)
}
