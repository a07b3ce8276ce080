//! Notes something in the log of today because the owner asked for it.
//!
//! The note is the assistant's: it cites the reply that made it and is never the owner's word.

use base::{EntryId, Origin};
use memory::{AddOutcome, AddedUnder, Note, add_note_under};
use serde::Deserialize;

use super::answer::{Answer, read};
use crate::fence::without_fenced;
use crate::runtime::Runtime;
use crate::scope::Repository;

#[derive(Deserialize)]
struct RememberArguments {
    text: String,
    /// Whether it holds outside of the repository, too.
    #[serde(default)]
    everywhere: bool,
}

/// Who asks for it.
pub(super) enum RememberCaller<'a> {
    /// The reply of a chat.
    Reply(&'a EntryId),
    /// A program outside that works in a repository, or in none.
    Program(Option<&'a Repository>),
}

pub(super) fn run(runtime: &Runtime, caller: &RememberCaller<'_>, arguments: &str) -> Answer {
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
    let added = add_note_under(
        &runtime.home.workspace,
        (&note, &under),
        runtime.home.clock.now(),
        runtime.home.timezone,
    );
    let report = added.map_err(|error| format!("It was not noted: {error}."))?;
    let log = report.log;
    match report.outcome {
        AddOutcome::Added(line) => Ok(format!("Noted in {log}:{line}.")),
        AddOutcome::AlreadyThere => Ok(format!("{log} says it already.")),
        AddOutcome::Forgotten(..) => Err(
            "The owner wanted this forgotten, so it was not noted.".to_owned(),
        ),
        AddOutcome::Empty => Err(
            "There is nothing to note: what was recalled is kept already, and nothing else was said."
                .to_owned(),
        ),
    }
}
