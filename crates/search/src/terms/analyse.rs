//! Turns a text into terms in one pass.
//!
//! Deterministic; a change of its output requires a new index format.

use std::collections::HashMap;

use base::dates::{day_of_month, iso_date, month_of};
use base::stem::{Algorithm, Stemmer};
use base::{is_unspaced, plain_letter};

use super::identifier::{file_name, identifier};
use super::normal::normal;
use super::script::is_word;

/// The kind of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TermKind {
    /// The stem of a word, or a pair of characters of a script without spaces.
    Stem,
    /// A word as written, in lower case.
    Exact,
    /// An identifier, or a day of any year.
    Identifier,
    /// A feature of the piece, not a word.
    Sign,
}

/// A term in the index.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) text: String,
}

impl Term {
    /// The feature of a piece that may be a standing wish.
    pub(crate) fn wish() -> Self {
        Self {
            kind: TermKind::Sign,
            text: "wish".to_owned(),
        }
    }

    /// The feature of a note that is called so, in these forms of words; `None` without a word.
    pub(crate) fn name(forms: &[String]) -> Option<Self> {
        (!forms.is_empty()).then(|| Self {
            kind: TermKind::Sign,
            text: format!("={}", forms.join("_")),
        })
    }

    /// The key in the index; kinds never collide.
    pub(crate) fn key(&self) -> String {
        key(self.kind, &self.text)
    }
}

/// The key of a term given by its parts.
pub(crate) fn key(kind: TermKind, text: &str) -> String {
    let mark = match kind {
        TermKind::Stem => 's',
        TermKind::Exact => 'e',
        TermKind::Identifier => 'i',
        TermKind::Sign => 'w',
    };
    let mut key = String::with_capacity(text.len() + 1);
    key.push(mark);
    key.push_str(text);
    key
}

/// Longest word in bytes; a longer run is not a word and is truncated.
const WORD_BYTES_MAX: usize = 64;

/// Size of the stem cache; few vocabularies repeat more words.
const STEMS_MAX: usize = 50_000;

/// Produces terms; caches stems.
pub(crate) struct Analyser {
    english: Stemmer,
    russian: Stemmer,
    stems: HashMap<String, String>,
    /// The day number or month before the current word, for dates in words.
    before: Option<DatePart>,
}

#[derive(Debug, Clone, Copy)]
enum DatePart {
    Day(u32),
    Month(u32),
}

impl Analyser {
    /// An analyser with an empty cache.
    pub(crate) fn new() -> Self {
        Self {
            english: Stemmer::new(Algorithm::English),
            russian: Stemmer::new(Algorithm::Russian),
            stems: HashMap::new(),
            before: None,
        }
    }

    /// Passes each term of a text to `sink`, in order.
    pub(crate) fn each(&mut self, text: &str, sink: &mut dyn FnMut(TermKind, &str)) {
        self.before = None;
        let text = normal(text);
        for chunk in text.split_whitespace() {
            identifiers(chunk, sink);
            let mut rest = chunk;
            while let Some(start) = rest.find(is_word) {
                let from = rest.get(start..).unwrap_or("");
                let end = from.find(|c| !is_word(c)).unwrap_or(from.len());
                let (run, after) = from.split_at_checked(end).unwrap_or((from, ""));
                self.run(run, sink);
                rest = without_possessive(after);
            }
        }
    }

    /// The words of a text as they are written, in lower case and with plain letters.
    pub(crate) fn forms(&mut self, text: &str) -> Vec<String> {
        let mut forms = Vec::new();
        self.each(text, &mut |kind, term| {
            if kind == TermKind::Exact {
                forms.push(term.chars().map(plain_letter).collect());
            }
        });
        forms
    }

