//! Derives the figures implied by words: spelled-out numbers, and days named by distance or weekday.
//!
//! Returns every possible reading and picks none.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, NaiveDate};

use super::number::Number;
use super::span::{SpanMeaning, Unit, resolve, shifted};
use super::table::{DateWords, tables};
use super::words::{DateWord, narrow, words};
use crate::Day;

/// Maximum age from which to derive a year of birth.
const AGE_MAX: u64 = 120;

/// Maximum count of units taken for a distance between days.
const DISTANCE_MAX: u64 = 400;

/// The figures that the words of a text said on `said_on` may mean, in every reading.
///
/// # Examples
///
/// ```
/// let said_on = "2026-04-20".parse().unwrap();
/// let said = base::dates::figures_said("we sold it yesterday for fifteen hundred", said_on);
/// assert!([1500, 19].iter().all(|own| said.contains(own)));
/// ```
pub fn figures_said(text: &str, said_on: Day) -> BTreeSet<u64> {
    let words = words(text);
    let lower = lower(text);
    let today = said_on.date();
    let bases: Vec<NaiveDate> = days_in_digits(text).chain([today]).collect();
    let mut found = BTreeSet::new();
    for table in tables() {
        for (_, number, unit) in table.numbers_in(&words, &lower) {
            let n = i32::try_from(number.value.min(DISTANCE_MAX)).unwrap_or(0);
            if let Some(unit) = unit.filter(|_| number.value <= DISTANCE_MAX) {
                let both = bases.iter().flat_map(|base| [(base, -n), (base, n)]);
                let days = both.map(|(base, n)| (SpanMeaning::Exact(unit, n), *base));
                found.extend(days.flat_map(|(meaning, base)| figures_of(meaning, base)));
            }
            if number.value <= AGE_MAX {
                found.extend(figures_of(SpanMeaning::Exact(Unit::Year, -n), today));
            }
            found.insert(number.value);
        }
        for word in &words {
            let month = table.month_like(|name| begins(&word.lower, name));
            found.extend(month.map(u64::from));
        }
        let times = table.times_in(&words, &lower).into_iter();
        found.extend(times.flat_map(|meaning| figures_of(meaning, today)));
    }
    found
}

/// The numbers that a text spells out in words of its language, each with all its readings.
pub fn figures_claimed(text: &str, language: &str) -> Vec<BTreeSet<u64>> {
    let words = words(text);
    let lower = lower(text);
    let mut by_place: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    // A word of one language may be a number in another.
    let tables = tables().iter();
    let own = tables.filter(|it| it.code == language || it.unspaced);
    let numbers = own.flat_map(|table| table.numbers_in(&words, &lower));
    for (place, number, _) in numbers.filter(|(_, number, _)| !number.is_digits) {
        by_place.entry(place).or_default().insert(number.value);
    }
    by_place.into_values().collect()
}

/// Whether a word, in lower case, names a month, a weekday or a time.
pub fn is_calendar_word(word: &str) -> bool {
    let is_unit = |table: &DateWords| words(word).iter().any(|word| table.unit_of(word).is_some());
    names_day_or_month(word) || tables().iter().any(is_unit)
}

/// Whether a word, in lower case, names a month or a weekday.
pub fn names_day_or_month(word: &str) -> bool {
    let is_like = |name: &str| begins(word, name);
    tables().iter().any(|table| {
        let named = table.month_like(is_like).or(table.weekday_like(is_like));
        named.is_some()
    })
}

pub(super) fn lower(text: &str) -> String {
    text.to_lowercase().chars().map(narrow).collect()
}

/// The days written as `2026-04-20`.
pub(super) fn days_in_digits(text: &str) -> impl Iterator<Item = NaiveDate> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    let days = parts.filter_map(|part| part.trim_matches('-').parse().ok());
    days.map(|day: Day| day.date())
}

