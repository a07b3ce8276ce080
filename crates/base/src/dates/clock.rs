//! Reads times of day: `at 9`, `9:30 pm`, `um halb zehn`, `a las 9 y media`, `21h`.
//!
//! Says whether a time may be one of the morning or of the afternoon; never decides it.

use std::collections::BTreeMap;

use super::number::Number;
use super::phrase::begins;
use super::table::{ClockOf24, DateWords};
use super::words::DateWord;

/// A time of day as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) hour: i32,
    pub(super) minute: i32,
    /// Whether its form can only be a 24-hour time, as `05:00`.
    pub(super) is_of_24: bool,
    /// The half of the day that follows the hour, as in `9pm`.
    pub(super) part: Option<char>,
}

impl Clock {
    /// A time of day that can only be one of 24 hours.
    pub(super) fn of_24(hour: i32, minute: i32) -> Self {
        Self {
            hour,
            minute,
            is_of_24: true,
            part: None,
        }
    }
}

impl DateWords {
    /// The time of day that begins at a word, and its number of words.
    pub(super) fn clock_at(
        &self,
        text: &str,
        words: &[DateWord],
        at: usize,
    ) -> Option<(Clock, usize)> {
        let phrase = |list: &[String], at: usize| {
            let rest = words.get(at..)?;
            list.iter().filter_map(|it| begins(rest, it, str::eq)).max()
        };
        let before = phrase(&self.clock_before, at);
        let mut next = at + before.unwrap_or_default();
        let (past, n_past) = self.past_at(words, next).unwrap_or_default();
        next += n_past;
        let from = words
            .get(next..)
            .and_then(|rest| longest(&self.clock_from, rest));
        next += from.map_or(0, |(_, n)| n);
        let (mut clock, n_hour, is_marked) = self.hour_at(text, words, next)?;
        next += n_hour;
        let behind = phrase(&self.clock_behind, next);
        clock.is_of_24 |=
            behind.is_some() && self.clock_of_24 == ClockOf24::Hours && is_digit(words, next - 1);
        if let Some(n) = behind {
            next += n;
            if let Some(minute) = minutes(words, next).filter(|_| clock.minute == 0) {
                (clock.minute, next) = (minute, next + 1);
            }
        }
        let plus = words
            .get(next..)
            .and_then(|rest| longest(&self.clock_plus, rest))
            .map(|(minutes, n_words)| (*minutes, n_words));
        let plus = plus.or_else(|| {
            let is_whole = (before.is_some() || behind.is_some()) && clock.minute == 0;
            self.minutes_behind(words, next).filter(|_| is_whole)
        });
        next += plus.map_or(0, |(_, n)| n);
        if n_past > 0 && before.is_none() && behind.is_none() {
            return None;
        }
        if before.is_none() && from.is_none() && behind.is_none() && !is_marked {
            return None;
        }
        let from = from.map(|(minutes, n_words)| (*minutes, n_words));
        let added = past + from.or(plus).map_or(0, |(minutes, _)| minutes);
        let all = clock.hour * 60 + clock.minute + added;
        (clock.hour, clock.minute) = (all.div_euclid(60), all.rem_euclid(60));
        // `en punto`
        next += phrase(&self.clock_exact, next).unwrap_or_default();
        (0..24).contains(&clock.hour).then_some((clock, next - at))
    }

    /// Minutes that words behind a whole hour add to it: `et quart`, `y veinte`.
    pub(super) fn minutes_added(&self, words: &[DateWord], at: usize) -> Option<(i32, usize)> {
        let plus = longest(&self.clock_plus, words.get(at..)?);
        let plus = plus.map(|(minutes, n_words)| (*minutes, n_words));
        plus.or_else(|| self.minutes_behind(words, at))
    }

    /// Minutes before or after the hour that follows: `ten past`.
    fn past_at(&self, words: &[DateWord], at: usize) -> Option<(i32, usize)> {
        let (number, n_words) = self.number_at(words, at)?;
        let minutes = number.count().filter(|it| (1..60).contains(it))?;
        let rest = words.get(at + n_words..)?;
        let (sign, n_sign) = longest(&self.clock_past, rest)?;
        // Between digits, some such words name a span: `9 to 5`.
        let joining = rest.get(n_sign.checked_sub(1)?)?;
        let mut between = self.between.iter().filter_map(|it| it.rsplit(' ').next());
        if number.is_digits && between.any(|it| it == joining.plain) {
            return None;
        }
        Some((sign * minutes, n_words + n_sign))
    }

    /// Minutes in words behind an hour: `y veinte`, `menos diez`.
    fn minutes_behind(&self, words: &[DateWord], at: usize) -> Option<(i32, usize)> {
        let (sign, n_sign) = longest(&self.clock_minutes, words.get(at..)?)?;
        let (number, n_words) = self.number_at(words, at + n_sign)?;
        let minutes = number.count().filter(|it| (5..60).contains(it))?;
        Some((sign * minutes, n_sign + n_words))
    }

