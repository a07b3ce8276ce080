//! Claims the promises that are due: the only function through which a door gets them.
//!
//! A door that cannot show a reminder does not claim it, since what is claimed counts as told.

use std::fmt;

use base::redact;
use memory::FileError;
use memory::promises::{Promise, ToldPromise, claim_due, settle};
use session::SessionName;

use crate::knowledge::scope::{Repository, Viewer};
use crate::runtime::{HomeAccess, Runtime};

/// A promise that was claimed: no other door will show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReminder {
    /// Its id.
    pub id: String,
    /// The time at which it fell due, as `YYYY-MM-DD HH:MM` or `YYYY-MM-DD`.
    pub when: String,
    /// The next time of a repetition.
    pub next: Option<String>,
    /// The text of the reminder, with secrets redacted.
    pub text: String,
}

impl DueReminder {
    fn of(told: &ToldPromise) -> Self {
        Self {
            id: told.promise.id.clone(),
            when: told.when.to_string(),
            next: told.next.map(|next| next.to_string()),
            text: redact(&told.promise.text).into_owned(),
        }
    }
}

impl fmt::Display for DueReminder {
    /// One line for a person.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Reminder ({}", self.when)?;
        if let Some(next) = &self.next {
            write!(formatter, ", next on {next}")?;
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
    if !runtime.is_primary(name) {
        return Ok(Vec::new());
    }
    let viewer = match Repository::holding(&runtime.home.sessions, name) {
        Some(own) => Viewer::Program(Some(own)),
        None => Viewer::Owner,
    };
    claim_reminders(runtime, &viewer, &format!("session {name}"))
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
    format!("Reminder for {} (`{undo}` reverts this)", in_words(own))
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
    let day = own.when.day.date().format("%A");
    let repeats = own.repeats.as_ref().map(|it| format!(", {it}"));
    let repeats = repeats.unwrap_or_default();
    format!("{day}, {}{repeats}: {}", own.when, redact(&own.text))
}
