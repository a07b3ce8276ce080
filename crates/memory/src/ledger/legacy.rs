//! Reads the records that earlier versions wrote into the notes themselves: comments around blocks, and comments with
//! records.
//!
//! Pure; never written any more.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use base::{EntryId, Origin, SessionId};
use regex::Regex;

use super::record::NoteRecord;
use super::taken_over::wanted_mark;
use crate::daily_log::lines::{LogLine, lines};
use crate::note::decode;

/// The prefix of the comment above a block; no other line starts with it.
const OPENING: &str = "<!-- flush session=";

/// The prefix of the comment below a block.
const CLOSING: &str = "<!-- /flush ";

static OPENING_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^<!-- flush session=([\w%-]*) epoch=(\d{1,20}) span=([\w%-]*)\.\.([\w%-]*) -->\s*$",
    )
    .ok()
});

/// The comment below a block, or below notes outside of blocks, with the records of the marks.
static RECORDS_LINE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^<!-- (/flush [0-9a-f]{8}|notes)((?: .*)?) -->\s*$").ok());

/// The flush that a block was written by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) session: SessionId,
    pub(super) epoch: u64,
    pub(super) span: (EntryId, EntryId),
}

/// A block between comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) opening: Opening,
    /// Line indexes, from 0. Without the comment below it, up to the next block or the end of the file.
    lines: Range<usize>,
    /// Whether the comment below it is there, which means that its flush took effect.
    is_closed: bool,
}

/// The comments of ours in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Comments {
    /// The comments of records, by mark, in the syntax of a comment at the end of a line.
    pub(super) records: BTreeMap<String, String>,
    pub(super) blocks: Vec<Block>,
    /// Whether each line is a comment of ours.
    is_comment: Vec<bool>,
}

impl Comments {
    pub(super) fn of(lines: &[LogLine<'_>]) -> Self {
        let mut found = Self {
            is_comment: vec![false; lines.len()],
            ..Self::default()
        };
        let mut open: Option<Block> = None;
        for (idx, line) in lines.iter().enumerate() {
            let text = line.text;
            if !text.starts_with("<!-- ") {
                if let Some(block) = &mut open {
                    block.lines.end = idx + 1;
                }
                continue;
            }
            let records = records(text);
            let is_records = records.is_some();
            let is_ours = is_records || text.starts_with(OPENING) || text.starts_with(CLOSING);
            if let Some(flag) = found.is_comment.get_mut(idx) {
                *flag = is_ours;
            }
            for (mark, fields) in records.unwrap_or_default() {
                found.records.entry(mark).or_insert(fields);
            }
            if let Some(opening) = opening(text) {
                found.blocks.extend(open.replace(Block {
                    opening,
                    lines: idx..idx + 1,
                    is_closed: false,
                }));
            } else if let Some(mut block) = open.take() {
                block.lines.end = idx + 1;
                if is_records && text.starts_with(CLOSING) {
                    block.is_closed = true;
                    found.blocks.push(block);
                } else {
                    open = Some(block);
                }
            }
        }
        found.blocks.extend(open);
        found
    }

    pub(super) fn is_comment(&self, idx: usize) -> bool {
        self.is_comment.get(idx).copied().unwrap_or_default()
    }

    /// The block around a line.
    pub(super) fn block_at(&self, idx: usize) -> Option<&Block> {
        self.blocks.iter().find(|block| block.lines.contains(&idx))
    }
}

/// The records in a copy of the comment of `MEMORY.md`.
pub(super) fn records_of(copy: &str) -> BTreeMap<String, String> {
    Comments::of(&lines(copy)).records
}

/// Whether a log has a complete block of this session and span between comments.
pub(crate) fn holds_closed_block(
    text: &str,
    session: &SessionId,
    span: &(EntryId, EntryId),
) -> bool {
    let blocks = Comments::of(&lines(text)).blocks;
    blocks.iter().any(|block| {
        block.is_closed && block.opening.session == *session && block.opening.span == *span
    })
}

fn opening(line: &str) -> Option<Opening> {
    let found = OPENING_LINE.as_ref()?.captures(line)?;
    let (_, [session, epoch, first, last]) = found.extract();
    let id = |text| EntryId::new(decode(text));
    Some(Opening {
        session: SessionId::new(decode(session)),
        epoch: epoch.parse().ok()?,
        span: (id(first), id(last)),
    })
}

/// The valid records of a comment of ours, which may hold none; `None` for any other line.
fn records(line: &str) -> Option<Vec<(String, String)>> {
    let (_, [begin, records]) = RECORDS_LINE.as_ref()?.captures(line)?.extract();
    // `<!-- notes to myself -->` is the owner's.
    let is_ours = begin != "notes" || records.is_empty() || records.starts_with(" ^");
    let record = |record: &str| {
        let (mark, fields) = record.split_once(' ')?;
        let fields = match fields.trim_end() {
            whole if whole.starts_with("n:") => whole.to_owned(),
            rest => format!("n:{mark} {rest}"),
        };
        let is_read = record_of(&fields, "", mark).is_some();
        (is_mark(mark) && is_read).then(|| (mark.to_owned(), fields))
    };
    is_ours.then(|| records.split(" ^").skip(1).filter_map(record).collect())
}

/// A line with its record in a comment at its end.
static NOTE_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(\s*[-*+]\s+(.*?))\s*<!-- n:(\S+) e:(\S*) h:([0-9a-f]{8}) o:([a-z]+)(?: d:([\d-]{10}))?(?: s:(\S+))? -->\s*$").ok()
});

