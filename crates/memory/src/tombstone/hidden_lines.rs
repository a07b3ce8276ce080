//! Finds the forgotten lines of a note.
//!
//! Never changes a file.

use std::collections::BTreeSet;

use super::set::Tombstones;
use crate::note_text::NoteText;
use crate::notes::cut_note;

/// The lines of forgotten passages, from 1.
pub(crate) fn hidden_lines(text: &NoteText<'_>, tombstones: &Tombstones) -> BTreeSet<usize> {
    let mut hidden = BTreeSet::new();
    if !tombstones.hides_nothing() {
        cut_note(text, &mut |passage| {
            if tombstones.hides_text(&passage.text) {
                hidden.extend(passage.lines.start..=passage.lines.end);
            }
        });
        // A heading is a passage only if there is no text below it.
        let headings = text.numbered().filter(|(_, line)| {
            line.text().trim_start().starts_with('#') && tombstones.hides_text(line.text())
        });
        hidden.extend(headings.map(|(number, _)| number));
    }
    hidden
}
