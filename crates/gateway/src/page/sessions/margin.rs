//! Finds the notes and the lines of `MEMORY.md` that are based on the messages of a conversation.
//!
//! Writes nothing.

use std::collections::BTreeMap;

use agent::ops::{ReadItem, citing_notes};
use base::{Day, EntryId, day};
use memory::candidates::Access;
use memory::curated::{current_value, memory_lines};

use super::talk::Margin;
use crate::http::{HttpError, HttpState};
use crate::page::words::safe;

/// The notes and lines that are based on these messages of the session.
pub(in crate::page) fn margin_of(
    state: &HttpState,
    name: &str,
    items: &[ReadItem],
) -> Result<Margin, HttpError> {
    let timezone = state.runtime.home.timezone;
    let mut margin = Margin::default();
    let shown = items.iter();
    let shown = shown.map(|item| (item.entry.clone(), day(item.at, timezone)));
    let shown: BTreeMap<EntryId, Day> = shown.collect();
    let notes = citing_notes(&shown, &state.context()).map_err(|error| state.failed(&error))?;
    for note in notes {
        if let Some(entry) = note.entries.iter().find(|it| shown.contains_key(*it)) {
            let beside = margin.notes.entry(entry.to_string()).or_default();
            beside.push((safe(&note.text), note.day));
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
