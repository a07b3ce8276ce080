//! A finding on its way through the stages: its shape, its ground, and how it stands to the others of one dream.
//!
//! Knows neither long-term memory nor what waits.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, MEMORY_SECTIONS, Origin, Timestamp};
use memory::candidates::FoundIn;
use memory::prepared_line;

use crate::extract::Operation;
use crate::gate::{LINE_CHARS_MAX, LINE_WORDS_MIN, Refusal};
use crate::ground::{Grounded, grounded};
use crate::material::{Item, Source};
use crate::merge::{Relation, relation};
use crate::report::DreamReport;
use crate::since::SaidLast;
use crate::words::{Words, words_under};

/// A finding on its way through the stages.
pub(crate) struct Draft {
    pub(crate) finding: String,
    pub(crate) own: Words,
    pub(crate) section: String,
    pub(crate) importance: u8,
    pub(crate) grounded: Grounded,
    pub(crate) day: Day,
    /// When it was said last, where the messages are there.
    pub(crate) said_at: Option<Timestamp>,
    pub(crate) days: BTreeSet<Day>,
    pub(crate) n_said: usize,
    pub(crate) found_in: FoundIn,
    pub(crate) is_orphan: bool,
    /// The notes of logs that say so, by their days and keys.
    pub(crate) notes: BTreeSet<(Day, String)>,
    /// Whether it takes the place of what was said before it.
    pub(crate) is_newer: bool,
    /// What another draft says that cannot hold beside it.
    pub(crate) disputed_by: Option<String>,
    /// What the owner said later that may end it.
    pub(crate) said_since: Option<String>,
}

/// Reads an operation as a finding, and looks for its ground.
pub(crate) fn draft(
    operation: &Operation,
    by_label: &BTreeMap<&str, &Item>,
) -> Result<Draft, Refusal> {
    let finding = prepared_line(&operation.text);
    let own = words_under(&operation.section, &finding);
    // `I'm vegan` and `We broke up` say something, though they have one word besides.
    let is_short = own.holds(&[" im ", " i am ", " i have ", " we are "]) && own.telling.len() == 1;
    let is_rule = MEMORY_SECTIONS.first() == Some(&operation.section.as_str());
    // `Please be gentle with me`.
    let is_whole_rule =
        is_rule && own.telling.len() == 1 && own.plain.split_whitespace().count() > 2;
    let is_told = is_short
        || is_whole_rule
        || own.told.slot.is_some()
        || own.ended.is_some()
        || own.wish.is_some();
    if own.telling.len() < LINE_WORDS_MIN && !is_told {
        return Err(Refusal::Empty);
    }
    if finding.chars().count() > LINE_CHARS_MAX {
        return Err(Refusal::TooLong);
    }
    if finding.ends_with(['?', '\u{ff1f}', '\u{61f}']) {
        return Err(Refusal::Question);
    }
    if is_redacted(&finding, &operation.section) {
        return Err(Refusal::Redacted);
    }
    let items: Vec<&&Item> = operation
        .evidence
        .iter()
        .filter_map(|label| by_label.get(label.as_str()))
        .collect();
    let sources: Vec<&Source> = items.iter().flat_map(|item| &item.sources).collect();
    if sources.is_empty() {
        return Err(Refusal::NoEvidence);
    }
    let mut grounded = grounded(&finding, &sources).ok_or(Refusal::NotGrounded)?;
    // An item may be less trusted than what it cites, never more.
    let of_items = items.iter().map(|item| item.origin).min();
    grounded.origin = grounded.origin.max(of_items.unwrap_or(Origin::Untrusted));
    let is_from_log = items.iter().any(|item| item.found_in == FoundIn::DailyLog);
    let days: BTreeSet<Day> = items.iter().map(|item| item.day).collect();
    let is_evidence = |source: &&&Source| {
        let mut evidence = grounded.evidence.iter();
        evidence.any(|own| own.path == source.path && own.key == source.key)
    };
    let said_at = sources.iter().filter(is_evidence).filter_map(|own| own.at);
    let said_at = said_at.max();
    Ok(Draft {
        day: days.last().copied().ok_or(Refusal::NoEvidence)?,
        days,
        said_at,
        n_said: items.len(),
        found_in: if is_from_log {
            FoundIn::DailyLog
        } else {
            FoundIn::SessionReplay
        },
        is_orphan: items.iter().all(|item| item.is_orphan),
        notes: items.iter().filter_map(|item| item.note()).collect(),
        finding,
        own,
        section: operation.section.clone(),
        importance: operation.importance,
        grounded,
        is_newer: false,
        disputed_by: None,
        said_since: None,
    })
}

/// Whether a secret was taken out of a text, here or before a model read it: the mark names its kind.
///
/// A mark without a kind may be the owner's own word in a rule; in anything else it is a hole.
fn is_redacted(text: &str, section: &str) -> bool {
    let lower = text.to_lowercase();
    let is_rule = MEMORY_SECTIONS.first() == Some(&section);
    let is_value = HOLES_AS_VALUES.iter().any(|hole| lower.contains(hole));
    lower.contains("[redacted:") || lower.contains("[redacted]") && (is_value || !is_rule)
}

