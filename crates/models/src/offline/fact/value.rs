//! What somebody or something is said to be: for long, or only for the moment.
//!
//! Sees what follows `is`; knows no subject but whether it is the speaker.

use super::household::MEDICINES;
use super::life::is_for_long;
use super::someone::holds_of;
use super::table::{
    BEFORE_KIN, INSIDE, KIN, LASTING, LASTING_WITH, MEASURES, ONLY_WITH, PASSING_NOUNS, ROLES,
    STATES, TODAY,
};
use super::verb::is_number;
use super::words::{Rest, Word};
use super::{About, Lasts, Reading};

/// How far behind an article the noun is looked for.
const NOUN_WORDS: usize = 4;

/// What the words after `is` say.
pub(super) fn complement(rest: Rest<'_>, about: About) -> Reading {
    let is_today = rest.holds(TODAY);
    let long = Reading::Fact(about, Lasts::Long);
    let found = match rest.next() {
        "" => Reading::Other,
        "called" | "named" | "born" | "originally" | "from" if !rest.at(1).is_empty() => long,
        "known" if rest.at(1) == "as" => long,
        word if is_quality(word) && is_meant(rest) => long,
        word if is_quality(word) => Reading::Passing,
        word if is_number(word) => measure(rest, about),
        "a" | "an" => role(rest.after(1), about),
        "the" | "my" | "our" if is_role(rest.after(1)) => long,
        "insured" | "registered" | "treated" | "chipped" | "enrolled" | "buried"
            if rest.after(1).names_something() =>
        {
            long
        }
        "made" | "fired" | "laid" | "sacked" | "dismissed" | "let" if is_dismissal(rest) => long,
        "the" if rest.after(1).is_name() && about == About::Kin => long,
        "on" if holds_of(rest, MEDICINES) && !is_today => long,
        "promoted" if rest.at(1) == "to" => long,
        "put" if about == About::Kin && is_put_down(rest.after(1)) => long,
        "one" | "member" | "members" if rest.at(1) == "of" => long,
        _ if is_for_long(rest) => long,
        "in" | "on" | "at" => place(rest, about),
        word if STATES.contains(&word) => Reading::Passing,
        _ if rest.is_name() && !is_today => long,
        _ if about == About::Kin && is_plain_name(rest) => long,
        _ => Reading::Passing,
    };
    if is_today
        && found == long
        && !matches!(rest.next(), "called" | "named" | "from" | "allergic")
        && !is_dismissal(rest)
        && !is_number(rest.next())
    {
        return Reading::Passing;
    }
    found
}

/// Whether somebody has lost their job: `fired last week`, `laid off`; not `fired up`, `let down`.
fn is_dismissal(rest: Rest<'_>) -> bool {
    let behind = match (rest.next(), rest.at(1)) {
        ("laid", "off") | ("let", "go") | ("made", "redundant") => rest.after(2),
        ("fired" | "sacked" | "dismissed", _) => rest.after(1),
        _ => return false,
    };
    // `Let go by the current` is no dismissal.
    let is_elsewhere = rest.next() == "let" && behind.next() == "by";
    let is_when = !is_elsewhere
        && matches!(
            behind.next(),
            "" | "from"
                | "by"
                | "last"
                | "this"
                | "yesterday"
                | "today"
                | "on"
                | "in"
                | "because"
                | "and"
                | "again"
        );
    is_when || behind.at(1) == "ago" || behind.at(2) == "ago"
}

/// `Down yesterday`, `to sleep`: what becomes of an old cat; not `down by his boss`.
fn is_put_down(rest: Rest<'_>) -> bool {
    let behind = match (rest.next(), rest.at(1)) {
        ("down", _) => rest.after(1),
        ("to", "sleep") => rest.after(2),
        _ => return false,
    };
    matches!(
        behind.next(),
        "" | "yesterday" | "today" | "last" | "this" | "on"
    ) || behind.at(1) == "ago"
}

/// Whether a word is an adjective that says what somebody is for long.
pub(super) fn is_quality(word: &str) -> bool {
    LASTING.contains(&word)
}

/// Whether such an adjective is meant in its lasting sense: `left handed`, not `left with no choice`.
fn is_meant(rest: Rest<'_>) -> bool {
    let of = |table: &[(&[&str], &'static [&'static str])]| {
        let found = table.iter().find(|(words, _)| words.contains(&rest.next()));
        found.map(|(_, behind)| *behind)
    };
    if let Some(behind) = of(ONLY_WITH) {
        return behind.contains(&rest.at(1));
    }
    let Some(behind) = of(LASTING_WITH) else {
        return true;
    };
    let is_end = rest.left().first().is_some_and(|word| word.is_end);
    let is_coupled = matches!(rest.next(), "married" | "engaged" | "separated");
    is_end
        || rest.at(1).is_empty()
        || behind.contains(&rest.at(1))
        || is_coupled && is_to_somebody(rest.after(1))
}

