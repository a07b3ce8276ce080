//! Writes a note into today's log at the request of a program or of a reply.
//!
//! The note's origin is the assistant, never the owner; it cites the owner's message, or else the reply that made it.

use base::Origin;

use super::answer::ToolReply;
use crate::ops::{AddNote, NoteReply, OpContext, OpError, Operation};

pub(super) fn add_note(note: AddNote, at: &OpContext<'_>) -> ToolReply {
    let at = OpContext {
        origin: Origin::Agent,
        ..*at
    };
    match note.run(&at) {
        Ok(noted) => Ok(told(&noted, &at)),
        Err(OpError::Forgotten(..)) => {
            Err("The owner wanted this forgotten, so it was not noted.".to_owned())
        }
        Err(OpError::EmptyNote) => Err(
            "There is nothing to note: recalled text is already kept, and there was nothing else."
                .to_owned(),
        ),
        Err(OpError::Invalid { parameter, why }) => Err(format!("`{parameter}`: {why}.")),
        Err(error) => Err(format!("It was not noted: {error}.")),
    }
}

/// The answer to a program: the place and the day of the note, and further facts that the program should report.
fn told(noted: &NoteReply, at: &OpContext<'_>) -> String {
    let written = match noted.line {
        Some(line) => format!("Noted in {}:{line} for {}.", noted.path, noted.day),
        None => format!("{} already says it.", noted.path),
    };
    let redacted = noted.redacted.then(|| {
        let text = &noted.text;
        format!("A secret was left out; the note says: {text}")
    });
    let replaced = noted.replaced.as_ref().map(|id| {
        let undo = at
            .home
            .invocation
            .command(&format!("memory forget --undo {id}"));
        format!("The old note was taken out; `{undo}` restores it.")
    });
    let kept = noted.kept.as_ref().map(|place| {
        format!("{place} stays, because it is in the owner's words: only the owner can change it.")
    });
    let near = noted.near.as_ref().map(|place| {
        format!("{place} says nearly the same: if this note updates it, call remember again with it as `replaces`.")
    });
    let more = [redacted, replaced, kept, near].into_iter().flatten();
    std::iter::once(written)
        .chain(more)
        .collect::<Vec<_>>()
        .join(" ")
}
