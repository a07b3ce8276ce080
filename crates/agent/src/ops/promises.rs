//! Adds, ends and moves reminders, and takes such a change back.
//!
//! Never guesses a time: one that is not certain is an error that says what was understood.

use std::collections::BTreeSet;

use base::dates::{TimeAhead, When, placeholder_in, time_ahead_in};
use base::{Day, Hint, Tz, redact, shell_quoted};
use chrono::DateTime;
use memory::promises::{
    ChangedPromise, NewPromise, Occasion, Promise, PromiseChange, PromiseError, PromiseKind,
    PromiseTime, add_promise, change_promise, earlier_promises, promises, undo_promise,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use crate::knowledge::scope::Viewer;

/// Fewer characters are no beginning of the id of a promise that is on no list.
const ID_CHARS_MIN: usize = 4;

/// Asks to be reminded of something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddPromise {
    /// The text and the time of the reminder, such as `on Friday at 9 call the plumber`.
    #[schemars(length(min = 1))]
    pub text: String,
    /// A subject, such as `the bike`: the reminder then has no time, and comes up with its subject.
    #[serde(default)]
    pub about: Option<String>,
}

/// A change of a reminder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromiseAction {
    /// Ticks it off.
    Done,
    /// Moves it to another time.
    Snooze,
    /// Removes it.
    Drop,
    /// Makes a reminder of what the assistant promised.
    Keep,
    /// Takes its last change back.
    Undo,
}

/// Asks for a change of a reminder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecidePromise {
    /// Its id, the beginning of it, or words of its text.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The change.
    pub action: PromiseAction,
    /// The new time, such as `tomorrow at 9`, if it is snoozed.
    pub when: Option<String>,
}

/// A promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromiseReply {
    /// Its id.
    pub id: String,
    /// The day on which it is due; none if it comes up with a subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<Day>,
    /// The subject with which it comes up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The time of day, as `HH:MM`, if one was named.
    pub time: Option<String>,
    /// Its repetition, such as `every Monday at 09:00`.
    pub repeats: Option<String>,
    /// The text of the reminder.
    pub text: String,
    /// The time before a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Whether it is open, was told, or is done.
    pub status: PromiseStatus,
    /// Why it is brought up.
    pub kind: PromiseKindReply,
    /// Whether nothing changed, because it was so already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub already: bool,
    /// The page that it stands in.
    pub path: String,
    /// Its line in the page, from 1; 0 if it was just made.
    pub line: usize,
}

impl PromiseReply {
    /// Its time with the repetition, or its subject.
    pub(crate) fn occasion(&self) -> String {
        let about = || {
            format!(
                "when {} comes up",
                self.about.as_deref().unwrap_or_default()
            )
        };
        self.day.map_or_else(about, |day| {
            let time = self.time.as_deref().map(|it| format!(" {it}"));
            let repeats = self.repeats.as_deref().map(|it| format!(", {it}"));
            format!(
                "{day}{}{}",
                time.unwrap_or_default(),
                repeats.unwrap_or_default()
            )
        })
    }
}

/// The state of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromiseStatus {
    /// It is still to be told.
    Open,
    /// The assistant promised it, and the owner has not agreed to be reminded of it.
    Proposed,
    /// The owner was told.
    Told,
    /// The owner ticked it off.
    Done,
    /// Its line went.
    Dropped,
}

/// Why something is brought up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromiseKindReply {
    /// The owner asked for it at a time.
    Reminder,
    /// The owner asked for it when a conversation comes to a subject.
    Subject,
    /// The assistant said that it would do it.
    Promised,
}

impl Operation for AddPromise {
    type Reply = PromiseReply;

