//! Times in Chinese and Japanese, which put no spaces between words.
//!
//! Reads only unambiguous times: a part of a larger number does not count.

use chrono::NaiveDate;

use super::phrase::{Vague, between};
use super::span::{DaySpan, SpanMeaning, Unit, resolve};
use super::table::{DateWords, Time, same_first_letter, tables};
use super::written::WrittenDate;

/// Follows a count and its unit: that long ago.
const AGO: char = '前';

/// The first time that a text names in these scripts.
pub(super) fn unspaced_span(text: &str, today: NaiveDate) -> Option<DaySpan> {
    let table = tables().iter().find(|table| table.unspaced)?;
    let mut before = None;
    text.char_indices().find_map(|(at, character)| {
        let (_, rest) = text.split_at_checked(at)?;
        table.span_at(rest, before.replace(character), today)
    })
}

impl DateWords {
    /// The longest time phrase at the start of a text, and the rest.
    pub(super) fn unspaced_time<'t>(&self, text: &'t str) -> Option<(Time, &'t str)> {
        let begins = |(name, time): (&String, &Time)| Some((*time, text.strip_prefix(name)?));
        let found = same_first_letter(&self.times, text).filter_map(begins);
        found.min_by_key(|(_, after)| after.len())
    }

    fn span_at(&self, rest: &str, before: Option<char>, today: NaiveDate) -> Option<DaySpan> {
        if let Some((time, _)) = self.unspaced_time(rest).filter(|(time, _)| time.is_asked()) {
            return resolve(time.meaning, today);
        }
        let behind = |words: &[String]| words.iter().find_map(|word| rest.strip_prefix(word));
        if let Some(after) = behind(&self.since) {
            let (count, after) = self.count(after)?;
            let (unit, _) = self.unit(after)?;
            return resolve(SpanMeaning::Since(unit, count), today);
        }
        if let Some(after) = behind(&self.few) {
            let (unit, after) = self.unit(after)?;
            let span = after.starts_with(AGO).then(|| between(Vague::Few, unit));
            return resolve(span.flatten()?, today);
        }
        if let Some(weekday) = self.weekday_like(|name| rest.starts_with(name)) {
            return resolve(SpanMeaning::Weekday(weekday), today);
        }
        if before.is_some_and(|it| self.is_number_part(it)) {
            return None;
        }
        let ago = || {
            let (count, after) = self.count(rest)?;
            let (unit, after) = self.unit(after)?;
            let is_past = after.starts_with(AGO);
            resolve(SpanMeaning::Exact(unit, -count), today).filter(|_| is_past)
        };
        self.dated(rest, today).or_else(ago)
    }

    /// A date with or without year and day, in Chinese and Japanese notation.
    fn dated(&self, rest: &str, today: NaiveDate) -> Option<DaySpan> {
        let (first, after) = self.count(rest)?;
        let (year, month, after) = match after.strip_prefix('年') {
            Some(after) => {
                let (month, after) = self.count(after)?;
                (Some(first), month, after)
            }
            None => (None, first, after),
        };
        let after = after.strip_prefix('月')?;
        let month = u32::try_from(month).ok();
        let month = month.filter(|month| (1..=12).contains(month))?;
        let day = self
            .count(after)
            .filter(|(_, after)| after.starts_with('日'))
            .and_then(|(day, _)| u32::try_from(day).ok());
        let month = Some(month);
        WrittenDate { year, month, day }.span(today)
    }

    /// The unit at the start of a text, and the rest. Skips names that end in [`AGO`], which the caller expects to see.
    fn unit<'t>(&self, rest: &'t str) -> Option<(Unit, &'t str)> {
        let names = self.units.iter().filter(|(name, _)| !name.ends_with(AGO));
        let mut found = names.filter_map(|(name, unit)| Some((*unit, rest.strip_prefix(name)?)));
        found.next()
    }

    fn count<'t>(&self, rest: &'t str) -> Option<(i32, &'t str)> {
        let (number, after) = self.leading_number(rest)?;
        Some((number.count()?, after))
    }
}
