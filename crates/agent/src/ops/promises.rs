//! Adds, ends and moves reminders, and takes such a change back.
//!
//! Never guesses a time: one that is not certain is an error that says what was understood.

use base::dates::{TEXT, TimeAhead, When, filled, placeholder_in, time_ahead_in};
use base::{Day, Hint, Tz, redact, shell_quoted};
use chrono::{DateTime, TimeDelta};
use extract::DueAt;
use memory::promises::{
    ChangedPromise, NewPromise, Occasion, Promise, PromiseChange, PromiseError, PromiseKind,
    PromiseTime, add_promise, change_promise, promises, undo_promise,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use super::promise_meant::{MeantPromise, promise_meant, several};
use crate::knowledge::scope::Viewer;
use crate::reminders::ReminderDue;

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
    /// The change that an undo took back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<TakenBack>,
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
    /// When it comes up, for a notice.
    pub(crate) fn due(&self) -> ReminderDue<'_> {
        let Some(day) = self.day else {
            return ReminderDue::About(self.about.as_deref().unwrap_or_default());
        };
        let every = self
            .repeats
            .as_deref()
            .and_then(|it| it.split(" at ").next());
        ReminderDue::At(DueAt {
            day,
            time: self.time.clone(),
            every: every.and_then(|it| it.parse().ok()),
        })
    }

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

/// A change of a promise that an undo took back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TakenBack {
    /// It had been added.
    Added,
    /// Its line had been removed.
    Dropped,
    /// It had been ticked off.
    Done,
    /// It had been opened again.
    Reopened,
    /// It had been moved to another time.
    Moved,
    /// The owner had agreed to be reminded of it, or to be no longer.
    Kept,
    /// Its text had been changed.
    Reworded,
}

impl TakenBack {
    /// The change as it was before the undo, which turned `before` into `after`.
    fn of(before: Option<&Promise>, after: Option<&Promise>) -> Self {
        let (Some(before), Some(after)) = (before, after) else {
            return if after.is_some() {
                Self::Dropped
            } else {
                Self::Added
            };
        };
        match (before.is_done, after.is_done) {
            (true, false) => Self::Done,
            (false, true) => Self::Reopened,
            _ if before.occasion != after.occasion => Self::Moved,
            _ if before.origin != after.origin => Self::Kept,
            _ => Self::Reworded,
        }
    }

    /// What had happened to the reminder.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Added => "the reminder had been added",
            Self::Dropped => "the reminder had been dropped",
            Self::Done => "the reminder had been ticked off",
            Self::Reopened => "the reminder had been opened again",
            Self::Moved => "the reminder had been moved",
            Self::Kept => "the assistant's promise had been made a reminder",
            Self::Reworded => "the text of the reminder had been changed",
        }
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
            let tomorrow = local_now(at).date_naive() + TimeDelta::days(1);
            let example = filled(&self.text, tomorrow.into());
            return Err(OpError::UncertainTime {
                why: format!("{placeholder} stands for a value"),
                commands: vec![format!("agenda add {}", shell_quoted(&example))],
            });
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
            if read.rest == TEXT {
                return Err(PromiseError::Empty.into());
            }
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
            MeantPromise::Several(found) => {
                return Err(several(
                    (&self.id, self.action),
                    self.when.as_deref(),
                    &found,
                ));
            }
            MeantPromise::Nothing(_) if self.id.trim().is_empty() => {
                return Err(PromiseError::NothingChanged.into());
            }
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
                let (before, after) = (undone.before.as_ref(), undone.after.as_ref());
                let taken_back = Some(TakenBack::of(before, after));
                let reply = changed_reply(at, undone)?;
                return Ok(PromiseReply {
                    taken_back,
                    ..reply
                });
            }
        };
        let changed = change_promise(&home.workspace, (&id, &change), now, &may_change)?;
        changed_reply(at, changed)
    }
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

pub(super) fn reply(
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
        taken_back: None,
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
        PromiseError::NotFound(_) | PromiseError::Several(_) | PromiseError::NothingChanged => {
            Some(Hint::new(
                "`openclaw agenda --days 36500` lists all reminders with their ids",
            ))
        }
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
