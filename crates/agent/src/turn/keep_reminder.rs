//! Requests of the owner for a reminder take effect in `PROMISES.md` in that turn, whichever model answers.
//!
//! Never guesses a time: it asks if the time is not certain.

use base::dates::{When, time_ahead_in};
use base::{EntryId, Origin, shell_quoted};
use extract::reminder_asked;
use memory::promises::{
    AddedPromise, NewPromise, PromiseError, PromiseKind, PromiseTime, Repetition, add_promise,
    promises,
};
use session::{SessionName, Turn};

use crate::event::{Event, OnEvent};
use crate::knowledge::scope::Repository;
use crate::ops::reminder_readings;
use crate::reminders::{already_kept, newly_kept};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::keep_asked::newest_of_owner;

/// Keeps the reminder that the owner's newest message asks for; returns whether it asks for one.
pub(super) fn keep_reminder(runtime: &Runtime, turn: &Turn, on_event: OnEvent<'_>) -> bool {
    let Some(said) = newest_of_owner(turn) else {
        return false;
    };
    let message = said.message.text();
    let Some(asked) = reminder_asked(&message) else {
        return false;
    };
    let home = &runtime.home;
    if said.entry.as_ref().is_some_and(|own| is_kept(home, own)) {
        // The model has made it with its tool.
        return true;
    }
    let now = home.clock.now().with_timezone(&home.timezone);
    let read = time_ahead_in(&asked.rest, now);
    let text = asked.text(&read);
    let why = match read.when {
        Ok(Some(when)) => {
            let made = add(home, turn.name(), (when, text), said.entry);
            on_event(match made {
                Ok(own) if own.is_new => Event::MemoryChanged(newly_kept(home, &own.promise)),
                Ok(own) => Event::Notice(already_kept(&own.promise)),
                Err(error) => Event::Warning(format!("PROMISES.md was not changed: {error}")),
            });
            return true;
        }
        Ok(None) => "it names no day and no time of day".to_owned(),
        Err(unclear) => unclear.to_string(),
    };
    let readings = reminder_readings(&read.readings, home.today());
    let commands = readings.iter().map(|time| {
        let words = shell_quoted(&format!("{time} {text}"));
        format!(
            "`{}`",
            home.invocation.command(&format!("agenda add {words}"))
        )
    });
    let commands: Vec<String> = commands.collect();
    on_event(Event::Notice(format!(
        "No reminder was made, because its time is not certain: {why}. {} makes one.",
        commands.join(" or ")
    )));
    true
}

/// Whether a reminder was made from this message.
fn is_kept(home: &HomeAccess, entry: &EntryId) -> bool {
    let list = promises(&home.workspace, home.clock.now(), home.timezone);
    let made = list.map(|list| list.promises).unwrap_or_default();
    made.iter().any(|(own, _)| own.evidence.contains(entry))
}

fn add(
    home: &HomeAccess,
    name: &SessionName,
    (when, text): (When, String),
    entry: Option<EntryId>,
) -> Result<AddedPromise, PromiseError> {
    let When { day, time, every } = when;
    let repository = Repository::holding(&home.sessions, name);
    let new = NewPromise {
        kind: PromiseKind::Reminder,
        when: PromiseTime { day, time },
        repeats: every.map(|every| Repetition { every, time }),
        text,
        origin: Origin::Owner,
        evidence: entry.into_iter().collect(),
        session: repository.map(|own| own.notes()),
    };
    add_promise(&home.workspace, new, home.clock.now(), home.timezone)
}
