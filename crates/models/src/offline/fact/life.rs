//! Reads what makes up a life besides home, work and family: studies, faith, fears, choirs and clubs, what one
//! subscribes to.
//!
//! Closed lists: what is not on them is left to the verbs and to the cues.

use super::belongings::{DREADED, FEARED, LENT, OWNED};
use super::household::{CARERS, SCHOOLS};
use super::routine::is_frequency;
use super::table::{HOMES, TODAY};
use super::verb::{Tells, behind_thing, is_number, is_somebody};
use super::words::Rest;
use crate::offline::date::weekday;

/// What one studies for, or learns a trade by.
#[rustfmt::skip]
const STUDIES: &[&str] = &[
    "phd", "doctorate", "master", "masters", "bachelor", "bachelors", "degree", "apprenticeship", "traineeship",
    "internship", "diploma", "mba", "residency", "a-levels", "postdoc",
];

/// Words before what is somebody's.
const ARTICLES: &[&str] = &["a", "an", "my", "our", "her", "his", "their"];

/// What one writes at the end of them.
const THESES: &[&str] = &["thesis", "dissertation", "phd"];

/// What is studied for years.
#[rustfmt::skip]
const FIELDS: &[&str] = &[
    "law", "medicine", "physics", "chemistry", "biology", "maths", "math", "mathematics", "history", "philosophy",
    "psychology", "economics", "engineering", "architecture", "informatics", "nursing", "geology", "geography",
    "linguistics", "sociology", "politics", "literature", "music", "theology", "pharmacy", "dentistry", "journalism",
    "accounting", "anthropology", "archaeology", "astronomy", "botany", "forestry", "agriculture", "midwifery",
];

/// What one studies for on one evening.
const TESTS: &[&str] = &[
    "test", "tests", "exam", "exams", "quiz", "homework", "class", "tomorrow",
];

/// What people meet in again and again.
#[rustfmt::skip]
const GROUPS: &[&str] = &[
    "choir", "band", "orchestra", "ensemble", "quartet", "trio", "team", "club", "league", "troupe", "society", "brigade",
    "theatre", "theater", "big-band", "musical",
];

/// Of them those that say by one word more that one belongs to them: `a book club`.
const OF_MEMBERS: &[&str] = &[
    "club",
    "league",
    "society",
    "union",
    "cooperative",
    "co-op",
    "troupe",
    "ensemble",
    "quartet",
];

/// What is eaten and kept by faith.
const KEPT_BY_FAITH: &[&str] = &[
    "kosher", "halal", "shabbat", "shabbos", "sabbath", "lent", "ramadan",
];

/// What people suffer from for long.
#[rustfmt::skip]
const SUFFERED: &[&str] = &[
    "insomnia", "vertigo", "anxiety", "depression", "panic", "rosacea", "sciatica", "ibs", "tinnitus", "migraine",
    "hayfever", "hay", "ptsd", "ocd", "anaemia", "anemia", "gout", "acne",
];

/// Animals that are kept and are no pets.
const LIVESTOCK: &[&str] = &[
    "bee", "duck", "goose", "geese", "sheep", "alpaca", "llama", "quail", "turkey",
];

/// What one has by the month or the year.
const SUBSCRIPTIONS: &[&str] = &["subscription", "membership", "railcard"];

/// Of grades and years of study there are so many.
#[rustfmt::skip]
const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
];

/// What shows who somebody is, and where they may stay.
const PAPERS: &[&str] = &[
    "citizenship",
    "passport",
    "permit",
    "visa",
    "licence",
    "license",
    "degree",
];

/// What one pays by the month to somebody.
const PAID: &[&str] = &["alimony", "maintenance", "child"];

/// What a home has for long.
#[rustfmt::skip]
const FEATURES: &[&str] = &[
    "panel", "balcony", "garden", "cellar", "basement", "garage", "room", "bedroom", "bathroom", "floor", "lift",
    "elevator", "fireplace", "pool", "sauna", "terrace", "pump", "storey", "story", "attic", "yard", "stove",
];

/// What one takes up for an hour, or takes up of a room.
const TAKEN_UP: &[&str] = &[
    "the", "a", "an", "my", "too", "all", "space", "time", "room", "so", "much", "most", "arms", "",
];

