//! Edits of the text of `MEMORY.md`, as data, and how to apply them.
//!
//! Pure; never changes a line of the owner.

use super::line::{NewLine, heading};
use crate::note_text::{MemoryText, NoteLine};

/// An edit of `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Add a line at the end of a section; create the section if it is missing.
    Add {
        /// The heading of the section.
        section: String,
        /// The new line.
        line: NewLine,
    },
    /// Replace a line of ours.
    Replace {
        /// The id of the old line.
        id: String,
        /// The new line.
        line: NewLine,
    },
    /// Remove a line of ours.
    Remove(String),
}

/// Applies `edits` to `text` in order.
///
/// Lines of the owner stay byte for byte. An edit is ignored if its line is missing or not ours.
pub fn edited(text: &MemoryText, edits: &[Edit]) -> MemoryText {
    let mut text = text.clone();
    for edit in edits {
        match edit {
            Edit::Add { section, line } => add(&mut text, section, |end| line.line(end)),
            Edit::Replace { id, line } => {
                if let Some(idx) = place_of(&text, id)
                    && let Some(own) = text.lines.get_mut(idx)
                {
                    *own = line.line(&own.end);
                }
            }
            Edit::Remove(id) => {
                if let Some(idx) = place_of(&text, id) {
                    text.lines.remove(idx);
                }
            }
        }
    }
    text
}

/// Reverts the change of one line: puts the line that the change removed in place of the line that it wrote or, if it
/// removed none, only removes the line that it wrote. `None` if that line is not there as it was written.
pub(crate) fn with_undone(
    text: &MemoryText,
    id: &str,
    older: Option<NoteLine<'static>>,
) -> Option<MemoryText> {
    let idx = place_of(text, id)?;
    let mut text = text.clone();
    match (text.lines.get_mut(idx), older) {
        (Some(own), Some(older)) => {
            *own = NoteLine {
                end: std::mem::take(&mut own.end),
                ..older
            };
        }
        _ => drop(text.lines.remove(idx)),
    }
    Some(text)
}

/// The index of a line of ours.
fn place_of(text: &MemoryText, id: &str) -> Option<usize> {
    let mut lines = text.lines.iter();
    lines.position(|line| line.ours().is_some_and(|own| own.own_id() == id))
}

/// Inserts a line after the last non-blank line of a section; `line` makes it with a line break.
pub(crate) fn add(
    text: &mut MemoryText,
    section: &str,
    line: impl FnOnce(&str) -> NoteLine<'static>,
) {
    let is_windows = text.lines.iter().any(|line| line.end == "\r\n");
    let newline = if is_windows { "\r\n" } else { "\n" };
    let line = line(newline);
    let blank = || NoteLine::plain("", newline);
    let is_blank = |line: &NoteLine<'_>| line.text().trim().is_empty();
    let title = |line: &NoteLine<'_>| heading(line.text().trim()).map(str::to_owned);
    let is_section = |line: &NoteLine<'_>| title(line).is_some_and(|title| same(&title, section));
    let all = &mut text.lines;
    let Some(start) = all.iter().position(is_section) else {
        end_last(all, newline);
        if all.last().is_some_and(|last| !is_blank(last)) {
            all.push(blank());
        }
        let heading = NoteLine::plain(format!("## {section}"), newline);
        all.extend([heading, blank(), line]);
        return;
    };
    let body = all.iter().skip(start + 1);
    let body: Vec<&NoteLine<'_>> = body.take_while(|line| title(line).is_none()).collect();
    let last = body.iter().rposition(|line| !is_blank(line));
    let at = last.map_or(start, |last| start + 1 + last) + 1;
    let mut new = vec![line];
    if last.is_none() {
        new.insert(0, blank());
        // Keep a blank line before a heading that follows.
        if all.get(at).is_some_and(|next| !is_blank(next)) {
            new.push(blank());
        }
    }
    if at == all.len() {
        end_last(all, newline);
    }
    all.splice(at..at, new);
}

/// Gives the last line of a file its line break.
fn end_last(all: &mut [NoteLine<'static>], newline: &str) {
    if let Some(last) = all.last_mut()
        && last.end.is_empty()
    {
        last.end = newline.to_owned().into();
    }
}

fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
