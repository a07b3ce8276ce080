//! Claims the promises that are due: the only function through which a door gets them.
//!
//! A door that cannot show a reminder does not claim it, since what is claimed counts as told.

use std::fmt;

use base::redact;
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

/// The notice about a new reminder.
pub(crate) fn newly_kept(home: &HomeAccess, own: &Promise) -> String {
    let undo = home.invocation.command(&format!("agenda undo {}", own.id));
    match &own.occasion {
        Occasion::Time { .. } => format!("Reminder for {} (`{undo}` reverts this)", in_words(own)),
        Occasion::Subject(_) => format!("Reminder {} (`{undo}` reverts this)", in_words(own)),
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

/// The notice about a reminder that exists already.
pub(crate) fn already_kept(own: &Promise) -> String {
    format!(
        "You have this reminder already: {} (^{})",
        in_words(own),
        own.id
    )
}

/// The notice about a reminder that was taken back.
pub(crate) fn dropped(home: &HomeAccess, own: &Promise) -> String {
    let undo = home.invocation.command(&format!("agenda undo {}", own.id));
    format!(
        "Reminder dropped: {} (`{undo}` restores it)",
        redact(&own.text)
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
