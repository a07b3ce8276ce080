//! Finds the dates that a text may mean, each as one value, seen from the day on which it was said.
//!
//! Returns every possible reading and picks none.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate};

use super::figures::{begins, days_in_digits, lower};
use super::span::{DaySpan, SpanMeaning, Unit, resolve, shifted};
use super::table::tables;
use super::words::words;
use super::written::{WrittenDate, written_dates};
use crate::Day;

/// Maximum count of units taken for a distance between days.
const DISTANCE_MAX: u64 = 400;

/// Maximum age from which to derive a year of birth.
const AGE_MAX: u64 = 120;

/// The days, months and years that texts may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MeantDates {
    days: BTreeSet<NaiveDate>,
    months: BTreeSet<(i32, u32)>,
    years: BTreeSet<i32>,
}

/// The dates that a text said on `said_on` may mean: that day itself, the days that its words mean, and the last and
/// the next such day, month or end of a month seen from there.
///
/// # Examples
///
/// ```
/// let said_on = "2026-11-25".parse().unwrap();
/// let meant = base::dates::meant_dates("moving on the 15th, rent from January", said_on);
/// let date = |text| base::dates::written_dates(text)[0];
/// assert!(meant.include(date("2026-12-15")) && meant.include(date("2026-11-25")));
/// assert!(!meant.include(date("2026-12-16")));
/// ```
pub fn meant_dates(text: &str, said_on: Day) -> MeantDates {
    let today = said_on.date();
    let mut meant = MeantDates::default();
    meant.add_day(today);
    meant.add_month_end(today);
    // The end of a month or of the year needs no number.
    meant
        .days
        .extend(NaiveDate::from_ymd_opt(today.year(), 12, 31));
    let written = written_dates(text);
    for date in written.iter().filter(|date| date.year.is_some()) {
        meant.add_written(*date);
    }
    let named = meant.add_words(text, today);
    meant.add_numbers(text, today, named);
    meant
}

/// The parts of a date that a text names without a year: months, weekdays, and numbers that may be days of a month or
/// ages.
struct Named {
    months: BTreeSet<u32>,
    weekdays: BTreeSet<u32>,
    numbers: BTreeSet<u32>,
}

impl MeantDates {
    /// Whether a date is among them, as precise as it is written.
    pub fn include(&self, date: WrittenDate) -> bool {
        match (date.year, date.month, date.day) {
            (Some(year), Some(month), Some(day)) => {
                let day = NaiveDate::from_ymd_opt(year, month, day);
                day.is_some_and(|day| self.days.contains(&day))
            }
            (Some(year), Some(month), None) => self.months.contains(&(year, month)),
            (Some(year), None, _) => self.years.contains(&year),
            (None, ..) => false,
        }
    }

    /// Whether one of the dates is in this year, so that the year alone may name it.
    pub fn include_year(&self, year: i32) -> bool {
        self.years.contains(&year)
    }

    /// Adds the dates of another text.
    pub fn extend(&mut self, other: Self) {
        self.days.extend(other.days);
        self.months.extend(other.months);
        self.years.extend(other.years);
    }

    fn add_day(&mut self, day: NaiveDate) {
        self.days.insert(day);
        self.months.insert((day.year(), day.month()));
        self.years.insert(day.year());
    }

    /// Adds a month with its first and last day.
    fn add_month_end(&mut self, in_month: NaiveDate) {
        if let Some(span) = DaySpan::month(in_month.year(), in_month.month()) {
            self.add_day(span.first.date());
            self.add_day(span.last.date());
        }
    }

    fn add_written(&mut self, date: WrittenDate) {
        let Some(year) = date.year else { return };
        self.years.insert(year);
        match (date.month, date.day) {
            (Some(month), Some(day)) => {
                if let Some(day) = NaiveDate::from_ymd_opt(year, month, day) {
                    self.add_day(day);
                }
            }
            (Some(month), None) => {
                if let Some(first) = NaiveDate::from_ymd_opt(year, month, 1) {
                    self.add_month_end(first);
                }
            }
            (None, _) => {}
        }
    }

