//! Requests of the owner for a reminder take effect in `PROMISES.md` in that turn, whichever model answers.
//!
//! Never guesses a time: it asks if the time is not certain.

use base::dates::TimeAhead;
use base::model::Excerpt;
use base::{EntryId, Message, Timestamp, ToolOutcome, shell_quoted};
use extract::{AskedReminder, Unmade, reminders_asked};
use memory::promises::{
    AddedPromise, NewPromise, Occasion, Promise, PromiseError, add_promise, promises,
};
use session::{SessionName, Turn, ViewItem};

use crate::event::{Event, OnEvent};
use crate::knowledge::scope::Repository;
use crate::reminders::{ReminderNotices, read_reminders};
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
    let notices = ReminderNotices::to(home, &said.message.text());
    let reminders = ReadReminder::all(&asked.reminders, said.at, home);
    for own in unkept(home, turn, &said, reminders) {
        on_event(kept(
            (home, &notices),
            turn.name(),
            (own, said.entry.as_ref()),
        ));
    }
    match asked.to_remember {
        nothing if nothing.is_empty() => BesidesReminders::Nothing,
        own => BesidesReminders::Remember(own),
    }
}

/// A reminder that the owner asks for, and its time.
struct ReadReminder {
    read: TimeAhead,
    text: String,
    /// When it is due, seen from the moment of the message and from now: `in 20 minutes` differs.
    occasions: Vec<Occasion>,
}

impl ReadReminder {
    /// The reminders of one message, in its order.
    fn all(asked: &[AskedReminder], said_at: Timestamp, home: &HomeAccess) -> Vec<Self> {
        let seen_from = |at: Timestamp| {
            let at = at.with_timezone(&home.timezone);
            read_reminders(asked, at)
        };
        let [then, now] = [said_at, home.clock.now()].map(seen_from);
        let read = asked.iter().zip(then.into_iter().zip(now));
        let all = read.map(|(own, (then, read))| {
            let occasions = if let Some(subject) = &own.subject {
                vec![NewPromise::about(subject, String::new()).occasion]
            } else {
                let times = [then.when, read.when.clone()].into_iter();
                let times = times.filter_map(|it| it.ok().flatten());
                times.map(Occasion::at).collect()
            };
            Self {
                occasions,
                text: own.text(&read),
                read,
            }
        });
        all.collect()
    }

    fn is_certain(&self) -> bool {
        !self.occasions.is_empty() && !self.text.is_empty() && self.unsure().is_none()
    }

    /// The subject that brings it up.
    fn subject(&self) -> Option<&str> {
        self.occasions.first()?.subject()
    }

    /// Why its time is not certain.
    fn unsure(&self) -> Option<Unmade<'_>> {
        match &self.read.when {
            _ if self.subject().is_some() => None,
            Ok(Some(_)) => None,
            Ok(None) => Some(Unmade::NoTime),
            Err(why) => Some(Unmade::Unsure(why)),
        }
    }

    /// Whether a promise is due when this is; the next time of a repetition may be another one.
    fn is_due_with(&self, own: &Promise) -> bool {
        let mut occasions = self.occasions.iter();
        occasions.any(|it| match it.repeats() {
            Some(repeats) => own.occasion.repeats() == Some(repeats),
            // A model words the subject in its own way.
            None if it.subject().is_some() => own.occasion.subject().is_some(),
            None => own.occasion.when() == it.when() && own.occasion.subject().is_none(),
        })
    }
}

