//! Recognises the passages that say what a newer line of `MEMORY.md` took the place of, or what the owner took back.
//!
//! Compares words and days; never decides that one fact ends another.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use base::dates::{is_calendar_word, named_days};
use base::disk::FileStat;
use base::{Day, EntryId, LineRange, Locator, Origin, Timestamp, Tz};
use chrono::Datelike;
use dreaming::clock_times;
use memory::candidates::{ReplacedValue, replaced_values, replaced_values_stat, same_words};
use memory::curated::current_value;
use memory::{RecentLog, Workspace};
use search::{CommonWords, SearchResult, Source};

use crate::knowledge::index::COMMON_WORDS;

/// The values of `MEMORY.md` that newer ones took the place of, or that the owner took back.
#[derive(Debug, Default)]
pub(crate) struct ReplacedValues(Vec<Replaced>);

/// The replaced values as last read, for as long as their files stay as they are.
#[derive(Debug, Default)]
pub(crate) struct ReplacedCache(Mutex<Option<KnownValues>>);

/// Replaced values, with the metadata of the files that they come from.
type KnownValues = ([Option<FileStat>; 2], Arc<ReplacedValues>);

/// A replaced value. What is made of its words is made when a passage first needs it: a search compares a few passages
/// with all values, and nearly all of these are about something else.
#[derive(Debug)]
struct Replaced {
    value: ReplacedValue,
    difference: OnceLock<Difference>,
}

/// What the older and the newer line share, and what only one of them says.
#[derive(Debug)]
struct Difference {
    /// The words that both lines have, without those of the calendar; those of the older one if there is no newer one.
    shared: BTreeSet<String>,
    /// The words that only the older line has, and those that only the newer one has.
    before: BTreeSet<String>,
    since: BTreeSet<String>,
    /// The days and times of day that only the older line names, and those that only the newer one names.
    moments_before: Moments,
    moments_since: Moments,
    /// All words of the older line, and all days and times of day that it names.
    words: BTreeSet<String>,
    moments: Moments,
}

/// Days and times of day.
#[derive(Debug, Default, Clone)]
struct Moments {
    days: BTreeSet<Day>,
    times: BTreeSet<(u64, u64)>,
}

impl Moments {
    /// What a text of a day names.
    fn of(text: &str, said_on: Day) -> Self {
        Self {
            days: named_days(text, said_on),
            times: clock_times(text).into_iter().collect(),
        }
    }

    fn without(&self, other: &Self) -> Self {
        Self {
            days: self.days.difference(&other.days).copied().collect(),
            times: self.times.difference(&other.times).copied().collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.days.is_empty() && self.times.is_empty()
    }

    fn n_shared(&self, other: &Self) -> usize {
        let n_days = self.days.intersection(&other.days).count();
        n_days + self.times.intersection(&other.times).count()
    }

    /// Whether a word is a part of one of these in digits: dates and times are compared as such.
    fn has_part(&self, stem: &str) -> bool {
        let Ok(figure) = stem.trim_end_matches(char::is_alphabetic).parse::<u64>() else {
            return false;
        };
        let is_of_day = |day: &Day| {
            let date = day.date();
            let parts = [date.day(), date.month(), date.year_ce().1];
            parts.into_iter().any(|part| u64::from(part) == figure)
        };
        self.days.iter().any(is_of_day)
            || self
                .times
                .iter()
                .any(|(hour, minute)| [*hour, *minute].contains(&figure))
    }
}

/// What a passage says.
struct Said<'a> {
    text: &'a str,
    stems: BTreeSet<String>,
    /// What it names, counted from its own day; found once, when a value first needs it.
    moments: OnceCell<Moments>,
}

impl Said<'_> {
    /// What a passage names; one without a day of its own is read as of the day of the change.
    fn moments(&self, passage: &ComparedPassage<'_>, changed_on: Day) -> Cow<'_, Moments> {
        match passage.day {
            Some(day) => Cow::Borrowed(self.moments.get_or_init(|| Moments::of(self.text, day))),
            None => Cow::Owned(Moments::of(self.text, changed_on)),
        }
    }
}

/// Number of words, days and times that a passage shares at least with what was taken back, if nothing else links them.
const UNTRUE_WORDS_MIN: usize = 3;

