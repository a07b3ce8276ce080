//! An operation that was said, on its way through the stages.
//!
//! Pure.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin};
use memory::candidates::{Evidence, FoundIn};
use memory::prepared_line;

use crate::conversations::TextReading;
use crate::gate::check_shape;
use crate::ground::{ClaimPlace, Grounded, grounded};
use crate::material::MaterialItem;
use crate::propose::Operation;
use crate::refusal::Refusal;
use crate::wording::{clauses_of, is_same, is_worded_alike};

/// A finding on its way through the stages.
pub(crate) struct FindingDraft {
    /// What was proposed; its text is the finding as a line would have it.
    pub(crate) operation: Operation,
    pub(crate) grounded: Grounded,
    /// The day on which it was last said.
    pub(crate) day: Day,
    pub(crate) days: BTreeSet<Day>,
    /// Number of messages that say it.
    pub(crate) n_said: usize,
    pub(crate) found_in: FoundIn,
    pub(crate) is_orphan: bool,
    /// The day and key of each note it cites.
    pub(crate) notes: BTreeSet<(Day, String)>,
}

/// Checks shape and ground of an operation.
pub(crate) fn draft(
    operation: &Operation,
    by_label: &BTreeMap<&str, &MaterialItem>,
    reading: &TextReading,
) -> Result<FindingDraft, Refusal> {
    let finding = prepared_line(&operation.text);
    check_shape(&finding)?;
    let items: Vec<&MaterialItem> = operation
        .evidence
        .iter()
        .filter_map(|label| by_label.get(label.as_str()).copied())
        .collect();
    let mut grounded = grounded(operation, &items, reading)?;
    // An item may be less trusted than its sources, never more.
    let of_items = items.iter().map(|item| item.origin).min();
    grounded.origin = grounded.origin.max(of_items.unwrap_or(Origin::Untrusted));
    let is_evidence = |path: &str, key: &str| {
        let mut evidence = grounded.evidence.iter();
        evidence.any(|own| own.path == path && own.key == key)
    };
    let carrying: Vec<&&MaterialItem> = items
        .iter()
        .filter(|item| {
            item.sources
                .iter()
                .any(|own| is_evidence(&own.path, &own.key))
        })
        .collect();
    let days: BTreeSet<Day> = grounded.evidence.iter().map(|own| own.day).collect();
    let is_from_log = carrying
        .iter()
        .any(|item| item.found_in == FoundIn::DailyLog);
    Ok(FindingDraft {
        operation: Operation {
            text: finding,
            ..operation.clone()
        },
        day: days.last().copied().ok_or(Refusal::NoEvidence)?,
        days,
        n_said: grounded.evidence.len(),
        found_in: if is_from_log {
            FoundIn::DailyLog
        } else {
            FoundIn::SessionReplay
        },
        is_orphan: carrying.iter().all(|item| item.is_orphan),
        notes: items.iter().filter_map(|item| item.note()).collect(),
        grounded,
    })
}

impl FindingDraft {
    /// Whether two drafts say the same. Changes of a line must have the same wording, as the single word in which they
    /// differ may be the correction.
    pub(crate) fn says_same(&self, other: &Self) -> bool {
        let (own, others) = (&self.operation, &other.operation);
        if own.kind.line().is_some() && others.kind.line().is_some() {
            own.kind == others.kind && is_worded_alike(&own.text, &others.text)
        } else {
            is_same(&own.text, &others.text)
        }
    }

    /// Whether an earlier proposal says the same.
    pub(crate) fn repeats(&self, words: &str) -> bool {
        if self.operation.kind.line().is_some() {
            is_worded_alike(words, &self.operation.text)
        } else {
            is_same(words, &self.operation.text)
        }
    }

    pub(crate) fn strengthen(&mut self, other: Self) {
        let is_new = |new: &Evidence| {
            let mut own = self.grounded.evidence.iter();
            !own.any(|own| own.path == new.path && own.key == new.key)
        };
        let others: Vec<_> = other
            .grounded
            .evidence
            .into_iter()
            .filter(|new| is_new(new))
            .collect();
        self.n_said += others.len();
        // Ignore evidence from a less trusted source.
        if other.grounded.origin <= self.grounded.origin {
            self.days.extend(other.days);
            self.day = self.day.max(other.day);
            self.grounded.evidence.extend(others);
        }
        self.notes.extend(other.notes);
        let importance = &mut self.operation.importance;
        *importance = other.operation.importance.max(*importance);
    }

    /// Sort key for the time at which it was said: the day, then the line within a session.
    pub(crate) fn said_at(&self) -> (Day, usize) {
        let line = self.grounded.evidence.first().map(|own| own.line);
        (self.day, line.unwrap_or(0))
    }

    /// Whether the owner said it in the owner's own words.
    pub(crate) fn is_said_in_person(&self) -> bool {
        self.grounded.origin == Origin::Owner && self.grounded.stands_in != ClaimPlace::Shown
    }

    /// The clauses that contain the quote.
    pub(crate) fn said(&self) -> &str {
        clauses_of(&self.grounded.said, &self.operation.quote)
    }
}
