//! The tools `remember` and `correct` in a session of the owner: what the owner's message asks for changes `MEMORY.md` at
//! once.
//!
//! Takes only the owner's message of this turn as a request; a tool result or a page cannot ask.

use base::{Invocation, redact};
use dreaming::{ChangeReason, Refusal, SpokenMessage};
use memory::candidates::{Candidate, Proposal};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::owner_turn::{Quoted, TOO_SHORT, said_with_quote};
use crate::asked::{AskedLine, AskedOutcome, objection_to_said, remember_said};
use crate::asked_error::AskedError;
use crate::corrected::{CorrectedText, UserLine, corrected_text};
use crate::fence::without_fenced;
use crate::knowledge::replaced::line_of_earlier_value;
use crate::runtime::HomeAccess;

#[derive(Deserialize)]
struct RememberArguments {
    text: String,
    #[serde(default)]
    quote: String,
    section: Option<String>,
}

#[derive(Deserialize)]
struct CorrectArguments {
    line: String,
    text: String,
    quote: String,
    #[serde(default)]
    reason: String,
}

/// What changed: the answer for the model, and the notice for the owner.
pub(super) struct LastingChange {
    pub(super) answer: String,
    pub(super) notice: String,
}

impl LastingChange {
    /// The answer; puts the notice where the turn finds it.
    pub(super) fn told(self, notice: &mut Option<String>) -> String {
        *notice = Some(self.notice);
        self.answer
    }
}

/// Remembers what the owner's message asks for; `None` without a quote, which makes it a note of the assistant.
pub(super) fn remember(
    home: &HomeAccess,
    name: &SessionName,
    arguments: &str,
) -> Result<Option<LastingChange>, String> {
    let RememberArguments {
        text,
        quote,
        section,
    } = read(arguments)?;
    if quote.trim().is_empty() {
        return Ok(None);
    }
    let asked = AskedLine {
        text: without_fenced(&text).into_owned(),
        section,
        replaces: None,
        reason: ChangeReason::Changed,
    };
    changed(home, name, (&asked, &quote)).map(Some)
}

/// Replaces a line of `MEMORY.md`, or a note, as the owner's message asks.
pub(super) fn correct(
    home: &HomeAccess,
    name: &SessionName,
    arguments: &str,
) -> Result<LastingChange, String> {
    let CorrectArguments {
        line,
        text,
        quote,
        reason,
    } = read(arguments)?;
    let meant = meant(home, &line)?;
    let asked = |replaces| AskedLine {
        text: without_fenced(&text).into_owned(),
        section: None,
        replaces,
        reason: ChangeReason::named(&reason),
    };
    match meant {
        CorrectedText::Memory(own) => changed(home, name, (&asked(Some(own)), &quote)),
        CorrectedText::User(line) => reworded(home, name, &line, (&asked(None), &quote)),
    }
}

/// Rewords a line of the page about the owner, in its place.
fn reworded(
    home: &HomeAccess,
    name: &SessionName,
    line: &UserLine,
    (asked, quote): (&AskedLine, &str),
) -> Result<LastingChange, String> {
    let path = line.place().path;
    let failed = |error: &dyn std::fmt::Display| format!("{path} was not changed: {error}.");
    let said = said_by_owner(home, name, quote)?;
    let objection = objection_to_said(home, &said, (asked, quote));
    let objection = objection.map_err(|error| failed(&error))?;
    // What MEMORY.md says already may still be new to this page.
    if let Some(because) = objection.filter(|it| it != Refusal::Known.in_words()) {
        return Err(refused_for(&path, &because));
    }
    line.reword(home, &asked.text)
        .map_err(|error| failed(&error))?;
    let newer = line.with(&asked.text);
    let (older, newer) = (redact(line.text()), redact(&newer));
    let undo = home.invocation.command(&line.undo_command());
    // A command with a secret is not shown.
    let undo = if redact(&undo) == undo {
        format!("; `{undo}` reverts this")
    } else {
        String::new()
    };
    Ok(LastingChange {
        answer: format!("{path} now says {newer:?} instead of {older:?}."),
        notice: format!("Corrected in {path}: {newer} (before: {older}{undo})"),
    })
}

