//! Reads the time of a reminder: a day, a time of day, a repetition, and the words around them.
//!
//! Never guesses: a time that may mean two is unclear, and so is one next to words that may belong to it.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

use super::clock::{Clock, longest};
use super::every::Every;
use super::meanings::{DAY, TIME, filled};
use super::phrase::begins;
use super::span::{Unit, shifted};
use super::table::{DateWords, tables};
use super::words::{DateWord, words};
use crate::{Day, Tz};

/// The time of a reminder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// The day, or the first one of a repetition.
    pub day: Day,
    /// The time of day, if one is named.
    pub time: Option<NaiveTime>,
    /// The repetition.
    pub every: Option<Every>,
}

impl When {
    /// The time as the reader takes it.
    fn written(&self) -> String {
        let time = self.time.map(|it| it.format("%H:%M").to_string());
        match (&self.every, time) {
            (Some(every), Some(time)) => format!("{every} at {time}"),
            (Some(every), None) => every.to_string(),
            (None, Some(time)) => format!("{} {time}", self.day),
            (None, None) => self.day.to_string(),
        }
    }
}

/// The time that a text names, and the rest of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeAhead {
    /// The time; `None` if the text names none.
    pub when: Result<Option<When>, Unclear>,
    /// The text without the words of the time.
    pub rest: String,
    /// If the time is not certain: the times ahead that the text may mean, earliest first, each to be confirmed. They are
    /// written as this reader takes them, with placeholders in capitals for what the text does not name.
    pub readings: Vec<String>,
}

impl TimeAhead {
    /// Writes `text` out once for each of its readings, so that each result names a single time once the owner has
    /// filled in the placeholders. `TEXT` takes the place of a text that is empty, or whose words would again be read
    /// as a time.
    pub fn spelled_out(&self, text: &str) -> Vec<String> {
        let times = self.readings_or_placeholder().into_iter();
        times
            .map(|time| {
                let read = time_named(&format!("{} {text}", filled(&time)));
                let is_read = matches!(read.when, Ok(Some(_))) && read.rest == text;
                let text = if is_read && !text.is_empty() {
                    text
                } else {
                    "TEXT"
                };
                format!("{time} {text}")
            })
            .collect()
    }

    /// The time if it is certain, or else the readings; if there are none, a placeholder for a time.
    pub fn readings_or_placeholder(&self) -> Vec<String> {
        if let Ok(Some(when)) = &self.when {
            return vec![when.written()];
        }
        if self.readings.is_empty() {
            vec![format!("{DAY} {TIME}")]
        } else {
            self.readings.clone()
        }
    }

    /// The readings without a placeholder.
    pub fn whole_readings(&self) -> Vec<&str> {
        let readings = self.readings.iter().map(String::as_str);
        readings.filter(|it| filled(it) == **it).collect()
    }
}

/// Why a time is not certain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// Several days.
    #[error("it names several days")]
    SeveralDays,
    /// Several times of day.
    #[error("it names several times of day")]
    SeveralTimes,
    /// An hour of either half of the day.
    #[error("{0}:{1:02} may be in the morning or in the afternoon")]
    HalfOfDay(i32, i32),
    /// A day or a part of one without an hour.
    #[error("it does not name a time of day")]
    NoHour,
    /// The time has passed.
    #[error("that time has passed")]
    Passed,
    /// A weekday that may be of two weeks.
    #[error("it may mean {0} or {1}")]
    TwoDays(Day, Day),
    /// A week, a month, or a repetition without a day.
    #[error("it does not name a single day")]
    NoDay,
    /// A word next to the time that may belong to it.
    #[error("it is unclear whether {0:?} belongs to the time")]
    Unread(String),
    /// Two languages read it differently.
    #[error("it can be read in two ways")]
    TwoReadings,
    /// The calendar does not have the day, or the clock the time.
    #[error("there is no {0}")]
    NoSuchTime(String),
    /// The part of the day does not have the hour.
    #[error("{0}:{1:02} is not in that part of the day")]
    OtherPart(i32, i32),
    /// Midnight of a day, which may be its beginning or its end.
    #[error("midnight may be the beginning or the end of {0}")]
    Midnight(Day),
    /// The clocks change, and that local time is left out.
    #[error("the clocks go forward then, and skip that time")]
    Skipped,
    /// The clocks change, and that local time comes twice.
    #[error("the clocks go back then, and show that time twice")]
    Twice,
}

