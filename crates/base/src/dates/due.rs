//! Reads the words of a time ahead in one language: its parts of the day, its repetitions, and the words that belong to it.
//!
//! Never decides whether the time is certain.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::clock::{Clock, longest};
use super::phrase::begins;
use super::span::{Unit, shifted};
use super::table::DateWords;
use super::time_ahead::Unclear;
use super::words::DateWord;
use crate::Tz;

/// Each month has that many days.
const DAYS_OF_ALL_MONTHS: u32 = 28;

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
    /// The days in the order in which they are named.
    pub(super) days_in_order: Vec<NaiveDate>,
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
    /// Whether a time of day may belong to another clause than the day.
    pub(super) has_clause: bool,
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

/// Maximum number of days whose order is kept.
const ORDERED_DAYS_MAX: usize = 16;

impl<'t> Reading<'t> {
    pub(super) fn of(
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
            days_in_order: Vec::new(),
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
            has_clause: false,
        };
        let mut at = 0;
        while at < words.len() {
            let n_words = own.take_moment(at);
            let n_words = n_words.or_else(|| own.take_part(at));
            let n_words = n_words.or_else(|| own.take_repetition(at));
            let n_words = n_words.or_else(|| own.take_each(at));
            let n_words = n_words.or_else(|| own.take_distance(at));
            let n_words = n_words.or_else(|| own.take_clock(at));
            let n_words = n_words.or_else(|| own.take_day(at));
            if let Some(n_words) = n_words {
                own.mark(at, n_words);
                own.order_days();
            }
            at += n_words.unwrap_or(1).max(1);
        }
        own.take_no_clocks();
        own.take_joining();
        own.find_unread();
        own
    }

    pub(super) fn plain(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.plain)
    }

    /// Whether the text names a day, a repetition or a distance.
    pub(super) fn names_day(&self) -> bool {
        let is_named = !self.days.is_empty() || self.is_today || self.week.is_some();
        is_named || self.each.is_some() || self.distance.is_some()
    }

    fn order_days(&mut self) {
        // With so many days, which one is meant is asked back in any case.
        if self.days_in_order.len() >= ORDERED_DAYS_MAX {
            return;
        }
        let today = self.is_today.then(|| self.now.date());
        for day in self.days.iter().copied().chain(today) {
            if !self.days_in_order.contains(&day) {
                self.days_in_order.push(day);
            }
        }
    }

    /// Takes words of the time, and the little words before them.
    pub(super) fn mark(&mut self, at: usize, n_words: usize) {
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
            if table.deadline.contains(&word) {
                // `by Friday`: when to remind of it is not said.
                self.unclear.get_or_insert(Unclear::Unread(word));
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
        let day_of_month = code.strip_prefix('m').and_then(|it| it.parse::<u32>().ok());
        self.month_days.extend(day_of_month);
        let each = match code {
            _ if day_of_month.is_some() => Each::Unit(Unit::Month),
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
        if let Some(n_words) = self.take_each_day_of_month(at, n_each) {
            return Some(n_words);
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

    /// `every 15th`: such a day of each month. Not each month has the last ones.
    fn take_each_day_of_month(&mut self, at: usize, n_each: usize) -> Option<usize> {
        let word = self.words.get(at + n_each)?;
        let behind = self.text.get(word.range.end..)?;
        let is_bare = word.plain.bytes().all(|it| it.is_ascii_digit());
        if is_bare && !behind.starts_with(". ") {
            return None;
        }
        let is_digits = word.plain.starts_with(|it: char| it.is_ascii_digit());
        let day = self.table.day_number(&word.plain).filter(|_| is_digits)?;
        let next = self.words.get(at + n_each + 1);
        let is_counted = next.is_some_and(|it| {
            let is_month = super::month_of(&it.lower).is_some();
            is_month
                || self.table.unit_of(it).is_some()
                || self.weekday_named(at + n_each + 1).is_some()
        });
        if is_counted {
            return None;
        }
        self.repeat(Each::Unit(Unit::Month));
        self.month_days.insert(day);
        if day > DAYS_OF_ALL_MONTHS {
            self.unclear = Some(Unclear::NoDay);
        }
        Some(n_each + 1)
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