    /// Adds the days that the time words of every language mean.
    fn add_words(&mut self, text: &str, today: NaiveDate) -> Named {
        let (words, lower) = (words(text), lower(text));
        let bases: Vec<NaiveDate> = days_in_digits(text).chain([today]).collect();
        let (mut months, mut weekdays) = (BTreeSet::new(), BTreeSet::new());
        let mut numbers = BTreeSet::new();
        for table in tables() {
            for (_, number, unit) in table.numbers_in(&words, &lower) {
                let n = i32::try_from(number.value.min(DISTANCE_MAX)).unwrap_or(0);
                if let Some(unit) = unit.filter(|_| number.value <= DISTANCE_MAX) {
                    for base in &bases {
                        self.add_meaning(SpanMeaning::Exact(unit, n), *base);
                        self.add_meaning(SpanMeaning::Exact(unit, -n), *base);
                    }
                }
                if number.value <= AGE_MAX {
                    self.years.insert(today.year() - n);
                }
                numbers.extend(u32::try_from(number.value));
                // Where months are numbered in words.
                let month = u32::try_from(number.value)
                    .ok()
                    .filter(|own| (1..=12).contains(own));
                months.extend(month.filter(|_| table.unspaced));
            }
            for word in &words {
                months.extend(table.month_like(|name| begins(&word.lower, name)));
            }
            for meaning in table.times_in(&words, &lower) {
                if let SpanMeaning::Weekday(weekday) = meaning {
                    weekdays.insert(weekday);
                }
                self.add_meaning(meaning, today);
            }
        }
        Named {
            months,
            weekdays,
            numbers,
        }
    }

    /// Adds the days of a meaning, as precise as it is; a weekday, weekend or season may be the last or the next one.
    fn add_meaning(&mut self, meaning: SpanMeaning, today: NaiveDate) {
        let (is_to_the_day, weeks) = match meaning {
            SpanMeaning::MonthsOfYear(first, last) => {
                for year in [today.year() - 1, today.year(), today.year() + 1] {
                    for month in first..=last {
                        if let Some(first) = NaiveDate::from_ymd_opt(year, month, 1) {
                            self.add_month_end(first);
                        }
                    }
                }
                return;
            }
            SpanMeaning::Whole(Unit::Year | Unit::Month, _)
            | SpanMeaning::Exact(Unit::Year | Unit::Month, _) => (false, 0..=0),
            SpanMeaning::Whole(Unit::Weekend, _) => (true, -1..=1),
            SpanMeaning::Weekday(_) => (true, 0..=2),
            SpanMeaning::Whole(..)
            | SpanMeaning::Exact(..)
            | SpanMeaning::Between(..)
            | SpanMeaning::Since(..)
            | SpanMeaning::WeekdayOfWeek(..) => (true, 0..=0),
        };
        for span in weeks.filter_map(|n| resolve(meaning, shifted(today, Unit::Week, n)?)) {
            let n_days = usize::try_from(span.n_days()).unwrap_or(1);
            let is_year = matches!(
                meaning,
                SpanMeaning::Whole(Unit::Year, _) | SpanMeaning::Exact(Unit::Year, _)
            );
            if is_to_the_day {
                let days: Vec<NaiveDate> = span.first.date().iter_days().take(n_days).collect();
                for day in days {
                    self.add_day(day);
                }
            } else if is_year {
                self.years.insert(span.first.date().year());
            } else {
                self.add_day(span.first.date());
                self.add_month_end(span.first.date());
            }
        }
    }

