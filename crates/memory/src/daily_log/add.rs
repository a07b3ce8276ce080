//! Adds notes to a daily log outside of a flush.
//!
//! Never changes an existing line.

use base::{
    EntryId, Origin, SessionId, Timestamp, Tz, content_hash, day, scope_of, short_hash, time_of_day,
};

use super::block::between_marks;
use super::lines::{lines, same_length_text};
use super::plan::{addition, standing_of};
use super::statements::may_say;
use super::write::{LogError, OpenLog};
use crate::marks::{note_with_record, notes_line, spelled_out};
use crate::note::{self, NOTE_CHARS_MAX, Note, NoteId};
use crate::tombstone::{load_tombstones, reinstate};
use crate::{TombstoneId, Workspace, WorkspacePath};

/// The outcome of adding a note.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AddOutcome {
    /// Written, at this line of the log, from 1.
    Added(usize),
    /// The log already says it; nothing was written.
    AlreadyThere,
    /// The note has no text; nothing was written.
    Empty,
    /// The text is forgotten under this tombstone and was not reinstated; nothing was written.
    Forgotten(TombstoneId),
}

/// The outcome of adding a note, and the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddReport {
    /// The outcome.
    pub outcome: AddOutcome,
    /// The path of the log.
    pub log: WorkspacePath,
    /// The text as written: on one line, secrets removed.
    pub text: String,
    /// The tombstone that hid this text, if the note reinstated it.
    pub reinstated: Option<TombstoneId>,
}

/// The heading and the scope of added notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedUnder {
    /// The title in the heading above the notes.
    pub title: String,
    /// The id of a session of the repository that the notes belong to; `None` if they hold everywhere.
    pub known_from: Option<SessionId>,
}

impl Default for AddedUnder {
    fn default() -> Self {
        Self {
            title: "Note".to_owned(),
            known_from: None,
        }
    }
}

/// Adds a note to the log of the day of `at`.
///
/// A note of the owner is a plain bullet, as if written by hand; any other ends in a mark, and a comment below
/// records its origin. If the owner adds a forgotten note, its text is reinstated and search finds it again.
///
/// # Errors
///
/// [`LogError`]; nothing was written, except perhaps for [`LogError::MayStand`].
pub fn add_note(
    workspace: &Workspace,
    (note, under): (&Note, &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<AddReport, LogError> {
    let n_chars = note::one_line(&note.text).chars().count();
    if n_chars > NOTE_CHARS_MAX {
        return Err(LogError::NoteTooLong(n_chars));
    }
    let text = note::prepare(&note.text);
    let log = workspace.log_path(day(at, timezone));
    let open = OpenLog::open(workspace, &log)?;
    let reinstated = match note.origin {
        Origin::Owner => reinstate(workspace, &text)?,
        Origin::Agent | Origin::Untrusted | Origin::System => None,
    };
    let outcomes = add_to(open, (std::slice::from_ref(note), under), at, timezone)?;
    Ok(AddReport {
        outcome: outcomes.into_iter().next().unwrap_or(AddOutcome::Empty),
        log,
        text,
        reinstated,
    })
}

/// Adds notes to the log of the day of `at` in one write; returns their outcomes, in order.
///
/// Unlike [`add_note`], never reinstates forgotten text.
///
/// # Errors
///
/// [`LogError`]; nothing was written, except perhaps for [`LogError::MayStand`].
pub fn add_notes(
    workspace: &Workspace,
    notes: (&[Note], &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<Vec<AddOutcome>, LogError> {
    let log = workspace.log_path(day(at, timezone));
    add_to(OpenLog::open(workspace, &log)?, notes, at, timezone)
}

fn add_to(
    open: OpenLog<'_>,
    (notes, under): (&[Note], &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<Vec<AddOutcome>, LogError> {
    let found = same_length_text(open.found());
    let tombstones = load_tombstones(open.workspace())?;
    let scope = under.known_from.as_ref();
    let scope = scope.and_then(|session| scope_of(session.as_str()));
    let mut standing = None;
    let mut says = |text: &str, origin| {
        let read = || standing_of(&lines(&spelled_out(&found)), scope);
        may_say(&found, text) && standing.get_or_insert_with(read).says(text, origin)
    };
    let time = time_of_day(at, timezone);
    let (mut new, mut records) = (Vec::new(), String::new());
    let mut outcomes = Vec::new();
    for note in notes {
        let text = note::prepare(&note.text);
        outcomes.push(if text.is_empty() {
            AddOutcome::Empty
        } else if let Some(id) = tombstones.forgotten_by(&text) {
            AddOutcome::Forgotten(id.clone())
        } else if says(&text, note.origin) {
            AddOutcome::AlreadyThere
        } else {
            let (line, record) = match note.origin {
                Origin::Owner => (format!("- {text}"), String::new()),
                Origin::Agent | Origin::Untrusted | Origin::System => {
                    let id = free_id(&found, (open.log(), scope, &time), &text);
                    note_with_record(&note::render(&id, &text, &note.evidence, note.origin))
                }
            };
            new.push(line);
            records.push_str(&record);
            AddOutcome::Added(new.len())
        });
    }
    if outcomes.contains(&AddOutcome::AlreadyThere) {
        // An earlier call may have written the note and then failed to sync.
        open.make_durable()?;
    }
    if new.is_empty() {
        return Ok(outcomes);
    }
    let content = format!("## {time} \u{2014} {}\n\n{}\n", under.title, new.join("\n"));
    let (block, n_below) = match &under.known_from {
        Some(session) => {
            let key = EntryId::new(content_hash(content.as_bytes()));
            let about = (session, 0, &(key.clone(), key));
            (between_marks(about, &content, &records), 1)
        }
        None if records.is_empty() => (content, 0),
        None => (format!("{content}{}\n", notes_line(&records)), 1),
    };
    let header = format!("# {}\n\n", day(at, timezone));
    let addition = addition(&found, &header, &block);
    open.check_length(found.len() + addition.len())?;
    let n_lines = found.matches('\n').count() + addition.matches('\n').count();
    open.add_or_take_back(addition.as_bytes())?;
    let first = n_lines - n_below - new.len();
    for outcome in &mut outcomes {
        if let AddOutcome::Added(line) = outcome {
            *line += first;
        }
    }
    Ok(outcomes)
}

/// The hash of the text, by which the line is known as ours even if a crash cut off its record; another one if the log
/// has that mark already.
fn free_id(
    found: &str,
    (log, scope, time): (&WorkspacePath, Option<&str>, &str),
    text: &str,
) -> NoteId {
    let mark = short_hash(text);
    if !found.contains(&format!("^{mark}")) {
        return NoteId::new(mark);
    }
    let place = scope.unwrap_or_default();
    NoteId::new(short_hash(&format!("{log}\n{place}{time}\n{text}")))
}

#[cfg(test)]
#[path = "add_tests.rs"]
mod tests;