    fn run(self, at: &OpContext<'_>) -> Result<PromiseReply, OpError> {
        if let Some(placeholder) = placeholder_in(&self.text) {
            let why =
                format!("{placeholder} stands for a value: give the day or the time in its place");
            return Err(OpError::invalid("text", why));
        }
        let new = if let Some(subject) = &self.about {
            NewPromise::about(subject, self.text)
        } else {
            let read = time_ahead_in(&self.text, local_now(at));
            let when = certain(&read, |read| {
                let all = read.spelled_out(&read.rest).into_iter();
                all.map(|it| format!("agenda add {}", shell_quoted(&it)))
                    .collect()
            })?;
            NewPromise::reminder(when, read.rest)
        };
        let new = NewPromise {
            origin: at.origin,
            session: match at.viewer {
                Viewer::Program(Some(here)) => Some(here.notes()),
                Viewer::Program(None) | Viewer::Owner => None,
            },
            ..new
        };
        let home = at.home;
        let added = add_promise(&home.workspace, new, home.clock.now(), home.timezone)?;
        let own = &added.promise;
        Ok(PromiseReply {
            already: !added.is_new,
            ..reply(at, own, PromiseStatus::Open, own.occasion.when())
        })
    }
}

impl Operation for DecidePromise {
    type Reply = PromiseReply;

    fn run(self, at: &OpContext<'_>) -> Result<PromiseReply, OpError> {
        let home = at.home;
        let now = (home.clock.now(), home.timezone);
        let may_change = |scope: Option<&str>| scope.is_none_or(|it| at.viewer.sees_session(it));
        let id = match promise_meant(at, &self.id, self.action)? {
            MeantPromise::One(id) => id,
            MeantPromise::Several(_) => return Err(PromiseError::Several(self.id).into()),
            MeantPromise::Nothing(_) => return Err(PromiseError::NotFound(self.id).into()),
            MeantPromise::Dropped(own) => {
                return Err(PromiseError::Dropped {
                    text: own.text,
                    id: own.id,
                }
                .into());
            }
        };
        let change = match self.action {
            PromiseAction::Done => PromiseChange::Done,
            PromiseAction::Drop => PromiseChange::Drop,
            PromiseAction::Keep => PromiseChange::Keep,
            PromiseAction::Snooze => snoozed_to(&self.when.unwrap_or_default(), &id, at)?,
            PromiseAction::Undo => {
                let undone = undo_promise(&home.workspace, &id, now, &may_change)?;
                return changed_reply(at, undone);
            }
        };
        let changed = change_promise(&home.workspace, (&id, &change), now, &may_change)?;
        changed_reply(at, changed)
    }
}

/// The promise that words mean.
pub(crate) enum MeantPromise {
    /// Its id, or the beginning of it.
    One(String),
    /// Several have these words.
    Several(Vec<PromiseReply>),
    /// None has these words; those that it could have been.
    Nothing(Vec<PromiseReply>),
    /// One that was dropped, and so can only be restored.
    Dropped(Box<PromiseReply>),
}

/// Finds the promise that an id, the beginning of one, or words of its text mean: one that is open if there is one.
///
/// # Errors
///
/// [`OpError`] if the page cannot be read.
pub(crate) fn promise_meant(
    at: &OpContext<'_>,
    words: &str,
    action: PromiseAction,
) -> Result<MeantPromise, OpError> {
    let mut all = listed(at)?;
    let words = words.trim().trim_start_matches('^').to_lowercase();
    let is_hex = !words.is_empty() && words.bytes().all(|it| it.is_ascii_hexdigit());
    let is_id = is_hex && words.len() >= ID_CHARS_MIN;
    if is_id && all.iter().any(|own| own.id.starts_with(&words)) {
        return Ok(MeantPromise::One(words));
    }
    if action == PromiseAction::Undo && is_id {
        // One that was dropped is on no list.
        return Ok(MeantPromise::One(words));
    }
    let has_words = |own: &PromiseReply| {
        !words.is_empty()
            && format!("{} {}", own.about.as_deref().unwrap_or_default(), own.text)
                .to_lowercase()
                .contains(&words)
    };
    let mut dropped = dropped(at, &all)?;
    dropped.retain(has_words);
    match action {
        PromiseAction::Done | PromiseAction::Snooze | PromiseAction::Drop | PromiseAction::Keep => {
            all.retain(|own| own.status != PromiseStatus::Done);
        }
        PromiseAction::Undo => all.append(&mut dropped),
    }
    let (mut found, others): (Vec<_>, Vec<_>) = all.into_iter().partition(has_words);
    let is_any = |found: &[PromiseReply], status| found.iter().any(|own| own.status == status);
    if is_any(&found, PromiseStatus::Open) && !is_any(&found, PromiseStatus::Dropped) {
        found.retain(|own| own.status == PromiseStatus::Open);
    }
    Ok(match (found.as_slice(), dropped.pop()) {
        ([own], _) => MeantPromise::One(own.id.clone()),
        ([], Some(own)) => MeantPromise::Dropped(Box::new(own)),
        ([], None) => MeantPromise::Nothing(others),
        ([_, ..], _) => MeantPromise::Several(found),
    })
}

