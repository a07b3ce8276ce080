//! Reads a clause as a plain statement about its speaker: home, work, family, health, tastes, plans.
//!
//! A small grammar of English, not a list of sentences; judges one clause and takes nothing out of it.

mod belongings;
mod form;
mod household;
mod life;
mod momentary;
mod named;
mod parting;
mod parts;
mod passing;
mod predicate;
mod routine;
mod someone;
mod table;
mod thing;
mod told;
mod unreal;
mod value;
mod verb;
mod words;

use crate::offline::cue::ENGLISH;
use momentary::is_momentary;
use passing::is_small_talk;
use predicate::predicate;
use someone::{found_by_carer, of_someone, of_the};
use table::{
    ADVERBS, ANNOUNCED, ANNOUNCING, ATTRIBUTES, BEFORE_ATTRIBUTE, BEFORE_KIN, FRONTING, KIN,
    LABELS, STATES, YEARLY,
};
use thing::{Article, behind_phrase, of_thing};
use words::{Rest, Word, words};

pub(super) use named::{names_of_own, places_of_own};
pub(super) use parts::{
    is_fact, is_lasting, is_of_another, is_one_sentence, parted, takes_back, with_antecedents,
};
pub(super) use someone::bare_name;
pub(super) use thing::anybodys_place;
pub(super) use told::told_in_question;
pub(super) use unreal::{
    is_fiction, is_reported, is_thanks, is_unreal, opens_play, tells_of_story,
};

/// Whom a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Who says it.
    Speaker,
    /// Somebody or something that belongs to them.
    Kin,
}

/// How long a fact holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Until something else is said.
    Long,
    /// As long as a habit does.
    Habit,
    /// As long as a taste does.
    Taste,
    /// It happened, or is to happen.
    Once,
    /// It has come to an end, and holds no more.
    Over,
}

/// What a clause states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// A fact.
    Fact(About, Lasts),
    /// How somebody is at the moment, or where.
    Passing,
    /// The weather, an ache, an errand that is over.
    Idle,
    /// Nothing that the grammar knows.
    Other,
}

/// How somebody writes names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// With a capital.
    Usual,
    /// Like all other words.
    AllSmall,
}

use About::{Kin, Speaker};
use Reading::{Fact, Idle, Other, Passing};

/// Reads a clause of the speaker's own words.
pub(super) fn read(clause: &str) -> Reading {
    match read_words(clause) {
        // What is so at the moment is news, and no more.
        Fact(about, Lasts::Long | Lasts::Habit) if is_momentary(clause) => Fact(about, Lasts::Once),
        found @ (Fact(..) | Passing | Idle | Other) => found,
    }
}

fn read_words(clause: &str) -> Reading {
    if clause
        .trim_start()
        .starts_with(['"', '\u{201c}', '\u{201e}', '\u{ab}', '\'', '\u{2018}', '`'])
    {
        return Other;
    }
    let clause = without_label(clause);
    let words = words(clause);
    let whole = Rest::new(&words);
    if found_by_carer(whole) {
        return Fact(Speaker, Lasts::Long);
    }
    if is_unreal(clause) {
        return Other;
    }
    let rest = without_front(whole);
    if is_small_talk(rest) {
        return Idle;
    }
    if let Some(rest) = speaker(rest) {
        return predicate(rest, Speaker);
    }
    if let Some(reading) = yearly(rest) {
        return reading;
    }
    if matches!(rest.next(), "my" | "our") {
        return belonging(rest.after(1));
    }
    let spelling = if clause.contains(char::is_uppercase) {
        Spelling::Usual
    } else {
        Spelling::AllSmall
    };
    // Words like `by the way` may stand before it, and only what follows them tells where they end.
    let n_front = rest
        .left()
        .iter()
        .take_while(|word| FRONTING.contains(&word.plain.as_str()));
    let starts = (0..=n_front.count()).map(|place| rest.after(place));
    let mut readings = starts.map(|rest| of_other(rest, spelling));
    let found = readings.find(|found| *found != Other);
    // `Dan left, my new manager is Aoife`: what follows is a fact of its own.
    let tail = || parts::spliced_tail(clause).map(read);
    found.or_else(tail).unwrap_or(Other)
}

