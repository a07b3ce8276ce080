//! Tells what ends or begins for good from errands and gifts: `I left Bosch`, not `I left Anna a message`.
//!
//! Sees what follows a verb; knows neither the verb nor its subject.

use base::identifier::is_month;

use super::attribute;
use super::household::{MEALS, SPANS, TEMPORARY};
use super::table::{BEFORE_THING, KIN, NUMBERS, WORKPLACES};
use super::verb::{behind_thing, is_number, is_tool};
use super::words::{Rest, Word};
use crate::offline::date::weekday;

/// What one may sell or give up.
#[rustfmt::skip]
const OWNED: &[&str] = &[
    "car", "van", "motorbike", "motorcycle", "scooter", "bike", "bicycle", "boat", "caravan", "camper", "trailer",
    "piano", "violin", "guitar", "cello", "phone", "laptop", "camera", "house", "flat", "apartment", "cottage", "farm",
    "business", "company", "shop", "bakery", "horse", "pony",
];

/// What one has by the month, and cancels.
#[rustfmt::skip]
const SUBSCRIBED: &[&str] = &[
    "membership", "subscription", "insurance", "policy", "contract", "lease", "gym", "tenancy", "allotment",
];

/// Where one goes for a day, and leaves on that day.
#[rustfmt::skip]
const VISITED: &[&str] = &[
    "school", "gym", "club", "bar", "restaurant", "hotel", "caf\u{e9}", "cafe", "clinic", "hospital", "shop", "store",
    "pharmacy", "office", "university", "college", "kindergarten", "church", "gallery", "bakery", "studio", "workshop",
    "party", "garage", "library",
];

/// Words that begin a second object, as in `I left Anna a message`.
#[rustfmt::skip]
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "some", "my", "our", "his", "her", "their", "another", "one", "two", "three", "four", "five",
    "enough", "no", "all",
];

/// What somebody is joined for, or left in, for a while.
#[rustfmt::skip]
const PASTIMES: &[&str] = &[
    "drinks", "drink", "coffee", "beer", "tea", "walk", "ride", "chat", "run", "swim", "charge", "peace", "tears", "bed",
    "doubt", "limbo", "suspense", "read",
];

/// Days and hours on which one leaves and comes back.
#[rustfmt::skip]
const OF_A_DAY: &[&str] = &[
    "today", "tonight", "yesterday", "early", "late", "noon", "midnight", "home", "once", "lunchtime", "morning",
    "afternoon", "evening",
];

/// Titles, of which the dot ends no clause.
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "st"];

/// What one leaves for and comes back.
#[rustfmt::skip]
const BREAKS: &[&str] = &[
    "have", "eat", "grab", "buy", "fetch", "catch", "drink", "smoke", "pick", "collect", "meet", "see", "call",
];

/// Whether something that is left stays so: `left Bosch in May`, not `left Anna a message`.
pub(super) fn is_for_good(rest: Rest<'_>) -> bool {
    if let Some(behind) = behind_name(rest) {
        return is_over(behind);
    }
    let Some(behind) = behind_thing(rest, WORKPLACES) else {
        return false;
    };
    let n_words = rest.left().len() - behind.left().len();
    let named = rest.left().iter().take(n_words);
    let is_visited = named
        .map(|word| word.plain.as_str())
        .any(|word| VISITED.contains(&word));
    let near = || behind.left().iter().take(3);
    let age_min = if is_visited && rest.holds(&["school"]) {
        12
    } else {
        AGE_MIN
    };
    let is_of_a_day = near().any(|word| is_of_a_day(&word.plain))
        || behind.next() == "at" && is_number(behind.at(1)) && !is_age(behind.at(1), age_min);
    let is_back_soon = is_visited && is_of_a_day;
    !is_gift(behind) && !is_errand(behind) && !is_back_soon
}

/// Whether something that is joined stays so, in whatever company: `joined Bosch with two friends`.
pub(super) fn is_joined(rest: Rest<'_>) -> bool {
    let is_with_others = |behind: Rest<'_>| {
        let others = behind.after(1);
        let is_counted = is_number(others.next()) || matches!(others.next(), "a" | "some");
        behind.next() == "with" && is_counted && behind_thing(others, KIN).is_some_and(is_closed)
    };
    // `On Monday as a tester`: who is hired has joined for good.
    let is_hired = |behind: Rest<'_>| {
        let places = 0..behind.left().len();
        let mut roles = places.filter(|place| behind.at(*place) == "as");
        roles.any(|place| matches!(behind.at(place + 1), "a" | "an" | "the" | "their"))
    };
    let is_told = |behind| is_with_others(behind) || is_hired(behind);
    is_for_good(rest) || behind_name(rest).is_some_and(is_told)
}

