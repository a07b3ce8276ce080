//! Tells which of two sentences of the owner gives the later value of one thing, for whoever shows both.
//!
//! Milder than what a dream may act on: nothing is taken out by it, one is only shown before the other.

use std::collections::BTreeSet;

use super::read::told;
use super::table::{FRONT, ONE_AT_A_TIME, OWNED, UNSURE, WRITTEN_LIKE_NAMES};
use super::token::{Token, tokens};
use super::{Holds, Told, Turn, What, Whose};
use crate::stance::{Stance, stance};

/// Things besides of which a person has one at a time.
const ONE_OF_THEM: [&str; 8] = [
    "apartment",
    "bank",
    "gym",
    "job",
    "insurance",
    "school",
    "provider",
    "therapy",
];

/// Verbs with which a new thing is there: `I bought a new car`.
const GETTING: [&str; 12] = [
    "bought",
    "chose",
    "drive",
    "found",
    "got",
    "have",
    "joined",
    "leased",
    "own",
    "purchased",
    "see",
    "started",
];

/// What a sentence says of things of which a person has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    told: Told,
    /// The things that it names, as far as one has one of each.
    nouns: BTreeSet<String>,
    /// Of them those that are said to be new.
    anew: BTreeSet<String>,
    /// Of them the one whose value it gives: `my car is`.
    given: Option<String>,
    /// What the owner is, of which one thing holds at a time.
    stance: Option<Stance>,
}

impl Value {
    /// Reads a sentence of the owner; `None` where it gives no such value.
    ///
    /// # Examples
    ///
    /// ```
    /// use dreaming::Value;
    ///
    /// let older = Value::of("I live in Graz.").unwrap();
    /// let newer = Value::of("We moved to Szeged last month.").unwrap();
    /// assert!(newer.takes_the_place_of(&older));
    /// assert!(!older.takes_the_place_of(&older));
    /// ```
    pub fn of(sentence: &str) -> Option<Self> {
        let words = tokens(sentence);
        if sentence.trim_end().ends_with(['?', '\u{ff1f}']) {
            return None;
        }
        let found = Self {
            told: told(sentence),
            nouns: nouns(&words).map(|(_, noun)| noun.to_owned()).collect(),
            anew: anew(&words),
            given: given(&words),
            stance: stance(sentence),
        };
        let gives_some = found.told.slot.is_some() || found.stance.is_some();
        (gives_some || !found.nouns.is_empty()).then_some(found)
    }

    /// Whether this value, said later, holds in the place of the other.
    pub fn takes_the_place_of(&self, older: &Self) -> bool {
        let is_renewed = !self.anew.is_disjoint(&older.nouns);
        let is_given_again = self.given.is_some() && self.given == older.given;
        let slot = self.told.slot.as_ref();
        let is_of_a_thing = slot.is_some_and(|slot| matches!(slot.what, What::Named(_)));
        let is_home = slot.is_some_and(|slot| slot.what == What::Home);
        let is_of_a_home = is_home && self.told.whose == Some(Whose::Owner);
        let by_slot = match self.told.turn(&older.told) {
            Some(Turn::Replaces) => true,
            Some(Turn::Doubtful) => {
                is_of_a_home
                    || is_given_again && is_of_a_thing
                    || self.given.is_some() && self.is_of_the_one_in_office()
            }
            None => false,
        };
        let stances = self.stance.as_ref().zip(older.stance.as_ref());
        let by_stance = stances.is_some_and(|(own, older)| own.turn(older) == Some(Turn::Replaces));
        by_slot || by_stance || is_renewed || is_given_again && self.told.slot.is_none()
    }

    /// Whether it is said to be new, or to have come to an end.
    pub fn is_announced(&self) -> bool {
        let slot = self.told.slot.as_ref();
        !self.anew.is_empty()
            || slot.is_some_and(|slot| matches!(slot.holds, Holds::Anew | Holds::Ended))
    }

    /// The words in which another value of the same thing may be told, each for a search of its own.
    pub fn told_by(&self) -> Vec<String> {
        let of_slot: &[&str] = match self.told.slot.as_ref().map(|slot| &slot.what) {
            Some(What::Home) => &["moved", "gezogen", "live", "wohne"],
            Some(What::Work | What::Trade) => &["job", "started", "work", "quit"],
            Some(What::Named(noun)) => &[noun],
            Some(What::Name) | None => &[],
        };
        let of_stance = self.stance.as_ref().map_or(&[][..], Stance::told_by);
        let of_slot = of_slot.iter().map(|word| (*word).to_owned());
        let kin = match &self.told.whose {
            Some(Whose::Kin(kin)) => Some(kin.noun.clone()),
            Some(Whose::Owner) | None => None,
        };
        of_slot
            .chain(of_stance.iter().map(|word| (*word).to_owned()))
            .chain(kin)
            .chain(self.nouns.iter().cloned())
            .collect()
    }

