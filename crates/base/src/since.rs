//! Tells an end that is told with its date alone from one behind which something else is told.
//!
//! Sees the words behind it; knows neither what has ended nor who says so.

use crate::identifier::is_month;

/// Spans of time in which partings are told.
#[rustfmt::skip]
const SPANS: &[&str] = &[
    "week", "month", "year", "decade", "spring", "summer", "autumn", "winter", "fall",
];

/// Spans after which somebody parts from whom they live with.
const LONG_SPANS: &[&str] = &["month", "year", "decade"];

/// Whether words in lower case tell when something ended for good, and nothing else; no words tell nothing else.
///
/// # Examples
///
/// ```
/// assert!(base::is_only_since(&["last", "year"]));
/// assert!(base::is_only_since(&[]));
/// assert!(!base::is_only_since(&["because", "the", "film", "was", "boring"]));
/// assert!(!base::is_only_since(&["last", "week", "at", "home"]));
/// ```
#[must_use]
pub fn is_only_since(behind: &[&str]) -> bool {
    let mut rest = behind;
    while !rest.is_empty() {
        let n_words = match n_since(rest) {
            0 if rest.len() < behind.len() && is_written_date(rest) => 1,
            n_words => n_words,
        };
        rest = rest.get(n_words..).unwrap_or_default();
        if n_words == 0 {
            return false;
        }
    }
    true
}

/// How many words tell when, from the first on.
fn n_since(rest: &[&str]) -> usize {
    match rest {
        ["for", "good", ..] => 2,
        ["last" | "this", span, ..] if is_one_of(span, SPANS) || is_month(span) => 2,
        ["in", "early" | "late" | "mid" | "the", span, ..]
            if is_one_of(span, SPANS) || is_month(span) =>
        {
            3
        }
        ["in" | "since", span, ..] if is_year(span) || is_one_of(span, SPANS) || is_month(span) => {
            2
        }
        ["after", _, span, "of", "marriage", ..] if is_one_of(span, LONG_SPANS) => 5,
        ["after", _, span, "together", ..] if is_one_of(span, LONG_SPANS) => 4,
        ["after", _, span, ..] if is_one_of(span, LONG_SPANS) => 3,
        [_, span, "ago", ..] if is_one_of(span, SPANS) => 3,
        ["recently"] => 1,
        _ if is_written_date(rest) && rest.first().is_some_and(|own| own.contains('-')) => 1,
        _ => 0,
    }
}

/// `2026-04-13` and, behind words that say when, `2025`.
fn is_written_date(rest: &[&str]) -> bool {
    let is_figure =
        |own: &&str| own.len() >= 4 && own.chars().all(|c| c.is_ascii_digit() || c == '-');
    rest.first().is_some_and(is_figure)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.chars().all(|c| c.is_ascii_digit())
}

fn is_one_of(word: &str, spans: &[&str]) -> bool {
    spans.contains(&word)
        || word
            .strip_suffix('s')
            .is_some_and(|own| spans.contains(&own))
}
