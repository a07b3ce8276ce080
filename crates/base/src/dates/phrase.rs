//! Time phrases relative to today, in each language of the tables.
//!
//! Yields meanings; computes no dates.

use super::span::{SpanMeaning, Unit};
use super::table::{DateWords, Time, WordScope, same_first_letter};
use super::words::DateWord;

/// A meaning and its number of words.
pub(super) type TimeMatch = (Time, usize);

impl DateWords {
    /// The time phrase that starts at word `at`.
    pub(super) fn time_at(&self, words: &[DateWord], at: usize) -> Option<TimeMatch> {
        let rest = words.get(at..)?;
        rest.first().filter(|first| self.may_begin(first))?;
        let named = self.named(rest, |word, own| word == own);
        let found = named.or_else(|| self.weekday_of_week(rest));
        let article = at.checked_sub(1).and_then(|before| words.get(before));
        let has_article = article.is_some_and(|word| word.plain == self.article);
        let found = found.map(|(time, n_words)| {
            let is_stretch = match time.meaning {
                SpanMeaning::Whole(unit, _) => unit != Unit::Day,
                SpanMeaning::WeekdayOfWeek(..) => true,
                SpanMeaning::Exact(..)
                | SpanMeaning::Between(..)
                | SpanMeaning::Since(..)
                | SpanMeaning::MonthsOfYear(..)
                | SpanMeaning::Weekday(_) => false,
            };
            let only_asks = is_stretch && has_article && time.counts == WordScope::Everywhere;
            let counts = if only_asks {
                WordScope::InQuestions
            } else {
                time.counts
            };
            (Time { counts, ..time }, n_words)
        });
        found.or_else(|| self.counted(words, at))
    }

    /// Whether a time phrase may begin at a word: most words begin none, and trying all phrases would be too slow.
    fn may_begin(&self, word: &DateWord) -> bool {
        self.first_words.contains(&word.plain) || self.part(&word.lower).is_some()
    }

    /// The longest time phrase at the start of `rest`; `is_last` compares the last word.
    pub(super) fn named(
        &self,
        rest: &[DateWord],
        is_last: fn(&str, &str) -> bool,
    ) -> Option<TimeMatch> {
        let first = rest.first().filter(|_| !self.unspaced)?.plain.as_str();
        let times = same_first_letter(&self.times, first);
        let found = times.filter_map(|(name, time)| Some((*time, begins(rest, name, is_last)?)));
        found.max_by_key(|(_, n_words)| *n_words)
    }

    /// A weekday of a relative week: `next Friday`.
    fn weekday_of_week(&self, rest: &[DateWord]) -> Option<TimeMatch> {
        let [week, weekday, ..] = rest else {
            return None;
        };
        let weeks = *self.weekday_of.get(&week.plain)?;
        let weekday = self.weekday_like(|name| name == weekday.lower)?;
        Some((everywhere(SpanMeaning::WeekdayOfWeek(weekday, weeks)), 2))
    }

    pub(super) fn unit_of(&self, word: &DateWord) -> Option<Unit> {
        let found = self.units.get(&word.lower);
        found.or_else(|| self.units.get(&word.plain)).copied()
    }

    /// Counted units: `two days ago`, `vor 5 Tagen`, `a couple of weeks ago`, `in 3 days`.
    pub(super) fn counted(&self, words: &[DateWord], at: usize) -> Option<TimeMatch> {
        let begins = |at: usize, phrase: &str| begins(words.get(at..)?, phrase, str::eq);
        let unit = |at: usize| self.unit_of(words.get(at)?);
        let count = |at: usize| {
            let one = self.one.iter().find_map(|one| begins(at, one));
            one.map(|n_words| (1, n_words)).or_else(|| {
                let (number, n_words) = self.number_at(words, at)?;
                Some((number.count()?, n_words))
            })
        };
        let time = |unit, sign, count| {
            let meaning = SpanMeaning::Exact(unit, sign * count);
            // Future distances are seldom meant to the day.
            let counts = if sign < 0 {
                WordScope::Everywhere
            } else {
                WordScope::InQuestions
            };
            Time { meaning, counts }
        };
        let before = self.counted_before.iter().find_map(|(word, sign)| {
            let n_before = begins(at, word)?;
            let (count, n_count) = count(at + n_before)?;
            let unit = unit(at + n_before + n_count)?;
            Some((time(unit, *sign, count), n_before + n_count + 1))
        });
        let behind = |at: usize| {
            let mut all = self.counted_behind.iter();
            all.find_map(|(word, sign)| Some((*sign, begins(at, word)?)))
        };
        before
            .or_else(|| {
                let (count, n_count) = count(at)?;
                let unit = unit(at + n_count)?;
                let (sign, n_behind) = behind(at + n_count + 1)?;
                Some((time(unit, sign, count), n_count + 1 + n_behind))
            })
            .or_else(|| {
                let vague = [(&self.couple, Vague::Couple), (&self.few, Vague::Few)];
                let (vague, n_count) = vague.into_iter().find_map(|(words, vague)| {
                    let n_words = words.iter().find_map(|word| begins(at, word))?;
                    Some((vague, n_words))
                })?;
                let meaning = between(vague, unit(at + n_count)?)?;
                let (_, n_behind) = behind(at + n_count + 1).filter(|(sign, _)| *sign < 0)?;
                Some((everywhere(meaning), n_count + 1 + n_behind))
            })
    }
}

/// The number of words of `phrase` if `rest` begins with it; `is_last` compares the last word.
pub(super) fn begins(
    rest: &[DateWord],
    phrase: &str,
    is_last: fn(&str, &str) -> bool,
) -> Option<usize> {
    let mut own = phrase.split(' ').peekable();
    let mut n_words = 0;
    while let Some(part) = own.next() {
        let word = rest.get(n_words)?.plain.as_str();
        let is_here = match own.peek() {
            Some(_) => word == part,
            None => is_last(word, part),
        };
        if !is_here {
            return None;
        }
        n_words += 1;
    }
    Some(n_words)
}

fn everywhere(meaning: SpanMeaning) -> Time {
    Time {
        meaning,
        counts: WordScope::Everywhere,
    }
}

/// A vague count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vague {
    Couple,
    Few,
}

/// The days meant by a vague count of units ago: 1 to 3 units for a couple, 2 to 5 for a few.
pub(super) fn between(vague: Vague, unit: Unit) -> Option<SpanMeaning> {
    let n_days = match unit {
        Unit::Day => 1,
        Unit::Week => 7,
        Unit::Month => 30,
        Unit::Weekend | Unit::Year => return None,
    };
    Some(match vague {
        Vague::Couple => SpanMeaning::Between(-3 * n_days, -n_days),
        Vague::Few => SpanMeaning::Between(-5 * n_days, -2 * n_days),
    })
}
