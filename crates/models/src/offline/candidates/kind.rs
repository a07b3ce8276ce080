//! Tells what a clause would be in long-term memory, and how much it is worth there.
//!
//! Sees one clause at a time; the tables of cues stand beside it.

use base::MEMORY_SECTIONS;

use super::cue::{
    ADDRESSED, ANSWERING, BEING, CHANGES, CONDUCT, CONSTRAINTS, FACTS, HANGING, HEALTH, INTENDED,
    MAIN_CLAUSES, ONE_TIME, PEOPLE, POINTING, REASONS, RULE_OPENINGS, RULES, STANDING, TOLD,
    WISHES,
};
use crate::offline::conduct;
use crate::offline::cue::{Cue, DECISIONS, PREFERENCES};
use crate::offline::fact::{self, About, Lasts, Reading};
use crate::offline::identifier::figures;
use crate::offline::signal::{Plain, plain, unlabelled};

/// What a plain fact about the owner and their people deserves: home, work, family, health.
const PLAIN_FACT: u8 = 8;

/// What a fact deserves that a doctor has to know: it comes before all others.
const HEALTH_FACT: u8 = 10;

/// The weight of a clause that is one.
const PLAIN_FACT_WEIGHT: i32 = 7;

/// What a clause would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Rule,
    Preference,
    Owner,
    Person,
    Decision,
    Fact,
}

/// What a clause is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Worth {
    kind: Kind,
    /// From 1 to 10.
    pub(super) importance: u8,
    /// The weight of the cues that say so.
    pub(super) weight: i32,
}

impl Worth {
    /// The heading of long-term memory for it.
    pub(super) fn section(self) -> &'static str {
        let index = match self.kind {
            Kind::Rule => 0,
            Kind::Preference => 1,
            Kind::Owner => 2,
            Kind::Person => 3,
            Kind::Decision => 4,
            Kind::Fact => 5,
        };
        MEMORY_SECTIONS.get(index).copied().unwrap_or_default()
    }

    /// Whether it is a rule for the assistant.
    pub(super) fn is_rule(self) -> bool {
        self.kind == Kind::Rule
    }
}

/// What a clause is worth; `None` where nothing shows that it lasts.
pub(super) fn worth(clause: &str) -> Option<Worth> {
    let words = plain(clause);
    let is_once = holds(&words, ONE_TIME) || is_errand(&words) || conduct::is_letter(clause);
    if is_once || fact::is_of_another(clause) {
        return None;
    }
    let reading = fact::read(clause);
    let rule = rule_of(clause, &words);
    // `Remember that my locker is number 44` and `I'm vegan from now on` tell a fact, and nothing to be done.
    let is_telling = words.0.trim_start().starts_with("remember ") || !holds(&words, ADDRESSED);
    let is_kept_fact = is_telling && matches!(reading, Reading::Fact(_, Lasts::Long | Lasts::Over));
    if rule > 0 && !is_kept_fact {
        let is_standing = holds(&words, STANDING);
        return Some(found(Kind::Rule, if is_standing { 10 } else { 9 }, rule));
    }
    // An end is worth as much as what it ends.
    if let Reading::Fact(about, Lasts::Long | Lasts::Over) = reading {
        return Some(found(
            kind_of(about),
            important(&words, PLAIN_FACT),
            PLAIN_FACT_WEIGHT,
        ));
    }
    // What somebody only thinks that they are is no wish, though it has the words of one.
    if fact::is_reported(clause) || holds(&words, BEING) && fact::is_unreal(clause) {
        return None;
    }
    // What somebody of the owner likes is a fact about them, and no wish of the owner.
    if let Reading::Fact(About::Kin, Lasts::Taste) = reading {
        return Some(found(Kind::Person, PLAIN_FACT, 5));
    }
    let wish = heaviest(&words, PREFERENCES).max(heaviest(&words, WISHES));
    if wish >= 5 {
        return Some(found(Kind::Preference, 8, wish));
    }
    // What hangs on a condition, or is only so today, tells nothing of the owner and their people.
    let is_told = !fact::is_unreal(clause)
        && !matches!(reading, Reading::Passing | Reading::Idle)
        && !is_pronominal(&words);
    let fact = heaviest(&words, FACTS).max(german_move(&words));
    if fact >= 5 && is_told {
        return Some(found(Kind::Owner, important(&words, 7), fact));
    }
    match reading {
        Reading::Fact(_, Lasts::Taste) => return Some(found(Kind::Preference, 6, 5)),
        Reading::Fact(about, Lasts::Habit) => return Some(found(kind_of(about), 5, 5)),
        Reading::Fact(..) | Reading::Passing | Reading::Idle | Reading::Other => {}
    }
    let is_passing = is_passing(&words);
    let constraint = heaviest(&words, CONSTRAINTS);
    if constraint >= 4 && !is_passing {
        return Some(found(Kind::Preference, 6, constraint));
    }
    if wish >= 3 {
        return Some(found(Kind::Preference, 5, wish));
    }
    let decision = heaviest(&words, DECISIONS);
    if decision >= 5 && holds(&words, REASONS) {
        return Some(found(Kind::Decision, 5, decision));
    }
    let person = heaviest(&words, PEOPLE);
    if person > 0 && is_told && names_somebody(clause) {
        return Some(found(Kind::Person, 4, person));
    }
    let change = heaviest(&words, CHANGES);
    if change > 0 && is_told && !figures(clause).is_empty() {
        return Some(found(Kind::Fact, 4, change));
    }
    if decision >= 6 && is_told && !is_passing {
        return Some(found(Kind::Decision, 3, decision));
    }
    None
}

