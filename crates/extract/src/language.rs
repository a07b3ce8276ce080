//! The languages: cues, stop words and phrases, one data file each.
//!
//! The only matcher of language-specific words; makes no decisions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use base::model::ListingKind;
use base::stem::Algorithm;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use strum::VariantArray;

pub(crate) use crate::language_file::{Cue, Phrases};
use crate::language_file::{FILES, SearchCues};
pub(crate) use crate::likely_language::{language_of, likely_by_stop_words, reply_language};
use crate::reminder_words::ReminderWords;

/// One language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of a language file, and they exclude nothing of one another"
)]
pub(crate) struct Language {
    /// Its code, such as `en`.
    pub(crate) code: String,
    /// Whether its words are separated by spaces.
    pub(crate) spaced: bool,
    /// Whether an apostrophe separates two words.
    #[serde(default)]
    pub(crate) elides: bool,
    /// Whether all nouns are capitalised, so that a capital marks no name.
    #[serde(default)]
    pub(crate) capital_nouns: bool,
    /// Its stemming algorithm.
    #[serde(default, deserialize_with = "named_algorithm")]
    pub(crate) stemmer: Option<Algorithm>,
    stop: BTreeSet<String>,
    /// Words that join a request to remember to a complete statement.
    pub(crate) joins: Vec<String>,
    /// Words that join such a request to a clause that is no statement by itself.
    #[serde(default)]
    pub(crate) remember_clauses: Vec<String>,
    /// Words between a request to forget and what it names: `everything about`.
    #[serde(default)]
    pub(crate) forget_joints: Vec<String>,
    /// Whether these words also point at something, as in `remember that trip`.
    #[serde(default)]
    pub(crate) joint_points: bool,
    /// Labels that people put before a colon in their own words.
    labels: BTreeSet<String>,
    /// What stands before a person's name on a page about them, in plain form.
    name_labels: BTreeSet<String>,
    /// Openings of a request to be reminded, in lower case; some have a gap, ` ... `. One with `^` opens the message itself,
    /// and not what follows a time.
    #[serde(default)]
    pub(crate) remind: Vec<String>,
    /// Words between such a request and what it is about, in lower case.
    #[serde(default)]
    pub(crate) remind_joins: Vec<String>,
    /// Requests to be reminded of what was just said, in lower case.
    #[serde(default)]
    pub(crate) remind_ends: Vec<String>,
    /// What such a statement opens with: `i have to`.
    #[serde(default)]
    pub(crate) remind_duties: Vec<String>,
    /// Words between two reminders of one request, in lower case.
    #[serde(default)]
    pub(crate) remind_and: Vec<String>,
    /// Clauses that name the subject of a reminder, with `...` in its place, in lower case.
    #[serde(default)]
    pub(crate) remind_subjects: Vec<String>,
    /// Polite words around a request, in lower case.
    #[serde(default)]
    pub(crate) remind_polite: Vec<String>,
    /// Messages that take back a reminder that was just confirmed, in lower case.
    pub(crate) remind_refusals: Vec<String>,
    /// The cues for search.
    pub(crate) search: SearchCues,
    /// Openings of a request to correct something, or of the statement that something is wrong. They are not a cue,
    /// because the classifier was trained without them.
    #[serde(borrow)]
    corrections: &'static RawValue,
    /// Openings of a request to undo the last change; no cue either.
    #[serde(borrow)]
    undo: &'static RawValue,
    /// Parsed on first use, like `phrases`: most processes ask one question, which needs neither of most languages.
    #[serde(borrow)]
    cues: &'static RawValue,
    #[serde(borrow)]
    phrases: &'static RawValue,
    /// The notices about reminders, parsed on first use too.
    #[serde(borrow)]
    notices: &'static RawValue,
    /// The wordings of questions that ask for a list from memory.
    #[serde(borrow)]
    questions: &'static RawValue,
    #[serde(skip)]
    later: OnceLock<Option<Later>>,
    #[serde(skip)]
    reminder_words: OnceLock<Option<ReminderWords>>,
}

