//! Makes relative dates absolute: appends the meant day to `tomorrow`.
//!
//! Counts from the day on which the words were said; skips dates that may mean two days.

use std::ops::Range;

use chrono::NaiveDate;

use super::ahead::meant_ahead;
use super::planned::named_days;
use super::span::{SpanMeaning, Unit, resolve};
use super::table::{DateWords, WordScope, tables};
use super::words::{DateWord, words};
use crate::Day;
use crate::identifier::{IdentifierKind, identifiers};
use crate::sentences;

/// Maximum characters searched for a date.
const DATE_CHARS_MAX: usize = 24;

/// Maximum units of an exact distance; larger distances are never meant exactly.
const DISTANCE_MAX: u32 = 400;

/// A time phrase and the day, week, month or year that it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReckonedDate<'t> {
    /// The phrase as written.
    pub phrase: &'t str,
    /// Its meaning, such as `2026-04-21`.
    pub date: String,
    end: usize,
}

/// The time phrases of a text whose date the text does not give itself. Reads the words of one language, or of all if
/// it is unknown.
///
/// # Examples
///
/// ```
/// let said_on = "2026-04-20".parse().unwrap();
/// let found = base::dates::reckoned("vor drei Tagen", said_on, Some("de"));
/// assert_eq!(found.iter().map(|it| (it.phrase, &*it.date)).collect::<Vec<_>>(), [("vor drei Tagen", "2026-04-17")]);
/// ```
pub fn reckoned<'t>(text: &'t str, said_on: Day, language: Option<&str>) -> Vec<ReckonedDate<'t>> {
    let mut found: Vec<ReckonedDate<'t>> = Vec::new();
    for (phrase, table, meaning) in times(text, language) {
        let end = phrase.end;
        let rest = text.get(end..).unwrap_or_default();
        if rest.trim_start().starts_with('(') || opens_with_date(rest) {
            continue;
        }
        let is_new = |date: &String| {
            let mut known = found.iter().map(|it| it.date.as_str());
            !text.contains(date) && !known.any(|it| it.contains(date))
        };
        let date = written(meaning, table, said_on.date()).filter(is_new);
        let phrase = text.get(phrase).unwrap_or_default();
        found.extend(date.map(|date| ReckonedDate { phrase, date, end }));
    }
    found
}

/// The weekdays ahead that the sentences of a text name, with their dates.
fn weekdays<'t>(text: &'t str, said_on: Day, language: Option<&str>) -> Vec<ReckonedDate<'t>> {
    let mut found = Vec::new();
    let mut from = 0;
    for sentence in sentences(text) {
        let behind = text.get(from..).and_then(|rest| rest.find(sentence));
        let start = from + behind.unwrap_or_default();
        from = start + sentence.len();
        let ahead = meant_ahead(sentence, said_on.date(), language).into_iter();
        found.extend(ahead.filter(|own| own.is_weekday).map(|own| ReckonedDate {
            phrase: sentence.get(own.phrase.clone()).unwrap_or_default(),
            date: Day::from(own.day).to_string(),
            end: start + own.phrase.end,
        }));
    }
    found
}

/// Appends the day in brackets to each relative date, as in `tomorrow (2026-04-21)`; a month gets its year, since
/// the line may be read years later.
///
/// # Examples
///
/// ```
/// let said_on = "2026-04-20".parse().unwrap();
/// assert_eq!(base::dates::with_dates("vor drei Tagen", said_on, Some("de")), "vor drei Tagen (2026-04-17)");
/// ```
pub fn with_dates(text: &str, said_on: Day, language: Option<&str>) -> String {
    dated(text, reckoned(text, said_on, language))
}

/// The same for a text that plans something: a weekday without a date is the next one.
///
/// # Examples
///
/// ```
/// let said_on = "2026-11-30".parse().unwrap();
/// let dated = base::dates::with_planned_dates("On Friday I meet Paula", said_on, Some("en"));
/// assert_eq!(dated, "On Friday (2026-12-04) I meet Paula");
/// ```
pub fn with_planned_dates(text: &str, said_on: Day, language: Option<&str>) -> String {
    let mut found = reckoned(text, said_on, language);
    if found.is_empty() && named_days(text, said_on).is_empty() {
        found = weekdays(text, said_on, language);
    }
    dated(text, found)
}

fn dated(text: &str, found: Vec<ReckonedDate<'_>>) -> String {
    let mut dated = String::with_capacity(text.len());
    let mut copied = 0;
    for ReckonedDate { date, end, .. } in found {
        dated.push_str(text.get(copied..end).unwrap_or_default());
        dated.push_str(" (");
        dated.push_str(&date);
        dated.push(')');
        copied = end;
    }
    dated.push_str(text.get(copied..).unwrap_or_default());
    dated
}

