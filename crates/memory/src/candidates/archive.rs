//! Keeps long-term memory small: the least useful lines of ours leave for a note that stays searchable.
//!
//! Pure; never moves a line of the owner.

use std::collections::BTreeSet;

use base::{Day, MEMORY_SECTIONS};

use crate::curated::{CuratedLine, Edit, LineOwner, edited, memory_lines};
use crate::daily_log::lines::lines;
use crate::marks::{Records, mark_of_text, spelled_out};
use crate::note;

/// The most characters of `MEMORY.md`, comments left out, as a prompt shows them.
pub const MEMORY_CHARS_MAX: usize = 10_000;

/// What the archive begins with.
const HEADER: &str = "# Archive\n\nWhat left MEMORY.md for want of room, or for a newer value.\n\n";

/// Long-term memory within its bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fitted {
    /// What it says.
    pub(super) text: String,
    /// Lines that leave, spelled out.
    pub(super) archived: Vec<String>,
    /// New lines that found no room.
    pub(super) homeless: BTreeSet<String>,
}

/// Makes room in `text`, which already holds the new lines; those in `kept` stay in any case.
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

/// Characters as a prompt shows them.
pub(super) fn n_chars(text: &str) -> usize {
    crate::daily_log::without_comments(text).chars().count()
}

/// A line with all that is known of it.
pub(super) fn raw_line(text: &str, number: usize) -> Option<String> {
    let spelled = spelled_out(text);
    let all = lines(&spelled);
    let line = all.get(number.checked_sub(1)?)?;
    Some(line.text.to_owned())
}

/// Orders lines by their use: what the owner asked for before what merely happened, the newer before
/// the older.
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

/// What is to be added to an archive that holds `found`; lines that stand there by their id are left
/// out, so that a repeated call adds nothing.
pub(super) fn addition(found: &str, archived: &[String]) -> String {
    let standing: BTreeSet<String> = lines(&spelled_out(found))
        .iter()
        .filter_map(|line| note::parse(line.text))
        .map(|line| format!("{} {}", line.id, line.hash))
        .collect();
    let is_new = |line: &&String| {
        note::parse(line).is_none_or(|own| !standing.contains(&format!("{} {}", own.id, own.hash)))
    };
    let mut records = Records::of(found);
    let new = archived.iter().filter(is_new).map(|line| {
        let line = line.trim_start();
        let marked = records.mark(line, mark_of_text);
        marked.unwrap_or_else(|| line.to_owned())
    });
    let new: Vec<String> = new.collect();
    if new.is_empty() {
        return String::new();
    }
    let new = new.join("\n");
    let comment = records.comment_below(&new).map(|it| format!("{it}\n"));
    let header = if found.is_empty() { HEADER } else { "" };
    let gap = if found.is_empty() || found.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{gap}{header}{new}\n{}", comment.unwrap_or_default())
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
