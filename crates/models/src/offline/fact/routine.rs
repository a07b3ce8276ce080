//! Tells that something is done again and again, by the words that say how often: `every evening`,
//! `twice a week`, `on Fridays`.
//!
//! Knows no verb but those that tell a mood or an accident.

use super::form::{is_irregular_past, is_ongoing};
use super::household::{MEALS, SPANS};
use super::verb::is_number;
use super::words::Rest;
use crate::offline::date::weekday;

/// What is no routine, however often it happens: what somebody feels, thinks or suffers by accident.
#[rustfmt::skip]
const NO_ROUTINE: &[&str] = &[
    "feel", "feels", "think", "thinks", "guess", "hope", "hopes", "wish", "wishes", "wonder", "know", "knows", "want",
    "wants", "lose", "loses", "forget", "forgets", "see", "sees", "seem", "seems", "say", "says", "fail", "fails",
    "crash", "crashes", "break", "breaks", "hate", "love", "like", "mean", "means", "swear", "promise", "suppose",
    "believe", "agree", "am", "is", "are", "to", "the", "a", "an", "and", "or", "of", "in", "on", "not", "try",
    "tries", "keep", "keeps", "need", "needs", "hear", "hears", "find", "finds", "remember", "remembers",
];

/// What happens to somebody, and is nothing that they do.
const MISHAPS: &[&str] = &[
    "error",
    "errors",
    "warning",
    "warnings",
    "exception",
    "crash",
    "crashes",
    "bug",
    "timeout",
    "headache",
];

/// Whether a predicate in the present tells a routine.
pub(super) fn is_routine(rest: Rest<'_>) -> bool {
    let verb = rest.next();
    let is_present = !verb.is_empty()
        && verb.chars().all(char::is_alphabetic)
        && !verb.ends_with("ed")
        && !is_ongoing(verb)
        && !is_irregular_past(verb)
        && !NO_ROUTINE.contains(&verb)
        && !rest.is_name();
    is_present && !rest.holds(MISHAPS) && tells_how_often(rest.after(1))
}

/// Whether something comes again and again: `a standing appointment`, `every six weeks`.
pub(super) fn is_regular(rest: Rest<'_>) -> bool {
    let is_said = [
        "standing", "regular", "weekly", "monthly", "annual", "yearly",
    ];
    rest.holds(&is_said) || tells_how_often(rest)
}

/// Whether the words say how often, or beside which meal.
pub(super) fn tells_how_often(rest: Rest<'_>) -> bool {
    (0..rest.left().len()).any(|place| is_frequency(rest.after(place)))
}

/// Whether how often something happens is told by the next words.
pub(super) fn is_frequency(rest: Rest<'_>) -> bool {
    let is_span = |place: usize| {
        let own = rest.at(place);
        let singular = own.strip_suffix('s').unwrap_or(own);
        SPANS.contains(&own) || SPANS.contains(&singular)
    };
    let is_counted = |place: usize| {
        is_number(rest.at(place))
            || matches!(
                rest.at(place),
                "second" | "other" | "third" | "few" | "single"
            )
    };
    match rest.next() {
        "every" | "each" => is_span(1) || is_counted(1) && is_span(2),
        "once" | "twice" => {
            matches!(rest.at(1), "a" | "per" | "every") && is_span(2) || rest.at(1) == "daily"
        }
        "times" | "days" | "hours" | "nights" | "evenings" | "mornings" | "shifts" => {
            matches!(rest.at(1), "a" | "per") && is_span(2)
        }
        "daily" | "nightly" | "weekly" | "fortnightly" | "monthly" | "yearly" | "annually" => {
            rest.after(1).is_bound()
        }
        // `At 7 in the morning`.
        "at" if is_number(rest.at(1)) => rest.at(2) == "in" && rest.at(3) == "the",
        "before" | "after" | "with" | "at" => MEALS.contains(&rest.at(1)),
        "in" if matches!(rest.at(1), "spring" | "summer" | "autumn" | "winter") => {
            rest.at(2).is_empty()
        }
        "in" => rest.at(1) == "the" && matches!(rest.at(2), "mornings" | "evenings" | "afternoons"),
        own => {
            own.strip_suffix('s')
                .is_some_and(|day| weekday(day).is_some())
                || matches!(own, "weekdays" | "weekends")
        }
    }
}