fn named_algorithm<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Algorithm>, D::Error> {
    Ok(Algorithm::from_name(&String::deserialize(given)?).ok())
}

/// The part of a file that only texts in its language need.
#[derive(Debug)]
struct Later {
    cues: BTreeMap<Cue, Vec<Pattern>>,
    phrases: Phrases,
    questions: BTreeMap<ListingKind, Vec<Pattern>>,
    corrections: Vec<Pattern>,
    undo: Vec<Pattern>,
}

/// A pattern of a cue, optionally anchored to the start or end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) text: String,
    pub(crate) opens: bool,
    pub(crate) closes: bool,
    /// Whether a preceding first person voids it: `always ask` matches, `I always ask` does not.
    is_told: bool,
}

/// All languages with a file.
pub(crate) fn languages() -> &'static [Language] {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    LANGUAGES.get_or_init(|| read(FILES).unwrap_or_default())
}

/// Whether a text is a reply of the offline engine: it begins with one of its phrases, and what follows only quotes.
pub fn is_own_reply(text: &str) -> bool {
    let text = text.trim_start();
    let all = languages().iter().filter_map(Language::phrases);
    all.flat_map(Phrases::openings)
        .any(|opening| text.starts_with(opening))
}

/// Whether a label, such as `Name` in `Name: Kim`, stands before a person's name in some language.
pub fn is_name_label(label: &str) -> bool {
    let mut all = languages().iter();
    all.any(|language| language.name_labels.contains(language.plain(label).trim()))
}

/// The reply language if that of the message is unknown.
pub(crate) fn default_language() -> Option<&'static Language> {
    languages().first()
}

fn read(files: &'static str) -> serde_json::Result<Vec<Language>> {
    let mut languages: Vec<Language> = serde_json::from_str(files)?;
    for language in &mut languages {
        let labels = language.labels.iter().map(|it| language.plain(it));
        language.labels = labels.collect();
    }
    Ok(languages)
}

/// Most words of a connective, or characters in languages without spaces.
const JOINT_WORDS_MAX: usize = 2;
const JOINT_CHARS_MAX: usize = 5;

impl Language {
    /// The number of stop words and cues in a text.
    pub(crate) fn n_signs(&self, text: &str) -> usize {
        let plain = self.plain(text);
        let n_stop = plain.split_whitespace().filter(|it| self.is_stop(it));
        let cues = Cue::VARIANTS.iter();
        n_stop.count() + cues.filter(|cue| self.matches(**cue, &plain)).count()
    }

    /// Whether each word of a text is a stop word, or belongs to a cue of the text.
    pub(crate) fn knows_all(&self, text: &str) -> bool {
        self.known_words(text).len() == self.plain(text).split_whitespace().count()
    }

    /// The words of a text that are stop words or belong to a cue of the text, in lower case.
    pub(crate) fn known_words(&self, text: &str) -> Vec<String> {
        let plain = self.plain(text);
        let cues = Cue::VARIANTS.iter();
        let patterns = cues.flat_map(|cue| self.patterns(*cue));
        let own = patterns.filter(|it| it.place(&plain).is_some());
        let cues: BTreeSet<&str> = own.flat_map(|it| it.text.split_whitespace()).collect();
        let words = plain.split_whitespace();
        let known = words.filter(|it| self.is_stop(it) || cues.contains(it));
        known.map(str::to_owned).collect()
    }

    /// Whether the file of the language has all letters of a text that are not plain Latin ones.
    pub(crate) fn has_letters_of(&self, text: &str) -> bool {
        let letters = text.chars().flat_map(char::to_lowercase);
        let mut letters = letters.filter(|it| it.is_alphabetic() && !it.is_ascii());
        letters.all(|letter| {
            let patterns = Cue::VARIANTS.iter().flat_map(|cue| self.patterns(*cue));
            let mut words = self.stop.iter().chain(patterns.map(|it| &it.text));
            words.any(|it| it.contains(letter))
        })
    }