/// `to Anna`, `from my husband`; not `to this design`.
fn is_to_somebody(rest: Rest<'_>) -> bool {
    let somebody = rest.after(1);
    let noun = somebody.past(&["my", "a", "an", "the"]).past(BEFORE_KIN);
    let is_role = matches!(somebody.next(), "a" | "an" | "him" | "her");
    matches!(rest.next(), "to" | "from" | "with")
        && (somebody.is_name() || is_role || KIN.contains(&noun.next()))
}

/// `34`, `34 years old`, `1.80 m`; not `5 minutes away`.
fn measure(rest: Rest<'_>, about: About) -> Reading {
    let is_end = rest.left().first().is_some_and(|word| word.is_end);
    if is_end || MEASURES.contains(&rest.at(1)) || rest.at(1) == "m" {
        return Reading::Fact(about, Lasts::Long);
    }
    Reading::Passing
}

/// `a nurse`, `an only child`; not `a bit tired`.
fn role(rest: Rest<'_>, about: About) -> Reading {
    let near = || rest.left().iter().take(NOUN_WORDS);
    if near().any(|word| PASSING_NOUNS.contains(&word.plain.as_str())) {
        return Reading::Passing;
    }
    if near().any(|word| word.plain == "fan") {
        return Reading::Fact(about, Lasts::Taste);
    }
    if rest.left().is_empty() {
        return Reading::Other;
    }
    Reading::Fact(about, Lasts::Long)
}

/// `the mother of two`, `the only doctor here`.
fn is_role(rest: Rest<'_>) -> bool {
    let noun = rest.past(BEFORE_KIN).next();
    ROLES.contains(&rest.next()) || ROLES.contains(&noun) || KIN.contains(&noun)
}

/// `in sales`, `in my thirties`; not `in a meeting`, `at the airport`.
fn place(rest: Rest<'_>, about: About) -> Reading {
    let own = rest.after(1).past(&[
        "a", "my", "the", "her", "his", "our", "early", "mid", "late", "long", "happy",
    ]);
    if rest.next() == "in" && INSIDE.contains(&own.next()) {
        return Reading::Fact(about, Lasts::Long);
    }
    Reading::Passing
}

/// Whether one word follows that may be a name, by somebody who writes no capitals.
fn is_plain_name(rest: Rest<'_>) -> bool {
    let word = rest.next();
    let is_alone = rest.left().first().is_some_and(|own| own.is_end)
        || matches!(rest.at(1), "" | "now" | "and");
    let is_state = [
        "ing", "ed", "y", "ful", "ous", "ive", "ible", "able", "ent", "ant",
    ]
    .iter()
    .any(|ending| word.ends_with(ending));
    is_alone && !is_state && word.chars().all(char::is_alphabetic)
}

/// How long what is said of a value holds, from the verb on; `None` where nothing is said of it that
/// could be kept: `my car is dirty`.
pub(super) fn of_attribute(rest: Rest<'_>) -> Option<Lasts> {
    let rest = rest.past(&["number", "now"]);
    let value = match rest.next() {
        "is" | "are" | "was" | "'s" | "were" | "expires" | "starts" | "ends" => rest.after(1),
        "changed" | "moved" if rest.at(1) == "to" => rest.after(2),
        // `My number changed, it is now 0664 12`.
        "changed"
            if rest.at(1) == "it" && rest.at(2) == "is" && rest.after(3).names_something() =>
        {
            rest.after(3)
        }
        "has" if rest.at(1) == "changed" && rest.at(2) == "to" => rest.after(3),
        _ => return None,
    };
    let value = value.past(&[
        "now",
        "still",
        "also",
        "not",
        "called",
        "named",
        "currently",
        "always",
    ]);
    let is_empty = value.left().is_empty();
    let is_state = STATES.contains(&value.next()) && !is_shown(value);
    let is_ongoing = value.next().ends_with("ing") && !value.is_name();
    (!is_empty && !is_state && !is_ongoing && !is_question(value)).then_some(Lasts::Long)
}

/// Whether the value is written like a name, though it is a common word.
fn is_shown(rest: Rest<'_>) -> bool {
    let first: Option<&Word> = rest.left().first();
    first.is_some_and(|word| word.is_name)
}

fn is_question(rest: Rest<'_>) -> bool {
    matches!(rest.next(), "what" | "where" | "which" | "unknown")
}
