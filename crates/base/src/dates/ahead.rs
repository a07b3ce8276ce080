//! Reads the days ahead that a statement means without a date: `on Friday`, `on the 18th at 16:00`, `on 15.12.`, `in
//! two weeks`.
//!
//! Takes a weekday for the next one after the day on which it was said. Reads nothing in a sentence about the past, of
//! a habit, or with several weekdays.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Datelike, Days, NaiveDate};

use super::absolute::times;
use super::planned::named_days;
use super::span::{DaySpan, SpanMeaning, Unit, resolve, shifted};
use super::table::{DateWords, tables};
use super::words::{DateWord, words};
use super::written::{day_of_month, month_of, written_dates};
use crate::{Day, sentences};

/// Shorter words with the ending of a past tense have another meaning: `bed`.
const PAST_CHARS_MIN: usize = 5;

/// Days in a week.
const WEEK: u32 = 7;

/// Longer stretches, in days, plan nothing.
const STRETCH_DAYS_MAX: i64 = 31;

/// The single days that a text names or means, counted from the day on which it was said; besides those of
/// [`named_days`] days ahead without a date. `language` is the code of the text's language, if it is known: some words
/// for days mean something else in another one.
///
/// # Examples
///
/// ```
/// let said_on = "2026-11-30".parse().unwrap();
/// let days = base::dates::days_ahead("On Friday I meet Paula. The vet comes on the 18th at 16:00.", said_on, Some("en"));
/// let days: Vec<String> = days.iter().map(ToString::to_string).collect();
/// assert_eq!(days, ["2026-12-04", "2026-12-18"]);
/// ```
pub fn days_ahead(text: &str, said_on: Day, language: Option<&str>) -> BTreeSet<Day> {
    let mut found = BTreeSet::new();
    for sentence in text.lines().flat_map(sentences) {
        let named = named_days(sentence, said_on);
        if named.is_empty() {
            let meant = meant_ahead(sentence, said_on.date(), language);
            found.extend(meant.into_iter().map(|own| Day::from(own.day)));
        } else {
            found.extend(named);
        }
    }
    found
}

/// The first week, weekend or month that a text names and that begins after the day on which it was said: `next week`,
/// `in January`.
///
/// # Examples
///
/// ```
/// let said_on = "2026-11-30".parse().unwrap();
/// let ahead = base::dates::stretch_ahead("Guests next week", said_on).unwrap();
/// assert_eq!((ahead.first.to_string(), ahead.last.to_string()), ("2026-12-07".into(), "2026-12-13".into()));
/// ```
pub fn stretch_ahead(text: &str, said_on: Day) -> Option<DaySpan> {
    let today = said_on.date();
    let named = times(text, None).into_iter();
    let named = named.filter_map(|(_, _, meaning)| resolve(meaning, today));
    let months = written_dates(text)
        .into_iter()
        .filter(|it| it.day.is_none());
    let months = months.filter_map(|it| {
        let (year, month) = (it.year.unwrap_or(today.year()), it.month?);
        let own = DaySpan::month(year, month)?;
        let is_next_year = it.year.is_none() && own.first <= said_on;
        if is_next_year {
            DaySpan::month(year + 1, month)
        } else {
            Some(own)
        }
    });
    let all = named.chain(months);
    all.filter(|own| own.first > said_on && (2..=STRETCH_DAYS_MAX).contains(&own.n_days()))
        .min_by_key(|own| own.first)
}

/// A day that a phrase of a sentence means.
pub(super) struct DayAhead {
    /// The bytes of the phrase.
    pub(super) phrase: Range<usize>,
    pub(super) day: NaiveDate,
    /// Whether it is a weekday after a word such as `on`.
    pub(super) is_weekday: bool,
}

/// The days ahead that a sentence means without a date, in the words of the first language that has any.
pub(super) fn meant_ahead(
    sentence: &str,
    today: NaiveDate,
    language: Option<&str>,
) -> Vec<DayAhead> {
    let words = words(sentence);
    let read = tables().iter().filter(|table| !table.past.is_empty());
    let read =
        read.filter(|table| table.unspaced || language.is_none_or(|code| table.code == code));
    let mut found = read.map(|table| {
        if table.unspaced {
            table.ahead_in_unspaced(sentence, today)
        } else {
            let is_known = language == Some(table.code.as_str());
            table.ahead_in(sentence, &words, (today, is_known))
        }
    });
    found.find(|own| !own.is_empty()).unwrap_or_default()
}