    /// Whether a text contains a cue.
    pub(crate) fn holds(&self, cue: Cue, text: &str) -> bool {
        self.matches(cue, &self.plain(text))
    }

    /// The same for a text already in plain form.
    pub(crate) fn matches(&self, cue: Cue, plain: &str) -> bool {
        self.places(cue, plain).next().is_some()
    }

    /// Its phrases for replies.
    pub(crate) fn phrases(&self) -> Option<&Phrases> {
        Some(&self.later()?.phrases)
    }

    /// Its notices about reminders.
    pub(crate) fn reminder_words(&self) -> Option<&ReminderWords> {
        let read = || serde_json::from_str(self.notices.get()).ok();
        self.reminder_words.get_or_init(read).as_ref()
    }

    /// The patterns of a cue.
    pub(crate) fn patterns(&self, cue: Cue) -> &[Pattern] {
        let patterns = self.later().and_then(|it| it.cues.get(&cue));
        patterns.map(Vec::as_slice).unwrap_or_default()
    }

    /// The rest of its file, parsed; if that fails there are no cues, which tests rule out.
    fn later(&self) -> Option<&Later> {
        let read = self.later.get_or_init(|| {
            let cues: BTreeMap<Cue, Vec<String>> = serde_json::from_str(self.cues.get()).ok()?;
            let phrases = serde_json::from_str(self.phrases.get()).ok()?;
            let cues = cues.into_iter().map(|(cue, written)| {
                let patterns = written.iter().map(|it| self.pattern(it));
                (cue, patterns.collect())
            });
            let cues = cues.collect();
            let questions: BTreeMap<ListingKind, Vec<String>> =
                serde_json::from_str(self.questions.get()).ok()?;
            let questions = questions.into_iter().map(|(kind, written)| {
                let patterns = written.iter().map(|it| self.pattern(it));
                (kind, patterns.collect())
            });
            let patterns = |written: &RawValue| -> Option<Vec<Pattern>> {
                let written: Vec<String> = serde_json::from_str(written.get()).ok()?;
                Some(written.iter().map(|it| self.pattern(it)).collect())
            };
            Some(Later {
                cues,
                phrases,
                questions: questions.collect(),
                corrections: patterns(self.corrections)?,
                undo: patterns(self.undo)?,
            })
        });
        read.as_ref()
    }

    /// All words of some cues, joined by spaces.
    pub(crate) fn words(&self, cues: &[Cue]) -> String {
        let patterns = cues.iter().flat_map(|cue| self.patterns(*cue));
        let words: Vec<&str> = patterns.map(|it| it.text.trim()).collect();
        words.join(" ")
    }

    /// Whether a text asks to remember something: it opens with such words, possibly after a greeting or connective.
    /// `Remember that` asks; `I remember that` and `I can't remember` do not.
    pub(crate) fn asks_to_keep(&self, text: &str) -> bool {
        self.opens(self.patterns(Cue::Remember), text)
    }

    /// Whether a text asks to forget something: it opens with such words, possibly after a greeting or connective.
    pub(crate) fn asks_to_forget(&self, text: &str) -> bool {
        self.opens(self.patterns(Cue::Forget), text)
    }

    /// Whether a text asks to correct something, in the same way.
    pub(crate) fn asks_to_correct(&self, text: &str) -> bool {
        let corrections = self.later().map(|it| it.corrections.as_slice());
        self.opens(corrections.unwrap_or_default(), text)
    }

    /// Whether a text asks to undo the last change, in the same way.
    pub(crate) fn asks_to_undo(&self, text: &str) -> bool {
        let undo = self.later().map(|it| it.undo.as_slice());
        self.opens(undo.unwrap_or_default(), text)
    }

