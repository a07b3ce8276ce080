//! Reads the days that a time ahead is named by: dates, weekdays, days of a month, and distances.
//!
//! Never returns a day that the calendar does not have.

use chrono::{Datelike, NaiveDate};

use super::ahead::{day_and_month, next_day_of_month, next_weekday};
use super::clock::longest;
use super::due::{Each, Reading};
use super::phrase::begins;
use super::span::{SpanMeaning, Unit, resolve, shifted};
use super::time_ahead::Unclear;
use super::written::{date_in_numbers, dated_words, day_of_month};

impl Reading<'_> {
    /// The weekday that a word names, in the plural too.
    pub(super) fn weekday_named(&self, at: usize) -> Option<u32> {
        let weekday = self.weekday_ending_in(at, |ending| {
            ending.is_empty() || self.table.weekday_plurals.iter().any(|it| it == ending)
        });
        weekday.or_else(|| self.table.weekday_at(self.words, at))
    }

    /// The weekday at the start of a word whose ending `is_own` accepts.
    fn weekday_ending_in(&self, at: usize, is_own: impl Fn(&str) -> bool) -> Option<u32> {
        let lower = &self.words.get(at)?.lower;
        let plain = self.plain(at);
        self.table.weekday_like(|name| {
            let bare: String = name.chars().map(crate::plain_letter).collect();
            let rest = lower.strip_prefix(name);
            let rest = rest.or_else(|| plain.strip_prefix(bare.as_str()));
            rest.is_some_and(&is_own)
        })
    }

    /// Whether a word names a weekday only in the plural.
    pub(super) fn is_plural_weekday(&self, at: usize) -> bool {
        let is_singular = self.weekday_ending_in(at, str::is_empty).is_some();
        !is_singular
            && self.weekday_named(at).is_some()
            && self.table.weekday_at(self.words, at).is_none()
    }

    /// Number of words behind a weekday that belong to it.
    pub(super) fn n_behind(&self, at: usize) -> usize {
        let behind = &self.table.weekday_behind;
        usize::from(behind.iter().any(|it| it == self.plain(at)))
    }

    pub(super) fn take_day(&mut self, at: usize) -> Option<usize> {
        let (today, words, table) = (self.now.date(), self.words, self.table);
        if let Some(n_words) = self.take_written(at) {
            return Some(n_words);
        }
        if let Some((day, n_words)) = day_and_month(self.text, words, at, today) {
            self.add_day(day, (at, n_words));
            return Some(n_words);
        }
        if let Some(n_words) = self.n_like_date(at) {
            self.add_day(None, (at, n_words));
            return Some(n_words);
        }
        if let Some(n_words) = self.take_counted_from(at) {
            return Some(n_words);
        }
        if let Some(n_words) = self.take_weekday(at) {
            return Some(n_words);
        }
        if let Some((time, n_words)) = table.named(self.rest_at(at), str::eq) {
            self.take_meaning(time.meaning);
            return Some(n_words);
        }
        if let Some((time, n_words)) = table.counted(words, at) {
            self.take_meaning(time.meaning);
            return Some(n_words);
        }
        let day = self.day_of_month_at(at)?;
        self.month_days.insert(day);
        let next = next_day_of_month(day, today);
        self.dated.extend(next);
        self.days.extend(next);
        let is_of = self.table.of.iter().any(|it| it == self.plain(at + 1));
        Some(1 + usize::from(is_of && self.begins_each(at + 2)))
    }

    fn begins_each(&self, at: usize) -> bool {
        let mut each = self.table.each.iter();
        each.any(|it| begins(self.rest_at(at), it, str::eq).is_some())
    }

    /// The number of words of digits in the form of a date, whether the calendar has it or not: `2026-02-30`.
    fn n_like_date(&self, at: usize) -> Option<usize> {
        let own = self.words.get(at..at + 3)?;
        let [first, second, third] = own else {
            return None;
        };
        let is_number = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
        let gap = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let gaps = [
            gap(first.range.end, second.range.start),
            gap(second.range.end, third.range.start),
        ];
        let [one, other] = gaps;
        let is_joined = one == other && matches!(one, "-" | "/" | ".");
        let lengths = own.iter().map(|it| it.plain.len()).collect::<Vec<_>>();
        let is_dated = matches!(lengths.as_slice(), [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4]);
        let is_date = own.iter().all(|it| is_number(&it.plain)) && is_joined && is_dated;
        is_date.then_some(3)
    }

    /// A date in digits or with the name of a month.
    fn take_written(&mut self, at: usize) -> Option<usize> {
        let today = self.now.date();
        let in_digits = date_in_numbers(self.text, self.words, at);
        let named = (at..at + 3).filter_map(|it| dated_words(self.words, it));
        let mut named = named.filter(|(_, own)| own.start == at);
        let (date, own) = in_digits.or_else(|| named.next())?;
        let (Some(month), Some(day)) = (date.month, date.day) else {
            self.unclear = Some(Unclear::NoDay);
            return Some(own.len());
        };
        let first = self.words.get(at)?;
        let is_slashed = self.text.get(first.range.end..)?.starts_with('/');
        let years = date
            .year
            .map_or(today.year()..=today.year() + 8, |it| it..=it);
        let mut days = years.filter_map(|year| NaiveDate::from_ymd_opt(year, month, day));
        let found = days.find(|it| date.year.is_some() || *it >= today);
        self.add_day(found, (own.start, own.len()));
        let swapped = date
            .year
            .and_then(|year| NaiveDate::from_ymd_opt(year, day, month));
        if let (true, Some(one), Some(other)) = (is_slashed, found, swapped)
            && first.plain.len() < 4
            && one != other
        {
            self.unclear = Some(Unclear::TwoDays(one.into(), other.into()));
        }
        Some(own.len())
    }

    /// Adds the day that words name, which the calendar may not have.
    fn add_day(&mut self, day: Option<NaiveDate>, (at, n_words): (usize, usize)) {
        self.dated.extend(day);
        if day.is_none() {
            let first = self.words.get(at).map(|it| it.range.start);
            let last = self.words.get(at + n_words - 1).map(|it| it.range.end);
            let own = first
                .zip(last)
                .and_then(|(from, to)| self.text.get(from..to));
            self.unclear = Some(Unclear::NoSuchTime(own.unwrap_or_default().to_owned()));
        }
        self.days.extend(day);
    }

    /// A distance from another day: `a week from Friday`, `two days after tomorrow`.
    fn take_counted_from(&mut self, at: usize) -> Option<usize> {
        let (today, table) = (self.now.date(), self.table);
        let one = table.one.iter();
        let one = one
            .filter_map(|it| begins(self.rest_at(at), it, str::eq))
            .max();
        let (count, n_count) = if let Some(n_words) = one {
            (1, n_words)
        } else {
            let (number, n_words) = table.number_at(self.words, at)?;
            (number.count()?, n_words)
        };
        let unit = table.unit_of(self.words.get(at + n_count)?)?;
        let behind = at + n_count + 1;
        let mut from = table.counted_from.iter();
        let n_from = from.find_map(|it| begins(self.rest_at(behind), it, str::eq))?;
        let first = behind + n_from;
        let (day, n_day) = if let Some(weekday) = self.weekday_named(first) {
            (next_weekday(weekday, today)?, 1)
        } else {
            let (time, n_words) = table.named(self.rest_at(first), str::eq)?;
            let span = resolve(time.meaning, today).filter(|it| it.n_days() == 1)?;
            (span.first.date(), n_words)
        };
        let is_todays = self.weekday_named(first) == Some(today.weekday().num_days_from_monday());
        let counted = shifted(day, unit, count)?;
        if is_todays {
            let sooner = shifted(today, unit, count)?;
            self.unclear = Some(Unclear::TwoDays(sooner.into(), counted.into()));
        }
        self.dated.insert(counted);
        self.days.insert(counted);
        Some(n_count + 1 + n_from + n_day)
    }

    fn take_weekday(&mut self, at: usize) -> Option<usize> {
        let (today, words, table) = (self.now.date(), self.words, self.table);
        let is_next = |at: usize| {
            let next = table.next_weekday.iter();
            next.filter_map(|it| begins(words.get(at..)?, it, str::eq))
                .max()
        };
        let n_next = is_next(at).filter(|n| self.weekday_named(at + n).is_some());
        let of_week = table.weekday_of.get(self.plain(at));
        let is_of_week = of_week.is_some() && self.weekday_named(at + 1).is_some();
        let n_before = n_next.unwrap_or(usize::from(is_of_week));
        let weekday = self.weekday_named(at + n_before)?;
        let n_behind = self.n_behind(at + n_before + 1);
        let is_on = at.checked_sub(1).is_some_and(|it| {
            let before = self.plain(it);
            let mut lists = table.on.iter().chain(&table.ahead_on);
            lists.any(|own| own == before)
        });
        let is_bare = table.weekday_needs_on && !is_on && n_behind + n_before == 0;
        let is_timed = table.clock_at(self.text, words, at + 1).is_some()
            || longest(&table.day_part, self.rest_at(at + 1)).is_some();
        if is_bare && !is_timed {
            return None;
        }
        let mut n_words = n_before + 1 + n_behind;
        let n_after = is_next(at + n_words);
        n_words += n_after.unwrap_or_default();
        if self.is_plural_weekday(at + n_before) {
            // As in `on Fridays`.
            self.repeat(Each::Weekday);
        }
        self.weekdays.insert(weekday);
        self.take_suffix(at + n_before);
        let coming = next_weekday(weekday, today)?;
        let later = shifted(coming, Unit::Week, 1)?;
        if is_of_week && n_next.is_none() && of_week.is_some_and(|it| *it < 0) {
            self.unclear = Some(Unclear::Passed);
        } else if n_next.is_some() || n_after.is_some() {
            let is_this_week = coming.iso_week() == today.iso_week();
            if is_this_week {
                self.unclear = Some(Unclear::TwoDays(coming.into(), later.into()));
            }
        } else if weekday == today.weekday().num_days_from_monday() {
            self.same_weekday = Some((today, coming));
        }
        self.days.insert(coming);
        Some(n_words)
    }

    /// The part of the day at the end of a weekday: `Samstagabend`.
    pub(super) fn take_suffix(&mut self, at: usize) {
        let Some(word) = self.words.get(at) else {
            return;
        };
        let parts = self.table.day_part.iter();
        let part =
            parts.filter(|(name, _)| word.plain.ends_with(name.as_str()) && word.plain != **name);
        let part = part.max_by_key(|(name, _)| name.len());
        let is_suffixed = self
            .table
            .day_parts
            .iter()
            .any(|it| word.lower.ends_with(it.as_str()));
        self.parts.extend(
            part.filter(|_| is_suffixed)
                .and_then(|(_, it)| it.chars().next()),
        );
    }

    fn take_meaning(&mut self, meaning: SpanMeaning) {
        let today = self.now.date();
        match meaning {
            SpanMeaning::Whole(Unit::Week, n) if n >= 0 => self.week = Some(n),
            SpanMeaning::Whole(Unit::Day, _) | SpanMeaning::Exact(..) => {
                let span = resolve(meaning, today).filter(|it| it.n_days() == 1);
                self.days.extend(span.map(|it| it.first.date()));
            }
            SpanMeaning::Whole(..)
            | SpanMeaning::Between(..)
            | SpanMeaning::Since(..)
            | SpanMeaning::MonthsOfYear(..)
            | SpanMeaning::Weekday(_)
            | SpanMeaning::WeekdayOfWeek(..) => self.unclear = Some(Unclear::NoDay),
        }
    }

    /// A day of a month right behind a word that also means each day; `None` for a count or a time of day.
    pub(super) fn day_of_month_behind(&self, at: usize) -> Option<u32> {
        let (table, words) = (self.table, self.words);
        let day = table.day_number(self.plain(at + 1))?;
        let next = words.get(at + 2);
        let is_counted = next.is_some_and(|it| {
            table.unit_of(it).is_some()
                || table.clock_units.contains_key(&it.plain)
                || table.clock_behind.contains(&it.plain)
        });
        let is_clock = table.clock_at(self.text, words, at + 1).is_some();
        (!is_counted && !is_clock).then_some(day)
    }

    /// A day of a month behind a word such as `the`.
    fn day_of_month_at(&self, at: usize) -> Option<u32> {
        let table = self.table;
        let before = at.checked_sub(1).map(|it| self.plain(it))?;
        let word = self.plain(at);
        let is_before = table.before_day.iter().any(|it| it == before);
        let day = table.day_number(word).filter(|_| is_before)?;
        let is_bare = day_of_month(word).is_some() && word.bytes().all(|it| it.is_ascii_digit());
        let next = self.words.get(at + 1);
        let is_counted = next.is_some_and(|it| table.unit_of(it).is_some());
        let end = self.words.get(at)?.range.end;
        let rest = self.text.get(end..).unwrap_or_default();
        let is_dotted = rest.starts_with('.') && rest.chars().nth(1).is_some_and(|it| it == ' ');
        let is_ended = rest.trim_start_matches(['.', ' ']).is_empty() || rest.starts_with(',');
        let is_of_each = table
            .of
            .iter()
            .any(|it| next.is_some_and(|next| next.plain == *it))
            && self.begins_each(at + 2);
        let is_timed = is_of_each || next.is_some_and(|it| table.at_time.contains(&it.plain));
        let is_on = table.on.iter().any(|it| it == before);
        let is_day = if table.day_needs_ending {
            !is_bare || is_of_each
        } else {
            is_ended || is_timed || is_on || is_dotted
        };
        (is_day && !is_counted).then_some(day)
    }
}
