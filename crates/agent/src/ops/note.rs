//! Note: adds a line to today's log, or to that of an earlier day.
//!
//! Never changes an existing line.

use std::cmp::Ordering;

use base::{Day, EntryId, LineRange, Locator, Origin, REDACTED, Timestamp};
use memory::candidates::{Access, replaced_values, same_words};
use memory::{AddOutcome, AddedUnder, ForgetPlan, Note, add_note};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::near_note::{OldNote, near_note, old_note, take_out};
use super::operation::{OpContext, Operation};
use crate::fence::without_fenced;
use crate::forgetting::restorable_by;
use crate::knowledge::scope::{Repository, Viewer};
use crate::runtime::HomeAccess;

const NOTE_BYTES_MAX: usize = 1024 * 1024;

/// A note to add.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddNote {
    /// The note: of the owner, in the owner's words.
    #[schemars(length(min = 1, max = NOTE_BYTES_MAX))]
    pub text: String,
    /// The day on which it was said; today by default.
    pub day: Option<String>,
    /// Whether the note of a program that works in a repository also holds outside of it.
    #[serde(default)]
    pub everywhere: bool,
    /// The place of a note that this one updates, such as `memory/2026-04-20.md:12`. A note that a program wrote is
    /// taken out; words of the owner stay.
    pub replaces: Option<String>,
    /// Whether only to say what would be written.
    #[serde(default)]
    pub dry_run: bool,
    /// The repository outside of which programs do not see it; that of the program by default.
    #[serde(skip)]
    pub repository: Option<Repository>,
    /// The message that it cites.
    #[serde(skip)]
    pub cites: Option<EntryId>,
}

/// Where a note is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteReply {
    /// The log.
    pub path: String,
    /// The line of the note; null if the log says it already.
    pub line: Option<usize>,
    /// The day of the log.
    pub day: Day,
    /// The note as it was written.
    pub text: String,
    /// Whether a secret was left out.
    #[serde(skip_serializing_if = "is_false")]
    pub redacted: bool,
    /// The id under which the replaced note can be restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
    /// The place of the note that was to be replaced, and stays because it is the owner's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The place of a note that says nearly the same; only for a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// The id under which it was forgotten, if search finds it again from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_again: Option<String>,
    /// Whether nothing was written.
    pub dry_run: bool,
}

impl AddNote {
    /// The repository that the note belongs to.
    fn scope<'a>(&'a self, viewer: &'a Viewer) -> Option<&'a Repository> {
        let of_viewer = match viewer {
            Viewer::Owner => None,
            Viewer::Program(here) => here.as_ref().filter(|_| !self.everywhere),
        };
        self.repository.as_ref().or(of_viewer)
    }
}

impl Operation for AddNote {
    type Reply = NoteReply;

    fn run(self, at: &OpContext<'_>) -> Result<NoteReply, OpError> {
        if self.text.len() > NOTE_BYTES_MAX {
            let why = format!("longer than {NOTE_BYTES_MAX} bytes");
            return Err(OpError::invalid("text", why));
        }
        let said_at = match &self.day {
            Some(day) => said_at(at.home, day)?,
            None => at.home.clock.now(),
        };
        let text = match at.origin {
            Origin::Owner => self.text.clone(),
            // What it was shown is known already.
            Origin::Agent | Origin::Untrusted | Origin::System => {
                without_fenced(&self.text).into_owned()
            }
        };
        let note = Note {
            text,
            evidence: self.cites.clone().into_iter().collect(),
            origin: at.origin,
        };
        let under = AddedUnder {
            known_from: self.scope(at.viewer).map(Repository::notes),
            ..AddedUnder::default()
        };
        let home = at.home_for(self.dry_run.into());
        let old = self.replaces.as_ref();
        let old = old.map(|place| old_note(place, at)).transpose()?;
        let near = match (at.origin, &old) {
            (Origin::Agent, None) => near_note(&note.text, at).map(|place| place.to_string()),
            _ => None,
        };
        if at.origin == Origin::Owner && is_taken_back(&home, &note.text) {
            home.desk(Access::Write)?.say_again(&note.text)?;
        }
        let added = add_note(&home.workspace, (&note, &under), said_at, home.timezone)?;
        let line = match added.outcome {
            AddOutcome::Added(line) => Some(line),
            AddOutcome::AlreadyThere => None,
            AddOutcome::Forgotten(id) => {
                let restorable = restorable_by(&home.workspace, &id);
                return Err(OpError::Forgotten(id, restorable));
            }
            AddOutcome::Empty => return Err(OpError::EmptyNote),
        };
        if let (Some(line), Origin::Agent, Some(knowledge)) = (line, at.origin, at.knowledge)
            && !self.dry_run
        {
            let place = Locator::new(added.log.to_string(), LineRange::line(line));
            knowledge.recent().push(place, &added.text);
        }
        let mut n_above = 0;
        let (replaced, kept) = match old {
            Some(OldNote::OfProgram(plan)) if !self.dry_run && !says(&plan, &added.text) => {
                n_above = n_lines_above(&plan, added.log.as_str(), line);
                (Some(take_out(&plan, at)?.to_string()), None)
            }
            Some(OldNote::OfOwner) => (None, self.replaces),
            Some(OldNote::OfProgram(_)) | None => (None, None),
        };
        Ok(NoteReply {
            path: added.log.to_string(),
            line: line.map(|line| line - n_above),
            day: home.day(said_at),
            redacted: added.text.contains(REDACTED) && !note.text.contains(REDACTED),
            replaced,
            kept,
            // What was noted already is near to itself.
            near: near.filter(|_| line.is_some()),
            text: added.text,
            told_again: added.reinstated.map(|id| id.to_string()),
            dry_run: self.dry_run,
        })
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// The number of lines above this one that leave the log when a plan takes out its note.
fn n_lines_above(plan: &ForgetPlan, log: &str, line: Option<usize>) -> usize {
    let places = plan.lines.iter().map(memory::PlannedLines::place);
    let above = places.filter(|own| own.path == log && Some(own.start_line) < line);
    above.map(|own| own.end_line + 1 - own.start_line).sum()
}

/// Whether the note that a plan takes out has this text: then it is the new one.
fn says(plan: &ForgetPlan, text: &str) -> bool {
    let words = same_words(text);
    plan.lines.iter().any(|own| same_words(&own.text) == words)
}

/// Whether the owner took back a text with these words.
fn is_taken_back(home: &HomeAccess, text: &str) -> bool {
    // If the records cannot be read, `doctor` says so.
    let values = replaced_values(&home.workspace, home.timezone).unwrap_or_default();
    let words = same_words(text);
    let mut values = values.iter();
    values.any(|own| !own.was_true && same_words(&own.older) == words)
}

/// A time on a day in the past; now, if the day is today.
fn said_at(home: &HomeAccess, day: &str) -> Result<Timestamp, OpError> {
    let (now, today) = (home.clock.now(), home.today());
    let parsed: Result<Day, _> = day.trim().parse();
    let unreadable = |_| OpError::invalid("day", format!("{day:?} is not a day such as {today}"));
    let day = parsed.map_err(unreadable)?;
    match day.cmp(&today) {
        Ordering::Less => Ok(day.noon(home.timezone)),
        Ordering::Equal => Ok(now),
        Ordering::Greater => {
            let why = format!(
                "{day} has not come yet: `day` is the day on which it was said. Put the day of a plan into the text"
            );
            Err(OpError::invalid("day", why))
        }
    }
}
