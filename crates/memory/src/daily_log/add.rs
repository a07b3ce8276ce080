//! Adds one line to a daily log outside of any flush: what somebody wants noted now.
//!
//! Never changes a line that stands there.

use base::{Origin, Timestamp, Tz, day, short_hash, time_of_day};

use super::lines::{lines, same_length_text};
use super::plan::{addition, standing_of};
use super::write::{LogError, OpenLog};
use crate::marks::{note_with_record, notes_line, spelled_out};
use crate::note::{self, Note, NoteId};
use crate::tombstone::{load_tombstones, tell_again};
use crate::{TombstoneId, Workspace, WorkspacePath};

/// What became of a note.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AddOutcome {
    /// It was written.
    Added(usize),
    /// The log says it already; nothing was written.
    AlreadyThere,
    /// It says nothing; nothing was written.
    Empty,
    /// It was forgotten, and it is not the owner who tells it again; nothing was written.
    Forgotten(TombstoneId),
}

/// What became of a note, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddReport {
    /// What became of it.
    pub outcome: AddOutcome,
    /// The log of the day.
    pub log: WorkspacePath,
    /// The note as it stands there: one line, without secrets.
    pub text: String,
    /// The tombstone that hid the same words, where the owner told them again by this.
    pub told_again: Option<TombstoneId>,
}

/// The words in the heading above such a note.
const HEADING: &str = "Note";

/// Adds a note to the log of the day of `at`.
///
/// A note of the owner is a line as the owner would write it by hand; one of anybody else ends in a
/// mark, and a comment below says whose it is. What was forgotten is noted where the owner tells it again: it is then
/// found again, too.
///
/// # Errors
///
/// [`LogError`]; nothing was written, but where it is [`LogError::MayStand`].
pub fn add_note(
    workspace: &Workspace,
    note: &Note,
    at: Timestamp,
    timezone: Tz,
) -> Result<AddReport, LogError> {
    let day = day(at, timezone);
    let log = workspace.log_path(day);
    let text = note::prepare(&note.text);
    let open = OpenLog::open(workspace, &log)?;
    let found = same_length_text(open.found());
    let told_again = match note.origin {
        Origin::Owner => tell_again(workspace, &text)?,
        Origin::Agent | Origin::Untrusted | Origin::System => None,
    };
    let outcome = if text.is_empty() {
        AddOutcome::Empty
    } else if let Some(id) = load_tombstones(workspace)?.forgotten_by(&text) {
        AddOutcome::Forgotten(id.clone())
    } else if standing_of(&lines(&spelled_out(&found))).says(&text, note.origin) {
        // An earlier call may have failed after it stood there.
        open.make_durable()?;
        AddOutcome::AlreadyThere
    } else {
        let time = time_of_day(at, timezone);
        let line = match note.origin {
            Origin::Owner => format!("- {text}"),
            Origin::Agent | Origin::Untrusted | Origin::System => {
                let id = NoteId::new(short_hash(&format!("{log}\n{time}\n{text}")));
                let line = note::render(&id, &text, &note.evidence, note.origin);
                let (line, record) = note_with_record(&line);
                format!("{line}\n{}", notes_line(&record))
            }
        };
        let block = format!("## {time} \u{2014} {HEADING}\n\n{line}\n");
        let addition = addition(&found, &format!("# {day}\n\n"), &block);
        open.check_length(found.len() + addition.len())?;
        open.add_or_take_back(addition.as_bytes())?;
        let n_lines = found.matches('\n').count() + addition.matches('\n').count();
        // Its comment may stand below it.
        AddOutcome::Added(n_lines - line.matches('\n').count())
    };
    drop(found);
    Ok(AddReport {
        outcome,
        log,
        text,
        told_again,
    })
}

#[cfg(test)]
#[path = "add_tests.rs"]
mod tests;
