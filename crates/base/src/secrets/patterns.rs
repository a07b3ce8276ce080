//! Loads the list of patterns and selects those that a text needs.
//!
//! Compiles a pattern when it is first used, so that a plain text costs only one pass over its bytes.

use std::cmp::Reverse;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

/// The embedded list.
const TEXT: &str = include_str!("patterns.yaml");

/// The kind for phrases that look like cues but do not announce a secret.
const NOTHING: &str = "none";

/// Maximum size of one compiled pattern, in bytes.
const COMPILED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The format of the list.
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
    articles: Vec<String>,
    sentence_words: Vec<Vec<String>>,
    password_words: Vec<Vec<String>>,
}

/// One format of secrets.
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
    pub(super) check: Option<SecretCheck>,
    unless: Option<String>,
    #[serde(skip)]
    compiled: OnceLock<Option<Regex>>,
    #[serde(skip)]
    compiled_unless: OnceLock<Option<Regex>>,
}

/// A check in addition to the pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SecretCheck {
    /// A card number with a valid check digit.
    Card,
    /// An IBAN with valid check digits.
    Iban,
    /// Both digits and letters.
    Figures,
    /// Alternating digits, lower and upper case.
    Mixed,
}

/// Whether the language of a cue has a word for `is`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CueVerb {
    #[default]
    Usual,
    /// The language has no such word.
    Missing,
}

/// Cues for a secret of one kind, or for [`NOTHING`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Announcement {
    pub(super) kind: String,
    /// Whether the cues usually announce a number.
    #[serde(default)]
    pub(super) is_number: bool,
    /// Whether the cues have other meanings as well.
    #[serde(default)]
    pub(super) is_ambiguous: bool,
    /// Whether the cues announce several words.
    #[serde(default)]
    pub(super) is_phrase: bool,
    /// Whether a verb such as `is` comes between the cues and a secret.
    #[serde(default)]
    pub(super) verb: CueVerb,
    /// Links that are valid for these cues only.
    #[serde(default)]
    links: Vec<String>,
    /// Links that follow the secret.
    #[serde(default)]
    links_behind: Vec<String>,
    cues: Vec<Vec<String>>,
}

/// The rule or cue that a search word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternWord {
    /// The rule with this index, which must then be tried.
    Rule(usize),
    /// A cue in the entry of `announced` with this index.
    Cue(usize),
}

/// The position of a cue in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecretCue {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) announcement: usize,
}

/// The rules and cues whose words occur in a text.
#[derive(Debug, Default)]
pub(super) struct Hits {
    rules: Vec<usize>,
    pub(super) cues: Vec<SecretCue>,
}

/// The list with its search automaton.
pub(super) struct Patterns {
    list: List,
    search: Option<AhoCorasick>,
    words: Vec<PatternWord>,
}

pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    // If the list cannot be parsed, it counts as empty; a test ensures that it can.
    Patterns::new(serde_saphyr::from_str(TEXT).unwrap_or_default())
});