/// What a verb tells of such things, from the verb on.
pub(super) fn tells(rest: Rest<'_>) -> Option<Tells> {
    let object = rest.after(1);
    let is_told = match rest.next() {
        "doing" | "pursuing" | "finishing" => is_study(object) && !is_of_a_day(object),
        "studying" => {
            let own = object.past(&["for"]);
            let is_field = FIELDS.contains(&object.next()) || object.next() == "computer";
            (is_field || is_study(own)) && !object.holds(TESTS) && !is_of_a_day(object)
        }
        "writing" => behind_thing(object, THESES).is_some() || object.at(2) == "thesis",
        "sing" | "sings" | "play" | "plays" | "dance" | "dances" | "row" | "rows" | "drum"
        | "drums" => is_in_group(object) && !is_of_a_day(object),
        "go" | "goes" => {
            let is_there =
                object.next() == "to" && behind_thing(object.after(1), SCHOOLS).is_some();
            is_there && !is_of_a_day(object)
        }
        "subscribe" | "subscribes" => object.next() == "to" && object.after(1).names_something(),
        "keep" | "keeps" => {
            KEPT_BY_FAITH.contains(&object.next()) || behind_thing(object, LIVESTOCK).is_some()
        }
        "observe" | "observes" => KEPT_BY_FAITH.contains(&object.next()),
        "fast" | "fasts" => {
            object.next() == "during" || object.next() == "in" && object.at(1) == "lent"
        }
        "see" | "sees" => {
            let is_seen = |place: usize| {
                CARERS.contains(&object.at(place)) && is_frequency(object.after(place + 1))
            };
            ARTICLES.contains(&object.next()) && (1..=2).any(is_seen)
        }
        "suffer" | "suffers" | "suffering" => {
            object.next() == "from"
                && is_suffered(object.after(1).past(&["chronic", "severe", "bad", "mild"]))
        }
        "have" | "has" | "got" if owns(object) => true,
        "own" | "owns" => owns(object),
        "have" | "has" | "got" => has(object),
        "had" => object.next() == "a" && object.at(1) == "baby" && object.at(2) != "shower",
        "hold" | "holds" => holds_paper(object),
        "follow" | "follows" => object.next() == "a" && object.after(1).holds(&["diet"]),
        "heat" | "heats" => object.next() == "with",
        "foster" | "fosters" | "homeschool" | "homeschools" => is_somebody(object),
        "pay" | "pays" => {
            PAID.contains(&object.next()) && (object.next() != "child" || object.at(1) == "support")
        }
        "wear" | "wears" => {
            let own = object.past(&["a"]);
            own.next() == "size" && is_number(own.at(1))
        }
        "finished" | "completed" | "defended" => is_study(object) && object.next() != "the",
        "dropped" if object.next() == "out" && object.at(1) == "of" => {
            let own = object.after(2);
            let is_over = is_study(own)
                || behind_thing(own, SCHOOLS).is_some()
                || SCHOOLS.contains(&own.next());
            return is_over.then_some(Tells::End);
        }
        "came" if object.next() == "off" => {
            let is_over = base::is_medicine(object.after(1).past(&["my", "the"]).next());
            return is_over.then_some(Tells::End);
        }
        "took" if object.next() == "up" => {
            let is_pastime = !TAKEN_UP.contains(&object.at(1)) && !is_of_a_day(object);
            return is_pastime.then_some(Tells::Habit);
        }
        _ => false,
    };
    is_told.then_some(Tells::Life)
}

/// `A telescope`, `a 3D printer in the cellar`; not `a telescope to sell`, nor `the printer` of an office.
fn owns(object: Rest<'_>) -> bool {
    let is_any = ARTICLES.contains(&object.next()) || is_number(object.next());
    let behind = behind_thing(object, OWNED).filter(|_| is_any);
    let is_kept = |behind: Rest<'_>| !matches!(behind.next(), "to" | "for" | "of" | "from");
    behind.is_some_and(is_kept) && !is_of_a_day(object) && !object.holds(LENT)
}

fn has(object: Rest<'_>) -> bool {
    let own = object.past(&[
        "a", "an", "got", "the", "terrible", "huge", "real", "severe",
    ]);
    let is_feared = matches!(own.next(), "fear" | "phobia") && is_fear(own.after(1));
    let has_custody = own.past(&["joint", "full", "shared", "sole"]).next() == "custody";
    is_feared || has_custody || is_subscribed(object) && !is_of_a_day(object)
}