/// A passage to compare.
pub(crate) struct ComparedPassage<'a> {
    pub(crate) text: &'a str,
    /// The day on which it was said; `None` for what is older than any change.
    pub(crate) day: Option<Day>,
    pub(crate) place: &'a Locator,
    /// The entries that a note is based on.
    pub(crate) entries: &'a [EntryId],
    /// Whether the owner said it after a time; false where only its day is known.
    pub(crate) is_after: &'a dyn Fn(Timestamp) -> bool,
}

/// For a passage of which only the day is known.
pub(crate) const TIME_UNKNOWN: &dyn Fn(Timestamp) -> bool = &|_| false;

impl ReplacedCache {
    /// The values of a workspace as of now.
    pub(crate) fn values(&self, workspace: &Workspace, timezone: Tz) -> Arc<ReplacedValues> {
        // Before the values: a change in between is then read next time.
        let stat = replaced_values_stat(workspace).unwrap_or_default();
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = cached.as_ref().filter(|(of, _)| *of == stat) {
            return Arc::clone(known);
        }
        let values = Arc::new(ReplacedValues::of(workspace, timezone));
        *cached = Some((stat, Arc::clone(&values)));
        values
    }
}

impl ReplacedValues {
    /// The values of a workspace; none if the records cannot be read, which `doctor` reports.
    pub(crate) fn of(workspace: &Workspace, timezone: Tz) -> Self {
        let values = replaced_values(workspace, timezone)
            .unwrap_or_default()
            .into_iter();
        Self(values.map(Replaced::of).collect())
    }

    /// The value that a passage says and that holds no more; the latest, if there are several.
    pub(crate) fn said_in(&self, passage: &ComparedPassage<'_>) -> Option<OldValue> {
        let mut by: Vec<&Replaced> = self
            .0
            .iter()
            .filter(|own| passage.day.is_none_or(|day| day <= own.value.day))
            .collect();
        if by.is_empty() {
            return None;
        }
        let text = current_value(passage.text);
        let said = Said {
            text,
            stems: CommonWords::default().telling_stems(text),
            moments: OnceCell::new(),
        };
        by.retain(|own| own.is_said(passage, &said) && !own.is_followed_by(passage));
        let day = by.iter().map(|own| own.value.day).max()?;
        Some(OldValue {
            day,
            was_true: by.iter().all(|own| own.value.was_true),
        })
    }

    /// The day on which what a passage says ended.
    pub(crate) fn replaced_on(&self, passage: &ComparedPassage<'_>) -> Option<Day> {
        self.said_in(passage).map(|own| own.day)
    }

    /// Leaves lines out of a log that say what was never true or was taken back.
    pub(crate) fn leave_out_untrue(&self, log: &mut RecentLog) {
        // Where in its file a line stands is not known here.
        let place = Locator::new(log.name.to_string(), LineRange::line(0));
        let is_untrue = |line: &str| {
            self.is_untrue(&ComparedPassage {
                text: line,
                day: Some(log.day),
                place: &place,
                entries: &[],
                is_after: TIME_UNKNOWN,
            })
        };
        let lines = log.text.lines().zip(&log.origins);
        let left = lines.filter(|(line, _)| !is_untrue(line));
        let (lines, origins): (Vec<&str>, Vec<Origin>) = left.unzip();
        (log.text, log.origins) = (lines.join("\n"), origins);
    }

    /// Whether a passage says what was never true or was taken back.
    pub(crate) fn is_untrue(&self, passage: &ComparedPassage<'_>) -> bool {
        self.said_in(passage).is_some_and(|own| !own.was_true)
    }

    /// Marks the results of a search that say what a newer value took the place of.
    ///
    /// `is_after` tells whether a message was said after a time.
    pub(crate) fn mark(
        &self,
        workspace: &Workspace,
        results: &mut [SearchResult],
        is_after: &dyn Fn(&Locator, Timestamp) -> bool,
    ) {
        let archive = workspace.archive_path();
        for result in results {
            // What has no day holds now, except for what left MEMORY.md.
            if result.day.is_some() || result.path == archive.as_str() {
                let place = result.place();
                let is_owners = result.source == Source::Session && result.origin == Origin::Owner;
                let old = self.said_in(&ComparedPassage {
                    text: &result.text,
                    day: result.day,
                    place: &place,
                    entries: &[],
                    is_after: &|at| is_owners && is_after(&place, at),
                });
                result.replaced_on = old.map(|own| own.day);
                result.is_untrue = old.is_some_and(|own| !own.was_true);
            }
        }
    }
}

/// A value that holds no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OldValue {
    /// The day on which a newer one took its place, or on which the owner took it back.
    pub(crate) day: Day,
    /// Whether it was true until then.
    pub(crate) was_true: bool,
}

