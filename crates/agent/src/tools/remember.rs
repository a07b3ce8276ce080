//! Notes something in the log of today because the owner asked for it.
//!
//! The note is the assistant's: it cites the reply that made it and is never the owner's word.

use base::{EntryId, Origin};
use memory::{AddOutcome, Note, add_note};
use serde::Deserialize;

use super::answer::{Answer, read};
use crate::fence::without_fenced;
use crate::runtime::Runtime;

#[derive(Deserialize)]
struct RememberArguments {
    text: String,
}

/// `entry` is the reply that asks for it; a program outside has none.
pub(super) fn run(runtime: &Runtime, entry: Option<&EntryId>, arguments: &str) -> Answer {
    let RememberArguments { text } = read(arguments)?;
    let note = Note {
        text: without_fenced(&text).into_owned(),
        evidence: entry.into_iter().cloned().collect(),
        origin: Origin::Agent,
    };
    let added = add_note(
        &runtime.home.workspace,
        &note,
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