/// Reads the time ahead that a text names, seen from a local time, in whichever language reads most of it.
///
/// # Examples
///
/// ```
/// let now = "2026-11-30T08:00:00".parse().unwrap();
/// let read = base::dates::time_ahead("on Friday at 9 call the plumber", now);
/// let when = read.when.unwrap().unwrap();
/// assert_eq!((when.day.to_string(), when.time.unwrap().to_string()), ("2026-12-04".into(), "09:00:00".into()));
/// assert_eq!(read.rest, "call the plumber");
/// ```
pub fn time_ahead(text: &str, now: NaiveDateTime) -> TimeAhead {
    read(text, (now, None))
}

/// The same, seen from an instant in the owner's zone: a distance such as `in 2 hours` is one of elapsed time, and a local
/// time that a change of the clocks skips or repeats is not certain.
pub fn time_ahead_in(text: &str, now: DateTime<Tz>) -> TimeAhead {
    read(text, (now.naive_local(), Some(now)))
}

/// The same without a present time, if it only matters which words name a time.
pub fn time_named(text: &str) -> TimeAhead {
    read(text, (NaiveDateTime::default(), None))
}

fn read(text: &str, (now, instant): (NaiveDateTime, Option<DateTime<Tz>>)) -> TimeAhead {
    let words = words(text);
    let read = tables().iter().filter(|table| !table.unspaced);
    let read = read.map(|table| Reading::of(table, text, &words, (now, instant)));
    let read: Vec<Reading> = read.filter(|own| own.taken.contains(&true)).collect();
    let n_most = read.iter().map(Reading::n_bytes).max();
    let mut best = read.iter().filter(|own| Some(own.n_bytes()) == n_most);
    let Some(first) = best.next() else {
        return TimeAhead {
            when: Ok(None),
            rest: text.trim().to_owned(),
            readings: Vec::new(),
        };
    };
    let when = first.when().map(Some);
    let differs = best.any(|own| own.when().map(Some) != when);
    let when = if differs {
        Err(Unclear::TwoReadings)
    } else {
        when
    };
    TimeAhead {
        readings: when
            .as_ref()
            .err()
            .map_or_else(Vec::new, |why| first.meanings(why)),
        when,
        rest: first.rest(),
    }
}

/// The reading of a text by one language.
pub(super) struct Reading<'t> {
    pub(super) table: &'t DateWords,
    pub(super) text: &'t str,
    pub(super) words: &'t [DateWord],
    pub(super) now: NaiveDateTime,
    /// The same instant in the owner's zone, if that is known.
    pub(super) instant: Option<DateTime<Tz>>,
    /// Whether each word belongs to the time.
    pub(super) taken: Vec<bool>,
    pub(super) days: BTreeSet<NaiveDate>,
    /// The weekdays that days are named by, and the days of a month.
    pub(super) weekdays: BTreeSet<u32>,
    pub(super) month_days: BTreeSet<u32>,
    /// A week that is named, counted from this one.
    pub(super) week: Option<i32>,
    pub(super) clocks: Vec<Clock>,
    pub(super) parts: BTreeSet<char>,
    pub(super) is_today: bool,
    pub(super) distance: Option<i32>,
    /// The days of the calendar that are named, rather than seen from today.
    pub(super) dated: BTreeSet<NaiveDate>,
    /// Today and the next such weekday, if today's is named.
    pub(super) same_weekday: Option<(NaiveDate, NaiveDate)>,
    pub(super) each: Option<Each>,
    pub(super) unclear: Option<Unclear>,
}

/// A word such as `every`, and the unit after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Each {
    /// Certain weekdays.
    Weekday,
    /// Every other week on a weekday.
    OtherWeek,
    Unit(Unit),
}

