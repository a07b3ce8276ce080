//! Adds notes to a daily log outside of a flush.
//!
//! Never changes an existing line.

use std::collections::BTreeSet;

use base::{Origin, SessionId, Timestamp, Tz, day, scope_of, short_hash, time_of_day};

use super::lines::same_length_text;
use super::plan::{addition, statements};
use super::statements::may_say;
use super::write::{LogError, OpenLog};
use crate::ledger::{Ledger, NoteRecord};
use crate::note::{self, NOTE_CHARS_MAX, Note, NoteId};
use crate::note_text::NoteLine;
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
/// A note of the owner is a plain bullet, as if written by hand; any other, and one that belongs to a repository, ends
/// in a mark, and its record is committed first. If the owner adds a forgotten note, its text is reinstated and search
/// finds it again.
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
    notes: (&[Note], &AddedUnder),
    at: Timestamp,
    timezone: Tz,
) -> Result<Vec<AddOutcome>, LogError> {
    let ledger = open.workspace().ledger();
    let taken = ledger.taken_over(open.log().as_str(), open.found(), &BTreeSet::new());
    let is_rewritten = taken.bytes != open.found();
    let found = same_length_text(&taken.bytes);
    let time = time_of_day(at, timezone);
    let AddedNotes {
        lines,
        records,
        mut outcomes,
    } = added(&open, (&ledger, &found), notes, &time)?;
    if outcomes.contains(&AddOutcome::AlreadyThere) {
        // An earlier call may have written the note and then failed to sync.
        open.make_durable()?;
    }
    if lines.is_empty() {
        return Ok(outcomes);
    }
    let (_, under) = notes;
    let heading = format!("## {time} \u{2014} {}", under.title);
    let content = lines.join("\n") + "\n";
    let is_of_list = last_of_list_below(&found, &heading).is_some_and(|last| {
        let text = ledger.read(open.log().as_str(), last);
        let record = text.line(1).and_then(NoteLine::record);
        let session = record.and_then(|record| record.session.as_deref());
        session.and_then(scope_of)
            == under
                .known_from
                .as_ref()
                .and_then(|id| scope_of(id.as_str()))
    });
    let addition = if is_of_list {
        content
    } else {
        let header = format!("# {}\n\n", day(at, timezone));
        addition(&found, &header, &format!("{heading}\n\n{content}"))
    };
    open.check_length(found.len() + addition.len())?;
    let n_ends = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let n_lines = n_ends(&found) + n_ends(&addition);
    let records = [taken.records, records].concat();
    if !records.is_empty() {
        open.workspace().commit_records(&records)?;
    }
    if is_rewritten {
        open.put(&[&taken.bytes, addition.as_bytes()].concat())?;
    } else {
        open.add_or_take_back(addition.as_bytes())?;
    }
    let first = n_lines - lines.len();
    for outcome in &mut outcomes {
        if let AddOutcome::Added(line) = outcome {
            *line += first;
        }
    }
    Ok(outcomes)
}

/// The last item of the list that a log ends in, if there is nothing else between the list and this heading: a note of
/// the same repository joins that list, so that notes which were made together are read and found together.
fn last_of_list_below<'t>(log: &'t str, heading: &str) -> Option<&'t str> {
    let (_, list) = log.rsplit_once(&format!("{heading}\n\n"))?;
    let is_list = list.ends_with('\n') && list.lines().all(|line| line.starts_with("- "));
    list.lines().last().filter(|_| is_list)
}

/// The notes that are added to a log.
#[derive(Debug, Default)]
struct AddedNotes {
    lines: Vec<String>,
    records: Vec<NoteRecord>,
    /// The outcome for each note; lines are counted from the first that is added.
    outcomes: Vec<AddOutcome>,
}

/// Decides the outcome for each note in a log that contains `found`.
fn added(
    open: &OpenLog<'_>,
    (ledger, found): (&Ledger, &str),
    (notes, under): (&[Note], &AddedUnder),
    time: &str,
) -> Result<AddedNotes, LogError> {
    let file = open.log().as_str();
    let tombstones = load_tombstones(open.workspace())?;
    let scope = under.known_from.as_ref();
    let scope = scope.and_then(|session| scope_of(session.as_str()));
    let mut standing = None;
    let mut says = |text: &str, origin| {
        let read = || {
            let before = same_length_text(open.found());
            statements(ledger.read(file, &before).lines().iter(), scope)
        };
        may_say(found, text) && standing.get_or_insert_with(read).says(text, origin)
    };
    let mut added = AddedNotes::default();
    for note in notes {
        let text = note::prepare(&note.text);
        let outcome = if text.is_empty() {
            AddOutcome::Empty
        } else if let Some(id) = tombstones.forgotten_by(&text) {
            AddOutcome::Forgotten(id.clone())
        } else if says(&text, note.origin) {
            AddOutcome::AlreadyThere
        } else {
            let record = record(ledger, (file, found), (note, under), (&text, time));
            let mark = record.as_ref().map(|own| format!(" ^{}", own.id));
            added
                .lines
                .push(format!("- {text}{}", mark.unwrap_or_default()));
            added.records.extend(record);
            AddOutcome::Added(added.lines.len())
        };
        added.outcomes.push(outcome);
    }
    Ok(added)
}

/// The record of an added note; `None` for a note of the owner that holds everywhere, because that is an ordinary line.
fn record(
    ledger: &Ledger,
    (file, found): (&str, &str),
    (note, under): (&Note, &AddedUnder),
    (text, time): (&str, &str),
) -> Option<NoteRecord> {
    let session = under.known_from.as_ref().map(ToString::to_string);
    let is_owners = note.origin == Origin::Owner;
    if is_owners && session.is_none() {
        return None;
    }
    let record = |mark: String| {
        let record = note.record(file, &NoteId::new(mark), text);
        let record = NoteRecord {
            session: session.clone(),
            ..record
        };
        if is_owners {
            return NoteRecord {
                origin: Origin::Owner,
                evidence: Vec::new(),
                ..record
            };
        }
        record
    };
    let own = record(short_hash(text));
    let known = ledger.in_file(file, &own.id);
    let is_free =
        known.is_none_or(|known| known == own) && !found.contains(&format!("^{}", own.id));
    if is_free {
        return Some(own);
    }
    let place = session.as_deref().unwrap_or_default();
    Some(record(short_hash(&format!(
        "{file}\n{place}{time}\n{text}"
    ))))
}

#[cfg(test)]
#[path = "add_tests.rs"]
mod tests;
