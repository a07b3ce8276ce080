//! The input of a dream: notes and messages, each with its sources.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin, Timestamp};
use memory::candidates::FoundIn;
use memory::{Tombstones, prepared_line};

use crate::propose::{Operation, Proposals};

/// A note or a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaterialItem {
    /// The label by which a reply cites it.
    pub label: String,
    pub text: String,
    /// For a note, the key under which it is recorded as read.
    pub key: String,
    /// Who answers for it.
    pub origin: Origin,
    /// When it was said.
    pub at: Timestamp,
    /// The day on which it was said.
    pub day: Day,
    /// Where it was found.
    pub found_in: FoundIn,
    /// Its sources; the item itself if there are no others.
    pub sources: Vec<MaterialSource>,
    /// The texts of tools and pages that the assistant read when it answered the sources. They never support a line,
    /// and a word that only they contain makes the line doubtful.
    pub heard: Vec<String>,
    /// For a message, where it begins in its session, in bytes.
    pub offset: Option<u64>,
    /// Whether it names evidence that no longer exists.
    pub is_orphan: bool,
}

impl MaterialItem {
    /// The day and key under which a note is recorded as read; `None` for a message.
    pub(crate) fn note(&self) -> Option<(Day, String)> {
        self.found_in
            .is_note()
            .then(|| (self.day, self.key.clone()))
    }

    /// The session of a message and where it begins there; `None` for a note.
    pub(crate) fn place(&self) -> Option<(String, u64)> {
        let source = self.sources.first()?;
        Some((source.path.clone(), self.offset?))
    }
}

/// An existing text and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaterialSource {
    /// The file.
    pub path: String,
    /// The id of the entry or note.
    pub key: String,
    /// Its line, from 1.
    pub line: usize,
    pub text: String,
    /// Who answers for it.
    pub origin: Origin,
    /// The day on which it was said.
    pub day: Day,
    /// The time of a message; `None` for a note, of which only the day is known.
    pub at: Option<Timestamp>,
    /// The scope of the repository of a note, if any; for a message, the path contains it.
    pub scope: Option<String>,
}

/// All that one dream reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Material {
    /// The items, oldest first.
    pub items: Vec<MaterialItem>,
    /// The keys of the notes read from each day's log.
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// Bytes read of each session.
    pub backfilled: BTreeMap<String, u64>,
    /// Items that were forgotten or removed from their log since they were read.
    pub gone: Vec<MaterialItem>,
    /// Items that say what the owner took back since, or called never true.
    pub untrue: Vec<MaterialItem>,
    /// Number of new notes and messages.
    pub n_read: usize,
}

impl Material {
    /// Whether there is nothing new.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.consumed.is_empty() && self.backfilled.is_empty()
    }

    /// The notes that no operation cites.
    pub(crate) fn not_proposed(&self, proposals: &Proposals) -> Vec<String> {
        let operations = proposals.operations.iter();
        let cited = operations.flat_map(|own| &own.evidence);
        let told_of: BTreeSet<&String> = cited.chain(&proposals.cut_off).collect();
        let left = self
            .items
            .iter()
            .filter(|item| item.found_in.is_note() && !told_of.contains(&item.label));
        left.map(|item| prepared_line(&item.text)).collect()
    }

    /// The gone items, and the others that the lost operations cite.
    pub(crate) fn cited_by(&self, lost: &[Operation]) -> impl Iterator<Item = &MaterialItem> {
        let cited: BTreeSet<&String> = lost.iter().flat_map(|own| &own.evidence).collect();
        let again = self.items.iter();
        let again = again.filter(move |item| cited.contains(&item.label));
        self.gone.iter().chain(again)
    }

    /// Splits off the first `n_items` items with the record of reading them, and relabels both parts.
    #[must_use]
    pub fn take_first(&mut self, n_items: usize) -> Self {
        if n_items >= self.items.len() {
            return std::mem::take(self);
        }
        let rest = self.items.split_off(n_items);
        let mut first = Self {
            items: std::mem::replace(&mut self.items, rest),
            ..Self::default()
        };
        let notes: BTreeSet<(Day, String)> =
            first.items.iter().filter_map(MaterialItem::note).collect();
        self.consumed = self.consumed_but(&notes);
        for (day, key) in notes {
            first.consumed.entry(day).or_default().insert(key);
        }
        // A message records how far its session is read; the rest begins there.
        let begins = self.items.iter().find_map(|item| item.offset);
        let paths = self.backfilled.keys().cloned();
        first.backfilled = paths.zip(begins.into_iter().cycle()).collect();
        first.n_read = first.items.len();
        self.n_read = self.n_read.saturating_sub(first.n_read);
        first.label();
        self.label();
        first
    }

    /// The material with its untrue items moved out of those that a model reads.
    #[must_use]
    pub fn without_untrue(&self, is_untrue: impl Fn(&MaterialItem) -> bool) -> Self {
        let mut material = self.clone();
        let items = std::mem::take(&mut material.items);
        (material.untrue, material.items) = items.into_iter().partition(is_untrue);
        material.label();
        material
    }

    /// Number of days from which there are items.
    pub fn n_days(&self) -> usize {
        let days: BTreeSet<Day> = self.items.iter().map(|item| item.day).collect();
        days.len()
    }

    /// Number of items up to a day.
    pub fn n_until(&self, last: Day) -> usize {
        self.items
            .iter()
            .take_while(|item| item.day <= last)
            .count()
    }

    /// `consumed` without these notes.
    pub(crate) fn consumed_but(
        &self,
        notes: &BTreeSet<(Day, String)>,
    ) -> BTreeMap<Day, BTreeSet<String>> {
        let days = self.consumed.iter().map(|(day, keys)| {
            let is_left = |key: &&String| !notes.contains(&(*day, (*key).clone()));
            (*day, keys.iter().filter(is_left).cloned().collect())
        });
        days.filter(|(_, keys): &(Day, BTreeSet<String>)| !keys.is_empty())
            .collect()
    }

    /// `backfilled`, in each of these sessions only up to this byte.
    pub(crate) fn backfilled_but(&self, left: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
        let read = self.backfilled.iter().map(|(path, at)| {
            let left = left.get(path).copied().unwrap_or(u64::MAX);
            (path.clone(), left.min(*at))
        });
        read.collect()
    }

    /// Relabels the items, so that labels are unique.
    pub(crate) fn label(&mut self) {
        for (number, item) in (1_u64..).zip(&mut self.items) {
            item.label = format!("e{number}");
        }
    }
}

/// Splits operations into valid ones and those that depend on something gone: an item, or a line of `MEMORY.md` that
/// was forgotten since the model saw it.
pub(crate) fn resting(
    operations: &[Operation],
    material: &Material,
    tombstones: &Tombstones,
) -> (Vec<Operation>, Vec<Operation>) {
    let gone: BTreeSet<&String> = material.gone.iter().map(|item| &item.label).collect();
    let is_there = |own: &Operation| {
        let line = own.kind.line();
        !own.evidence.iter().any(|label| gone.contains(label))
            && !line.is_some_and(|line| tombstones.hides_text(&line.text))
    };
    operations.iter().cloned().partition(is_there)
}