/// What is said of somebody or something that is neither `I` nor `mine` in so many words.
fn of_other(rest: Rest<'_>, spelling: Spelling) -> Reading {
    if life::is_set_day(rest) {
        return Fact(Speaker, Lasts::Long);
    }
    if rest.next() != "the" {
        // `New address is Rosenweg 14`.
        let is_new = matches!(rest.next(), "new" | "current");
        if let Some(lasts) = attribute(rest)
            .filter(|_| is_new)
            .and_then(value::of_attribute)
        {
            return Fact(Speaker, lasts);
        }
        if BARE.contains(&rest.next()) && matches!(rest.at(1), "is" | "'s" | "are") {
            let lasts = of_thing(rest, Article::Definite);
            return lasts.map_or_else(|| of_the(rest), |lasts| Fact(Speaker, lasts));
        }
        if BEGUN.contains(&rest.next())
            && let found @ Fact(_, Lasts::Long) = predicate(rest, Speaker)
        {
            return found;
        }
        let found = named(rest);
        return if found == Other {
            of_someone(rest, spelling)
        } else {
            found
        };
    }
    let rest = rest.after(1);
    let found = of_belonging(rest);
    if found != Other {
        return found;
    }
    match of_thing(rest, Article::Definite) {
        Some(lasts) => Fact(Speaker, lasts),
        None => of_the(rest),
    }
}

/// What somebody in a hurry names without an article: there is one of it.
const BARE: &[&str] = &[
    "rent",
    "landlord",
    "landlady",
    "mortgage",
    "wifi",
    "insurance",
    "lease",
    "boss",
    "manager",
    "gp",
    "dentist",
    "vet",
    "doctor",
    "flatmate",
    "roommate",
    "therapist",
    "accountant",
];

/// What they have begun, without saying who: `just moved to Graz`.
const BEGUN: &[&str] = &[
    "moved",
    "relocated",
    "started",
    "quit",
    "got",
    "became",
    "retired",
    "graduated",
    "adopted",
];

/// A clause without the words before its colon that only announce it: `Quick thing: we have a cat`.
pub(super) fn without_label(clause: &str) -> &str {
    let Some((label, rest)) = clause.split_once(": ") else {
        return clause;
    };
    let is_announcing = |word: &Word| {
        let own = word.plain.as_str();
        FRONTING.contains(&own) || ANNOUNCING.contains(&own) || LABELS.contains(&own)
    };
    let label = words(label);
    if !label.is_empty() && label.iter().all(is_announcing) {
        rest
    } else {
        clause
    }
}