    /// Handles a run of word characters, which may mix scripts.
    fn run(&mut self, run: &str, sink: &mut dyn FnMut(TermKind, &str)) {
        if run.is_ascii() {
            return self.word(run.to_ascii_lowercase(), sink);
        }
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let is_unspaced_part = is_unspaced(first);
            let end = rest.find(|c| is_unspaced(c) != is_unspaced_part);
            let part = end.and_then(|end| rest.split_at_checked(end));
            let (part, after) = part.unwrap_or((rest, ""));
            if is_unspaced_part {
                pairs(part, sink);
            } else {
                self.word(part.to_lowercase(), sink);
            }
            rest = after;
        }
    }

    fn word(&mut self, mut word: String, sink: &mut dyn FnMut(TermKind, &str)) {
        if word.len() > WORD_BYTES_MAX {
            word.truncate(word.floor_char_boundary(WORD_BYTES_MAX));
        }
        self.date(&word, sink);
        sink(TermKind::Exact, &word);
        if let Some(stem) = self.stems.get(&word) {
            return sink(TermKind::Stem, stem);
        }
        let stem = self.stem(&word);
        sink(TermKind::Stem, &stem);
        if self.stems.len() >= STEMS_MAX {
            self.stems.clear();
        }
        self.stems.insert(word, stem);
    }

    fn stem(&self, word: &str) -> String {
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return word.to_owned();
        }
        if word.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c)) {
            let plain = word.replace('\u{451}', "\u{435}");
            return self.russian.stem(&plain).into();
        }
        let plain: String = word.chars().map(plain_letter).collect();
        self.english.stem(&plain).into()
    }

    fn date(&mut self, word: &str, sink: &mut dyn FnMut(TermKind, &str)) {
        let part = match month_of(word) {
            Some(month) => Some(DatePart::Month(month)),
            None => day_of_month(word).map(DatePart::Day),
        };
        match (self.before, part) {
            (Some(DatePart::Day(day)), Some(DatePart::Month(month)))
            | (Some(DatePart::Month(month)), Some(DatePart::Day(day))) => {
                sink(TermKind::Identifier, &day_term(month, day));
            }
            _ => {}
        }
        // "7th of May"
        if word != "of" {
            self.before = part;
        }
    }
}

fn identifiers(chunk: &str, sink: &mut dyn FnMut(TermKind, &str)) {
    let Some(found) = identifier(chunk) else {
        return;
    };
    let found = found.to_lowercase();
    sink(TermKind::Identifier, &found);
    if let Some(name) = file_name(&found) {
        sink(TermKind::Identifier, name);
    }
    if let Some((_, month, day)) = iso_date(&found) {
        sink(TermKind::Identifier, &day_term(month, day));
    }
}

/// The term of a day in any year, so that `7 May`, `May 7` and `2023-05-07` match.
pub(crate) fn day_term(month: u32, day: u32) -> String {
    format!("@{month:02}-{day:02}")
}

/// Strips the `'s` of `Anna's`.
fn without_possessive(after: &str) -> &str {
    let rest = after.strip_prefix(['\'', '\u{2019}']);
    let rest = rest.and_then(|rest| rest.strip_prefix(['s', 'S']));
    let rest = rest.filter(|rest| !rest.starts_with(is_word));
    rest.unwrap_or(after)
}

/// Emits pairs of adjacent characters, and each single character for one-character queries.
fn pairs(part: &str, sink: &mut dyn FnMut(TermKind, &str)) {
    let mut last: Option<&str> = None;
    for (start, character) in part.char_indices() {
        let end = start + character.len_utf8();
        let Some(single) = part.get(start..end) else {
            continue;
        };
        sink(TermKind::Exact, single);
        if let Some(pair) = last.and_then(|last| part.get(start - last.len()..end)) {
            sink(TermKind::Stem, pair);
        }
        last = Some(single);
    }
    if part.chars().nth(1).is_none() {
        sink(TermKind::Stem, part);
    }
}

#[cfg(test)]
#[path = "analyse_tests.rs"]
mod tests;
