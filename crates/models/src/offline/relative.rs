//! Tells which relative, friend or animal of the owner a question asks about, and which sentence tells it of them.
//!
//! Knows the words for them, and the names that are told for them; guesses no name.

mod name;
mod table;
mod word;

use base::identifier::is_month;
use base::model::Spelling;

use super::matter::{Matter, asked_in};
use super::question::part;
use super::sentence::sentences;
use name::{HowMany, begins_with_name, is_name, names_at, names_first};
use table::{
    ANIMALS, BEFORE, BEFORE_AGE, BEHIND, HAVING, MINE, NOT_OF_WORK, NUMBERS, OF_ALLERGY, OF_BIRTH,
    OF_HOME, OF_ONESELF, OF_OTHERS, PRONOUNS, RELATIVES, Relative, SPANS, SPEAKING,
};
use word::{Word, words};

/// So many words may stand between `my` and the word for somebody, and between that and their name.
const BETWEEN_MAX: usize = 3;

/// A passage in which names may be told, with which of its words stand for which of the question.
pub(super) type Told<'t> = (&'t str, &'t [Spelling]);

/// The names, in lower case, that passages tell for whoever a message asks about among the owner's people and animals,
/// each passage with which of its words stand for which of the message.
///
/// # Examples
///
/// ```
/// let passages = ["My son Jonas has a bicycle.", "I know Paul."];
/// let passages = passages.into_iter().map(|text| (text, [].as_slice()));
/// assert_eq!(models::names_asked("How old is my son?", passages), ["jonas"]);
/// ```
pub fn names_asked<'t>(
    message: &str,
    passages: impl Iterator<Item = (&'t str, &'t [Spelling])>,
) -> Vec<String> {
    let mut names = Relatives::asked_in(message, passages).into_names();
    names.sort();
    names.dedup();
    names
}

/// Whose relative somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Of whoever asks.
    Mine,
    /// Of another relative: the wife of `my brother's wife`.
    Another,
}

/// A relative that a question asks about.
#[derive(Debug, Clone)]
struct Asked {
    relative: &'static Relative,
    of: Whose,
    /// The names that are told for them, in lower case.
    names: Vec<String>,
    /// Whether the question says their name: somebody else of the same word is not meant.
    is_by_name: bool,
}

/// The relatives that a question asks about, and what it asks of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Relatives {
    asked: Vec<Asked>,
    /// The names that are told for others of the owner's people and animals.
    others: Vec<String>,
    matters: Vec<Matter>,
    /// The words with which the question names them.
    words: Vec<String>,
}

