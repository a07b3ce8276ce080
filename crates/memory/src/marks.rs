//! The short marks (`^1a2b3c4d`) after notes, and the comments that hold a record for each mark.
//!
//! Pure; never changes text that is not known to be ours.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use base::{FLUSH_SECTIONS, short_hash};
use regex::Regex;

use crate::daily_log::extent::{Extent, content_of, extents};
use crate::daily_log::lines::{LogLine, closing, lines, same_length_text, title};
use crate::note::{self, NoteId, NoteLine};

/// A list item that ends in a mark: the text before it, and the mark.
static MARKED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\s*[-*+](?:\s.*?)?)\s+\^([0-9a-f]{8})\s*$").ok());

/// The closing mark of a block, or the comment below notes outside of blocks: its start, and its records.
static COMMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^<!-- (/flush [0-9a-f]{8}|notes)((?: .*)?) -->\s*$").ok());

/// The start of the comment below notes outside of blocks.
const NOTES: &str = "notes";

/// The records by mark: the fields, in the syntax of the comment after a line of format 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MarkRecords(BTreeMap<String, String>);

impl MarkRecords {
    /// Parses all records in the comments of a text; the first record of a mark wins.
    pub(crate) fn of(text: &str) -> Self {
        let mut records = Self::default();
        for line in lines(text) {
            let (_, found) = comment(line.text).unwrap_or_default();
            for (mark, fields) in found {
                records.0.entry(mark).or_insert(fields);
            }
        }
        records
    }

    /// Adds the records of marks that have none yet.
    pub(crate) fn extend(&mut self, other: Self) {
        for (mark, fields) in other.0 {
            self.0.entry(mark).or_insert(fields);
        }
    }

    /// Removes the record of a line.
    pub(crate) fn drop_of(&mut self, line: &str) {
        if let Some((_, mark)) = marked(line) {
            self.0.remove(mark);
        }
    }

    /// Converts an unchanged line of format 1 into a line with a mark and stores its record. Uses the mark from
    /// `wanted` unless another record has it.
    pub(crate) fn mark(&mut self, line: &str, wanted: fn(&NoteLine) -> String) -> Option<String> {
        let note = note::parse(line).filter(NoteLine::is_as_written)?;
        let (said, comment) = line.rsplit_once("<!-- ")?;
        let fields = comment.trim_end().strip_suffix("-->")?.trim_end();
        let is_free = |mark: &String| {
            let known = self.0.get(mark);
            is_mark(mark) && known.is_none_or(|known| known == fields)
        };
        let mark = Some(wanted(&note)).filter(is_free);
        let mark = mark.unwrap_or_else(|| short_hash(&format!("{}\n{}", note.id, note.text)));
        let line = format!("{} ^{mark}", said.trim_end());
        self.0.insert(mark, fields.to_owned());
        Some(line)
    }

    /// The comment with all records; `None` if there are none.
    pub(crate) fn to_comment(&self) -> Option<String> {
        notes_comment(self.0.iter())
    }

    /// The comment with the records of the marks in a text, in their order; `None` if there are none.
    pub(crate) fn comment_below(&self, text: &str) -> Option<String> {
        let mut seen = BTreeSet::new();
        let all = lines(text);
        let marks = all.iter().filter_map(|line| marked(line.text));
        let marks = marks.filter(|(_, mark)| seen.insert(*mark));
        notes_comment(marks.filter_map(|(_, mark)| self.0.get_key_value(mark)))
    }

    /// [`spelled_out`] with these records, for a text whose comments are already parsed.
    pub(crate) fn spell_out<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !text.contains(" ^") {
            return Cow::Borrowed(text);
        }
        let lines = lines(text);
        let blocks = extents(&lines);
        let mut out = String::with_capacity(text.len() * 2);
        for (idx, line) in lines.iter().enumerate() {
            let whole = text.get(line.bytes.clone()).unwrap_or_default();
            let spelled = match (comment(line.text), marked(line.text)) {
                (Some((begin, _)), _) => Some(format!("<!-- {begin} -->")),
                (None, Some((said, mark))) => {
                    let known = self.0.get(mark).cloned();
                    let fields =
                        known.or_else(|| unknown(said, mark, &around(&blocks, &lines, idx)));
                    fields.map(|fields| format!("{said} <!-- {fields} -->"))
                }
                (None, None) => None,
            };
            match spelled {
                Some(spelled) => {
                    out.push_str(&spelled);
                    out.push_str(whole.get(line.text.len()..).unwrap_or_default());
                }
                None => out.push_str(whole),
            }
        }
        Cow::Owned(out)
    }
}

