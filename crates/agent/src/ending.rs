//! Tells which sentence says that what another one tells has come to an end: a flight that was cancelled, a cat
//! that died, an age that one had.
//!
//! Reads two sentences; one is only shown behind the other by it, and nothing is taken out.

use std::collections::BTreeSet;

use models::Matter;

use crate::matter;

/// A sentence that says that something has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    /// What has ended, in stems; none where the sentence leaves it out.
    things: BTreeSet<String>,
    /// Whether those stems hold a name.
    is_named: bool,
    how: How,
}

/// How something ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// What was to be, or was paid, taken or done, is so no more.
    Stopped,
    /// A thing is the owner's no more.
    Gone,
    /// Somebody or an animal is dead.
    Died,
    /// Two people are together no more.
    Parted,
}

/// With which words an end is told, in lower case.
#[rustfmt::skip]
const ENDS: &[(&str, How)] = &[
    ("cancelled", How::Stopped), ("canceled", How::Stopped), ("called off", How::Stopped), ("unsubscribed", How::Stopped),
    ("stopped taking", How::Stopped), ("stopped paying for", How::Stopped), ("stopped using", How::Stopped),
    ("stopped eating", How::Stopped), ("stopped drinking", How::Stopped), ("stopped learning", How::Stopped),
    ("stopped playing", How::Stopped), ("stopped going to", How::Stopped), ("stopped", How::Stopped), ("gave up", How::Stopped),
    ("given up", How::Stopped), ("quit", How::Stopped), ("dropped out of", How::Stopped), ("no longer", How::Stopped),
    ("any more", How::Stopped), ("anymore", How::Stopped), ("nicht mehr", How::Stopped), ("kein", How::Stopped),
    ("gek\u{fc}ndigt", How::Stopped), ("abgesagt", How::Stopped), ("storniert", How::Stopped), ("aufgegeben", How::Stopped),
    ("aufgeh\u{f6}rt", How::Stopped), ("abbestellt", How::Stopped), ("abgesetzt", How::Stopped), ("left", How::Stopped),
    ("sold", How::Gone), ("gave away", How::Gone), ("got rid of", How::Gone), ("stolen", How::Gone), ("verkauft", How::Gone),
    ("gestohlen", How::Gone), ("scrapped", How::Gone), ("rehomed", How::Gone),
    ("died", How::Died), ("passed away", How::Died), ("is dead", How::Died), ("put down", How::Died), ("put to sleep", How::Died),
    ("gestorben", How::Died), ("verstorben", How::Died), ("ist tot", How::Died), ("eingeschl\u{e4}fert", How::Died),
    ("broke up", How::Parted), ("split up", How::Parted), ("got divorced", How::Parted), ("am divorced", How::Parted),
    ("i'm divorced", How::Parted), ("are divorced", How::Parted), ("separated", How::Parted), ("getrennt", How::Parted),
    ("geschieden", How::Parted),
];

/// With these, one thing has ended as a whole, at whatever time of the day that was.
#[rustfmt::skip]
const CALLED_OFF: &[&str] = &[
    "cancelled", "canceled", "called off", "unsubscribed", "gek\u{fc}ndigt", "abgesagt", "storniert", "abbestellt",
];

/// Parts of a day.
#[rustfmt::skip]
const DAY_PARTS: &[&str] = &[
    "morning", "mornings", "noon", "afternoon", "afternoons", "evening", "evenings", "night", "nights", "tonight", "morgen",
    "morgens", "mittag", "mittags", "nachmittag", "nachmittags", "abend", "abends", "nacht", "nachts",
];

/// Behind `left`, only what one belongs to has ended.
#[rustfmt::skip]
const JOINED: &[&str] = &[
    "club", "choir", "gym", "band", "orchestra", "team", "church", "party", "union", "course", "class", "association",
];

/// Words with which something is not simply so.
#[rustfmt::skip]
const UNSURE: &[&str] = &[
    "if", "unless", "when", "would", "could", "might", "may", "should", "will", "almost", "nearly", "want", "wants", "wanted",
    "plan", "planning", "hope", "thinking", "think", "dreamt", "dreamed", "maybe", "perhaps", "never", "wenn", "falls",
    "w\u{fc}rde", "vielleicht", "will", "m\u{f6}chte", "fast", "told", "says", "said",
];

/// Words that name nothing that ends.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "i", "i'm", "i've", "we", "we've", "my", "our", "the", "a", "an", "and", "it", "is", "am", "are", "was", "were", "been",
    "has", "have", "had", "be", "to", "in", "on", "at", "of", "for", "from", "with", "by", "do", "don't", "does", "doesn't",
    "not", "no", "longer", "any", "more", "just", "finally", "now", "already", "sadly", "unfortunately", "down", "up", "put",
    "last", "this", "week", "month", "year", "weeks", "months", "years", "ago", "yesterday", "today", "morning", "evening",
    "night", "afternoon", "since", "got", "so", "because", "me", "us", "as", "take", "taking", "dr", "mr", "mrs", "two",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april",
    "june", "july", "august", "september", "october", "november", "december",
    "ich", "wir", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "unseren", "der", "die", "das", "den",
    "dem", "ein", "eine", "einen", "und", "ist", "sind", "bin", "war", "wurde", "wurden", "habe", "haben", "hat", "mit", "bei",
    "nicht", "mehr", "gestern", "heute", "vorgestern", "letzte", "letzten", "woche", "monat", "jahr", "leider", "jetzt", "von",
    "im", "am", "zu", "mich", "uns", "keine", "keinen", "seit",
];