    /// The things that it names.
    pub(super) fn nouns(&self) -> impl Iterator<Item = &str> {
        self.nouns.iter().map(String::as_str)
    }

    fn is_of_the_one_in_office(&self) -> bool {
        let is_name = self
            .told
            .slot
            .as_ref()
            .is_some_and(|it| it.what == What::Name);
        let is_one = |noun: &String| ONE_AT_A_TIME.contains(&noun.as_str());
        let whose = self.told.whose.as_ref();
        is_name && whose.is_some_and(|it| matches!(it, Whose::Kin(kin) if is_one(&kin.noun)))
    }
}

/// The things that are named and belong to whoever speaks, each with its place.
fn nouns(words: &[Token]) -> impl Iterator<Item = (usize, &str)> {
    let is_own = words
        .iter()
        .any(|word| matches!(word.plain.as_str(), "i" | "we" | "my" | "our"));
    let is_of_another = words.iter().any(|word| word.plain == "'s");
    let known = move |word: &&str| {
        OWNED.contains(word) || ONE_AT_A_TIME.contains(word) || ONE_OF_THEM.contains(word)
    };
    let driven = words
        .iter()
        .zip(words.iter().skip(1))
        .position(|(verb, next)| {
            verb.plain == "drive" && matches!(next.plain.as_str(), "a" | "an" | "the" | "my")
        })
        .map(|at| (at, "car"));
    words
        .iter()
        .enumerate()
        .map(|(at, word)| (at, word.plain.as_str()))
        // Of `my new phone number` the phone is only a part.
        .filter(move |(at, word)| {
            let next = words.get(at + 1).map(|next| next.plain.as_str());
            known(word) && next != Some("number")
        })
        .chain(driven)
        .filter(move |_| is_own && !is_of_another)
}

/// The things that are there anew: `my new car`, `bought a new car`, `my doctor is now`.
fn anew(words: &[Token]) -> BTreeSet<String> {
    let at = |place: Option<usize>| {
        let word = place.and_then(|place| words.get(place));
        word.map_or("", |word| word.plain.as_str())
    };
    let is_unsure = words
        .iter()
        .any(|word| UNSURE.contains(&word.plain.as_str()) || word.plain == "not");
    nouns(words)
        .filter(|(noun, _)| {
            let before = |n_words: usize| at(noun.checked_sub(n_words));
            let is_new = before(1) == "new"
                && match before(2) {
                    "my" | "our" => true,
                    "a" => GETTING.contains(&before(3)),
                    _ => false,
                };
            let is_own = matches!(before(1), "my" | "our");
            let says_now = at(Some(noun + 1)) == "is" && at(Some(noun + 2)) == "now";
            let is_changed = is_own
                && (matches!(before(2), "changed" | "switched")
                    || says_now && is_value(words, noun + 3, at(Some(*noun))));
            !is_unsure && (is_new || is_changed)
        })
        .map(|(_, noun)| noun.to_owned())
        .collect()
}

/// The thing whose value is given: `my car is a Volvo`; what `my car is at the garage` says is no value.
fn given(words: &[Token]) -> Option<String> {
    let is_unsure = words
        .iter()
        .any(|word| UNSURE.contains(&word.plain.as_str()) || word.plain == "not");
    let found = nouns(words).find(|(at, noun)| {
        let plain = |place: usize| words.get(place).map_or("", |word| word.plain.as_str());
        let is_own = at
            .checked_sub(1)
            .map(plain)
            .is_some_and(|it| matches!(it, "my" | "our"));
        is_own && plain(at + 1) == "is" && is_value(words, at + 2, noun)
    });
    found
        .filter(|_| !is_unsure)
        .map(|(_, noun)| noun.to_owned())
}

/// Whether a name stands there, or the figures of a phone.
fn is_value(words: &[Token], at: usize, noun: &str) -> bool {
    let Some(word) = words.get(at) else {
        return false;
    };
    let is_article = matches!(word.plain.as_str(), "a" | "an" | "the");
    if is_article {
        // `My boss is a Scorpio` does not say who it is.
        return !ONE_AT_A_TIME.contains(&noun) && is_named(words, at + 1);
    }
    let mut rest = words.iter().skip(at);
    is_named(words, at) || noun == "phone" && rest.all(|word| word.is_figure)
}

