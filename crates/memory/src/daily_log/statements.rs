//! Checks whether a daily log already says what a note says.
//!
//! Pure; in doubt the answer is no, because a duplicate line costs less than a lost one.

use std::cmp::Reverse;

use base::Origin;

use memchr::memmem;

use crate::note_text::NoteLine;

/// The normalized lines of a log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Statements {
    lines: Vec<(String, Origin)>,
}

impl Statements {
    /// Normalizes the lines of a log.
    pub(crate) fn of<'t>(lines: impl Iterator<Item = &'t NoteLine<'t>>) -> Self {
        let said = |line: &NoteLine<'_>| (normal(line.text()), line.origin());
        Self {
            lines: lines
                .map(said)
                .filter(|(text, _)| !text.is_empty())
                .collect(),
        }
    }

    /// Whether the log contains the text as a whole sentence, from an origin at least as trusted.
    ///
    /// Part of a sentence does not count: "do not use tabs" does not say "use tabs". A note of the owner is not
    /// skipped because a tool said the same.
    pub(crate) fn says(&self, text: &str, origin: Origin) -> bool {
        let text = normal(text);
        let wanted = text.trim_end_matches(is_statement_end);
        !wanted.is_empty()
            && self
                .lines
                .iter()
                .any(|(line, by)| by.trust() >= origin.trust() && has_sentence(line, wanted))
    }
}

/// Whether [`Statements::says`] could be true of this log; a false answer is certain.
pub(crate) fn may_say(log: &str, text: &str) -> bool {
    let text = normal(text);
    let wanted = text.trim_end_matches(is_statement_end);
    let lowercase = log.to_ascii_lowercase();
    lines_with_rarest_word((log, &lowercase), wanted)
        .iter()
        .any(|line| normal(line).contains(wanted))
}

/// The lines of a log that contain the word of the text that is rarest in the log: no line if the log lacks a word of
/// the text, and all lines if the text has no words.
///
/// Lines cost far more to normalize than to scan, so a note costs about the same in a log of any length.
fn lines_with_rarest_word<'l>((log, lowercase): (&'l str, &str), wanted: &str) -> Vec<&'l str> {
    let words = wanted.split(|character: char| !has_one_form(character));
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // Those first that are likely to be rare, because counting stops at the number of the rarest so far.
    words.sort_by_key(|word| Reverse((word.contains(|c: char| c.is_ascii_digit()), word.len())));
    let is_there = |word: &&str| memmem::find(lowercase.as_bytes(), word.as_bytes()).is_some();
    if !words.iter().all(is_there) {
        return Vec::new();
    }
    let (mut rarest, mut n_least) = (None, usize::MAX);
    for word in words {
        let found = memmem::find_iter(lowercase.as_bytes(), word);
        let n_found = found.take(n_least).count();
        if n_found < n_least {
            (rarest, n_least) = (Some(word), n_found);
        }
    }
    let Some(rarest) = rarest else {
        return log.lines().collect();
    };
    let mut read_to = 0;
    let begins = memmem::find_iter(lowercase.as_bytes(), rarest);
    let lines = begins.filter_map(|at| {
        if at < read_to {
            return None;
        }
        let (before, rest) = log.split_at_checked(at)?;
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        read_to = at + rest.find('\n').unwrap_or(rest.len());
        log.get(begin..read_to)
    });
    lines.collect()
}

/// Whether a character of normalized text is written in the same way in every log, apart from the case of ASCII
/// letters.
fn has_one_form(character: char) -> bool {
    let has_case = character.is_lowercase() || character.is_uppercase();
    character.is_ascii_alphanumeric() || character.is_alphanumeric() && !has_case
}

/// Lowercases, collapses whitespace and strips leading list, quote and heading marks.
fn normal(line: &str) -> String {
    let bare = line.trim_start_matches(|mark: char| mark.is_whitespace() || "-*+>#".contains(mark));
    let words: Vec<&str> = bare.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn has_sentence(line: &str, sentence: &str) -> bool {
    line.match_indices(sentence).any(|(start, found)| {
        let before = line.get(..start).unwrap_or_default();
        let after = line.get(start + found.len()..).unwrap_or_default();
        begins_sentence(before) && ends_statement(after)
    })
}

/// Whether a sentence can start after this text.
fn begins_sentence(before: &str) -> bool {
    let words = before.trim_end();
    let is_apart = words.len() < before.len() || !words.ends_with(|last: char| last.is_ascii());
    words.is_empty() || is_apart && words.ends_with(is_sentence_end)
}

/// Whether a statement can end before this text. A full stop inside a number or name does not end it, and
/// a question is not a statement.
fn ends_statement(after: &str) -> bool {
    let mut characters = after.chars();
    match (characters.next(), characters.next()) {
        (None, _) => true,
        (Some(stop), next) => {
            let is_apart = !stop.is_ascii() || next.is_none_or(char::is_whitespace);
            is_statement_end(stop) && is_apart
        }
    }
}

fn is_statement_end(character: char) -> bool {
    is_sentence_end(character) && !matches!(character, '?' | '\u{ff1f}')
}

fn is_sentence_end(character: char) -> bool {
    // Including the full stops of Chinese, Japanese and Hindi.
    ".;!?\u{2026}\u{3002}\u{ff01}\u{ff1b}\u{ff1f}\u{964}".contains(character)
}

#[cfg(test)]
#[path = "statements_tests.rs"]
mod tests;
