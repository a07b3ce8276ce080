//! Claims the promises that are due: the only function through which a door gets them.
//!
//! A door that cannot show a reminder does not claim it, since what is claimed counts as told.

use std::fmt;

use base::dates::{TimeAhead, When, time_ahead_in};
use base::{Tz, redact};
use chrono::{DateTime, NaiveTime, TimeZone as _};
use extract::{AskedReminder, DueAt, ReminderWords, Unmade, reminder_words};
use memory::FileError;
use memory::promises::{Occasion, Promise, ToldPromise, claim_due, claim_subject, settle};
use session::SessionName;

use crate::knowledge::scope::{Repository, Viewer};
use crate::runtime::{HomeAccess, Runtime};

/// A promise that was claimed: no other door will show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReminder {
    /// Its id.
    pub id: String,
    /// Why it is shown now.
    pub cue: ReminderCue,
    /// The text of the reminder, with secrets redacted.
    pub text: String,
}

/// Why a promise is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReminderCue {
    /// It fell due.
    Time {
        /// The time at which it did, as `YYYY-MM-DD HH:MM` or `YYYY-MM-DD`.
        when: String,
        /// The next time of a repetition.
        next: Option<String>,
    },
    /// A conversation came to this subject.
    Subject(String),
}

impl DueReminder {
    fn of(told: &ToldPromise) -> Self {
        Self {
            id: told.promise.id.clone(),
            cue: ReminderCue::Time {
                when: told.when.to_string(),
                next: told.next.map(|next| next.to_string()),
            },
            text: redact(&told.promise.text).into_owned(),
        }
    }

    /// The time at which it fell due; empty if it came up with a subject.
    pub fn when(&self) -> &str {
        match &self.cue {
            ReminderCue::Time { when, .. } => when,
            ReminderCue::Subject(_) => "",
        }
    }
}

impl fmt::Display for DueReminder {
    /// One line for a person.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cue {
            ReminderCue::Time { when, next } => {
                write!(formatter, "Reminder ({when}")?;
                if let Some(next) = next {
                    write!(formatter, ", next on {next}")?;
                }
            }
            ReminderCue::Subject(subject) => write!(formatter, "Reminder (about {subject}")?,
        }
        write!(formatter, "): {} (^{})", self.text, self.id)
    }
}

/// Whether a reminder belongs to no repository, so that every door may show it.
pub(crate) fn is_everybodys(scope: Option<&str>) -> bool {
    scope.is_none()
}

/// Claims the owner's due reminders for a program that shows them, each with the claim to release if it fails.
pub(crate) fn claim_for_notify(
    home: &HomeAccess,
    place: &str,
) -> Result<Vec<(DueReminder, ToldPromise)>, FileError> {
    let now = (home.clock.now(), home.timezone);
    let told = claim_due(&home.workspace, now, place, &is_everybodys)?;
    Ok(told
        .into_iter()
        .map(|own| (DueReminder::of(&own), own))
        .collect())
}

/// Claims what is due and the viewer may see. A promise of a repository is claimed only where that repository may be
/// seen.
///
/// # Errors
///
/// [`FileError`]; what was not claimed is still due.
pub(crate) fn claim_reminders(
    runtime: &Runtime,
    viewer: &Viewer,
    place: &str,
) -> Result<Vec<DueReminder>, FileError> {
    // A sandbox writes nothing, so it claims nothing.
    if runtime.sandbox.is_some() {
        return Ok(Vec::new());
    }
    let home = &runtime.home;
    let may_tell = |scope: Option<&str>| scope.is_none_or(|it| viewer.sees_session(it));
    let now = (home.clock.now(), home.timezone);
    let told = claim_due(&home.workspace, now, place, &may_tell)?;
    Ok(told.iter().map(DueReminder::of).collect())
}

