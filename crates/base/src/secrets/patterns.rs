//! Reads the list of patterns and tells which of them a text needs.
//!
//! Compiles a pattern when a text first needs it, so that a plain text costs one pass over its bytes.

use std::cmp::Reverse;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

/// The list; it is part of the program.
const TEXT: &str = include_str!("patterns.yaml");

/// The kind of words that only look like a cue.
const NOTHING: &str = "none";

/// Bytes that one compiled pattern may take.
const COMPILED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// What is read of the list.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    kinds: Vec<String>,
    rules: Vec<Rule>,
    announced: Vec<Announcement>,
    links: Vec<Vec<String>>,
    prepositions: Vec<Vec<String>>,
    parts: Vec<String>,
    fillers: Vec<String>,
    sentence_words: Vec<Vec<String>>,
    password_words: Vec<Vec<String>>,
}

/// One form of secret.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) kind: String,
    pattern: String,
    #[serde(default)]
    near: Vec<String>,
    #[serde(default)]
    run: usize,
    #[serde(default)]
    digits: usize,
    #[serde(default)]
    pub(super) entropy: f64,
    pub(super) check: Option<Check>,
    unless: Option<String>,
    #[serde(skip)]
    compiled: OnceLock<Option<Regex>>,
    #[serde(skip)]
    compiled_unless: OnceLock<Option<Regex>>,
}

/// What a secret must be besides what its pattern says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Check {
    /// A card number, by its last digit.
    Card,
    /// An IBAN, by its check digits.
    Iban,
    /// Figures and letters.
    Figures,
    /// Figures, small and large letters that take turns.
    Mixed,
}

/// Words that announce a secret of one kind, or [`NOTHING`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Announcement {
    pub(super) kind: String,
    /// Whether what they announce is a number more often than not.
    #[serde(default)]
    pub(super) is_number: bool,
    /// Whether they have other meanings, too.
    #[serde(default)]
    pub(super) is_ambiguous: bool,
    /// Whether what they announce is several words.
    #[serde(default)]
    pub(super) is_phrase: bool,
    /// Links that only these cues have.
    #[serde(default)]
    links: Vec<String>,
    /// Links that stand behind the secret of these cues.
    #[serde(default)]
    links_behind: Vec<String>,
    cues: Vec<Vec<String>>,
}

/// What a word of the search stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// The rule of this number is to be tried.
    Rule(usize),
    /// It announces what this entry of `announced` says.
    Cue(usize),
}

/// A word that announces a secret, in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cue {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) announcement: usize,
}

/// What a text holds of all words of the list.
#[derive(Debug, Default)]
pub(super) struct Hits {
    rules: Vec<usize>,
    pub(super) cues: Vec<Cue>,
}

/// The list with the search for its words.
pub(super) struct Patterns {
    list: List,
    search: Option<AhoCorasick>,
    words: Vec<Word>,
}

pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    // A list that cannot be read is no list; a test reads it.
    Patterns::new(serde_saphyr::from_str(TEXT).unwrap_or_default())
});