impl Ending {
    /// Reads a sentence of the owner; `None` where it ends nothing.
    pub(crate) fn of(sentence: &str) -> Option<Self> {
        if sentence.trim_end().ends_with(['?', '\u{ff1f}']) {
            return None;
        }
        let words = words(sentence);
        let line = line(&words);
        let holds = |phrase: &str| line.contains(&format!(" {phrase} "));
        if UNSURE.iter().any(|word| holds(word)) {
            return None;
        }
        let put = words.iter().position(|(word, _)| word == "put");
        let is_put_down = put.is_some_and(|at| {
            words
                .iter()
                .skip(at)
                .take(3)
                .any(|(word, _)| word == "down")
        });
        let told = ENDS.iter().find(|(phrase, _)| holds(phrase));
        let (phrase, how) = match told {
            Some((phrase, how)) => (*phrase, *how),
            None if is_put_down => ("", How::Died),
            None => return None,
        };
        let ended: Vec<&str> = phrase.split(' ').collect();
        let names = |word: &str| !EMPTY.contains(&word) && !ended.contains(&word);
        // What is taken at one time of the day no more may be taken at another.
        let is_habit = how == How::Stopped && !CALLED_OFF.contains(&phrase);
        if is_habit && DAY_PARTS.iter().any(|part| holds(part)) {
            return None;
        }
        let told = words.iter().filter(|(word, _)| names(word));
        let things: BTreeSet<String> = told.clone().map(|(word, _)| stem(word)).collect();
        let is_joined = things.iter().any(|thing| JOINED.contains(&thing.as_str()));
        // One stops at a shop and leaves an umbrella there, too.
        let is_bare =
            phrase == "left" && !is_joined || phrase == "stopped" && !holds("was stopped");
        let is_named = told.skip_while(|(word, _)| {
            words
                .first()
                .is_some_and(|(first, _)| first == word && how != How::Died && how != How::Parted)
        });
        let is_named = is_named.clone().any(|(_, is_name)| *is_name);
        (!is_bare && (!things.is_empty() || how == How::Parted)).then_some(Self {
            things,
            is_named,
            how,
        })
    }

    /// Whether it says that what another sentence of the owner tells is so no more.
    pub(crate) fn ends(&self, older: &str) -> bool {
        if Self::of(older).is_some() {
            return false;
        }
        // Who avoids what they are allergic to is allergic still.
        let is_harmful = [Matter::Allergy, Matter::Illness]
            .iter()
            .any(|matter| matter::telling(*matter, older).is_some());
        if is_harmful && !self.things.iter().any(|thing| thing.starts_with("allerg")) {
            return false;
        }
        let words = words(older);
        let held: BTreeSet<String> = words.iter().map(|(word, _)| stem(word)).collect();
        let is_held = self.things.is_subset(&held) && !self.things.is_empty();
        let first = words.first().map(|(word, _)| word.as_str());
        let is_own = line(&words).split(' ').any(|word| {
            matches!(
                word,
                "i" | "i'm"
                    | "i've"
                    | "we"
                    | "my"
                    | "our"
                    | "ich"
                    | "wir"
                    | "mein"
                    | "meine"
                    | "unser"
                    | "unsere"
            )
        });
        match self.how {
            How::Stopped => is_held && is_own && first != Some("the"),
            How::Gone => is_own && (is_held || self.is_of_the_only(older)),
            How::Died => {
                let is_animal = self
                    .things
                    .iter()
                    .any(|thing| matter::is_told_of(Matter::Pet, thing));
                is_held && is_own && (self.is_named || is_animal)
            }
            How::Parted => {
                let is_partner = matter::telling(Matter::Partner, older).is_some();
                is_partner && (self.things.is_empty() || is_held || self.is_partner())
            }
        }
    }

    /// Whether it speaks of the car or the telephone, and the other sentence tells which that is.
    fn is_of_the_only(&self, older: &str) -> bool {
        let is = |noun: &str| self.things.len() == 1 && self.things.contains(noun);
        let matter = if is("car") || is("auto") {
            Matter::Car
        } else if is("phon") || is("handy") {
            Matter::Phone
        } else {
            return false;
        };
        matter::telling(matter, older).is_some()
    }

    fn is_partner(&self) -> bool {
        let mut things = self.things.iter();
        things.all(|thing| matter::is_told_of(Matter::Partner, thing))
    }
}

/// Words to search for, so that the end of what a sentence tells is found: the names in it.
pub(crate) fn names_in(sentence: &str) -> Vec<String> {
    let words = words(sentence);
    let names = words
        .iter()
        .skip(1)
        .filter(|(word, is_name)| *is_name && !EMPTY.contains(&word.as_str()));
    names.map(|(word, _)| word.clone()).collect()
}

/// The words in lower case, each with whether it is written like a name.
fn words(sentence: &str) -> Vec<(String, bool)> {
    let words = sentence.split_whitespace().map(|raw| {
        let own = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = own.to_lowercase().replace('\u{2019}', "'");
        let stem = lower.strip_suffix("'s").unwrap_or(&lower).to_owned();
        (stem, own.starts_with(char::is_uppercase) && lower != "i")
    });
    words.filter(|(word, _)| !word.is_empty()).collect()
}

fn line(words: &[(String, bool)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
    format!(" {} ", words.join(" "))
}

/// A word without the endings of the plural and of verbs.
fn stem(word: &str) -> String {
    let endings = ["ing", "es", "s", "e"];
    let stem = endings.iter().find_map(|ending| {
        let rest = word.strip_suffix(ending)?;
        (rest.chars().count() >= 3).then_some(rest)
    });
    stem.unwrap_or(word).to_owned()
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