/// The promises that were dropped, as they stood last, oldest first, without those on a list.
fn dropped(at: &OpContext<'_>, listed: &[PromiseReply]) -> Result<Vec<PromiseReply>, OpError> {
    let home = at.home;
    let earlier = earlier_promises(&home.workspace, home.clock.now(), home.timezone)?;
    let mut known: BTreeSet<String> = listed.iter().map(|own| own.id.clone()).collect();
    let is_seen = |own: &Promise| {
        own.scope
            .as_deref()
            .is_none_or(|it| at.viewer.sees_session(it))
    };
    let gone = earlier
        .into_iter()
        .filter(|own| is_seen(own) && known.insert(own.id.clone()));
    let gone = gone.map(|own| reply(at, &own, PromiseStatus::Dropped, own.occasion.when()));
    let mut gone: Vec<PromiseReply> = gone.collect();
    gone.reverse();
    Ok(gone)
}

/// The promise as a change left it.
fn changed_reply(at: &OpContext<'_>, changed: ChangedPromise) -> Result<PromiseReply, OpError> {
    let ChangedPromise { before, after } = changed;
    let already = before == after;
    let was = before.as_ref().and_then(|own| own.occasion.when());
    let was = was.map(|it| it.to_string());
    let was = was.filter(|_| after.is_some());
    let Some(own) = after.as_ref().or(before.as_ref()) else {
        return Err(PromiseError::NotFound(String::new()).into());
    };
    let status = match &after {
        None => PromiseStatus::Dropped,
        Some(own) => {
            let listed = listed(at)?.into_iter();
            let mut listed = listed.filter(|it| it.id == own.id);
            listed.next().map_or(PromiseStatus::Open, |it| it.status)
        }
    };
    Ok(PromiseReply {
        was,
        already,
        ..reply(at, own, status, own.occasion.when())
    })
}

/// The promises that the viewer may see, with their state.
pub(super) fn listed(at: &OpContext<'_>) -> Result<Vec<PromiseReply>, OpError> {
    let home = at.home;
    let list = promises(&home.workspace, home.clock.now(), home.timezone)?;
    let path = home.workspace.promises_path();
    let hidden = at.viewer.hidden_lines(&home.workspace, path.as_str());
    let shown = list.promises.into_iter();
    let shown = shown.filter(|(own, _)| {
        !hidden
            .iter()
            .any(|it| it.start <= own.line && own.line <= it.end)
    });
    let mut found: Vec<PromiseReply> = shown
        .map(|(own, open)| {
            let status = match (&own.occasion, open) {
                _ if own.is_done => PromiseStatus::Done,
                _ if own.is_proposed() => PromiseStatus::Proposed,
                (Occasion::Subject(_), _) | (Occasion::Time { .. }, Some(_)) => PromiseStatus::Open,
                (Occasion::Time { .. }, None) => PromiseStatus::Told,
            };
            reply(at, &own, status, open.or(own.occasion.when()))
        })
        .collect();
    // Those of a subject come last.
    let order = |own: &PromiseReply| (own.day.is_none(), own.day, own.time.clone());
    found.sort_by_key(order);
    Ok(found)
}

