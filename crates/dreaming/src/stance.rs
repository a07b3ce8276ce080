//! Reads what the owner says they like, are or have, and whether it is denied: `I don't like sushi any more`.
//!
//! Sees the first clause of a line in English; compares two, and judges no age.

use std::collections::BTreeSet;

use crate::slot::{PARTNERS, Turn};

/// What is said of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// Liked or not.
    Taste,
    /// What somebody is.
    Being,
}

/// Since when it is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// It is said to be so now.
    Now,
    /// Since a day that may lie years back: `I got married in 2010`.
    LongAgo,
    /// That is not said.
    Untold,
}

/// What the owner is or likes, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stance {
    sense: Sense,
    matter: BTreeSet<String>,
    is_denied: bool,
    /// Whether the line says nothing besides: `I am vegan now`, not `I am vegan, at work`.
    is_alone: bool,
    when: When,
}

/// Words between `I` and what is said, and behind it, that change nothing.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "am", "do", "really", "actually", "now", "still", "very", "much", "a", "an", "the", "any", "more", "anymore", "longer",
    "after", "all", "these", "days", "also", "quite", "just", "strictly", "currently", "nowadays", "at", "lot", "again", "to",
];

/// Words that deny; `hate` is the denial of a taste.
const DENIALS: &[&str] = &["not", "no", "never"];

const LIKED: &[&str] = &["like", "love", "enjoy", "adore"];

const DISLIKED: &[&str] = &["hate", "dislike", "detest", "loathe"];

/// What somebody is one of at a time.
pub(crate) const FAMILY: &[&str] = &[
    "single",
    "engaged",
    "married",
    "divorced",
    "separated",
    "widowed",
];

/// How somebody eats, of which one thing holds at a time.
const DIETS: &[&str] = &["vegetarian", "vegan", "pescatarian"];

/// What is eaten again by somebody who did without.
const EATEN_AGAIN: &[&str] = &["meat", "fish"];

/// States of which one cannot hold with the other, the later first.
const EXCLUDING: &[(&str, &str)] = &[
    ("partnered", "single"),
    ("single", "partnered"),
    ("delivered", "pregnant"),
];

/// What people do for a living; who is one of them now is the former no more.
#[rustfmt::skip]
pub(crate) const TRADES: &[&str] = &[
    "accountant", "actor", "architect", "baker", "banker", "barber", "bricklayer", "builder", "butcher", "carpenter", "chef",
    "cook", "dentist", "designer", "developer", "doctor", "driver", "electrician", "engineer", "farmer", "firefighter",
    "gardener", "hairdresser", "journalist", "judge", "lawyer", "librarian", "mechanic", "midwife", "miner", "nurse",
    "optician", "painter", "paramedic", "pharmacist", "photographer", "physiotherapist", "pilot", "plumber", "postman",
    "programmer", "psychologist", "roofer", "sailor", "secretary", "social-worker", "soldier", "surgeon", "surveyor",
    "tailor", "teacher", "therapist", "translator", "vet", "waiter", "waitress", "welder",
];

/// More words tell of something narrower than a taste or a state.
const WORDS_MAX: usize = 3;

/// What a line says so; `None` where it says anything else.
pub(crate) fn stance(text: &str) -> Option<Stance> {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let clause = lower.split([',', ';', '.', '(', '!']).next()?;
    let clause = clause
        .replace("i'm ", "i am ")
        .replace("don't ", "do not ")
        .replace("can't stand ", "hate ");
    if let Some(state) = family(&clause).or_else(|| had(&clause, &lower)) {
        return Some(state);
    }
    let mut words = clause.split_whitespace();
    if words.next() != Some("i") {
        return None;
    }
    if let Some(eaten) = eaten_again(&clause) {
        return Some(eaten);
    }
    let mut is_denied = false;
    let mut sense = None;
    let mut matter = BTreeSet::new();
    for word in words {
        if DENIALS.contains(&word) {
            is_denied = !is_denied;
        } else if matter.is_empty() && sense.is_none() && (LIKED.contains(&word) || word == "am") {
            sense = Some(if word == "am" {
                Sense::Being
            } else {
                Sense::Taste
            });
        } else if matter.is_empty() && sense.is_none() && DISLIKED.contains(&word) {
            sense = Some(Sense::Taste);
            is_denied = !is_denied;
        } else if !BESIDE.contains(&word) {
            // `I work at Bosch` has its verb here.
            sense?;
            matter.insert(word.to_owned());
        }
    }
    let is_told = (1..=WORDS_MAX).contains(&matter.len());
    sense.filter(|_| is_told).map(|sense| Stance {
        sense,
        matter,
        is_denied,
        is_alone: is_alone(&lower, &clause),
        when: if clause.split_whitespace().any(|word| word == "now") {
            When::Now
        } else {
            When::Untold
        },
    })
}