/// Whether the name of a person, a firm or a make stands there, and not of what belongs to it.
fn is_named(words: &[Token], at: usize) -> bool {
    let is_owner = words.get(at + 1).is_some_and(|next| next.plain == "'s");
    words.get(at).is_some_and(|word| {
        let plain = word.plain.as_str();
        let is_common = FRONT.contains(&plain) || base::tongue(plain).is_some();
        word.is_name && !is_owner && !is_common && !WRITTEN_LIKE_NAMES.contains(&plain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes_place(newer: &str, older: &str) -> bool {
        let pair = Value::of(newer).zip(Value::of(older));
        pair.is_some_and(|(newer, older)| newer.takes_the_place_of(&older))
    }

    #[test]
    fn a_later_value_of_what_one_has_one_of_takes_the_place_of_an_earlier() {
        for (newer, older) in [
            ("We moved to Szeged last month.", "I live in Graz."),
            ("I started at Siemens on Monday.", "I work at Bosch."),
            ("My phone number is 0664 12.", "My phone number is 0699 77."),
            ("My new doctor is Dr. Berger.", "My doctor is Dr. Meier."),
            (
                "My doctor is now Dr. Berger.",
                "I have an appointment with my doctor.",
            ),
            ("My dentist is Jan Olsen.", "My dentist is Petra Holm."),
            ("I bought a new car, a Skoda.", "I drive a Volvo."),
            ("My car is a Skoda.", "My car is a Volvo."),
            ("We have a new bank.", "Our bank is the Raiffeisen."),
            ("I eat meat again.", "I am vegetarian."),
        ] {
            assert!(takes_place(newer, older), "{newer:?} after {older:?}");
        }
    }

    #[test]
    fn what_only_says_something_of_a_thing_or_a_person_gives_no_value() {
        for (newer, older) in [
            ("My bank is closed on Friday.", "My bank is the Raiffeisen."),
            ("My bank is Swiss.", "My bank is the Raiffeisen."),
            (
                "My bank is 5 minutes from here.",
                "My bank is the Raiffeisen.",
            ),
            ("My car is at the garage.", "My car is a Volvo."),
            ("My car is now at the garage.", "My car is a Volvo."),
            ("My car is the fastest.", "My car is a Volvo."),
            ("My car is Anna's favourite.", "My car is a Volvo."),
            ("If my car is a Skoda, so be it.", "My car is a Volvo."),
            (
                "My doctor is on holiday until May.",
                "My doctor is Dr. Meier.",
            ),
            ("My doctor is now on holiday.", "My doctor is Dr. Meier."),
            ("My dentist is very friendly.", "My dentist is Petra Holm."),
            ("My dentist is German.", "My dentist is Petra Holm."),
            ("My dentist is a Scorpio.", "My dentist is Petra Holm."),
            ("My gym is closed today.", "My gym is the Fitinn."),
            ("My gym is open 24 hours.", "My gym is the Fitinn."),
            ("My phone is 3 years old.", "My phone is a Pixel."),
        ] {
            assert!(!takes_place(newer, older), "{newer:?} after {older:?}");
        }
        for (newer, older) in [
            ("My bank is the Erste.", "My bank is the Raiffeisen."),
            ("My bank is BAWAG.", "My bank is the Raiffeisen."),
            ("My bank is now the Erste.", "My bank is the Raiffeisen."),
            ("My car is now a Skoda.", "My car is a Volvo."),
            ("My phone is 0664 1234567.", "My phone is 0699 7654321."),
        ] {
            assert!(takes_place(newer, older), "{newer:?} after {older:?}");
        }
    }

    #[test]
    fn what_is_wished_asked_or_of_another_takes_no_place() {
        for (newer, older) in [
            ("I need a new car.", "My car is a Volvo."),
            ("Maybe I bought a new car.", "My car is a Volvo."),
            ("Do I have a new car?", "My car is a Volvo."),
            ("My sister's new car is a Skoda.", "My car is a Volvo."),
            ("My car is a Volvo.", "My doctor is Dr. Meier."),
            ("My new phone number is 0699 77.", "My phone is a Pixel 8."),
            (
                "My sister moved to Vienna.",
                "My sister Anna lives in Graz.",
            ),
            ("My dog's name is Max.", "My dog is called Rex."),
            ("I lived in Linz as a student.", "I live in Graz."),
        ] {
            assert!(!takes_place(newer, older), "{newer:?} after {older:?}");
        }
    }
}
