//! Adds later notes about the same day to recalled plans for a day ahead.
//!
//! Reads only the daily logs after the plan; never searches.

use std::collections::BTreeSet;

use base::dates::named_days;
use base::{Day, LineRange, Locator, redact};
use memory::load_tombstones;
use search::{PassageKind, SearchResult, Source};

use crate::runtime::HomeAccess;
use crate::turn::recall::REACHES_MODEL;

/// Number of recalled plans whose changes are looked for.
const PLANS_MAX: usize = 3;

/// Number of newest notes that a plan takes with it.
const CHANGES_MAX: usize = 2;

/// Number of newest logs that are read, and of notes in them: a turn waits for it.
const LOGS_MAX: usize = 60;
const NOTES_MAX: usize = 400;

/// Puts before each plan for a day ahead the newest notes that name the same day and are later than the plan.
///
/// Notes that cannot be read are left out: then only the plan is shown.
pub(crate) fn add_changes(home: &HomeAccess, found: &mut Vec<SearchResult>) {
    let today = home.today();
    let plans: Vec<(Locator, Day, BTreeSet<Day>)> = found
        .iter()
        .filter(|it| it.likelihood >= REACHES_MODEL)
        .filter_map(|it| {
            let said_on = it.day?;
            let mut ahead = named_days(&it.text, said_on);
            ahead.retain(|day| *day >= today && *day > said_on);
            (!ahead.is_empty()).then(|| (it.place(), said_on, ahead))
        })
        .take(PLANS_MAX)
        .collect();
    let Some(first) = plans.iter().map(|(_, said_on, _)| *said_on).min() else {
        return;
    };
    let notes = notes_after(home, first);
    for (place, said_on, days) in plans {
        let is_change = |note: &&Noted| note.at > said_on && !note.days.is_disjoint(&days);
        let changes: Vec<&Noted> = notes.iter().filter(is_change).take(CHANGES_MAX).collect();
        for change in changes.into_iter().rev() {
            let to = found.iter().position(|it| it.place() == place);
            let known = found
                .iter()
                .position(|it| it.place().overlaps(&change.place));
            match (to, known) {
                (Some(to), None) => {
                    let likelihood = found.get(to).map_or(0.0, |plan| plan.likelihood);
                    let score = found.get(to).map_or(0.0, |plan| plan.score);
                    found.insert(to, change.found(score, likelihood));
                }
                (Some(to), Some(known)) if known > to => {
                    let mut own = found.remove(known);
                    own.likelihood = own.likelihood.max(REACHES_MODEL);
                    found.insert(to, own);
                }
                _ => {}
            }
        }
    }
}

/// A note of a daily log, and the days that it names.
struct Noted {
    at: Day,
    place: Locator,
    text: String,
    origin: base::Origin,
    days: BTreeSet<Day>,
}

impl Noted {
    fn found(&self, score: f64, likelihood: f64) -> SearchResult {
        SearchResult {
            source: Source::Memory,
            path: self.place.path.clone(),
            section: None,
            start_line: self.place.start_line,
            end_line: self.place.end_line,
            text: format!("- {}", redact(&self.text)),
            score,
            likelihood,
            kind: PassageKind::Bullet,
            speaker: None,
            origin: self.origin,
            day: Some(self.at),
            planned_for: None,
            replaced_on: None,
            is_untrue: false,
            is_taken_back: false,
            last_confirmed: Some(self.at),
            is_of_span: false,
            renews: None,
            also: Vec::new(),
            explanation: None,
        }
    }
}

/// The notes of the logs after a day, newest first.
fn notes_after(home: &HomeAccess, day: Day) -> Vec<Noted> {
    let workspace = &home.workspace;
    let Ok(tombstones) = load_tombstones(workspace) else {
        return Vec::new();
    };
    let days = workspace.log_days().unwrap_or_default();
    let days = days.into_iter().rev().take_while(|own| *own > day);
    let mut notes = Vec::new();
    for at in days.take(LOGS_MAX) {
        if notes.len() >= NOTES_MAX {
            break;
        }
        let log = workspace.log_path(at).to_string();
        let items = workspace.log_items(at).unwrap_or_default().into_iter();
        let left = items.filter(|own| !tombstones.hides_note(&own.text, &own.evidence));
        notes.extend(left.rev().map(|own| Noted {
            at,
            place: Locator::new(log.clone(), LineRange::line(own.line)),
            days: named_days(&own.text, at),
            origin: own.origin,
            text: own.text,
        }));
    }
    notes
}
