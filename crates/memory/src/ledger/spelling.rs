//! The text of a note with what is known about each line at its end, as all code here reads it.
//!
//! Pure; line numbers stay those of the file.

use std::borrow::Cow;

use base::{Origin, scope_of, short_hash};

use super::legacy::Comments;
use super::record::NoteRecord;
use super::records::Ledger;
use crate::daily_log::lines::{LogLine, lines};
use crate::note::{self, marked, text_of};
use crate::workspace::MEMORY_FILE;

/// The start of a comment.
const COMMENT: &str = "<!-- ";

impl Ledger {
    /// Replaces each mark with a record by that record as a comment at the end of the line, and each comment of an
    /// earlier version by a blank line. A mark without a record stays: its line is the assistant's.
    pub(crate) fn spelled<'t>(&self, file: &str, text: &'t str) -> Cow<'t, str> {
        if !text.contains('^') && !text.contains(COMMENT) {
            return Cow::Borrowed(text);
        }
        let lines = lines(text);
        let comments = Comments::of(&lines);
        let mut out = String::with_capacity(text.len() * 2);
        for (idx, line) in lines.iter().enumerate() {
            let whole = text.get(line.bytes.clone()).unwrap_or_default();
            let end = whole.get(line.text.len()..).unwrap_or_default();
            match self.spelled_line(file, (&comments, idx), line) {
                Some(spelled) => out.extend([&spelled, end]),
                None => out.push_str(whole),
            }
        }
        Cow::Owned(out)
    }

    fn spelled_line(
        &self,
        file: &str,
        (comments, idx): (&Comments, usize),
        line: &LogLine<'_>,
    ) -> Option<String> {
        if comments.is_comment(idx) {
            return Some(String::new());
        }
        let (said, record) = self.record_at(file, (comments, idx), line.text)?;
        Some(format!("{} {}", said.trim_end(), record.comment()))
    }

    /// The record of a line of a file, and the line without its mark or comment.
    pub(super) fn record_at<'l>(
        &self,
        file: &str,
        (comments, idx): (&Comments, usize),
        line: &'l str,
    ) -> Option<(&'l str, NoteRecord)> {
        let block = comments.block_at(idx).map(|block| &block.opening);
        let (said, mut record) = if let Some(found) = note::fields(line) {
            let mark = super::taken_over::wanted_mark(file, &found);
            (found.said, NoteRecord::of(&found, file, &mark))
        } else if let Some((said, mark)) = marked(line) {
            let hash = short_hash(text_of(said));
            let in_comments = comments.records.get(mark);
            let in_copy = self.copy.get(mark).filter(|_| file == MEMORY_FILE);
            let found = self.find(file, mark, &hash);
            let found = found.or_else(|| {
                let fields = in_comments.or(in_copy)?;
                let line = format!("- x <!-- {fields} -->");
                Some(NoteRecord::of(&note::fields(&line)?, file, mark))
            });
            let of_block = || block.map(|_| unknown(file, mark, hash));
            (said, found.or_else(of_block)?)
        } else {
            let opening = block.filter(|own| scope_of(own.session.as_str()).is_some())?;
            let said = line.trim_end();
            let text = Some(text_of(said)).filter(|text| !text.is_empty() && is_item(said))?;
            let mark = short_hash(&format!("{}\n{text}", opening.session));
            let record = NoteRecord {
                origin: Origin::Owner,
                ..unknown(file, &mark, short_hash(text))
            };
            (said, record)
        };
        if let Some(opening) = block {
            let (first, last) = &opening.span;
            record
                .session
                .get_or_insert_with(|| opening.session.to_string());
            record.epoch.get_or_insert(opening.epoch);
            record
                .span
                .get_or_insert((first.to_string(), last.to_string()));
        }
        Some((said, record))
    }
}

impl crate::Workspace {
    /// The text of a note with what is known about each line at its end, as this program reads it.
    pub fn spelled<'t>(&self, file: &str, text: &'t str) -> Cow<'t, str> {
        if !text.contains('^') && !text.contains(COMMENT) {
            return Cow::Borrowed(text);
        }
        self.ledger().spelled(file, text)
    }
}

/// What is assumed about a mark without a record.
fn unknown(file: &str, mark: &str, hash: String) -> NoteRecord {
    NoteRecord {
        id: mark.to_owned(),
        file: file.to_owned(),
        hash,
        origin: Origin::Agent,
        evidence: Vec::new(),
        candidate: None,
        day: None,
        session: None,
        epoch: None,
        span: None,
    }
}

fn is_item(line: &str) -> bool {
    let mut characters = line.trim_start().chars();
    matches!(characters.next(), Some('-' | '*' | '+')) && characters.next() == Some(' ')
}
