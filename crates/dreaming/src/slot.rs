//! Reads what a line says of a thing of which a person has one: a home, a job, a name, a birthday.
//!
//! A small grammar of English; judges no age and no trust.

use std::collections::BTreeSet;

/// Whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The owner's.
    Owner,
    /// Somebody's who belongs to the owner, by what they are and by their name, where it is told.
    Kin(String, Option<String>),
}

/// What it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// Where somebody lives.
    Home,
    /// For whom somebody works.
    Work,
    /// What somebody does for a living.
    Trade,
    /// How somebody is called.
    Name,
    /// Something else, by its noun.
    Named(String),
}

/// Whether it still is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// It is so.
    Now,
    /// It is so no more.
    Ended,
}

/// One value of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) what: What,
    pub(crate) holds: Holds,
    /// The words of the value; none where only an end is told.
    pub(crate) value: BTreeSet<String>,
}

/// How two values of the same thing stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The newer one takes the place of the older.
    Replaces,
    /// Only one can be right, and nothing says which.
    Doubtful,
}

/// People and animals of whom a person may have several.
#[rustfmt::skip]
const KIN: &[&str] = &[
    "wife", "husband", "partner", "spouse", "girlfriend", "boyfriend", "fiance", "fiancee", "mother", "mom", "mum",
    "father", "dad", "son", "daughter", "child", "kid", "baby", "brother", "sister", "grandmother", "grandma",
    "grandfather", "grandpa", "grandson", "granddaughter", "aunt", "uncle", "cousin", "niece", "nephew", "friend",
    "flatmate", "roommate", "neighbour", "neighbor", "boss", "manager", "mentor", "colleague", "coworker",
    "teacher", "professor", "tutor", "coach", "doctor", "dentist", "therapist", "vet", "lawyer", "accountant",
    "landlord", "landlady", "client", "dog", "cat", "puppy", "kitten", "rabbit", "horse", "parrot", "hamster", "pet",
];

/// Words before them.
const BEFORE_KIN: &[&str] = &[
    "best", "older", "elder", "younger", "little", "big", "twin", "new", "old", "late", "ex",
];

/// Words that begin what is said of somebody; before them stands a name.
#[rustfmt::skip]
const SAID: &[&str] = &[
    "is", "was", "has", "lives", "live", "works", "work", "moved", "quit", "left", "started", "joined", "goes",
    "studies", "teaches", "no", "now", "just", "recently", "also", "still", "doesnt", "will", "and", "retired",
    "resigned", "name", "called", "named",
];

/// Things of which one has one value.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "name", "birthday", "address", "number", "email", "age", "height", "weight", "size", "deadline", "budget",
    "timezone", "zone", "job", "employer", "company", "school", "university", "hometown", "nationality", "language",
    "tongue", "pronouns", "car", "bank", "gym", "insurance", "phone", "anniversary", "type", "salary", "rent",
];

/// What says where somebody lives, and what says for whom somebody works.
#[rustfmt::skip]
const LIVES: &[&str] = &[
    "live in", "lives in", "living in", "live at", "lives at", "live near", "moved to", "moved back to",
    "moved into", "relocated to", "moved from", "moved away from", "lived in", "moving to",
];
#[rustfmt::skip]
const WORKS: &[&str] = &[
    "work at", "works at", "working at", "work for", "works for", "working for", "worked at", "worked for",
    "started at", "joined", "employed at", "employed by", "new job at", "a job at", "started working at",
    "started working for", "resigned from", "left my job at", "quit my job at", "quit his job at",
    "quit her job at", "my job at", "retired from", "fired from", "off at", "off by",
];
#[rustfmt::skip]
const TRADES: &[&str] = &["work as", "works as", "working as", "worked as"];

/// What ends a job without naming it.
#[rustfmt::skip]
const JOB_ENDED: &[&str] = &[
    "quit my job", "left my job", "lost my job", "resigned", "am retired", "im retired", "retired", "quit his job",
    "quit her job", "got fired", "unemployed",
];

