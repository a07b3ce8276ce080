//! Counts who mentions which identifier, and finds the words that give it its meaning.
//!
//! Ranks identifiers; where and how many are listed is decided by the page.

mod phrase;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use base::model::Excerpt;
use base::{Day, Message};

use super::date::absolute;
use super::identifier::{Kind, identifiers};
use super::sentence::fold;
use phrase::phrase;

/// The most identifiers that are ranked.
const MENTIONS_MAX: usize = 200;

/// More from one output of a tool are a listing, which nobody spoke of.
const OUTPUT_MENTIONS_MAX: usize = 8;

/// Longer ones are data, not names.
const MENTION_CHARS_MAX: usize = 160;

/// An identifier and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The identifier to the letter.
    pub(super) text: String,
    /// The few words around it, where it says little without them.
    pub(super) phrase: Option<String>,
    /// The first excerpt that holds it, with these words if there are any.
    pub(super) excerpt: usize,
    /// Whether a person wrote it, or two messages hold it and not both are the output of a tool.
    pub(super) is_notable: bool,
    /// Whether it is a figure, which nobody understands alone.
    pub(super) is_figure: bool,
}

/// What was mentioned so far.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    by_text: BTreeMap<String, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    first_excerpt: Option<usize>,
    phrase: Option<(String, usize)>,
    n_messages: usize,
    is_persons: bool,
    is_in_persons_prose: bool,
    is_spoken: bool,
    kind: Option<Kind>,
}

impl Tally {
    /// A name from code counts where a person speaks of it, a figure or date not from a tool's output alone,
    /// a figure without its words only when it comes up again.
    fn is_kept(&self) -> bool {
        let is_named = self.kind.is_some_and(Kind::is_exact) || self.is_in_persons_prose;
        let is_datum = self.is_figure() || self.kind == Some(Kind::Date);
        let is_output = !self.is_spoken && is_datum;
        let is_stray = self.is_figure()
            && self.phrase.is_none()
            && self.n_messages == 1
            && !self.is_in_persons_prose;
        is_named && !is_output && !is_stray
    }

    fn is_figure(&self) -> bool {
        matches!(self.kind, Some(Kind::Sum | Kind::Share))
    }
}

impl Tallies {
    /// Counts one excerpt, of which these are the sentences of prose.
    pub(super) fn count(
        &mut self,
        excerpt: &Excerpt,
        index: usize,
        said_on: Day,
        prose: &[String],
    ) {
        let is_person = matches!(excerpt.message, Message::User { .. });
        let is_spoken = !matches!(excerpt.message, Message::ToolResult(_));
        let text = excerpt.message.text();
        let mut seen: BTreeMap<String, Kind> = BTreeMap::new();
        for identifier in identifiers(&text) {
            let is_short = identifier.text.len() <= MENTION_CHARS_MAX;
            if identifier.kind != Kind::Number && is_short {
                seen.entry(fold(identifier.text)).or_insert(identifier.kind);
            }
        }
        for (text, kind) in seen {
            let tally = self.by_text.entry(text).or_default();
            tally.n_messages += 1;
            tally.is_persons |= is_person;
            tally.is_spoken |= is_spoken;
            if !tally.kind.is_some_and(Kind::is_exact) {
                tally.kind = Some(kind);
            }
            tally.first_excerpt.get_or_insert(index);
        }
        for sentence in prose {
            for identifier in identifiers(sentence) {
                let Some(tally) = self.by_text.get_mut(identifier.text) else {
                    continue;
                };
                tally.is_in_persons_prose |= is_person;
                if tally.phrase.is_none() {
                    let words = phrase(sentence, &identifier);
                    tally.phrase = words.map(|words| (absolute(&words, said_on), index));
                }
            }
        }
    }

    /// Exact ones and names from a person's words; what a person said comes first, what an assistant said once last.
    pub(super) fn ranked(self) -> Vec<Mention> {
        let mut kept: Vec<(String, Tally)> = self
            .by_text
            .into_iter()
            .filter(|(text, tally)| !text.is_empty() && tally.is_kept())
            .collect();
        kept.sort_by_key(|(_, tally)| {
            let worth = (
                tally.is_in_persons_prose,
                tally.is_persons,
                tally.n_messages,
            );
            (Reverse(worth), tally.first_excerpt)
        });
        let mut n_of_output: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        kept.retain(|(_, tally)| {
            let n = n_of_output.entry(tally.first_excerpt).or_default();
            *n += usize::from(!tally.is_spoken);
            tally.is_spoken || *n <= OUTPUT_MENTIONS_MAX
        });
        kept.truncate(MENTIONS_MAX);
        let mentions = kept.into_iter().filter_map(|(text, tally)| {
            let first_excerpt = tally.first_excerpt?;
            let is_figure = tally.is_figure();
            let (phrase, excerpt) = tally.phrase.unzip();
            Some(Mention {
                text,
                phrase,
                excerpt: excerpt.unwrap_or(first_excerpt),
                is_notable: tally.is_persons || tally.is_spoken && tally.n_messages > 1,
                is_figure,
            })
        });
        mentions.collect()
    }
}

#[cfg(test)]
#[path = "mention_tests.rs"]
mod tests;
