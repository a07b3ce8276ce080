//! The sentences that a person says in one message, parted into what is stated and what is asked.
//!
//! Knows one message and whether a play was opened before it.

use base::{TAKEN_OUT, head, n_words, own_words_where};

use crate::language::{Cue, Language};
use crate::paragraph::{Place, sentences};
use crate::signals::asks;

/// The most characters of a note.
pub(crate) const NOTE_CHARS_MAX: usize = 300;

/// Fewer words before a question or a quotation state nothing.
const STATED_WORDS_MIN: usize = 4;

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Said {
    /// Its sentences, in order.
    pub(crate) sentences: Vec<Sentence>,
    /// Whether it opens a play, which goes on in the next message.
    pub(crate) opens_play: bool,
}

/// A sentence as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Its words.
    pub(crate) text: String,
    /// Whether it is a question.
    pub(crate) asks: bool,
    /// Whether it is asked to keep it.
    pub(crate) is_asked_for: bool,
}

/// What of a message its writer says in person.
pub(crate) fn own_words(text: &str, language: Option<&Language>) -> String {
    own_words_where(text, &|label| {
        language.is_some_and(|it| it.is_own_label(label))
    })
}

/// Reads a message of a person.
pub(crate) fn said(text: &str, language: Option<&Language>) -> Said {
    let own = own_words(text, language);
    let mut said = Said::default();
    for sentence in sentences(&own) {
        // What is asked to be kept is meant: `remember that I play the bassoon`.
        said.opens_play |= language.is_some_and(|it| {
            it.holds(Cue::Play, &sentence.text) && !it.asks_to_keep(&sentence.text)
        });
        if !matches!(sentence.place, Place::Prose | Place::Item) {
            continue;
        }
        let text = match &sentence.lead {
            Some(lead) => format!("{lead} {}", sentence.text),
            None => sentence.text,
        };
        said.add(&text, language);
    }
    said
}

impl Said {
    /// Adds a sentence; what stands before a question at its end is a statement of its own.
    fn add(&mut self, text: &str, language: Option<&Language>) {
        let Some(text) = without_taken_out(text) else {
            return;
        };
        if !asks(&text) {
            self.push(&text, language);
            return;
        }
        match asked_from(&text, language).and_then(|at| text.split_at_checked(at)) {
            Some((stated, asked)) if states(stated, language) => {
                self.push(trimmed(stated), language);
                self.push(asked.trim_start_matches(MARKS), language);
            }
            _ => self.push(&text, language),
        }
    }

    fn push(&mut self, text: &str, language: Option<&Language>) {
        if text.chars().any(char::is_alphanumeric) {
            let (told, is_asked_for) = language.map_or((text, false), |it| it.told(text));
            self.sentences.push(Sentence {
                asks: asks(text),
                text: told.trim().to_owned(),
                is_asked_for,
            });
        }
    }
}

/// Where the question begins in a sentence that asks: with its first clause that is worded as one, else with its last.
fn asked_from(text: &str, language: Option<&Language>) -> Option<usize> {
    let asks = |(from, to): &(usize, usize)| {
        let clause = text.get(*from..*to).unwrap_or_default();
        language.is_some_and(|it| {
            let clause = it.without_joint(clause);
            it.holds(Cue::Question, clause) || it.holds(Cue::Request, clause)
        })
    };
    let worded = clauses(text).into_iter().find(asks).map(|(from, _)| from);
    worded.or_else(|| last_boundary(text))
}

/// Whether the words before a question say something by themselves.
fn states(text: &str, language: Option<&Language>) -> bool {
    let holds = |cue| language.is_some_and(|it| it.holds(cue, text));
    n_words(text) >= STATED_WORDS_MIN && !holds(Cue::Question) && !holds(Cue::Request)
}

/// What is left of a sentence without the clause that held a quotation; nothing where that was most of it.
fn without_taken_out(text: &str) -> Option<String> {
    let Some(at) = text.find(TAKEN_OUT) else {
        return Some(text.to_owned());
    };
    let before = text.get(..at).unwrap_or_default();
    let kept = trimmed(last_boundary(before).and_then(|at| before.get(..at))?);
    (n_words(kept) >= STATED_WORDS_MIN).then(|| kept.to_owned())
}

/// Marks between clauses.
const BOUNDARIES: [&str; 8] = [
    ", ",
    "; ",
    " - ",
    " \u{2013} ",
    " \u{2014} ",
    "\u{3001}",
    "\u{ff0c}",
    ": ",
];

/// Where the last clause of a sentence begins.
fn last_boundary(text: &str) -> Option<usize> {
    BOUNDARIES.iter().filter_map(|mark| text.rfind(mark)).max()
}

/// Where the clauses of a sentence begin and end; one that is too short to state anything goes with the one before.
pub(crate) fn clauses(text: &str) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = BOUNDARIES
        .iter()
        .flat_map(|mark| text.match_indices(mark).map(|(at, mark)| at + mark.len()))
        .chain([text.len()])
        .collect();
    ends.sort_unstable();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    for end in ends {
        let clause = text.get(start..end).unwrap_or_default();
        match found.last_mut() {
            Some((_, last)) if n_words(clause) < STATED_WORDS_MIN => *last = end,
            _ => found.push((start, end)),
        }
        start = end;
    }
    found
}

/// Marks between clauses that belong to neither.
const MARKS: [char; 10] = [
    ' ', ',', ';', ':', '-', '\u{2013}', '\u{2014}', '\u{ff0c}', '\u{3001}', '\u{ff1b}',
];

/// A clause without the marks after it.
pub(crate) fn trimmed(clause: &str) -> &str {
    clause.trim_end_matches(MARKS)
}

/// At most the characters of a note, cut where a clause ends or else a word.
pub(crate) fn shortened(text: &str) -> String {
    let text = text.trim();
    let short = head(text, NOTE_CHARS_MAX);
    if short.len() == text.len() {
        return text.to_owned();
    }
    let least = head(text, NOTE_CHARS_MAX / 4).len();
    let clause = last_boundary(short).filter(|at| *at >= least);
    let word = short.rfind(' ').filter(|at| *at >= least);
    let end = clause.or(word).unwrap_or(short.len());
    trimmed(short.get(..end).unwrap_or(short)).to_owned()
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
