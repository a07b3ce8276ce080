//! Recognises the passages that say what a newer line of `MEMORY.md` replaced, or what the owner took back.
//!
//! Compares words and days; never decides that one fact ends another.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use base::dates::{is_calendar_word, named_days};
use base::disk::FileStat;
use base::{Day, EntryId, LineRange, Locator, Origin, Timestamp, Tz, redact};
use chrono::Datelike;
use dreaming::clock_times;
use memory::candidates::{
    Candidate, Evidence, ReplacedValue, replaced_values, replaced_values_stat, same_words,
};
use memory::curated::{CuratedLine, current_value};
use memory::{RecentLine, RecentLog, Workspace, curated_lines, entries_at};
use search::{CommonWords, SearchResult, Source};

use crate::knowledge::index::COMMON_WORDS;
use crate::runtime::HomeAccess;

/// The values of `MEMORY.md` that newer ones replaced, or that the owner took back.
#[derive(Debug, Default)]
pub(crate) struct ReplacedValues(Vec<Replaced>);

/// The replaced values as last read, for as long as their files stay as they are.
#[derive(Debug, Default)]
pub(crate) struct ReplacedCache(Mutex<Option<KnownValues>>);

/// Replaced values, with the metadata of the files that they come from.
type KnownValues = ([Option<FileStat>; 2], Arc<ReplacedValues>);

/// A replaced value. Data derived from its words is computed only when a passage first needs it: a search compares a
/// few passages with all values, and nearly all of these are about something else.
#[derive(Debug)]
struct Replaced {
    value: ReplacedValue,
    difference: OnceLock<Difference>,
}

/// What the older and the newer line have in common, and what only one of them says.
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
    /// The days and times that a text of a given day names.
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

/// The content of a passage.
struct Said<'a> {
    text: &'a str,
    stems: BTreeSet<String>,
    /// The times that it names, counted from its own day; found once, when a value first needs it.
    moments: OnceCell<Moments>,
}

impl Said<'_> {
    /// The days and times that a passage names; a passage without a day of its own is read as of the day of the change.
    fn moments(&self, passage: &ComparedPassage<'_>, changed_on: Day) -> Cow<'_, Moments> {
        match passage.day {
            Some(day) => Cow::Borrowed(self.moments.get_or_init(|| Moments::of(self.text, day))),
            None => Cow::Owned(Moments::of(self.text, changed_on)),
        }
    }
}

/// Minimum number of words, days and times that a passage shares with a text that was taken back, if nothing else links
/// them.
const UNTRUE_WORDS_MIN: usize = 3;

