//! Takes secrets out of a text before the program writes it anywhere that lasts.
//!
//! Never touches the transcript itself: what was said stays as it was said.

mod check;
mod likeness;
mod patterns;
mod prose;
mod rules;
mod token;

use std::borrow::Cow;
use std::ops::Range;

use patterns::PATTERNS;

/// What a placeholder opens with; its kind and `]` follow.
const OPENING: &str = "[REDACTED:";

/// Stands for each byte of a placeholder while a text is searched: no pattern matches it.
const HIDDEN: &str = "\0";

/// A text is searched again while secrets are found in it, at most this often.
const PASSES_MAX: usize = 8;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found<'p> {
    kind: &'p str,
    range: Range<usize>,
}

/// Whether a secret that spans lines leaves their ends behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnds {
    Go,
    Stay,
}

/// Replaces each secret by a placeholder that names its kind, as in `[REDACTED:aws-key]`.
///
/// Text without a secret is returned as it came. Redacting twice changes nothing. Pass a message whole:
/// a part of a secret, or a secret without the words before it, is not recognised.
pub fn redact(text: &str) -> Cow<'_, str> {
    redacted(text, LineEnds::Go)
}

/// [`redact`] for a text whose lines are counted: it keeps as many lines as it had.
pub fn redact_lines(text: &str) -> Cow<'_, str> {
    redacted(text, LineEnds::Stay)
}

fn redacted(text: &str, line_ends: LineEnds) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..PASSES_MAX {
        let found = find(&without_marks(&without_placeholders(&text)));
        if found.is_empty() {
            break;
        }
        text = Cow::Owned(replace(&text, &found, line_ends));
    }
    text
}

/// The secrets of a text in the order of their places, none over another.
fn find(text: &str) -> Vec<Found<'static>> {
    let hits = PATTERNS.hits(text);
    let mut found: Vec<Found<'static>> = Vec::new();
    let by_form = rules::find(text, &hits).into_iter();
    for secret in by_form.chain(prose::find(text, &hits)) {
        // The first rule names what others match, too.
        let is_free = |other: &Found<'_>| {
            other.range.end <= secret.range.start || secret.range.end <= other.range.start
        };
        if found.iter().all(is_free) {
            found.push(secret);
        }
    }
    found.sort_by_key(|secret| secret.range.start);
    found
}

fn replace(text: &str, found: &[Found<'_>], line_ends: LineEnds) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    for secret in found {
        replaced.push_str(text.get(done..secret.range.start).unwrap_or(""));
        replaced.push_str(OPENING);
        replaced.push_str(secret.kind);
        replaced.push(']');
        if line_ends == LineEnds::Stay {
            let gone = text.get(secret.range.clone()).unwrap_or("");
            replaced.extend(gone.chars().filter(|c| *c == '\n'));
        }
        done = secret.range.end;
    }
    replaced.push_str(text.get(done..).unwrap_or(""));
    replaced
}

/// The text, as long as it was, with its placeholders hidden: what stands in one is neither a secret nor
/// a word that announces one.
fn without_placeholders(text: &str) -> Cow<'_, str> {
    if !text.contains(OPENING) {
        return Cow::Borrowed(text);
    }
    let mut hidden = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPENING) {
        let is_kind = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let kind = after.trim_start_matches(is_kind);
        hidden.push_str(before);
        if let Some(behind) = kind.strip_prefix(']') {
            let n_bytes = OPENING.len() + after.len() - behind.len();
            hidden.push_str(&HIDDEN.repeat(n_bytes));
            rest = behind;
        } else {
            hidden.push_str(OPENING);
            rest = after;
        }
    }
    hidden.push_str(rest);
    Cow::Owned(hidden)
}

/// How the comment of a note begins, which names it and its evidence.
const MARK: &str = "<!-- n:";

/// The text, as long as it was, with the comments of notes hidden: ids and hashes look like secrets.
fn without_marks(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut hidden = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARK) {
        hidden.push_str(before);
        let line = after.lines().next().unwrap_or_default();
        let own = line.split_once("-->").map_or("", |(own, _)| own);
        let is_field = |part: &str| part.as_bytes().get(1) == Some(&b':') && part.is_ascii();
        if own.split_whitespace().skip(1).all(is_field) && !own.is_empty() {
            hidden.push_str(&HIDDEN.repeat(MARK.len() + own.len()));
            rest = after.get(own.len()..).unwrap_or_default();
        } else {
            hidden.push_str(MARK);
            rest = after;
        }
    }
    hidden.push_str(rest);
    Cow::Owned(hidden)
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "secrets/told_tests.rs"]
mod told_tests;
