//! Requests of the owner for a reminder take effect in `PROMISES.md` in that turn, whichever model answers.
//!
//! Never guesses a time: it asks if the time is not certain.

use base::dates::{When, time_ahead_in};
use base::{EntryId, Message, ToolOutcome, shell_quoted};
use extract::{AskedReminder, reminders_asked};
use memory::promises::{AddedPromise, NewPromise, PromiseError, add_promise, promises};
use session::{SessionName, Turn, ViewItem};

use crate::event::{Event, OnEvent};
use crate::knowledge::scope::Repository;
use crate::reminders::{already_kept, newly_kept};
use crate::runtime::{HomeAccess, Runtime};
use crate::tools::promise::sets_reminder;
use crate::tools::spec::keeps_reminders;
use crate::turn::keep_asked::newest_of_owner;

/// What the owner's newest message asks for besides reminders.
pub(super) enum BesidesReminders {
    /// It asks for no reminder.
    NoReminder,
    /// Nothing.
    Nothing,
    /// To remember this.
    Remember(String),
}

/// Keeps the reminders that the owner's newest message asks for.
pub(super) fn keep_reminders(
    runtime: &Runtime,
    turn: &Turn,
    on_event: OnEvent<'_>,
) -> BesidesReminders {
    let Some(said) = newest_of_owner(turn) else {
        return BesidesReminders::NoReminder;
    };
    let Some(asked) = reminders_asked(&said.message.text()) else {
        return BesidesReminders::NoReminder;
    };
    let home = &runtime.home;
    if !has_kept(turn) && !said.entry.as_ref().is_some_and(|own| is_kept(home, own)) {
        for own in &asked.reminders {
            on_event(kept(home, turn.name(), (own, said.entry.as_ref())));
        }
    }
    match asked.to_remember {
        nothing if nothing.is_empty() => BesidesReminders::Nothing,
        own => BesidesReminders::Remember(own),
    }
}

/// Keeps one reminder, or says which command makes it.
fn kept(
    home: &HomeAccess,
    name: &SessionName,
    (asked, entry): (&AskedReminder, Option<&EntryId>),
) -> Event {
    let now = home.clock.now().with_timezone(&home.timezone);
    let read = time_ahead_in(&asked.rest, now);
    let text = asked.text(&read);
    let undone = |why: &str| {
        let commands = read.spelled_out(&text).into_iter();
        let commands = commands.map(|words| {
            let command = format!("agenda add {}", shell_quoted(&words));
            format!("`{}`", home.invocation.command(&command))
        });
        let commands: Vec<String> = commands.collect();
        Event::Notice(format!(
            "No reminder was made, because {why}. {} makes one.",
            commands.join(" or ")
        ))
    };
    match &read.when {
        Ok(Some(_)) if text.is_empty() => undone("your message does not say what to remind you of"),
        Ok(Some(when)) => match add(home, name, (when.clone(), text), entry.cloned()) {
            Ok(own) if own.is_new => Event::MemoryChanged(newly_kept(home, &own.promise)),
            Ok(own) => Event::Notice(already_kept(&own.promise)),
            Err(error) => Event::Warning(format!("PROMISES.md was not changed: {error}")),
        },
        Ok(None) => undone("your message does not name a day or a time of day"),
        Err(why) => undone(&format!("its time is not certain: {why}")),
    }
}

/// Whether the model has made, moved or restored a reminder in this turn with its tool. One that it ended is another.
fn has_kept(turn: &Turn) -> bool {
    let messages = turn.view().items.iter().rev().filter_map(ViewItem::message);
    let since: Vec<&Message> = messages
        .take_while(|message| !matches!(message, Message::User { .. }))
        .collect();
    let mut calls = since.iter().flat_map(|message| message.tool_calls());
    calls.any(|call| {
        let is_answer = |message: &&Message| {
            matches!(message, Message::ToolResult(result)
                if result.call_id == call.id && result.outcome == ToolOutcome::Success)
        };
        keeps_reminders(&call.name) && sets_reminder(&call.arguments) && since.iter().any(is_answer)
    })
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
    let repository = Repository::holding(&home.sessions, name);
    let new = NewPromise {
        evidence: entry.into_iter().collect(),
        session: repository.map(|own| own.notes()),
        ..NewPromise::reminder(when, text)
    };
    add_promise(&home.workspace, new, home.clock.now(), home.timezone)
}