    /// Whether a text asks to forget something or to undo the last change.
    pub(crate) fn asks_to_take_back(&self, text: &str) -> bool {
        self.asks_to_forget(text) || self.asks_to_undo(text)
    }

    /// Whether a label before a colon, in plain form, is one that people put before their own words.
    pub(crate) fn has_label(&self, plain: &str) -> bool {
        self.labels.contains(plain)
    }

    pub(crate) fn opens(&self, patterns: &[Pattern], text: &str) -> bool {
        let mut both = [text, self.behind_greeting(text)].into_iter();
        let holds = |plain: &str| self.places_of(patterns, plain).next().is_some();
        both.any(|it| self.openings(it, holds))
    }

    /// The list from memory that a message asks for, possibly after a greeting; the message must not contain anything
    /// else.
    pub(crate) fn listing_asked(
        &self,
        (text, is_nothing): (&str, &dyn Fn(&str) -> bool),
    ) -> Option<ListingKind> {
        let questions = &self.later()?.questions;
        let asks = |text: &str, patterns: &[Pattern]| {
            self.openings(text, |plain| {
                let mut around = patterns.iter().filter_map(|it| it.around(plain));
                around.any(|(before, behind)| is_nothing(&format!("{before} {behind}")))
            })
        };
        let texts = [text, self.behind_greeting(text)];
        let mut kinds = questions.iter();
        let found = kinds.find(|(_, patterns)| texts.iter().any(|text| asks(text, patterns)));
        found.map(|(kind, _)| *kind)
    }

    /// Whether `holds` is true for a text, or for what follows its opening courtesies and connectives.
    pub(crate) fn openings(&self, text: &str, holds: impl Fn(&str) -> bool) -> bool {
        let plain = self.plain(text);
        let mut openings =
            std::iter::successors(Some(plain.as_str()), |it| self.behind_opening(it));
        openings.any(holds)
    }

