//! Recognises phrases that name a day by its distance from today.
//!
//! Tables and matching; reckons no date.

use chrono::Weekday;

use base::identifier::is_unspaced;

/// A word and where it ends in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The word as it was written.
    pub(super) text: &'a str,
    /// The byte after it.
    pub(super) end: usize,
    /// Whether nothing but a space parts it from the word before.
    pub(super) is_adjacent: bool,
}

/// The distance that a phrase names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// So many days from today.
    Days(i32),
    /// The same day so many months away.
    Months(i32),
    /// A whole week, so many weeks away.
    Week(i32),
    /// A weekday of the week that lies so many weeks away.
    WeekdayOfWeek(Weekday, i32),
    /// A whole month.
    Month(i32),
    /// A whole year.
    Year(i32),
}

/// Single words. German `morgen` is only taken in lower case: with a capital it is the morning.
#[rustfmt::skip]
const DAYS: &[(&str, i32)] = &[
    ("today", 0), ("tonight", 0), ("tomorrow", 1), ("yesterday", -1), ("heute", 0), ("morgen", 1),
    ("\u{fc}bermorgen", 2), ("gestern", -1), ("vorgestern", -2), ("aujourd'hui", 0), ("demain", 1),
    ("hoy", 0), ("ayer", -1), ("\u{4eca}\u{5929}", 0), ("\u{660e}\u{5929}", 1),
    ("\u{6628}\u{5929}", -1), ("\u{4eca}\u{65e5}", 0), ("\u{660e}\u{65e5}", 1),
    ("\u{6628}\u{65e5}", -1),
];

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("monday", Weekday::Mon),
    ("tuesday", Weekday::Tue),
    ("wednesday", Weekday::Wed),
    ("thursday", Weekday::Thu),
    ("friday", Weekday::Fri),
    ("saturday", Weekday::Sat),
    ("sunday", Weekday::Sun),
];

/// The day of the week of a name in lower case.
fn weekday(name: &str) -> Option<Weekday> {
    let found = WEEKDAYS.iter().find(|(known, _)| *known == name);
    found.map(|(_, weekday)| *weekday)
}

#[rustfmt::skip]
const NUMBERS: &[(&str, i32)] = &[
    ("a", 1), ("an", 1), ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6),
    ("seven", 7), ("eight", 8), ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12),
];

/// Distances of more units are no dates that a person means to the day.
const DISTANCE_MAX: i32 = 400;

/// The words of a text; scripts without spaces give their words for days alone.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut offset = 0;
    let mut end_before = 0;
    for run in text.split_inclusive(is_separator) {
        let start = offset;
        offset += run.len();
        let word = run.trim_end_matches(is_separator);
        if word.is_empty() {
            continue;
        }
        let end = start + word.len();
        let is_adjacent = text.get(end_before..start) == Some(" ");
        if word.is_ascii() || !unspaced(word, start, &mut found) {
            found.push(Word {
                text: word,
                end,
                is_adjacent,
            });
        }
        end_before = end;
    }
    found
}

fn is_separator(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"'
        )
}

/// Takes the days out of a run of Chinese or Japanese; says whether there were any.
fn unspaced<'a>(run: &'a str, start: usize, found: &mut Vec<Word<'a>>) -> bool {
    let mut hits: Vec<(usize, &str)> = DAYS
        .iter()
        .filter(|(day, _)| day.starts_with(is_unspaced))
        .flat_map(|(day, _)| run.match_indices(day))
        .collect();
    hits.sort_unstable();
    for (at, day) in &hits {
        found.push(Word {
            text: day,
            end: start + at + day.len(),
            is_adjacent: false,
        });
    }
    !hits.is_empty()
}

/// What the words from `index` on mean, and how many they are.
pub(super) fn meaning_at(words: &[Word<'_>], index: usize) -> Option<(Meaning, usize)> {
    let first = base_form(words.get(index)?.text);
    let second = following(words, index, 1);
    let third = following(words, index, 2);
    let before = index
        .checked_sub(1)
        .and_then(|at| words.get(at))
        .map(|word| base_form(word.text));
    let before = before.as_deref().unwrap_or_default();
    let of_three = match (first.as_str(), second.as_str(), third.as_str()) {
        ("day", "after", "tomorrow") => Some(Meaning::Days(2)),
        ("day", "before", "yesterday") => Some(Meaning::Days(-2)),
        (number, unit, "ago") => distance_ago(number, unit),
        _ => None,
    };
    if let Some(meaning) = of_three {
        return Some((meaning, 3));
    }
    // `the last month` is a span, `last month` a month.
    let of_two = match first.as_str() {
        "next" if before != "the" => relative(&second, 1),
        "last" if before != "the" => relative(&second, -1),
        "this" => relative(&second, 0),
        _ => None,
    };
    if let Some(meaning) = of_two {
        return Some((meaning, 2));
    }
    if first == "morgen"
        && (words.get(index)?.text == "Morgen" || DAYS.iter().any(|(day, _)| *day == before))
    {
        return None;
    }
    let (_, n_days) = DAYS.iter().find(|(day, _)| *day == first)?;
    Some((Meaning::Days(*n_days), 1))
}

/// The word so many places on, where only single spaces lie between; else nothing.
fn following(words: &[Word<'_>], index: usize, n_places: usize) -> String {
    let run = words.get(index + 1..=index + n_places).unwrap_or_default();
    let is_run = run.iter().all(|word| word.is_adjacent);
    run.last()
        .filter(|_| is_run)
        .map(|word| base_form(word.text))
        .unwrap_or_default()
}

/// In lower case, without the ending of a possessive.
fn base_form(word: &str) -> String {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    lower.strip_suffix("'s").map(str::to_owned).unwrap_or(lower)
}

fn distance_ago(number: &str, unit: &str) -> Option<Meaning> {
    let named = NUMBERS
        .iter()
        .find(|(name, _)| *name == number)
        .map(|(_, value)| *value);
    let n = named
        .or_else(|| number.parse().ok())
        .filter(|n| (1..=DISTANCE_MAX).contains(n))?;
    let n = -n;
    match unit {
        "day" | "days" => Some(Meaning::Days(n)),
        "week" | "weeks" => Some(Meaning::Days(7 * n)),
        "month" | "months" => Some(Meaning::Months(n)),
        "year" | "years" => Some(Meaning::Year(n)),
        _ => None,
    }
}

fn relative(unit: &str, n: i32) -> Option<Meaning> {
    match unit {
        "month" => Some(Meaning::Month(n)),
        "year" => Some(Meaning::Year(n)),
        "week" => Some(Meaning::Week(n)),
        _ => {
            let weekday = weekday(unit)?;
            Some(Meaning::WeekdayOfWeek(weekday, n))
        }
    }
}