/// The text that has these words.
fn meant(home: &HomeAccess, words: &str) -> Result<CorrectedText, String> {
    corrected_text(home, words).map_err(|error| {
        let are_several = matches!(
            error,
            AskedError::SeveralLines(_) | AskedError::SeveralNotes(..) | AskedError::TellsNothing(_)
        );
        let next = if are_several {
            "Copy more of it into `line`."
        } else {
            "Copy `line` from MEMORY.md or from a note, without its bullet; if nothing says it, call remember."
        };
        format!("{error}. {next}")
    })
}

fn changed(
    home: &HomeAccess,
    name: &SessionName,
    (asked, quote): (&AskedLine, &str),
) -> Result<LastingChange, String> {
    let said = said_by_owner(home, name, quote)?;
    let done = remember_said(home, &said, (asked, quote)).map_err(|error| failed(&error))?;
    match done {
        AskedOutcome::Taken(own) => {
            let mut change = taken(&own, &home.invocation);
            if let Some(line) = line_of_earlier_value(home, &own) {
                change.answer = format!(
                    "{} It also says {line:?}: if the owner's message ends that, call undo, then correct.",
                    change.answer
                );
            }
            Ok(change)
        }
        AskedOutcome::Beside(own) => Ok(beside(&own, &home.invocation)),
        AskedOutcome::Refused(because) => Err(refused(&because)),
    }
}

fn failed(error: &dyn std::fmt::Display) -> String {
    format!("MEMORY.md was not changed: {error}.")
}

fn refused(because: &str) -> String {
    refused_for("MEMORY.md", because)
}

fn refused_for(path: &str, because: &str) -> String {
    format!("{path} was not changed: {because}. `text` may say only what the owner said.")
}

/// The owner's messages, of which the first holds the quote.
fn said_by_owner(
    home: &HomeAccess,
    name: &SessionName,
    quote: &str,
) -> Result<Vec<SpokenMessage>, String> {
    let found = said_with_quote(home, name, quote).map_err(|error| failed(&error))?;
    match found {
        Ok(said) => Ok(said),
        Err(Quoted::TooShort) => Err(failed(&TOO_SHORT)),
        Err(Quoted::Yes | Quoted::No) => Err(failed(
            &"the quote is not in the owner's message. If the owner's last message asks for this, copy at least three \
              words of it, or of the message that it is about, into `quote`",
        )),
    }
}

/// The notice to the owner about a change that no model asked for.
pub(crate) fn notice(outcome: &AskedOutcome, invocation: &Invocation) -> String {
    match outcome {
        AskedOutcome::Taken(own) => taken(own, invocation).notice,
        AskedOutcome::Beside(own) => beside(own, invocation).notice,
        AskedOutcome::Refused(because) => format!("MEMORY.md was not changed: {because}."),
    }
}

/// Begins the answer to a call that changed `MEMORY.md`.
pub(super) const CHANGED: &str = "MEMORY.md now says ";

fn taken(own: &Candidate, invocation: &Invocation) -> LastingChange {
    let finding = redact(&own.finding);
    let undo = invocation.command(&format!("dream undo {}", own.id));
    let undo = format!("`{undo}` reverts this");
    match &own.proposal {
        Proposal::Supersede { older, .. } => LastingChange {
            answer: format!("{CHANGED}{finding:?} instead of {older:?}."),
            notice: format!(
                "Corrected: {finding} (before: {}; {undo})",
                older.trim_end_matches('.')
            ),
        },
        Proposal::Add | Proposal::Retire { .. } | Proposal::Beside { .. } => LastingChange {
            answer: format!("{CHANGED}{finding:?}."),
            notice: format!("Remembered: {finding} ({undo})"),
        },
    }
}

fn beside(own: &Candidate, invocation: &Invocation) -> LastingChange {
    let (id, finding) = (&own.id, redact(&own.finding));
    let show = invocation.command(&format!("dream show {id}"));
    LastingChange {
        answer: format!(
            "The owner wrote that line, so it stays. The new line waits for the owner's decision as {id}; tell the \
             owner so."
        ),
        notice: format!(
            "You wrote that line of MEMORY.md, so it stays. The new one waits: {finding} (`{show}`)."
        ),
    }
}

#[cfg(test)]
#[path = "lasting_tests.rs"]
mod tests;