impl<'t> Reading<'t> {
    fn of(
        table: &'t DateWords,
        text: &'t str,
        words: &'t [DateWord],
        (now, instant): (NaiveDateTime, Option<DateTime<Tz>>),
    ) -> Self {
        let mut own = Self {
            table,
            text,
            words,
            now,
            instant,
            taken: vec![false; words.len()],
            days: BTreeSet::new(),
            weekdays: BTreeSet::new(),
            month_days: BTreeSet::new(),
            week: None,
            clocks: Vec::new(),
            parts: BTreeSet::new(),
            is_today: false,
            distance: None,
            dated: BTreeSet::new(),
            same_weekday: None,
            each: None,
            unclear: None,
        };
        let mut at = 0;
        while at < words.len() {
            let n_words = own.take_part(at);
            let n_words = n_words.or_else(|| own.take_repetition(at));
            let n_words = n_words.or_else(|| own.take_each(at));
            let n_words = n_words.or_else(|| own.take_distance(at));
            let n_words = n_words.or_else(|| own.take_clock(at));
            let n_words = n_words.or_else(|| own.take_day(at));
            if let Some(n_words) = n_words {
                own.mark(at, n_words);
            }
            at += n_words.unwrap_or(1).max(1);
        }
        own.take_joining();
        own.find_unread();
        own
    }