/// A passage to compare.
pub(crate) struct ComparedPassage<'a> {
    pub(crate) text: &'a str,
    /// The day on which it was said; `None` for a passage that is older than any change.
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
        Self(still_replaced(values.map(Replaced::of).collect()))
    }

    /// The value that a passage says and that is no longer in force; the latest, if there are several.
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
            is_taken_back: by.iter().any(|own| own.value.is_taken_back),
        })
    }

    /// The line of `MEMORY.md` that replaced what a text says.
    fn line_after<'l>(&self, text: &str, lines: &'l [CuratedLine]) -> Option<&'l CuratedLine> {
        let line_of = |own: &Replaced| {
            let newer = same_words(current_value(&own.value.newer));
            let mut lines = lines.iter();
            lines.find(|line| same_words(current_value(&line.text)) == newer)
        };
        let mut named = self.0.iter().rev().filter(|own| own.is_named_in(text));
        named.find_map(line_of)
    }

    /// The day on which the value that a passage states ended.
    pub(crate) fn replaced_on(&self, passage: &ComparedPassage<'_>) -> Option<Day> {
        self.said_in(passage).map(|own| own.day)
    }

    /// Marks the lines of a log that say what a newer value replaced, and leaves out those that say what was
    /// never true or was taken back.
    pub(crate) fn mark_log(&self, log: &mut RecentLog) {
        // Where in its file a line stands is not known here.
        let place = Locator::new(log.name.to_string(), LineRange::line(0));
        let (mut texts, mut lines) = (Vec::new(), Vec::new());
        for (text, line) in log.text.lines().zip(&log.lines) {
            let old = self.said_in(&ComparedPassage {
                text,
                day: Some(log.day),
                place: &place,
                entries: &line.entries,
                is_after: TIME_UNKNOWN,
            });
            if old.is_none_or(|own| own.was_true) {
                texts.push(text);
                lines.push(RecentLine {
                    replaced_on: old.map(|own| own.day),
                    ..line.clone()
                });
            }
        }
        (log.text, log.lines) = (texts.join("\n"), lines);
    }

    /// Whether a passage says something that was never true or was taken back.
    pub(crate) fn is_untrue(&self, passage: &ComparedPassage<'_>) -> bool {
        self.said_in(passage).is_some_and(|own| !own.was_true)
    }

    /// Marks the results of a search that say what a newer value replaced.
    ///
    /// `is_after` returns whether a message was said after a time.
    pub(crate) fn mark(
        &self,
        workspace: &Workspace,
        results: &mut [SearchResult],
        is_after: &dyn Fn(&Locator, Timestamp) -> bool,
    ) {
        let archive = workspace.archive_path();
        for result in results.iter_mut() {
            // What has no day holds now, except for what left MEMORY.md.
            if result.day.is_some() || result.path == archive.as_str() {
                let place = result.place();
                let is_owners = result.source == Source::Session && result.origin == Origin::Owner;
                // A passage of several lines says more than what one of them is based on.
                let is_note = result.source == Source::Memory && place.start_line == place.end_line;
                let entries =
                    (is_note && !self.0.is_empty()).then(|| entries_at(workspace, &place));
                let old = self.said_in(&ComparedPassage {
                    text: &result.text,
                    day: result.day,
                    place: &place,
                    entries: &entries.unwrap_or_default(),
                    is_after: &|at| {
                        let mut places = iter::once(&place).chain(&result.also);
                        is_owners && places.any(|said| is_after(said, at))
                    },
                });
                // What the owner said again since is no older value.
                let is_said_again =
                    |day| result.origin == Origin::Owner && result.last_confirmed > Some(day);
                let old = old.filter(|own| !is_said_again(own.day));
                result.replaced_on = old.map(|own| own.day);
                result.is_untrue = old.is_some_and(|own| !own.was_true);
                result.is_taken_back = old.is_some_and(|own| own.is_taken_back);
                if old.is_some() {
                    // It may be later than what it is compared with, but it is not newer.
                    result.renews = None;
                }
            }
        }
        // What holds comes first; the passages of a span stay in the order of their days.
        results.sort_by_key(|it| it.replaced_on.is_some() && !it.is_of_span);
    }
}

/// Another line of `MEMORY.md` whose earlier value a new line states; `None` if the records cannot be read, which
/// `doctor` reports.
pub(crate) fn line_of_earlier_value(home: &HomeAccess, new: &Candidate) -> Option<String> {
    if new.proposal.is_change() {
        return None;
    }
    let lines = curated_lines(&home.workspace).unwrap_or_default();
    let lines: Vec<CuratedLine> = lines
        .into_iter()
        .filter(|line| line.id() != Some(new.id.as_str()))
        .collect();
    let values = home.replaced();
    let line = values.line_after(&new.finding, &lines)?;
    Some(redact(&line.text).into_owned())
}

/// A value that is no longer in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OldValue {
    /// The day on which a newer one took its place, or on which the owner took it back.
    pub(crate) day: Day,
    /// Whether it was true until then.
    pub(crate) was_true: bool,
    /// Whether the owner took it back.
    pub(crate) is_taken_back: bool,
}

