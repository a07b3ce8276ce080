//! The operation: determines the line, note or message that is asked about, and returns its history.
//!
//! Writes nothing.

use std::cmp::Ordering;
use std::path::Path;

use base::{Day, Locator, Timestamp};
use memory::WorkspacePath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{line, said};
use crate::knowledge::session_source::SessionSource;
use crate::ops::operation::optional_instant;
use crate::ops::{OpContext, OpError, Operation};

/// Asks where something in memory comes from, or what became of it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// A line of `MEMORY.md`, by its words, its id or its place; or the place of a note or of a message, such as
    /// `sessions/main.jsonl:40`.
    #[schemars(length(min = 1))]
    pub about: String,
}

/// What happened to a line, a note or a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WhyReply {
    /// What was asked about.
    pub subject: WhySubject,
    /// Its place; null for a line that is no longer in `MEMORY.md`.
    pub place: Option<Locator>,
    /// Its text; secrets are replaced.
    pub text: String,
    /// What happened, oldest first.
    pub steps: Vec<WhyStep>,
}

/// What was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum WhySubject {
    /// A line of `MEMORY.md` that the program wrote.
    Line,
    /// A line of `MEMORY.md` that the owner wrote by hand: it has no history.
    LineByHand,
    /// A note of a daily log.
    Note,
    /// A message of a conversation.
    Message,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WhyStep {
    /// The day on which it happened.
    #[schemars(with = "String")]
    pub day: Day,
    /// When it happened, if more than its day is known.
    #[serde(serialize_with = "optional_instant")]
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
    /// What happened.
    pub event: WhyEvent,
    /// The words concerned; secrets are replaced.
    pub text: String,
    /// Where the words stand; null if they stand nowhere any more.
    pub place: Option<Locator>,
    /// The id of the line or candidate concerned.
    pub id: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum WhyEvent {
    /// Somebody said it in a conversation.
    Said,
    /// It was noted in a daily log.
    Noted,
    /// It was proposed for `MEMORY.md`.
    Proposed,
    /// A line of `MEMORY.md` no longer holds.
    Ended,
    /// A dream added it to `MEMORY.md` without a review, because the owner's words were clear.
    Added,
    /// The owner asked for it, and it went into `MEMORY.md` at once.
    Asked,
    /// The owner accepted it.
    Accepted,
    /// The owner rejected it.
    Rejected,
    /// The owner took it back.
    Undone,
    /// The owner took it back and then undid that.
    Restored,
    /// A newer line took its place.
    Replaced,
    /// A summary took the place of the message in the window of its conversation.
    Summarised,
    /// It was shown to a model, to answer a later message.
    Recalled,
}

/// Orders steps, oldest first. Of some steps only the day is known: a quotation comes first on its day, and a note after
/// the last words that were said before anything was decided on that day.
pub(super) fn in_order(steps: Vec<WhyStep>) -> Vec<WhyStep> {
    let (mut dated, mut timed): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|step| step.at.is_none());
    timed.sort_by_key(|step| (step.day, step.at, step.event));
    dated.sort_by_key(|step| (step.day, step.event));
    for step in dated {
        let is_before = |own: &WhyStep| match own.day.cmp(&step.day) {
            Ordering::Less => true,
            Ordering::Equal => {
                is_source(own.event) && (step.event != WhyEvent::Said || own.at.is_none())
            }
            Ordering::Greater => false,
        };
        let place = timed.iter().take_while(|own| is_before(own)).count();
        timed.insert(place, step);
    }
    timed.dedup();
    timed
}

/// Whether a step is a source, and no decision on it.
fn is_source(event: WhyEvent) -> bool {
    match event {
        WhyEvent::Said | WhyEvent::Noted => true,
        WhyEvent::Proposed
        | WhyEvent::Ended
        | WhyEvent::Added
        | WhyEvent::Asked
        | WhyEvent::Accepted
        | WhyEvent::Rejected
        | WhyEvent::Undone
        | WhyEvent::Restored
        | WhyEvent::Replaced
        | WhyEvent::Summarised
        | WhyEvent::Recalled => false,
    }
}

impl Operation for Why {
    type Reply = WhyReply;

    fn run(self, at: &OpContext<'_>) -> Result<WhyReply, OpError> {
        let about = self.about.trim();
        let Some(place) = place_in(about)? else {
            return line::of_words(about, at);
        };
        at.check_visible(&place.path)?;
        if let Some(name) = SessionSource::name_of(&place.path) {
            said::message(&place, &name, at)
        } else if place.path == at.home.workspace.memory_path().as_str() {
            line::at_number(place.start_line, at)
        } else {
            said::note(&place, at)
        }
    }
}

/// The place that these words are; `None` if they name no file.
///
/// # Errors
/// They name a file with lines that cannot be, such as line 0.
fn place_in(about: &str) -> Result<Option<Locator>, OpError> {
    let named = about.rsplit_once(':');
    let lines = named.filter(|(path, lines)| {
        is_file(path) && !lines.is_empty() && !lines.contains(char::is_whitespace)
    });
    match lines {
        Some(_) => {
            let place = about.parse::<Locator>();
            let place = place.map_err(|_| OpError::NotPlace(about.to_owned()))?;
            Ok(Some(place))
        }
        None => Ok(None),
    }
}

/// Whether a place names a file that can have a history; `at 10:30` names none.
fn is_file(path: &str) -> bool {
    let is_markdown = Path::new(path).extension().is_some_and(|it| it == "md");
    SessionSource::name_of(path).is_some() || is_markdown && path.parse::<WorkspacePath>().is_ok()
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
