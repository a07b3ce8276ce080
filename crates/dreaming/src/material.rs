//! What a dream works on: items that may hold something lasting, each with what says so.
//!
//! Knows neither files nor models.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin, Timestamp};
use memory::candidates::FoundIn;
use memory::{Tombstones, prepared_line};

use crate::propose::{Operation, Proposals};

/// A note or a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What a reply cites it by.
    pub label: String,
    /// What it says.
    pub text: String,
    /// By what it counts as read, where it is a note.
    pub key: String,
    /// Who is answerable for it.
    pub origin: Origin,
    /// When it was said.
    pub at: Timestamp,
    /// The day of that.
    pub day: Day,
    /// Where it was found.
    pub found_in: FoundIn,
    /// What says so; the first is the item itself where nothing else is known.
    pub sources: Vec<Source>,
    /// Whether it names evidence that is not there any more.
    pub is_orphan: bool,
}

impl Item {
    /// The day and the key by which a note of a log counts as read; nothing for a message.
    pub(crate) fn note(&self) -> Option<(Day, String)> {
        (self.found_in == FoundIn::DailyLog).then(|| (self.day, self.key.clone()))
    }
}

/// A text that exists, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: String,
    /// The id of the entry or note.
    pub key: String,
    /// Its line, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// Who is answerable for it.
    pub origin: Origin,
    /// The day on which it was said.
    pub day: Day,
    /// When, where it is a message; of a note only the day is known.
    pub at: Option<Timestamp>,
    /// The scope of the repository from which a note is known, if from one; the path of a message names its own.
    pub scope: Option<String>,
}

/// Everything that one dream reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Material {
    /// The items, oldest first.
    pub items: Vec<Item>,
    /// What was read of each day's log, by the hashes of its notes.
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// How far each session was read, in bytes.
    pub backfilled: BTreeMap<String, u64>,
    /// What was forgotten, or left its log, since it was read.
    pub gone: Vec<Item>,
    /// How many notes and messages were read, those that were known before left out.
    pub n_read: usize,
}

impl Material {
    /// Whether there is nothing new.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.consumed.is_empty() && self.backfilled.is_empty()
    }

    /// Adds what another reading gave.
    pub fn extend(&mut self, other: Self) {
        self.items.extend(other.items);
        self.consumed.extend(other.consumed);
        self.backfilled.extend(other.backfilled);
        self.n_read += other.n_read;
        self.label();
    }

    /// The notes that no operation cites: the model left them out.
    pub(crate) fn not_proposed(&self, proposals: &Proposals) -> Vec<String> {
        let operations = proposals.operations.iter();
        let cited = operations.flat_map(|own| &own.evidence);
        let told_of: BTreeSet<&String> = cited.chain(&proposals.cut_off).collect();
        let left = self
            .items
            .iter()
            .filter(|item| item.found_in == FoundIn::DailyLog && !told_of.contains(&item.label));
        left.map(|item| prepared_line(&item.text)).collect()
    }

    /// What is gone, and what else these operations cite.
    pub(crate) fn cited_by(&self, lost: &[Operation]) -> impl Iterator<Item = &Item> {
        let cited: BTreeSet<&String> = lost.iter().flat_map(|own| &own.evidence).collect();
        let again = self.items.iter();
        let again = again.filter(move |item| cited.contains(&item.label));
        self.gone.iter().chain(again)
    }

    /// Takes out the notes that a session stands behind.
    #[must_use]
    pub fn take_of(&mut self, path: &str) -> Self {
        let is_of = |item: &Item| {
            let first = item.sources.first();
            item.found_in == FoundIn::DailyLog && first.is_some_and(|own| own.path == path)
        };
        let mut taken = Self::default();
        let (own, others): (Vec<Item>, Vec<Item>) = self.items.drain(..).partition(is_of);
        let notes: BTreeSet<(Day, String)> = own.iter().filter_map(Item::note).collect();
        self.consumed = self.consumed_but(&notes);
        for (day, key) in notes {
            taken.consumed.entry(day).or_default().insert(key);
        }
        self.items = others;
        taken.n_read = own.len();
        self.n_read -= own.len();
        taken.items = own;
        self.label();
        taken.label();
        taken
    }

    /// What was read of each day's log, these notes left out.
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

    /// How far each session was read, these sessions left out.
    pub(crate) fn backfilled_but(&self, left: &BTreeSet<String>) -> BTreeMap<String, u64> {
        let read = self
            .backfilled
            .iter()
            .filter(|(path, _)| !left.contains(*path));
        read.map(|(path, at)| (path.clone(), *at)).collect()
    }

    /// Labels the items anew, so that each label is there once.
    pub(crate) fn label(&mut self) {
        for (number, item) in (1_u64..).zip(&mut self.items) {
            item.label = format!("e{number}");
        }
    }
}

/// The operations that rest on what is there, and those that rest on what is gone: on an item, or on a line that a model
/// was shown and that was forgotten since.
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
