//! Adds lines to a daily log outside of any flush: what somebody wants noted now.
//!
//! Never changes a line that stands there.

use base::{
    EntryId, Origin, SessionId, Timestamp, Tz, content_hash, day, scope_of, short_hash, time_of_day,
};

use super::block::between_marks;
use super::lines::{lines, same_length_text};
use super::plan::{addition, standing_of};
use super::write::{LogError, OpenLog};
use crate::marks::{note_with_record, notes_line, spelled_out};
use crate::note::{self, Note, NoteId};
use crate::tombstone::{load_tombstones, reinstate};
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
    /// The tombstone that hid the same words, where this note reinstated them.
    pub reinstated: Option<TombstoneId>,
}

/// Under which words notes are added, and who sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedUnder {
    /// The words in the heading above them.
    pub title: String,
    /// Names the repository from which they are known, as the id of a session there does; `None` where they hold
    /// everywhere.
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
    add_note_under(workspace, (note, &AddedUnder::default()), at, timezone)
}

/// Adds a note as [`add_note`] does, under other words or for those alone who see a repository.
///
/// # Errors
///
/// As [`add_note`].
pub fn add_note_under(
    workspace: &Workspace,
    (note, under): (&Note, &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<AddReport, LogError> {
    let text = note::prepare(&note.text);
    let log = workspace.log_path(day(at, timezone));
    let open = OpenLog::open(workspace, &log)?;
    let reinstated = match note.origin {
        Origin::Owner => reinstate(workspace, &text)?,
        Origin::Agent | Origin::Untrusted | Origin::System => None,
    };
    let outcomes = add_to(&open, (std::slice::from_ref(note), under), at, timezone)?;
    Ok(AddReport {
        outcome: outcomes.into_iter().next().unwrap_or(AddOutcome::Empty),
        log,
        text,
        reinstated,
    })
}

/// Adds notes to the log of the day of `at` as [`add_note`] does each, all at once; what became of them, in order.
///
/// What was forgotten stays so, whoever says it.
///
/// # Errors
///
/// [`LogError`]; nothing was written, but where it is [`LogError::MayStand`].
pub fn add_notes(
    workspace: &Workspace,
    notes: (&[Note], &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<Vec<AddOutcome>, LogError> {
    let log = workspace.log_path(day(at, timezone));
    add_to(&OpenLog::open(workspace, &log)?, notes, at, timezone)
}

fn add_to(
    open: &OpenLog<'_>,
    (notes, under): (&[Note], &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<Vec<AddOutcome>, LogError> {
    let found = same_length_text(open.found());
    let tombstones = load_tombstones(open.workspace())?;
    let scope = under.known_from.as_ref();
    let scope = scope.and_then(|session| scope_of(session.as_str()));
    let standing = standing_of(&lines(&spelled_out(&found)), scope);
    let time = time_of_day(at, timezone);
    let (mut new, mut records) = (Vec::new(), String::new());
    let mut outcomes = Vec::new();
    for note in notes {
        let text = note::prepare(&note.text);
        outcomes.push(if text.is_empty() {
            AddOutcome::Empty
        } else if let Some(id) = tombstones.forgotten_by(&text) {
            AddOutcome::Forgotten(id.clone())
        } else if standing.says(&text, note.origin) {
            AddOutcome::AlreadyThere
        } else {
            let (line, record) = match note.origin {
                Origin::Owner => (format!("- {text}"), String::new()),
                Origin::Agent | Origin::Untrusted | Origin::System => {
                    let place = scope.unwrap_or_default();
                    let named = format!("{}\n{place}{time}\n{text}", open.log());
                    let id = NoteId::new(short_hash(&named));
                    note_with_record(&note::render(&id, &text, &note.evidence, note.origin))
                }
            };
            new.push(line);
            records.push_str(&record);
            AddOutcome::Added(new.len())
        });
    }
    if outcomes.contains(&AddOutcome::AlreadyThere) {
        // An earlier call may have failed after it stood there.
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
    open.add_or_take_back(addition.as_bytes())?;
    let n_lines = found.matches('\n').count() + addition.matches('\n').count();
    let first = n_lines - n_below - new.len();
    for outcome in &mut outcomes {
        if let AddOutcome::Added(line) = outcome {
            *line += first;
        }
    }
    Ok(outcomes)
}

#[cfg(test)]
#[path = "add_tests.rs"]
mod tests;