/// How a hole stands where a value stood.
const HOLES_AS_VALUES: [&str; 4] = [
    "is [redacted]",
    "are [redacted]",
    ": [redacted]",
    "= [redacted]",
];

/// Adds a draft; one that says what another says strengthens that one, and the later of two values stays.
///
/// Invariant: what was said when decides, and not which of two drafts comes first.
pub(crate) fn add(drafts: &mut Vec<Draft>, mut new: Draft, report: &mut DreamReport) {
    let mut position = 0;
    while let Some(old) = drafts.get_mut(position) {
        match in_time(&new, old) {
            Relation::Same => {
                report.refuse(Refusal::Repeated);
                old.strengthen(new);
                return;
            }
            // A page that the owner quotes neither replaces nor disputes what they say in person.
            Relation::Changed | Relation::Doubtful | Relation::Contradicts
                if new.trust() != old.trust() => {}
            Relation::Changed if new.is_later_than(old) => {
                report.refuse(Refusal::Outdated);
                drafts.remove(position);
                new.is_newer = true;
                continue;
            }
            Relation::Changed if old.is_later_than(&new) => {
                report.refuse(Refusal::Outdated);
                old.is_newer = true;
                return;
            }
            // Both sides wait for the owner.
            Relation::Changed | Relation::Doubtful | Relation::Contradicts => {
                old.disputed_by = Some(new.finding.clone());
                new.disputed_by = Some(old.finding.clone());
            }
            Relation::Apart => {}
        }
        position += 1;
    }
    drafts.push(new);
}

/// How the later of two drafts stands to the earlier; where nothing tells which that is, how one stands to the
/// other at all.
fn in_time(new: &Draft, old: &Draft) -> Relation {
    let is_turned = old.is_later_than(new);
    let (later, earlier) = if is_turned { (old, new) } else { (new, old) };
    let found = relation(&later.own, &earlier.own);
    if found != Relation::Apart {
        return found;
    }
    let turned = relation(&earlier.own, &later.own);
    let is_ordered = is_turned || new.is_later_than(old);
    if turned == Relation::Same || !is_ordered {
        turned
    } else {
        Relation::Apart
    }
}

impl Draft {
    /// Who says it, the most trusted first.
    fn trust(&self) -> (Origin, bool) {
        (self.grounded.origin, self.grounded.is_pasted)
    }

    /// Whether it was said later, as far as days, the lines of one session and the times of messages tell.
    fn is_later_than(&self, other: &Self) -> bool {
        if self.day != other.day {
            return self.day > other.day;
        }
        match self.place().zip(other.place()) {
            Some((own, other)) if own.0 == other.0 => own.1 > other.1,
            Some(_) | None => {
                let both = self.said_at.zip(other.said_at);
                both.is_some_and(|(own, other)| own > other)
            }
        }
    }

    /// When it was said last.
    pub(crate) fn said_last(&self) -> SaidLast<'_> {
        SaidLast {
            day: self.day,
            at: self.said_at,
            place: self.place(),
        }
    }

    /// The file in which it stands, and where it stands there last.
    fn place(&self) -> Option<(&str, (usize, Option<usize>))> {
        let path = self.grounded.evidence.first()?.path.as_str();
        let of_path = self.grounded.evidence.iter().filter(|own| own.path == path);
        let line = of_path.map(|own| own.line).max()?;
        Some((path, (line, self.grounded.at)))
    }

    fn strengthen(&mut self, other: Self) {
        let is_known = |new: &memory::candidates::Evidence| {
            let own = &self.grounded.evidence;
            own.iter()
                .any(|own| own.path == new.path && own.key == new.key)
        };
        let others: Vec<_> = other
            .grounded
            .evidence
            .into_iter()
            .filter(|new| !is_known(new))
            .collect();
        // The same message, met in a log and in its session, was said once.
        if !others.is_empty() {
            self.n_said += other.n_said;
        }
        self.grounded.evidence.extend(others);
        self.days.extend(other.days);
        self.notes.extend(other.notes);
        self.day = self.day.max(other.day);
        self.said_at = self.said_at.max(other.said_at);
        self.importance = self.importance.max(other.importance);
        self.is_orphan &= other.is_orphan;
        if other.found_in == FoundIn::DailyLog {
            self.found_in = FoundIn::DailyLog;
        }
        // The owner may say in person what was pasted before.
        if other.grounded.origin < self.grounded.origin {
            self.grounded.origin = other.grounded.origin;
            self.grounded.is_pasted = other.grounded.is_pasted;
        } else if other.grounded.origin == self.grounded.origin {
            self.grounded.is_pasted &= other.grounded.is_pasted;
        }
    }
}