impl Patterns {
    fn new(list: List) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let mut words = Vec::new();
        let mut add = |text: &str, word: PatternWord| {
            for form in forms(text) {
                texts.push(form);
                words.push(word);
            }
        };
        for (number, rule) in list.rules.iter().enumerate() {
            for word in &rule.near {
                add(word, PatternWord::Rule(number));
            }
        }
        for (number, announcement) in list.announced.iter().enumerate() {
            for cue in announcement.cues.iter().flatten() {
                add(cue, PatternWord::Cue(number));
            }
        }
        let mut search = AhoCorasick::builder();
        search.ascii_case_insensitive(true);
        Self {
            list,
            search: search.build(&texts).ok(),
            words,
        }
    }

    /// The rules that must be tried on a text, and the cues in it.
    pub(super) fn hits(&self, text: &str) -> Hits {
        let mut hits = Hits::default();
        let (run, digits) = (longest_run(text), count_digits(text));
        for (number, rule) in self.list.rules.iter().enumerate() {
            let is_by_word = !rule.near.is_empty();
            if !is_by_word && run >= rule.run && digits >= rule.digits {
                hits.rules.push(number);
            }
        }
        let search = self.search.iter();
        for hit in search.flat_map(|search| search.find_overlapping_iter(text)) {
            match self.words.get(hit.pattern().as_usize()) {
                Some(PatternWord::Rule(number)) => hits.rules.push(*number),
                Some(PatternWord::Cue(announcement)) => hits.cues.push(SecretCue {
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

    /// The rules that must be tried, in the order of the list.
    pub(super) fn rules<'p>(&'p self, hits: &Hits) -> impl Iterator<Item = &'p Rule> {
        let numbers = hits.rules.iter();
        numbers.filter_map(|number| self.list.rules.get(*number))
    }

    /// All kinds of secrets that a placeholder may name.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        let list = &self.list;
        let ruled = list.rules.iter().map(|rule| &rule.kind);
        let announcement = list.announced.iter().map(|announcement| &announcement.kind);
        let kinds = list.kinds.iter().chain(ruled).chain(announcement);
        kinds.map(String::as_str).filter(|kind| *kind != NOTHING)
    }

    /// The entry that a cue belongs to; `None` if the entry announces nothing.
    pub(super) fn announced(&self, cue: &SecretCue) -> Option<&Announcement> {
        let announcement = self.list.announced.get(cue.announcement);
        announcement.filter(|announcement| announcement.kind != NOTHING)
    }

    /// Whether a word links a cue and its secret.
    pub(super) fn is_link(&self, word: &str) -> bool {
        holds(&self.list.links, &lowercase(word)) || self.is_preposition(word)
    }

    /// Whether a link also introduces the name of a thing: `the password to LinkedIn`.
    pub(super) fn is_preposition(&self, word: &str) -> bool {
        holds(&self.list.prepositions, &lowercase(word))
    }

    /// Whether a text in a script without spaces ends in a link.
    pub(super) fn ends_in_link(&self, words: &str) -> bool {
        let mut links = self.list.links.iter().flatten();
        links.any(|link| !link.is_ascii() && words.ends_with(link.as_str()))
    }

    /// Whether a word is typical of an ordinary sentence, and so not part of a passphrase.
    pub(super) fn is_of_sentence(&self, word: &str) -> bool {
        let is_known = holds(&self.list.sentence_words, &lowercase(word));
        is_known || self.is_link(word) || self.is_filler(word)
    }

    /// Whether a word describes a password and is not one itself.
    pub(super) fn is_of_password(&self, word: &str) -> bool {
        holds(&self.list.password_words, &lowercase(word)) || self.is_of_sentence(word)
    }

    /// Whether a word may come between a link and a secret.
    pub(super) fn is_filler(&self, word: &str) -> bool {
        self.list.fillers.contains(&lowercase(word))
    }
}

impl Patterns {
    /// Whether a word is an article, which may come between a link and a token that looks like a secret.
    pub(super) fn is_article(&self, word: &str) -> bool {
        self.list.articles.contains(&lowercase(word))
    }
}

impl SecretCue {
    /// Whether the word can also name a part of a device, as `pin` can.
    pub(super) fn is_part(&self, text: &str) -> bool {
        let word = text.get(self.start..self.end).unwrap_or("");
        PATTERNS.list.parts.contains(&lowercase(word))
    }
}

impl Announcement {
    /// Whether a word links these cues, but no others, to their secret.
    pub(super) fn is_link(&self, word: &str) -> bool {
        self.links.contains(&lowercase(word))
    }

    /// Whether a word is a link that follows the secret of these cues.
    pub(super) fn is_link_behind(&self, word: &str) -> bool {
        self.links_behind.contains(&lowercase(word))
    }
}

impl Rule {
    /// The compiled pattern; `None` if it is invalid, which a test excludes.
    pub(super) fn pattern(&self) -> Option<&Regex> {
        let compiled = self.compiled.get_or_init(|| compile(&self.pattern));
        compiled.as_ref()
    }

    /// Whether the text before a match shows that it is not a secret.
    pub(super) fn is_ruled_out(&self, before: &str) -> bool {
        let Some(unless) = &self.unless else {
            return false;
        };
        let compiled = self.compiled_unless.get_or_init(|| compile(unless));
        let compiled = compiled.as_ref();
        compiled.is_some_and(|unless| unless.is_match(before))
    }
}

/// Compiles a pattern; the boundary of a word is that of ASCII, since any other makes the search of a text that is not
/// ASCII many times slower.
fn compile(pattern: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(&pattern.replace(r"\b", r"(?-u:\b)"));
    builder.size_limit(COMPILED_BYTES_MAX).build().ok()
}

/// Whether a word is in any of the lists, one per language.
fn holds(lists: &[Vec<String>], word: &str) -> bool {
    lists.iter().flatten().any(|own| own == word)
}

/// A word in lower case, in NFC.
fn lowercase(word: &str) -> String {
    word.to_lowercase().nfc().collect()
}

/// The spellings of a word to search for; the search itself ignores ASCII case.
fn forms(word: &str) -> Vec<String> {
    if word.is_ascii() {
        return vec![word.to_owned()];
    }
    // Some systems store accented letters in decomposed form.
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

/// Length in bytes of the longest run without a space.
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