/// The time phrases of a text in order, each with its bytes.
pub(super) fn times(
    text: &str,
    language: Option<&str>,
) -> Vec<(Range<usize>, &'static DateWords, SpanMeaning)> {
    let mut found = Vec::new();
    let is_known = |table: &&DateWords| language.is_none_or(|code| table.code == code);
    let (unspaced, spaced): (Vec<_>, Vec<_>) = tables().iter().partition(|it| it.unspaced);
    let spaced: Vec<&DateWords> = spaced.into_iter().filter(is_known).collect();
    let words = words(text);
    let (mut at, mut behind_time) = (0, 0);
    while at < words.len() {
        let named = spaced.iter().find_map(|table| {
            let (time, n_words) = table.time_at(&words, at)?;
            let own = words.get(at..at + n_words)?;
            let is_small = || {
                let first = text.get(own.first()?.range.clone())?;
                Some(first.starts_with(char::is_lowercase) && behind_time != at)
            };
            let counts = match time.counts {
                WordScope::Everywhere | WordScope::InTalk => true,
                WordScope::InSmallLetters => is_small() == Some(true),
                WordScope::InChecks | WordScope::InQuestions => false,
            };
            let start = own.first()?.range.start;
            let end = end_of_phrase(text, own)?;
            counts.then_some((start..end, *table, time.meaning, n_words))
        });
        match named {
            Some((phrase, table, meaning, n_words)) => {
                found.push((phrase, table, meaning));
                at += n_words;
                behind_time = at;
            }
            None => at += 1,
        }
    }
    for table in unspaced {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let named = if first.is_ascii() {
                None
            } else {
                table.unspaced_time(rest)
            };
            let next = rest.get(first.len_utf8()..).unwrap_or_default();
            let start = text.len() - rest.len();
            rest = named.map_or(next, |(_, after)| after);
            let own = named.filter(|(time, _)| time.counts == WordScope::Everywhere);
            found.extend(own.map(|(time, after)| {
                let phrase = start..text.len() - after.len();
                (phrase, table, time.meaning)
            }));
        }
    }
    found.sort_by_key(|(phrase, ..)| phrase.end);
    found
}

/// The end of a phrase and its possessive; `None` if its words are not adjacent, or are part of a longer word.
fn end_of_phrase(text: &str, own: &[DateWord]) -> Option<usize> {
    const JOINTS: [&str; 4] = [" ", "-", "'", "\u{2019}"];
    let are_together = own.windows(2).all(|pair| match pair {
        [first, second] => text
            .get(first.range.end..second.range.start)
            .is_some_and(|gap| JOINTS.contains(&gap)),
        _ => false,
    });
    let before = text.get(..own.first()?.range.start)?;
    let end = own.last()?.range.end;
    let rest = text.get(end..)?;
    let mut possessives = ["'s", "\u{2019}s"].into_iter();
    let possessive = possessives.find(|it| rest.starts_with(it));
    let ending = rest.strip_prefix('.');
    let is_in_name = before.ends_with(['-', '_', '/', '@', '\\', '.'])
        || rest.starts_with(['-', '_', '/', '@', '\\'])
        || ending.is_some_and(|it| it.starts_with(char::is_alphanumeric));
    (are_together && !is_in_name).then(|| end + possessive.map_or(0, str::len))
}

/// Whether a written date follows, as `, 2026-03-05` or ` the 5th of March`.
fn opens_with_date(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ',']);
    let mut openings = ["the ", "on "].into_iter();
    let behind = openings.find_map(|word| rest.strip_prefix(word));
    let rest = behind.unwrap_or(rest);
    let start = crate::head(rest, DATE_CHARS_MAX);
    let found = identifiers(start).into_iter().next();
    found.is_some_and(|it| it.kind == IdentifierKind::Date && start.starts_with(it.text))
}

/// The day, week, month or year that is meant; `None` if outside the calendar or ambiguous.
fn written(meaning: SpanMeaning, table: &DateWords, today: NaiveDate) -> Option<String> {
    let day = resolve(meaning, today)?.first;
    match meaning {
        SpanMeaning::Exact(_, n) if n.unsigned_abs() > DISTANCE_MAX => None,
        SpanMeaning::Whole(Unit::Year, _) | SpanMeaning::Exact(Unit::Year, _) => {
            Some(day.date().format("%Y").to_string())
        }
        SpanMeaning::Whole(Unit::Month, _) => Some(day.date().format("%Y-%m").to_string()),
        SpanMeaning::Whole(Unit::Week, _) => {
            let is_named = !table.week_of.is_empty();
            is_named.then(|| format!("{} {day}", table.week_of))
        }
        SpanMeaning::Whole(Unit::Day, _)
        | SpanMeaning::Exact(..)
        | SpanMeaning::WeekdayOfWeek(..) => Some(day.to_string()),
        SpanMeaning::Whole(Unit::Weekend, _)
        | SpanMeaning::Between(..)
        | SpanMeaning::Since(..)
        | SpanMeaning::MonthsOfYear(..)
        | SpanMeaning::Weekday(_) => None,
    }
}

#[cfg(test)]
#[path = "absolute_tests.rs"]
mod tests;
