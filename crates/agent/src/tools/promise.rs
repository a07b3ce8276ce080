//! The tool `promise`: sets, moves and ends the owner's reminders as the owner's message asks.
//!
//! Never computes a time: the one reader of dates reads the owner's own words, and a time that is not certain is asked back.

use base::dates::{TimeAhead, When, time_ahead_in};
use base::{EntryId, own_lines};
use dreaming::holds_quote;
use memory::promises::{NewPromise, Occasion, Promise, PromiseTime, add_promise};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::lasting::LastingChange;
use super::owner_turn::OwnerTurn;
use crate::knowledge::scope::Repository;
use crate::ops::{
    DecidePromise, MeantPromise, OpContext, Operation, PromiseAction, PromiseReply, PromiseStatus,
    promise_meant,
};
use crate::reminders::ReminderNotices;
use crate::runtime::{HomeAccess, Runtime};

#[derive(Deserialize)]
struct PromiseArguments {
    action: Action,
    quote: String,
    text: String,
    #[serde(default)]
    when: String,
    #[serde(default)]
    about: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Add,
    Done,
    Snooze,
    Drop,
    Keep,
    Undo,
}

/// Whether these arguments make, move or restore a reminder.
pub(crate) fn sets_reminder(arguments: &str) -> bool {
    let read = serde_json::from_str::<PromiseArguments>(arguments);
    read.is_ok_and(|own| match own.action {
        Action::Add | Action::Snooze | Action::Keep | Action::Undo => true,
        Action::Done | Action::Drop => false,
    })
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
    turn.check_quote(&arguments.quote)?;
    let action = match arguments.action {
        Action::Add => return add(runtime, name, &turn, &arguments),
        Action::Done => PromiseAction::Done,
        Action::Snooze => PromiseAction::Snooze,
        Action::Drop => PromiseAction::Drop,
        Action::Keep => PromiseAction::Keep,
        Action::Undo => PromiseAction::Undo,
    };
    let id = meant(at, &arguments.text, action)?;
    let when = match action {
        PromiseAction::Snooze => {
            let said = turn.time_ahead(&arguments.when, &runtime.home)?;
            Some(said.when.written())
        }
        PromiseAction::Done | PromiseAction::Drop | PromiseAction::Keep | PromiseAction::Undo => {
            None
        }
    };
    let request = DecidePromise { id, action, when };
    let done = request.run(at).map_err(|error| format!("{error}."))?;
    Ok(changed(&done, &turn.notices(&runtime.home)))
}

fn add(
    runtime: &Runtime,
    name: &SessionName,
    turn: &OwnerTurn,
    arguments: &PromiseArguments,
) -> Result<LastingChange, String> {
    let home = &runtime.home;
    let text = arguments.text.clone();
    let (evidence, new) = if arguments.about.trim().is_empty() {
        let said = turn.time_ahead(&arguments.when, home)?;
        (said.entries, NewPromise::reminder(said.when, text))
    } else {
        let newest = turn.said().first().map(|own| own.entry.clone());
        let about = NewPromise::about(&arguments.about, text);
        (newest.into_iter().collect(), about)
    };
    let new = NewPromise {
        evidence,
        session: Repository::holding(&home.sessions, name).map(|own| own.notes()),
        ..new
    };
    let added = add_promise(&home.workspace, new, home.clock.now(), home.timezone);
    let added = added.map_err(|error| format!("PROMISES.md was not changed: {error}."))?;
    let own = &added.promise;
    let notices = turn.notices(home);
    let notice = if added.is_new {
        notices.newly_kept(own)
    } else {
        notices.already_kept(own)
    };
    Ok(LastingChange {
        answer: format!(
            "Kept as ^{}: {}. The owner is told so.",
            own.id,
            occasion(own)
        ),
        notice,
    })
}

/// The times that a text may mean, in a sentence; empty if it names none.
pub(super) fn may_be(read: &TimeAhead) -> String {
    match read.whole_readings().join(" or ") {
        none if none.is_empty() => String::new(),
        times => format!(" It may be {times}."),
    }
}