fn reply(
    at: &OpContext<'_>,
    own: &Promise,
    status: PromiseStatus,
    when: Option<PromiseTime>,
) -> PromiseReply {
    let time = when.and_then(|when| when.time);
    PromiseReply {
        id: own.id.clone(),
        day: when.map(|when| when.day),
        about: own.occasion.subject().map(|it| redact(it).into_owned()),
        time: time.map(|time| time.format("%H:%M").to_string()),
        repeats: own.occasion.repeats().map(ToString::to_string),
        text: redact(&own.text).into_owned(),
        was: None,
        already: false,
        status,
        kind: match own.kind {
            PromiseKind::Reminder => PromiseKindReply::Reminder,
            PromiseKind::Subject => PromiseKindReply::Subject,
            PromiseKind::Promised => PromiseKindReply::Promised,
        },
        path: at.home.workspace.promises_path().to_string(),
        line: own.line,
    }
}

fn local_now(at: &OpContext<'_>) -> DateTime<Tz> {
    at.home.clock.now().with_timezone(&at.home.timezone)
}

/// The time, if it is certain; otherwise an error with a command for each time that may be meant.
fn certain(
    read: &TimeAhead,
    commands: impl FnOnce(&TimeAhead) -> Vec<String>,
) -> Result<When, OpError> {
    let why = match &read.when {
        Ok(Some(when)) => return Ok(when.clone()),
        Ok(None) => "it does not name a day or a time of day".to_owned(),
        Err(why) => why.to_string(),
    };
    Err(OpError::UncertainTime {
        why,
        commands: commands(read),
    })
}

/// The change that moves a promise to another time, or lets it repeat otherwise.
fn snoozed_to(words: &str, id: &str, at: &OpContext<'_>) -> Result<PromiseChange, OpError> {
    let read = time_ahead_in(words, local_now(at));
    let commands = |read: &TimeAhead| {
        let times = read.readings_or_placeholder().into_iter();
        times
            .map(|time| format!("agenda snooze {id} {time}"))
            .collect()
    };
    let when = certain(&read, commands)?;
    if !read.rest.is_empty() {
        return Err(OpError::UncertainTime {
            why: format!("it is unclear whether {:?} belongs to the time", read.rest),
            commands: commands(&read),
        });
    }
    Ok(match when {
        When { every: Some(_), .. } => PromiseChange::Repeat(Occasion::at(when)),
        When {
            day,
            time,
            every: None,
        } => PromiseChange::Snooze(PromiseTime { day, time }),
    })
}

/// What to do about a promise that cannot be made or changed.
pub(super) fn hint(error: &PromiseError) -> Option<Hint> {
    match error {
        PromiseError::NotFound(_) | PromiseError::Several(_) => Some(Hint::new(
            "`openclaw agenda --days 36500` lists all reminders with their ids",
        )),
        PromiseError::Empty => Some(Hint::new(
            "say what to remind you of, as in `openclaw agenda add on Friday at 9 call the plumber`",
        )),
        PromiseError::File(error) => super::hints::hint_of_file(error),
        PromiseError::NothingToUndo(_) => Some(Hint::new(
            "edit PROMISES.md; `openclaw agenda --days 36500` lists all reminders with their ids",
        )),
        PromiseError::Forgotten => Some(Hint::new(
            "`openclaw memory forget --list` shows what was forgotten, and how to restore it",
        )),
        PromiseError::NoSubject => Some(Hint::new(
            "name one, as in `openclaw agenda add --about bike ask about the brake`",
        )),
        PromiseError::Dropped { id, .. } => Some(Hint::new(format!(
            "`openclaw agenda undo {id}` restores it"
        ))),
        PromiseError::Unchanged(_) => None,
    }
}
