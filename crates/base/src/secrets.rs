//! Redacts secrets in a text before the program stores it or sends it anywhere.
//!
//! Never applied to the transcript, which keeps messages verbatim.

mod check;
mod clause;
mod code;
mod cue;
mod escaped;
mod items;
mod likeness;
mod number;
mod patterns;
mod prose;
mod rules;
mod table;
mod token;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use escaped::Unescaped;
use patterns::PATTERNS;

/// The beginning of a placeholder. The kind of the secret and `]` follow.
pub const REDACTED: &str = "[REDACTED:";

/// Replaces each byte of a placeholder during the search, because no pattern matches it.
const HIDDEN: &str = "\0";

/// Maximum number of passes. A text is searched again while secrets are found in it.
const PASSES_MAX: usize = 8;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SecretSpan<'p> {
    kind: &'p str,
    range: Range<usize>,
}

/// Whether line ends inside a secret of several lines are kept when it is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnds {
    Go,
    Stay,
}

/// Replaces each secret with a placeholder that names its kind, as in `[REDACTED:aws-key]`.
///
/// Returns a text without secrets as it is. Redacting twice changes nothing. Whole messages must be passed, because a
/// part of a secret, or a secret without the words before it, is not recognised.
pub fn redact(text: &str) -> Cow<'_, str> {
    redacted(text, LineEnds::Go)
}

/// Like [`redact`], but keeps the number of lines.
pub fn redact_lines(text: &str) -> Cow<'_, str> {
    redacted(text, LineEnds::Stay)
}

fn redacted(text: &str, line_ends: LineEnds) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..PASSES_MAX {
        let hidden = without_placeholders(&text);
        let hidden = without_marks(&hidden);
        let found = match escaped::unescaped(&hidden) {
            Some(plain) => find_escaped(&hidden, &plain),
            None => find(&hidden),
        };
        if found.is_empty() {
            break;
        }
        text = Cow::Owned(replace(&text, &found, line_ends));
    }
    text
}

/// The secrets of a text with JSON escapes: those that are found after they are decoded, such as a password after a
/// word that contains `\u00f1`; otherwise those of the text as it is.
fn find_escaped(text: &str, plain: &Unescaped) -> Vec<SecretSpan<'static>> {
    let found = find(&plain.text).into_iter();
    let placed = found.map(|secret| SecretSpan {
        range: plain.original(&secret.range),
        ..secret
    });
    let placed: Vec<SecretSpan<'static>> = placed.collect();
    if !placed.is_empty() {
        return placed;
    }
    // A word with an escaped letter only looks like a secret, because it was read without the escape and is none.
    let found = find(text).into_iter();
    found
        .filter(|secret| !plain.has_letter_in(&secret.range))
        .collect()
}

/// The secrets of a text in order, without overlaps.
fn find(text: &str) -> Vec<SecretSpan<'static>> {
    let hits = PATTERNS.hits(text);
    let mut found: BTreeMap<usize, SecretSpan<'static>> = BTreeMap::new();
    let by_form = rules::find(text, &hits).into_iter();
    for secret in by_form.chain(prose::find(text, &hits)) {
        // Earlier rules win. Kept spans never overlap, so only the last one that begins before the end of this secret
        // can overlap it.
        let last = found.range(..secret.range.end).next_back();
        if last.is_none_or(|(_, last)| last.range.end <= secret.range.start) {
            found.insert(secret.range.start, secret);
        }
    }
    found.into_values().collect()
}

fn replace(text: &str, found: &[SecretSpan<'_>], line_ends: LineEnds) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    for secret in found {
        replaced.push_str(text.get(done..secret.range.start).unwrap_or(""));
        replaced.push_str(REDACTED);
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

/// Hides placeholders without changing the length of the text, because their content is neither a secret nor a cue.
fn without_placeholders(text: &str) -> Cow<'_, str> {
    hidden(text, REDACTED, |after| {
        // A placeholder of unknown kind is not hidden, because the kind may itself be a secret.
        let mut kinds = PATTERNS.kinds();
        let known = kinds.find(|kind| {
            let behind = after.strip_prefix(*kind);
            behind.is_some_and(|behind| behind.starts_with(']'))
        });
        known.map(|kind| kind.len() + 1)
    })
}

/// Hides each `opening` and the `n_behind` bytes after it, without changing the length; with `None`, leaves that
/// occurrence visible.
fn hidden<'t>(
    text: &'t str,
    opening: &str,
    n_behind: impl Fn(&str) -> Option<usize>,
) -> Cow<'t, str> {
    if !text.contains(opening) {
        return Cow::Borrowed(text);
    }
    let mut hidden = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(opening) {
        hidden.push_str(before);
        if let Some(n_bytes) = n_behind(after) {
            hidden.push_str(&HIDDEN.repeat(opening.len() + n_bytes));
            rest = after.get(n_bytes..).unwrap_or_default();
        } else {
            hidden.push_str(opening);
            rest = after;
        }
    }
    hidden.push_str(rest);
    Cow::Owned(hidden)
}

/// The beginning of the comment that contains the id and the evidence of a note.
const MARK: &str = "<!-- n:";

/// Hides the comments of notes without changing the length, because ids and hashes look like secrets.
fn without_marks(text: &str) -> Cow<'_, str> {
    hidden(text, MARK, |after| {
        // Comments are not nested. Stopping at the next one keeps the time linear in the text.
        let comment = after.split("<!--").next().unwrap_or_default();
        let line = comment.lines().next().unwrap_or_default();
        let own = line.split_once("-->").map_or("", |(own, _)| own);
        let is_field = |part: &str| part.as_bytes().get(1) == Some(&b':') && part.is_ascii();
        let is_ours = own.split_whitespace().skip(1).all(is_field) && !own.is_empty();
        is_ours.then_some(own.len())
    })
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "secrets/announced_tests.rs"]
mod announced_tests;

#[cfg(test)]
#[path = "secrets/language_tests.rs"]
mod language_tests;

#[cfg(test)]
#[path = "secrets/measured_tests.rs"]
mod measured_tests;

#[cfg(test)]
#[path = "secrets/markup_tests.rs"]
mod markup_tests;

#[cfg(test)]
#[path = "secrets/second_set_tests.rs"]
mod second_set_tests;
