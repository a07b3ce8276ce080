//! Reads the text of a note: finds the record of each line.
//!
//! Pure.

use std::borrow::Cow;

use base::{Origin, scope_of, short_hash};

use super::legacy::{self, Comments};
use super::record::NoteRecord;
use super::records::Ledger;
use crate::daily_log::lines::{LogLine, is_item, lines};
use crate::daily_log::without_note_comment;
use crate::note::{marked, text_of};
use crate::note_folder::readable_page;
use crate::note_text::{KnownLine, NoteLine, NoteText, RecordSource};
use crate::workspace::MEMORY_FILE;

impl Ledger {
    /// The lines of a note of any format, each with its record.
    pub(crate) fn read<'t>(&self, file: &str, text: &'t str) -> NoteText<'t> {
        let lines = lines(text);
        let comments = Comments::of(&lines);
        self.read_lines(file, (text, &lines), &comments)
    }

    pub(super) fn read_lines<'t>(
        &self,
        file: &str,
        (text, lines): (&'t str, &[LogLine<'t>]),
        comments: &Comments,
    ) -> NoteText<'t> {
        let line = |(idx, line): (usize, &LogLine<'t>)| {
            let whole = text.get(line.bytes.clone()).unwrap_or_default();
            let found = self.known_at(file, (comments, idx), line.text);
            let (said, known) = match found {
                _ if comments.is_comment(idx) => ("", None),
                Some((said, known)) => (said.trim_end(), Some(Box::new(known))),
                None => (without_note_comment(line.text), None),
            };
            NoteLine {
                raw: Cow::Borrowed(line.text),
                n_text_bytes: said.len(),
                end: Cow::Borrowed(whole.get(line.text.len()..).unwrap_or_default()),
                known,
            }
        };
        NoteText {
            lines: lines.iter().enumerate().map(line).collect(),
        }
    }

    /// The record of a line of a file, and the line without its mark or comment.
    fn known_at<'l>(
        &self,
        file: &str,
        (comments, idx): (&Comments, usize),
        line: &'l str,
    ) -> Option<(&'l str, KnownLine)> {
        let block = comments.block_at(idx).map(|block| &block.opening);
        let (said, mut record, mut source) = if let Some(found) = legacy::fields(line) {
            let record = found.record(file);
            (found.said, record, RecordSource::Unwritten)
        } else if let Some((said, mark)) = marked(line) {
            let hash = short_hash(text_of(said));
            let in_comments = comments.records.get(mark);
            let in_copy = self.copy().get(mark).filter(|_| file == MEMORY_FILE);
            if let Some((record, source)) = self.find(file, mark, &hash) {
                (said, record, source)
            } else if let Some(fields) = in_comments.or(in_copy) {
                let record = legacy::record_of(fields, file, mark)?;
                (said, record, RecordSource::Unwritten)
            } else {
                let source = match block {
                    Some(_) => RecordSource::Unwritten,
                    None => RecordSource::Nowhere,
                };
                (said, NoteRecord::assumed(file, mark, hash), source)
            }
        } else {
            let opening = block.filter(|own| scope_of(own.session.as_str()).is_some())?;
            let said = line.trim_end();
            let text = Some(text_of(said)).filter(|text| !text.is_empty() && is_item(said))?;
            let mark = short_hash(&format!("{}\n{text}", opening.session));
            let record = NoteRecord {
                origin: Origin::Owner,
                ..NoteRecord::assumed(file, &mark, short_hash(text))
            };
            (said, record, RecordSource::Unwritten)
        };
        if let Some(opening) = block {
            let found = record.clone();
            let (first, last) = &opening.span;
            record
                .session
                .get_or_insert_with(|| opening.session.to_string());
            record.epoch.get_or_insert(opening.epoch);
            record
                .span
                .get_or_insert((first.to_string(), last.to_string()));
            if record != found {
                source = RecordSource::Unwritten;
            }
        }
        Some((said, KnownLine { record, source }))
    }
}

impl crate::Workspace {
    /// The lines of a note, each with its record; a note in a folder elsewhere has no records.
    pub fn read_note<'t>(&self, file: &str, text: &'t str) -> NoteText<'t> {
        match self.folder_of(file) {
            Some(_) => readable_page(text),
            None => self.ledger().read(file, text),
        }
    }
}
