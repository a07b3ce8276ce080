//! What follows a thing that has ended, or its verb: when, why, or another sense of it.
//!
//! Sees the words behind it; knows neither the thing nor the verb.

use base::identifier::is_month;
use base::{is_errand, is_only_since};

use super::ended::{Behind, plain};
use super::token::Token;

/// What follows a thing or its verb, from a place on.
#[derive(Clone, Copy)]
pub(super) struct Tail<'t>(pub(super) &'t [Token], pub(super) usize);

/// When of a day or of a week; what is stopped then may go on at other times.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "morning", "noon", "lunch", "lunchtime", "afternoon", "evening", "dinner", "night", "bedtime", "breakfast", "meals",
    "food", "bed", "sleep", "work", "weekend", "weekends", "weekdays", "days", "day", "daily", "twice", "alone", "together",
];

impl<'t> Tail<'t> {
    /// The words of it.
    pub(super) fn words(self) -> Vec<&'t str> {
        let rest = self.0.get(self.1..).unwrap_or_default();
        rest.iter().map(|token| token.plain.as_str()).collect()
    }

    /// Whether only a part of what was done has ended: `in the evening`, `for a week`.
    pub(super) fn is_of_a_part(self) -> bool {
        let words = self.words();
        let is_open = matches!(
            words.first(),
            Some(&("in" | "at" | "on" | "for" | "to" | "before" | "with" | "during" | "but"))
        );
        is_open && !is_only_since(&words) || words.iter().any(|word| PARTS.contains(word))
    }

    /// Whether it tells a day, or a part of it, that is not over yet: `today`, `this week`.
    pub(super) fn is_of_this_time(self) -> bool {
        let words = self.words();
        let is_of_week = words.windows(2).any(|own| own == ["this", "week"]);
        let is_now =
            |word: &&str| matches!(*word, "today" | "tonight" | "tomorrow") || PARTS.contains(word);
        is_of_week || words.iter().any(is_now)
    }

    /// Whether nothing follows that makes another thing of it: `I left Anna a message`.
    pub(super) fn is_over(self, behind: Behind) -> bool {
        let rest = self.0.get(self.1..).unwrap_or_default();
        let last = self.1.checked_sub(1).and_then(|place| self.0.get(place));
        if rest.is_empty() || last.is_some_and(|token| token.is_end) {
            return true;
        }
        is_date_or_reason(rest)
            || match behind {
                Behind::ForGood => false,
                Behind::Trade => is_of_a_day(rest) || matches!(plain(rest, 0), "to" | "for" | "at"),
                Behind::Death => {
                    is_of_a_day(rest)
                        || matches!(
                            plain(rest, 0),
                            "of" | "from" | "by" | "at" | "in" | "peacefully" | "suddenly" | "aged"
                        )
                }
            }
    }
}

/// A date that is no time of a day, or why: `last month`, `in May`, `after ten years`, `because`.
pub(super) fn is_date_or_reason(rest: &[Token]) -> bool {
    let words: Vec<&str> = rest.iter().map(|token| token.plain.as_str()).collect();
    let word = plain(rest, 0);
    let next = plain(rest, 1);
    let is_span = |word: &str| {
        matches!(
            word.trim_end_matches('s'),
            "week" | "month" | "year" | "spring" | "summer" | "autumn" | "winter" | "fall"
        )
    };
    let is_figure = |place: usize| rest.get(place).is_some_and(|token| token.is_figure);
    let is_ago = (1..4).any(|place| plain(rest, place) == "ago");
    match word {
        "last" | "this" | "next" => is_span(next) || is_month(next),
        "in" => is_figure(1) || is_month(next) || is_span(next) || is_span(plain(rest, 2)),
        "after" => rest.iter().take(5).any(|token| is_span(&token.plain)),
        "for" => next == "good",
        "and" | "because" if is_errand(&words) => false,
        "because" | "since" | "anymore" | "forever" | "and" | "but" | "so" => true,
        "any" => next == "more",
        "recently" => rest.len() == 1,
        "to" => matches!(next, "join" | "become" | "found" | "start"),
        _ => is_ago || is_figure(0) && rest.first().is_some_and(|token| token.plain.contains('-')),
    }
}

fn is_of_a_day(rest: &[Token]) -> bool {
    matches!(
        plain(rest, 0),
        "yesterday" | "today" | "tonight" | "on" | "this" | "last"
    )
}