    /// The hour at a word, with minutes behind a colon; whether its form alone makes it a time.
    fn hour_at(&self, text: &str, words: &[DateWord], at: usize) -> Option<(Clock, usize, bool)> {
        let word = words.get(at)?;
        let n_digits = word.plain.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, ending) = word.plain.split_at_checked(n_digits)?;
        let plain = |hour| Clock {
            hour,
            minute: 0,
            is_of_24: false,
            part: None,
        };
        if n_digits == 0 {
            let (number, n_words) = self.hour_in_words(words, at)?;
            let hour = number.count().filter(|it| (1..=24).contains(it))?;
            return Some((plain(hour), n_words, false));
        }
        let hour: i32 = digits
            .parse::<i32>()
            .ok()
            .filter(|it| *it < 24 && n_digits <= 2)?;
        let is_of_24 = digits.starts_with('0') || hour > 12;
        let clock = Clock {
            is_of_24,
            ..plain(hour)
        };
        if ending.is_empty() {
            return Some(self.with_minutes(text, words, (at, clock)));
        }
        let is_mark = |it: &String| it == ending;
        if self.clock_behind.iter().any(is_mark) {
            return Some((
                Clock {
                    is_of_24: is_of_24 || self.clock_of_24 >= ClockOf24::Minutes,
                    ..clock
                },
                1,
                true,
            ));
        }
        if let Some(part) = self.half(ending) {
            let part = Some(part);
            return Some((Clock { part, ..clock }, 1, true));
        }
        let minute = ending.strip_prefix('h').filter(|it| it.len() == 2);
        let minute = minute
            .and_then(|it| it.parse::<i32>().ok())
            .filter(|it| *it < 60)?;
        Some((
            Clock {
                minute,
                is_of_24: is_of_24 || self.clock_of_24 >= ClockOf24::Minutes,
                ..clock
            },
            1,
            true,
        ))
    }

    /// An hour without a word before it that makes it a time, and its number of words; `None` for a count such as `10
    /// minutes`.
    pub(super) fn hour_alone(
        &self,
        text: &str,
        words: &[DateWord],
        at: usize,
    ) -> Option<(Clock, usize)> {
        let (clock, n_words, _) = self.hour_at(text, words, at)?;
        let next = words.get(at + n_words);
        let is_counted = next.is_some_and(|it| {
            self.unit_of(it).is_some() || self.clock_units.contains_key(&it.plain)
        });
        (!is_counted && clock.hour < 24).then_some((clock, n_words))
    }

    /// An hour in words, without minutes that a joint adds: `nove e venti`.
    fn hour_in_words(&self, words: &[DateWord], at: usize) -> Option<(Number, usize)> {
        let next = words.get(at + 1);
        let is_joined = next.is_some_and(|it| self.joints.contains(&it.plain));
        let alone = words.get(..=at).filter(|_| is_joined);
        let alone = alone.and_then(|words| self.number_at(words, at));
        alone.or_else(|| self.number_at(words, at))
    }

    fn with_minutes(
        &self,
        text: &str,
        words: &[DateWord],
        (at, clock): (usize, Clock),
    ) -> (Clock, usize, bool) {
        let found = || {
            let [hour, minute] = words.get(at..at + 2)? else {
                return None;
            };
            let gap = text.get(hour.range.end..minute.range.start)?;
            let (digits, ending) = minute.plain.split_at_checked(2)?;
            let number: i32 = digits.parse::<i32>().ok().filter(|it| *it < 60)?;
            let part = self.half(ending);
            let is_time = matches!(gap, ":" | ".") && (ending.is_empty() || part.is_some());
            // A dot also parts a day from a month.
            let is_marked = gap == ":" || part.is_some();
            is_time.then_some((number, part, is_marked))
        };
        match found() {
            Some((minute, part, is_marked)) => (
                Clock {
                    minute,
                    part,
                    is_of_24: clock.is_of_24 || self.clock_of_24 >= ClockOf24::Minutes,
                    ..clock
                },
                2,
                is_marked,
            ),
            None => (clock, 1, false),
        }
    }

    /// The half of the day that an ending such as `pm` names.
    fn half(&self, ending: &str) -> Option<char> {
        let part = self.day_part.get(ending)?.chars().next()?;
        Some(part.to_ascii_lowercase())
    }
}

fn is_digit(words: &[DateWord], at: usize) -> bool {
    words
        .get(at)
        .is_some_and(|it| it.plain.bytes().all(|it| it.is_ascii_digit()))
}

/// Two digits of minutes.
fn minutes(words: &[DateWord], at: usize) -> Option<i32> {
    let word = words.get(at).filter(|it| it.plain.len() == 2)?;
    word.plain.parse().ok().filter(|it| (0..60).contains(it))
}

/// The longest phrase of a list that words begin with, and its number of words.
pub(super) fn longest<'m, T>(
    phrases: &'m BTreeMap<String, T>,
    rest: &[DateWord],
) -> Option<(&'m T, usize)> {
    let found = phrases
        .iter()
        .filter_map(|(name, own)| Some((own, begins(rest, name, str::eq)?)));
    found.max_by_key(|(_, n_words)| *n_words)
}