    /// Adds days and months without a year, as the last and the next ones.
    fn add_numbers(&mut self, text: &str, today: NaiveDate, named: Named) {
        let Named {
            mut months,
            weekdays,
            mut numbers,
        } = named;
        let digits = text.split(|c: char| !c.is_ascii_digit());
        let digits: BTreeSet<u32> = digits.filter_map(|run| run.parse().ok()).collect();
        let named_months = months.clone();
        // As in 12.03. or 3/12.
        months.extend(digits.iter().filter(|number| **number <= 12));
        numbers.extend(digits);
        let mut years: BTreeSet<i32> = (today.year() - 1..=today.year() + 1).collect();
        let written = numbers
            .iter()
            .filter(|number| (1900..=2099).contains(*number));
        years.extend(written.filter_map(|year| i32::try_from(*year).ok()));
        for month in &named_months {
            let first = |year: &i32| NaiveDate::from_ymd_opt(*year, *month, 1);
            let all: Vec<NaiveDate> = years.iter().filter_map(first).collect();
            for first in nearest(&all, today) {
                self.add_month_end(first);
                let days = first.iter_days().take_while(|day| day.month() == *month);
                // As in the second Saturday of June.
                let is_named =
                    |day: &NaiveDate| weekdays.contains(&day.weekday().num_days_from_monday());
                days.filter(is_named).for_each(|day| self.add_day(day));
            }
        }
        let days = || numbers.iter().filter(|number| (1..=31).contains(*number));
        for (month, day) in months
            .iter()
            .flat_map(|own| days().map(move |day| (own, day)))
        {
            let such = |year: &i32| NaiveDate::from_ymd_opt(*year, *month, *day);
            let all: Vec<NaiveDate> = years.iter().filter_map(such).collect();
            for day in nearest(&all, today) {
                self.add_day(day);
            }
            for year in years
                .iter()
                .filter(|year| numbers.contains(&year.unsigned_abs()))
            {
                if let Some(day) = such(year) {
                    self.add_day(day);
                }
            }
        }
        for day in days() {
            let such = |n: i32| shifted(today.with_day(1)?, Unit::Month, n)?.with_day(*day);
            let all: Vec<NaiveDate> = (-2..=2).filter_map(such).collect();
            for day in nearest(&all, today) {
                self.add_day(day);
            }
        }
        // As in `she turned six yesterday`.
        let ages = numbers
            .iter()
            .filter(|number| u64::from(**number) <= AGE_MAX);
        let lately = self.days.iter().filter(|day| **day <= today).copied();
        let lately: Vec<NaiveDate> = lately.collect();
        for (age, day) in ages.flat_map(|age| lately.iter().map(move |day| (*age, *day))) {
            let born = i32::try_from(age)
                .ok()
                .and_then(|age| day.with_year(day.year() - age));
            self.days.extend(born);
        }
        self.years.extend(
            years
                .iter()
                .filter(|year| numbers.contains(&year.unsigned_abs())),
        );
    }
}

/// The last of some days that is not after `today`, and the first that is not before it.
fn nearest(days: &[NaiveDate], today: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    let last = days.iter().filter(|day| **day <= today).max().copied();
    let next = days.iter().filter(|day| **day >= today).min().copied();
    last.into_iter().chain(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dates that a text of Wednesday, 25 November 2026, may mean, and one that it does not.
    const MEANT: [(&str, &[&str], &str); 14] = [
        (
            "I never eat pork",
            &["2026-11-25", "2026-11-30", "2026-11"],
            "2026-12-01",
        ),
        (
            "moved in on sunday",
            &["2026-11-22", "2026-11-29"],
            "2026-11-23",
        ),
        (
            "permit on the 22nd",
            &["2026-11-22", "2026-12-22"],
            "2026-10-22",
        ),
        ("by january 10", &["2027-01-10", "2026-01-10"], "2027-01-11"),
        ("we sold it yesterday", &["2026-11-24"], "2026-11-23"),
        (
            "pause of 2 weeks",
            &["2026-12-09", "2026-11-11"],
            "2026-12-10",
        ),
        (
            "Ende Januar ist Schluss",
            &["2027-01-31", "2027-01"],
            "2027-02-28",
        ),
        (
            "by june I want the ticket",
            &["2027-06", "2026-06"],
            "2027-07",
        ),
        (
            "the flight is on 12.03.",
            &["2027-03-12", "2026-03-12"],
            "2027-03-21",
        ),
        (
            "11\u{6708}22\u{65e5}\u{3067}\u{3059}",
            &["2026-11-22"],
            "2026-11-23",
        ),
        (
            "due on 4 May 2028",
            &["2028-05-04", "2028-05"],
            "2028-05-05",
        ),
        (
            "the second Saturday of June",
            &["2027-06-12", "2026-06-13"],
            "2027-06-11",
        ),
        ("she turned six yesterday", &["2020-11-24"], "2020-11-23"),
        ("since 2019, three of us", &["2019", "2026"], "2018"),
    ];

    fn date(text: &str) -> WrittenDate {
        let mut parts = text.split('-').map(|part| part.parse().unwrap());
        WrittenDate {
            year: parts.next(),
            month: parts.next().map(i32::unsigned_abs),
            day: parts.next().map(i32::unsigned_abs),
        }
    }

    #[test]
    fn meant_dates_include_last_and_next_such_day() {
        let said_on = "2026-11-25".parse().unwrap();
        for (text, dates, other) in MEANT {
            let meant = meant_dates(text, said_on);
            for own in dates {
                assert!(meant.include(date(own)), "{text}: {own}");
            }
            assert!(!meant.include(date(other)), "{text}: {other}");
        }
    }
}