/// `I got divorced last spring`, `We are married`: with nothing besides but since when.
fn family(clause: &str) -> Option<Stance> {
    let clause = clause
        .replace("we're ", "we are ")
        .replace("i've ", "i have ");
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    words.retain(|word| !matches!(*word, "now" | "actually" | "just" | "recently" | "finally"));
    let (is_event, state, since) = match words.as_slice() {
        ["i" | "we", "am" | "are", state, since @ ..] => (false, state, since),
        ["i" | "we", "got", state, since @ ..]
        | ["i" | "we", "have", "gotten", state, since @ ..] => (true, state, since),
        ["i" | "we", "have", "been", state, since @ ..] => {
            (since.first() != Some(&"since"), state, since)
        }
        _ => return None,
    };
    let is_told = FAMILY.contains(state) && base::is_only_since(since);
    is_told.then(|| Stance {
        sense: Sense::Being,
        matter: BTreeSet::from([(*state).to_owned()]),
        is_denied: false,
        is_alone: true,
        when: if is_event && tells_years(since) {
            When::LongAgo
        } else {
            When::Untold
        },
    })
}

/// Whether a date has its year, or is told in years: `in 2010`, `two years ago`.
fn tells_years(since: &[&str]) -> bool {
    let is_figure = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.len() >= 4;
    let is_span = matches!(
        since,
        [.., "year" | "years" | "decade" | "decades", "ago"] | ["last", "decade"]
    );
    is_span || since.iter().any(is_figure)
}

/// `I have a girlfriend now`, `I had a baby`: states that are told by what somebody has.
fn had(clause: &str, lower: &str) -> Option<Stance> {
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    words.retain(|word| !matches!(*word, "now" | "just" | "new" | "finally" | "got"));
    let state = match words.as_slice() {
        ["i" | "i've", "have", "a", partner] | ["i've", "a", partner]
            if PARTNERS.contains(partner) =>
        {
            "partnered"
        }
        ["i" | "we", "had", "a", "baby", behind @ ..] if is_born(behind, lower) => "delivered",
        _ => return None,
    };
    Some(Stance {
        sense: Sense::Being,
        matter: BTreeSet::from([state.to_owned()]),
        is_denied: false,
        is_alone: true,
        when: When::Untold,
    })
}

/// Whether a birth of these days is told: nothing follows but boy or girl and when; `a baby tooth` is none.
fn is_born(behind: &[&str], lower: &str) -> bool {
    let is_child = matches!(behind.first(), Some(&"boy" | &"girl"));
    match behind.get(usize::from(is_child)..).unwrap_or_default() {
        [] => is_whole(lower),
        ["yesterday" | "today"]
        | ["this", "morning" | "afternoon" | "evening" | "week"]
        | ["last", "night" | "week" | "weekend"] => true,
        _ => false,
    }
}

/// Whether a text has nothing behind its first clause.
fn is_whole(lower: &str) -> bool {
    let behind = lower.split_once([',', ';', '.', '(', '!']);
    behind.is_none_or(|(_, behind)| !behind.contains(char::is_alphanumeric))
}