/// What shows that something is so no more.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    " no longer ", " dont ", " doesnt ", " not ", " quit ", " left ", " resigned ", " retired ", " used to ",
    " moved away from ", " moved from ", " lived in ", " worked at ", " worked for ", " worked as ", " fired ",
    " laid off ", " lost my job ", " anymore ", " unemployed ", " any more ",
];

/// Words at which a value ends.
#[rustfmt::skip]
const VALUE_ENDS: &[&str] = &[
    "with", "since", "last", "next", "and", "but", "because", "for", "at", "as", "now", "until", "when", "where",
    "this", "in", "from", "to", "any", "anymore", "yesterday", "today", "tomorrow", "two", "three", "so", "which",
    "who", "on", "near", "by", "after", "before", "instead", "again", "too", "also", "while", "my", "our", "these",
];

/// Words before a value that say nothing.
const BEFORE_VALUE: &[&str] = &[
    "a", "an", "the", "called", "named", "now", "on", "in", "at", "to", "not",
];

/// Words that show that one more is meant.
const MORE: &[&str] = &[
    " also ",
    " too ",
    " second ",
    " another ",
    " other ",
    " as well ",
    " both ",
];

/// Whose line it is; nothing where it does not begin with somebody.
pub(crate) fn whose(plain: &str) -> Option<Whose> {
    subject(plain).map(|(whose, _)| whose)
}

/// What a text says of a thing of which a person has one; the plain words, and the text as it is written.
pub(crate) fn slot(plain: &str, written: &str) -> Option<Slot> {
    let (whose, rest) = subject(plain)?;
    let said = format!(" {} ", rest.join(" "));
    let holds = if ENDS.iter().any(|end| said.contains(end)) {
        Holds::Ended
    } else {
        Holds::Now
    };
    let of = |what: What, value: &str| Slot {
        what,
        holds,
        value: value_words(value),
    };
    let behind = |phrases: &[&str]| {
        let found = phrases.iter().filter_map(|phrase| {
            let (_, value) = said.split_once(&format!(" {phrase} "))?;
            Some(value.to_owned())
        });
        // The last of the phrases stands nearest to the value.
        found.min_by_key(String::len)
    };
    if let Some(value) = behind(LIVES) {
        return Some(of(What::Home, &value));
    }
    if let Some(value) = behind(WORKS) {
        return Some(of(What::Work, &value));
    }
    if JOB_ENDED
        .iter()
        .any(|phrase| said.contains(&format!(" {phrase} ")))
    {
        return Some(of(What::Work, ""));
    }
    if let Some(value) = behind(TRADES) {
        return Some(of(What::Trade, &value));
    }
    match whose {
        Whose::Kin(..) => called(&said, written).map(|value| of(What::Name, &value)),
        Whose::Owner => named(&rest).map(|(noun, value)| of(What::Named(noun), &value)),
    }
}

/// How a newer value stands to an older one of the same thing; nothing where they agree, or may both be.
pub(crate) fn turn((new, old): (&Slot, &Slot), new_plain: &str) -> Option<Turn> {
    let is_one_more = MORE.iter().any(|word| new_plain.contains(word));
    if new.what != old.what || is_one_more {
        return None;
    }
    let agrees = new.value.is_empty() || old.value.is_empty() || !new.value.is_disjoint(&old.value);
    match (new.holds, old.holds) {
        (Holds::Now, Holds::Now) if agrees => None,
        (Holds::Now, Holds::Now) if new.what == What::Name => Some(Turn::Doubtful),
        (Holds::Now, _) => Some(Turn::Replaces),
        (Holds::Ended, Holds::Now) => agrees.then_some(Turn::Replaces),
        (Holds::Ended, Holds::Ended) => None,
    }
}