impl DateWords {
    fn ahead_in(
        &self,
        text: &str,
        words: &[DateWord],
        (today, is_known): (NaiveDate, bool),
    ) -> Vec<DayAhead> {
        let weekdays = (0..words.len()).filter(|at| self.weekday_at(words, *at).is_some());
        let weekdays: Vec<usize> = weekdays.collect();
        let is_past = self.tells_past(words);
        let word = |at: Option<usize>| at.and_then(|at| words.get(at));
        let is_one_of = |list: &[String], at: Option<usize>| {
            word(at).is_some_and(|word| list.contains(&word.plain))
        };
        let mut found = Vec::new();
        for at in 0..words.len() {
            let before = at.checked_sub(1);
            let points_ahead = is_one_of(&self.ahead_on, before);
            if is_past && !points_ahead {
                continue;
            }
            let is_on = points_ahead || is_one_of(&self.on, before);
            let own = if weekdays == [at] {
                let is_habit = is_one_of(&self.every, before);
                let is_bare = self.weekday_needs_on && !is_on;
                let is_counted =
                    word(before).is_some_and(|it| self.weekday_of.contains_key(&it.plain));
                let weekday = self.weekday_at(words, at);
                let weekday = weekday.filter(|_| !is_habit && !is_bare && !is_counted);
                weekday.map(|weekday| (next_weekday(weekday, today), 1))
            } else {
                None
            };
            let is_weekday = own.is_some() && is_on;
            let own = own
                .or_else(|| {
                    is_on
                        .then(|| day_and_month(text, words, at, today))
                        .flatten()
                })
                .or_else(|| {
                    let day = self.day_alone(text, words, at).filter(|_| is_known);
                    day.map(|day| (next_day_of_month(day, today), 1))
                })
                .or_else(|| self.counted_ahead(words, at, today));
            let first = if is_on { before.unwrap_or(at) } else { at };
            found.extend(own.and_then(|(day, n_words)| {
                let last = words.get(at + n_words - 1)?;
                Some(DayAhead {
                    phrase: words.get(first)?.range.start..last.range.end,
                    day: day?,
                    is_weekday,
                })
            }));
        }
        found
    }