/// The reminders of a message that nobody has kept: each promise that was made from the message, or that the model set in
/// this turn, is one of them.
fn unkept(
    home: &HomeAccess,
    turn: &Turn,
    said: &Excerpt,
    mut asked: Vec<ReadReminder>,
) -> Vec<ReadReminder> {
    let list = promises(&home.workspace, home.clock.now(), home.timezone);
    let list = list.map(|list| list.promises).unwrap_or_default();
    let set = set_by_model(turn);
    let is_made = |own: &Promise| {
        let entry = said.entry.as_ref();
        entry.is_some_and(|it| own.evidence.contains(it))
    };
    let is_set = |own: &Promise| set.iter().any(|it| it.contains(&format!("^{}", own.id)));
    let n_made = list.iter().filter(|(own, _)| is_made(own)).count();
    let standing = list.into_iter().map(|(own, _)| own);
    let mut standing: Vec<Promise> = standing.filter(|it| is_made(it) || is_set(it)).collect();
    let n_asked = asked.len();
    let mut stands = |is_same: &dyn Fn(&Promise) -> bool| {
        let place = standing.iter().position(is_same);
        place.map(|at| standing.remove(at)).is_some()
    };
    // A model writes the text in words of its own.
    asked.retain(|own| !stands(&|it| own.is_due_with(it) && own.text == it.text));
    asked.retain(|own| !stands(&|it| own.is_due_with(it)));
    // A model may know a time that the message does not name.
    let mut n_others = n_made.max(set.len()).saturating_sub(n_asked - asked.len());
    asked.retain(|own| {
        let is_other = !own.is_certain() && n_others > 0;
        n_others -= usize::from(is_other);
        !is_other
    });
    asked
}

/// Keeps one reminder, or says which command makes it.
fn kept(
    (home, notices): (&HomeAccess, &ReminderNotices<'_>),
    name: &SessionName,
    (asked, entry): (ReadReminder, Option<&EntryId>),
) -> Event {
    let why = match asked.unsure() {
        None if asked.text.is_empty() => Some(Unmade::NoText),
        why => why,
    };
    if let Some(why) = why {
        let words = asked.read.spelled_out(&asked.text).into_iter();
        let commands = words.map(|own| format!("agenda add {}", shell_quoted(&own)));
        return Event::Notice(notices.not_made(why, commands.collect()));
    }
    match add(home, name, &asked, entry.cloned()) {
        Ok(own) if own.is_new => Event::MemoryChanged(notices.newly_kept(&own.promise)),
        Ok(own) => Event::Notice(notices.already_kept(&own.promise)),
        Err(error) => Event::Warning(format!("PROMISES.md was not changed: {error}")),
    }
}

/// The answers to the calls with which the model made, moved or restored reminders in this turn. Each holds the id of
/// one. A reminder that the model ended is another.
fn set_by_model(turn: &Turn) -> Vec<String> {
    let messages = turn.view().items.iter().rev().filter_map(ViewItem::message);
    let since: Vec<&Message> = messages
        .take_while(|message| !matches!(message, Message::User { .. }))
        .collect();
    let calls = since.iter().flat_map(|message| message.tool_calls());
    let calls = calls.filter(|call| keeps_reminders(&call.name) && sets_reminder(&call.arguments));
    let answers = calls.filter_map(|call| {
        let mut answers = since.iter().filter(|message| {
            matches!(message, Message::ToolResult(result)
                if result.call_id == call.id && result.outcome == ToolOutcome::Success)
        });
        answers.next().map(|it| it.text())
    });
    answers.collect()
}

fn add(
    home: &HomeAccess,
    name: &SessionName,
    asked: &ReadReminder,
    entry: Option<EntryId>,
) -> Result<AddedPromise, PromiseError> {
    let repository = Repository::holding(&home.sessions, name);
    let new = match (asked.subject(), &asked.read.when) {
        (Some(subject), _) => NewPromise::about(subject, asked.text.clone()),
        (None, Ok(Some(when))) => NewPromise::reminder(when.clone(), asked.text.clone()),
        (None, Ok(None) | Err(_)) => return Err(PromiseError::Empty),
    };
    let new = NewPromise {
        evidence: entry.into_iter().collect(),
        session: repository.map(|own| own.notes()),
        ..new
    };
    add_promise(&home.workspace, new, home.clock.now(), home.timezone)
}

#[cfg(test)]
#[path = "keep_reminder_tests.rs"]
mod tests;
