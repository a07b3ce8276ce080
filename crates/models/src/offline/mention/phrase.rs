//! Finds the few words around an identifier that give it its meaning.
//!
//! Cuts at clauses and words; adds nothing.

use super::super::bare::is_telling;
use super::super::clause::{boundaries, halves, trimmed, without_joint};
use super::super::identifier::{Identifier, Kind, is_currency};
use super::super::signal::{Plain, plain};
use super::super::template::LIST_SEPARATOR;

/// What parts the cells of a row.
const CELLS_APART: &str = " | ";

/// A longer sentence is a dump, whose words say nothing of one identifier.
const SENTENCE_CHARS_MAX: usize = 600;

/// A clause this short is taken whole.
const CLAUSE_CHARS_MAX: usize = 48;

/// So many words before an identifier are taken from a longer one, and after it where none before tell anything.
const WORDS_BEFORE_MAX: usize = 4;
const WORDS_AFTER_MAX: usize = 3;

/// A longer phrase costs more than it says.
const PHRASE_CHARS_MAX: usize = 72;

/// The words around an identifier; `None` where it speaks for itself or they say nothing.
pub(super) fn phrase(sentence: &str, identifier: &Identifier<'_>) -> Option<String> {
    let is_plain = identifier.kind == Kind::Address || identifier.text.contains('/');
    if is_plain || sentence.len() > SENTENCE_CHARS_MAX {
        return None;
    }
    let phrase = if sentence.contains(CELLS_APART) {
        cell(sentence, identifier.text)?
    } else {
        words_around(sentence, identifier.text)?.to_owned()
    };
    let is_short = phrase.chars().count() <= PHRASE_CHARS_MAX;
    let rest = phrase.replacen(identifier.text, " ", 1);
    (is_short && !phrase.contains(LIST_SEPARATOR) && tells(&rest)).then_some(phrase)
}

/// The cell of a row in which an identifier stands, behind the first, which names the row.
fn cell(row: &str, identifier: &str) -> Option<String> {
    let mut cells = row.split(CELLS_APART);
    let first = cells.next()?;
    if first.contains(identifier) {
        let second = cells.next()?;
        return Some(format!("{first}{CELLS_APART}{second}"));
    }
    let own = cells.find(|cell| cell.contains(identifier))?;
    Some(format!("{first}{CELLS_APART}{own}"))
}

fn words_around<'a>(sentence: &'a str, identifier: &str) -> Option<&'a str> {
    let at = sentence.find(identifier)?;
    let clause = without_joint(clause_at(sentence, at, identifier.len()));
    if clause.chars().count() <= CLAUSE_CHARS_MAX && clause.matches('"').count().is_multiple_of(2) {
        return Some(clause);
    }
    nearest_words(clause, identifier)
}

/// The clause of a sentence in which an identifier of so many bytes stands.
fn clause_at(sentence: &str, at: usize, n_bytes: usize) -> &str {
    let ends = boundaries(sentence);
    let start = ends.iter().rfind(|end| **end <= at).copied().unwrap_or(0);
    let end = ends.iter().find(|end| **end >= at + n_bytes).copied();
    let clause = sentence.get(start..end.unwrap_or(sentence.len()));
    unstopped(clause.unwrap_or_default())
}

/// Some words before an identifier, and some after it where those before tell nothing.
fn nearest_words<'a>(clause: &'a str, identifier: &str) -> Option<&'a str> {
    let at = clause.find(identifier)?;
    let (before, rest) = halves(clause, at);
    // A quotation that it opens or goes on stays whole on this side.
    let quote = before.rfind('"').map_or(0, |quote| quote + 1);
    // What stands against it, such as a bracket or a mark, belongs to it.
    let glued = before.trim_end_matches(|c: char| !c.is_whitespace());
    let start = words_back(glued).max(quote);
    let head = before.get(start..).unwrap_or_default();
    let (_, after) = halves(rest, identifier.len());
    let n_after = if tells(head) { 0 } else { WORDS_AFTER_MAX };
    let end = at + identifier.len() + words_on(after, n_after);
    clause.get(start..end).map(unstopped)
}

/// Where the last words of a text begin, without those at their start that tell nothing.
fn words_back(text: &str) -> usize {
    let mut starts: Vec<usize> = Vec::new();
    let mut was_blank = true;
    for (at, character) in text.char_indices() {
        if was_blank && !character.is_whitespace() {
            starts.push(at);
        }
        was_blank = character.is_whitespace();
    }
    let n_skipped = starts.len().saturating_sub(WORDS_BEFORE_MAX);
    starts.drain(..n_skipped);
    let telling = starts.iter().find(|start| {
        let word = halves(text, **start).1.split_whitespace().next();
        word.is_some_and(tells)
    });
    telling.copied().unwrap_or(text.len())
}

/// The bytes of what is glued to the start of a text and of so many words after it.
fn words_on(text: &str, n_words: usize) -> usize {
    let mut end = text.find(char::is_whitespace).unwrap_or(text.len());
    for _ in 0..n_words {
        let rest = halves(text, end).1;
        let n_blanks = rest.len() - rest.trim_start().len();
        let word = rest.trim_start();
        end += n_blanks + word.find(char::is_whitespace).unwrap_or(word.len());
    }
    end
}

/// Whether a text holds a word that names something.
fn tells(text: &str) -> bool {
    let Plain(words) = plain(text);
    words
        .split_whitespace()
        .any(|word| is_telling(word) && !is_currency(word) && word.chars().count() > 1)
}

/// A phrase without the marks at its end.
fn unstopped(phrase: &str) -> &str {
    let mut phrase = trimmed(phrase).trim_start();
    if !phrase.matches('"').count().is_multiple_of(2) {
        phrase = phrase.strip_suffix('"').unwrap_or(phrase);
    }
    phrase
        .strip_suffix(['.', '!', '?', '\u{3002}'])
        .unwrap_or(phrase)
}
