//! Which figures follow from the words of a text: numbers written as words, and the dates that its times may mean.
//!
//! Gives every reading: it serves to find figures that nobody said, not to date anything.

mod calendar;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use base::Day;
use serde::Deserialize;

use crate::language::language_of;
use calendar::{Stretch, numbers_of, reckoned};

const TABLES: &str = include_str!("../data/figures.toml");

/// More words make no number together.
const NUMBER_WORDS_MAX: usize = 5;

/// Whoever is older was not born in a year that is reckoned from an age.
const AGE_MAX: u64 = 120;

/// What `figures.toml` holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    language: Vec<Table>,
}

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The language whose file knows texts of it; none for one that has no file.
    #[serde(default)]
    code: String,
    #[serde(default = "is_spaced")]
    spaced: bool,
    #[serde(default)]
    denials: Vec<String>,
    joints: Vec<String>,
    endings: Vec<String>,
    numbers: BTreeMap<String, u64>,
    months: Vec<String>,
    weekdays: Vec<String>,
    times: BTreeMap<String, String>,
    units: BTreeMap<String, String>,
}

fn is_spaced() -> bool {
    true
}

fn tables() -> &'static [Table] {
    static TABLES_READ: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES_READ.get_or_init(|| {
        toml::from_str::<File>(TABLES).map_or_else(|_| Vec::new(), |file| file.language)
    })
}

/// The figures that follow from the words of a text that was said on a day, those that it writes with digits left out.
///
/// # Examples
///
/// ```
/// let said = extract::figures_said("we sold it yesterday for fifteen hundred", "2026-04-20".parse().unwrap());
/// assert!([1500, 19].iter().all(|own| said.contains(own)));
/// ```
pub fn figures_said(text: &str, said_on: Day) -> BTreeSet<u64> {
    let words = words(text);
    let lower = text.to_lowercase();
    let bases: Vec<Day> = words_with_dates(text).chain([said_on]).collect();
    let mut found = BTreeSet::new();
    for table in tables() {
        for number in table.numbers(&words, &lower) {
            let ago = number.unit.filter(|_| number.value <= 400);
            for (unit, base) in ago
                .iter()
                .flat_map(|unit| bases.iter().map(move |base| (*unit, *base)))
            {
                let n = i32::try_from(number.value).unwrap_or(0);
                found.extend([-n, n].iter().flat_map(|n| numbers_of(base, unit, *n)));
            }
            if number.value <= AGE_MAX {
                found.extend(numbers_of(
                    said_on,
                    Stretch::Year,
                    -i32::try_from(number.value).unwrap_or(0),
                ));
            }
            found.insert(number.value);
        }
        found.extend(table.months_in(&words));
        for time in table.times_in(&words, &lower) {
            found.extend(reckoned(said_on, time));
        }
        let weekdays = table.weekdays_in(&words, &lower);
        found.extend(
            weekdays
                .iter()
                .flat_map(|weekday| calendar::weekday(said_on, *weekday)),
        );
    }
    found
}

/// The figures that a text claims in words, each with all its readings: numbers, and the names of months.
pub fn figures_claimed(text: &str) -> Vec<BTreeSet<u64>> {
    let words = words(text);
    let lower = text.to_lowercase();
    // A word of one language is a number of another.
    let code = language_of(text).map_or("", |language| language.code.as_str());
    let mut by_place: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    for table in tables()
        .iter()
        .filter(|table| table.code == code || !table.spaced)
    {
        for number in table
            .numbers(&words, &lower)
            .into_iter()
            .filter(|own| !own.is_digits)
        {
            by_place
                .entry(number.place)
                .or_default()
                .insert(number.value);
        }
    }
    by_place.into_values().collect()
}

/// Whether a word, in lower case, names a month, a weekday or a time.
pub fn is_calendar_word(word: &str) -> bool {
    let words = [word.to_owned()];
    let is_known = |table: &Table| {
        !table.months_in(&words).is_empty()
            || !table.weekdays_in(&words, word).is_empty()
            || table.units.contains_key(word)
    };
    tables().iter().any(is_known)
}

/// Whether a text denies something in a language that has no file of its own.
pub(crate) fn denies(text: &str) -> bool {
    let words = words(text);
    let mut denials = tables().iter().flat_map(|table| &table.denials);
    denials.any(|denial| words.contains(denial))
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The days that a text writes as `2026-04-20`.
fn words_with_dates(text: &str) -> impl Iterator<Item = Day> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    parts.filter_map(|part| part.trim_matches('-').parse().ok())
}

/// A number of a text.
struct Number {
    value: u64,
    /// Where it begins.
    place: usize,
    is_digits: bool,
    /// The unit that is counted.
    unit: Option<Stretch>,
}