/// The values except those that are in force again, because the newest of the lines that replaced each other names them
/// again.
fn still_replaced(values: Vec<Replaced>) -> Vec<Replaced> {
    // From the words of a line to the text of the newest one that took its place.
    let mut newest: HashMap<String, String> = HashMap::new();
    let mut kept: Vec<Replaced> = Vec::with_capacity(values.len());
    for own in values.into_iter().rev() {
        let ReplacedValue { older, newer, .. } = &own.value;
        let newer = current_value(newer);
        let since = newest.get(&same_words(newer));
        let is_back = since.is_some_and(|since| own.is_named_in(since));
        let since = since.map_or(newer, String::as_str).to_owned();
        newest.insert(same_words(current_value(older)), since);
        if !is_back {
            kept.push(own);
        }
    }
    kept.reverse();
    kept
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

    /// Whether a line that replaced the newer one says the older value again: in the same words or, if it was true,
    /// with all that only the older line says and nothing of the newer one.
    fn is_named_in(&self, line: &str) -> bool {
        let own = self.difference();
        let stems = CommonWords::default().telling_stems(line);
        let has_words = self.value.was_true && !own.before.is_empty();
        has_words && own.before.is_subset(&stems) && own.since.is_disjoint(&stems)
            || same_words(line) == same_words(&self.value.older)
    }

    /// Whether a passage provably says the older value, about the same thing, and nothing of the newer one.
    ///
    /// If the newer line has all words, days and times of the older one, it only adds to it, and no passage counts as
    /// stating the older value.
    fn is_said(&self, passage: &ComparedPassage<'_>, said: &Said<'_>) -> bool {
        let own = self.difference();
        let rests_on = self.grounds(passage).next().is_some();
        let repeats = OnceCell::new();
        let repeats = || rests_on && *repeats.get_or_init(|| self.is_quoted(passage, said));
        // A change that was taken back may name what it replaced.
        if self.value.is_taken_back && repeats() {
            return true;
        }
        // Where the older line rests on the passage, most of the shared words are enough, or most of the quoted ones,
        // but not fewer: a message may say several things.
        let (n_all, n_shared) = (
            own.shared.len(),
            own.shared.intersection(&said.stems).count(),
        );
        let is_of_same = n_shared == n_all || rests_on && n_shared * 2 > n_all || repeats();
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

    /// The evidence of the older line that is the passage itself, or that the passage rests on too.
    fn grounds(&self, passage: &ComparedPassage<'_>) -> impl Iterator<Item = &Evidence> {
        let place = passage.place;
        let lines = place.start_line..=place.end_line;
        self.value.evidence.iter().filter(move |own| {
            own.path == place.path && lines.contains(&own.line)
                || passage
                    .entries
                    .iter()
                    .any(|entry| entry.as_str() == own.key)
        })
    }

    /// Whether a passage contains most of the words that support the older line, and at most a third of its words are
    /// different ones.
    fn is_quoted(&self, passage: &ComparedPassage<'_>, said: &Said<'_>) -> bool {
        let named = said.moments(passage, self.value.day);
        let own = words_beside(COMMON_WORDS.telling_stems(said.text), &named);
        self.grounds(passage).any(|ground| {
            let named = Moments::of(&ground.quote, ground.day);
            let quoted = words_beside(COMMON_WORDS.telling_stems(&ground.quote), &named);
            let n_shared = quoted.intersection(&own).count();
            n_shared * 2 > quoted.len() && n_shared * 3 >= own.len() * 2
        })
    }
}

/// Words without those that are parts of these days and times.
fn words_beside(stems: BTreeSet<String>, moments: &Moments) -> BTreeSet<String> {
    let stems = stems.into_iter();
    stems.filter(|stem| !moments.has_part(stem)).collect()
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
        let own = words_beside(COMMON_WORDS.telling_stems(older), &of_older);
        let newest = words_beside(COMMON_WORDS.telling_stems(newer), &of_newer);
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

#[cfg(test)]
#[path = "said_again_tests.rs"]
mod said_again_tests;

#[cfg(test)]
#[path = "replaced_notes_tests.rs"]
mod replaced_notes_tests;
