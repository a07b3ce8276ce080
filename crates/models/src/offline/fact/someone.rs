//! Reads what is said of somebody who is only named, or called `the dog`: `Jonas has asthma`.
//!
//! A bare name may be a tool, a country or a figure of a novel: only what people of a household have counts.

use super::household::{
    AIDS, ANNUAL, CARERS, COLLECTED, HEALTHY, ILLNESS_PAIRS, ILLNESSES, SCHOOLS, TITLES,
};
use super::life::is_afraid;
use super::routine::{is_routine, tells_how_often};
use super::table::{FRONTING, STATES, TOOLS};
use super::value;
use super::verb::is_number;
use super::words::{Rest, Word, words};
use super::{About, Lasts, Reading, Spelling, attribute, kin, predicate};
use crate::offline::cue::ENGLISH;

const KIN_FACT: Reading = Reading::Fact(About::Kin, Lasts::Long);

/// Words in the place of a name.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "he", "she", "it", "they", "you", "this", "that", "these", "those", "who", "which", "what", "someone", "somebody",
    "everyone", "everybody", "one", "nobody", "anyone", "people", "his", "her", "their", "its", "your", "there", "here",
];

/// What is said of somebody who is named in one word, or by what they are: `Jonas`, `Grandma`.
pub(super) fn of_someone(rest: Rest<'_>, spelling: Spelling) -> Reading {
    if TITLES.contains(&rest.next()) {
        return of_title(rest.after(1));
    }
    if COLLECTED.contains(&rest.next()) && matches!(rest.at(1), "is" | "are") {
        let is_regular = matches!(rest.at(2), "collected" | "picked" | "emptied")
            && tells_how_often(rest.after(3));
        return if is_regular {
            Reading::Fact(About::Speaker, Lasts::Long)
        } else {
            Reading::Other
        };
    }
    let is_small_name = spelling == Spelling::AllSmall && !ENGLISH.contains(&rest.next());
    let is_name = rest.is_name() || is_small_name;
    let is_pointing = PRONOUNS.contains(&rest.next());
    if !is_name || is_pointing || TOOLS.contains(&rest.next()) {
        return Reading::Other;
    }
    let is_told = match rest.at(1) {
        "'s" => is_told_of_own(rest.after(2)),
        _ => is_of_household(rest.after(1)),
    };
    if is_told { KIN_FACT } else { Reading::Other }
}

/// The name, in lower case, of somebody of whom a clause says nothing but the name: `Jonas has asthma`.
///
/// Whether they belong to the owner has to be known from elsewhere.
pub(crate) fn bare_name(clause: &str) -> Option<String> {
    let words = words(super::without_label(clause));
    let rest = super::without_front(Rest::new(&words));
    let n_front = rest
        .left()
        .iter()
        .take_while(|word| FRONTING.contains(&word.plain.as_str()));
    let rest = rest.after(n_front.count());
    // `Tom is my nephew` and `remember that my son is ill` say whose they are.
    let is_own = (0..6_usize).any(|place| {
        let before = place.checked_sub(1).map_or("", |place| rest.at(place));
        matches!(rest.at(place), "i" | "my" | "our" | "we")
            && matches!(before, "" | "that" | "is" | "are" | "was" | "'s")
    });
    let is_somebody = !TITLES.contains(&rest.next())
        && !words
            .iter()
            .take_while(|word| word.plain != rest.next())
            .any(|word| word.plain == "the");
    let is_name = rest.is_name() || !ENGLISH.contains(&rest.next());
    (is_somebody && is_name && !is_own && super::read(clause) == KIN_FACT)
        .then(|| rest.next().to_owned())
}

/// `Grandma turns 90`: there is one, so that what holds of `my grandma` does of her.
fn of_title(rest: Rest<'_>) -> Reading {
    if rest.next() == "'s" {
        let own = rest.after(1);
        return if is_told_of_own(own) {
            KIN_FACT
        } else {
            Reading::Other
        };
    }
    match predicate(rest, About::Kin) {
        found @ Reading::Fact(_, Lasts::Long) => found,
        Reading::Fact(..) | Reading::Passing | Reading::Idle | Reading::Other => Reading::Other,
    }
}

/// What is said of `the cat` or `the landlord`.
pub(super) fn of_the(rest: Rest<'_>) -> Reading {
    let Some(after) = kin(rest) else {
        return Reading::Other;
    };
    let own = after.past(&["now", "still"]);
    let is_named = match (own.next(), own.at(1)) {
        ("is" | "are" | "'s", "called" | "named") => !own.at(2).is_empty(),
        ("is" | "'s", _) => own.after(1).past(&["now"]).is_name() && !TOOLS.contains(&own.at(1)),
        _ => false,
    };
    if is_named || is_of_household(after) {
        return KIN_FACT;
    }
    if matches!(own.next(), "is" | "are") && STATES.contains(&own.at(1)) {
        return Reading::Idle;
    }
    Reading::Other
}