/// `I eat meat again`, and nothing besides.
fn eaten_again(clause: &str) -> Option<Stance> {
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    words.retain(|word| {
        !matches!(
            *word,
            "now" | "actually" | "nowadays" | "these" | "days" | "lately"
        )
    });
    let [_, "eat", eaten, "again"] = words.as_slice() else {
        return None;
    };
    EATEN_AGAIN.contains(eaten).then(|| Stance {
        sense: Sense::Being,
        matter: BTreeSet::from([(*eaten).to_owned()]),
        is_denied: false,
        is_alone: true,
        when: When::Untold,
    })
}

/// Whether a line has one word behind `I am`, and at most `now` or `actually` and a date besides.
fn is_alone(lower: &str, clause: &str) -> bool {
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    words.retain(|word| !matches!(*word, "now" | "actually" | "a"));
    let behind = lower.split_once([',', ';', '.', '(', '!']);
    let behind = behind.map_or("", |(_, behind)| behind.trim());
    let is_date = behind.starts_with(|c: char| c.is_ascii_digit());
    words.len() == 3 && (is_date || !behind.contains(char::is_alphanumeric))
}

impl Stance {
    /// Whether it tells how somebody lives who lived otherwise: `married` after `single`, `vegan` after `vegetarian`.
    ///
    /// What may have happened years before the older line was said does not surely end it.
    pub(crate) fn turn(&self, other: &Self) -> Option<Turn> {
        let turn = if self.when == When::LongAgo {
            Turn::Doubtful
        } else {
            Turn::Replaces
        };
        self.is_otherwise(other).then_some(turn)
    }

    fn is_otherwise(&self, other: &Self) -> bool {
        let one_of = |own: &Self, words: &[&[&'static str]]| {
            let mut words = words.iter().copied().flatten();
            let word = words.find(|word| own.matter.contains(**word)).copied();
            word.filter(|_| own.sense == Sense::Being && !own.is_denied)
        };
        let is_excluded = EXCLUDING.iter().any(|(own, of_other)| {
            let is_it = |stance: &Self, state: &str| {
                stance.matter.len() == 1 && stance.matter.contains(state)
            };
            is_it(self, own) && is_it(other, of_other) && !self.is_denied && !other.is_denied
        });
        let trade = |stance: &Self| {
            let own = one_of(stance, &[TRADES]);
            own.filter(|_| stance.is_alone && stance.matter.len() == 1)
        };
        let is_new_trade = self.when == When::Now
            && trade(self)
                .zip(trade(other))
                .is_some_and(|(own, other)| own != other);
        if is_excluded || is_new_trade {
            return true;
        }
        // `I am engaged in a project`.
        let is_in = self.matter.contains("in");
        let is_whole = |kind: &[&[&str]]| {
            if kind.contains(&FAMILY) {
                !is_in
            } else {
                self.is_alone && other.is_of_one_diet()
            }
        };
        [&[FAMILY][..], &[DIETS, EATEN_AGAIN]].iter().any(|kind| {
            let both = one_of(self, kind).zip(one_of(other, kind));
            let both = both.filter(|_| is_whole(kind));
            both.is_some_and(|(own, other)| {
                let are_eaten = EATEN_AGAIN.contains(&own) && EATEN_AGAIN.contains(&other);
                // Who is married was engaged before.
                let is_before = own == "engaged" && other == "married";
                own != other && !are_eaten && !is_before
            })
        })
    }

    /// Whether it tells how somebody eats and at most since when: not `a vegan baker`, and not `on Mondays`.
    fn is_of_one_diet(&self) -> bool {
        self.matter.len() == 1 || self.matter.contains("since")
    }

    /// Words with which somebody tells that they eat otherwise.
    pub(crate) fn told_by(&self) -> &'static [&'static str] {
        let holds = |words: &[&str]| words.iter().any(|word| self.matter.contains(*word));
        if self.sense == Sense::Being && (holds(DIETS) || holds(EATEN_AGAIN)) {
            &["eat again", "vegetarian vegan"]
        } else {
            &[]
        }
    }

    /// Whether both speak of the same, and one denies what the other says.
    pub(crate) fn denies(&self, other: &Self) -> bool {
        self.sense == other.sense
            && self.matter == other.matter
            && self.is_denied != other.is_denied
    }
}

#[cfg(test)]
#[path = "stance_tests.rs"]
mod tests;