/// Whether one leaves and comes back then; on a Monday one joins Anna as well as a company.
fn is_of_a_day(word: &str) -> bool {
    OF_A_DAY.contains(&word) || weekday(word).is_some()
}

fn is_closed(behind: Rest<'_>) -> bool {
    behind.left().is_empty() || is_when(behind)
}

/// Whether somebody is named next, whatever was done for them or with them: `Anna a flat`, `Rex at the vet`.
pub(super) fn is_about_somebody(rest: Rest<'_>) -> bool {
    behind_name(rest).is_some()
}

/// Whether a name stands next with another object behind it: `Anna a bath`.
pub(super) fn is_gift_to_somebody(rest: Rest<'_>) -> bool {
    behind_name(rest).is_some_and(is_gift)
}

/// Whether somebody of the speaker stands next with another object behind them: `my sister a job`.
pub(super) fn is_gift_to_kin(rest: Rest<'_>) -> bool {
    matches!(rest.next(), "my" | "our") && behind_thing(rest, KIN).is_some_and(is_gift)
}

/// Whether something of the speaker's that has one value is given another: `my phone number to 0664 12`.
pub(super) fn is_changed(rest: Rest<'_>) -> bool {
    let has_article = matches!(rest.next(), "my" | "our");
    let behind = attribute(rest.after(1)).filter(|_| has_article);
    behind.is_some_and(|behind| behind.next() == "to" && behind.after(1).names_something())
}

/// Whether a thing that has one value follows, said to be new, and that value: `a new email: eva@b.eu`.
pub(super) fn is_new_value(rest: Rest<'_>) -> bool {
    let Some(behind) =
        attribute(rest.after(1)).filter(|_| rest.next() == "a" && rest.at(1) == "new")
    else {
        return false;
    };
    let n_words = rest.left().len() - behind.left().len();
    let last = rest.left().get(n_words.saturating_sub(1));
    let value = behind.past(&["it", "is", "'s", "now"]);
    let is_figure = value.left().first().is_some_and(Word::is_figure);
    is_figure || last.is_some_and(|word| word.is_end) && value.is_name()
}

/// Whether something of the speaker's follows that is sold: `my car`, `the Volvo to a friend`.
pub(super) fn is_sold(rest: Rest<'_>) -> bool {
    let has_article = matches!(rest.next(), "my" | "our" | "the");
    let named = || behind_name(rest.after(1)).is_some_and(is_traded);
    has_article && named() || is_ours(rest, OWNED)
}

/// Whether something follows that the speaker had by the month: `my gym membership`.
pub(super) fn is_cancelled(rest: Rest<'_>) -> bool {
    is_ours(rest, SUBSCRIBED) || is_service(rest) || is_unsubscribed(rest)
}

/// What one has of a service.
const HAD_OF_SERVICE: &[&str] = &["subscription", "membership", "account"];

/// A service by its name: `Netflix`, `my Netflix account last month`.
fn is_service(rest: Rest<'_>) -> bool {
    let name = rest.past(&["my", "our", "the"]);
    let behind = name.after(1).past(HAD_OF_SERVICE);
    base::is_service(name.next()) && is_traded(behind)
}

/// What is had of a service, by who gives it: `the Netflix subscription`.
pub(super) fn is_unsubscribed(rest: Rest<'_>) -> bool {
    let has_article = matches!(rest.next(), "my" | "our" | "the");
    let name = rest.after(1);
    let noun = name.after(1);
    let is_had = HAD_OF_SERVICE.contains(&noun.next()) && is_traded(noun.after(1));
    has_article && name.is_name() && is_had
}

/// Something that is told by its make, and no part of it or dealer: `a new Skoda`, `a blue Skoda Octavia`.
pub(super) fn is_made_by(rest: Rest<'_>) -> bool {
    let make = rest.past(BEFORE_THING);
    let has_article = matches!(rest.next(), "a" | "an" | "my" | "our");
    let behind = make.after(1);
    let is_whole = make.left().first().is_some_and(|word| word.is_end) || behind.is_bound();
    let is_make = base::is_make(make.next());
    let is_meant = make.is_name() || !base::is_common_make(make.next());
    has_article && is_make && is_meant && is_whole && !rest.holds(TEMPORARY)
}

