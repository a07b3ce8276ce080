//! Quotes parts of a passage to the letter.
//!
//! Chooses no passage.

use base::dates::with_dates;
use base::{Day, redact, shortened};

use crate::language::language_of;

/// Most characters of a quotation.
const QUOTED_CHARS_MAX: usize = 400;

/// Stands for words between two quoted sentences.
const LEFT_OUT: &str = " \u{2026} ";

/// A sentence with as many neighbours as fit, for context, as they are in the passage.
pub(crate) fn around(passage: &str, sentences: &[String], at: usize) -> String {
    let (mut first, mut last) = (at, at);
    let joined = |first: usize, last: usize| {
        as_written(passage, sentences.get(first..=last).unwrap_or_default())
    };
    loop {
        let fits = |first, last| joined(first, last).chars().count() <= QUOTED_CHARS_MAX;
        if last + 1 < sentences.len() && fits(first, last + 1) {
            last += 1;
        } else if first > 0 && fits(first - 1, last) {
            first -= 1;
        } else {
            return joined(first, last);
        }
    }
}

/// Adjacent sentences with the text between them in the passage; an ellipsis marks words that were left out.
fn as_written(passage: &str, sentences: &[String]) -> String {
    let mut text = String::new();
    let mut rest = passage;
    for sentence in sentences {
        let found = rest.split_once(sentence.as_str());
        let between = found.map_or(" ", |(between, _)| between);
        if !text.is_empty() {
            let is_left_out = between.contains(char::is_alphanumeric);
            text.push_str(if is_left_out { LEFT_OUT } else { between });
        }
        text.push_str(sentence);
        rest = found.map_or(rest, |(_, behind)| behind);
    }
    text
}

/// A quotation with an ellipsis on each side where the passage says more.
pub(crate) fn marked(passage: &str, quotation: &str) -> String {
    let first = quotation.split(LEFT_OUT).next().unwrap_or_default();
    let last = quotation.rsplit(LEFT_OUT).next().unwrap_or_default();
    let says_more = |rest: Option<&str>| rest.is_some_and(|it| it.contains(char::is_alphanumeric));
    let opens = says_more(passage.split_once(first).map(|(before, _)| before));
    let closes = says_more(passage.rsplit_once(last).map(|(_, behind)| behind));
    let opening = if opens { LEFT_OUT.trim_start() } else { "" };
    let closing = if closes { LEFT_OUT.trim_end() } else { "" };
    format!("{opening}{quotation}{closing}")
}

pub(crate) fn quoted(text: &str) -> String {
    shortened(&redact(text), QUOTED_CHARS_MAX).into_owned()
}

/// A quotation with the days that it means, as a note of it has them.
pub(crate) fn dated(quotation: &str, said_on: Option<Day>) -> String {
    let code = language_of(quotation).map(|it| it.code.as_str());
    let dated = said_on.map(|day| with_dates(quotation, day, code));
    dated.unwrap_or_else(|| quotation.to_owned())
}
