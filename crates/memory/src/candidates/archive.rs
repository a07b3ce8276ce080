//! Moves lines of ours from `MEMORY.md` to the archive, which stays searchable: the least useful ones if the file is
//! full, and those that the owner names.
//!
//! Pure; never moves a line of the owner.

use std::collections::BTreeSet;

use base::{Day, MEMORY_SECTIONS, Timestamp, counted};

use super::change::StateChange;
use super::state::{DreamLogLine, DreamState, OWNER};
use crate::curated::{CuratedLine, Edit, LineOwner, edited, memory_lines};
use crate::note_text::{MemoryText, NoteLine};
use crate::workspace::ARCHIVE_HEADER;

/// Size limit of `MEMORY.md` in characters, without comments, as a prompt shows it.
pub const MEMORY_CHARS_MAX: usize = 10_000;

/// Lines of which more is known than their text, by id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct NotedLines {
    /// Lines just added.
    pub(super) new: BTreeSet<String>,
    /// Lines that are never removed.
    pub(super) kept: BTreeSet<String>,
    /// Old lines that help to answer no past question.
    pub(super) unearned: BTreeSet<String>,
}

/// `MEMORY.md` cut to its size limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fitted {
    /// The new content of `MEMORY.md`.
    pub(super) text: MemoryText,
    /// Lines to archive.
    pub(super) archived: Vec<NoteLine<'static>>,
    /// Ids of new lines that did not fit.
    pub(super) homeless: BTreeSet<String>,
}

/// Removes lines from `text`, least useful first, until it fits.
pub(super) fn fitted(text: MemoryText, noted: &NotedLines) -> Fitted {
    let mut fitted = Fitted {
        text,
        archived: Vec::new(),
        homeless: BTreeSet::new(),
    };
    while n_chars(&fitted.text) > MEMORY_CHARS_MAX {
        let all = memory_lines(&fitted.text);
        let least = all
            .iter()
            .filter(|line| line.id().is_some_and(|id| !noted.kept.contains(id)))
            .min_by_key(|line| usefulness(line, &noted.unearned));
        let Some((line, id)) = least.and_then(|line| Some((line, line.id()?.to_owned()))) else {
            break;
        };
        if noted.new.contains(&id) {
            fitted.homeless.insert(id.clone());
        } else {
            fitted
                .archived
                .extend(fitted.text.line(line.number).cloned());
        }
        fitted.text = edited(&fitted.text, &[Edit::Remove(id)]);
    }
    fitted
}

/// The change that moves lines of ours to the archive because the owner asked; `None` if none of them is there.
pub(super) fn moved(
    ids: &BTreeSet<String>,
    memory: &MemoryText,
    state: &DreamState,
    now: Timestamp,
) -> Option<StateChange> {
    let (mut edits, mut archived) = (Vec::new(), Vec::new());
    for line in memory_lines(memory) {
        if let Some(id) = line.id().filter(|id| ids.contains(*id)) {
            archived.extend(memory.line(line.number).cloned());
            edits.push(Edit::Remove(id.to_owned()));
        }
    }
    if edits.is_empty() {
        return None;
    }
    let lines = counted(archived.len() as u64, "line", "lines");
    let cause = format!("{OWNER}moved {lines} to the archive");
    let mut next = state.clone();
    next.unearned.retain(|id| !ids.contains(id));
    next.log.push(DreamLogLine {
        at: now,
        text: cause.clone(),
        details: Vec::new(),
    });
    Some(StateChange {
        memory: Some(edited(memory, &edits)),
        archived,
        ..StateChange::of_state(next, cause)
    })
}

/// Counts characters without comments, as a prompt shows them.
pub(super) fn n_chars(text: &MemoryText) -> usize {
    let shown = text.lines().iter().map(NoteLine::shown);
    shown.map(|line| line.chars().count()).sum()
}

/// Sort key, least useful first: the reverse order of [`MEMORY_SECTIONS`], then origin (owner last), then lines that
/// help to answer no past question, then day.
fn usefulness(line: &CuratedLine, unearned: &BTreeSet<String>) -> (usize, u8, bool, Option<Day>) {
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
    let may_help = line.id().is_none_or(|id| !unearned.contains(id));
    (MEMORY_SECTIONS.len() - rank, trust, may_help, line.day())
}

/// The archive `found` with these lines; `None` if it already contains them (same id and hash), so that a retry appends
/// nothing.
pub(super) fn archive_with(
    found: &MemoryText,
    archived: &[NoteLine<'static>],
) -> Option<MemoryText> {
    let key = |line: &NoteLine<'_>| {
        let record = line.record()?;
        Some((record.own_id().to_owned(), record.hash.clone()))
    };
    let standing: BTreeSet<_> = found.lines().iter().filter_map(key).collect();
    let is_new = |line: &&NoteLine<'_>| key(line).is_none_or(|own| !standing.contains(&own));
    let mut new = archived.iter().filter(is_new).cloned().peekable();
    new.peek()?;
    let mut archive = found.clone();
    if archive.lines.is_empty() {
        let header = ARCHIVE_HEADER
            .lines()
            .map(|line| NoteLine::plain(line, "\n"));
        archive.lines.extend(header);
    } else if let Some(last) = archive.lines.last_mut().filter(|last| last.end.is_empty()) {
        last.end = "\n".into();
    }
    archive.lines.extend(new.map(|line| NoteLine {
        end: "\n".into(),
        ..line
    }));
    Some(archive)
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