impl DateWords {
    /// The numbers of a text: the position of each, and the unit that it counts.
    pub(super) fn numbers_in(
        &self,
        words: &[DateWord],
        lower: &str,
    ) -> Vec<(usize, Number, Option<Unit>)> {
        let mut found = Vec::new();
        let mut at = 0;
        while !self.unspaced && at < words.len() {
            let number = self.number_at(words, at);
            if let Some((number, n_words)) = number {
                let unit = words.get(at + n_words).and_then(|word| self.unit_of(word));
                found.push((at, number, unit));
            }
            at += number.map_or(1, |(_, n_words)| n_words);
        }
        let mut rest = if self.unspaced { lower } else { "" };
        while let Some(at) = rest.find(|c| self.is_number_part(c)) {
            let from = rest.get(at..).unwrap_or_default();
            let number = self.leading_number(from);
            rest = from.trim_start_matches(|c| self.is_number_part(c));
            if let Some((number, after)) = number {
                let unit = self.units.iter().find(|(name, _)| after.starts_with(*name));
                let unit = unit.map(|(_, unit)| *unit);
                found.push((lower.len() - from.len(), number, unit));
            }
        }
        found
    }

    /// The times that a text may name; the last word of each may have any ending.
    pub(super) fn times_in(&self, words: &[DateWord], lower: &str) -> Vec<SpanMeaning> {
        if self.unspaced {
            let times = self.times.iter().filter(|(name, _)| lower.contains(*name));
            let named = |names: &String| names.split('|').any(|name| lower.contains(name));
            let weekdays = (0..).zip(&self.weekdays).filter(|(_, names)| named(names));
            let weekdays = weekdays.map(|(weekday, _)| SpanMeaning::Weekday(weekday));
            let times = times.map(|(_, time)| time.meaning);
            return times.chain(weekdays).collect();
        }
        let times = (0..words.len()).filter_map(|at| {
            let rest = words.get(at..)?;
            let (time, _) = self.named(rest, |word, own| word.starts_with(own))?;
            Some(time.meaning)
        });
        let weekdays = words.iter().filter_map(|word| {
            let weekday = self.weekday_like(|name| begins(&word.lower, name))?;
            Some(SpanMeaning::Weekday(weekday))
        });
        times.chain(weekdays).collect()
    }
}

/// Maximum letters of an ending after the name of a month or weekday.
const ENDING_CHARS_MAX: usize = 5;

pub(super) fn begins(word: &str, name: &str) -> bool {
    let after = word.strip_prefix(name);
    // Short names are prefixes of many unrelated words.
    after.is_some_and(|after| {
        after.is_empty() || name.chars().count() > 4 && after.chars().count() <= ENDING_CHARS_MAX
    })
}

/// Year, month and day of each day that may be meant, as precise as the words are.
fn figures_of(meaning: SpanMeaning, today: NaiveDate) -> BTreeSet<u64> {
    // A weekend or a weekday may be the last one or an upcoming one.
    let (n_parts, weeks) = match meaning {
        SpanMeaning::MonthsOfYear(first, last) => return (first..=last).map(u64::from).collect(),
        SpanMeaning::Whole(Unit::Year, _) | SpanMeaning::Exact(Unit::Year, _) => (1, 0..=0),
        SpanMeaning::Whole(Unit::Month, _) | SpanMeaning::Exact(Unit::Month, _) => (2, 0..=0),
        SpanMeaning::Whole(Unit::Weekend, _) => (3, -1..=1),
        SpanMeaning::Weekday(_) => (3, 0..=2),
        SpanMeaning::Whole(..)
        | SpanMeaning::Exact(..)
        | SpanMeaning::Between(..)
        | SpanMeaning::Since(..)
        | SpanMeaning::WeekdayOfWeek(..) => (3, 0..=0),
    };
    let spans = weeks.filter_map(|n| resolve(meaning, shifted(today, Unit::Week, n)?));
    let days = spans.flat_map(|span| {
        let days = span.first.date().iter_days();
        let n_days = if n_parts == 3 { span.n_days() } else { 1 };
        days.take(usize::try_from(n_days).unwrap_or(1))
    });
    days.flat_map(|day| {
        let parts = [day.year().unsigned_abs(), day.month(), day.day()];
        parts.into_iter().take(n_parts).map(u64::from)
    })
    .collect()
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