/// What follows the words before a subject that say when, or nothing.
fn without_front(rest: Rest<'_>) -> Rest<'_> {
    let whole = without_announcement(behind_turn(rest));
    let mut rest = whole;
    while !is_subject(rest) {
        if rest.next() == "you" && matches!(rest.at(1), "should" | "must" | "might" | "may") {
            rest = rest.after(2);
            continue;
        }
        if rest.next() == "you" && rest.at(1) == "know" {
            rest = rest.after(2);
            continue;
        }
        let is_front = FRONTING.contains(&rest.next()) || verb::is_number(rest.next());
        if rest.left().is_empty() || !is_front {
            return whole;
        }
        rest = rest.after(1);
    }
    without_announcement(rest)
}

/// What follows `it turns out that`.
fn behind_turn(rest: Rest<'_>) -> Rest<'_> {
    let turn = rest.past(&["it"]);
    if matches!(turn.next(), "turns" | "turned") && turn.at(1) == "out" {
        turn.after(2).past(&["that"])
    } else {
        rest
    }
}

fn is_subject(rest: Rest<'_>) -> bool {
    matches!(rest.next(), "i" | "we" | "my" | "our")
}

/// What follows `I should mention that`.
fn without_announcement(rest: Rest<'_>) -> Rest<'_> {
    if rest.next() != "i" {
        return rest;
    }
    let announcing = rest.after(1).past(ANNOUNCING);
    let n_words = rest.left().len() - announcing.left().len();
    let last = rest.at(n_words.saturating_sub(1));
    let is_announced = ANNOUNCED.contains(&last) && is_subject(announcing);
    if is_announced { announcing } else { rest }
}

/// What follows `I`, `we` or `my wife and I`.
fn speaker(rest: Rest<'_>) -> Option<Rest<'_>> {
    if matches!(rest.next(), "i" | "we") {
        return Some(rest.after(1));
    }
    let and = (1..=4).find(|place| rest.at(*place) == "and" && rest.at(place + 1) == "i")?;
    (rest.next() == "my" || rest.is_name() || and == 1).then(|| rest.after(and + 2))
}

/// `Tomorrow is my birthday`, `It's my wife's birthday on Monday`.
fn yearly(rest: Rest<'_>) -> Option<Reading> {
    let is = (0..=3).find(|place| matches!(rest.at(*place), "is" | "'s" | "was"))?;
    let noun = rest.after(is + 1);
    let is_ours = matches!(noun.next(), "my" | "our");
    let day = (1..=4).find(|place| YEARLY.contains(&noun.at(*place)))?;
    let is_told = rest.next() == "it" || noun.after(day + 1).left().is_empty();
    let about = if day > 1 { Kin } else { Speaker };
    (is_ours && is_told).then_some(Fact(about, Lasts::Long))
}

/// What belongs to the speaker, after `my`: a person, an animal, a value.
fn belonging(rest: Rest<'_>) -> Reading {
    let noun = rest.past(BEFORE_KIN);
    // `Our eldest is in third grade`.
    let eldest = || ELDEST.contains(&rest.next()).then(|| rest.after(1));
    if let Some(after) = kin(noun).or_else(|| eldest().filter(|rest| is_said(*rest))) {
        return of_kin(after);
    }
    if life::is_furnished(rest) || life::is_set_day(rest) {
        return Fact(Speaker, Lasts::Long);
    }
    let attribute = attribute(rest).and_then(behind_phrase);
    let found = attribute.and_then(value::of_attribute);
    let found = found.or_else(|| of_thing(rest, Article::Own));
    let found = found.or_else(|| parting::is_stolen(rest).then_some(Lasts::Over));
    found.map_or(Other, |lasts| Fact(Speaker, lasts))
}

/// What follows a person or an animal and its name; `None` where none is named.
fn kin(rest: Rest<'_>) -> Option<Rest<'_>> {
    let noun = rest.next();
    let singular = noun.strip_suffix('s').unwrap_or(noun);
    let is_in_law = rest.at(1) == "in" && rest.at(2) == "law";
    if !KIN.contains(&noun) && !KIN.contains(&singular) {
        return None;
    }
    let mut rest = rest.after(if is_in_law { 3 } else { 1 });
    let is_small_name = !ENGLISH.contains(&rest.next())
        && !ADVERBS.contains(&rest.next())
        && SAID_OF.contains(&rest.at(1));
    if is_small_name {
        return Some(rest.after(1));
    }
    while rest.is_name() {
        rest = rest.after(1);
    }
    Some(rest)
}

/// Those of several children who are called by that alone.
const ELDEST: &[&str] = &["eldest", "oldest", "youngest"];

fn is_said(rest: Rest<'_>) -> bool {
    SAID_OF.contains(&rest.next())
}

/// Verbs behind a name that is written small: `my mum edith lives in Bern`.
const SAID_OF: &[&str] = &[
    "is", "'s", "has", "was", "lives", "works", "goes", "turns", "plays", "died", "moved", "needs",
    "takes", "likes", "loves", "hates", "studies", "speaks", "attends",
];

/// What is said of a person or an animal of the speaker, or of what belongs to it in turn.
fn of_kin(rest: Rest<'_>) -> Reading {
    let rest = match rest.next() {
        "and" if rest.at(1) == "i" => return predicate(rest.after(2), Speaker),
        "and" => {
            let other = rest.after(1);
            let other = if other.next() == "my" {
                other.after(1).past(BEFORE_KIN)
            } else {
                other
            };
            kin(other).unwrap_or_else(|| {
                if other.is_name() {
                    other.after(1)
                } else {
                    other
                }
            })
        }
        // `Our neighbours on the left`.
        "in" | "on" | "from" | "at" => behind_phrase(rest).unwrap_or(rest),
        _ => rest,
    };
    if matches!(rest.next(), "called" | "named") && !rest.at(1).is_empty() {
        return Fact(Kin, Lasts::Long);
    }
    // `My moms name is Edith`: the mark is often left out.
    let is_possessive = rest.next() == "'s" || matches!(rest.next(), "name" | "birthday");
    if is_possessive {
        let own = if rest.next() == "'s" {
            rest.after(1)
        } else {
            rest
        };
        if let Some(after) = kin(own.past(BEFORE_KIN)) {
            return of_kin(after);
        }
        if let Some(after) = attribute(own) {
            return value::of_attribute(after).map_or(Other, |lasts| Fact(Kin, lasts));
        }
        if let Some(lasts) = of_thing(own, Article::Own) {
            return Fact(Kin, lasts);
        }
        return value::complement(own, Kin);
    }
    predicate(rest, Kin)
}

/// What follows a noun of which one has one value: `native language`.
fn attribute(rest: Rest<'_>) -> Option<Rest<'_>> {
    if matches!(rest.next(), "favourite" | "favorite" | "preferred") {
        let is = (1..=4).find(|place| matches!(rest.at(*place), "is" | "are" | "was" | "'s"))?;
        return Some(rest.after(is));
    }
    let own = rest.past(BEFORE_ATTRIBUTE);
    if ATTRIBUTES.contains(&own.next()) {
        return Some(own.after(1));
    }
    let n_before = rest.left().len() - own.left().len();
    let last = rest.at(n_before.saturating_sub(1));
    (n_before > 0 && ATTRIBUTES.contains(&last)).then_some(own)
}

/// `The name of my dog is Rex`.
fn of_belonging(rest: Rest<'_>) -> Reading {
    let Some(after) = attribute(rest) else {
        return Other;
    };
    if after.next() != "of" || !matches!(after.at(1), "my" | "our") {
        return Other;
    }
    let owner = after.after(2).past(BEFORE_KIN);
    let rest = kin(owner).or_else(|| attribute(owner));
    let lasts = rest.and_then(value::of_attribute);
    lasts.map_or(Other, |lasts| Fact(Kin, lasts))
}

/// `Anna is my sister`, `Rex and Luna are our dogs`.
fn named(rest: Rest<'_>) -> Reading {
    let n_names = rest
        .left()
        .iter()
        .take_while(|word| is_name_or_and(word))
        .count();
    let rest = rest.after(n_names);
    let is_being = matches!(rest.next(), "is" | "are" | "was" | "'s");
    let is_short = (1..=5).contains(&n_names);
    let (is_denied, own) = match (rest.at(1), rest.at(2)) {
        ("no", "longer") => (true, rest.after(3)),
        ("not", _) => (true, rest.after(2)),
        _ => (false, rest.after(1)),
    };
    let is_ours = matches!(own.next(), "my" | "our");
    let noun = own.after(1).past(BEFORE_KIN);
    let behind = kin(noun);
    let is_name = attribute(own.after(1)).is_some();
    if !(is_short && is_being && is_ours && (behind.is_some() || is_name)) {
        return Other;
    }
    let is_any_more =
        |rest: Rest<'_>| rest.next() == "anymore" || rest.next() == "any" && rest.at(1) == "more";
    match is_denied {
        false => Fact(Kin, Lasts::Long),
        // `Mr Holm is not our landlord any more`.
        true if rest.at(1) == "no" || behind.is_some_and(is_any_more) => Fact(Kin, Lasts::Over),
        true => Other,
    }
}

fn is_name_or_and(word: &Word) -> bool {
    let is_name = word.is_name && !STATES.contains(&word.plain.as_str());
    let is_pronoun = matches!(
        word.plain.as_str(),
        "it" | "this"
            | "that"
            | "he"
            | "she"
            | "they"
            | "there"
            | "these"
            | "those"
            | "the"
            | "what"
            | "who"
    );
    is_name && !is_pronoun || word.plain == "and"
}

#[cfg(test)]
#[path = "fact_tests.rs"]
mod tests;
