//! Promises: what the owner asks to be reminded of, and what becomes of it.
//!
//! Never guesses a time: one that is not certain is an error that says what was understood.

use base::dates::{TimeAhead, When, time_ahead_in};
use base::{Day, Hint, Tz, redact, shell_quoted};
use chrono::{DateTime, NaiveDateTime};
use memory::promises::{
    ChangedPromise, NewPromise, Promise, PromiseChange, PromiseError, PromiseKind, PromiseTime,
    Repetition, add_promise, change_promise, promises, undo_promise,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use crate::knowledge::scope::Viewer;

/// Asks to be reminded of something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddPromise {
    /// The text and the time of the reminder, such as `on Friday at 9 call the plumber`.
    #[schemars(length(min = 1))]
    pub text: String,
}

/// What becomes of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromiseAction {
    /// It is done.
    Done,
    /// It is to be told at another time.
    Snooze,
    /// It is not to be told, and its line goes.
    Drop,
    /// Its last change is taken back.
    Undo,
}

/// Says what becomes of a promise.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecidePromise {
    /// Its id, or the beginning of it.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What becomes of it.
    pub action: PromiseAction,
    /// The new time of a promise that is snoozed, such as `tomorrow at 9`.
    pub when: Option<String>,
}

/// A promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromiseReply {
    /// Its id.
    pub id: String,
    /// The day on which it is due.
    pub day: Day,
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

/// The state of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromiseStatus {
    /// It is still to be told.
    Open,
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
    /// The owner asked for it.
    Reminder,
    /// The assistant said that it would do it.
    Promised,
}

impl Operation for AddPromise {
    type Reply = PromiseReply;

    fn run(self, at: &OpContext<'_>) -> Result<PromiseReply, OpError> {
        let read = time_ahead_in(&self.text, local_now(at));
        let rest = read.rest.clone();
        let example = if rest.is_empty() {
            "call the plumber"
        } else {
            &rest
        };
        let command = |time: &str| {
            let words = shell_quoted(&format!("{time} {example}"));
            format!("agenda add {words}")
        };
        let When { day, time, every } = certain(read, at, &command)?;
        let new = NewPromise {
            kind: PromiseKind::Reminder,
            when: PromiseTime { day, time },
            repeats: every.map(|every| Repetition { every, time }),
            text: rest,
            origin: at.origin,
            evidence: Vec::new(),
            session: match at.viewer {
                Viewer::Program(Some(here)) => Some(here.notes()),
                Viewer::Program(None) | Viewer::Owner => None,
            },
        };
        let home = at.home;
        let added = add_promise(&home.workspace, new, home.clock.now(), home.timezone)?;
        let own = &added.promise;
        Ok(PromiseReply {
            already: !added.is_new,
            ..reply(at, own, PromiseStatus::Open, own.when)
        })
    }
}

impl Operation for DecidePromise {
    type Reply = PromiseReply;

    fn run(self, at: &OpContext<'_>) -> Result<PromiseReply, OpError> {
        let home = at.home;
        let now = (home.clock.now(), home.timezone);
        let may_change = |scope: Option<&str>| scope.is_none_or(|it| at.viewer.sees_session(it));
        let change = match self.action {
            PromiseAction::Done => PromiseChange::Done,
            PromiseAction::Drop => PromiseChange::Drop,
            PromiseAction::Snooze => {
                let words = self.when.unwrap_or_default();
                PromiseChange::Snooze(snoozed_to(&words, &self.id, at)?)
            }
            PromiseAction::Undo => {
                let undone = undo_promise(&home.workspace, &self.id, now, &may_change)?;
                return changed_reply(at, undone);
            }
        };
        let change = (self.id.as_str(), &change);
        let changed = change_promise(&home.workspace, change, now, &may_change)?;
        changed_reply(at, changed)
    }
}