impl Relatives {
    /// Reads a message, with the passages in which names may be told.
    pub(super) fn asked_in<'t>(message: &str, passages: impl Iterator<Item = Told<'t>>) -> Self {
        let mut found = Self::default();
        for sentence in sentences(message) {
            if let Some(question) = part(&sentence.text).question {
                found.read(question);
            }
        }
        if found.asked.is_empty() {
            return found;
        }
        for (passage, stands_for) in passages {
            for sentence in sentences(passage) {
                found.learn(&words(&sentence.text), stands_for);
            }
        }
        found
    }

    /// Keeps the names that a sentence tells.
    fn learn(&mut self, words: &[Word], stands_for: &[Spelling]) {
        let mut own: Vec<usize> = Vec::new();
        for asked in &mut self.asked {
            let places = asked.places(words, stands_for);
            let names = places.iter().flat_map(|at| asked.names_at(words, *at));
            let names: Vec<String> = names.collect();
            if !asked.is_by_name {
                asked.names.extend(names);
            } else if !names.iter().any(|name| asked.names.contains(name)) {
                self.others.extend(names);
            }
            own.extend(places);
        }
        let others = others_in(words).filter(|(at, _)| !own.contains(at));
        let names = others.flat_map(|(at, other)| names_at(words, at, other));
        self.others.extend(names);
    }

    fn read(&mut self, question: &str) {
        let words = words(question);
        // `What did I give my sister?` asks about whoever asks, and tells of the sister by whatever name.
        let Some((first, relative)) = own_relative(&words).filter(|_| !speaks(&words)) else {
            return;
        };
        let (mut end, own) = named_behind(&words, first, relative, Whose::Mine);
        let mut asked = vec![own];
        // `My brother's best friend`, `my sister Anna's son`.
        while words.get(end).is_some_and(|word| word.owns)
            && let Some((next, relative)) = relative_behind(&words, end + 1)
        {
            let (last, another) = named_behind(&words, next, relative, Whose::Another);
            asked.push(another);
            end = last;
        }
        let mine = words.iter().take(first).rposition(is_mine).unwrap_or(0);
        let rest = words
            .iter()
            .take(mine + 1)
            .chain(words.iter().skip(end + 1));
        let of_oneself: Vec<&str> = rest
            .map(|word| {
                let mut forms = OF_ONESELF.iter();
                let own = forms.find(|(other, _)| *other == word.plain);
                own.map_or(word.plain.as_str(), |(_, own)| own)
            })
            .collect();
        let matters = asked_in(&of_oneself.join(" "));
        let owns = words.get(end).is_some_and(|word| word.owns);
        if !(relative.is_animal() && owns && matters.is_empty()) {
            let named = words.get(first..=end).unwrap_or_default().iter();
            self.words.extend(named.map(|word| word.plain.clone()));
            self.asked.extend(asked);
            self.matters.extend(matters);
        }
    }

    /// Whether nobody is asked about.
    pub(super) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Whether something is asked of them that is told in many words, such as their age.
    pub(super) fn has_matter(&self) -> bool {
        !self.matters.is_empty()
    }

    /// The words with which the question names them, in lower case.
    pub(super) fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// The names that are told for them, in lower case.
    fn into_names(self) -> Vec<String> {
        self.asked
            .into_iter()
            .flat_map(|asked| asked.names)
            .collect()
    }

    /// Of the sentences of a passage those that tell it of whoever is asked about. `stands_for` says which words of
    /// the passage stand for which of the question.
    pub(super) fn told_in(&self, passage: &[&str], stands_for: &[Spelling]) -> Vec<bool> {
        let named = self.named_in(passage, stands_for).into_iter();
        let named = named.zip(passage);
        let told = named.map(|(is_named, it)| is_named && self.tells(&words(it), stands_for));
        told.collect()
    }

    /// Of the sentences of a passage those that name whoever is asked about, and nobody else besides: neither whoever
    /// says it nor others of their people and animals.
    pub(super) fn alone_in(&self, passage: &[&str], stands_for: &[Spelling]) -> Vec<bool> {
        let is_alone = |sentence: &&str| {
            let words = words(sentence);
            let is_meant = |at: usize| {
                let mut asked = self.asked.iter();
                asked.any(|asked| asked.places(&words, stands_for).contains(&at))
            };
            !speaks(&words)
                && !words.iter().any(|word| self.is_of_another(word))
                && others_in(&words).all(|(at, _)| is_meant(at))
        };
        let named = self.named_in(passage, stands_for).into_iter();
        let named = named.zip(passage);
        named
            .map(|(is_named, it)| is_named && is_alone(it))
            .collect()
    }

    /// Of the sentences of a passage those that name whoever is asked about, or go on about them.
    fn named_in(&self, passage: &[&str], stands_for: &[Spelling]) -> Vec<bool> {
        let mut is_before = false;
        // `I have two sons. Max is four.`
        let mut is_introduced = false;
        let mut named = Vec::new();
        for sentence in passage {
            let words = words(sentence);
            let goes_on = words
                .first()
                .is_some_and(|word| PRONOUNS.contains(&word.plain.as_str()));
            let goes_on_by_name = is_introduced
                && begins_with_name(&words)
                && !words.iter().any(|word| self.is_of_another(word));
            let is_named = self.asked.iter().all(|it| it.is_named(&words, stands_for));
            is_introduced = goes_on_by_name || is_named && self.introduces(&words, stands_for);
            is_before = is_before && goes_on || goes_on_by_name || is_named;
            named.push(is_before);
        }
        named
    }

    /// Whether a sentence says of nobody but them that somebody has them, and tells no name: the next may tell it.
    fn introduces(&self, words: &[Word], stands_for: &[Spelling]) -> bool {
        let [asked] = self.asked.as_slice() else {
            return false;
        };
        let places = asked.places(words, stands_for);
        let others = others_in(words).all(|(at, _)| places.contains(&at));
        let [at] = places.as_slice() else {
            return false;
        };
        let before = words.get(..*at).unwrap_or_default().iter().rev();
        let before = before.take(BETWEEN_MAX).take_while(|word| !is_mine(word));
        let mut before = before.map(|word| word.plain.as_str());
        let has_no_name = !asked.is_by_name && asked.names_at(words, *at).is_empty();
        others && has_no_name && before.any(|word| HAVING.contains(&word))
    }

    /// Whether a word is the name of somebody else.
    fn is_of_another(&self, word: &Word) -> bool {
        let is_own = |asked: &Asked| asked.names.contains(&word.plain);
        word.has_capital && self.others.contains(&word.plain) && !self.asked.iter().any(is_own)
    }

    /// Whether a sentence about them may tell what is asked of them.
    fn tells(&self, words: &[Word], stands_for: &[Spelling]) -> bool {
        let any = |is_so: &dyn Fn(&str) -> bool| words.iter().any(|word| is_so(&word.plain));
        let tells = |matter: &Matter| match matter {
            Matter::Name => self
                .asked
                .last()
                .is_some_and(|asked| asked.is_called_in(words, stands_for)),
            Matter::Birth => any(&|word| OF_BIRTH.contains(&word)) || is_age_or_date(words),
            Matter::Home => any(&|word| OF_HOME.contains(&word)) || is_at_a_place(words),
            Matter::Allergy => any(&|word| OF_ALLERGY.iter().any(|start| word.starts_with(start))),
            Matter::Work => !any(&|word| NOT_OF_WORK.contains(&word)),
            Matter::Origin
            | Matter::Pet
            | Matter::Medicine
            | Matter::Illness
            | Matter::Partner
            | Matter::Child
            | Matter::Sibling
            | Matter::Diet
            | Matter::Car
            | Matter::Phone
            | Matter::PhoneNumber
            | Matter::Boss
            | Matter::Doctor
            | Matter::Landlord
            | Matter::Hobby
            | Matter::Instrument
            | Matter::Language
            | Matter::Wish => true,
        };
        self.matters.is_empty() || self.matters.iter().any(tells)
    }
}

