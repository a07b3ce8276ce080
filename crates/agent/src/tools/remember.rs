//! Writes a note into today's log at the owner's request.
//!
//! The note's origin is the assistant, never the owner; it cites the reply that made it.

use base::{EntryId, Origin};
use memory::{AddOutcome, AddedUnder, Note, add_note};
use serde::Deserialize;

use super::answer::{ToolReply, read};
use crate::fence::without_fenced;
use crate::runtime::HomeAccess;
use crate::scope::Repository;

#[derive(Deserialize)]
struct RememberArguments {
    text: String,
    /// Whether the note also holds outside the repository.
    #[serde(default)]
    everywhere: bool,
}

/// Who asks for the note.
pub(super) enum RememberCaller<'a> {
    /// A reply in a chat.
    Reply(&'a EntryId),
    /// Another program, in a repository or in none.
    Program(Option<&'a Repository>),
}

pub(super) fn run(home: &HomeAccess, caller: &RememberCaller<'_>, arguments: &str) -> ToolReply {
    let RememberArguments { text, everywhere } = read(arguments)?;
    let (entry, here) = match caller {
        RememberCaller::Reply(entry) => (Some(*entry), None),
        RememberCaller::Program(here) => (None, here.filter(|_| !everywhere)),
    };
    let note = Note {
        text: without_fenced(&text).into_owned(),
        evidence: entry.into_iter().cloned().collect(),
        origin: Origin::Agent,
    };
    let under = AddedUnder {
        known_from: here.map(Repository::notes),
        ..AddedUnder::default()
    };
    let added = add_note(
        &home.workspace,
        (&note, &under),
        home.clock.now(),
        home.timezone,
    );
    let report = added.map_err(|error| format!("It was not noted: {error}."))?;
    let log = report.log;
    match report.outcome {
        AddOutcome::Added(line) => Ok(format!("Noted in {log}:{line}.")),
        AddOutcome::AlreadyThere => Ok(format!("{log} already says it.")),
        AddOutcome::Forgotten(..) => {
            Err("The owner wanted this forgotten, so it was not noted.".to_owned())
        }
        AddOutcome::Empty => Err(
            "There is nothing to note: recalled text is already kept, and there was nothing else."
                .to_owned(),
        ),
    }
}