/// `A subscription to the opera`, `a season ticket`; not `a subscription to cancel`.
fn is_subscribed(object: Rest<'_>) -> bool {
    let season = object.past(&["a", "an", "my", "our", "got"]);
    let is_ticket = season.next() == "season"
        && matches!(season.at(1), "ticket" | "tickets" | "pass")
        && season.after(2).is_bound();
    let behind = if is_ticket {
        Some(season.after(2))
    } else {
        behind_thing(object, SUBSCRIPTIONS)
    };
    behind.is_some_and(|behind| {
        let to = behind.after(1);
        behind.next() != "to" || to.is_name() || to.next() == "the" || ARTICLES.contains(&to.next())
    })
}

/// `Dual citizenship`, `a Swiss passport`; `the door for people with a visa` and `a visa card` are no paper.
fn holds_paper(object: Rest<'_>) -> bool {
    let is_any = !matches!(
        object.next(),
        "the" | "my" | "our" | "your" | "his" | "her" | "their"
    );
    let behind = behind_thing(object, PAPERS);
    is_any && behind.is_some_and(|behind| !behind.holds(&["hand", "hands"]) && !is_of_a_day(behind))
}

fn is_suffered(rest: Rest<'_>) -> bool {
    SUFFERED.contains(&rest.next()) || rest.next().ends_with("phobia")
}

/// `A PhD about moss`, `a master's in geology`; not `a degree of damage`.
fn is_study(rest: Rest<'_>) -> bool {
    let is_named = |place: usize| {
        let own = rest.at(place);
        let behind = rest
            .after(place + 1)
            .past(&["'s", "degree", "program", "programme"]);
        let is_of = matches!(own, "master" | "masters" | "bachelor" | "bachelors");
        let is_last = rest.left().get(place).is_some_and(|word| word.is_end);
        let is_head = is_last || behind.is_bound() && (behind.next() != "of" || is_of);
        STUDIES.contains(&own) && is_head
    };
    let n_before = n_before_preposition(rest);
    let near = (1..=3).any(|place| place < n_before && is_named(place));
    ARTICLES.contains(&rest.next()) && near
}

/// How many words stand before the first preposition: what stands behind it is another thing.
fn n_before_preposition(rest: Rest<'_>) -> usize {
    let is_preposition = |place: &usize| {
        matches!(
            rest.at(*place),
            "in" | "for" | "with" | "of" | "on" | "at" | "to" | "from"
        )
    };
    let n_words = rest.left().len();
    (0..n_words).find(is_preposition).unwrap_or(n_words)
}

/// `Bass in a gospel choir`, `for the village band`; not `with the band members`.
fn is_in_group(rest: Rest<'_>) -> bool {
    let mut places = 0..rest.left().len();
    places.any(|place| {
        let is_led = matches!(rest.at(place), "in" | "for" | "with");
        let group = rest.after(place + 1);
        let n_before = n_before_preposition(group);
        let is_group = |own: usize| {
            let is_last = group.left().get(own).is_some_and(|word| word.is_end);
            let behind = group.after(own + 1).past(&["group", "company"]);
            GROUPS.contains(&group.at(own)) && (is_last || behind.is_bound())
        };
        is_led && (0..4).any(|own| own < n_before && is_group(own))
    })
}

/// Whether one day is named on which it happens.
fn is_of_a_day(rest: Rest<'_>) -> bool {
    let mut words = rest.left().iter().map(|word| word.plain.as_str());
    rest.holds(TODAY)
        || words.any(|word| weekday(word).is_some() || matches!(word, "tomorrow" | "yesterday"))
}

/// What somebody is for long, in several words: `afraid of heights`, `in a book club`, `on the board of the school`.
pub(super) fn is_for_long(rest: Rest<'_>) -> bool {
    match rest.next() {
        "on" => {
            let board = rest.after(1).past(&["the"]);
            let is_shift = matches!(board.next(), "night" | "early" | "late" | "rotating")
                && matches!(board.at(1), "shift" | "shifts");
            let is_now = is_of_a_day(board) || board.holds(&["week", "now"]);
            matches!(board.next(), "board" | "committee") && board.at(1) == "of"
                || is_shift && !is_now
        }
        "in" => is_member(rest.after(1)) || is_grade(rest.after(1)) || is_year_of(rest.after(1)),
        "hard" => rest.at(1) == "of" && rest.at(2) == "hearing",
        "subscribed" => rest.at(1) == "to" && rest.after(2).names_something(),
        word => is_afraid(rest) || word.ends_with("phobic"),
    }
}

