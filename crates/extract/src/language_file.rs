//! The format of the language files in `data/`.
//!
//! Data only; matches nothing.

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

/// The language files as JSON, in tie-breaking order.
pub(crate) const FILES: &str = include_str!(concat!(env!("OUT_DIR"), "/languages.json"));

/// The kinds of cues, in the order of the signals.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Deserialize,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Cue {
    Question,
    /// The speaker.
    First,
    /// What the speaker is or has.
    Being,
    /// The person addressed.
    Second,
    /// A denial.
    Negation,
    /// A task for the assistant to do at once.
    Request,
    /// A standing wish.
    Wish,
    /// A wish for one reply.
    Once,
    /// A request to remember something.
    Remember,
    Decision,
    /// Something to do, or a date.
    Task,
    /// A problem.
    Issue,
    /// Something unreal, such as a hypothesis.
    Unreal,
    /// A momentary state.
    Moment,
    Joke,
    /// A greeting or thanks.
    Courtesy,
    /// Reported speech.
    Reported,
    /// The start of a role play.
    Play,
    /// A reference to shown or pasted text.
    Pointing,
    /// Something undecided.
    Open,
    Change,
    Habit,
    /// A reference to somebody or something mentioned before.
    Anaphora,
    /// A connective to the sentence before.
    Joint,
    /// A request to forget something.
    Forget,
}

/// The fixed phrases of replies, which come from no evidence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrases {
    /// Introduces quotations from memory.
    pub(crate) found: String,
    /// If memory holds nothing about a question.
    pub(crate) not_found: String,
    /// The same if only the session was searched.
    pub(crate) not_found_here: String,
    /// The same if the index is stale.
    pub(crate) not_found_yet: String,
    /// The same if something is unreadable.
    pub(crate) not_found_in_part: String,
    /// If the search failed.
    pub(crate) not_searched: String,
    /// Introduces what will be noted.
    pub(crate) noted: String,
    /// If a message holds nothing to note.
    pub(crate) not_noted: String,
    /// If the engine cannot do what is asked.
    pub(crate) cannot: String,
    /// The same, and introduces what will be noted.
    pub(crate) cannot_noted: String,
    /// If a message holds secrets; `{kinds}` lists them.
    pub(crate) secret: String,
    /// If the owner asks to forget something.
    pub(crate) forget: String,
    /// If the owner asks to undo the last change.
    pub(crate) undo: String,
    /// Names the command if the owner asks to correct something.
    pub(crate) correct: String,
    /// If a line was corrected.
    pub(crate) corrected: String,
    /// Introduces the lines that the owner may mean to correct, each with a command.
    pub(crate) correct_unsure: String,
    /// Introduces what is known about the owner.
    pub(crate) about: String,
    /// If nothing is known about the owner.
    pub(crate) about_nothing: String,
    /// Introduces what is planned for the days ahead.
    pub(crate) ahead: String,
    /// If nothing is planned for the days ahead.
    pub(crate) ahead_nothing: String,
    pub(crate) reminder: String,
    pub(crate) reminder_unsure: String,
    pub(crate) reminder_empty: String,
    pub(crate) reminder_dropped: String,
    /// Answers a greeting.
    pub(crate) hello: String,
    /// Follows a plan for a `{day}` that has passed.
    pub(crate) planned: String,
    /// Follows a quotation that one before it corrects.
    pub(crate) older: String,
    /// Precedes words of the assistant.
    pub(crate) assistant: String,
}

impl Phrases {
    /// The beginnings of whole replies.
    pub(crate) fn openings(&self) -> impl Iterator<Item = &str> {
        let all = [
            &self.found,
            &self.not_found,
            &self.not_found_here,
            &self.not_found_yet,
            &self.not_found_in_part,
            &self.not_searched,
            &self.noted,
            &self.not_noted,
            &self.cannot,
            &self.cannot_noted,
            &self.secret,
            &self.forget,
            &self.undo,
            &self.correct,
            &self.corrected,
            &self.correct_unsure,
            &self.about,
            &self.about_nothing,
            &self.ahead,
            &self.ahead_nothing,
            &self.reminder,
            &self.reminder_unsure,
            &self.reminder_empty,
            &self.reminder_dropped,
            &self.hello,
        ];
        let all = all.into_iter().filter_map(|own| own.split('{').next());
        all.map(str::trim).filter(|own| !own.is_empty())
    }
}

/// Words by which search recognises wishes, requests for advice and counting questions, in lower case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchCues {
    pub(crate) standing: Vec<String>,
    pub(crate) advice: Vec<String>,
    pub(crate) counting: Vec<String>,
    /// Polite words around a question.
    pub(crate) polite: Vec<String>,
}
