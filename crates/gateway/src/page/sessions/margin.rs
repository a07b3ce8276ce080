//! Finds what memory made of the messages of a conversation: notes, and lines of `MEMORY.md`.
//!
//! Writes nothing.

use std::collections::BTreeSet;

use agent::ops::ReadItem;
use base::{Day, day};
use memory::candidates::Access;
use memory::curated::{current_value, memory_lines};

use super::talk::Margin;
use crate::http::{HttpError, HttpState};
use crate::page::words::safe;

/// Most days of notes to read for one part of a conversation.
const DAYS_MAX: usize = 31;

/// What memory made of these messages of the session.
pub(in crate::page) fn margin_of(
    state: &HttpState,
    name: &str,
    items: &[ReadItem],
) -> Result<Margin, HttpError> {
    let home = &state.runtime.home;
    let mut margin = Margin::default();
    let first = items.first().map(|item| day(item.at, home.timezone));
    let shown: BTreeSet<&str> = items.iter().map(|item| item.entry.as_str()).collect();
    let days: Vec<Day> = home.workspace.log_days()?;
    // A note is written on the day of its message or soon after.
    let days = days
        .into_iter()
        .filter(|day| first.is_some_and(|first| *day >= first));
    for day in days.take(DAYS_MAX) {
        for note in home.workspace.log_items(day)? {
            let Some(entry) = note.evidence.iter().find(|it| shown.contains(it.as_str())) else {
                continue;
            };
            let notes = margin.notes.entry(entry.to_string()).or_default();
            notes.push((safe(&note.text), day));
        }
    }
    let path = format!("sessions/{name}.jsonl");
    for line in memory_lines(state.desk(Access::Read)?.memory()) {
        let Some(id) = line.id() else {
            continue;
        };
        for evidence in line.evidence().iter().filter(|it| it.path == path) {
            let lines = margin.lines.entry(evidence.line as u64).or_default();
            lines.push((safe(current_value(&line.text)), id.to_owned()));
        }
    }
    Ok(margin)
}
