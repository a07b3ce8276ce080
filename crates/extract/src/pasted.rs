//! Tells by structure which part of a message somebody else wrote: letters, chats, quotations, text behind a request.
//!
//! Reads no language but for the cues of a request and of something that is shown.

use crate::language::{Cue, Language};
use crate::words::n_words;

/// A longer first line of a letter is no salutation, a longer last one no signature.
const SALUTATION_CHARS_MAX: usize = 60;

/// A block of fewer words behind a request may be the owner's own.
const BLOCK_WORDS_MIN: usize = 25;

/// A quotation of fewer words is a name or a word that is meant.
const QUOTED_WORDS_MIN: usize = 4;

/// A name of more words before a colon is a sentence.
const NAME_WORDS_MAX: usize = 3;

/// What stands for a quotation that was taken out; no text of a person holds it.
pub(crate) const TAKEN_OUT: char = '\u{fffc}';

/// What of a message the owner says in person; quotations leave [`TAKEN_OUT`] behind.
pub(crate) fn own_part(text: &str, language: Option<&Language>) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let end = foreign_from(&lines, language).unwrap_or(lines.len());
    let own = lines.get(..end).unwrap_or_default();
    let spoken = speakers(own);
    let kept: Vec<String> = own
        .iter()
        .filter(|line| !spoken || speaker(line).is_none())
        .map(|line| without_quotations(line, language))
        .collect();
    kept.join("\n")
}

/// The line from which on somebody else speaks.
fn foreign_from(lines: &[&str], language: Option<&Language>) -> Option<usize> {
    let holds = |cue, text: &str| language.is_some_and(|it| it.holds(cue, text));
    let mut before = String::new();
    for (at, line) in lines.iter().enumerate() {
        let rest = lines.get(at..).unwrap_or_default();
        let is_parted = at == 0 || lines.get(at - 1).is_some_and(|it| it.trim().is_empty());
        if is_parted && (is_letter(rest, at) || are_headers(rest)) {
            return Some(at);
        }
        let starts_block = at > 0 && is_parted || before.trim_end().ends_with([':', '\u{ff1a}']);
        if starts_block && !before.is_empty() && !line.trim().is_empty() {
            let shows = holds(Cue::Request, &before)
                || holds(Cue::Pointing, &before)
                || is_question(&before);
            let introduces = before.trim_end().ends_with([':', '\u{ff1a}']);
            let is_long = n_words(&rest.join(" ")) >= BLOCK_WORDS_MIN;
            let is_list = line.trim_start().starts_with(['-', '*', '1']);
            if is_long && !is_list && (introduces || shows && holds(Cue::Pointing, &before)) {
                return Some(at);
            }
        }
        if !line.trim().is_empty() {
            (*line).clone_into(&mut before);
        }
    }
    None
}

fn is_question(text: &str) -> bool {
    text.contains(['?', '\u{ff1f}'])
}

/// Whether a letter begins here: a salutation on a line of its own; one that opens the message is the owner's
/// unless somebody signs it.
fn is_letter(lines: &[&str], at: usize) -> bool {
    let Some((first, rest)) = lines.split_first() else {
        return false;
    };
    let first = first.trim();
    let is_short = !first.is_empty() && first.chars().count() <= SALUTATION_CHARS_MAX;
    let greets = first.ends_with([',', '\u{ff0c}', '\u{3001}', '\u{69d8}', '!'])
        || first.ends_with([':', '\u{ff1a}']) && first.starts_with(char::is_uppercase);
    let follows = n_words(&rest.join(" ")) >= BLOCK_WORDS_MIN / 2;
    is_short && greets && follows && (at > 0 || is_signed(rest))
}

/// Whether the last lines are a signature: short, without a stop at their end.
fn is_signed(lines: &[&str]) -> bool {
    let mut last = lines.iter().rev().filter(|it| !it.trim().is_empty());
    let is_short = |line: &str| {
        let line = line.trim();
        let is_stopped = line.ends_with(['.', '!', '?', '\u{3002}', ':']);
        line.chars().count() <= SALUTATION_CHARS_MAX / 2 && !is_stopped
    };
    let name = last.next().is_some_and(|line| is_short(line));
    let closing = last
        .next()
        .is_some_and(|line| line.trim().ends_with(',') && is_short(line));
    name && closing
}

