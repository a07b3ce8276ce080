//! Reads what is said of somebody: the verb behind its auxiliary verbs, and what has to follow it.
//!
//! Knows no subject but whether it is the speaker.

use super::About::{self, Kin};
use super::Lasts;
use super::Reading::{self, Fact, Other, Passing};
use super::form::{Form, is_irregular_past, is_ongoing};
use super::routine::is_routine;
use super::table::{ADVERBS, MOMENTARY, POINTING, TO_COME, TODAY};
use super::value;
use super::verb::{Tells, tells};
use super::words::Rest;

/// How far away an auxiliary verb puts what follows it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Auxiliary {
    is_being: bool,
    is_future: bool,
    /// Whether it is denied as something that was so before.
    is_over: bool,
    denial: Denial,
}

/// Whether a verb is denied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Denial {
    /// It is not.
    #[default]
    None,
    /// It is.
    Denied,
    /// It cannot be.
    Unable,
}

/// What is said of somebody.
pub(super) fn predicate(rest: Rest<'_>, about: About) -> Reading {
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
    let is_ongoing = is_ongoing(rest.next());
    if is_ongoing && rest.holds(TODAY) && told != Some(Tells::Plan) {
        return Passing;
    }
    let told = match told {
        // What somebody cannot eat they hardly will tomorrow.
        _ if auxiliary.denial == Denial::Unable
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
        Some(Tells::End) if !auxiliary.is_future => Lasts::Over,
        Some(Tells::End | Tells::Event | Tells::Plan) => Lasts::Once,
        None if is_over(auxiliary, rest) => return Fact(about, Lasts::Over),
        None if !auxiliary.is_being && !auxiliary.is_future && is_routine(rest) => Lasts::Long,
        None if auxiliary.is_being && MOMENTARY.contains(&rest.next()) => return Passing,
        None if auxiliary.is_being && is_ongoing && about == Kin => return Passing,
        None if auxiliary.is_being && is_ongoing => return Other,
        None if auxiliary.is_being => return value::complement(rest, about),
        None => return Other,
    };
    // An event that did not happen is none.
    if auxiliary.denial != Denial::None && matches!(told, Some(Tells::Event | Tells::End)) {
        return Other;
    }
    Fact(about, lasts)
}

/// Whether something is done or had no more: `do not have a car any more`.
fn is_over(auxiliary: Auxiliary, rest: Rest<'_>) -> bool {
    let is_any_more = |place: usize| {
        rest.at(place) == "anymore" || rest.at(place) == "any" && rest.at(place + 1) == "more"
    };
    let is_said = auxiliary.is_over || (1..rest.left().len()).any(is_any_more);
    let object = rest.after(1).past(&["my", "the", "a", "an", "our"]);
    let is_there = rest.next() == "work" && matches!(rest.at(1), "there" | "here");
    let is_had = matches!(
        rest.next(),
        "take" | "have" | "own" | "drive" | "use" | "play" | "wear"
    ) && !POINTING.contains(&object.next())
        && object.next() != "any";
    auxiliary.denial == Denial::Denied && is_said && !auxiliary.is_being && (is_there || is_had)
}

/// The auxiliary verbs and adverbs before a verb, and what follows; none where they make of it a mere
/// possibility.
fn auxiliaries(mut rest: Rest<'_>) -> Option<(Auxiliary, Rest<'_>)> {
    let mut found = Auxiliary::default();
    loop {
        let n_words = match rest.next() {
            "would" | "could" | "might" | "may" | "should" | "must" | "shall" => return None,
            "can" if rest.at(1) == "not" => {
                found.denial = Denial::Unable;
                2
            }
            "not" | "never" => {
                found.denial = Denial::Denied;
                1
            }
            "no" if rest.at(1) == "longer" => {
                found.denial = Denial::Denied;
                found.is_over = true;
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
            "had" if rest.at(1) == "to" && rest.at(2) == "be" => {
                found.is_being = true;
                3
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
    is_been || word.ends_with("ed") || is_irregular_past(word)
}

/// Whether `going to` leads to a place and to no verb.
fn is_place(rest: Rest<'_>) -> bool {
    rest.is_name() || matches!(rest.next(), "the" | "a" | "my" | "our" | "see")
}
