//! Recognises the passages that say what a newer line of `MEMORY.md` took the place of, or what the owner took back.
//!
//! Compares words and days; never decides that one fact ends another.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use base::dates::named_days;
use base::disk::FileStat;
use base::{Day, EntryId, LineRange, Locator, Origin};
use memory::candidates::{ReplacedValue, replaced_values, replaced_values_stat};
use memory::{RecentLog, Workspace};
use search::{CommonWords, SearchResult};

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
    /// The words of the older line.
    words: OnceLock<BTreeSet<String>>,
    difference: OnceLock<Difference>,
}

/// What the older and the newer line do not share.
#[derive(Debug)]
struct Difference {
    /// The words that only the older line has, and those that only the newer one has.
    before: BTreeSet<String>,
    since: BTreeSet<String>,
    /// The days that only the older line names.
    days: BTreeSet<Day>,
}

/// Number of words that a passage shares at least with what was taken back, if nothing else links them.
const UNTRUE_WORDS_MIN: usize = 3;

/// A passage to compare.
#[derive(Debug)]
pub(crate) struct ComparedPassage<'a> {
    pub(crate) text: &'a str,
    /// The day on which it was said; `None` for what is older than any change.
    pub(crate) day: Option<Day>,
    pub(crate) place: &'a Locator,
    /// The entries that a note is based on.
    pub(crate) entries: &'a [EntryId],
}

impl ReplacedCache {
    /// The values of a workspace as of now.
    pub(crate) fn values(&self, workspace: &Workspace) -> Arc<ReplacedValues> {
        // Before the values: a change in between is then read next time.
        let stat = replaced_values_stat(workspace).unwrap_or_default();
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = cached.as_ref().filter(|(of, _)| *of == stat) {
            return Arc::clone(known);
        }
        let values = Arc::new(ReplacedValues::of(workspace));
        *cached = Some((stat, Arc::clone(&values)));
        values
    }
}

impl ReplacedValues {
    /// The values of a workspace; none if the records cannot be read, which `doctor` reports.
    pub(crate) fn of(workspace: &Workspace) -> Self {
        let values = replaced_values(workspace).unwrap_or_default().into_iter();
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
        let said = CommonWords::default().telling_stems(passage.text);
        by.retain(|own| own.is_said(passage, &said));
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
    pub(crate) fn mark(&self, workspace: &Workspace, results: &mut [SearchResult]) {
        let archive = workspace.archive_path();
        for result in results {
            // What has no day holds now, except for what left MEMORY.md.
            if result.day.is_some() || result.path == archive.as_str() {
                let place = result.place();
                let old = self.said_in(&ComparedPassage {
                    text: &result.text,
                    day: result.day,
                    place: &place,
                    entries: &[],
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
            words: OnceLock::new(),
            difference: OnceLock::new(),
        }
    }

    fn words(&self) -> &BTreeSet<String> {
        let of_older = || COMMON_WORDS.telling_stems(&self.value.older);
        self.words.get_or_init(of_older)
    }

    fn difference(&self) -> &Difference {
        self.difference.get_or_init(|| {
            let ReplacedValue {
                older,
                newer,
                day,
                was_true,
                ..
            } = &self.value;
            let all = |text: &str| CommonWords::default().telling_stems(text);
            let since = COMMON_WORDS.telling_stems(newer);
            let days = named_days(older, *day);
            let mut before: BTreeSet<String> =
                self.words().difference(&all(newer)).cloned().collect();
            let days: BTreeSet<Day> = days.difference(&named_days(newer, *day)).copied().collect();
            // What was never true is said by its own words, even where the newer line denies it and has them all.
            if before.is_empty() && days.is_empty() && !was_true {
                before.clone_from(self.words());
            }
            Difference {
                before,
                since: since.difference(&all(older)).cloned().collect(),
                days,
            }
        })
    }

    /// Whether a passage says the older value, about the same thing, and nothing of the newer one.
    ///
    /// Nothing says it if no word or day of the older line is missing in the newer one: that adds to it.
    fn is_said(&self, passage: &ComparedPassage<'_>, said: &BTreeSet<String>) -> bool {
        if !self.is_about(said) && !self.rests_on(passage) {
            return false;
        }
        let Difference {
            before,
            since,
            days,
        } = self.difference();
        let names_day = || {
            let said_on = passage.day.unwrap_or(self.value.day);
            !days.is_disjoint(&named_days(passage.text, said_on))
        };
        let has_words = !before.is_empty() && before.is_subset(said);
        since.is_disjoint(said) && (has_words || !days.is_empty() && names_day())
    }

    /// Whether a passage has half of the older line's words, figures aside.
    fn is_about(&self, said: &BTreeSet<String>) -> bool {
        let is_figure = |stem: &str| stem.chars().all(|it| it.is_ascii_digit());
        let about = self.words().iter().filter(|stem| !is_figure(stem));
        let (n_all, n_shared) = about.fold((0, 0), |(n_all, n_shared), stem| {
            (n_all + 1, n_shared + usize::from(said.contains(stem)))
        });
        // What was true is marked; what was not is hidden, which a word or two do not justify.
        let n_least = if self.value.was_true {
            1
        } else {
            UNTRUE_WORDS_MIN
        };
        n_shared >= n_least && n_shared * 2 >= n_all
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

#[cfg(test)]
#[path = "replaced_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "taken_back_tests.rs"]
mod taken_back_tests;