/// The id of the one promise that these words mean.
fn meant(at: &OpContext<'_>, words: &str, action: PromiseAction) -> Result<String, String> {
    let found = promise_meant(at, words, action).map_err(|error| format!("{error}."))?;
    match found {
        MeantPromise::One(id) => Ok(id),
        MeantPromise::Nothing(others) => Err(format!(
            "No reminder has the words {words:?}. These could be meant: {}",
            in_words(&others)
        )),
        MeantPromise::Dropped(own) => Err(format!(
            "The reminder {:?} was dropped. If the owner wants it back, call it with `undo` and the id ^{}.",
            own.text, own.id
        )),
        MeantPromise::Several(several) => Err(format!(
            "Several reminders have the words {words:?}. Call it again with the id of one: {}",
            in_words(&several)
        )),
    }
}

fn in_words(all: &[PromiseReply]) -> String {
    let lines = all
        .iter()
        .map(|own| format!("^{} {}: {}", own.id, own.occasion(), own.text));
    lines.collect::<Vec<_>>().join("; ")
}

/// The time of a promise, or its subject.
fn occasion(own: &Promise) -> String {
    match &own.occasion {
        Occasion::Time { when, .. } => when.to_string(),
        Occasion::Subject(subject) => format!("when {subject} comes up"),
    }
}

fn changed(own: &PromiseReply, notices: &ReminderNotices<'_>) -> LastingChange {
    let text = (own.text.as_str(), own.id.as_str());
    let (what, notice) = match own.status {
        PromiseStatus::Open | PromiseStatus::Told | PromiseStatus::Proposed => {
            let what = match own.about {
                Some(_) => format!("Reminder {}", own.occasion()),
                None => format!("Reminder for {}", own.occasion()),
            };
            (what, notices.made((&own.due(), &own.text), &own.id))
        }
        PromiseStatus::Done => ("Reminder done".to_owned(), notices.done(text)),
        PromiseStatus::Dropped => ("Reminder dropped".to_owned(), notices.dropped(text)),
    };
    let undone = own.taken_back.map(|_| notices.taken_back());
    let answer = match own.taken_back {
        Some(change) => format!("Taken back: {}. ", change.in_words()),
        None => String::new(),
    };
    LastingChange {
        answer: format!("{answer}{what}: {} (^{}).", own.text, own.id),
        notice: format!("{}{notice}", undone.unwrap_or_default()),
    }
}

/// A time that the owner named.
struct SaidTime {
    when: When,
    /// The messages from the owner's last one back to the one that names the time.
    entries: Vec<EntryId>,
}

impl OwnerTurn {
    /// The notices in the language of the owner's message.
    fn notices<'h>(&self, home: &'h HomeAccess) -> ReminderNotices<'h> {
        let newest = self.said().first().map(|own| own.text.as_str());
        ReminderNotices::to(home, newest.unwrap_or_default())
    }

    /// The time that the owner's words mean, seen from the moment of the message in which they stand: the owner's last
    /// message, or the one before it.
    fn time_ahead(&self, words: &str, home: &HomeAccess) -> Result<SaidTime, String> {
        if words.trim().is_empty() {
            return Err(
                "No reminder was made, because the owner did not name a time. Ask the owner when."
                    .to_owned(),
            );
        }
        let mut recent = self.said().iter().take(TIME_MESSAGES);
        let place = recent.position(|own| holds_quote(&own_lines(&own.text), words));
        let said = place.and_then(|place| self.said().get(..=place));
        let Some(([.., named], entries)) = said.map(|it| (it, it)) else {
            return Err(format!(
                "No reminder was made: {words:?} is not in the owner's message. Copy the owner's own words for the time \
                 into `when`, and do not compute a date."
            ));
        };
        let read = time_ahead_in(words, named.at.with_timezone(&home.timezone));
        let asks = |why: &str| {
            format!(
                "No reminder was made, because its time is not certain: {why}.{} Ask the owner which time they mean.",
                may_be(&read)
            )
        };
        let when = read.when.clone().map_err(|why| asks(&why.to_string()))?;
        let when = when.ok_or_else(|| asks("the owner does not name a day or a time of day"))?;
        let now = home.clock.now().with_timezone(&home.timezone).naive_local();
        let When { day, time, .. } = when;
        let is_past =
            day.date() < now.date() || PromiseTime { day, time }.local() <= now && time.is_some();
        if is_past && when.every.is_none() {
            return Err(format!(
                "No reminder was made: the owner said {words:?} on {}, and that time has passed. Ask the owner when.",
                base::day(named.at, home.timezone)
            ));
        }
        Ok(SaidTime {
            when,
            entries: entries.iter().map(|own| own.entry.clone()).collect(),
        })
    }
}

#[cfg(test)]
#[path = "promise_tests.rs"]
mod tests;
