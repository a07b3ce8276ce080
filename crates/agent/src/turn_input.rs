//! What a turn begins with: a message of the owner, or a conversation that a client keeps.
//!
//! Stores nothing twice.

use std::sync::Arc;

use base::{Message, Origin, Timestamp};
use session::{Turn, ViewContent};

use crate::client::{ClientConversation, ClientFrame, take_up};
use crate::event::OnEvent;
use crate::turn::stored;
use crate::{Runtime, TurnError};

/// What a turn begins with.
pub(crate) enum TurnInput<'a> {
    /// A message of the owner.
    Owner(Message),
    /// A conversation that a client keeps.
    Client(&'a ClientConversation),
}

impl TurnInput<'_> {
    /// What memory is asked about.
    pub(crate) fn question(&self) -> String {
        match self {
            Self::Owner(message) => message.text(),
            Self::Client(conversation) => conversation.question(),
        }
    }

    /// What stands around every request of the turn.
    pub(crate) fn frame(&self) -> Option<Arc<ClientFrame>> {
        match self {
            Self::Owner(_) => None,
            Self::Client(conversation) => Some(conversation.frame()),
        }
    }

    /// Stores what is not stored already.
    pub(crate) async fn append(
        self,
        runtime: &Runtime,
        turn: &mut Turn,
        now: Timestamp,
        on_event: OnEvent<'_>,
    ) -> Result<(), TurnError> {
        match self {
            Self::Client(conversation) => {
                take_up(runtime, turn, (now, conversation), on_event).await
            }
            // The same words again, where nothing answered them, are the message that is there already.
            Self::Owner(message) if awaits_reply(turn, &message) => Ok(()),
            Self::Owner(message) => {
                turn.append_message(now, stored(message, Origin::Owner))?;
                Ok(())
            }
        }
    }
}

/// Whether the last thing that was said is this message.
fn awaits_reply(turn: &Turn, message: &Message) -> bool {
    let last = turn.view().items.last();
    last.is_some_and(|item| matches!(&item.content, ViewContent::Message(last) if last == message))
}
