//! The text of a log for a reader.
//!
//! Pure; its texts are as [`Workspace::spelled`](crate::Workspace::spelled) returns them.

use base::Origin;

use super::lines::lines;
use crate::note::{self, NoteLine, marked};

/// The text of a note for a reader: without what is known about its lines.
pub fn without_comments(text: &str) -> String {
    readable_lines(text)
        .into_iter()
        .map(|(line, _)| line)
        .collect()
}

/// The lines of a note for a reader, each with its line break and with who answers for it.
pub(crate) fn readable_lines(text: &str) -> Vec<(String, Origin)> {
    let readable = |line: &super::lines::LogLine<'_>| {
        let note = note::parse(line.text).filter(NoteLine::is_as_written);
        let origin = note.map_or(Origin::Owner, |note| note.origin);
        let end = if line.is_ended { "\n" } else { "" };
        (format!("{}{end}", without_note_comment(line.text)), origin)
    };
    lines(text).iter().map(readable).collect()
}

/// A line without the record or the mark at its end, even if a crash cut the record off.
pub(crate) fn without_note_comment(line: &str) -> &str {
    match line.rsplit_once("<!-- n:") {
        Some((text, comment)) if is_comment_tail(comment) => text.trim_end(),
        _ => marked(line).map_or(line, |(said, _)| said),
    }
}

/// Whether nothing follows the end of the comment.
fn is_comment_tail(comment: &str) -> bool {
    match comment.split_once("-->") {
        Some((_, after)) => after.trim().is_empty(),
        None => true,
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