impl Relative {
    fn is_animal(&self) -> bool {
        self.asked
            .first()
            .is_some_and(|word| ANIMALS.contains(word))
    }
}

impl Asked {
    fn is_word(&self, word: &str) -> bool {
        self.relative.asked.contains(&word) || self.relative.besides.contains(&word)
    }

    /// Whether words name them: by name, or by what they are where that is said of nobody of another name.
    fn is_named(&self, words: &[Word], stands_for: &[Spelling]) -> bool {
        let is_name = |word: &Word| self.names.contains(&word.plain);
        let is_another = |at: usize| self.is_by_name && !self.names_at(words, at).is_empty();
        let mut places = self.places(words, stands_for).into_iter();
        words.iter().any(is_name) || places.any(|at| !is_another(at))
    }

    /// Whether a word stands for theirs: a greyhound is a dog.
    fn is_instead(&self, word: &str, stands_for: &[Spelling]) -> bool {
        let mut pairs = stands_for.iter();
        self.relative.is_animal()
            && pairs.any(|it| it.meant == word && self.relative.asked.contains(&it.asked.as_str()))
    }

    /// Whether the word at a place means them, and not somebody of another or something for them.
    fn is_meant(&self, words: &[Word], at: usize, stands_for: &[Spelling]) -> bool {
        let is_word = words.get(at).is_some_and(|word| {
            self.is_word(&word.plain) || self.is_instead(&word.plain, stands_for)
        });
        is_word
            && !is_compound(words, at)
            && (self.of == Whose::Another || !is_of_others(words, at))
    }

    /// Whether words tell their name.
    fn is_called_in(&self, words: &[Word], stands_for: &[Spelling]) -> bool {
        let mut places = self.places(words, stands_for).into_iter();
        places.any(|at| !self.names_at(words, at).is_empty())
    }

    /// Where words name them by what they are.
    fn places(&self, words: &[Word], stands_for: &[Spelling]) -> Vec<usize> {
        let places = 0..words.len();
        let is_meant = |at: &usize| self.is_meant(words, *at, stands_for);
        places.filter(is_meant).collect()
    }

    /// The names that are told for them at one of these places.
    fn names_at(&self, words: &[Word], at: usize) -> Vec<String> {
        names_at(words, at, self.relative)
    }
}

/// Who is asked about at a place of a question, and where the words end that name them: `my brother`, `my brother Tom`.
fn named_behind(
    words: &[Word],
    at: usize,
    relative: &'static Relative,
    of: Whose,
) -> (usize, Asked) {
    let word = words.get(at);
    let behind = match word {
        Some(word) if !word.owns => words.get(at + 1..).unwrap_or_default(),
        Some(_) | None => &[],
    };
    let how_many = word.map_or(HowMany::One, |word| HowMany::of(&word.plain));
    let names = names_first(behind, how_many);
    let own = names.iter().filter(|word| is_name(word));
    let asked = Asked {
        relative,
        of,
        names: own.map(|word| word.plain.clone()).collect(),
        is_by_name: !names.is_empty(),
    };
    (at + names.len(), asked)
}