fn is_ours(rest: Rest<'_>, kinds: &[&str]) -> bool {
    matches!(rest.next(), "my" | "our") && behind_thing(rest, kinds).is_some_and(is_traded)
}

/// What is taken and is no medicine, after `stopped taking`.
#[rustfmt::skip]
const NOT_TAKEN: &[&str] = &[
    "", "it", "that", "this", "them", "him", "her", "you", "notes", "photos", "pictures", "part", "care", "orders", "calls",
    "turns", "breaks", "minutes", "selfies", "sides", "chances", "things", "everything",
];

/// Whether something is taken no more that is taken again and again: `taking magnesium`.
pub(super) fn is_taken_no_more(rest: Rest<'_>) -> bool {
    rest.next() == "taking"
        && !NOT_TAKEN.contains(&rest.after(1).past(&["my", "the", "any"]).next())
}

/// Whether something that one owns is gone: `bike was stolen`, `Volvo got stolen last week`.
pub(super) fn is_stolen(rest: Rest<'_>) -> bool {
    let is_owned = OWNED.contains(&rest.next()) || rest.is_name() && !is_tool(rest.next());
    let verb = rest.after(1).past(&["has", "was", "got", "been", "just"]);
    is_owned && verb.left().len() + 1 < rest.left().len() && verb.next() == "stolen"
}

/// What one is given to do, and neither founds nor runs.
const JOBS: &[&str] = &["job", "position", "role", "apprenticeship"];

/// Whether something of these kinds follows that one may found, run or own.
pub(super) fn is_run(rest: Rest<'_>, kinds: &[&str]) -> bool {
    let is_named = rest.is_name() && !is_tool(rest.next());
    let is_thing = is_named || behind_thing(rest, kinds).is_some();
    is_thing && behind_thing(rest, JOBS).is_none() && !is_gift_to_somebody(rest)
}

/// Whether the speaker's own work follows that they were given: `a new job as a cook`, not `a job for Tom`.
pub(super) fn is_hiring(rest: Rest<'_>) -> bool {
    let has_article = matches!(rest.next(), "a" | "an" | "my");
    let behind = behind_thing(rest, JOBS).filter(|_| has_article);
    behind.is_some_and(|behind| !matches!(behind.next(), "for" | "of" | "to" | "in"))
}

/// Those whom one lives with and may part from.
const PARTNERS: &[&str] = &[
    "wife",
    "husband",
    "partner",
    "girlfriend",
    "boyfriend",
    "fiance",
    "fiancee",
];

/// Whether the speaker's partner follows, and at most when: `my husband last year`, not `my husband so he could sleep`.
pub(super) fn is_partner_left(rest: Rest<'_>) -> bool {
    rest.next() == "my" && PARTNERS.contains(&rest.at(1)) && is_only_since(rest.after(2))
}

/// Whether nothing follows but when it was; a reason may be one for an hour.
fn is_only_since(behind: Rest<'_>) -> bool {
    let words = behind.left().iter().map(|word| word.plain.as_str());
    base::is_only_since(&words.collect::<Vec<&str>>())
}

/// Whether nobody but who was parted from and when follows: `broke up with Tom`, not `broke up the ice`.
pub(super) fn is_parting(rest: Rest<'_>) -> bool {
    if rest.next() != "up" {
        return false;
    }
    let rest = rest.after(1);
    if rest.next() != "with" {
        return is_only_since(rest);
    }
    let whom = rest.after(1);
    let is_own = whom.next() == "my" && PARTNERS.contains(&whom.at(1));
    let behind = whom.after(if is_own { 2 } else { 0 });
    let n_names = behind.left().iter().take_while(|word| word.is_name);
    let is_named = behind.is_name() && !is_tool(behind.next());
    (is_own || is_named) && is_only_since(behind.after(n_names.count()))
}