fn found(kind: Kind, importance: u8, weight: i32) -> Worth {
    Worth {
        kind,
        importance,
        weight,
    }
}

/// What a fact deserves that is worth so much if no doctor has to know it.
fn important(words: &Plain, importance: u8) -> u8 {
    if is_of_health(words) {
        HEALTH_FACT
    } else {
        importance
    }
}

/// Whether a fact tells of an illness that stays, an allergy or a medicine.
fn is_of_health(words: &Plain) -> bool {
    let is_of_work = holds(words, &[" work ", " works ", " working "]);
    !is_of_work && (holds(words, HEALTH) || words.0.split_whitespace().any(base::is_medicine))
}

/// Whether the assistant is told to do one thing: `I need you to check this contract`, not `I need you to be brief`.
fn is_errand(words: &Plain) -> bool {
    let told = TOLD.iter().find_map(|phrase| words.0.split_once(phrase));
    told.is_some_and(|(_, rest)| {
        let verb = rest.split_whitespace().next().unwrap_or_default();
        let is_once =
            verb == "be" && (rest.ends_with(" next time ") || rest.ends_with(" this time "));
        (is_once || !CONDUCT.contains(&verb)) && !holds(words, STANDING)
    })
}

fn kind_of(about: About) -> Kind {
    match about {
        About::Speaker => Kind::Owner,
        About::Kin => Kind::Person,
    }
}

/// The weight of the heaviest cue in a clause, of whatever kind.
pub(super) fn weight_of(clause: &str) -> i32 {
    worth(clause).map_or(0, |worth| worth.weight)
}

/// Whether a request tells how the owner likes things in general.
pub(super) fn is_wish_in_request(text: &str) -> bool {
    let words = plain(text);
    heaviest(&words, WISHES) >= 5 || rule_weight(&words) > 0 || heaviest(&words, CONSTRAINTS) >= 5
}

/// Whether a clause hangs on a word that stands before it, as `I prefer it over the other`.
pub(super) fn points_back(clause: &str) -> bool {
    holds(&plain(clause), POINTING)
}

