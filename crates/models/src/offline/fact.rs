//! Reads a clause as a plain statement about its speaker: home, work, family, health, tastes, plans.
//!
//! A small grammar of English, not a list of sentences; judges one clause and takes nothing out of it.

mod household;
mod parts;
mod passing;
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
use passing::is_small_talk;
use routine::is_routine;
use someone::{found_by_carer, of_someone, of_the};
use table::{
    ADVERBS, ANNOUNCED, ANNOUNCING, ATTRIBUTES, BEFORE_ATTRIBUTE, BEFORE_KIN, FRONTING, KIN,
    LABELS, MOMENTARY, POINTING, STATES, TO_COME, TODAY, YEARLY,
};
use thing::{Article, behind_phrase, of_thing};
use verb::{Form, Tells, tells};
use words::{Rest, Word, words};

pub(super) use parts::{is_fact, is_lasting, is_of_another, parted, with_antecedents};
pub(super) use told::told_in_question;
pub(super) use unreal::{is_fiction, is_reported, is_unreal, opens_play};

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

use About::{Kin, Speaker};
use Reading::{Fact, Idle, Other, Passing};

/// Reads a clause of the speaker's own words.
pub(super) fn read(clause: &str) -> Reading {
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
    let is_all_small = !clause.contains(char::is_uppercase);
    // Words like `by the way` may stand before it, and only what follows them tells where they end.
    let n_front = rest
        .left()
        .iter()
        .take_while(|word| FRONTING.contains(&word.plain.as_str()));
    let starts = (0..=n_front.count()).map(|place| rest.after(place));
    let mut readings = starts.map(|rest| of_other(rest, is_all_small));
    readings.find(|found| *found != Other).unwrap_or(Other)
}

/// What is said of somebody or something that is neither `I` nor `mine` in so many words.
fn of_other(rest: Rest<'_>, is_all_small: bool) -> Reading {
    if rest.next() != "the" {
        // `New address is Rosenweg 14`.
        let is_new = matches!(rest.next(), "new" | "current");
        if let Some(lasts) = attribute(rest)
            .filter(|_| is_new)
            .and_then(value::of_attribute)
        {
            return Fact(Speaker, lasts);
        }
        let found = named(rest);
        return if found == Other {
            of_someone(rest, is_all_small)
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
    let whole = without_announcement(rest);
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
    (rest.next() == "my" || rest.is_name()).then(|| rest.after(and + 2))
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
    if let Some(after) = kin(noun) {
        return of_kin(after);
    }
    let attribute = attribute(rest).and_then(behind_phrase);
    let found = attribute.and_then(value::of_attribute);
    let found = found.or_else(|| of_thing(rest, Article::Own));
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
    let is_ours = matches!(rest.at(1), "my" | "our");
    let is_short = (1..=5).contains(&n_names);
    let noun = rest.after(2).past(BEFORE_KIN);
    let is_name = attribute(rest.after(2)).is_some();
    if is_short && is_being && is_ours && (kin(noun).is_some() || is_name) {
        return Fact(Kin, Lasts::Long);
    }
    Other
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

/// How far away an auxiliary verb puts what follows it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Auxiliary {
    is_being: bool,
    is_future: bool,
    is_denied: bool,
    /// Whether somebody cannot.
    is_unable: bool,
}

/// What is said of somebody.
fn predicate(rest: Rest<'_>, about: About) -> Reading {
    let Some((auxiliary, rest)) = auxiliaries(rest) else {
        return Other;
    };
    let names_time = rest.names_something() || rest.holds(TO_COME);
    let is_to_come = |form: Form| match form {
        Form::Ongoing => auxiliary.is_being && names_time,
        Form::Base => auxiliary.is_future && names_time,
        Form::Past => false,
    };
    let told = tells(rest, is_to_come);
    let is_ongoing = rest.next().ends_with("ing");
    if is_ongoing && rest.holds(TODAY) && told != Some(Tells::Plan) {
        return Passing;
    }
    let told = match told {
        // What somebody cannot eat they hardly will tomorrow.
        _ if auxiliary.is_unable
            && matches!(rest.next(), "eat" | "drink" | "have" | "tolerate")
            && !rest.at(1).is_empty()
            && !POINTING.contains(&rest.at(1)) =>
        {
            Some(Tells::Life)
        }
        told => told,
    };
    let lasts = match told {
        Some(Tells::Habit) if !auxiliary.is_future && !auxiliary.is_being && is_routine(rest) => {
            Lasts::Long
        }
        Some(Tells::Life) if auxiliary.is_future => Lasts::Once,
        Some(Tells::Life) => Lasts::Long,
        Some(Tells::Habit | Tells::Taste) if auxiliary.is_future => return Other,
        Some(Tells::Habit) => Lasts::Habit,
        Some(Tells::Taste) => Lasts::Taste,
        Some(Tells::Event | Tells::Plan) => Lasts::Once,
        None if !auxiliary.is_being && !auxiliary.is_future && is_routine(rest) => Lasts::Long,
        None if auxiliary.is_being && MOMENTARY.contains(&rest.next()) => return Passing,
        None if auxiliary.is_being && is_ongoing && about == Kin => return Passing,
        None if auxiliary.is_being && is_ongoing => return Other,
        None if auxiliary.is_being => return value::complement(rest, about),
        None => return Other,
    };
    // An event that did not happen is none.
    if auxiliary.is_denied && told == Some(Tells::Event) {
        return Other;
    }
    Fact(about, lasts)
}

/// The auxiliary verbs and adverbs before a verb, and what follows; none where they make of it a mere
/// possibility.
fn auxiliaries(mut rest: Rest<'_>) -> Option<(Auxiliary, Rest<'_>)> {
    let mut found = Auxiliary::default();
    loop {
        let n_words = match rest.next() {
            "would" | "could" | "might" | "may" | "should" | "must" | "shall" => return None,
            "can" if rest.at(1) == "not" => {
                found.is_unable = true;
                found.is_denied = true;
                2
            }
            "not" | "never" => {
                found.is_denied = true;
                1
            }
            "no" if rest.at(1) == "longer" => {
                found.is_denied = true;
                2
            }
            "used" if rest.at(1) == "to" => 2,
            "am" | "is" | "are" | "was" | "were" | "be" | "been" | "'s" => {
                found.is_being = true;
                1
            }
            "will" => {
                found.is_future = true;
                1
            }
            "going" | "about"
                if rest.at(1) == "to" && found.is_being && !is_place(rest.after(2)) =>
            {
                found.is_future = true;
                2
            }
            "have" | "has" | "had" if is_auxiliary(rest) => 1,
            "have" | "has" | "had" => return Some((found, rest)),
            word if ADVERBS.contains(&word) => 1,
            _ => return Some((found, rest)),
        };
        rest = rest.after(n_words);
    }
}

/// Whether `have` stands before another verb.
fn is_auxiliary(rest: Rest<'_>) -> bool {
    let next = rest.after(1).past(ADVERBS);
    let word = if next.next() == "not" || next.next() == "never" {
        next.at(1)
    } else {
        next.next()
    };
    let is_been = (1..=3).any(|place| rest.at(place) == "been");
    is_been || word.ends_with("ed") || verb::is_irregular_past(word)
}

/// Whether `going to` leads to a place and to no verb.
fn is_place(rest: Rest<'_>) -> bool {
    rest.is_name() || matches!(rest.next(), "the" | "a" | "my" | "our" | "see")
}

#[cfg(test)]
#[path = "fact_tests.rs"]
mod tests;