/// The parts of a line with its record at its end, as they are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoteFields<'l> {
    /// The line before its record, with its bullet.
    pub(super) said: &'l str,
    text: &'l str,
    id: &'l str,
    /// Separated by commas.
    evidence: &'l str,
    hash: &'l str,
    origin: Origin,
    day: Option<&'l str>,
    session: Option<&'l str>,
}

/// Splits a line from the record at its end; `None` if it does not end in one.
pub(super) fn fields(line: &str) -> Option<NoteFields<'_>> {
    if !line.contains("<!-- n:") {
        return None;
    }
    let found = NOTE_LINE.as_ref()?.captures(line)?;
    let part = |number: usize| found.get(number).map(|part| part.as_str());
    Some(NoteFields {
        said: part(1)?,
        text: part(2)?,
        id: part(3)?,
        evidence: part(4)?,
        hash: part(5)?,
        origin: Origin::parse(part(6)?)?,
        day: part(7),
        session: part(8),
    })
}

/// The record of a mark in `file`, from its fields in the comment below a block.
pub(super) fn record_of(fields: &str, file: &str, mark: &str) -> Option<NoteRecord> {
    let line = format!("- x <!-- {fields} -->");
    Some(self::fields(&line)?.record_under(file, mark))
}

impl NoteFields<'_> {
    /// The record of the line in `file`, under the mark that it gets there if that is free.
    pub(super) fn record(&self, file: &str) -> NoteRecord {
        self.record_under(file, &wanted_mark(file, self.id, self.text))
    }

    fn record_under(&self, file: &str, mark: &str) -> NoteRecord {
        let evidence = self.evidence.split(',').filter(|id| !id.is_empty());
        NoteRecord {
            id: mark.to_owned(),
            file: file.to_owned(),
            hash: self.hash.to_owned(),
            origin: self.origin,
            evidence: evidence.map(str::to_owned).collect(),
            candidate: Some(self.id.to_owned()).filter(|id| id != mark),
            day: self.day.map(str::to_owned),
            session: self.session.map(decode),
            epoch: None,
            span: None,
            told: None,
        }
    }
}

/// Whether a text can be a mark: eight digits of a hash.
pub(super) fn is_mark(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 8 && text.bytes().all(is_digit)
}

/// A line as version 1 wrote it, with its record at its end.
#[cfg(test)]
pub(crate) fn earlier_line(id: &str, text: &str, evidence: &[&str], origin: Origin) -> String {
    let hash = base::short_hash(text);
    let evidence = evidence.join(",");
    format!("- {text} <!-- n:{id} e:{evidence} h:{hash} o:{origin} -->")
}

#[cfg(test)]
#[path = "legacy_tests.rs"]
mod tests;
