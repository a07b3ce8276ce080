//! A language file as it stands in `data/`: what its keys are, and what each says.
//!
//! Data alone; matches nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

/// The language files, in the order in which a tie between them is decided.
pub(crate) const FILES: [&str; 9] = [
    include_str!("../data/en.toml"),
    include_str!("../data/de.toml"),
    include_str!("../data/es.toml"),
    include_str!("../data/fr.toml"),
    include_str!("../data/pt.toml"),
    include_str!("../data/it.toml"),
    include_str!("../data/nl.toml"),
    include_str!("../data/ja.toml"),
    include_str!("../data/zh.toml"),
];

/// What a cue hints at, in the order of the signals.
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
    /// A question.
    Question,
    /// Whoever speaks.
    First,
    /// What whoever speaks is or has.
    Being,
    /// Whoever is spoken to.
    Second,
    /// A denial.
    Negation,
    /// Something that the assistant should do at once.
    Request,
    /// How somebody wants things for good.
    Wish,
    /// How somebody wants one reply.
    Once,
    /// That something should be kept.
    Remember,
    /// A decision.
    Decision,
    /// Something to be done, or a date.
    Task,
    /// Something wrong.
    Issue,
    /// Something that is not so.
    Unreal,
    /// A state that passes.
    Moment,
    /// A joke.
    Joke,
    /// A greeting or thanks.
    Courtesy,
    /// Words of somebody else.
    Reported,
    /// The beginning of a play.
    Play,
    /// Something that is shown.
    Pointing,
    /// Something undecided.
    Open,
    /// A change.
    Change,
    /// A habit.
    Habit,
    /// Somebody or something named before.
    Anaphora,
    /// What joins a sentence to the one before.
    Joint,
    /// That something should be forgotten.
    Forget,
}

/// The words of the replies that stand in no evidence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrases {
    /// Before quotations from memory.
    pub(crate) found: String,
    /// Where memory holds nothing about a question.
    pub(crate) not_found: String,
    /// The same where only the session was searched.
    pub(crate) not_found_here: String,
    /// The same where the index is behind.
    pub(crate) not_found_yet: String,
    /// The same where something is unreadable.
    pub(crate) not_found_in_part: String,
    /// Where the search itself failed.
    pub(crate) not_searched: String,
    /// Before what will be noted.
    pub(crate) noted: String,
    /// Where a message holds nothing to note.
    pub(crate) not_noted: String,
    /// Where something is asked for that the engine cannot do.
    pub(crate) cannot: String,
    /// The same before what will be noted of it.
    pub(crate) cannot_noted: String,
    /// Where a message holds secrets; `{kinds}` names them.
    pub(crate) secret: String,
    /// Where something is to be forgotten.
    pub(crate) forget: String,
    /// After a greeting.
    pub(crate) hello: String,
    /// Behind what was planned for a `{day}` that has passed.
    pub(crate) planned: String,
    /// Before words of the assistant.
    pub(crate) assistant: String,
}

/// The line of a language file below which stands what only a text of that language needs: most processes ask a
/// question, which needs the rest of all.
pub(crate) const LATER: &str = "\n[cues]\n";

/// A language file above that line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) code: String,
    pub(crate) spaced: bool,
    #[serde(default)]
    pub(crate) elides: bool,
    #[serde(default)]
    pub(crate) capital_nouns: bool,
    #[serde(default)]
    pub(crate) stemmer: Option<String>,
    pub(crate) stop: BTreeSet<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) search: SearchCues,
}

/// The same file below that line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaterFile {
    pub(crate) cues: BTreeMap<Cue, Vec<String>>,
    pub(crate) phrases: Phrases,
}

/// The words by which search is told at sight what a text may be, each in lower case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchCues {
    pub(crate) standing: Vec<String>,
    pub(crate) advice: Vec<String>,
    pub(crate) counting: Vec<String>,
}
