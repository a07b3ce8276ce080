//! The notices about reminders, in the language of the message that asks for them.
//!
//! Contains no words: they are in the language files.

use base::Day;
use base::dates::{Every, Unclear};
use serde::Deserialize;

use crate::language::{default_language, reply_language};
use crate::reminder::reminder_asked;

/// The sentences of a language about reminders, with placeholders in braces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReminderWords {
    weekdays: [String; 7],
    made: String,
    made_about: String,
    known: String,
    done: String,
    dropped: String,
    taken_back: String,
    as_before: String,
    about: String,
    not_made: String,
    or: String,
    no_text: String,
    no_time: String,
    unsure: String,
    every_day: String,
    every_week: String,
    other_week: String,
    every_month: String,
    every_year: String,
    at: String,
    and: String,
    several_days: String,
    several_times: String,
    half_of_day: String,
    no_hour: String,
    passed: String,
    two_days: String,
    no_day: String,
    unread: String,
    two_readings: String,
    no_such_time: String,
    other_part: String,
    midnight: String,
    skipped: String,
    twice: String,
}

/// Why no reminder was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmade<'t> {
    /// The message does not say what to be reminded of.
    NoText,
    /// It names no time.
    NoTime,
    /// Its time is not certain.
    Unsure(&'t Unclear),
}

/// When a reminder is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueAt {
    /// The day.
    pub day: Day,
    /// The time of day, as `HH:MM`, if one was named.
    pub time: Option<String>,
    /// The repetition, if it has one.
    pub every: Option<Every>,
}

/// The words for notices about what a message asks for, in its language; `None` only if the language files are broken.
pub fn reminder_words(message: &str) -> Option<&'static ReminderWords> {
    let asked = reminder_asked(message).map(|own| own.language);
    let language = asked.or_else(|| reply_language(message, []));
    language.or_else(default_language)?.reminder_words()
}

impl ReminderWords {
    /// A time, with its weekday and its repetition.
    pub fn time(&self, due: &DueAt) -> String {
        let DueAt { day, time, every } = due;
        let weekday = self.weekday(day.weekday());
        let time = time.as_ref();
        let shown = time.map(|it| format!(" {it}")).unwrap_or_default();
        let every = every.as_ref().map(|own| {
            let at = time.map(|it| filled(&self.at, &[("time", it)]));
            format!(", {}{}", self.every(own), at.unwrap_or_default())
        });
        format!("{weekday}, {day}{shown}{}", every.unwrap_or_default())
    }

    /// A subject that brings a reminder up.
    pub fn about(&self, subject: &str) -> String {
        filled(&self.about, &[("subject", subject)])
    }

    /// The notice that a reminder was made for a time.
    pub fn made(&self, (when, text): (&str, &str), undo: &str) -> String {
        let values = [("when", when), ("text", text), ("undo", undo)];
        filled(&self.made, &values)
    }

    /// The notice that a reminder was made for a subject.
    pub fn made_about(&self, (when, text): (&str, &str), undo: &str) -> String {
        let values = [("when", when), ("text", text), ("undo", undo)];
        filled(&self.made_about, &values)
    }

    /// The notice that there is such a reminder already.
    pub fn known(&self, (when, text): (&str, &str), id: &str) -> String {
        filled(&self.known, &[("when", when), ("text", text), ("id", id)])
    }

    /// The notice that a reminder was ticked off.
    pub fn done(&self, text: &str, undo: &str) -> String {
        filled(&self.done, &[("text", text), ("undo", undo)])
    }

    /// The notice that a reminder was removed.
    pub fn dropped(&self, text: &str, undo: &str) -> String {
        filled(&self.dropped, &[("text", text), ("undo", undo)])
    }

    /// Precedes a notice about the effect of an undo.
    pub fn taken_back(&self) -> &str {
        &self.taken_back
    }

    /// The notice that a reminder is as it was before its last change.
    pub fn as_before(&self, id: &str) -> String {
        filled(&self.as_before, &[("id", id)])
    }

    /// The notice that no reminder was made, with the commands that make one.
    pub fn not_made(&self, why: Unmade<'_>, commands: &[String]) -> String {
        let why = match why {
            Unmade::NoText => self.no_text.clone(),
            Unmade::NoTime => self.no_time.clone(),
            Unmade::Unsure(why) => filled(&self.unsure, &[("why", &self.why(why))]),
        };
        let commands = commands.join(&self.or);
        filled(&self.not_made, &[("why", &why), ("commands", &commands)])
    }

    fn why(&self, why: &Unclear) -> String {
        let clock = |hour: &i32, minute: &i32| format!("{hour}:{minute:02}");
        match why {
            Unclear::SeveralDays => self.several_days.clone(),
            Unclear::SeveralTimes => self.several_times.clone(),
            Unclear::HalfOfDay(hour, minute) => {
                filled(&self.half_of_day, &[("time", &clock(hour, minute))])
            }
            Unclear::NoHour => self.no_hour.clone(),
            Unclear::Passed => self.passed.clone(),
            Unclear::TwoDays(day, other) => {
                let (day, other) = (day.to_string(), other.to_string());
                filled(&self.two_days, &[("day", &day), ("other", &other)])
            }
            Unclear::NoDay => self.no_day.clone(),
            Unclear::Unread(word) => filled(&self.unread, &[("word", word)]),
            Unclear::TwoReadings => self.two_readings.clone(),
            Unclear::NoSuchTime(typed) => filled(&self.no_such_time, &[("time", typed)]),
            Unclear::OtherPart(hour, minute) => {
                filled(&self.other_part, &[("time", &clock(hour, minute))])
            }
            Unclear::Midnight(day) => filled(&self.midnight, &[("day", &day.to_string())]),
            Unclear::Skipped => self.skipped.clone(),
            Unclear::Twice => self.twice.clone(),
        }
    }

    fn every(&self, every: &Every) -> String {
        let english = every.to_string();
        match every {
            Every::Day => self.every_day.clone(),
            Every::Week(weekdays) => {
                let names: Vec<&str> = weekdays.iter().map(|it| self.weekday(*it)).collect();
                filled(&self.every_week, &[("days", &names.join(&self.and))])
            }
            Every::OtherWeek(weekday) => {
                filled(&self.other_week, &[("days", self.weekday(*weekday))])
            }
            Every::Month(day) => {
                let nth = english.rsplit(' ').next().unwrap_or_default();
                let values = [("day", day.to_string()), ("nth", nth.to_owned())];
                filled(
                    &self.every_month,
                    &values.each_ref().map(|(name, it)| (*name, it.as_str())),
                )
            }
            Every::Year(month, day) => {
                let name = english.rsplit(' ').next().unwrap_or_default();
                let (month, day) = (month.to_string(), day.to_string());
                let values = [("day", day.as_str()), ("month", &month), ("name", name)];
                filled(&self.every_year, &values)
            }
        }
    }

    fn weekday(&self, place: u32) -> &str {
        let place = usize::try_from(place).ok();
        let name = place.and_then(|it| self.weekdays.get(it));
        name.map(String::as_str).unwrap_or_default()
    }
}

/// A sentence with its placeholders filled; the values may hold braces.
fn filled(sentence: &str, values: &[(&str, &str)]) -> String {
    let mut parts = sentence.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, behind) = part.split_once('}').unwrap_or((part, ""));
        let value = values.iter().find(|(own, _)| *own == name);
        text.push_str(value.map(|(_, it)| *it).unwrap_or_default());
        text.push_str(behind);
    }
    text
}

#[cfg(test)]
#[path = "reminder_words_tests.rs"]
mod tests;