/// Where a sentence names people and animals of whoever says it, by what they are.
fn others_in(words: &[Word]) -> impl Iterator<Item = (usize, &'static Relative)> {
    (0..words.len()).filter_map(|at| {
        let word = words.get(at)?;
        let is_told = !is_compound(words, at) && !is_of_others(words, at);
        let relative = relative_of(&word.plain).filter(|_| is_told)?;
        Some((at, relative))
    })
}

/// Whether whoever says something speaks of themselves in it.
fn speaks(words: &[Word]) -> bool {
    let mut words = words.iter();
    words.any(|word| SPEAKING.contains(&word.plain.as_str()))
}

fn is_mine(word: &Word) -> bool {
    MINE.contains(&word.plain.as_str())
}

/// Where a question names somebody of whoever asks.
fn own_relative(words: &[Word]) -> Option<(usize, &'static Relative)> {
    let mut mine = (0..words.len()).filter(|at| words.get(*at).is_some_and(is_mine));
    mine.find_map(|at| relative_behind(words, at + 1))
}

/// The relative whose word stands at a place, or a few words behind it that may stand before.
fn relative_behind(words: &[Word], from: usize) -> Option<(usize, &'static Relative)> {
    let n_before = words.get(from..)?.iter().take(BETWEEN_MAX);
    let n_before = n_before.take_while(|word| BEFORE.contains(&word.plain.as_str()));
    let at = from + n_before.count();
    let found = relative_of(&words.get(at)?.plain)?;
    (!is_compound(words, at)).then_some((at, found))
}

/// Whom a word is for.
fn relative_of(word: &str) -> Option<&'static Relative> {
    let mut all = RELATIVES.iter();
    all.find(|relative| relative.asked.contains(&word))
}

/// `Dog walker`, but `dog Walker`.
fn is_compound(words: &[Word], at: usize) -> bool {
    let owns = words.get(at).is_some_and(|word| word.owns);
    let behind = words.get(at + 1);
    !owns && behind.is_some_and(|it| is_for_another(&it.plain) && !it.has_capital)
}

/// Whether a lower-case noun behind the word for a person or an animal makes somebody or something else of it.
///
/// # Examples
///
/// ```
/// assert!(models::is_for_another("walker"));
/// assert!(!models::is_for_another("sleeps"));
/// ```
pub fn is_for_another(word: &str) -> bool {
    BEHIND.contains(&word)
}

/// Whether somebody else stands before, to whom they belong.
fn is_of_others(words: &[Word], at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default().iter().rev();
    let mut before = before.skip_while(|word| BEFORE.contains(&word.plain.as_str()));
    let owner = before.next();
    owner.is_some_and(|word| word.owns || OF_OTHERS.contains(&word.plain.as_str()))
}

/// `Is nine`, `turned 40`, `4 years`, `3 May`; not `has two cats`, nor the year in which something happened.
fn is_age_or_date(words: &[Word]) -> bool {
    words.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        let (first, second) = (first.plain.as_str(), second.plain.as_str());
        let is_being = BEFORE_AGE.contains(&first) && is_number(second);
        let is_span = is_number(first) && (SPANS.contains(&second) || is_month(second));
        is_being || is_span || is_month(first) && is_number(second)
    })
}

/// A number of an age or of a day, in letters or up to three digits.
fn is_number(word: &str) -> bool {
    let n_digits = word.chars().take_while(char::is_ascii_digit).count();
    NUMBERS.contains(&word) || (1..=3).contains(&n_digits) && !word.contains('-')
}

/// `In Dundee`, `near the lake`.
fn is_at_a_place(words: &[Word]) -> bool {
    words.windows(2).any(|pair| {
        matches!(pair, [at, place] if matches!(at.plain.as_str(), "in" | "at" | "near" | "from" | "to" | "bei" | "aus" | "nach")
            && place.has_capital)
    })
}

/// Whether a sentence tells something of somebody of whoever says it, and nothing of themselves.
pub(super) fn is_of_relative(sentence: &str) -> bool {
    let words = words(sentence);
    let begins = words.first().is_some_and(is_mine);
    begins && relative_behind(&words, 1).is_some() && !speaks(&words)
}

#[cfg(test)]
#[path = "relative_tests.rs"]
mod tests;
