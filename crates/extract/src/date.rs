//! Makes relative dates absolute: after `tomorrow` it writes the day that was meant.
//!
//! Reckons from the day on which the words were said; leaves alone what may mean two days.

mod phrase;

use base::Day;
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use base::identifier::{Kind, identifiers};
use phrase::{Meaning, Word, meaning_at, words};

/// Before the Monday of a week.
const WEEK_OF: &str = "week of ";

/// Where a date ends that is looked for, at the latest.
const DATE_CHARS_MAX: usize = 24;

/// The text with each relative date followed by the day in brackets, as in `tomorrow (2026-04-21)`; a month has its
/// year, since such a line is read years later.
pub(crate) fn absolute(text: &str, said_on: Day) -> String {
    reckoned(text, |meaning| written(meaning, said_on.date()))
}

fn reckoned(text: &str, written: impl Fn(Meaning) -> Option<String>) -> String {
    let words = words(text);
    let mut dated = String::with_capacity(text.len());
    let mut copied = 0;
    let mut index = 0;
    while index < words.len() {
        let Some((meaning, n_words)) = meaning_at(&words, index) else {
            index += 1;
            continue;
        };
        let last = words.get(index + n_words - 1);
        let end = last.map_or(copied, |word: &Word<'_>| word.end);
        index += n_words;
        let rest = text.get(end..).unwrap_or_default();
        if rest.trim_start().starts_with('(') || opens_with_date(rest) {
            continue;
        }
        let is_new = |date: &String| !text.contains(date) && !dated.contains(date);
        if let Some(date) = written(meaning).filter(is_new) {
            dated.push_str(text.get(copied..end).unwrap_or_default());
            dated.push_str(" (");
            dated.push_str(&date);
            dated.push(')');
            copied = end;
        }
    }
    dated.push_str(text.get(copied..).unwrap_or_default());
    dated
}

/// Whether a text goes on with a date of its own, as `, 2026-03-05` or ` the 5th of March`.
fn opens_with_date(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ',']);
    let rest = ["the ", "on "]
        .into_iter()
        .find_map(|word| rest.strip_prefix(word))
        .unwrap_or(rest);
    let start = base::head(rest, DATE_CHARS_MAX);
    identifiers(start)
        .first()
        .is_some_and(|found| found.kind == Kind::Date && start.starts_with(found.text))
}

/// The day, week, month or year that is meant; `None` beyond the calendar and where two days may be meant.
fn written(meaning: Meaning, said_on: NaiveDate) -> Option<String> {
    match meaning {
        Meaning::Days(n) => in_days(said_on, n).map(as_day),
        Meaning::Months(n) => in_months(said_on, n).map(as_day),
        Meaning::Week(n) => weekday_of(said_on, Weekday::Mon, n)
            .map(|monday| format!("{}{}", WEEK_OF, as_day(monday))),
        Meaning::WeekdayOfWeek(weekday, weeks) => {
            // Said on a Saturday, `last Friday` is yesterday to some and eight days ago to others.
            let is_past = weekday.num_days_from_monday() < said_on.weekday().num_days_from_monday();
            let weeks = (weeks >= 0 || !is_past).then_some(weeks)?;
            weekday_of(said_on, weekday, weeks).map(as_day)
        }
        Meaning::Month(n) => in_months(said_on, n).map(|date| date.format("%Y-%m").to_string()),
        Meaning::Year(n) => said_on
            .year()
            .checked_add(n)
            .map(|year| format!("{year:04}")),
    }
}

fn as_day(date: NaiveDate) -> String {
    date.format("%Y-%m-%d").to_string()
}

fn in_days(date: NaiveDate, n_days: i32) -> Option<NaiveDate> {
    let days = Days::new(u64::from(n_days.unsigned_abs()));
    if n_days < 0 {
        date.checked_sub_days(days)
    } else {
        date.checked_add_days(days)
    }
}

fn in_months(date: NaiveDate, n_months: i32) -> Option<NaiveDate> {
    let months = Months::new(n_months.unsigned_abs());
    if n_months < 0 {
        date.checked_sub_months(months)
    } else {
        date.checked_add_months(months)
    }
}

/// The weekday of the week that lies so many weeks from this one; weeks begin on Monday.
fn weekday_of(said_on: NaiveDate, weekday: Weekday, weeks: i32) -> Option<NaiveDate> {
    let today = i32::try_from(said_on.weekday().num_days_from_monday()).ok()?;
    let wanted = i32::try_from(weekday.num_days_from_monday()).ok()?;
    in_days(said_on, wanted - today + 7 * weeks)
}

#[cfg(test)]
#[path = "date_tests.rs"]
mod tests;