/// `Afraid of heights`, `very scared of thunder`.
pub(super) fn is_afraid(rest: Rest<'_>) -> bool {
    let own = rest.past(&["very", "really", "terribly", "so", "still"]);
    let is_fear_of = |own: Rest<'_>| is_fear(own.after(1));
    matches!(own.next(), "afraid" | "scared" | "terrified" | "frightened") && is_fear_of(own)
}

/// `Of flying`, `of spiders and snakes`, `of the dark`; not `of losing my job`.
fn is_fear(rest: Rest<'_>) -> bool {
    let feared = rest.after(1);
    let is_dreaded = feared.next() == "the" && DREADED.contains(&feared.at(1));
    // `Big dogs` and `public speaking` are two words; of `water damage` the second is meant.
    let is_whole = |place: usize| {
        let is_last = feared.left().get(place).is_some_and(|word| word.is_end);
        let behind = feared.after(place + 1);
        is_last
            || behind.left().is_empty()
            || matches!(
                behind.next(),
                "and" | "or" | "since" | "because" | "but" | "so" | "any" | "anymore"
            )
    };
    let is_feared = if is_dreaded {
        is_whole(1)
    } else {
        let head = (0..2).find(|place| is_whole(*place));
        head.is_some_and(|place| FEARED.contains(&feared.at(place)))
    };
    rest.next() == "of" && is_feared && !is_of_a_day(feared)
}

/// `A book club`; of `the wrong club` nobody is a member.
fn is_member(rest: Rest<'_>) -> bool {
    let noun = rest.after(1);
    let is_named = (1..=2).any(|place| OF_MEMBERS.contains(&noun.at(place)));
    matches!(rest.next(), "a" | "an" | "our" | "my") && is_named && !is_of_a_day(noun)
}

/// `My second year of law school`.
fn is_year_of(rest: Rest<'_>) -> bool {
    let own = rest.after(1);
    let is_which = ORDINALS.contains(&own.next()) || matches!(own.next(), "final" | "last");
    matches!(rest.next(), "my" | "her" | "his")
        && is_which
        && own.at(1) == "year"
        && own.at(2) == "of"
}

/// `Third grade`, `year 5`.
fn is_grade(rest: Rest<'_>) -> bool {
    let own = rest.past(&["the"]);
    let is_ordinal = ORDINALS.contains(&own.next()) || is_number(own.next());
    let is_counted = matches!(own.next(), "year" | "grade" | "form") && is_number(own.at(1));
    is_counted || is_ordinal && matches!(own.at(1), "grade" | "class" | "form")
}

/// What a day of the week is for, from its noun on: `day off is Wednesday`; not `first day is Monday`.
pub(super) fn is_set_day(rest: Rest<'_>) -> bool {
    let Some(is) = (2..=3).find(|place| matches!(rest.at(*place), "is" | "are")) else {
        return false;
    };
    let noun = [rest.at(is - 2), rest.at(is - 1)];
    let is_set = match noun {
        ["day" | "days", "off"] => true,
        [what, "day" | "days"] => SET_DAYS.contains(&what),
        _ => false,
    };
    let day = rest.at(is + 1);
    let is_weekday = weekday(day.strip_suffix('s').unwrap_or(day)).is_some();
    is_set && is_weekday
}

/// What a household does on its own day of the week.
#[rustfmt::skip]
const SET_DAYS: &[&str] = &[
    "laundry", "garbage", "rubbish", "bin", "trash", "recycling", "market", "cleaning", "washing", "shopping", "pizza",
];

/// What a home has, from its noun on: `house has solar panels`.
pub(super) fn is_furnished(rest: Rest<'_>) -> bool {
    let has = (1..=2).find(|place| matches!(rest.at(*place), "has" | "have"));
    let Some(has) = has.filter(|place| HOMES.contains(&rest.at(place - 1))) else {
        return false;
    };
    let object = rest.after(has + 1);
    let feature = |place: usize| {
        let own = object.at(place);
        FEATURES.contains(&own) || FEATURES.contains(&own.strip_suffix('s').unwrap_or(own))
    };
    let place = (0..4).find(|place| feature(*place));
    place.is_some_and(|place| object.after(place + 1).is_bound()) && !is_of_a_day(object)
}

#[cfg(test)]
#[path = "life_tests.rs"]
mod tests;
