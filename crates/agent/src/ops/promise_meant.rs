//! Finds the reminder that an id or words of its text mean.
//!
//! Changes nothing.

use std::collections::BTreeSet;

use base::shell_quoted;
use memory::promises::{Promise, earlier_promises, last_changed};

use super::error::OpError;
use super::operation::OpContext;
use super::promises::{PromiseAction, PromiseReply, PromiseStatus, listed, reply};

/// Fewer characters are no beginning of the id of a promise that is on no list.
const ID_CHARS_MIN: usize = 4;

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
    let with_id = |all: &[PromiseReply]| -> Vec<PromiseReply> {
        let found = all.iter().filter(|own| is_id && own.id.starts_with(&words));
        found.cloned().collect()
    };
    match with_id(&all) {
        none if none.is_empty() => {}
        found if found.len() == 1 => return Ok(MeantPromise::One(words)),
        found => return Ok(MeantPromise::Several(found)),
    }
    if action == PromiseAction::Undo && words.is_empty() {
        return last_change(at, &all);
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

/// The promise of the last change of the page.
fn last_change(at: &OpContext<'_>, listed: &[PromiseReply]) -> Result<MeantPromise, OpError> {
    let home = at.home;
    let now = (home.clock.now(), home.timezone);
    let may_change = |scope: Option<&str>| scope.is_none_or(|it| at.viewer.sees_session(it));
    let ids = last_changed(&home.workspace, now, &may_change)?;
    let dropped = dropped(at, listed)?;
    let all = listed.iter().chain(&dropped);
    let all = all.filter(|own| ids.contains(&own.id));
    Ok(match ids.as_slice() {
        [] => MeantPromise::Nothing(Vec::new()),
        [id] => MeantPromise::One(id.clone()),
        [_, ..] => MeantPromise::Several(all.cloned().collect()),
    })
}

/// The error for words that several promises have, with the command for each.
pub(super) fn several(
    (words, action): (&str, PromiseAction),
    when: Option<&str>,
    found: &[PromiseReply],
) -> OpError {
    let name = match action {
        PromiseAction::Done => "done",
        PromiseAction::Snooze => "snooze",
        PromiseAction::Drop => "drop",
        PromiseAction::Keep => "keep",
        PromiseAction::Undo => "undo",
    };
    let when = when.map(|it| format!(" {}", shell_quoted(it)));
    let when = when.unwrap_or_default();
    let choices = found.iter().map(|own| PromiseChoice {
        command: format!("agenda {name} {}{when}", own.id),
        reminder: format!("{}: {}", own.occasion(), own.text),
    });
    OpError::SeveralPromises {
        words: words.to_owned(),
        choices: choices.collect(),
    }
}

/// A promise that words may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromiseChoice {
    /// The command that changes it, without the name of the program.
    pub command: String,
    /// When it comes up, and its text.
    pub reminder: String,
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