impl Replaced {
    fn of(value: ReplacedValue) -> Self {
        Self {
            value,
            difference: OnceLock::new(),
        }
    }

    fn difference(&self) -> &Difference {
        self.difference.get_or_init(|| Difference::of(&self.value))
    }

    /// Whether a passage provably says the older value, about the same thing, and nothing of the newer one.
    ///
    /// Nothing says it if no word, day or time of the older line is missing in the newer one: that adds to it.
    fn is_said(&self, passage: &ComparedPassage<'_>, said: &Said<'_>) -> bool {
        let own = self.difference();
        let rests_on = self.rests_on(passage);
        // Most of the shared words are enough where the older line rests on the passage, but not fewer: a message may say
        // several things.
        let (n_all, n_shared) = (
            own.shared.len(),
            own.shared.intersection(&said.stems).count(),
        );
        let is_of_same = n_shared == n_all || rests_on && n_shared * 2 > n_all;
        if !is_of_same || !own.since.is_disjoint(&said.stems) {
            return false;
        }
        let has_words = !own.before.is_empty() && own.before.is_subset(&said.stems);
        // A day alone says nothing of what shares no word with both lines.
        let differs_in_moment = !own.moments_before.is_empty() && !own.shared.is_empty();
        if !has_words && !differs_in_moment {
            return false;
        }
        let named = said.moments(passage, self.value.day);
        let has_moment = differs_in_moment && own.moments_before.n_shared(&named) > 0;
        let is_of_other_time = !own.moments.times.is_empty()
            && !named.times.is_empty()
            && own.moments.times.is_disjoint(&named.times);
        let is_older = (has_words || has_moment)
            && !is_of_other_time
            && own.moments_since.n_shared(&named) == 0;
        // What was true is marked; what was not is hidden, which a word or two do not justify.
        let is_enough = || {
            let n_words = own.words.intersection(&said.stems).count();
            n_words + own.moments.n_shared(&named) >= UNTRUE_WORDS_MIN
                || same_words(said.text) == same_words(&self.value.older)
        };
        is_older && (self.value.was_true || rests_on || is_enough())
    }

    /// Whether the owner said a passage after the change, on its very day.
    fn is_followed_by(&self, passage: &ComparedPassage<'_>) -> bool {
        let decided = self.value.decided_at;
        passage.day == Some(self.value.day) && decided.is_some_and(|at| (passage.is_after)(at))
    }

    /// Whether the older line rests on a passage, or on what a note rests on.
    fn rests_on(&self, passage: &ComparedPassage<'_>) -> bool {
        let place = passage.place;
        let lines = place.start_line..=place.end_line;
        self.value.evidence.iter().any(|own| {
            own.path == place.path && lines.contains(&own.line)
                || passage
                    .entries
                    .iter()
                    .any(|entry| entry.as_str() == own.key)
        })
    }
}

impl Difference {
    fn of(value: &ReplacedValue) -> Self {
        let ReplacedValue {
            older,
            newer,
            day,
            was_true,
            ..
        } = value;
        let (of_older, of_newer) = (Moments::of(older, *day), Moments::of(newer, *day));
        let words = |stems: BTreeSet<String>, moments: &Moments| -> BTreeSet<String> {
            let stems = stems.into_iter();
            stems.filter(|stem| !moments.has_part(stem)).collect()
        };
        let own = words(COMMON_WORDS.telling_stems(older), &of_older);
        let newest = words(COMMON_WORDS.telling_stems(newer), &of_newer);
        let all = |text: &str| CommonWords::default().telling_stems(text);
        let (all_older, all_newer) = (all(older), all(newer));
        let both = own
            .iter()
            .filter(|stem| newer.is_empty() || all_newer.contains(*stem));
        let mut before: BTreeSet<String> = own.difference(&all_newer).cloned().collect();
        let moments_before = of_older.without(&of_newer);
        // What was never true is said by its own words, even where the newer line denies it and has them all.
        if before.is_empty() && moments_before.is_empty() && !was_true {
            before.clone_from(&own);
        }
        Self {
            shared: both
                .filter(|stem| !is_calendar_word(stem))
                .cloned()
                .collect(),
            before,
            since: newest.difference(&all_older).cloned().collect(),
            moments_since: of_newer.without(&of_older),
            moments_before,
            words: own,
            moments: of_older,
        }
    }
}

#[cfg(test)]
#[path = "replaced_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "taken_back_tests.rs"]
mod taken_back_tests;