    pub(super) fn plain(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.plain)
    }

    /// Takes words of the time, and the little words before them.
    fn mark(&mut self, at: usize, n_words: usize) {
        let mut first = at;
        let table = self.table;
        while let Some(before) = first.checked_sub(1)
            && at - before <= 2
            && self.taken.get(before) == Some(&false)
        {
            let word = self.plain(before).to_owned();
            let lists = [
                &table.on,
                &table.before_day,
                &table.ahead_on,
                &table.clock_about,
            ];
            if !lists.into_iter().any(|list| list.contains(&word)) {
                break;
            }
            first = before;
        }
        for taken in self.taken.iter_mut().take(at + n_words).skip(first) {
            *taken = true;
        }
    }

    pub(super) fn rest_at(&self, at: usize) -> &'t [DateWord] {
        self.words.get(at..).unwrap_or_default()
    }

    /// Whether the word before a word has the ending of an owner: `the parents' evening`.
    fn is_owned(&self, at: usize) -> bool {
        let gap = || {
            let before = self.words.get(at.checked_sub(1)?)?;
            self.text
                .get(before.range.end..self.words.get(at)?.range.start)
        };
        matches!(gap(), Some("' " | "\u{2019} "))
    }

    fn take_part(&mut self, at: usize) -> Option<usize> {
        if self.is_owned(at) {
            return None;
        }
        let (part, n_words) = longest(&self.table.day_part, self.rest_at(at))?;
        let offset = part.chars().nth(1).and_then(|it| it.to_digit(10));
        let is_behind = at
            .checked_sub(1)
            .is_some_and(|it| self.taken.get(it) == Some(&true));
        let part = part
            .chars()
            .next()
            .filter(|it| it.is_lowercase() || is_behind)?;
        if part == 'n'
            && let Some((minutes, n_behind)) = self.table.minutes_added(self.words, at + n_words)
        {
            // `midi et quart`
            let all = 12 * 60 + minutes;
            let (hour, minute) = (all.div_euclid(60), all.rem_euclid(60));
            self.clocks.push(Clock::of_24(hour, minute));
            return Some(n_words + n_behind);
        }
        self.is_today |= offset == Some(0);
        let later = offset.filter(|it| *it > 0);
        let later =
            later.and_then(|it| shifted(self.now.date(), Unit::Day, i32::try_from(it).ok()?));
        self.days.extend(later);
        self.parts.insert(part.to_ascii_lowercase());
        Some(n_words)
    }

    /// A repetition in words of its own: `daily`, `on weekdays`, `every other week`.
    fn take_repetition(&mut self, at: usize) -> Option<usize> {
        let (code, n_words) = longest(&self.table.repetitions, self.rest_at(at))?;
        let (code, part) = match code.strip_prefix('d') {
            Some(part) => ("d", part),
            None => (code.as_str(), ""),
        };
        self.parts.extend(part.chars());
        let each = match code {
            "d" => Each::Unit(Unit::Day),
            "w" => Each::Unit(Unit::Week),
            "m" => Each::Unit(Unit::Month),
            "y" => Each::Unit(Unit::Year),
            "2w" => Each::OtherWeek,
            days => {
                self.weekdays
                    .extend(days.chars().filter_map(|it| it.to_digit(10)));
                Each::Weekday
            }
        };
        // `every other` and the weekday behind it.
        let weekday = self.weekday_named(at + n_words);
        self.weekdays
            .extend(weekday.filter(|_| each == Each::OtherWeek));
        let n_weekday = if weekday.is_some() && each == Each::OtherWeek {
            1 + self.n_behind(at + n_words + 1)
        } else {
            0
        };
        self.repeat(each);
        if each == Each::OtherWeek
            && let Some(before) = at.checked_sub(2)
            && self
                .table
                .number_at(self.words, before)
                .is_some_and(|(it, n)| it.value == 1 && n == 1)
            && let Some(taken) = self.taken.get_mut(before)
        {
            // As in `un mardi sur deux`.
            *taken = true;
        }
        Some(n_words + n_weekday)
    }

    /// Says what repeats; weekdays may be those of every other week.
    pub(super) fn repeat(&mut self, found: Each) {
        let known = self.each;
        let is_of_week = |each: Each| matches!(each, Each::OtherWeek | Each::Unit(Unit::Week));
        if found == Each::Weekday && known.is_some_and(is_of_week) {
            return;
        }
        if known == Some(Each::Weekday) && is_of_week(found) {
            self.each = Some(found);
            return;
        }
        if self.each.replace(found).is_some_and(|known| known != found) {
            self.unclear = Some(Unclear::SeveralTimes);
        }
    }

    fn take_each(&mut self, at: usize) -> Option<usize> {
        if let Some(n_words) = self.take_weekdays_between(at) {
            return Some(n_words);
        }
        let rest = self.rest_at(at);
        let each = self.table.each.iter();
        let n_each = each.filter_map(|it| begins(rest, it, str::eq)).max();
        let n_each = n_each.or_else(|| {
            let mut each = self.table.weekday_each.iter();
            let n_each = each.find_map(|it| begins(rest, it, str::eq))?;
            self.weekday_named(at + n_each).map(|_| n_each)
        })?;
        if let Some((part, n_part)) = longest(&self.table.day_part, self.rest_at(at + n_each)) {
            // `every morning`
            self.parts.extend(part.chars().next());
            self.repeat(Each::Unit(Unit::Day));
            return Some(n_each + n_part);
        }
        let next = self.words.get(at + n_each)?;
        let unit = self.table.unit_of(next);
        // A plural names the unit or the weekday as well.
        let found = if let Some(unit) = unit {
            Each::Unit(unit)
        } else {
            self.weekday_named(at + n_each)?;
            Each::Weekday
        };
        let mut n_words = n_each;
        if unit == Some(Unit::Day)
            && self.table.before_day.contains(&next.plain)
            && let Some(day) = self.day_of_month_behind(at + n_each)
        {
            // `todo dia 10`
            self.repeat(Each::Unit(Unit::Month));
            self.month_days.insert(day);
            return Some(n_words + 2);
        }
        self.repeat(found);
        if unit.is_some() {
            return Some(n_words + 1);
        }
        while let Some(weekday) = self.weekday_named(at + n_words) {
            self.weekdays.insert(weekday);
            self.take_suffix(at + n_words);
            n_words += 1 + self.n_behind(at + n_words + 1);
            let is_joint = self
                .table
                .joints
                .iter()
                .any(|it| it == self.plain(at + n_words));
            if is_joint && self.weekday_named(at + n_words + 1).is_some() {
                n_words += 1;
            }
        }
        Some(n_words)
    }

    /// `Monday to Friday`: each of these days.
    fn take_weekdays_between(&mut self, at: usize) -> Option<usize> {
        let mut patterns = self.table.between.iter();
        let (found, n_words) = patterns.find_map(|pattern| {
            let (opening, joining) = pattern.rsplit_once(' ').unwrap_or(("", pattern));
            let first = at + usize::from(!opening.is_empty());
            if !opening.is_empty() && self.plain(at) != opening {
                return None;
            }
            let from = self.weekday_named(first)?;
            let joint = first + 1 + self.n_behind(first + 1);
            let to = self.weekday_named(joint + 1)?;
            let n_behind = self.n_behind(joint + 2);
            let is_between = self.plain(joint) == joining && from < to;
            is_between.then_some((from..=to, joint + 2 + n_behind - at))
        })?;
        self.weekdays.extend(found);
        self.repeat(Each::Weekday);
        Some(n_words)
    }
}

#[cfg(test)]
#[path = "due_tests.rs"]
mod tests;
