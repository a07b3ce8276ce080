//! Lists the times ahead that a text with an uncertain time may mean, in the form that the reader accepts.
//!
//! Never adds a time that the text does not name: placeholders in capitals stand for it.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::due::{Each, Reading};
use super::span::Unit;
use super::time_ahead::Unclear;
use crate::Day;

/// Maximum number of times that are listed.
const TIMES_MAX: usize = 3;

/// From this hour on, an hour without its half of the day means the morning.
const HOUR_SURE: i32 = 7;

/// The placeholder of a day.
pub(super) const DAY: &str = "YYYY-MM-DD";

/// The placeholder of a time of day.
pub(super) const TIME: &str = "HH:MM";

/// The placeholder of what to be reminded of.
pub const TEXT: &str = "TEXT";

/// The placeholder that a text still holds in the place of a day or a time of day.
pub fn placeholder_in(text: &str) -> Option<&'static str> {
    [DAY, TIME].into_iter().find(|own| text.contains(own))
}

/// A text with an example for each placeholder; that of a day is `day`.
pub fn filled(text: &str, day: Day) -> String {
    let day = day.to_string();
    let examples = [
        (DAY, day.as_str()),
        (TIME, "10:00"),
        ("WEEKDAY", "Monday"),
        ("Nth", "1st"),
        ("DAY MONTH", "1 January"),
    ];
    let mut filled = text.to_owned();
    for (placeholder, example) in examples {
        filled = filled.replace(placeholder, example);
    }
    filled
}

impl Reading<'_> {
    /// The times ahead that the text may mean, earliest first, if its time is not certain because of `why`.
    pub(super) fn meanings(&self, why: &Unclear) -> Vec<String> {
        if let Some(each) = self.each {
            return self.repetitions_meant(each, why);
        }
        if self.distance.is_some() {
            return Vec::new();
        }
        let is_ahead = |it: &NaiveDateTime| *it > self.now && self.shown_once(*it).is_ok();
        if let Unclear::Midnight(day) = why {
            let days = [Some(day.date()), day.date().succ_opt()];
            let midnights = days.into_iter().flatten();
            let midnights = midnights.map(|it| it.and_time(NaiveTime::MIN));
            return midnights.filter(is_ahead).map(written).collect();
        }
        let times = if self.has_clause {
            BTreeSet::new()
        } else {
            self.times_meant(why)
        };
        let days = self.days_meant(why, &times);
        if times.is_empty() {
            let ahead = days.iter().filter(|it| **it >= self.now.date());
            return ahead
                .take(TIMES_MAX)
                .map(|day| format!("{day} {TIME}"))
                .collect();
        }
        let paired = self.paired(why);
        let all = if paired.is_empty() {
            let all = days
                .iter()
                .flat_map(|day| times.iter().map(|time| day.and_time(*time)));
            all.collect()
        } else {
            paired
        };
        let all = all.into_iter();
        let ahead: Vec<String> = all.filter(is_ahead).take(TIMES_MAX).map(written).collect();
        if ahead.is_empty() {
            let times = times.iter().take(TIMES_MAX);
            return times
                .map(|it| format!("{DAY} {}", it.format("%H:%M")))
                .collect();
        }
        ahead
    }

    /// Several days with as many times of day: each day has its own, in the order of the text.
    fn paired(&self, why: &Unclear) -> Vec<NaiveDateTime> {
        let (days, clocks) = (&self.days_in_order, &self.clocks);
        let is_several = matches!(
            why,
            Unclear::SeveralDays | Unclear::SeveralTimes | Unclear::Unread(_)
        );
        if !is_several || days.len() < 2 || days.len() != clocks.len() {
            return Vec::new();
        }
        let pairs = days.iter().zip(clocks);
        let times = pairs.flat_map(|(day, clock)| {
            let mut times = self.clock_readings(clock);
            if clock.hour >= HOUR_SURE {
                times.truncate(1);
            }
            times.into_iter().map(|time| day.and_time(time))
        });
        let mut times: Vec<NaiveDateTime> = times.collect();
        times.sort();
        times
    }

    fn days_meant(&self, why: &Unclear, times: &BTreeSet<NaiveTime>) -> BTreeSet<NaiveDate> {
        let today = self.now.date();
        match why {
            Unclear::TwoDays(one, other) => [one.date(), other.date()].into(),
            Unclear::NoSuchTime(_) if !self.days.is_empty() => self.days.clone(),
            Unclear::NoSuchTime(_) | Unclear::NoDay => BTreeSet::new(),
            Unclear::SeveralDays
            | Unclear::SeveralTimes
            | Unclear::HalfOfDay(..)
            | Unclear::OtherPart(..)
            | Unclear::NoHour
            | Unclear::Passed
            | Unclear::Unread(_)
            | Unclear::TwoReadings
            | Unclear::Midnight(_)
            | Unclear::Skipped
            | Unclear::Twice => {
                let mut days = self.days.clone();
                if self.is_today {
                    days.insert(today);
                }
                if days.is_empty() && !times.is_empty() {
                    let is_later = times.iter().any(|it| *it > self.now.time());
                    days.extend(if is_later {
                        Some(today)
                    } else {
                        today.succ_opt()
                    });
                }
                days
            }
        }
    }

    fn times_meant(&self, why: &Unclear) -> BTreeSet<NaiveTime> {
        if matches!(why, Unclear::Skipped | Unclear::Twice) {
            return BTreeSet::new();
        }
        let is_half_open = matches!(why, Unclear::HalfOfDay(..) | Unclear::Passed);
        let clocks = self.clocks.iter();
        clocks
            .flat_map(|clock| {
                let mut times = self.clock_readings(clock);
                if clock.hour >= HOUR_SURE && !is_half_open {
                    times.truncate(1);
                }
                times
            })
            .collect()
    }

    fn repetitions_meant(&self, each: Each, why: &Unclear) -> Vec<String> {
        let every = self.every(each).map(|it| it.to_string());
        let every = every.unwrap_or_else(|_| {
            let form = match each {
                Each::Weekday | Each::Unit(Unit::Week | Unit::Weekend) => "every WEEKDAY",
                Each::OtherWeek => "every other WEEKDAY",
                Each::Unit(Unit::Day) => "every day",
                Each::Unit(Unit::Month) => "every month on the Nth",
                Each::Unit(Unit::Year) => "every year on DAY MONTH",
            };
            form.to_owned()
        });
        let times = self.times_meant(why);
        if times.is_empty() {
            return vec![format!("{every} at {TIME}")];
        }
        let times = times.iter().take(TIMES_MAX);
        times
            .map(|it| format!("{every} at {}", it.format("%H:%M")))
            .collect()
    }
}

fn written(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%d %H:%M").to_string()
}
