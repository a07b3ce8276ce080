//! Finds the forgotten lines of a note and removes them for readers.
//!
//! Never changes a file.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::set::Tombstones;
use crate::notes::cut_note;

/// The lines of forgotten passages, from 1.
pub(crate) fn hidden_lines(text: &str, tombstones: &Tombstones) -> BTreeSet<usize> {
    let mut hidden = BTreeSet::new();
    if !tombstones.hides_nothing() {
        cut_note(text, &mut |passage| {
            if tombstones.hides_text(&passage.text) {
                hidden.extend(passage.lines.start..=passage.lines.end);
            }
        });
        // A heading is a passage only if there is no text below it.
        let headings = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.trim_start().starts_with('#') && tombstones.hides_text(line));
        hidden.extend(headings.map(|(_, number)| number));
    }
    hidden
}

/// The text without forgotten lines.
pub(crate) fn without_hidden<'t>(text: &'t str, tombstones: &Tombstones) -> Cow<'t, str> {
    let hidden = hidden_lines(text, tombstones);
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n').zip(1..);
    let shown = lines.filter(|(_, number)| !hidden.contains(number));
    Cow::Owned(shown.map(|(line, _)| line).collect())
}