    /// The weekday that a word names, alone or with a part of the day: `Samstagabend`.
    pub(super) fn weekday_at(&self, words: &[DateWord], at: usize) -> Option<u32> {
        let word = words.get(at)?;
        self.weekday_like(|name| {
            let rest = word.lower.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || self.day_parts.iter().any(|it| it == rest))
        })
    }

    /// A day of a month after a word such as `the`, before a time of day or the end of a clause.
    fn day_alone(&self, text: &str, words: &[DateWord], at: usize) -> Option<u32> {
        let before = words.get(at.checked_sub(1)?)?;
        let word = words
            .get(at)
            .filter(|_| self.before_day.contains(&before.plain))?;
        let day = self.day_number(&word.plain)?;
        let is_bare = word.plain.bytes().all(|byte| byte.is_ascii_digit());
        if self.day_needs_ending && is_bare {
            return None;
        }
        let rest = text.get(word.range.end..)?.trim_start();
        let next = words.get(at + 1);
        let is_month = next.is_some_and(|it| month_of(&it.lower).is_some());
        let is_time = next.is_some_and(|it| self.at_time.contains(&it.plain));
        let ends = !rest.starts_with(char::is_alphanumeric);
        (!is_month && (is_time || ends)).then_some(day)
    }

    pub(super) fn day_number(&self, word: &str) -> Option<u32> {
        let mut endings = self.day_endings.iter();
        let bare = endings.find_map(|it| word.strip_suffix(it.as_str()));
        day_of_month(bare.unwrap_or(word))
    }

    /// A counted distance to a later day: `in two weeks`.
    fn counted_ahead(
        &self,
        words: &[DateWord],
        at: usize,
        today: NaiveDate,
    ) -> Option<(Option<NaiveDate>, usize)> {
        let (time, n_words) = self.counted(words, at)?;
        if let SpanMeaning::Exact(unit, n) = time.meaning
            && n > 0
            && unit != Unit::Year
        {
            Some((shifted(today, unit, n), n_words))
        } else {
            None
        }
    }

    /// Whether a sentence is about the past: a past tense, or a perfect one.
    fn tells_past(&self, words: &[DateWord]) -> bool {
        let has = |list: &[String], word: &DateWord| list.contains(&word.lower);
        let ends = |list: &[String], word: &DateWord| {
            let is_long = word.lower.chars().count() >= PAST_CHARS_MIN;
            let mut endings = list.iter();
            is_long && endings.any(|it| word.lower.ends_with(it.as_str()))
        };
        let is_past = |(at, word): (usize, &DateWord)| {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let is_passive = before.is_some_and(|it| has(&self.passive, it));
            has(&self.past, word)
                || ends(&self.past_endings, word) && !is_passive && !has(&self.not_past, word)
        };
        let perfect = words.iter().position(|word| has(&self.perfect, word));
        let is_participle = |word: &DateWord| {
            let mut starts = self.participle_starts.iter();
            let begins = self.participle_starts.is_empty()
                || starts.any(|it| word.lower.starts_with(it.as_str()));
            begins && ends(&self.participle_endings, word)
        };
        let behind = perfect
            .and_then(|at| words.get(at + 1..))
            .unwrap_or_default();
        words.iter().enumerate().any(is_past) || behind.iter().any(is_participle)
    }

    fn ahead_in_unspaced(&self, text: &str, today: NaiveDate) -> Vec<DayAhead> {
        if self.past.iter().any(|it| text.contains(it.as_str())) {
            return Vec::new();
        }
        let mut found: Vec<DayAhead> = Vec::new();
        let mut n_weekdays = 0;
        for (at, _) in text.char_indices() {
            let (before, rest) = text.split_at(at);
            let is_habit = self.every.iter().any(|it| before.ends_with(it.as_str()));
            let weekday = self.weekday_like(|name| rest.starts_with(name));
            n_weekdays += usize::from(weekday.is_some());
            let is_part = before.ends_with(|c: char| self.is_number_part(c) || c == '\u{6708}');
            let day = weekday
                .filter(|_| !is_habit)
                .and_then(|it| next_weekday(it, today));
            let day = day.or_else(|| {
                let number = || self.leading_number(rest);
                let (number, after) = (!is_part).then(number).flatten()?;
                let count = number.count()?;
                let is_day = self
                    .day_endings
                    .iter()
                    .any(|it| after.starts_with(it.as_str()));
                if is_day && (1..=31).contains(&count) {
                    return next_day_of_month(count.unsigned_abs(), today);
                }
                let mut units = self.units.iter();
                units.find_map(|(name, unit)| {
                    let behind = after.strip_prefix(name.as_str())?;
                    let mut later = self.ahead_on.iter();
                    let is_later = later.any(|it| behind.starts_with(it.as_str()));
                    is_later.then(|| shifted(today, *unit, count)).flatten()
                })
            });
            found.extend(day.map(|day| DayAhead {
                phrase: at..at,
                day,
                is_weekday: false,
            }));
        }
        if n_weekdays > 1 { Vec::new() } else { found }
    }
}

/// A day and a month in digits, with or without a year: `15.12.`, `15.12.2026`.
pub(super) fn day_and_month(
    text: &str,
    words: &[DateWord],
    at: usize,
    today: NaiveDate,
) -> Option<(Option<NaiveDate>, usize)> {
    let [first, second] = words.get(at..at + 2)? else {
        return None;
    };
    let gap = text.get(first.range.end..second.range.start)?;
    let behind = text.get(second.range.end..)?;
    let (day, month) = (day_of_month(&first.plain)?, day_of_month(&second.plain)?);
    if gap != "." || !behind.starts_with('.') {
        return None;
    }
    let is_next = |it: &&DateWord| text.get(second.range.end..it.range.start) == Some(".");
    let year = words
        .get(at + 2)
        .filter(|it| it.plain.len() == 4 && is_next(it));
    let year: Option<i32> = year.and_then(|it| it.plain.parse().ok());
    let of_year = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
    if let Some(year) = year {
        return Some((of_year(year), 3));
    }
    let years = (0..=8).map(|n| today.year() + n);
    let mut days = years.filter_map(of_year);
    Some((days.find(|it| *it >= today), 2))
}

/// The next such weekday after a day; 0 is Monday.
pub(super) fn next_weekday(weekday: u32, today: NaiveDate) -> Option<NaiveDate> {
    let ahead = (weekday + WEEK - today.weekday().num_days_from_monday()) % WEEK;
    let ahead = if ahead == 0 { WEEK } else { ahead };
    today.checked_add_days(Days::new(ahead.into()))
}

/// The next such day of a month, which may be the same day.
pub(super) fn next_day_of_month(day: u32, today: NaiveDate) -> Option<NaiveDate> {
    let first = today.with_day(1)?;
    let mut months = (0..=2).filter_map(|n| shifted(first, Unit::Month, n)?.with_day(day));
    months.find(|it| *it >= today)
}

#[cfg(test)]
#[path = "ahead_tests.rs"]
mod tests;
