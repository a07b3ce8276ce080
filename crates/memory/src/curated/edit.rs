//! Edits of the text of `MEMORY.md`, as data, and how to apply them.
//!
//! Pure; never changes a line of the owner.

use super::line::{LineOwner, NewLine, heading, memory_lines};
use crate::daily_log::lines::lines;

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

/// Applies `edits` to `text`, a text with its records, in order.
///
/// Lines of the owner stay byte for byte. An edit is ignored if its line is missing or not ours.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let text = text.to_owned();
    edits.iter().fold(text, |text, edit| match edit {
        Edit::Add { section, line } => with_line(&text, section, &line.render()),
        Edit::Replace { id, line } => with_replaced(&text, id, Some(line)),
        Edit::Remove(id) => with_replaced(&text, id, None),
    })
}

fn newline_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn with_replaced(text: &str, id: &str, new: Option<&NewLine>) -> String {
    let number = memory_lines(text)
        .into_iter()
        .find_map(|line| match &line.owner {
            LineOwner::Ours { id: own, .. } if own == id => Some(line.number),
            LineOwner::Ours { .. } | LineOwner::Owner => None,
        });
    let Some(number) = number else {
        return text.to_owned();
    };
    let mut out = String::with_capacity(text.len());
    for (line, own) in lines(text).into_iter().zip(1..) {
        let whole = text.get(line.bytes.clone()).unwrap_or_default();
        if own != number {
            out.push_str(whole);
            continue;
        }
        if let Some(new) = new {
            out.push_str(&new.render());
            out.push_str(whole.get(line.text.len()..).unwrap_or_default());
        }
    }
    out
}

/// Inserts a line after the last non-blank line of a section.
fn with_line(text: &str, section: &str, line: &str) -> String {
    let newline = newline_of(text);
    let all = lines(text);
    let is_section = |text: &str| heading(text.trim()).is_some_and(|title| same(title, section));
    let Some(start) = all.iter().position(|line| is_section(line.text)) else {
        let gap = gap_before(text, newline);
        return format!("{text}{gap}## {section}{newline}{newline}{line}{newline}");
    };
    let body = all.get(start + 1..).unwrap_or_default();
    let n_body = body
        .iter()
        .position(|line| heading(line.text.trim()).is_some())
        .unwrap_or(body.len());
    let last = body
        .iter()
        .take(n_body)
        .rposition(|line| !line.text.trim().is_empty());
    let is_first = last.is_none();
    let anchor = all.get(last.map_or(start, |last| start + 1 + last));
    let at = anchor.map_or(text.len(), |line| line.bytes.end);
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let end = if before.ends_with('\n') { "" } else { newline };
    let gap = if is_first { newline } else { "" };
    // Keep a blank line before a heading that follows.
    let after_gap = match after.lines().next() {
        Some(next) if !next.trim().is_empty() && is_first => newline,
        Some(_) | None => "",
    };
    format!("{before}{end}{gap}{line}{newline}{after_gap}{after}")
}

fn gap_before(text: &str, newline: &str) -> String {
    let has_gap = text.ends_with("\n\n") || text.ends_with("\r\n\r\n");
    if has_gap || text.trim().is_empty() {
        String::new()
    } else if text.ends_with('\n') {
        newline.to_owned()
    } else {
        newline.repeat(2)
    }
}

fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
