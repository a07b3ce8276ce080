//! Writes a note into today's log at the owner's request.
//!
//! The note's origin is the assistant, never the owner; it cites the owner's message, or else the reply that made it.

use std::cmp::Ordering;

use base::{Day, EntryId, Origin, Timestamp};
use memory::{AddOutcome, AddedUnder, Note, add_note};
use serde::Deserialize;

use super::answer::{ToolReply, read};
use crate::fence::without_fenced;
use crate::knowledge::scope::Repository;
use crate::runtime::HomeAccess;

#[derive(Deserialize)]
struct RememberArguments {
    text: String,
    /// Whether the note also holds outside the repository.
    #[serde(default)]
    everywhere: bool,
    /// The day on which it was said, if that is not today.
    day: Option<String>,
}

/// Who asks for the note.
pub(super) enum RememberCaller<'a> {
    /// A reply in a chat, with the message to cite.
    Reply(&'a EntryId),
    /// Another program, in a repository or in none.
    Program(Option<&'a Repository>),
}

pub(super) fn run(home: &HomeAccess, caller: &RememberCaller<'_>, arguments: &str) -> ToolReply {
    let RememberArguments {
        text,
        everywhere,
        day,
    } = read(arguments)?;
    let at = match day {
        Some(day) => said_at(home, &day)?,
        None => home.clock.now(),
    };
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
    let added = add_note(&home.workspace, (&note, &under), at, home.timezone);
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

/// A time on a day in the past; now, if the day is today.
fn said_at(home: &HomeAccess, day: &str) -> Result<Timestamp, String> {
    let (now, today) = (home.clock.now(), home.today());
    let day: Day = day
        .trim()
        .parse()
        .map_err(|_| format!("{day:?} is not a day such as {today}."))?;
    match day.cmp(&today) {
        Ordering::Less => Ok(day.noon(home.timezone)),
        Ordering::Equal => Ok(now),
        Ordering::Greater => Err(format!(
            "{day} has not come yet: `day` is the day on which it was said. Put the day of a plan into the text."
        )),
    }
}