/// What follows `nach` and is no new home.
#[rustfmt::skip]
const NO_PLACES: &[&str] = &[
    "hause", "oben", "unten", "vorne", "hinten", "links", "rechts", "draussen", "drau\u{df}en", "drinnen", "dem", "der",
    "den", "einem", "einer",
];

/// The weight of a German clause about a new home: `Ich bin nach Wien gezogen`.
fn german_move(words: &Plain) -> i32 {
    let own = words.0.strip_prefix(" ich bin ").unwrap_or_default();
    let there = own.strip_prefix("nach ");
    let there = there.or_else(|| own.split_once(" nach ").map(|(_, there)| there));
    let place = there.and_then(|there| there.split_whitespace().next());
    let is_there = place.is_some_and(|place| !NO_PLACES.contains(&place));
    let is_moved = own.ends_with(" gezogen ") || own.ends_with(" umgezogen ");
    if is_there && is_moved { 7 } else { 0 }
}

/// Whether a clause tells what is done next, or answers what was said before: `I'll stick to the plan`.
fn is_passing(words: &Plain) -> bool {
    let start = words.0.trim_start();
    holds(words, INTENDED) || ANSWERING.iter().any(|opening| start.starts_with(opening))
}

/// Whether a clause begins with a word for somebody who was named before it.
fn is_pronominal(words: &Plain) -> bool {
    let first = words.0.split_whitespace().next().unwrap_or_default();
    matches!(
        first,
        "he" | "she"
            | "they"
            | "his"
            | "her"
            | "their"
            | "it"
            | "he's"
            | "she's"
            | "it's"
            | "they're"
    )
}

/// Whether a text begins as a clause that hangs on another one, and none follows in which somebody does
/// something: `Without using accounts`, `Especially since I declined it`.
pub(super) fn is_fragment(text: &str) -> bool {
    let words = plain(text);
    let start = words.0.trim_start();
    if !HANGING.iter().any(|opening| start.starts_with(opening)) || begins_with_time(text, &words) {
        return false;
    }
    let main = text.split_once(", ").map(|(_, rest)| plain(rest));
    !main.is_some_and(|main| MAIN_CLAUSES.iter().any(|begin| main.0.starts_with(begin)))
}

/// Whether a fact says before its subject since when: `Since October I teach yoga`, not `Since I teach yoga`.
fn begins_with_time(text: &str, words: &Plain) -> bool {
    let mut own = words.0.split_whitespace();
    let is_led = matches!(own.next(), Some("since" | "for"));
    let is_subject = own.next().is_some_and(|word| {
        matches!(
            word,
            "i" | "i'm" | "i've" | "we" | "we're" | "we've" | "my" | "our"
        )
    });
    is_led && !is_subject && fact::is_lasting(text)
}

/// The weight of a clause as a rule, with and without the label before it.
fn rule_of(clause: &str, words: &Plain) -> i32 {
    let own = unlabelled(clause);
    if conduct::is_instruction(own) {
        return conduct::WEIGHT;
    }
    rule_weight(words).max(rule_weight(&plain(own)))
}

fn rule_weight(words: &Plain) -> i32 {
    let start = words.0.trim_start();
    let opening = RULE_OPENINGS
        .iter()
        .find(|(phrase, _)| start.starts_with(phrase))
        .map_or(0, |(_, weight)| *weight);
    opening.max(heaviest(words, RULES))
}

fn heaviest(words: &Plain, cues: &[Cue]) -> i32 {
    let hits = cues.iter().filter(|(phrase, _)| words.0.contains(phrase));
    hits.map(|(_, weight)| *weight).max().unwrap_or(0)
}

fn holds(words: &Plain, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| words.0.contains(phrase))
}

/// Whether a word inside the clause is a name.
fn names_somebody(clause: &str) -> bool {
    clause.split_whitespace().skip(1).any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_capital = word.starts_with(char::is_uppercase) && word.len() > 1;
        is_capital && !word.starts_with("I'") && word.chars().skip(1).all(char::is_lowercase)
    })
}
