//! The agenda as a calendar of the iCalendar format, for programs that show calendars.
//!
//! Times are local times without a zone, as on the page: they mean the same hour wherever the owner is.

use base::dates::Every;
use base::{Day, Timestamp, short_hash};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::agenda::AgendaReply;
use super::promises::{PromiseReply, PromiseStatus};
use crate::agenda::AgendaItem;

/// Lines are folded at this many bytes.
const LINE_BYTES_MAX: usize = 75;

/// Length of a reminder in the calendar.
const MINUTES: i64 = 15;

const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// The agenda as one calendar. Promises that are done are left out.
pub fn calendar(agenda: &AgendaReply, now: Timestamp) -> String {
    let mut lines: Vec<String> = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//openclaw//agenda//EN",
    ]
    .map(str::to_owned)
    .into();
    lines.push(format!("X-WR-CALNAME:{}", escaped("openclaw")));
    let stamp = format!("DTSTAMP:{}", now.format("%Y%m%dT%H%M%SZ"));
    let is_kept =
        |own: &&PromiseReply| matches!(own.status, PromiseStatus::Open | PromiseStatus::Told);
    for own in agenda.promises.iter().filter(is_kept) {
        // A calendar cannot show what comes up with a subject.
        let day = own.day.map(Day::date);
        lines.extend(
            day.map(|day| reminder(own, day, &stamp))
                .unwrap_or_default(),
        );
    }
    for own in &agenda.items {
        lines.extend(planned(own, &stamp));
    }
    lines.push("END:VCALENDAR".to_owned());
    lines.iter().flat_map(|line| folded(line)).collect()
}

fn reminder(own: &PromiseReply, day: NaiveDate, stamp: &str) -> Vec<String> {
    let time = own.time.as_deref();
    let time = time.and_then(|it| NaiveTime::parse_from_str(it, "%H:%M").ok());
    let mut lines = vec![
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}@openclaw", own.id),
        stamp.to_owned(),
    ];
    match time {
        Some(time) => {
            let start = day.and_time(time);
            let end = start + TimeDelta::minutes(MINUTES);
            lines.push(format!("DTSTART:{}", local(start)));
            lines.push(format!("DTEND:{}", local(end)));
        }
        None => lines.push(format!("DTSTART;VALUE=DATE:{}", date(day))),
    }
    let every = own.repeats.as_deref();
    let every = every.and_then(|it| it.split(" at ").next()?.parse::<Every>().ok());
    lines.extend(every.map(|every| format!("RRULE:{}", rule(&every))));
    lines.push(format!("SUMMARY:{}", escaped(&own.text)));
    if time.is_some() {
        lines.extend(["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S"].map(str::to_owned));
        lines.push(format!("DESCRIPTION:{}", escaped(&own.text)));
        lines.push("END:VALARM".to_owned());
    }
    lines.push("END:VEVENT".to_owned());
    lines
}

fn planned(own: &AgendaItem, stamp: &str) -> Vec<String> {
    let place = own.place.to_string();
    let id = short_hash(&format!("{}\n{place}\n{}", own.day, own.text));
    let last = own.until.unwrap_or(own.day);
    let end = last.date().succ_opt().unwrap_or(last.date());
    vec![
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{id}@openclaw"),
        stamp.to_owned(),
        format!("DTSTART;VALUE=DATE:{}", date(own.day.date())),
        format!("DTEND;VALUE=DATE:{}", date(end)),
        format!("SUMMARY:{}", escaped(&own.text)),
        format!("DESCRIPTION:{}", escaped(&place)),
        "TRANSP:TRANSPARENT".to_owned(),
        "END:VEVENT".to_owned(),
    ]
}

/// A repetition; in a shorter month, the last day stands for one that it does not have.
fn rule(every: &Every) -> String {
    let weekday = |own: &u32| {
        let place = usize::try_from(*own).ok();
        place
            .and_then(|it| WEEKDAYS.get(it))
            .copied()
            .unwrap_or_default()
    };
    let of_month = |day: u32| {
        if day <= 28 {
            return format!("BYMONTHDAY={day}");
        }
        let days: Vec<String> = (28..=day).map(|it| it.to_string()).collect();
        format!("BYMONTHDAY={};BYSETPOS=-1", days.join(","))
    };
    match every {
        Every::Day => "FREQ=DAILY".to_owned(),
        Every::Week(days) => {
            let days: Vec<&str> = days.iter().map(weekday).collect();
            format!("FREQ=WEEKLY;BYDAY={}", days.join(","))
        }
        Every::OtherWeek(day) => format!("FREQ=WEEKLY;INTERVAL=2;BYDAY={}", weekday(day)),
        Every::Month(day) => format!("FREQ=MONTHLY;{}", of_month(*day)),
        Every::Year(month, day) => format!("FREQ=YEARLY;BYMONTH={month};{}", of_month(*day)),
    }
}

fn date(day: NaiveDate) -> String {
    day.format("%Y%m%d").to_string()
}

fn local(time: NaiveDateTime) -> String {
    time.format("%Y%m%dT%H%M%S").to_string()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            other if other.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// A line with its end; continuations begin with a blank. Never parts a character.
fn folded(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    for character in line.chars() {
        if part.len() + character.len_utf8() > LINE_BYTES_MAX {
            parts.push(std::mem::replace(&mut part, " ".to_owned()));
        }
        part.push(character);
    }
    parts.push(part);
    parts
        .into_iter()
        .map(|part| format!("{part}\r\n"))
        .collect()
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
