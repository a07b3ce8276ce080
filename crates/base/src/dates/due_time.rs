//! Reads the times of day and the distances from now that a time ahead is named by, and the words that join its parts.
//!
//! Never decides which half of the day an hour is in.

use std::ops::Range;

use chrono::{DateTime, NaiveDateTime, Timelike};

use super::clock::{Clock, longest};
use super::due::Reading;
use super::phrase::begins;
use super::time_ahead::Unclear;

impl<'t> Reading<'t> {
    /// Takes little words between two words of the time: `alle 8 di domani`.
    pub(super) fn take_joining(&mut self) {
        let is_taken = |taken: &[bool], at: usize| taken.get(at) == Some(&true);
        for at in 1..self.words.len() {
            let is_of = self.table.of.iter().any(|it| it == self.plain(at));
            let is_between = is_taken(&self.taken, at - 1) && is_taken(&self.taken, at + 1);
            if let Some(taken) = self.taken.get_mut(at).filter(|_| is_of && is_between) {
                *taken = true;
            }
        }
    }

    /// A day and a time as programs write them, such as `2026-12-24T18:00` or `2026-12-24T18:00:00Z`.
    pub(super) fn take_moment(&mut self, at: usize) -> Option<usize> {
        let before = self.table.clock_before.iter();
        let before = before.filter_map(|it| begins(self.rest_at(at), it, str::eq));
        let first = at + before.max().unwrap_or_default();
        let start = self.words.get(first)?.range.start;
        let rest = self.text.get(start..)?;
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')');
        let typed = rest
            .split(ends)
            .next()?
            .trim_end_matches(['.', ':', '!', '?']);
        let (_, time) = typed
            .split_once(['T', 't'])
            .filter(|(day, _)| day.len() == 10)?;
        let typed_in_capitals = typed.to_uppercase();
        let local = if time.contains(['+', '-', 'Z', 'z']) {
            // Without a zone of the owner, it is not known which local time that is.
            let zone = self.instant?.timezone();
            let written = typed_in_capitals.replace('Z', "+00:00");
            let mut forms = ["%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%dT%H:%M%:z"].into_iter();
            let there = forms.find_map(|form| DateTime::parse_from_str(&written, form).ok());
            there?.with_timezone(&zone).naive_local()
        } else {
            let mut forms = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"].into_iter();
            forms.find_map(|form| NaiveDateTime::parse_from_str(&typed_in_capitals, form).ok())?
        };
        self.dated.insert(local.date());
        self.days.insert(local.date());
        let part = |number: u32| i32::try_from(number).ok();
        self.clocks
            .push(Clock::of_24(part(local.hour())?, part(local.minute())?));
        let words = self.rest_at(at).iter();
        Some(
            words
                .take_while(|it| it.range.start < start + typed.len())
                .count(),
        )
    }

    /// `in 20 minutes`, `in an hour and a half`, in minutes.
    pub(super) fn take_distance(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest_at(at);
        let before = self.table.counted_before.iter();
        let mut before = before.filter(|(_, sign)| **sign > 0);
        let n_before = before.find_map(|(word, _)| begins(rest, word, str::eq));
        let Some(n_before) = n_before else {
            // `two hours from now`
            let (distance, n_words) = self.distance_at(at)?;
            let behind = self.table.counted_behind.iter();
            let mut behind = behind.filter(|(_, sign)| **sign > 0);
            let n_behind =
                behind.find_map(|(word, _)| begins(self.rest_at(at + n_words), word, str::eq))?;
            self.add_distance(distance, at..at + n_words);
            return Some(n_words + n_behind);
        };
        let (mut distance, n_first) = self.distance_at(at + n_before)?;
        let mut n_words = n_before + n_first;
        let is_joint = self
            .table
            .joints
            .iter()
            .any(|it| it == self.plain(at + n_words));
        if let Some((more, n_more)) = self
            .distance_at(at + n_words + usize::from(is_joint))
            .filter(|(more, _)| *more < 60 && distance >= 60)
        {
            distance = distance.checked_add(more)?;
            n_words += usize::from(is_joint) + n_more;
        }
        self.add_distance(distance, at..at + n_words);
        Some(n_words)
    }

    /// Takes a distance; one with a sign in its number, such as `1.5`, `1/2` or `-5`, is not certain.
    fn add_distance(&mut self, distance: i32, words: Range<usize>) {
        let words = self.words.get(words).unwrap_or_default();
        let ends = words.first().zip(words.last());
        let typed = ends.and_then(|(first, last)| self.text.get(first.range.start..last.range.end));
        let signs: Vec<char> = typed.unwrap_or_default().chars().collect();
        let is_sign = |trio: &[char]| {
            matches!(trio, [before, '.' | ',' | '/' | ':', after] if before.is_ascii_digit() && after.is_ascii_digit())
                || matches!(trio, [before, '-' | '\u{2212}', after] if before.is_whitespace() && after.is_ascii_digit())
        };
        if signs.windows(3).any(is_sign) {
            self.unclear = Some(Unclear::Unread(typed.unwrap_or_default().to_owned()));
        }
        if self.distance.replace(distance).is_some() {
            self.unclear = Some(Unclear::SeveralTimes);
        }
    }

    /// A count of hours or minutes, in minutes.
    fn distance_at(&self, at: usize) -> Option<(i32, usize)> {
        let rest = self.rest_at(at);
        if let Some((minutes, n_words)) = longest(&self.table.clock_distances, rest) {
            return Some((*minutes, n_words));
        }
        let one = self.table.one.iter();
        let one = one.filter_map(|it| begins(rest, it, str::eq)).max();
        let (count, n_count) = if let Some(n_words) = one {
            (1, n_words)
        } else {
            let (number, n_words) = self.table.number_at(self.words, at)?;
            (number.count()?, n_words)
        };
        let minutes = self.table.clock_units.get(self.plain(at + n_count))?;
        Some((count.checked_mul(*minutes)?, n_count + 1))
    }

    pub(super) fn take_clock(&mut self, at: usize) -> Option<usize> {
        let Some((clock, mut n_words)) = self.table.clock_at(self.text, self.words, at) else {
            return self.take_no_clock(at);
        };
        self.clocks.push(clock);
        // `at 9 or 10`
        while self.is_alternative(at + n_words)
            && let Some((other, n_other)) =
                self.table
                    .hour_alone(self.text, self.words, at + n_words + 1)
        {
            self.clocks.push(other);
            n_words += 1 + n_other;
        }
        Some(n_words)
    }

    /// Digits behind a word of a time in the form of one that no clock shows: `at 25:00`.
    fn take_no_clock(&mut self, at: usize) -> Option<usize> {
        let before = self.table.clock_before.iter();
        let before = before.filter_map(|it| begins(self.rest_at(at), it, str::eq));
        let n_before = before.max()?;
        let typed = self.no_clock_at(at + n_before)?;
        self.unclear = Some(Unclear::NoSuchTime(typed.to_owned()));
        Some(n_before + 2)
    }

    /// Takes digits in the form of a time that no clock shows, if no time of day was read: next to one, `50:50` is no time.
    pub(super) fn take_no_clocks(&mut self) {
        if !self.clocks.is_empty() || self.distance.is_some() {
            return;
        }
        for at in 0..self.words.len() {
            let is_taken = self.taken.get(at) != Some(&false);
            if let Some(typed) = self.no_clock_at(at).filter(|_| !is_taken) {
                self.unclear = Some(Unclear::NoSuchTime(typed.to_owned()));
                self.mark(at, 2);
            }
        }
    }

    /// Two digits, a colon and two digits.
    fn no_clock_at(&self, at: usize) -> Option<&'t str> {
        let [hour, minute] = self.words.get(at..at + 2)? else {
            return None;
        };
        let typed = self.text.get(hour.range.start..minute.range.end)?;
        let (one, other) = typed.split_once(':')?;
        let is_number = |own: &str| own.len() == 2 && own.bytes().all(|it| it.is_ascii_digit());
        (is_number(one) && is_number(other)).then_some(typed)
    }

    /// Whether a word joins a number before it to the time behind it: `15 or 16 o'clock`, `on 4 and 5 December`.
    pub(super) fn is_one_of_two(&self, at: usize) -> bool {
        let (table, word) = (self.table, self.plain(at));
        let mut joining = table.or.iter().chain(&table.joints);
        let is_joint = joining.any(|it| it == word);
        let before = at.checked_sub(1).filter(|_| is_joint);
        before.is_some_and(|it| {
            self.plain(it).starts_with(|own: char| own.is_ascii_digit())
                || self.table.number_at(self.words, it).is_some()
        })
    }

    /// Whether digits are joined to the digits beside them, as in a date or a time. Once a time of day was read, other digits
    /// around a colon are a score or a ratio.
    pub(super) fn is_joined(&self, at: usize) -> bool {
        let is_timed = !self.clocks.is_empty() || self.distance.is_some();
        let is_digits = |at: usize| {
            let own = self.plain(at);
            !own.is_empty() && own.bytes().all(|it| it.is_ascii_digit())
        };
        let joins = |from: usize, other: usize| {
            let ends = self.words.get(from).zip(self.words.get(from + 1));
            let gap = ends.and_then(|(one, next)| self.text.get(one.range.end..next.range.start));
            let is_sign = match gap {
                Some("/" | ".") => true,
                Some(":") => !is_timed || self.taken.get(other) == Some(&true),
                Some(_) | None => false,
            };
            is_sign && is_digits(from) && is_digits(from + 1)
        };
        joins(at, at + 1) || at.checked_sub(1).is_some_and(|it| joins(it, it))
    }

    /// Whether a clause of its own begins at a word, right behind a day that ends another one: a time in it belongs to that
    /// clause. `buy cake on Friday and the party starts at 7`
    pub(super) fn begins_clause(&self, at: usize) -> bool {
        let is_taken = |at: usize| self.taken.get(at) == Some(&true);
        let Some(before) = at.checked_sub(1).filter(|it| is_taken(*it)) else {
            return false;
        };
        let range = |at: usize| self.words.get(at).map(|it| it.range.clone());
        let gap = range(before).zip(range(at));
        let gap = gap.and_then(|(one, other)| self.text.get(one.end..other.start));
        let is_capital = || {
            let own = range(at).and_then(|it| self.text.get(it));
            own.is_some_and(|it| it.starts_with(char::is_uppercase))
        };
        let is_apart = match gap.map(str::trim) {
            Some("," | ";") => true,
            // Otherwise the dot belongs to a date.
            Some("." | "!") => is_capital(),
            Some(_) | None => false,
        };
        let is_joint = self.table.joints.iter().any(|it| it == self.plain(at));
        let is_behind_text = (0..before).any(|it| !is_taken(it));
        let has_time = (at + 1..self.words.len()).any(is_taken);
        let is_next_taken = is_taken(at + 1);
        (is_apart || is_joint) && is_behind_text && has_time && !is_next_taken
    }

    /// Whether a word joins what is behind it to the time before it, as one of several.
    pub(super) fn is_alternative(&self, at: usize) -> bool {
        let (table, word) = (self.table, self.plain(at));
        let next = self.plain(at + 1);
        let is_digits = next.starts_with(|it: char| it.is_ascii_digit());
        let is_or = table.or.iter().any(|it| it == word);
        let is_and = table.joints.iter().any(|it| it == word);
        is_or && (is_digits || table.number_at(self.words, at + 1).is_some()) || is_and && is_digits
    }
}

#[cfg(test)]
#[path = "due_time_tests.rs"]
mod tests;
