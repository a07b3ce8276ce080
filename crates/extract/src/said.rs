//! Splits one message of a person into sentences, and separates statements from questions.
//!
//! Sees one message at a time.

use base::{TAKEN_OUT, head, n_words, own_words};

use crate::frame::capitalised;
use crate::language::{Cue, Language};
use crate::paragraph::{SentencePlace, sentences};
use crate::signals::asks;

/// Most characters of a note.
pub(crate) const NOTE_CHARS_MAX: usize = 300;

/// Fewer words before a question or quotation are not a statement.
pub(crate) const STATED_WORDS_MIN: usize = 4;

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ReadMessage {
    /// Its sentences, in order.
    pub(crate) sentences: Vec<SaidSentence>,
    /// Whether it starts a role play, which continues in the next message.
    pub(crate) opens_play: bool,
}

/// A sentence as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SaidSentence {
    pub(crate) text: String,
    /// Whether it is a question.
    pub(crate) asks: bool,
    /// Whether the message asks to remember it.
    pub(crate) is_asked_for: bool,
    /// The sentence with the words that ask, if they were taken off its beginning.
    pub(crate) request: Option<String>,
    /// Whether it says something without the message that it replies to.
    pub(crate) stands_alone: bool,
}

/// Parses a message of a person.
pub(crate) fn said(text: &str, language: Option<&Language>) -> ReadMessage {
    let own = own_words(text);
    let mut said = ReadMessage::default();
    for sentence in sentences(&own) {
        // A request to remember is meant seriously: `remember that I play the bassoon`.
        said.opens_play |= language.is_some_and(|it| {
            it.holds(Cue::Play, &sentence.text) && !it.asks_to_keep(&sentence.text)
        });
        if !matches!(sentence.place, SentencePlace::Prose | SentencePlace::Item) {
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

impl ReadMessage {
    /// Adds a sentence; the part before a final question becomes a separate statement.
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
            let told = language.map(|it| it.told(text));
            let is_cut = told.is_some_and(|it| it.is_cut);
            let own = told.map_or(text, |it| it.text).trim();
            self.sentences.push(SaidSentence {
                asks: asks(text),
                text: if is_cut {
                    capitalised(own)
                } else {
                    own.to_owned()
                },
                is_asked_for: told.is_some_and(|it| it.is_asked_for),
                request: is_cut.then(|| text.trim().to_owned()),
                stands_alone: language.is_none_or(|it| it.stands_alone(text)),
            });
        }
    }
}

/// The start of the question in a sentence: the first clause that is worded as a question, or else the last clause.
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

/// Whether the words before a question state something by themselves.
fn states(text: &str, language: Option<&Language>) -> bool {
    let holds = |cue| language.is_some_and(|it| it.holds(cue, text));
    n_words(text) >= STATED_WORDS_MIN && !holds(Cue::Question) && !holds(Cue::Request)
}

/// A sentence without the clause that held a quotation taken out before; `None` if too little is left.
fn without_taken_out(text: &str) -> Option<String> {
    let Some(at) = text.find(TAKEN_OUT) else {
        return Some(text.to_owned());
    };
    let before = text.get(..at).unwrap_or_default();
    let kept = trimmed(last_boundary(before).and_then(|at| before.get(..at))?);
    (n_words(kept) >= STATED_WORDS_MIN).then(|| kept.to_owned())
}

/// The longest run of adjacent clauses of a sentence without those to drop; `None` if the rest has no meaning by
/// itself.
pub(crate) fn without_clauses(
    sentence: &str,
    mut is_dropped: impl FnMut(&str) -> bool,
) -> Option<&str> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut goes_on = false;
    let mut is_whole = true;
    for (start, end) in clauses(sentence) {
        let is_kept = !is_dropped(sentence.get(start..end).unwrap_or_default());
        is_whole &= is_kept;
        match runs.last_mut().filter(|_| goes_on && is_kept) {
            Some((_, last)) => *last = end,
            None if is_kept => runs.push((start, end)),
            None => {}
        }
        goes_on = is_kept;
    }
    if is_whole {
        return Some(sentence);
    }
    let (start, end) = runs.into_iter().max_by_key(|(start, end)| end - start)?;
    let kept = trimmed(sentence.get(start..end).unwrap_or_default());
    (n_words(kept) >= STATED_WORDS_MIN).then_some(kept)
}

/// Separators of clauses.
#[rustfmt::skip]
const BOUNDARIES: [&str; 8] = [", ", "; ", " - ", " \u{2013} ", " \u{2014} ", "\u{3001}", "\u{ff0c}", ": "];

/// The start of the last clause of a sentence.
fn last_boundary(text: &str) -> Option<usize> {
    BOUNDARIES.iter().filter_map(|mark| text.rfind(mark)).max()
}

/// The byte ranges of the clauses of a sentence; one too short to state anything joins the one before.
pub(crate) fn clauses(text: &str) -> Vec<(usize, usize)> {
    let marks = BOUNDARIES.iter().flat_map(|mark| text.match_indices(mark));
    let ends = marks.map(|(at, mark)| at + mark.len());
    let mut ends: Vec<usize> = ends.chain([text.len()]).collect();
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

/// Marks between clauses, part of neither.
const MARKS: [char; 10] = [
    ' ', ',', ';', ':', '-', '\u{2013}', '\u{2014}', '\u{ff0c}', '\u{3001}', '\u{ff1b}',
];

/// A clause without the marks after it.
pub(crate) fn trimmed(clause: &str) -> &str {
    clause.trim_end_matches(MARKS)
}

/// The mark of a cut.
const CUT_MARK: &str = " \u{2026}";

/// Shortens a text to the length of a note, with a mark, at a clause end or else as [`base::shortened`] does.
pub(crate) fn shortened(text: &str) -> String {
    let text = text.trim();
    let short = head(text, NOTE_CHARS_MAX - CUT_MARK.chars().count());
    let least = head(text, NOTE_CHARS_MAX / 4).len();
    let clause = last_boundary(short).filter(|at| *at >= least);
    let clause = clause.filter(|_| head(text, NOTE_CHARS_MAX).len() < text.len());
    match clause.and_then(|at| short.get(..at)) {
        Some(clauses) => format!("{}{CUT_MARK}", trimmed(clauses)),
        None => base::shortened(text, NOTE_CHARS_MAX).into_owned(),
    }
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
