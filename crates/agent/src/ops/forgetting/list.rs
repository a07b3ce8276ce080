//! Lists what was forgotten and can be undone.
//!
//! Tells no forgotten text to a program.

use std::collections::BTreeSet;

use base::{Day, LineRange, head, redact};
use memory::{
    Restorable, Tombstone, TombstoneCause, forgotten_passages, load_tombstones, restorable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::knowledge::session_source::SessionSource;
use crate::ops::{OpContext, OpError, Operation};

/// Number of passages of which a person is shown the first words, and how much of each.
const BEGINNINGS_MAX: usize = 3;
const BEGINNING_CHARS_MAX: usize = 60;

/// Asks what was forgotten.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListForgotten {}

/// What was forgotten, oldest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ForgottenReply {
    /// Each forget.
    pub forgotten: Vec<ForgottenItem>,
}

/// A forget.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ForgottenItem {
    /// The id for the undo.
    pub id: String,
    /// Its day.
    pub day: Day,
    /// Number of passages.
    pub texts: usize,
    /// The messages, as `PATH:LINE`.
    pub entries: Vec<String>,
    /// The files that have or had the lines.
    pub files: Vec<String>,
    /// What an undo brings back: `whole`, `withoutLines` if the lines that left their files are no longer kept, or
    /// `nothing` if it was removed for good.
    #[schemars(with = "String")]
    pub restorable: Restorable,
    /// How some of the passages begin, where that is still kept on this machine: for the owner at a terminal.
    #[serde(skip)]
    pub beginnings: Vec<String>,
}

impl Operation for ListForgotten {
    type Reply = ForgottenReply;

    fn run(self, at: &OpContext<'_>) -> Result<ForgottenReply, OpError> {
        let tombstones = load_tombstones(&at.home.workspace)?;
        let forgotten = tombstones.all().iter();
        let forgotten = forgotten.filter(|it| it.why == TombstoneCause::Forgotten);
        Ok(ForgottenReply {
            forgotten: forgotten.map(|it| item(it, at)).collect(),
        })
    }
}

fn item(tombstone: &Tombstone, at: &OpContext<'_>) -> ForgottenItem {
    let passages = forgotten_passages(&at.home.workspace, tombstone);
    let files = tombstone.files.iter();
    let files = files.chain(passages.iter().map(|(path, _)| path));
    let files: BTreeSet<String> = files.map(ToString::to_string).collect();
    let entries = tombstone.entries.iter();
    let entries = entries.map(|own| format!("{}:{}", own.path, own.line));
    let said = tombstone.entries.iter().take(BEGINNINGS_MAX);
    let said = said.filter_map(|own| said_at(at, (&own.path, own.line)));
    let texts = passages.into_iter().map(|(_, text)| text).chain(said);
    let mut beginnings: Vec<String> = Vec::new();
    for text in texts {
        let beginning = beginning(&text);
        if beginnings.len() < BEGINNINGS_MAX && !beginnings.contains(&beginning) {
            beginnings.push(beginning);
        }
    }
    ForgottenItem {
        id: tombstone.id.to_string(),
        day: at.home.day(tombstone.at),
        texts: tombstone.texts.len(),
        entries: entries.collect(),
        files: files.into_iter().collect(),
        restorable: restorable(&at.home.workspace, tombstone).unwrap_or(Restorable::Whole),
        beginnings,
    }
}

/// The text of a hidden message; `None` if its transcript cannot be read.
fn said_at(at: &OpContext<'_>, (path, line): (&str, usize)) -> Option<String> {
    // Without the tombstones, which hide it.
    let sessions = SessionSource::new(at.home.sessions.clone(), at.home.timezone);
    let found = sessions.entries_at(path, LineRange::line(line), &[]).ok()?;
    found.into_iter().next().map(|own| own.text)
}

fn beginning(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = redact(&words.join(" ")).into_owned();
    let shown = head(&text, BEGINNING_CHARS_MAX);
    let is_whole = shown.len() == text.len();
    format!("{shown}{}", if is_whole { "" } else { "..." })
}