/// Claims the due promises in a session of the owner; none if the session does not see the owner's memory.
///
/// # Errors
///
/// [`FileError`]; what was not claimed is still due.
pub(crate) fn claim_in_session(
    runtime: &Runtime,
    name: &SessionName,
) -> Result<Vec<DueReminder>, FileError> {
    match viewer_in(runtime, name) {
        Some(viewer) => claim_reminders(runtime, &viewer, &format!("session {name}")),
        None => Ok(Vec::new()),
    }
}

/// Claims one promise whose subject came up in a session of the owner; `has_come_up` gives the best match the smallest
/// number.
///
/// # Errors
///
/// [`FileError`]; nothing was claimed.
pub(crate) fn claim_subject_in_session(
    runtime: &Runtime,
    name: &SessionName,
    has_come_up: &dyn Fn(&Promise) -> Option<usize>,
) -> Result<Option<DueReminder>, FileError> {
    let home = &runtime.home;
    let viewer = viewer_in(runtime, name).filter(|_| runtime.sandbox.is_none());
    let Some(viewer) = viewer else {
        return Ok(None);
    };
    let place = format!("session {name}");
    let may_tell = |own: &Promise| {
        let is_seen = own
            .scope
            .as_deref()
            .is_none_or(|it| viewer.sees_session(it));
        is_seen.then(|| has_come_up(own)).flatten()
    };
    let now = (home.clock.now(), home.timezone);
    let own = claim_subject(&home.workspace, now, &place, &may_tell)?;
    Ok(own.map(|own| DueReminder {
        cue: ReminderCue::Subject(redact(own.occasion.subject().unwrap_or_default()).into_owned()),
        text: redact(&own.text).into_owned(),
        id: own.id,
    }))
}

/// Who sees the reminders in a session; `None` if it does not see the owner's memory.
fn viewer_in(runtime: &Runtime, name: &SessionName) -> Option<Viewer> {
    let holding = || match Repository::holding(&runtime.home.sessions, name) {
        Some(own) => Viewer::Program(Some(own)),
        None => Viewer::Owner,
    };
    runtime.is_primary(name).then(holding)
}

/// Writes the next times of told reminders into the page. Callers show the reminders first, because a crash between a claim
/// and its showing loses them. An error is ignored: the next claim writes the same.
pub(crate) fn settle_told(home: &HomeAccess) {
    let now = (home.clock.now(), home.timezone);
    drop(settle(&home.workspace, now));
}

/// Reads the times of the reminders of a message, seen from a moment: a part that names no day follows the time of the part
/// before it.
pub(crate) fn read_reminders(asked: &[AskedReminder], at: DateTime<Tz>) -> Vec<TimeAhead> {
    let mut all: Vec<TimeAhead> = Vec::new();
    for own in asked {
        let read = time_ahead_in(&own.rest, at);
        let before = all.last().filter(|_| own.is_further && !read.names_day);
        let read = match before {
            None => read,
            Some(before) => {
                behind(before, (&own.rest, at.timezone())).unwrap_or_else(|| read.on_unknown_day())
            }
        };
        all.push(read);
    }
    all
}

/// A time of day as seen from the time before it: the next one that the clock shows then, on the same day.
fn behind(before: &TimeAhead, (text, timezone): (&str, Tz)) -> Option<TimeAhead> {
    let When { day, time, every } = before.when.as_ref().ok()?.as_ref()?;
    let from = day.date().and_time(time.unwrap_or(NaiveTime::MIN));
    let read = time_ahead_in(text, timezone.from_local_datetime(&from).earliest()?);
    let when = read.when.as_ref().ok().and_then(Option::as_ref);
    let is_same_day = every.is_none() && when.is_none_or(|it| it.day == *day);
    is_same_day.then_some(read)
}

/// Writes the notices about reminders in the language of the owner's message.
pub(crate) struct ReminderNotices<'h> {
    home: &'h HomeAccess,
    words: Option<&'static ReminderWords>,
}

impl<'h> ReminderNotices<'h> {
    /// The notices about what a message asks for.
    pub(crate) fn to(home: &'h HomeAccess, message: &str) -> Self {
        let words = reminder_words(message);
        Self { home, words }
    }

