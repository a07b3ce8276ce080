//! Recognises the passages that say what a newer line of `MEMORY.md` took the place of.
//!
//! Compares words and days; never decides that one fact ends another.

use std::collections::BTreeSet;

use base::dates::named_days;
use base::{Day, EntryId, Locator};
use memory::Workspace;
use memory::candidates::{ReplacedValue, replaced_values};
use search::{CommonWords, SearchResult};

use crate::knowledge::index::COMMON_WORDS;

/// The values of `MEMORY.md` that newer ones took the place of.
#[derive(Debug, Default)]
pub(crate) struct ReplacedValues(Vec<Replaced>);

#[derive(Debug)]
struct Replaced {
    day: Day,
    /// The words of the older line, without figures.
    about: BTreeSet<String>,
    /// The words that only the older line has, and those that only the newer one has.
    before: BTreeSet<String>,
    since: BTreeSet<String>,
    /// The days that only the older line names.
    days: BTreeSet<Day>,
    entries: BTreeSet<EntryId>,
    places: BTreeSet<(String, usize)>,
}

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

impl ReplacedValues {
    /// The values of a workspace; none if the records cannot be read, which `doctor` reports.
    pub(crate) fn of(workspace: &Workspace) -> Self {
        let values = replaced_values(workspace).unwrap_or_default();
        Self(values.iter().filter_map(Replaced::of).collect())
    }

    /// The day on which a newer value took the place of what a passage says; the latest, if there are several.
    pub(crate) fn replaced_on(&self, passage: &ComparedPassage<'_>) -> Option<Day> {
        let mut by: Vec<&Replaced> = self
            .0
            .iter()
            .filter(|own| passage.day.is_none_or(|day| day <= own.day))
            .collect();
        if by.is_empty() {
            return None;
        }
        let said = CommonWords::default().telling_stems(passage.text);
        by.retain(|own| own.is_said(passage, &said));
        by.into_iter().map(|own| own.day).max()
    }
}

/// Marks the results of a search that say what a newer value took the place of.
pub(crate) fn mark_replaced(workspace: &Workspace, results: &mut [SearchResult]) {
    let replaced = ReplacedValues::of(workspace);
    let archive = workspace.archive_path();
    for result in results {
        // What has no day holds now, except for what left MEMORY.md.
        if result.day.is_some() || result.path == archive.as_str() {
            let place = result.place();
            result.replaced_on = replaced.replaced_on(&ComparedPassage {
                text: &result.text,
                day: result.day,
                place: &place,
                entries: &[],
            });
        }
    }
}

impl Replaced {
    /// `None` if no word or day of the older line is missing in the newer one: that adds to it.
    fn of(value: &ReplacedValue) -> Option<Self> {
        let (older, newer) = (&value.older, &value.newer);
        let is_figure = |stem: &String| stem.chars().all(|it| it.is_ascii_digit());
        let own = COMMON_WORDS.telling_stems(older);
        let all = |text: &str| CommonWords::default().telling_stems(text);
        let before: BTreeSet<String> = own.difference(&all(newer)).cloned().collect();
        let since = COMMON_WORDS.telling_stems(newer);
        let since = since.difference(&all(older)).cloned().collect();
        let days = named_days(older, value.day);
        let days: BTreeSet<Day> = days
            .difference(&named_days(newer, value.day))
            .copied()
            .collect();
        if before.is_empty() && days.is_empty() {
            return None;
        }
        let evidence = value.evidence.iter();
        Some(Self {
            day: value.day,
            about: own.into_iter().filter(|stem| !is_figure(stem)).collect(),
            before,
            since,
            days,
            entries: evidence
                .clone()
                .map(|own| EntryId::new(own.key.clone()))
                .collect(),
            places: evidence.map(|own| (own.path.clone(), own.line)).collect(),
        })
    }

    /// Whether a passage says the older value, about the same thing, and nothing of the newer one.
    fn is_said(&self, passage: &ComparedPassage<'_>, said: &BTreeSet<String>) -> bool {
        let has_value = !self.before.is_empty() && self.before.is_subset(said)
            || !self
                .days
                .is_disjoint(&named_days(passage.text, passage.day.unwrap_or(self.day)));
        let n_shared = self.about.intersection(said).count();
        let is_about = n_shared > 0 && n_shared * 2 >= self.about.len();
        has_value && self.since.is_disjoint(said) && (is_about || self.rests_on(passage))
    }

    /// Whether the older line rests on a passage, or on what a note rests on.
    fn rests_on(&self, passage: &ComparedPassage<'_>) -> bool {
        let place = passage.place;
        let lines = place.start_line..=place.end_line;
        let mut places = self.places.iter();
        places.any(|(path, line)| *path == place.path && lines.contains(line))
            || passage.entries.iter().any(|own| self.entries.contains(own))
    }
}
