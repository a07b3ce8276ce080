//! Times in Chinese, whose words stand side by side without spaces.
//!
//! Reads only what can mean nothing else: part of a larger number is no time.

use chrono::NaiveDate;

use super::phrases::{Vague, between};
use super::span::{DaySpan, Meaning, Unit, resolve};
use super::words::narrow;
use super::written::{last_such_day, last_such_month};

use Meaning::{Exact, MonthsOfYear, Since, Weekday, Whole};
use Unit::{Day, Month, Week, Weekend, Year};

/// Phrases, the longer before the shorter that they begin with.
const PHRASES: &[(&str, Meaning)] = &[
    ("前天", Whole(Day, -2)),
    ("昨天", Whole(Day, -1)),
    ("今天", Whole(Day, 0)),
    ("明天", Whole(Day, 1)),
    ("上周末", Whole(Weekend, -1)),
    ("这周末", Whole(Weekend, 0)),
    ("本周末", Whole(Weekend, 0)),
    ("上个星期", Whole(Week, -1)),
    ("上星期", Whole(Week, -1)),
    ("上周", Whole(Week, -1)),
    ("这周", Whole(Week, 0)),
    ("本周", Whole(Week, 0)),
    ("下周", Whole(Week, 1)),
    ("上个月", Whole(Month, -1)),
    ("上月", Whole(Month, -1)),
    ("这个月", Whole(Month, 0)),
    ("本月", Whole(Month, 0)),
    ("下个月", Whole(Month, 1)),
    ("去年", Whole(Year, -1)),
    ("今年", Whole(Year, 0)),
    ("明年", Whole(Year, 1)),
    ("上半年", MonthsOfYear(1, 6)),
    ("下半年", MonthsOfYear(7, 12)),
    ("第一季度", MonthsOfYear(1, 3)),
    ("第二季度", MonthsOfYear(4, 6)),
    ("第三季度", MonthsOfYear(7, 9)),
    ("第四季度", MonthsOfYear(10, 12)),
    ("几天前", Meaning::Between(-5, -2)),
];

/// What begins the name of a day of the week.
const WEEKDAYS: [&str; 3] = ["星期", "礼拜", "周"];

const DIGITS: [char; 11] = [
    '零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十',
];

/// The first time that a text names in such words.
pub(super) fn unspaced_span(text: &str, today: NaiveDate) -> Option<DaySpan> {
    let text: String = text.chars().map(narrow).collect();
    let mut before = None;
    text.char_indices().find_map(|(at, character)| {
        let (_, rest) = text.split_at_checked(at)?;
        span_at(rest, before.replace(character), today)
    })
}

fn span_at(rest: &str, before: Option<char>, today: NaiveDate) -> Option<DaySpan> {
    if let Some((_, meaning)) = PHRASES.iter().find(|(phrase, _)| rest.starts_with(phrase)) {
        return resolve(*meaning, today);
    }
    for since in ["最近", "过去"] {
        if let Some(after) = rest.strip_prefix(since) {
            let (count, after) = count(after)?;
            let (unit, _) = unit(after)?;
            return resolve(Since(unit, count), today);
        }
    }
    for (vague, word) in [(Vague::Few, "几")] {
        if let Some(after) = rest.strip_prefix(word) {
            let (unit, after) = unit(after)?;
            let is_past = after.starts_with('前');
            let span = is_past.then(|| between(vague, unit)).flatten()?;
            return resolve(span, today);
        }
    }
    for name in WEEKDAYS {
        if let Some(after) = rest.strip_prefix(name)
            && let Some((day @ 1..=6, _)) = count(after)
        {
            return resolve(Weekday(u32::try_from(day - 1).ok()?), today);
        }
    }
    if before.is_some_and(is_number) {
        return None;
    }
    dated(rest, today).or_else(|| ago(rest, today))
}

/// A year with its month and day, or a part of these, as Chinese and Japanese write them.
fn dated(rest: &str, today: NaiveDate) -> Option<DaySpan> {
    let (first, after) = count(rest)?;
    let (year, month, after) = match after.strip_prefix('年') {
        Some(after) => {
            let (month, after) = count(after)?;
            (Some(first), month, after)
        }
        None => (None, first, after),
    };
    let after = after.strip_prefix('月')?;
    let month = u32::try_from(month)
        .ok()
        .filter(|month| (1..=12).contains(month))?;
    let day = count(after)
        .and_then(|(day, after)| after.starts_with('日').then_some(u32::try_from(day).ok()?));
    match (year, day) {
        (Some(year), Some(day)) => NaiveDate::from_ymd_opt(year, month, day).map(DaySpan::day),
        (Some(year), None) => DaySpan::month(year, month),
        (None, Some(day)) => last_such_day(month, day, today),
        (None, None) => last_such_month(month, today),
    }
}

fn ago(rest: &str, today: NaiveDate) -> Option<DaySpan> {
    let (count, after) = count(rest)?;
    let (unit, after) = unit(after)?;
    let is_past = after.starts_with('前');
    is_past
        .then(|| resolve(Exact(unit, -count), today))
        .flatten()
}

fn unit(rest: &str) -> Option<(Unit, &str)> {
    const UNITS: [(&str, Unit); 6] = [
        ("个月", Month),
        ("个星期", Week),
        ("星期", Week),
        ("周", Week),
        ("天", Day),
        ("年", Year),
    ];
    UNITS
        .iter()
        .find_map(|(name, unit)| Some((*unit, rest.strip_prefix(name)?)))
}

/// A number at the beginning, in digits or in words up to ninety-nine; larger words are none.
fn count(rest: &str) -> Option<(i32, &str)> {
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    if end > 0 {
        let (digits, after) = rest.split_at_checked(end)?;
        return Some((digits.parse().ok()?, after));
    }
    let end = rest.find(|c: char| !is_number(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end)?;
    let digit = |c: char| {
        let found = DIGITS.iter().position(|digit| *digit == c);
        found.and_then(|value| i32::try_from(value).ok())
    };
    let characters: Vec<char> = name.chars().collect();
    let value = match characters.as_slice() {
        ['两'] => 2,
        [one] => digit(*one)?,
        ['十', ones] => 10 + digit(*ones)?,
        [tens, '十'] => digit(*tens)? * 10,
        [tens, '十', ones] => digit(*tens)? * 10 + digit(*ones)?,
        _ => return None,
    };
    Some((value, after))
}

fn is_number(character: char) -> bool {
    character.is_ascii_digit() || DIGITS.contains(&character) || "两百千万亿".contains(character)
}
