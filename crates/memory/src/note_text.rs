//! The text of a note, line by line, with the record of each line.
//!
//! Pure. A file of any format is read into this value; no other code looks at marks or at comments of ours.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base::{Day, Origin, short_hash};

use crate::ledger::{Ledger, NoteRecord};
use crate::note::text_of;

/// A line of a note, as every reader gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteLine<'t> {
    /// The line as it is in the file, without its line break.
    pub(crate) raw: Cow<'t, str>,
    /// Bytes of `raw` before the mark or the comment at its end.
    pub(crate) n_text_bytes: usize,
    /// Its line break; empty at the end of a file.
    pub(crate) end: Cow<'t, str>,
    /// What is known about it; boxed, because most lines of most files have nothing.
    pub(crate) known: Option<Box<KnownLine>>,
}

/// What is known about a line of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownLine {
    pub(crate) record: NoteRecord,
    pub(crate) source: RecordSource,
}

/// Where a record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordSource {
    /// The ledger on disk: file and record are as this version writes them.
    Ledger,
    /// A comment of an earlier version, or a line that is not written yet.
    Unwritten,
    /// Nowhere: a line with a mark but without a record counts as the assistant's.
    Nowhere,
}

/// The text of a note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteText<'t> {
    pub(crate) lines: Vec<NoteLine<'t>>,
}

/// The text of `MEMORY.md`, which changes line by line.
pub type MemoryText = NoteText<'static>;

impl<'t> NoteLine<'t> {
    /// A line about which nothing is known.
    pub(crate) fn plain(raw: impl Into<Cow<'t, str>>, end: impl Into<Cow<'t, str>>) -> Self {
        let raw = raw.into();
        Self {
            n_text_bytes: raw.len(),
            raw,
            end: end.into(),
            known: None,
        }
    }

    /// A line with a record that is not written yet.
    pub(crate) fn unwritten_of(text: impl Into<Cow<'t, str>>, record: NoteRecord) -> Self {
        let source = RecordSource::Unwritten;
        Self {
            known: Some(Box::new(KnownLine { record, source })),
            ..Self::plain(text, "")
        }
    }

    /// The line without its line break and without the mark or comment that the program wrote at its end.
    pub fn text(&self) -> &str {
        self.raw.get(..self.n_text_bytes).unwrap_or_default()
    }

    /// Who answers for it: the owner, unless it is a line of ours that nobody has changed.
    pub fn origin(&self) -> Origin {
        self.ours().map_or(Origin::Owner, |record| record.origin)
    }

    /// The id of the note or candidate that it was written for, even if it was edited since.
    pub fn id(&self) -> Option<&str> {
        self.record().map(NoteRecord::own_id)
    }

    /// The id in the mark at its end.
    pub fn mark(&self) -> Option<&str> {
        self.record().map(|record| &*record.id)
    }

    /// Who answered for it when the program wrote it, even if it was edited since.
    pub fn written_for(&self) -> Option<Origin> {
        self.record().map(|record| record.origin)
    }

    /// The day from which it held when the program wrote it.
    pub fn day(&self) -> Option<Day> {
        self.record()?.day.as_ref()?.parse().ok()
    }

    /// The text of a list item, without its bullet.
    pub(crate) fn item(&self) -> &str {
        text_of(self.text())
    }

    /// What is known about it, even if it was edited since.
    pub(crate) fn record(&self) -> Option<&NoteRecord> {
        self.known.as_ref().map(|known| &known.record)
    }

    /// What is known about it, if it is unchanged since it was written.
    pub(crate) fn ours(&self) -> Option<&NoteRecord> {
        self.record()
            .filter(|record| short_hash(self.item()) == record.hash)
    }

    /// Its record, if this version has not written that record yet.
    pub(crate) fn unwritten(&self) -> Option<&NoteRecord> {
        let known = self.known.as_ref()?;
        self.ours()
            .filter(|_| known.source == RecordSource::Unwritten)
    }

    /// The line with its line break, as a reader sees it.
    pub(crate) fn shown(&self) -> String {
        // A line end of another system is none of its words.
        let end = if self.end.is_empty() { "" } else { "\n" };
        format!("{}{end}", self.text())
    }

    fn into_owned(self) -> NoteLine<'static> {
        NoteLine {
            raw: Cow::Owned(self.raw.into_owned()),
            n_text_bytes: self.n_text_bytes,
            end: Cow::Owned(self.end.into_owned()),
            known: self.known,
        }
    }
}

impl<'t> NoteText<'t> {
    /// Reads a text about which no records are known.
    pub fn alone(text: &'t str) -> Self {
        Ledger::default().read("", text)
    }

    /// Its lines, in order.
    pub fn lines(&self) -> &[NoteLine<'t>] {
        &self.lines
    }

    /// Its lines with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &NoteLine<'t>)> {
        (1..).zip(&self.lines)
    }

    /// A line by its number, from 1.
    pub fn line(&self, number: usize) -> Option<&NoteLine<'t>> {
        self.lines.get(number.checked_sub(1)?)
    }

    /// The line that was written for a candidate, unless it was changed since.
    pub(crate) fn line_of(&self, id: &str) -> Option<&NoteLine<'t>> {
        let mut lines = self.lines.iter();
        lines.find(|line| line.ours().is_some_and(|own| own.own_id() == id))
    }

    /// The text as a reader sees it: without marks and comments of ours. Line numbers stay those of the file.
    pub fn readable(&self) -> String {
        self.lines.iter().map(NoteLine::shown).collect()
    }

    /// The text as it is in the file.
    #[cfg(test)]
    pub(crate) fn raw(&self) -> String {
        let parts = self.lines.iter().flat_map(|line| [&*line.raw, &*line.end]);
        parts.collect()
    }

    /// The text without these lines, by number.
    #[must_use]
    pub(crate) fn without(mut self, hidden: &BTreeSet<usize>) -> Self {
        if !hidden.is_empty() {
            let mut number = 0;
            self.lines.retain(|_| {
                number += 1;
                !hidden.contains(&number)
            });
        }
        self
    }

    /// The text with these lines blank, by number.
    #[must_use]
    pub(crate) fn blanking(mut self, is_hidden: impl Fn(usize, &NoteLine<'t>) -> bool) -> Self {
        for (line, number) in self.lines.iter_mut().zip(1..) {
            if is_hidden(number, line) {
                *line = NoteLine::plain("", std::mem::take(&mut line.end));
            }
        }
        self
    }

    /// The same, independent of the text that it was read from.
    pub fn into_owned(self) -> MemoryText {
        let lines = self.lines.into_iter().map(NoteLine::into_owned);
        NoteText {
            lines: lines.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_with_mark_but_no_record_belongs_to_assistant() {
        let text = NoteText::alone("  * Uses  RS256 ^1a2b3c4d ");
        let line = &text.lines()[0];
        assert_eq!(line.ours().unwrap().id, "1a2b3c4d");
        assert_eq!((line.origin(), line.item()), (Origin::Agent, "Uses  RS256"));
        for other in [
            "- see ^abc123",
            "words ^0123abcd",
            "- mine ^my-block",
            "- x^0123abcd",
        ] {
            assert_eq!(NoteText::alone(other).lines()[0].record(), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn i16_note_text_reads_any_text_unchanged(text in "(?s).*") {
            let read = NoteText::alone(&text);
            prop_assert_eq!(read.raw(), &*text);
            read.readable();
        }
    }
}
