//! The text of a log for a reader.
//!
//! Pure.

use super::lines::lines;
use crate::note::marked;

/// A text for a reader, without the marks and records at the ends of its lines.
pub fn without_comments(text: &str) -> String {
    let shown = lines(text).into_iter().map(|line| {
        let end = if line.is_ended { "\n" } else { "" };
        format!("{}{end}", without_note_comment(line.text))
    });
    shown.collect()
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