/// Converts a text to format 1: replaces each mark of ours with its record as a comment, and empties the comments that
/// held the records, so that readers need to know one format only. Line numbers stay the same.
///
/// A mark without a record counts as a note of the assistant if it is in a block of ours or is the hash of its text.
/// Any other is the owner's text.
pub fn spelled_out(text: &str) -> Cow<'_, str> {
    if !text.contains(" ^") {
        return Cow::Borrowed(text);
    }
    MarkRecords::of(text).spell_out(text)
}

/// Appends to `text` the records from `copy` for those of its marks that have none.
pub(crate) fn completed(text: String, copy: &str) -> String {
    let (own, mut known) = (MarkRecords::of(&text), MarkRecords::of(copy));
    known.0.retain(|mark, _| !own.0.contains_key(mark));
    match known.comment_below(&text) {
        Some(comment) => {
            let gap = if text.ends_with('\n') { "" } else { "\n" };
            format!("{text}{gap}{comment}\n")
        }
        None => text,
    }
}

/// The mark of a line of `MEMORY.md`: a hash of its text, so that it proves the text even without its record.
pub(crate) fn mark_of_text(note: &NoteLine) -> String {
    short_hash(&note.text)
}

pub(crate) fn mark_of_id(note: &NoteLine) -> String {
    note.id.to_string()
}

/// A note with its mark, and its record in the syntax of a comment.
pub(crate) fn note_with_record(line: &str) -> (String, String) {
    let mut records = MarkRecords::default();
    let marked = records.mark(line, mark_of_id);
    let listed = listed(records.0.iter());
    (marked.unwrap_or_else(|| line.to_owned()), listed)
}

/// The comment for records outside of blocks.
pub(crate) fn notes_line(listed: &str) -> String {
    format!("<!-- {NOTES}{listed} -->")
}

/// Whether a line is the comment of records outside of blocks.
pub(crate) fn is_notes_line(line: &str) -> bool {
    comment(line).is_some_and(|(begin, _)| begin == NOTES)
}

/// Removes the comments with records outside of blocks, and the blank line before each.
pub(crate) fn without_notes_lines(text: &str) -> String {
    let all = lines(text);
    let is_gone = |line: &&LogLine<'_>| is_notes_line(line.text);
    let kept = all.iter().enumerate().filter(|(idx, line)| {
        let is_gap = line.text.is_empty() && all.get(idx + 1).as_ref().is_some_and(is_gone);
        !is_gap && !is_gone(line)
    });
    kept.filter_map(|(_, line)| text.get(line.bytes.clone()))
        .collect()
}

/// Adds to `gone` the comments whose records all belong to lines in it. Line numbers start at 1.
pub(crate) fn with_lost_comments(bytes: &[u8], mut gone: BTreeSet<usize>) -> BTreeSet<usize> {
    let text = same_length_text(bytes);
    let lines = lines(&text);
    let lost = lost_marks(&lines, &gone);
    for (line, number) in lines.iter().zip(1..) {
        let (begin, found) = comment(line.text).unwrap_or_default();
        let is_lost = |(mark, _): &(String, String)| lost.contains(mark.as_str());
        if begin == NOTES && !found.is_empty() && found.iter().all(is_lost) {
            gone.insert(number);
        }
    }
    gone
}

/// Removes the lines `gone` (numbers from 1) and the records that only they used. If an unchanged block loses a line,
/// its other lines are converted to marks.
pub(crate) fn without_lines(bytes: &[u8], gone: &BTreeSet<usize>) -> Vec<u8> {
    let text = same_length_text(bytes);
    let lines = lines(&text);
    let lost = lost_marks(&lines, gone);
    let is_gone = |idx: usize| gone.contains(&(idx + 1));
    let blocks = extents(&lines);
    let changed: Vec<Range<usize>> = blocks
        .iter()
        .filter(|block| block.closing_hash == Some(short_hash(&content_of(block, &lines))))
        .map(|block| block.lines.clone())
        .filter(|block| block.clone().any(is_gone))
        .collect();
    let mut known = MarkRecords::of(&text);
    let mut new: Vec<(String, String)> = Vec::new();
    let mut out = Vec::with_capacity(bytes.len());
    for (idx, line) in lines.iter().enumerate().filter(|(idx, _)| !is_gone(*idx)) {
        let is_changed = changed.iter().any(|block| block.contains(&idx));
        let rewritten = if let Some((begin, found)) = comment(line.text) {
            let n_found = found.len();
            let mut left: Vec<_> = found
                .into_iter()
                .filter(|(mark, _)| !lost.contains(mark.as_str()))
                .collect();
            let is_shorter = left.len() < n_found;
            let is_end = closing(line.text).is_some() && !new.is_empty();
            if is_end {
                left.append(&mut new);
            }
            let listed = listed(left.iter().map(|(mark, fields)| (mark, fields)));
            (is_shorter || is_end).then(|| format!("<!-- {begin}{listed} -->"))
        } else if is_changed {
            let written = known.mark(line.text, mark_of_id);
            let mark = written.as_deref().and_then(marked).map(|(_, mark)| mark);
            let record = mark.and_then(|mark| known.0.get_key_value(mark));
            new.extend(record.map(|(mark, fields)| (mark.clone(), fields.clone())));
            written
        } else {
            None
        };
        let whole = bytes.get(line.bytes.clone()).unwrap_or_default();
        match rewritten {
            Some(line_text) => {
                out.extend_from_slice(line_text.as_bytes());
                out.extend_from_slice(whole.get(line.text.len()..).unwrap_or_default());
            }
            None => out.extend_from_slice(whole),
        }
    }
    out
}