impl Table {
    fn numbers(&self, words: &[String], lower: &str) -> Vec<Number> {
        if !self.spaced {
            return self.numbers_unspaced(lower);
        }
        let mut found = Vec::new();
        let mut place = 0;
        while place < words.len() {
            let n_words = (1..=NUMBER_WORDS_MAX).rev().find_map(|n_words| {
                let joined = words.get(place..place + n_words)?.concat();
                Some((self.number(&joined)?, n_words))
            });
            let Some((value, n_words)) = n_words else {
                place += 1;
                continue;
            };
            let unit = words
                .get(place + n_words)
                .and_then(|word| self.units.get(word));
            found.push(Number {
                value,
                place,
                is_digits: words
                    .get(place)
                    .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())),
                unit: unit.and_then(|unit| Stretch::of(unit)),
            });
            place += n_words;
        }
        found
    }

    fn numbers_unspaced(&self, lower: &str) -> Vec<Number> {
        let is_part =
            |c: char| c.is_ascii_digit() || self.numbers.contains_key(c.to_string().as_str());
        let mut found = Vec::new();
        let mut rest = lower;
        while let Some(at) = rest.find(is_part) {
            let from = rest.get(at..).unwrap_or_default();
            let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let (run, behind) = from.split_at_checked(end).unwrap_or((from, ""));
            let unit = self
                .units
                .iter()
                .find(|(unit, _)| behind.starts_with(unit.as_str()));
            found.extend(self.number(run).map(|value| Number {
                value,
                place: lower.len() - from.len(),
                is_digits: run.bytes().all(|byte| byte.is_ascii_digit()),
                unit: unit.and_then(|(_, unit)| Stretch::of(unit)),
            }));
            rest = behind;
        }
        found
    }

    /// The number that a word, or several written as one, says.
    fn number(&self, word: &str) -> Option<u64> {
        let mut value = None;
        let mut rest = word;
        while !rest.is_empty() {
            if value.is_some() && self.endings.iter().any(|ending| ending == rest) {
                break;
            }
            if let Some((part, after)) = self.part(rest) {
                let before = value.unwrap_or(0);
                let is_multiplier = self.is_multiplier(part);
                let grown = if is_multiplier { multiplied } else { joined };
                value = Some(grown(before, part)?);
                rest = after;
            } else {
                let joint = self
                    .joints
                    .iter()
                    .find_map(|joint| rest.strip_prefix(joint.as_str()));
                rest = joint.filter(|after| value.is_some() && !after.is_empty())?;
            }
        }
        value
    }

    /// The longest number that a word begins with, and what follows.
    fn part<'a>(&self, word: &'a str) -> Option<(u64, &'a str)> {
        let end = word
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(word.len());
        if end > 0 {
            let (digits, after) = word.split_at_checked(end)?;
            return Some((digits.parse().ok()?, after));
        }
        let parts = self.numbers.iter();
        let begins = parts.filter_map(|(name, value)| {
            Some((name.len(), *value, word.strip_prefix(name.as_str())?))
        });
        begins
            .max_by_key(|(length, ..)| *length)
            .map(|(_, value, after)| (value, after))
    }

    fn is_multiplier(&self, part: u64) -> bool {
        matches!(part, 100 | 1_000 | 10_000 | 1_000_000 | 100_000_000) || part == 10 && !self.spaced
    }

    fn months_in(&self, words: &[String]) -> BTreeSet<u64> {
        let months = (1_u64..).zip(&self.months);
        let found =
            months.filter(|(_, names)| words.iter().any(|word| begins_with_any(word, names)));
        found.map(|(number, _)| number).collect()
    }

    /// The weekdays that are named, from 0 for Monday.
    fn weekdays_in(&self, words: &[String], lower: &str) -> Vec<u32> {
        let weekdays = (0_u32..).zip(&self.weekdays);
        let found = weekdays.filter(|(_, names)| {
            if self.spaced {
                words.iter().any(|word| begins_with_any(word, names))
            } else {
                names.split('|').any(|name| lower.contains(name))
            }
        });
        found.map(|(number, _)| number).collect()
    }

    fn times_in(&self, words: &[String], lower: &str) -> Vec<&str> {
        let plain = format!(" {}", words.join(" "));
        let is_there = |name: &str| {
            if self.spaced {
                plain.contains(&format!(" {}", name.replace('-', " ")))
            } else {
                lower.contains(name)
            }
        };
        let found = self.times.iter().filter(|(name, _)| is_there(name));
        found.map(|(_, time)| time.as_str()).collect()
    }
}

/// What may stand behind the name of a month or weekday, in letters: an ending.
const ENDING_CHARS_MAX: usize = 5;

fn begins_with_any(word: &str, names: &str) -> bool {
    names.split('|').any(|name| {
        let after = word.strip_prefix(name);
        // A short name is the beginning of many words.
        after.is_some_and(|after| {
            after.is_empty()
                || name.chars().count() > 4 && after.chars().count() <= ENDING_CHARS_MAX
        })
    })
}

/// A number whose end is multiplied by what follows, as `zwei` by `hundert`.
fn multiplied(value: u64, by: u64) -> Option<u64> {
    let low = value % by;
    (value - low).checked_add(low.max(1).checked_mul(by)?)
}

/// A number with a further part, as `zwanzig` with `zwei`; `None` where they do not make one number.
fn joined(value: u64, part: u64) -> Option<u64> {
    let n_digits = part.checked_ilog10().unwrap_or(0);
    let (mut left, mut right) = (value, part);
    for _ in 0..=n_digits {
        if left % 10 != 0 && right % 10 != 0 {
            return None;
        }
        (left, right) = (left / 10, right / 10);
    }
    value.checked_add(part)
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
