//! Writes a note into today's log at the request of a program or of a reply.
//!
//! The note's origin is the assistant, never the owner; it cites the owner's message, or else the reply that made it.

use base::Origin;

use super::answer::ToolReply;
use crate::ops::{AddNote, OpContext, OpError, Operation};

pub(super) fn run(note: AddNote, at: &OpContext<'_>) -> ToolReply {
    let at = OpContext {
        origin: Origin::Agent,
        ..*at
    };
    match note.run(&at) {
        Ok(noted) => Ok(match noted.line {
            Some(line) => format!("Noted in {}:{line}.", noted.path),
            None => format!("{} already says it.", noted.path),
        }),
        Err(OpError::Forgotten(_)) => {
            Err("The owner wanted this forgotten, so it was not noted.".to_owned())
        }
        Err(OpError::EmptyNote) => Err(
            "There is nothing to note: recalled text is already kept, and there was nothing else."
                .to_owned(),
        ),
        Err(OpError::Invalid { why, .. }) => Err(format!("{why}.")),
        Err(error) => Err(format!("It was not noted: {error}.")),
    }
}
