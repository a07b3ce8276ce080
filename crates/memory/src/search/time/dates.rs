//! Written dates: with numbers, or with the name of a month in several languages.
//!
//! Never guesses a day that the calendar does not have.

use chrono::{Datelike, NaiveDate};

use super::span::DaySpan;
use crate::terms::{day_of_month, is_year};

/// Names of months without accents; each begins the number of a month.
const MONTHS: [&[&str]; 12] = [
    &[
        "january",
        "jan",
        "enero",
        "janvier",
        "gennaio",
        "januar",
        "janeiro",
        "января",
        "январь",
    ],
    &[
        "february",
        "feb",
        "febrero",
        "fevrier",
        "febbraio",
        "februar",
        "fevereiro",
        "февраля",
        "февраль",
    ],
    &["march", "mar", "marzo", "mars", "marz", "марта", "март"],
    &[
        "april",
        "apr",
        "abril",
        "avril",
        "aprile",
        "апреля",
        "апрель",
    ],
    &["may", "mayo", "mai", "maggio", "maio", "мая", "май"],
    &[
        "june", "jun", "junio", "juin", "giugno", "juni", "июня", "июнь",
    ],
    &[
        "july", "jul", "julio", "juillet", "luglio", "juli", "июля", "июль",
    ],
    &["august", "aug", "agosto", "aout", "августа", "август"],
    &[
        "september",
        "sep",
        "sept",
        "septiembre",
        "septembre",
        "settembre",
        "сентября",
        "сентябрь",
    ],
    &[
        "october",
        "oct",
        "octubre",
        "octobre",
        "ottobre",
        "oktober",
        "октября",
        "октябрь",
    ],
    &[
        "november",
        "nov",
        "noviembre",
        "novembre",
        "ноября",
        "ноябрь",
    ],
    &[
        "december",
        "dec",
        "diciembre",
        "decembre",
        "dicembre",
        "dezember",
        "декабря",
        "декабрь",
    ],
];

/// The first date that is written with numbers alone: `2026-06-10`, `2024/01/15`, `01/15/2024`.
pub(super) fn in_numbers(text: &str) -> Option<DaySpan> {
    let runs = text.split(|c: char| !(c.is_ascii_digit() || "-/".contains(c)));
    runs.filter(|run| run.len() >= 8).find_map(|run| {
        let parts: Vec<&str> = run
            .split(['-', '/'])
            .filter(|part| !part.is_empty())
            .collect();
        let [first, second, third] = parts.as_slice() else {
            return None;
        };
        let (year, month, day) = if first.len() == 4 {
            (first, second, third)
        } else if third.len() == 4 && run.contains('/') {
            (third, first, second)
        } else {
            return None;
        };
        let day =
            NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
        day.map(DaySpan::day)
    })
}

/// The date whose month is named by the word at `idx`.
pub(super) fn with_month_name(words: &[String], idx: usize, today: NaiveDate) -> Option<DaySpan> {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", String::as_str);
    let month = MONTHS
        .iter()
        .position(|names| names.contains(&word(Some(idx))))?;
    let month = u32::try_from(month + 1).ok()?;
    let before = word(idx.checked_sub(1));
    let before = if matches!(before, "of" | "de") {
        word(idx.checked_sub(2))
    } else {
        before
    };
    let after = word(Some(idx + 1));
    let day_after = day_of_month(after);
    let day = day_of_month(before).or(day_after);
    let mut next = idx + 1 + usize::from(day_after.is_some());
    next += usize::from(matches!(word(Some(next)), "of" | "de" | "del"));
    let year = written_year(word(Some(next)));
    match (day, year) {
        (Some(day), Some(year)) => NaiveDate::from_ymd_opt(year, month, day).map(DaySpan::day),
        (None, Some(year)) => DaySpan::month(year, month),
        (Some(day), None) => last_such_day(month, day, today),
        // "may" and "march" are verbs too, and "mar" and "dec" are other things.
        (None, None) => ["in", "of", "since", "during", "last", "until", "by"]
            .contains(&before)
            .then(|| last_such_month(month, today))?,
    }
}

fn written_year(word: &str) -> Option<i32> {
    let is_number = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let year = word.parse().ok().filter(|year| is_number && *year > 0)?;
    (is_year(word) || year > 0).then_some(year)
}

/// The newest day of this name that is not to come.
pub(super) fn last_such_day(month: u32, day: u32, today: NaiveDate) -> Option<DaySpan> {
    // A leap day comes at least every eighth year.
    (0..=8)
        .filter_map(|back| NaiveDate::from_ymd_opt(today.year() - back, month, day))
        .find(|found| *found <= today)
        .map(DaySpan::day)
}

/// The newest month of this name that has begun.
pub(super) fn last_such_month(month: u32, today: NaiveDate) -> Option<DaySpan> {
    let year = if month <= today.month() {
        today.year()
    } else {
        today.year() - 1
    };
    DaySpan::month(year, month)
}
