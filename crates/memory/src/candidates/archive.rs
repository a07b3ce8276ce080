//! Keeps `MEMORY.md` within its size: moves the least useful lines of ours to the archive, which stays searchable.
//!
//! Pure; never moves a line of the owner.

use std::collections::BTreeSet;

use base::{Day, MEMORY_SECTIONS};

use crate::curated::{CuratedLine, Edit, LineOwner, edited, memory_lines};
use crate::daily_log::lines::lines;
use crate::note;

/// Size limit of `MEMORY.md` in characters, without comments, as a prompt shows it.
pub const MEMORY_CHARS_MAX: usize = 10_000;

/// The header of a new archive.
const HEADER: &str = "# Archive\n\nWhat left MEMORY.md for want of room, or for a newer value.\n\n";

/// `MEMORY.md` cut to its size limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fitted {
    /// The new content of `MEMORY.md`.
    pub(super) text: String,
    /// Lines to archive, with their records.
    pub(super) archived: Vec<String>,
    /// Ids of new lines that did not fit.
    pub(super) homeless: BTreeSet<String>,
}

/// Removes lines from `text`, least useful first, until it fits. `new` are ids of lines just added to `text`;
/// ids in `kept` are never removed.
pub(super) fn fitted(text: String, new: &BTreeSet<String>, kept: &BTreeSet<String>) -> Fitted {
    let mut fitted = Fitted {
        text,
        archived: Vec::new(),
        homeless: BTreeSet::new(),
    };
    while n_chars(&fitted.text) > MEMORY_CHARS_MAX {
        let all = memory_lines(&fitted.text);
        let least = all
            .iter()
            .filter(|line| line.id().is_some_and(|id| !kept.contains(id)))
            .min_by_key(|line| usefulness(line));
        let Some((line, id)) = least.and_then(|line| Some((line, line.id()?.to_owned()))) else {
            break;
        };
        if new.contains(&id) {
            fitted.homeless.insert(id.clone());
        } else {
            fitted.archived.extend(raw_line(&fitted.text, line.number));
        }
        fitted.text = edited(&fitted.text, &[Edit::Remove(id)]);
    }
    fitted
}

/// Counts characters without comments, as a prompt shows them.
pub(super) fn n_chars(text: &str) -> usize {
    crate::daily_log::without_comments(text).chars().count()
}

/// Line `number` (from 1) of `text`, with its record.
pub(super) fn raw_line(text: &str, number: usize) -> Option<String> {
    let all = lines(text);
    let line = all.get(number.checked_sub(1)?)?;
    Some(line.text.to_owned())
}

/// Sort key, least useful first: the reverse order of [`MEMORY_SECTIONS`], then origin (owner last), then day.
fn usefulness(line: &CuratedLine) -> (usize, u8, Option<Day>) {
    let section = line.section.as_deref().unwrap_or_default();
    let rank = MEMORY_SECTIONS
        .iter()
        .position(|known| known.eq_ignore_ascii_case(section))
        .unwrap_or(MEMORY_SECTIONS.len());
    let trust = match &line.owner {
        LineOwner::Ours {
            origin: base::Origin::Owner,
            ..
        }
        | LineOwner::Owner => 1,
        LineOwner::Ours { .. } => 0,
    };
    (MEMORY_SECTIONS.len() - rank, trust, line.day())
}

/// The archive `found`, a text with its records, with these lines; `None` if it already contains them (same id and
/// hash), so that a retry appends nothing.
pub(super) fn archive_with(found: &str, archived: &[String]) -> Option<String> {
    let standing: BTreeSet<String> = lines(found)
        .iter()
        .filter_map(|line| note::parse(line.text))
        .map(|line| format!("{} {}", line.id, line.hash))
        .collect();
    let is_new = |line: &&String| {
        note::parse(line).is_none_or(|own| !standing.contains(&format!("{} {}", own.id, own.hash)))
    };
    let new: Vec<&str> = archived
        .iter()
        .filter(is_new)
        .map(|line| line.trim_start())
        .collect();
    if new.is_empty() {
        return None;
    }
    let header = if found.is_empty() { HEADER } else { "" };
    let gap = if found.is_empty() || found.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    Some(format!("{found}{gap}{header}{}\n", new.join("\n")))
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
