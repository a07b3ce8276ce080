//! What the owner said after a finding about the same: it may hold no more, though nothing says so surely.
//!
//! Reads what a dream has gathered; a finding of which that is true waits for the owner.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin, Timestamp, redact};

use crate::ground::own_words;
use crate::material::{Material, Source};
use crate::merge::{Relation, relation};
use crate::slot::{PRONOUN, Sentence, Value};
use crate::words::Words;

/// A longer sentence tells of more than one change.
const SENTENCE_CHARS_MAX: usize = 240;

/// A sentence in which the owner tells of a change, read once, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    sentence: Sentence,
    value: Option<Value>,
    path: String,
    line: usize,
    /// Its place in the message.
    place: usize,
    day: Day,
    at: Option<Timestamp>,
}

/// All sentences in which the owner tells of a change, and the words by which they are found.
#[derive(Debug)]
pub(crate) struct Later<'m> {
    /// The newest last.
    changes: Vec<Cow<'m, Change>>,
    by_key: BTreeMap<String, Vec<usize>>,
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

/// The sentences with which the owner tells of a change in a message, so that a dream has to know them.
pub(crate) fn changes(source: &Source) -> impl Iterator<Item = Change> {
    let told = (source.origin == Origin::Owner).then(|| sentences(&source.text));
    let told = told.into_iter().flatten();
    let told = told.filter(|(_, own)| own.tells_change() || own.words.told.slot.is_some());
    told.map(|(place, sentence)| Change {
        value: Value::of(&sentence.words.text),
        sentence,
        path: source.path.clone(),
        line: source.line,
        place,
        day: source.day,
        at: source.at,
    })
}

/// So many such sentences are kept, the newest.
pub(crate) const CHANGES_MAX: usize = 2_000;

/// Leaves the newest, the newest last.
pub(crate) fn keep_newest(changes: &mut Vec<Change>) {
    changes.sort_by_key(|own| (own.day, own.at));
    let n_left = changes.len().saturating_sub(CHANGES_MAX);
    changes.drain(..n_left);
}

impl<'m> Later<'m> {
    /// The sentences with which the owner tells of a change, in all that was gathered.
    pub(crate) fn of(material: &'m Material) -> Self {
        let of_items = material.items.iter().flat_map(|item| &item.sources);
        let of_items = of_items.flat_map(changes).map(Cow::Owned);
        let all = material.said_since.iter().map(Cow::Borrowed);
        let changes: Vec<Cow<'m, Change>> = all.chain(of_items).collect();
        let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (idx, own) in changes.iter().enumerate() {
            for key in own.sentence.keys(own.value.as_ref()) {
                by_key.entry(key).or_default().push(idx);
            }
        }
        Self { changes, by_key }
    }

    /// Those that may speak of the same as a sentence, the newest first.
    fn about<'a>(
        &'a self,
        sentence: &Sentence,
        value: Option<&Value>,
    ) -> impl Iterator<Item = &'a Change> + use<'a, 'm> {
        let mut keys = sentence.keys(value);
        // Whom a pronoun means is told by what stands before it.
        keys.insert(PRONOUN.to_owned());
        let found = keys.iter().filter_map(|key| self.by_key.get(key));
        let found: BTreeSet<usize> = found.flatten().copied().collect();
        let found = found.into_iter().rev();
        found.filter_map(|idx| self.changes.get(idx).map(AsRef::as_ref))
    }
}

/// The sentence that was said after a finding and may end it; a secret in it is taken out.
pub(crate) fn said_since(words: &Words, last: SaidLast<'_>, later: &Later<'_>) -> Option<String> {
    let own = Sentence::of(&words.text);
    let value = Value::of(&words.text);
    let found = later.about(&own, value.as_ref()).find(|later| {
        later.is_after(last)
            && (!later.sentence.is_of_a_pronoun() || later.is_near(last))
            && is_doubted(later, (&own, value.as_ref()), words)
    });
    found.map(|later| redact(&later.sentence.words.text).trim().to_owned())
}

fn is_doubted(later: &Change, (older, value): (&Sentence, Option<&Value>), words: &Words) -> bool {
    let newer = &later.sentence;
    // `Elin lives in Oslo now` tells nothing new of who lives in Oslo.
    if newer.is_of_others(older) || newer.repeats(older) && !newer.is_end() {
        return false;
    }
    if newer.is_apart(older) {
        return newer.ends(older).is_some();
    }
    let values = || later.value.as_ref().zip(value);
    match relation(&newer.words, words) {
        Relation::Changed | Relation::Doubtful | Relation::Contradicts => true,
        Relation::Same => false,
        Relation::Apart => {
            newer.ends(older).is_some()
                || values().is_some_and(|(newer, older)| newer.takes_the_place_of(older))
        }
    }
}

/// A line of a session and the owner's next one stand so near.
const NEAR_LINES: usize = 4;

impl Change {
    /// Whether it follows at once, so that `she` is who was told.
    fn is_near(&self, last: SaidLast<'_>) -> bool {
        last.place.is_some_and(|(path, (line, _))| {
            path == self.path && self.line.saturating_sub(line) <= NEAR_LINES
        })
    }

    fn is_after(&self, last: SaidLast<'_>) -> bool {
        if self.day != last.day {
            return self.day > last.day;
        }
        match last.place {
            Some((path, (line, at))) if path == self.path => {
                let own = (self.line, Some(self.place));
                own > (line, at)
            }
            Some(_) | None => {
                let both = self.at.zip(last.at);
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
