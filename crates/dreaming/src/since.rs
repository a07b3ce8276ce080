//! What the owner said after a finding about the same: it may hold no more, though nothing says so surely.
//!
//! Reads what a dream has gathered; a finding of which that is true waits for the owner.

use base::{Day, Origin, Timestamp, redact};

use crate::ground::own_words;
use crate::material::{Material, Source};
use crate::merge::{Relation, relation};
use crate::slot::{Sentence, Value};
use crate::words::Words;

/// A longer sentence tells of more than one change.
const SENTENCE_CHARS_MAX: usize = 240;

/// A sentence of the owner that tells of a change, and when it was said.
#[derive(Debug)]
pub(crate) struct Later<'m> {
    sentence: Sentence,
    source: &'m Source,
    at: usize,
}

/// When a finding was said last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SaidLast<'d> {
    /// On which day.
    pub(crate) day: Day,
    /// When on that day, as far as that is known.
    pub(crate) at: Option<Timestamp>,
    /// The file, and where in it.
    pub(crate) place: Option<(&'d str, (usize, Option<usize>))>,
}

/// Whether the owner tells of a change in a text, so that a dream has to know it.
pub(crate) fn tells_change(text: &str) -> bool {
    sentences(text).any(|(_, own)| own.tells_change() || own.words.told.slot.is_some())
}

/// The sentences with which the owner tells of a change, in all that was gathered.
pub(crate) fn later(material: &Material) -> Vec<Later<'_>> {
    let of_items = material.items.iter().flat_map(|item| &item.sources);
    let all = material.said_since.iter().chain(of_items);
    let of_owner = all.filter(|source| source.origin == Origin::Owner);
    let found = of_owner.flat_map(|source| {
        let own = sentences(&source.text);
        own.filter(|(_, own)| own.tells_change() || own.words.told.slot.is_some())
            .map(move |(at, sentence)| Later {
                sentence,
                source,
                at,
            })
    });
    found.collect()
}

/// The sentence that was said after a finding and may end it; a secret in it is taken out.
pub(crate) fn said_since(words: &Words, last: SaidLast<'_>, later: &[Later<'_>]) -> Option<String> {
    let own = Sentence::of(&words.text);
    let found = later.iter().rev().find(|later| {
        later.is_after(last)
            && (!later.sentence.is_of_a_pronoun() || later.is_near(last))
            && is_doubted(&later.sentence, &own, words)
    });
    found.map(|later| redact(&later.sentence.words.text).trim().to_owned())
}

fn is_doubted(newer: &Sentence, older: &Sentence, words: &Words) -> bool {
    // `Elin lives in Oslo now` tells nothing new of who lives in Oslo.
    if newer.repeats(older) && !newer.is_end() {
        return false;
    }
    if newer.is_apart(older) {
        return newer.ends(older).is_some();
    }
    let values = || Value::of(&newer.words.text).zip(Value::of(&older.words.text));
    match relation(&newer.words, words) {
        Relation::Changed | Relation::Doubtful | Relation::Contradicts => true,
        Relation::Same => false,
        Relation::Apart => {
            newer.ends(older).is_some()
                || values().is_some_and(|(newer, older)| newer.takes_the_place_of(&older))
        }
    }
}

/// A line of a session and the owner's next one stand so near.
const NEAR_LINES: usize = 4;

impl Later<'_> {
    /// Whether it follows at once, so that `she` is who was told.
    fn is_near(&self, last: SaidLast<'_>) -> bool {
        last.place.is_some_and(|(path, (line, _))| {
            path == self.source.path && self.source.line.saturating_sub(line) <= NEAR_LINES
        })
    }

    fn is_after(&self, last: SaidLast<'_>) -> bool {
        if self.source.day != last.day {
            return self.source.day > last.day;
        }
        match last.place {
            Some((path, (line, at))) if path == self.source.path => {
                let own = (self.source.line, Some(self.at));
                own > (line, at)
            }
            Some(_) | None => {
                let both = self.source.at.zip(last.at);
                both.is_some_and(|(own, last)| own > last)
            }
        }
    }
}

/// The sentences of what the owner says in person in a text, with their places in it.
fn sentences(text: &str) -> impl Iterator<Item = (usize, Sentence)> {
    let own = own_words(text);
    let lines: Vec<String> = own
        .lines()
        .flat_map(base::sentences)
        .filter(|sentence| sentence.chars().count() <= SENTENCE_CHARS_MAX)
        .map(|sentence| sentence.trim().to_owned())
        .collect();
    lines.into_iter().filter_map(|sentence| {
        let at = text.find(&sentence)?;
        Some((at, Sentence::of(&sentence)))
    })
}

#[cfg(test)]
#[path = "since_tests.rs"]
mod tests;
