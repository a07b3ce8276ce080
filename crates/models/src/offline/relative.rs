//! Tells which relative, friend or animal of the owner a question asks about, and which sentence tells it of them.
//!
//! Knows the words for them, and the names that are told for them; guesses no name.

mod table;

use base::identifier::is_month;
use base::model::Spelling;
use base::tongue;

use super::date::weekday;
use super::matter::{Matter, asked_in};
use super::question::part;
use super::sentence::sentences;
use table::{
    ANIMALS, BEFORE, BEFORE_AGE, BEHIND, MINE, NOT_OF_WORK, NUMBERS, OF_ALLERGY, OF_BIRTH, OF_HOME,
    OF_ONESELF, OF_OTHERS, PRONOUNS, RELATIVES, Relative, SPANS,
};

/// So many words may stand between `my` and the word for somebody, and between that and their name.
const BETWEEN_MAX: usize = 3;

/// Words with which somebody speaks of themselves.
const SPEAKING: &[&str] = &[
    "i", "i'm", "i've", "we", "we're", "me", "us", "ich", "wir", "mir", "mich", "uns",
];

/// The names, in lower case, that passages tell for whoever a message asks about among the owner's people and animals.
///
/// # Examples
///
/// ```
/// let passages = ["My son Jonas has a bicycle.", "I know Paul."];
/// let names = models::names_asked("How old is my son?", passages.into_iter());
/// assert_eq!(names, ["jonas"]);
/// ```
pub fn names_asked<'t>(message: &str, passages: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut names = Relatives::asked_in(message, passages).into_names();
    names.sort();
    names.dedup();
    names
}

/// A word as it is written and in lower case, without the mark of whose something is.
#[derive(Debug, Clone)]
struct Word {
    plain: String,
    has_capital: bool,
    /// Whether something of theirs follows: `Tom's`.
    owns: bool,
}

fn words(text: &str) -> Vec<Word> {
    let text = text.replace('\u{2019}', "'").replace("-in-law", " in law");
    let mut found: Vec<Word> = Vec::new();
    for raw in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-')) {
        let own = raw.trim_matches(['\'', '-']);
        if own.is_empty() {
            continue;
        }
        let lower = own.to_lowercase();
        let contracted = matches!(lower.as_str(), "it's" | "he's" | "she's" | "that's");
        let stem = lower.strip_suffix("'s").filter(|_| !contracted);
        let owns = stem.is_some() || raw.ends_with("s'");
        found.push(Word {
            plain: stem.unwrap_or(&lower).to_owned(),
            has_capital: own.starts_with(char::is_uppercase),
            owns,
        });
    }
    in_laws_joined(found)
}

/// `Mother in law` is one word.
fn in_laws_joined(words: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::new();
    for word in words {
        let ends = matches!(word.plain.as_str(), "law" | "laws");
        let is_in = joined.last().is_some_and(|last| last.plain == "in");
        if ends && is_in && joined.len() > 1 {
            joined.pop();
            if let Some(of) = joined.last_mut() {
                of.plain.push_str("-in-law");
                of.owns = word.owns;
            }
        } else {
            joined.push(word);
        }
    }
    joined
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
}

/// The relatives that a question asks about, and what it asks of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Relatives {
    asked: Vec<Asked>,
    matters: Vec<Matter>,
    /// The words with which the question names them.
    words: Vec<String>,
}