/// The marks that occur only on removed lines.
fn lost_marks<'t>(lines: &[LogLine<'t>], gone: &BTreeSet<usize>) -> BTreeSet<&'t str> {
    let marks = |is_wanted: bool| {
        let wanted = lines.iter().zip(1..);
        let wanted = wanted.filter(move |(_, number)| gone.contains(number) == is_wanted);
        wanted.filter_map(|(line, _)| Some(marked(line.text)?.1))
    };
    let stays: BTreeSet<&str> = marks(false).collect();
    marks(true).filter(|mark| !stays.contains(mark)).collect()
}

/// Splits a line that ends in a mark into text and mark.
fn marked(line: &str) -> Option<(&str, &str)> {
    let (_, [said, mark]) = MARKED.as_ref()?.captures(line)?.extract();
    Some((said, mark))
}

/// Parses a comment for records, possibly without any: its start, and the valid records.
fn comment(line: &str) -> Option<(&str, Vec<(String, String)>)> {
    let (_, [begin, records]) = COMMENT.as_ref()?.captures(line)?.extract();
    let record = |record: &str| {
        let (mark, fields) = record.split_once(' ')?;
        let fields = match fields.trim_end() {
            whole if whole.starts_with("n:") => whole.to_owned(),
            rest => format!("n:{mark} {rest}"),
        };
        let is_read = note::parse(&format!("- x <!-- {fields} -->")).is_some();
        (is_mark(mark) && is_read).then(|| (mark.to_owned(), fields))
    };
    let found: Vec<_> = records.split(" ^").skip(1).filter_map(record).collect();
    // `<!-- notes to myself -->` is the owner's.
    let is_ours = begin != NOTES || records.is_empty() || records.starts_with(" ^");
    is_ours.then_some((begin, found))
}

/// Renders records for a comment; omits an id that equals its mark.
fn listed<'r>(records: impl Iterator<Item = (&'r String, &'r String)>) -> String {
    let record = |(mark, fields): (&String, &String)| {
        let rest = fields.strip_prefix(&format!("n:{mark} "));
        format!(" ^{mark} {}", rest.unwrap_or(fields))
    };
    records.map(record).collect()
}

fn notes_comment<'r>(records: impl Iterator<Item = (&'r String, &'r String)>) -> Option<String> {
    Some(listed(records))
        .filter(|listed| !listed.is_empty())
        .map(|listed| notes_line(&listed))
}

fn is_mark(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 8 && text.bytes().all(is_digit)
}

/// The context of a line.
enum Around<'b> {
    /// Outside of blocks.
    Nothing,
    /// In a complete block.
    Block,
    /// In an unfinished block, with its titles.
    Torn(&'b Extent, Vec<&'b str>),
}

fn around<'b>(blocks: &'b [Extent], lines: &'b [LogLine<'_>], idx: usize) -> Around<'b> {
    match blocks.iter().find(|block| block.lines.contains(&idx)) {
        None => Around::Nothing,
        Some(block) if block.closing_hash.is_some() => Around::Block,
        Some(block) => {
            let inside = lines.get(block.lines.clone()).unwrap_or_default();
            let titles = inside.iter().filter_map(|line| title(line.text));
            Around::Torn(block, titles.chain(FLUSH_SECTIONS).collect())
        }
    }
}

/// The assumed record of a mark that has none; `None` if the line is the owner's.
fn unknown(said: &str, mark: &str, around: &Around<'_>) -> Option<String> {
    let text = said.trim_start().get(1..).unwrap_or_default().trim();
    let hash = short_hash(text);
    let is_ours = match around {
        Around::Block => true,
        Around::Nothing => hash == mark,
        Around::Torn(block, titles) => {
            let opening = &block.opening;
            let id = |title: &&str| NoteId::of(&opening.session, &opening.span, title, text);
            hash == mark || titles.iter().any(|title| id(title).as_str() == mark)
        }
    };
    is_ours.then(|| format!("n:{mark} e: h:{hash} o:agent"))
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod tests;
