//! Decides whether the time that a text names is certain, and which it is.
//!
//! Never guesses.

use std::collections::BTreeSet;

use chrono::offset::LocalResult;
use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _, Timelike};

use super::clock::{Clock, longest};
use super::due::{Each, Reading};
use super::every::Every;
use super::phrase::begins;
use super::span::{SpanMeaning, Unit, resolve};
use super::time_ahead::{Unclear, When};
use super::written::DAY_ENDINGS;
use crate::Day;

/// The time of a day without one.
const HOUR_ASSUMED: NaiveTime = match NaiveTime::from_hms_opt(9, 0, 0) {
    Some(time) => time,
    None => NaiveTime::MIN,
};

/// Longest article or preposition between a word that begins a span and its number.
const SMALL_WORD_BYTES_MAX: usize = 3;

/// Most words of the first number of a span.
const SPAN_WORDS_MAX: usize = 4;

impl Reading<'_> {
    /// Finds a word left that may belong to the time.
    pub(super) fn find_unread(&mut self) {
        let mut places = (0..self.words.len()).filter(|at| !self.is_taken(*at));
        if let Some(at) = places.find(|at| self.may_belong(*at)) {
            self.has_clause = self.begins_clause(at);
            let word = self.words.get(at).map(|it| it.range.clone());
            let found = word.and_then(|own| self.text.get(own));
            self.unclear
                .get_or_insert(Unclear::Unread(found.unwrap_or_default().to_owned()));
        }
    }

    fn lower(&self, at: usize) -> String {
        self.words
            .get(at)
            .map(|it| it.lower.clone())
            .unwrap_or_default()
    }

    fn is_taken(&self, at: usize) -> bool {
        self.taken.get(at) == Some(&true)
    }

    /// Whether a word that was not taken may belong to the time.
    fn may_belong(&self, at: usize) -> bool {
        let table = self.table;
        let word = self.plain(at);
        let is_digits = |at: usize| {
            let own = self.plain(at);
            !own.is_empty() && own.bytes().all(|it| it.is_ascii_digit())
        };
        let range = |at: usize| self.words.get(at).map(|it| it.range.clone());
        let gap = |from: usize| {
            let (one, other) = (range(from)?, range(from + 1)?);
            self.text.get(one.end..other.start)
        };
        let next = self.words.get(at + 1);
        let is_each = table.each.iter().any(|it| it == word);
        let is_weekday = self.weekday_named(at).is_some() && !table.weekday_needs_on;
        let is_counted = || {
            let (_, n_words) = table.number_at(self.words, at)?;
            let unit = self.words.get(at + n_words)?;
            let is_unit =
                table.unit_of(unit).is_some() || table.clock_units.contains_key(&unit.plain);
            Some(is_unit)
        };
        let is_clock = next.is_some_and(|it| table.clock_behind.contains(&it.plain));
        // Words apart from the time by more than a blank belong to something else.
        let is_near = |gap: Option<&str>| gap.is_some_and(|it| matches!(it, " " | ", " | "-"));
        let is_before = self.is_taken(at + 1) && is_near(gap(at));
        let is_behind = at
            .checked_sub(1)
            .is_some_and(|it| self.is_taken(it) && is_near(gap(it)));
        let is_number = |at: usize| self.plain(at).starts_with(|it: char| it.is_ascii_digit());
        let is_capital = self.words.get(at).is_some_and(|it| {
            let own = self.text.get(it.range.clone()).unwrap_or_default();
            own.starts_with(char::is_uppercase)
        });
        let is_no_day = self.days.is_empty() && self.each.is_none() && self.distance.is_none();
        let is_named_month = super::month_of(&self.lower(at)).is_some()
            && (is_number(at + 1)
                || at.checked_sub(1).is_some_and(is_number)
                || is_no_day && (is_capital || !table.month_words.iter().any(|it| it == word)));
        let is_hour = is_digits(at) && word.parse().is_ok_and(|it: u32| it <= 24);
        let is_apart = table.apart.iter().any(|it| it == word);
        let is_day_only = self.clocks.is_empty();
        let is_unread = table
            .unread
            .iter()
            .any(|it| begins(self.rest_at(at), it, str::eq).is_some());
        let is_near_unread = is_before
            || is_behind
            || self.is_taken(at + 2)
            || at.checked_sub(2).is_some_and(|it| self.is_taken(it));
        self.is_joined(at)
            || self.is_of_next_words(at, (is_before, is_behind))
            || self.begins_span(at)
            || self.begins_clause(at)
            || self.is_no_day(at)
            || is_each
            || is_weekday
            || is_counted().unwrap_or_default()
            || is_digits(at) && is_clock
            || is_named_month
            || is_hour && (is_before || is_behind)
            || is_apart && (is_before || is_day_only && (is_behind || at == 0))
            || is_unread && (is_near_unread || is_no_day)
    }

    /// Whether a word next to the time joins it to another one, or names a span or minutes that were not read.
    fn is_of_next_words(&self, at: usize, (is_before, is_behind): (bool, bool)) -> bool {
        // `at 9 or 10`, `15 or 16 o'clock`
        let is_alternative =
            self.is_alternative(at) && is_behind || self.is_one_of_two(at) && is_before;
        // `Tuesday week`
        let unit = self.words.get(at).and_then(|it| self.table.unit_of(it));
        let is_span = match unit {
            Some(Unit::Week | Unit::Weekend | Unit::Month | Unit::Year) => is_behind,
            Some(Unit::Day) | None => false,
        };
        // `quarter past noon`
        let from = longest(&self.table.clock_from, self.rest_at(at));
        let is_apart_clock = from.is_some_and(|(_, n_words)| self.is_taken(at + n_words));
        // `at 5 to 9`
        let past = longest(&self.table.clock_past, self.rest_at(at));
        let is_past = past.is_some_and(|(_, n_words)| {
            is_behind && self.table.number_at(self.words, at + n_words).is_some()
        });
        // `quarta de manha`, where the name alone may mean something else.
        let is_weekday = self.weekday_named(at).is_some() && (is_before || is_behind);
        is_alternative || is_span || is_apart_clock || is_past || is_weekday
    }

    /// Whether a word begins a span of numbers that was not read: `between 9 and 10`, `entre las 9 y las 10`.
    fn begins_span(&self, at: usize) -> bool {
        let is_number = |at: usize| {
            let is_digit = self.plain(at).starts_with(|it: char| it.is_ascii_digit());
            is_digit || self.table.number_at(self.words, at).is_some()
        };
        // An article or a preposition may stand before the number.
        let has_number = |at: usize| {
            is_number(at) || self.plain(at).len() <= SMALL_WORD_BYTES_MAX && is_number(at + 1)
        };
        let mut patterns = self
            .table
            .between
            .iter()
            .filter_map(|it| it.split_once(' '));
        patterns.any(|(opening, joining)| {
            let mut joints = at + 2..at + 2 + SPAN_WORDS_MAX;
            self.plain(at) == opening
                && has_number(at + 1)
                && joints.any(|it| self.plain(it) == joining && has_number(it + 1))
        })
    }

    /// Whether a word is a day that no month has: `on the 32nd`.
    fn is_no_day(&self, at: usize) -> bool {
        let word = self.plain(at);
        let n_digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, ending) = word.split_at_checked(n_digits).unwrap_or_default();
        let is_ordinal = DAY_ENDINGS.contains(&ending);
        let is_beyond = digits.parse().is_ok_and(|it: u32| !(1..=31).contains(&it));
        let before = |n: usize| at.checked_sub(n).map_or("", |it| self.plain(it));
        let is_on = self
            .table
            .on
            .iter()
            .any(|it| it == before(2) || it == before(1));
        is_ordinal && is_beyond && is_on
    }

    pub(super) fn n_bytes(&self) -> usize {
        let own = self.words.iter().zip(&self.taken);
        let own = own.filter(|(_, is_taken)| **is_taken);
        own.map(|(word, _)| word.range.len()).sum()
    }

    /// The text without the words of the time.
    pub(super) fn rest(&self) -> String {
        let mut rest = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (word, _) in self.words.iter().zip(&self.taken).filter(|(_, it)| **it) {
            rest.push_str(self.text.get(copied..word.range.start).unwrap_or_default());
            rest.push('\u{0}');
            copied = word.range.end;
        }
        rest.push_str(self.text.get(copied..).unwrap_or_default());
        let is_mark = |c: char| {
            matches!(c, '\u{0}' | '.' | ',' | ':' | ';' | '-' | '\'') || c.is_whitespace()
        };
        // Between two words of the time there are only signs of their own.
        let parts = rest
            .split('\u{0}')
            .filter(|part| !part.chars().all(|c| is_mark(c) || c == '/'));
        let parts: Vec<&str> = parts
            .map(|part| part.trim_matches(|c: char| is_mark(c) && c != '\''))
            .collect();
        parts
            .join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub(super) fn when(&self) -> Result<When, Unclear> {
        if let Some(unclear) = &self.unclear
            && !(self.each.is_some() && matches!(unclear, Unclear::TwoDays(..)))
        {
            return Err(unclear.clone());
        }
        if let Some(minutes) = self.distance {
            return self.after(minutes);
        }
        if let Some(each) = self.each {
            let time = self.time_on(None)?;
            return self.repeated(each, time);
        }
        let named = self.named_day()?;
        let today = self.now.date();
        if self.parts.contains(&'m') {
            return self.midnight(named);
        }
        let time = self.time_on(named)?;
        let day = match (named, self.same_weekday) {
            (Some(_), Some((today, coming))) if self.week.is_none() && self.dated.is_empty() => {
                let due = time.unwrap_or(HOUR_ASSUMED);
                if self.now.time() < due {
                    return Err(Unclear::TwoDays(today.into(), coming.into()));
                }
                coming
            }
            (Some(day), _) => day,
            (None, _) => time.map(|_| today).ok_or(Unclear::NoHour)?,
        };
        let has_passed =
            day < today || day == today && time.is_some_and(|it| it <= self.now.time());
        match time {
            _ if has_passed => Err(Unclear::Passed),
            None if day == today || !self.parts.is_empty() => Err(Unclear::NoHour),
            Some(time) => self.shown_once(day.and_time(time)).map(|()| When {
                day: day.into(),
                time: Some(time),
                every: None,
            }),
            None => Ok(When {
                day: day.into(),
                time,
                every: None,
            }),
        }
    }

    /// Refuses a local time that a change of the clocks skips or repeats.
    pub(super) fn shown_once(&self, local: NaiveDateTime) -> Result<(), Unclear> {
        let zone = self.instant.map(|it| it.timezone());
        match zone.map(|zone| zone.from_local_datetime(&local)) {
            None | Some(LocalResult::Single(_)) => Ok(()),
            Some(LocalResult::Ambiguous(..)) => Err(Unclear::Twice),
            Some(LocalResult::None) => Err(Unclear::Skipped),
        }
    }

    /// A distance from now.
    fn after(&self, minutes: i32) -> Result<When, Unclear> {
        let is_alone = self.days.is_empty() && self.clocks.is_empty() && self.each.is_none();
        let distance = TimeDelta::minutes(minutes.into());
        let there = match self.instant {
            Some(now) => now.checked_add_signed(distance).map(|it| it.naive_local()),
            None => self.now.checked_add_signed(distance),
        };
        let there = there.filter(|_| is_alone).ok_or(Unclear::SeveralTimes)?;
        Ok(When {
            day: there.date().into(),
            time: NaiveTime::from_hms_opt(there.hour(), there.minute(), 0),
            every: None,
        })
    }

    /// Midnight: the next one, unless a day is named, which has two.
    fn midnight(&self, named: Option<NaiveDate>) -> Result<When, Unclear> {
        if self
            .clocks
            .iter()
            .any(|it| it.hour % 12 != 0 || it.minute != 0)
        {
            return Err(Unclear::SeveralTimes);
        }
        let today = self.now.date();
        if let Some(day) = named.filter(|it| *it != today) {
            return Err(Unclear::Midnight(day.into()));
        }
        let day = today.succ_opt().ok_or(Unclear::NoDay)?;
        Ok(When {
            day: day.into(),
            time: Some(NaiveTime::MIN),
            every: None,
        })
    }

    /// The one day that is named; `None` if none is.
    fn named_day(&self) -> Result<Option<NaiveDate>, Unclear> {
        let today = self.now.date();
        let mut days = self.days.clone();
        if self.is_today {
            days.insert(today);
        }
        if let Some(weeks) = self.week {
            let weekday = self.weekdays.first().copied().ok_or(Unclear::NoDay)?;
            let own = resolve(SpanMeaning::WeekdayOfWeek(weekday, weeks), today);
            days = own.map(|it| it.first.date()).into_iter().collect();
        }
        if !self.dated.is_empty() {
            // A weekday beside a date says the same, or nothing is certain.
            let weekday = |it: &NaiveDate| it.weekday().num_days_from_monday();
            let is_same = self
                .weekdays
                .iter()
                .all(|own| self.dated.iter().all(|it| weekday(it) == *own));
            if is_same && !self.is_today {
                days.clone_from(&self.dated);
            }
        }
        let is_one = days.len() <= 1 && self.weekdays.len() <= 1;
        if !is_one {
            return Err(Unclear::SeveralDays);
        }
        Ok(days.first().copied())
    }

    /// The parts of the day that are named, in words or at an hour.
    fn all_parts(&self) -> BTreeSet<char> {
        let mut parts = self.parts.clone();
        parts.extend(self.clocks.iter().filter_map(|it| it.part));
        parts
    }

    /// The time of day on a day, if one is named; without a day, the next time that the clock shows it.
    fn time_on(&self, named: Option<NaiveDate>) -> Result<Option<NaiveTime>, Unclear> {
        let parts = self.all_parts();
        if self.clocks.len() > 1 {
            return Err(Unclear::SeveralTimes);
        }
        let Some(clock) = self.clocks.first() else {
            let alone = match parts.first() {
                Some('n') => NaiveTime::from_hms_opt(12, 0, 0),
                Some('m') => Some(NaiveTime::MIN),
                _ => None,
            };
            return match alone {
                Some(_) if parts.len() > 1 => Err(Unclear::SeveralTimes),
                alone => Ok(alone),
            };
        };
        let Clock { hour, minute, .. } = *clock;
        let unsure = Unclear::HalfOfDay(hour, minute);
        if !parts.is_empty() {
            let hours: BTreeSet<Option<i32>> = parts
                .iter()
                .map(|part| hour_of(*part, hour, &self.dated))
                .collect();
            return match (hours.len(), hours.first()) {
                (1, Some(Some(hour))) => Ok(at_clock(*hour, minute)),
                _ if hour > 12 => Err(Unclear::OtherPart(hour, minute)),
                _ => Err(unsure),
            };
        }
        let is_sure = clock.is_of_24 || hour >= 7;
        let today = self.now.date();
        if clock.is_of_24 || named.is_some_and(|it| it != today) || self.each.is_some() {
            return at_clock(hour, minute)
                .filter(|_| is_sure)
                .map(Some)
                .ok_or(unsure);
        }
        let is_ahead = |time: &NaiveTime| *time > self.now.time();
        let both = self.clock_readings(clock);
        let ahead: Vec<NaiveTime> = both.iter().copied().filter(is_ahead).collect();
        match ahead.as_slice() {
            _ if named.is_some() && hour >= 7 => Ok(at_clock(hour, minute)),
            [one] => Ok(Some(*one)),
            [one, _] if hour >= 7 => Ok(Some(*one)),
            [_, ..] => Err(unsure),
            [] => Err(Unclear::Passed),
        }
    }

    /// The times of day that an hour may mean, earliest first.
    pub(super) fn clock_readings(&self, clock: &Clock) -> Vec<NaiveTime> {
        let parts = self.all_parts();
        let hours = match parts.len() {
            0 if clock.is_of_24 || clock.hour == 12 => vec![clock.hour],
            0 => vec![clock.hour, clock.hour + 12],
            _ => {
                let dated = [self.now.date()].into();
                let of_parts = parts.iter();
                let read = of_parts.filter_map(|it| hour_of(*it, clock.hour, &dated));
                let read: BTreeSet<i32> = read.collect();
                if read.is_empty() {
                    vec![clock.hour, clock.hour + 12]
                } else {
                    read.into_iter().collect()
                }
            }
        };
        let times = hours.into_iter();
        times.filter_map(|it| at_clock(it, clock.minute)).collect()
    }

    fn repeated(&self, each: Each, time: Option<NaiveTime>) -> Result<When, Unclear> {
        if time.is_none() && !self.parts.is_empty() {
            return Err(Unclear::NoHour);
        }
        let every = self.every(each)?;
        let today = Day::from(self.now.date());
        let is_ahead = time.unwrap_or(HOUR_ASSUMED) > self.now.time();
        let after = if is_ahead { today.previous() } else { today };
        let day = every.first_after(after).ok_or(Unclear::NoDay)?;
        Ok(When {
            day,
            time,
            every: Some(every),
        })
    }

    /// The days of a repetition.
    pub(super) fn every(&self, each: Each) -> Result<Every, Unclear> {
        if self.week.is_some() {
            return Err(Unclear::SeveralDays);
        }
        let date = self.days.first();
        Ok(match each {
            Each::Unit(Unit::Day) if self.days.is_empty() => Every::Day,
            Each::Weekday | Each::Unit(Unit::Week) if !self.weekdays.is_empty() => {
                Every::Week(self.weekdays.clone())
            }
            Each::OtherWeek if self.weekdays.len() == 1 => {
                Every::OtherWeek(self.weekdays.first().copied().unwrap_or_default())
            }
            Each::Unit(Unit::Month) if self.month_days.len() == 1 => {
                Every::Month(self.month_days.first().copied().unwrap_or(1))
            }
            Each::Unit(Unit::Year) if self.days.len() == 1 => {
                let date = date.ok_or(Unclear::NoDay)?;
                Every::Year(date.month(), date.day())
            }
            Each::Unit(_) | Each::Weekday | Each::OtherWeek => return Err(Unclear::NoDay),
        })
    }
}