impl Relatives {
    /// Reads a message, with the passages in which names may be told.
    pub(super) fn asked_in<'t>(message: &str, passages: impl Iterator<Item = &'t str>) -> Self {
        let mut found = Self::default();
        for sentence in sentences(message) {
            if let Some(question) = part(&sentence.text).question {
                found.read(question);
            }
        }
        if found.asked.is_empty() {
            return found;
        }
        let told: Vec<Vec<Word>> = passages
            .flat_map(sentences)
            .map(|sentence| words(&sentence.text))
            .collect();
        for asked in &mut found.asked {
            let names = told.iter().flat_map(|words| asked.names_in(words, &[]));
            asked.names = names.collect();
        }
        found
    }

    fn read(&mut self, question: &str) {
        let words = words(question);
        // `What did I give my sister?` asks about whoever asks, and tells of the sister by whatever name.
        let is_of_speaker = words
            .iter()
            .any(|word| SPEAKING.contains(&word.plain.as_str()));
        let Some((first, relative)) = own_relative(&words).filter(|_| !is_of_speaker) else {
            return;
        };
        let mut asked = vec![Asked::new(relative, Whose::Mine)];
        let mut end = first;
        // `My brother's best friend`.
        while words.get(end).is_some_and(|word| word.owns)
            && let Some((next, relative)) = relative_behind(&words, end + 1)
        {
            asked.push(Asked::new(relative, Whose::Another));
            end = next;
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
        let mut is_before = false;
        let mut told = Vec::new();
        for sentence in passage {
            let words = words(sentence);
            let goes_on = words
                .first()
                .is_some_and(|word| PRONOUNS.contains(&word.plain.as_str()));
            let names = |asked: &Asked| asked.is_named(&words, stands_for);
            is_before = is_before && goes_on || self.asked.iter().all(names);
            told.push(is_before && self.tells(&words, stands_for));
        }
        told
    }

    /// Whether a sentence about them may tell what is asked of them.
    fn tells(&self, words: &[Word], stands_for: &[Spelling]) -> bool {
        let any = |is_so: &dyn Fn(&str) -> bool| words.iter().any(|word| is_so(&word.plain));
        let tells = |matter: &Matter| match matter {
            Matter::Name => self
                .asked
                .last()
                .is_some_and(|asked| !asked.names_in(words, stands_for).is_empty()),
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
    fn new(relative: &'static Relative, of: Whose) -> Self {
        Self {
            relative,
            of,
            names: Vec::new(),
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.relative.asked.contains(&word) || self.relative.besides.contains(&word)
    }

    /// Whether words name them: by what they are, or by name.
    fn is_named(&self, words: &[Word], stands_for: &[Spelling]) -> bool {
        let is_name = |word: &Word| self.names.contains(&word.plain);
        words.iter().any(is_name) || (0..words.len()).any(|at| self.is_meant(words, at, stands_for))
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

    /// The names that a sentence tells for them.
    fn names_in(&self, words: &[Word], stands_for: &[Spelling]) -> Vec<String> {
        let places = (0..words.len()).filter(|at| self.is_meant(words, *at, stands_for));
        places.flat_map(|at| names_at(words, at)).collect()
    }
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
    let word = &words.get(at)?.plain;
    let mut all = RELATIVES.iter();
    let found = all.find(|relative| relative.asked.contains(&word.as_str()))?;
    (!is_compound(words, at)).then_some((at, found))
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

/// The names that stand beside the word for somebody: `my brother Tom`, `is called Tom`, `Tom is my brother`.
fn names_at(words: &[Word], at: usize) -> Vec<String> {
    let is_name = |word: &&Word| {
        let plain = word.plain.as_str();
        let is_other =
            is_month(plain) || weekday(plain).is_some() || tongue(plain).is_some() || plain == "i";
        word.has_capital && !is_other && !MINE.contains(&plain)
    };
    let behind = words.get(at + 1..).unwrap_or_default();
    let run = |from: &[Word]| -> Vec<String> {
        let and = |word: &&Word| is_name(word) || matches!(word.plain.as_str(), "and" | "und");
        let names = from.iter().take_while(and).filter(is_name);
        names.map(|word| word.plain.clone()).collect()
    };
    let mut found = if words.get(at).is_some_and(|word| word.owns) {
        Vec::new()
    } else {
        run(behind)
    };
    let calls = |word: &Word| {
        matches!(
            word.plain.as_str(),
            "called" | "named" | "hei\u{df}t" | "heisst" | "hei\u{df}en" | "namens" | "name"
        )
    };
    if let Some(call) = behind.iter().take(BETWEEN_MAX).position(calls) {
        let after = behind.get(call + 1..).unwrap_or_default();
        let is_between = |word: &&Word| matches!(word.plain.as_str(), "is" | "was" | "ist" | "war");
        let after = after.iter().skip_while(is_between);
        found.extend(after.take(1).map(|word| word.plain.clone()));
    } else if let [is, value @ ..] = behind
        && matches!(is.plain.as_str(), "is" | "are" | "ist" | "sind")
        && value.get(1).is_none_or(|word| word.plain == "and")
    {
        found.extend(run(value));
    }
    // `Tom is my brother`.
    let before = words.get(..at).unwrap_or_default();
    let mine = before.iter().rposition(is_mine);
    if let Some(is) = mine.and_then(|mine| mine.checked_sub(1))
        && before
            .get(is)
            .is_some_and(|word| matches!(word.plain.as_str(), "is" | "are" | "ist" | "sind"))
    {
        found.extend(run(before.get(..is).unwrap_or_default()));
    }
    found
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
    let speaks = |word: &Word| SPEAKING.contains(&word.plain.as_str());
    let begins = words.first().is_some_and(is_mine);
    begins && relative_behind(&words, 1).is_some() && !words.iter().any(speaks)
}

#[cfg(test)]
#[path = "relative_tests.rs"]
mod tests;