/// `Lena's birthday is on 3 May`, `Jonas's teacher is Frau Huber`.
fn is_told_of_own(own: Rest<'_>) -> bool {
    if let Some(after) = kin(own) {
        return matches!(after.next(), "is" | "'s")
            && (after.after(1).is_name() || after.at(1) == "called");
    }
    let is_personal = (0..=1).any(|place| ANNUAL.contains(&own.at(place)));
    is_personal && attribute(own).and_then(value::of_attribute).is_some()
}

/// What people and animals of a household are said to have: an illness, an aid, a school, an age, a routine.
fn is_of_household(rest: Rest<'_>) -> bool {
    let object = rest.after(1);
    match rest.next() {
        "has" | "have" | "had" if names_illness(object) => true,
        "is" | "are" => is_being(object) || is_afraid(object),
        "carries" | "carry" | "needs" | "need" | "wears" | "wear" | "uses" | "use" | "takes"
        | "take" | "has" | "have" | "gets" | "get"
            if holds_of(object, AIDS) =>
        {
            true
        }
        "goes" | "go" => object.next() == "to" && holds_of(object, SCHOOLS),
        "attends" | "attend" => holds_of(object, SCHOOLS) || object.past(&["the"]).is_name(),
        "turns" | "turn" | "turned" => is_number(object.next()),
        "ran" if object.next() == "away" => object.at(1).is_empty() || is_lately(object),
        "died" if object.left().is_empty() => true,
        "passed" if object.next() == "away" && object.at(1).is_empty() => true,
        "died" | "passed" => is_lately(object),
        "can" | "does" | "do" if object.next() == "not" => {
            matches!(object.at(1), "eat" | "drink" | "tolerate")
        }
        _ => is_routine(rest) && rest.next().ends_with('s'),
    }
}

/// `Last week`, `away yesterday`, `two days ago`: Napoleon died otherwise.
fn is_lately(rest: Rest<'_>) -> bool {
    rest.past(&["away", "on"])
        .left()
        .iter()
        .take(4)
        .any(|word| {
            matches!(
                word.plain.as_str(),
                "last" | "yesterday" | "today" | "ago" | "this" | "tonight"
            )
        })
}

/// Whether one of these stands in what follows, up to the end of the clause.
pub(super) fn holds_of(rest: Rest<'_>, list: &[&str]) -> bool {
    let end = rest
        .left()
        .iter()
        .position(|word| word.is_end)
        .map_or(rest.left().len(), |end| end + 1);
    rest.left().iter().take(end).any(|word: &Word| {
        let own = word.plain.as_str();
        let singular = own.strip_suffix('s').unwrap_or(own);
        list.contains(&own) || list.contains(&singular)
    })
}

/// Words beside which the name of an illness has another sense: `cancer as my zodiac sign`.
#[rustfmt::skip]
const NO_ILLNESS: &[&str] = &[
    "zodiac", "sign", "horoscope", "constellation", "ascendant", "astrology", "astrological", "data", "dataset", "database",
];

/// Whether an illness is named, in one word or two: `asthma`, `high blood pressure`; not `a heart of gold`.
pub(super) fn names_illness(rest: Rest<'_>) -> bool {
    if rest.holds(NO_ILLNESS) {
        return false;
    }
    let holds_pair = (0..rest.left().len()).any(|place| {
        let pair = (rest.at(place), rest.at(place + 1));
        ILLNESS_PAIRS
            .iter()
            .any(|(first, second)| first.contains(&pair.0) && second.contains(&pair.1))
    });
    holds_pair || holds_of(rest, ILLNESSES)
}

/// `Allergic to nuts`, `six years old`.
fn is_being(rest: Rest<'_>) -> bool {
    let own = rest.past(&[
        "also", "severely", "highly", "very", "now", "not", "strictly", "both",
    ]);
    let is_age = is_number(own.next()) && matches!(own.at(1), "years" | "year" | "months" | "yo");
    let is_kept = matches!(
        own.next(),
        "insured" | "registered" | "chipped" | "vaccinated"
    ) && own.after(1).names_something();
    is_kept
        || HEALTHY.contains(&own.next())
        || own.next() == "lactose"
        || own.next() == "gluten"
        || is_age
}

/// What follows `my doctor says that`, where it tells a finding of theirs.
pub(super) fn found_by_carer(rest: Rest<'_>) -> bool {
    let words = rest.left();
    let Some(told) = (1..=8).find(|place| matches!(rest.at(*place), "i" | "we")) else {
        return false;
    };
    let before = words.get(..told).unwrap_or_default();
    let is_carer = before
        .iter()
        .any(|word| CARERS.contains(&word.plain.as_str()));
    let is_saying = before.iter().any(|word| {
        matches!(
            word.plain.as_str(),
            "says" | "said" | "told" | "found" | "confirmed"
        )
    });
    let found = rest.after(told + 1);
    let is_finding = matches!(found.next(), "have" | "need" | "am")
        && (names_illness(found) || holds_of(found, HEALTHY) || holds_of(found, AIDS));
    is_carer && is_saying && is_finding
}