/// What follows a name, or several; `None` where none stands next.
fn behind_name(rest: Rest<'_>) -> Option<Rest<'_>> {
    if !rest.is_name() || is_tool(rest.next()) {
        return None;
    }
    let mut n_words = 0;
    while let Some(word) = rest.left().get(n_words) {
        let is_joint = word.plain == "and" && rest.after(n_words + 1).is_name();
        if !word.is_name && !is_joint {
            break;
        }
        n_words += 1;
        if word.is_end && !TITLES.contains(&word.plain.as_str()) {
            return Some(rest.after(rest.left().len()));
        }
    }
    Some(rest.after(n_words))
}

/// Whether a number is an age, written as it may be: `left school at sixteen`.
fn is_age(word: &str, min: usize) -> bool {
    let written = || NUMBERS.iter().position(|own| *own == word);
    let age = word.parse().ok().or_else(|| written().map(|at| at + 1));
    age.map_or_else(
        || is_number(word) && word.contains('-'),
        |age: usize| age >= min,
    )
}

/// Of smaller numbers one may be the hour.
const AGE_MIN: usize = 13;

/// Whether what follows a name makes no errand of a day of it.
fn is_over(behind: Rest<'_>) -> bool {
    let is_day = behind
        .left()
        .iter()
        .take(3)
        .any(|word| is_of_a_day(&word.plain));
    let is_told = match behind.next() {
        "" => true,
        "in" => is_when(behind) || behind.after(1).is_name(),
        "at" => is_age(behind.at(1), AGE_MIN) || is_point(behind.after(1)),
        "on" => is_date(behind.after(1).past(&["the"])),
        "with" => false,
        "the" => is_next_span(behind.after(1)),
        "to" => !DETERMINERS.contains(&behind.at(1)),
        _ => behind.is_bound(),
    };
    is_told && !is_day && !is_gift(behind) && !is_errand(behind)
}

/// Whether a second object follows; `a year ago` is none.
fn is_gift(behind: Rest<'_>) -> bool {
    let is_ago = behind
        .left()
        .iter()
        .take(5)
        .any(|word| matches!(word.plain.as_str(), "ago" | "later" | "earlier" | "before"));
    let is_time = is_span(behind.at(1)) || is_next_span(behind.after(1));
    DETERMINERS.contains(&behind.next()) && !is_ago && !is_time
}

/// `Following month`, `next day`.
fn is_next_span(rest: Rest<'_>) -> bool {
    matches!(rest.next(), "following" | "next" | "same" | "previous") && is_span(rest.at(1))
}

/// `The beginning of May`, `the age of 40`.
fn is_point(rest: Rest<'_>) -> bool {
    rest.next() == "the"
        && matches!(rest.at(1), "beginning" | "start" | "end" | "age")
        && rest.at(2) == "of"
        && rest.at(3) != "the"
}

/// `31 March`, `first of May`.
fn is_date(rest: Rest<'_>) -> bool {
    let is_day = is_number(rest.next()) || matches!(rest.next(), "first" | "second" | "third");
    let is_in_month = is_day && (rest.at(1) == "of" || is_month(rest.at(1)));
    let is_figure = rest.next().starts_with(|c: char| c.is_ascii_digit());
    is_in_month || is_figure || is_span(rest.next())
}

fn is_errand(behind: Rest<'_>) -> bool {
    let is_one = |word: &str| PASTIMES.contains(&word) || MEALS.contains(&word) && word != "work";
    match behind.next() {
        "for" | "in" | "on" => (1..=3).any(|place| is_one(behind.at(place))),
        "to" => BREAKS.contains(&behind.at(1)),
        _ => {
            let words: Vec<&str> = behind
                .left()
                .iter()
                .map(|word| word.plain.as_str())
                .collect();
            base::is_errand(&words)
        }
    }
}

/// Whether a buyer, a price, a time or a reason follows, or nothing.
fn is_traded(behind: Rest<'_>) -> bool {
    matches!(
        behind.next(),
        "" | "to" | "for" | "at" | "on" | "yesterday" | "today"
    ) || is_when(behind)
}

/// Whether a time or a reason follows.
fn is_when(behind: Rest<'_>) -> bool {
    let own = behind.after(1).past(&["the", "early", "late", "mid"]);
    match behind.next() {
        "last" | "this" | "next" => is_span(own.next()) || is_month(own.next()),
        "in" => is_number(own.next()) || is_span(own.next()) || is_month(own.next()),
        "because" | "since" | "after" | "when" | "recently" | "again" | "and" | "but" | "so"
        | "yesterday" | "today" | "ago" => true,
        "for" => own.next() == "good",
        word => {
            (is_number(word) || matches!(word, "a")) && (1..=4).any(|at| behind.at(at) == "ago")
        }
    }
}

fn is_span(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    SPANS.contains(&singular) || matches!(singular, "decade" | "while")
}

#[cfg(test)]
#[path = "parting_tests.rs"]
mod tests;