fn at_clock(hour: i32, minute: i32) -> Option<NaiveTime> {
    let (hour, minute) = (u32::try_from(hour).ok()?, u32::try_from(minute).ok()?);
    NaiveTime::from_hms_opt(hour, minute, 0)
}

/// The hour of 24 that an hour means in a part of the day; `None` if that part has no such hour. A small hour of the night
/// is one of a date that is named.
fn hour_of(part: char, hour: i32, dated: &BTreeSet<NaiveDate>) -> Option<i32> {
    let is_late = |from: i32, to: i32| (from..=to).contains(&hour).then_some(hour);
    match part {
        'a' => is_late(0, 11),
        'n' if (1..=2).contains(&hour) => Some(hour + 12),
        'n' => is_late(11, 14),
        'p' if hour < 12 => Some(hour + 12),
        'p' => is_late(12, 12),
        't' if (1..=8).contains(&hour) => Some(hour + 12),
        't' => is_late(12, 20),
        'e' if (4..=11).contains(&hour) => Some(hour + 12),
        'e' => is_late(16, 23),
        'w' if (7..=11).contains(&hour) => Some(hour + 12),
        'w' if !dated.is_empty() && (0..=5).contains(&hour) => Some(hour),
        'w' => is_late(19, 23),
        _ => None,
    }
}