/// Whether the headers of a mail or a form begin here: two lines one after the other, each a word and a colon.
fn are_headers(lines: &[&str]) -> bool {
    let is_header = |line: &&str| {
        line.split_once(':').is_some_and(|(name, rest)| {
            let is_name =
                !name.is_empty() && !name.contains(' ') && name.starts_with(char::is_uppercase);
            is_name && (rest.contains('@') || rest.trim().chars().any(|it| it.is_ascii_digit()))
        })
    };
    lines.iter().take(2).filter(|it| is_header(it)).count() == 2
}

/// Whether a chat of several stands in the text: a name before a colon comes twice, or two do.
fn speakers(lines: &[&str]) -> bool {
    let names: Vec<&str> = lines.iter().filter_map(|line| speaker(line)).collect();
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    names.len() > distinct.len() || names.len() >= 3
}

/// The name before the colon of a line of chat, behind a time in brackets if there is one.
fn speaker(line: &str) -> Option<&str> {
    let line = line
        .trim()
        .trim_start_matches(|c: char| c == '[' || c == '(' || c.is_ascii_digit());
    let line = line.trim_start_matches([':', ']', ')', ',', ' ', '-']);
    let at = line.find([':', '\u{ff1a}'])?;
    let (name, said) = line.split_at_checked(at)?;
    let is_name = !name.is_empty() && name.split_whitespace().count() <= NAME_WORDS_MAX;
    let starts = name.starts_with(|c: char| c.is_uppercase() || c as u32 > 0x2e80);
    let is_said =
        said.chars().nth(1).is_none_or(char::is_whitespace) || said.starts_with('\u{ff1a}');
    (is_name && starts && is_said && n_words(said) > 1).then_some(name)
}

/// The pairs of marks between which somebody else speaks.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('\u{201c}', '\u{201d}'),
    ('\u{201e}', '\u{201c}'),
    ('\u{ab}', '\u{bb}'),
    ('\u{300c}', '\u{300d}'),
    ('\u{300e}', '\u{300f}'),
];

/// A line with its quotations taken out: those of several words that somebody says, and not the title of something.
fn without_quotations(line: &str, language: Option<&Language>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((at, open)) = rest
        .char_indices()
        .find(|(_, it)| QUOTES.iter().any(|(open, _)| open == it))
    {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let inner = after.get(open.len_utf8()..).unwrap_or_default();
        let closed = QUOTES
            .iter()
            .filter(|(it, _)| *it == open)
            .filter_map(|(_, close)| Some((inner.find(*close)?, close.len_utf8())))
            .min();
        out.push_str(before);
        let Some((end, width)) = closed else {
            out.push_str(after);
            return out;
        };
        let quoted = inner.get(..end).unwrap_or_default();
        if is_speech(quoted, before, language) {
            out.push(TAKEN_OUT);
        } else {
            out.push(open);
            out.push_str(inner.get(..end + width).unwrap_or_default());
        }
        rest = inner.get(end + width..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn is_speech(quoted: &str, before: &str, language: Option<&Language>) -> bool {
    let holds = |cue, text: &str| language.is_some_and(|it| it.holds(cue, text));
    let says = holds(Cue::First, quoted) || holds(Cue::Second, quoted);
    let is_sentence = quoted
        .trim_end()
        .ends_with(['.', '!', '?', ',', '\u{3002}']);
    let is_told = holds(Cue::Reported, before) || before.trim_end().ends_with([':', '\u{ff1a}']);
    n_words(quoted) >= QUOTED_WORDS_MIN
        && (says || is_sentence || is_told || before.trim().is_empty())
}

#[cfg(test)]
#[path = "pasted_tests.rs"]
mod tests;