    fn written(&self, write: impl FnOnce(&ReminderWords) -> String) -> String {
        // There are words in each build, which a test of the language files proves.
        self.words.map(write).unwrap_or_default()
    }

    fn undo(&self, id: &str) -> String {
        self.home.invocation.command(&format!("agenda undo {id}"))
    }

    /// The notice about a new reminder.
    pub(crate) fn newly_kept(&self, own: &Promise) -> String {
        self.made((&due(&own.occasion), &own.text), &own.id)
    }

    /// The notice that a reminder is due at a time, or with a subject.
    pub(crate) fn made(&self, (due, text): (&ReminderDue<'_>, &str), id: &str) -> String {
        let (text, undo) = (redact(text), self.undo(id));
        self.written(|words| match due {
            ReminderDue::At(at) => words.made((&words.time(at), &text), &undo),
            ReminderDue::About(subject) => {
                words.made_about((&words.about(&redact(subject)), &text), &undo)
            }
        })
    }

    /// The notice about a reminder that exists already.
    pub(crate) fn already_kept(&self, own: &Promise) -> String {
        let text = redact(&own.text);
        self.written(|words| {
            let when = match due(&own.occasion) {
                ReminderDue::At(at) => words.time(&at),
                ReminderDue::About(subject) => words.about(&redact(subject)),
            };
            words.known((&when, &text), &own.id)
        })
    }

    /// The notice about a reminder that was ticked off.
    pub(crate) fn done(&self, (text, id): (&str, &str)) -> String {
        let undo = self.undo(id);
        self.written(|words| words.done(&redact(text), &undo))
    }

    /// The notice about a reminder that was removed.
    pub(crate) fn dropped(&self, (text, id): (&str, &str)) -> String {
        let undo = self.undo(id);
        self.written(|words| words.dropped(&redact(text), &undo))
    }

    /// Precedes a notice about the effect of an undo.
    pub(crate) fn taken_back(&self) -> String {
        self.written(|words| words.taken_back().to_owned())
    }

    /// The notice that a reminder is as it was before its last change.
    pub(crate) fn as_before(&self, id: &str) -> String {
        self.written(|words| words.as_before(id))
    }

    /// The notice that no reminder was made, with the commands that make one.
    pub(crate) fn not_made(&self, why: Unmade<'_>, arguments: Vec<String>) -> String {
        let commands = arguments.into_iter();
        let commands = commands.map(|own| format!("`{}`", self.home.invocation.command(&own)));
        let commands: Vec<String> = commands.collect();
        self.written(|words| words.not_made(why, &commands))
    }
}

/// When a reminder comes up, as a notice says it.
pub(crate) enum ReminderDue<'t> {
    At(DueAt),
    /// With this subject.
    About(&'t str),
}

fn due(occasion: &Occasion) -> ReminderDue<'_> {
    match occasion {
        Occasion::Time { when, repeats } => ReminderDue::At(DueAt {
            day: when.day,
            time: when.time.map(|it| it.format("%H:%M").to_string()),
            every: repeats.as_ref().map(|own| own.every.clone()),
        }),
        Occasion::Subject(subject) => ReminderDue::About(subject),
    }
}

/// The notice about what the assistant promised, which is no reminder yet.
pub(crate) fn proposed(home: &HomeAccess, own: &Promise) -> String {
    let command = |action: &str| {
        home.invocation
            .command(&format!("agenda {action} {}", own.id))
    };
    format!(
        "The assistant promised this for {}. `{}` makes a reminder of it, `{}` removes it.",
        in_words(own),
        command("keep"),
        command("drop")
    )
}

fn in_words(own: &Promise) -> String {
    let text = redact(&own.text);
    match &own.occasion {
        Occasion::Time { when, repeats } => {
            let day = when.day.date().format("%A");
            let repeats = repeats.as_ref().map(|it| format!(", {it}"));
            format!("{day}, {when}{}: {text}", repeats.unwrap_or_default())
        }
        Occasion::Subject(subject) => format!("when {} comes up: {text}", redact(subject)),
    }
}
