//! The words for numbers and times per language, from `words.toml`.
//!
//! Parses no text.

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;
use std::sync::OnceLock;

use serde::Deserialize;

use super::span::{SpanMeaning, Unit};

/// The format of `words.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsFile {
    language: Vec<DateWords>,
}

/// The words of one language; `words.toml` explains each key.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DateWords {
    pub(super) code: String,
    pub(super) unspaced: bool,
    pub(super) joints: Vec<String>,
    pub(super) endings: Vec<String>,
    pub(super) numbers: BTreeMap<String, u64>,
    pub(super) months: Vec<String>,
    pub(super) short_months: Vec<String>,
    pub(super) weekdays: Vec<String>,
    pub(super) times: BTreeMap<String, Time>,
    pub(super) weekday_of: BTreeMap<String, i32>,
    pub(super) units: BTreeMap<String, Unit>,
    pub(super) counted_before: BTreeMap<String, i32>,
    pub(super) counted_behind: BTreeMap<String, i32>,
    pub(super) counted_from: Vec<String>,
    pub(super) one: Vec<String>,
    pub(super) couple: Vec<String>,
    pub(super) few: Vec<String>,
    pub(super) since: Vec<String>,
    pub(super) between: Vec<String>,
    pub(super) on: Vec<String>,
    pub(super) ahead_on: Vec<String>,
    pub(super) deadline: Vec<String>,
    pub(super) every: Vec<String>,
    pub(super) weekday_needs_on: bool,
    pub(super) day_parts: Vec<String>,
    pub(super) before_day: Vec<String>,
    pub(super) day_endings: Vec<String>,
    pub(super) day_needs_ending: bool,
    pub(super) at_time: Vec<String>,
    pub(super) clock_before: Vec<String>,
    pub(super) clock_behind: Vec<String>,
    pub(super) clock_about: Vec<String>,
    pub(super) clock_exact: Vec<String>,
    pub(super) clock_of_24: ClockOf24,
    pub(super) clock_past: BTreeMap<String, i32>,
    pub(super) clock_minutes: BTreeMap<String, i32>,
    pub(super) clock_distances: BTreeMap<String, i32>,
    pub(super) repetitions: BTreeMap<String, String>,
    pub(super) month_words: Vec<String>,
    pub(super) weekday_plurals: Vec<String>,
    pub(super) weekday_each: Vec<String>,
    pub(super) apart: Vec<String>,
    pub(super) unread: Vec<String>,
    pub(super) of: Vec<String>,
    pub(super) or: Vec<String>,
    pub(super) clock_from: BTreeMap<String, i32>,
    pub(super) clock_plus: BTreeMap<String, i32>,
    pub(super) clock_units: BTreeMap<String, i32>,
    pub(super) day_part: BTreeMap<String, String>,
    pub(super) each: Vec<String>,
    pub(super) next_weekday: Vec<String>,
    pub(super) weekday_behind: Vec<String>,
    pub(super) past: Vec<String>,
    pub(super) past_endings: Vec<String>,
    pub(super) not_past: Vec<String>,
    pub(super) passive: Vec<String>,
    pub(super) perfect: Vec<String>,
    pub(super) participle_starts: Vec<String>,
    pub(super) participle_endings: Vec<String>,
    pub(super) article: String,
    pub(super) week_of: String,
    /// The first words of all time phrases, except numbers.
    #[serde(skip)]
    pub(super) first_words: HashSet<String>,
}

/// Which hours that may be of either half of the day are hours of 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ClockOf24 {
    #[default]
    Never,
    /// Those with minutes.
    Minutes,
    /// Those in digits before a word for hours, too.
    Hours,
}

/// What a time phrase means, and where it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Time {
    pub(super) meaning: SpanMeaning,
    pub(super) counts: WordScope,
}

/// Where a time phrase counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordScope {
    Everywhere,
    /// When checking figures.
    InChecks,
    InQuestions,
    /// In statements, and when checking figures.
    InTalk,
    /// In lower case, and not right after another time.
    InSmallLetters,
}

impl Time {
    /// Whether the phrase is unambiguous enough to be a time in a question.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.counts, WordScope::Everywhere | WordScope::InQuestions)
    }
}

/// The words of all languages.
pub(super) fn tables() -> &'static [DateWords] {
    static TABLES: OnceLock<Vec<DateWords>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let words = include_str!(concat!(env!("OUT_DIR"), "/words.json"));
        let file = serde_json::from_str::<WordsFile>(words);
        let mut tables = file.map_or_else(|_| Vec::new(), |file| file.language);
        for table in &mut tables {
            table.first_words = table.find_first_words();
        }
        tables
    })
}

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(written: String) -> Result<Self, Self::Error> {
        let code = written.trim_start_matches(['?', '+', '~']);
        let counts = match written.strip_suffix(code) {
            Some("?") => WordScope::InChecks,
            Some("+") => WordScope::InTalk,
            Some("~") => WordScope::InSmallLetters,
            Some(_) | None => WordScope::Everywhere,
        };
        let meaning = meaning(code).ok_or_else(|| format!("{written} is not a time"))?;
        Ok(Self { meaning, counts })
    }
}

fn meaning(code: &str) -> Option<SpanMeaning> {
    let (kind, rest) = code.split_at_checked(1)?;
    if let Some((first, last)) = rest.split_once("..") {
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        return Some(SpanMeaning::Between(first, last));
    }
    if let Some((first, last)) = rest.split_once('-').filter(|_| kind == "h") {
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        return Some(SpanMeaning::MonthsOfYear(first, last));
    }
    let unit = match kind {
        "d" => Unit::Day,
        "w" => Unit::Week,
        "e" => Unit::Weekend,
        "m" => Unit::Month,
        "y" => Unit::Year,
        _ => return None,
    };
    Some(SpanMeaning::Whole(unit, rest.parse().ok()?))
}

impl DateWords {
    fn find_first_words(&self) -> HashSet<String> {
        let counted = self.counted_before.keys();
        let phrases = self
            .times
            .keys()
            .chain(self.weekday_of.keys())
            .chain(counted);
        let counts = [&self.one, &self.couple, &self.few].into_iter().flatten();
        let first = |phrase: &String| phrase.split(' ').next().map(str::to_owned);
        phrases.chain(counts).filter_map(first).collect()
    }

    /// The month, from 1, with a full name that `is_like` accepts.
    pub(super) fn month_like(&self, is_like: impl Fn(&str) -> bool) -> Option<u32> {
        place(&self.months, is_like).map(|place| place + 1)
    }

    /// The weekday, from 0 for Monday, with a name that `is_like` accepts.
    pub(super) fn weekday_like(&self, is_like: impl Fn(&str) -> bool) -> Option<u32> {
        place(&self.weekdays, is_like)
    }
}

/// The names that share the first letter of a text: a scan of all names at every word would be too slow.
pub(super) fn same_first_letter<'m, T>(
    names: &'m BTreeMap<String, T>,
    text: &str,
) -> impl Iterator<Item = (&'m String, &'m T)> {
    let letter = text.chars().next();
    let mut bytes = [0; 4];
    let from: &str = letter.map_or("", |letter| letter.encode_utf8(&mut bytes));
    let names = names.range::<str, _>((Bound::Included(from), Bound::Unbounded));
    names.take_while(move |(name, _)| name.chars().next() == letter)
}

/// The index of the first entry with an alternative that `is_like` accepts.
fn place(all: &[String], is_like: impl Fn(&str) -> bool) -> Option<u32> {
    let found = all.iter().position(|names| names.split('|').any(&is_like));
    found.and_then(|place| u32::try_from(place).ok())
}
