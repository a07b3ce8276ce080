//! The tool `promise`: sets, moves and ends the owner's reminders as the owner's message asks.
//!
//! Never computes a time: the one reader of dates reads the owner's own words, and a time that is not certain is asked back.

use base::dates::{When, time_ahead_in};
use base::{Origin, own_lines};
use dreaming::{SpokenMessage, holds_quote};
use memory::promises::{NewPromise, PromiseKind, PromiseTime, Repetition, add_promise};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::lasting::LastingChange;
use super::owner_turn::OwnerTurn;
use crate::knowledge::scope::Repository;
use crate::ops::{
    Agenda, DecidePromise, OpContext, Operation, PromiseAction, PromiseReply, PromiseStatus,
};
use crate::reminders::{already_kept, newly_kept};
use crate::runtime::{HomeAccess, Runtime};

#[derive(Deserialize)]
struct PromiseArguments {
    action: Action,
    quote: String,
    text: String,
    #[serde(default)]
    when: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Add,
    Done,
    Snooze,
    Drop,
    Undo,
}

/// Number of the owner's last messages that may name the time of a reminder: it may have been asked back.
const TIME_MESSAGES: usize = 2;

/// Carries out what the owner's message asks for.
pub(super) fn keep(
    runtime: &Runtime,
    at: &OpContext<'_>,
    name: &SessionName,
    arguments: &str,
) -> Result<LastingChange, String> {
    let arguments: PromiseArguments = read(arguments)?;
    let turn = OwnerTurn::of(runtime, name)?;
    turn.check_words(&arguments.quote)?;
    let action = match arguments.action {
        Action::Add => return add(runtime, name, &turn, &arguments),
        Action::Done => PromiseAction::Done,
        Action::Snooze => PromiseAction::Snooze,
        Action::Drop => PromiseAction::Drop,
        Action::Undo => PromiseAction::Undo,
    };
    // What was dropped is on no list.
    let id = if action == PromiseAction::Undo && is_id(&arguments.text) {
        arguments.text.clone()
    } else {
        meant(at, &arguments.text)?
    };
    let when = match action {
        PromiseAction::Snooze => Some(turn.time_words(&arguments.when)?.to_owned()),
        PromiseAction::Done | PromiseAction::Drop | PromiseAction::Undo => None,
    };
    let request = DecidePromise { id, action, when };
    let done = request.run(at).map_err(|error| format!("{error}."))?;
    Ok(changed(&done, &runtime.home))
}

fn add(
    runtime: &Runtime,
    name: &SessionName,
    turn: &OwnerTurn,
    arguments: &PromiseArguments,
) -> Result<LastingChange, String> {
    let home = &runtime.home;
    let now = home.clock.now().with_timezone(&home.timezone);
    let read = time_ahead_in(turn.time_words(&arguments.when)?, now);
    let asks = |why: &str| {
        let readings = read.readings.iter();
        let readings: Vec<String> = readings
            .map(|it| it.format("%Y-%m-%d %H:%M").to_string())
            .collect();
        let meant = match readings.join(" or ") {
            none if none.is_empty() => String::new(),
            meant => format!(" It may be {meant}."),
        };
        format!(
            "No reminder was made, because its time is not certain: {why}.{meant} Ask the owner which time they mean."
        )
    };
    let when = read.when.clone().map_err(|why| asks(&why.to_string()))?;
    let When { day, time, every } =
        when.ok_or_else(|| asks("the owner names no day and no time of day"))?;
    let said = turn.said().iter().take(TIME_MESSAGES);
    let new = NewPromise {
        kind: PromiseKind::Reminder,
        when: PromiseTime { day, time },
        repeats: every.map(|every| Repetition { every, time }),
        text: arguments.text.clone(),
        origin: Origin::Owner,
        evidence: said
            .map(|own: &SpokenMessage| own.entry.clone())
            .take(1)
            .collect(),
        session: Repository::holding(&home.sessions, name).map(|own| own.notes()),
    };
    let added = add_promise(&home.workspace, new, home.clock.now(), home.timezone);
    let added = added.map_err(|error| format!("PROMISES.md was not changed: {error}."))?;
    let own = &added.promise;
    let notice = if added.is_new {
        newly_kept(home, own)
    } else {
        already_kept(own)
    };
    Ok(LastingChange {
        answer: format!("Kept as ^{}: {}. The owner is told so.", own.id, own.when),
        notice,
    })
}

/// The id of the one promise that these words mean.
fn meant(at: &OpContext<'_>, words: &str) -> Result<String, String> {
    let agenda = Agenda::default();
    let listed = agenda
        .run(at)
        .map_err(|error| format!("{error}."))?
        .promises;
    let words = words.trim().trim_start_matches('^').to_lowercase();
    let found: Vec<&PromiseReply> = listed
        .iter()
        .filter(|own| {
            own.id.starts_with(&words) && is_id(&words) || own.text.to_lowercase().contains(&words)
        })
        .collect();
    match found.as_slice() {
        [own] => Ok(own.id.clone()),
        [] => Err(format!(
            "No reminder has the words {words:?}. These are open: {}",
            in_words(&listed.iter().collect::<Vec<_>>())
        )),
        several => Err(format!(
            "Several reminders have the words {words:?}. Call it again with the id of one: {}",
            in_words(several)
        )),
    }
}

fn is_id(words: &str) -> bool {
    let words = words.trim().trim_start_matches('^');
    words.len() >= 4 && words.bytes().all(|it| it.is_ascii_hexdigit())
}

fn in_words(all: &[&PromiseReply]) -> String {
    let lines = all.iter().map(|own| {
        let time = own.time.as_deref().unwrap_or_default();
        format!("^{} {} {time} {}", own.id, own.day, own.text)
    });
    lines.collect::<Vec<_>>().join("; ")
}

fn changed(own: &PromiseReply, home: &HomeAccess) -> LastingChange {
    let time = own.time.as_deref().map(|it| format!(" {it}"));
    let when = format!("{}{}", own.day, time.unwrap_or_default());
    let what = match own.status {
        PromiseStatus::Open | PromiseStatus::Told => format!("Reminder for {when}"),
        PromiseStatus::Done => "Reminder done".to_owned(),
        PromiseStatus::Dropped => "Reminder dropped".to_owned(),
    };
    let undo = home.invocation.command(&format!("agenda undo {}", own.id));
    LastingChange {
        answer: format!("{what}: {} (^{}).", own.text, own.id),
        notice: format!("{what}: {} (`{undo}` reverts this)", own.text),
    }
}

impl OwnerTurn {
    /// The owner's words for a time, if the owner said them in this turn or just before.
    fn time_words<'w>(&self, when: &'w str) -> Result<&'w str, String> {
        if when.trim().is_empty() {
            return Err(
                "No reminder was made, because the owner names no time. Ask the owner when."
                    .to_owned(),
            );
        }
        let mut recent = self.said().iter().take(TIME_MESSAGES);
        if recent.any(|own| holds_quote(&own_lines(&own.text), when)) {
            Ok(when)
        } else {
            Err(format!(
                "No reminder was made: {when:?} is not in the owner's message. Copy the owner's own words for the time into \
                 `when`, and do not compute a date."
            ))
        }
    }
}

#[cfg(test)]
#[path = "promise_tests.rs"]
mod tests;