/// Whether two lines may be about the same person.
pub(crate) fn may_be_same(left: &Whose, right: &Whose) -> bool {
    match (left, right) {
        (Whose::Owner, Whose::Owner) => true,
        (Whose::Kin(left, left_name), Whose::Kin(right, right_name)) => {
            let names = left_name.as_ref().zip(right_name.as_ref());
            left == right && names.is_none_or(|(left, right)| left == right)
        }
        (Whose::Owner, Whose::Kin(..)) | (Whose::Kin(..), Whose::Owner) => false,
    }
}

/// A subject stands among so many first words.
const SUBJECT_WORDS: usize = 6;

/// Whose a line is, and what is said.
fn subject(plain: &str) -> Option<(Whose, Vec<&str>)> {
    let words: Vec<&str> = plain.split_whitespace().collect();
    let at = words.iter().take(SUBJECT_WORDS).position(|word| {
        matches!(
            *word,
            "i" | "im"
                | "ive"
                | "we"
                | "weve"
                | "my"
                | "our"
                | "user"
                | "owner"
                | "users"
                | "owners"
        )
    })?;
    let is_had = matches!(words.get(at), Some(&("my" | "our" | "users" | "owners")));
    let rest = words.get(at + 1..).unwrap_or_default();
    if !is_had {
        return Some((Whose::Owner, rest.to_vec()));
    }
    let n_before = rest
        .iter()
        .take_while(|word| BEFORE_KIN.contains(word))
        .count();
    let noun = rest.get(n_before)?;
    let (noun, is_possessive) = match noun.strip_suffix('s') {
        Some(singular) if KIN.contains(&singular) => (singular, true),
        _ => (*noun, false),
    };
    if !KIN.contains(&noun) {
        return Some((Whose::Owner, rest.to_vec()));
    }
    let after = rest.get(n_before + 1..).unwrap_or_default();
    let n_name = after.iter().take_while(|word| !SAID.contains(word)).count();
    let is_name = (1..=2).contains(&n_name) && n_name < after.len() && !is_possessive;
    let name = is_name.then(|| {
        after
            .iter()
            .take(n_name)
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    });
    let said = after
        .get(if is_name { n_name } else { 0 }..)
        .unwrap_or_default();
    Some((Whose::Kin(noun.to_owned(), name), said.to_vec()))
}

/// How somebody is called, after `is called`, `name is`, or `is` before a name.
fn called(said: &str, written: &str) -> Option<String> {
    for phrase in [
        " is called ",
        " is now called ",
        " is named ",
        " name is ",
        " is now named ",
    ] {
        if let Some((_, name)) = said.split_once(phrase) {
            return Some(name.to_owned());
        }
    }
    let name = said.strip_prefix(" is ")?;
    let first = name.split_whitespace().next()?;
    let is_written_so = written
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word.starts_with(char::is_uppercase) && word.to_lowercase() == first);
    is_written_so.then(|| name.to_owned())
}

/// A thing by its noun, and its value: `favourite colour is green`.
fn named(rest: &[&str]) -> Option<(String, String)> {
    let is = rest
        .iter()
        .take(5)
        .position(|word| matches!(*word, "is" | "are" | "changed"))?;
    let noun = rest.get(..is)?;
    let last = noun.last()?;
    let is_choice = matches!(
        noun.first(),
        Some(&("favourite" | "favorite" | "preferred"))
    );
    let is_known = is_choice && noun.len() > 1 || NOUNS.contains(last);
    let value = rest.get(is + 1..)?.join(" ");
    is_known.then(|| (noun.join(" "), value))
}

fn value_words(value: &str) -> BTreeSet<String> {
    let words = value
        .split_whitespace()
        .skip_while(|word| BEFORE_VALUE.contains(word));
    let words = words.take_while(|word| !VALUE_ENDS.contains(word)).take(4);
    words
        .filter(|word| !BEFORE_VALUE.contains(word))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[path = "slot_tests.rs"]
mod tests;
