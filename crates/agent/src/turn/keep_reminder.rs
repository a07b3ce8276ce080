//! Requests of the owner for a reminder take effect in `PROMISES.md` in that turn, whichever model answers.
//!
//! Never guesses a time: it asks if the time is not certain.

use base::dates::{TimeAhead, When, time_ahead_in};
use base::model::Excerpt;
use base::{EntryId, Message, Timestamp, ToolOutcome, shell_quoted};
use extract::{AskedReminder, reminders_asked};
use memory::promises::{
    AddedPromise, NewPromise, Occasion, Promise, PromiseError, add_promise, promises,
};
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
    let reminders = asked.reminders.iter();
    let reminders = reminders.map(|own| ReadReminder::of(own, said.at, home));
    for own in unkept(home, turn, &said, reminders.collect()) {
        on_event(kept(home, turn.name(), (own, said.entry.as_ref())));
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
    fn of(asked: &AskedReminder, said_at: Timestamp, home: &HomeAccess) -> Self {
        let seen_from =
            |at: Timestamp| time_ahead_in(&asked.rest, at.with_timezone(&home.timezone));
        let [then, read] = [said_at, home.clock.now()].map(seen_from);
        let times = [&then, &read].into_iter();
        let times = times.filter_map(|it| it.when.clone().ok().flatten());
        Self {
            occasions: times.map(Occasion::at).collect(),
            text: asked.text(&read),
            read,
        }
    }

    fn is_certain(&self) -> bool {
        matches!(self.read.when, Ok(Some(_))) && !self.text.is_empty()
    }

    /// Whether a promise is due when this is; the next time of a repetition may be another one.
    fn is_due_with(&self, own: &Promise) -> bool {
        let mut occasions = self.occasions.iter();
        occasions.any(|it| match it.repeats() {
            Some(repeats) => own.occasion.repeats() == Some(repeats),
            None => own.occasion.when() == it.when(),
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
    home: &HomeAccess,
    name: &SessionName,
    (asked, entry): (ReadReminder, Option<&EntryId>),
) -> Event {
    let ReadReminder { read, text, .. } = asked;
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
