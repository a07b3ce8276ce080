//! When a promise is brought up: at a time, at each of its repetitions, or when a conversation comes to a subject.
//!
//! Pure.

use std::fmt;

use base::Day;
use base::dates::{Every, When, time_ahead};
use chrono::{NaiveDateTime, NaiveTime};

/// Reminders without a time of day are due at this hour.
const HOUR_DEFAULT: u32 = 9;

/// When a promise is brought up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Occasion {
    /// At a time, and for a repetition again after it.
    Time {
        /// The time, as the page says.
        when: PromiseTime,
        /// The repetition.
        repeats: Option<Repetition>,
    },
    /// When a conversation comes to this subject.
    Subject(String),
}

impl Occasion {
    /// The time that was read.
    pub fn at(when: When) -> Self {
        let When { day, time, every } = when;
        Self::Time {
            when: PromiseTime { day, time },
            repeats: every.map(|every| Repetition { every, time }),
        }
    }

    /// The time, if it has one.
    pub fn when(&self) -> Option<PromiseTime> {
        match self {
            Self::Time { when, .. } => Some(*when),
            Self::Subject(_) => None,
        }
    }

    /// The repetition, if it has one.
    pub fn repeats(&self) -> Option<&Repetition> {
        match self {
            Self::Time { repeats, .. } => repeats.as_ref(),
            Self::Subject(_) => None,
        }
    }

    /// The subject, if it has one.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Time { .. } => None,
            Self::Subject(subject) => Some(subject),
        }
    }

    /// The same with another time; a subject has none.
    #[must_use]
    pub(super) fn moved_to(self, when: PromiseTime) -> Self {
        match self {
            Self::Time { repeats, .. } => Self::Time { when, repeats },
            Self::Subject(subject) => Self::Subject(subject),
        }
    }
}

/// A day, and a time of day if one was named, in the owner's zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromiseTime {
    /// The day.
    pub day: Day,
    /// The time of day.
    pub time: Option<NaiveTime>,
}

impl PromiseTime {
    /// The local time from which it is due.
    pub fn local(self) -> NaiveDateTime {
        let default = NaiveTime::from_hms_opt(HOUR_DEFAULT, 0, 0).unwrap_or_default();
        self.day.date().and_time(self.time.unwrap_or(default))
    }
}

impl fmt::Display for PromiseTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.day)?;
        let time = self.time.map(|time| time.format(" %H:%M"));
        time.map_or(Ok(()), |time| write!(formatter, "{time}"))
    }
}

/// A repetition, and the time of day of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repetition {
    /// The days.
    pub every: Every,
    /// The time of day.
    pub time: Option<NaiveTime>,
}

impl Repetition {
    /// The first time after a day.
    pub(super) fn next_after(&self, day: Day) -> Option<PromiseTime> {
        let day = self.every.next_after(day)?;
        let time = self.time;
        Some(PromiseTime { day, time })
    }

    /// Whether a time is one of its own, and not one to which the owner moved it.
    pub(super) fn has(&self, when: PromiseTime) -> bool {
        self.next_after(when.day.previous()) == Some(when)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        // A repetition means the same on every day.
        let read = time_ahead(text, NaiveDateTime::default());
        let When { time, every, .. } = read.when.ok()??;
        let every = every.filter(|_| read.rest.is_empty())?;
        Some(Self { every, time })
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.every)?;
        let time = self.time.map(|time| time.format(" at %H:%M"));
        time.map_or(Ok(()), |time| write!(formatter, "{time}"))
    }
}