/// The promise as a change left it.
fn changed_reply(at: &OpContext<'_>, changed: ChangedPromise) -> Result<PromiseReply, OpError> {
    let ChangedPromise { before, after } = changed;
    let already = before == after;
    let was = before.as_ref().map(|own| own.when.to_string());
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
        ..reply(at, own, status, own.when)
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
            let status = match open {
                _ if own.is_done => PromiseStatus::Done,
                Some(_) => PromiseStatus::Open,
                None => PromiseStatus::Told,
            };
            reply(at, &own, status, open.unwrap_or(own.when))
        })
        .collect();
    found.sort_by(|one, other| (one.day, &one.time).cmp(&(other.day, &other.time)));
    Ok(found)
}

fn reply(
    at: &OpContext<'_>,
    own: &Promise,
    status: PromiseStatus,
    when: PromiseTime,
) -> PromiseReply {
    PromiseReply {
        id: own.id.clone(),
        day: when.day,
        time: when.time.map(|time| time.format("%H:%M").to_string()),
        repeats: own.repeats.as_ref().map(ToString::to_string),
        text: redact(&own.text).into_owned(),
        was: None,
        already: false,
        status,
        kind: match own.kind {
            PromiseKind::Reminder => PromiseKindReply::Reminder,
            PromiseKind::Promised => PromiseKindReply::Promised,
        },
        path: at.home.workspace.promises_path().to_string(),
        line: own.line,
    }
}

fn local_now(at: &OpContext<'_>) -> DateTime<Tz> {
    at.home.clock.now().with_timezone(&at.home.timezone)
}

/// The times that a text may mean, as a command takes them; some time if it names none.
pub(crate) fn reminder_readings(readings: &[NaiveDateTime], today: Day) -> Vec<String> {
    if readings.is_empty() {
        let tomorrow = today.date().succ_opt().unwrap_or_default();
        return vec![format!("{tomorrow} 09:00")];
    }
    let readings = readings.iter();
    readings
        .map(|it| it.format("%Y-%m-%d %H:%M").to_string())
        .collect()
}

/// The time, if it is certain; otherwise an error with a command for each time that may be meant.
fn certain(
    read: TimeAhead,
    at: &OpContext<'_>,
    command: &dyn Fn(&str) -> String,
) -> Result<When, OpError> {
    let why = match read.when {
        Ok(Some(when)) => return Ok(when),
        Ok(None) => "it names no day and no time of day".to_owned(),
        Err(why) => why.to_string(),
    };
    let readings = reminder_readings(&read.readings, at.home.today());
    let commands = readings.iter().map(|it| command(it)).collect();
    Err(OpError::UncertainTime { why, commands })
}

/// The time to which a promise is moved.
fn snoozed_to(words: &str, id: &str, at: &OpContext<'_>) -> Result<PromiseTime, OpError> {
    let read = time_ahead_in(words, local_now(at));
    let rest = read.rest.clone();
    let command = |time: &str| format!("agenda snooze {id} {time}");
    match certain(read, at, &command)? {
        When {
            day,
            time,
            every: None,
        } if rest.is_empty() => Ok(PromiseTime { day, time }),
        _ => Err(OpError::UncertainTime {
            why: "it is not a single time".to_owned(),
            commands: reminder_readings(&[], at.home.today())
                .iter()
                .map(|it| command(it))
                .collect(),
        }),
    }
}

/// What to do about a promise that cannot be made or changed.
pub(super) fn hint(error: &PromiseError) -> Option<Hint> {
    match error {
        PromiseError::NotFound(_) | PromiseError::Several(_) => {
            Some(Hint::new("`openclaw agenda` lists promises with their ids"))
        }
        PromiseError::Empty => Some(Hint::new(
            "say what to remind you of, as in `openclaw agenda add on Friday at 9 call the plumber`",
        )),
        PromiseError::File(error) => super::hints::hint_of_file(error),
        PromiseError::NothingToUndo(_) => Some(Hint::new(
            "edit PROMISES.md, or `openclaw agenda` lists promises with their ids",
        )),
        PromiseError::Forgotten => Some(Hint::new(
            "`openclaw memory forget --list` shows what was forgotten, and how to restore it",
        )),
        PromiseError::Unchanged(_) => None,
    }
}