impl Patterns {
    fn new(list: List) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let mut words = Vec::new();
        let mut add = |text: &str, word: Word| {
            for form in forms(text) {
                texts.push(form);
                words.push(word);
            }
        };
        for (number, rule) in list.rules.iter().enumerate() {
            for word in &rule.near {
                add(word, Word::Rule(number));
            }
        }
        for (number, announcement) in list.announced.iter().enumerate() {
            for cue in announcement.cues.iter().flatten() {
                add(cue, Word::Cue(number));
            }
        }
        let search = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&texts)
            .ok();
        Self {
            list,
            search,
            words,
        }
    }

    /// The rules that a text needs and the cues that it holds.
    pub(super) fn hits(&self, text: &str) -> Hits {
        let mut hits = Hits::default();
        let (run, digits) = (longest_run(text), count_digits(text));
        for (number, rule) in self.list.rules.iter().enumerate() {
            let is_by_word = !rule.near.is_empty();
            if !is_by_word && run >= rule.run && digits >= rule.digits {
                hits.rules.push(number);
            }
        }
        let found = self
            .search
            .iter()
            .flat_map(|search| search.find_overlapping_iter(text));
        for hit in found {
            match self.words.get(hit.pattern().as_usize()) {
                Some(Word::Rule(number)) => hits.rules.push(*number),
                Some(Word::Cue(announcement)) => hits.cues.push(Cue {
                    start: hit.start(),
                    end: hit.end(),
                    announcement: *announcement,
                }),
                None => {}
            }
        }
        hits.rules.sort_unstable();
        hits.rules.dedup();
        hits.cues.sort_by_key(|cue| (cue.start, Reverse(cue.end)));
        hits.cues.dedup();
        hits
    }

    /// The rules that a text needs, in the order of the list.
    pub(super) fn rules<'p>(&'p self, hits: &Hits) -> impl Iterator<Item = &'p Rule> {
        hits.rules
            .iter()
            .filter_map(|number| self.list.rules.get(*number))
    }

    /// Every kind that a placeholder may name.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        let list = &self.list;
        let ruled = list.rules.iter().map(|rule| &rule.kind);
        let announcement = list.announced.iter().map(|announcement| &announcement.kind);
        let kinds = list.kinds.iter().chain(ruled).chain(announcement);
        kinds.map(String::as_str).filter(|kind| *kind != NOTHING)
    }

    /// What a cue announces, if anything.
    pub(super) fn announced(&self, cue: &Cue) -> Option<&Announcement> {
        let announcement = self.list.announced.get(cue.announcement);
        announcement.filter(|announcement| announcement.kind != NOTHING)
    }

    /// Whether a word links a cue and its secret.
    pub(super) fn is_link(&self, word: &str) -> bool {
        holds(&self.list.links, &lowercase(word)) || self.is_preposition(word)
    }

    /// Whether a word is such a link, but also begins the name of a thing: `the password to LinkedIn`.
    pub(super) fn is_preposition(&self, word: &str) -> bool {
        holds(&self.list.prepositions, &lowercase(word))
    }

    /// Whether words in a script without blanks end in such a link.
    pub(super) fn ends_in_link(&self, words: &str) -> bool {
        let mut links = self.list.links.iter().flatten();
        links.any(|link| !link.is_ascii() && words.ends_with(link.as_str()))
    }

    /// Whether a word belongs to a sentence rather than to a phrase that opens something.
    pub(super) fn is_of_sentence(&self, word: &str) -> bool {
        let is_known = holds(&self.list.sentence_words, &lowercase(word));
        is_known || self.is_link(word) || self.is_filler(word)
    }

    /// Whether a word tells how a password is, and is none itself.
    pub(super) fn is_of_password(&self, word: &str) -> bool {
        holds(&self.list.password_words, &lowercase(word)) || self.is_of_sentence(word)
    }

    /// Whether a word may stand between a link and a secret.
    pub(super) fn is_filler(&self, word: &str) -> bool {
        self.list.fillers.contains(&lowercase(word))
    }
}

impl Cue {
    /// Whether the word may name a part of a device instead, as `pin` does.
    pub(super) fn is_part(&self, text: &str) -> bool {
        let word = text.get(self.start..self.end).unwrap_or("");
        PATTERNS.list.parts.contains(&lowercase(word))
    }
}

impl Announcement {
    /// Whether a word links one of these cues, and of no others, to its secret.
    pub(super) fn is_link(&self, word: &str) -> bool {
        self.links.contains(&lowercase(word))
    }

    /// Whether a word follows the secret of one of these cues.
    pub(super) fn is_link_behind(&self, word: &str) -> bool {
        self.links_behind.contains(&lowercase(word))
    }
}

impl Rule {
    /// The pattern; `None` where it does not compile, which a test rules out.
    pub(super) fn pattern(&self) -> Option<&Regex> {
        let compiled = self.compiled.get_or_init(|| compile(&self.pattern));
        compiled.as_ref()
    }

    /// Whether what stands before a match rules it out.
    pub(super) fn is_ruled_out(&self, before: &str) -> bool {
        let Some(unless) = &self.unless else {
            return false;
        };
        let compiled = self.compiled_unless.get_or_init(|| compile(unless));
        compiled
            .as_ref()
            .is_some_and(|unless| unless.is_match(before))
    }
}

fn compile(pattern: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(COMPILED_BYTES_MAX).build().ok()
}

/// Whether a word is in one of the lists of several languages.
fn holds(lists: &[Vec<String>], word: &str) -> bool {
    lists.iter().flatten().any(|own| own == word)
}

/// A word in lower case, each letter with its accent as one character.
fn lowercase(word: &str) -> String {
    word.to_lowercase().nfc().collect()
}

/// A word in the cases in which it is written; the search takes care of those of ASCII.
fn forms(word: &str) -> Vec<String> {
    if word.is_ascii() {
        return vec![word.to_owned()];
    }
    // Some systems write a letter and its accent as two characters.
    let mut characters = word.chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string());
    let capital = first.unwrap_or_default() + characters.as_str();
    let mut forms = vec![word.to_owned(), capital, word.to_uppercase()];
    forms.extend(forms.clone().iter().map(|form| form.nfd().collect()));
    forms.sort();
    forms.dedup();
    forms
}

/// The bytes of the longest token that is written without a blank.
fn longest_run(text: &str) -> usize {
    let is_graphic = |byte: &u8| byte.is_ascii_graphic();
    let runs = text.as_bytes().split(|byte| !is_graphic(byte));
    runs.map(<[u8]>::len).max().unwrap_or(0)
}

fn count_digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
#[path = "patterns_tests.rs"]
mod tests;