    /// The rest of a plain text after an opening courtesy or connective.
    pub(crate) fn behind_opening<'t>(&self, plain: &'t str) -> Option<&'t str> {
        let patterns = [Cue::Courtesy, Cue::Joint].into_iter();
        let patterns = patterns.flat_map(|cue| self.patterns(cue));
        let behind = patterns
            .filter(|it| !it.closes)
            .filter_map(|it| plain.strip_prefix(it.text.trim_end()))
            .filter(|rest| !self.spaced || rest.starts_with(' '));
        let is_mark = |it: char| !self.spaced && !it.is_alphanumeric();
        let behind = behind.min_by_key(|rest| rest.len())?;
        Some(behind.trim_start_matches(is_mark)).filter(|rest| rest.len() < plain.len())
    }

    /// Whether a text has a wish cue before any first person: `always ask me`, not `I always ask`.
    pub(crate) fn tells_to(&self, text: &str) -> bool {
        let plain = self.plain(text);
        let first = self.place(Cue::First, &plain);
        let wish = self.place(Cue::Wish, &plain);
        wish.is_some_and(|wish| first.is_none_or(|first| wish < first))
    }

    /// A clause without its leading connective.
    pub(crate) fn without_joint<'t>(&self, clause: &'t str) -> &'t str {
        let words = self.spaced.then_some(JOINT_WORDS_MAX);
        let n_max = words.unwrap_or(JOINT_CHARS_MAX);
        let ends = clause.char_indices();
        let ends = ends.filter(|(_, it)| !self.spaced || it.is_whitespace());
        let starts: Vec<usize> = ends.map(|(at, _)| at).take(n_max).collect();
        let patterns = self.patterns(Cue::Joint).iter();
        let rest = starts.into_iter().rev().find_map(|at| {
            let (joint, rest) = clause.split_at_checked(at)?;
            let plain = self.plain(joint);
            let mut joints = patterns.clone();
            joints.any(|it| it.text == plain).then_some(rest)
        });
        rest.map_or(clause, |rest| rest.trim_start_matches([' ', ',']))
    }

    /// The first position of a cue in a text.
    fn place(&self, cue: Cue, plain: &str) -> Option<usize> {
        self.places(cue, plain).min()
    }

    /// The first position of each matching pattern of a cue.
    fn places(&self, cue: Cue, plain: &str) -> impl Iterator<Item = usize> {
        self.places_of(self.patterns(cue), plain)
    }

    fn places_of(&self, patterns: &[Pattern], plain: &str) -> impl Iterator<Item = usize> {
        let counts = move |pattern: &Pattern, at: usize| {
            // The space before a match also ends the word before it.
            let end = at + usize::from(self.spaced);
            let before = plain.get(..end).unwrap_or_default();
            !pattern.is_told || !self.matches(Cue::First, before)
        };
        let placed = patterns.iter();
        placed.filter_map(move |it| it.place(plain).filter(|at| counts(it, *at)))
    }

    /// Whether a lower-case word is a stop word.
    pub(crate) fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// Percentage of stop words in a text; 100 in languages without spaces, where the script identifies the language.
    pub(crate) fn stop_percent(&self, text: &str) -> usize {
        if !self.spaced {
            return 100;
        }
        let plain = self.plain(text);
        let words = || plain.split_whitespace();
        let n_stop = words().filter(|it| self.is_stop(it)).count();
        n_stop * 100 / words().count().max(1)
    }

    /// The stop words in a text; all of them in languages without spaces.
    pub(crate) fn stop_words_of(&self, text: &str) -> BTreeSet<String> {
        if !self.spaced {
            return self.stop.clone();
        }
        let plain = self.plain(text);
        let words = plain.split_whitespace().filter(|it| self.is_stop(it));
        words.map(str::to_owned).collect()
    }

    /// The form in which texts are matched: lower case, and with spaces around each word if the language has them.
    pub(crate) fn plain(&self, text: &str) -> String {
        let lower = text.to_lowercase().replace('\u{2019}', "'");
        if !self.spaced {
            let is_mark = |c: char| c.is_whitespace() || "。．.！!？?「」『』\"".contains(c);
            return lower.trim_matches(is_mark).to_owned();
        }
        let mut plain = String::with_capacity(lower.len() + 2);
        plain.push(' ');
        for character in lower.chars() {
            let is_letter = character.is_alphanumeric() || character == '\'' && !self.elides;
            if is_letter {
                plain.push(character);
            } else if !plain.ends_with(' ') {
                plain.push(' ');
            }
        }
        if !plain.ends_with(' ') {
            plain.push(' ');
        }
        plain
    }

    fn pattern(&self, written: &str) -> Pattern {
        let is_told = written.starts_with('~');
        let opens = written.starts_with('^');
        let closes = written.ends_with('$');
        let bare = written.trim_start_matches(['^', '~']).trim_end_matches('$');
        let is_open = bare.ends_with('*');
        let mut text = if self.spaced {
            self.plain(bare)
        } else {
            bare.to_lowercase()
        };
        if is_open {
            text.truncate(text.trim_end().len());
        }
        Pattern {
            text,
            opens,
            closes,
            is_told,
        }
    }
}

impl Pattern {
    /// Its first position in a plain text.
    /// The parts of a text before and after its first match.
    fn around<'t>(&self, plain: &'t str) -> Option<(&'t str, &'t str)> {
        let at = self.place(plain)?;
        Some((plain.get(..at)?, plain.get(at + self.text.len()..)?))
    }

    fn place(&self, plain: &str) -> Option<usize> {
        match (self.opens, self.closes) {
            (true, true) => (plain == self.text).then_some(0),
            (true, false) => plain.starts_with(&self.text).then_some(0),
            (false, true) => plain.strip_suffix(&self.text).map(str::len),
            (false, false) => plain.find(&self.text),
        }
    }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
