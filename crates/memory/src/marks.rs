//! The short marks behind notes, and the comments that say what each stands for.
//!
//! Pure: a text goes in and a text comes out; whatever is not known to be ours stays as it is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use base::{FLUSH_SECTIONS, short_hash};
use regex::Regex;

use crate::daily_log::extent::{Extent, content_of, extents};
use crate::daily_log::lines::{Line, closing, lines, same_length_text, title};
use crate::note::{self, NoteId, NoteLine};

/// A line of a list that ends in a mark: what stands before it, and the mark.
static MARKED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\s*[-*+](?:\s.*?)?)\s+\^([0-9a-f]{8})\s*$").ok());

/// The closing mark of a block, or the comment below notes outside of blocks: how it begins, and the records.
static COMMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^<!-- (/flush [0-9a-f]{8}|notes)((?: .*)?) -->\s*$").ok());

/// How the comment below notes outside of blocks begins.
const NOTES: &str = "notes";

/// What comments say of marks: the fields, spelled as the comment behind a line of format 1 spells them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Records(BTreeMap<String, String>);

impl Records {
    /// All that the comments of a text say.
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

    /// Takes in what is not known yet.
    pub(crate) fn extend(&mut self, other: Self) {
        for (mark, fields) in other.0 {
            self.0.entry(mark).or_insert(fields);
        }
    }

    /// Forgets the mark of a line.
    pub(crate) fn drop_of(&mut self, line: &str) {
        if let Some((_, mark)) = marked(line) {
            self.0.remove(mark);
        }
    }

    /// A line of format 1 that stands as it was written, as a line with a mark, of which this is the record from now
    /// on. The mark is the one that `wanted` names, where that is free.
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

    /// The comment that says what is known of all marks; `None` where that is nothing.
    pub(crate) fn to_comment(&self) -> Option<String> {
        notes_comment(self.0.iter())
    }

    /// The comment that says what is known of the marks in a text, in their order.
    pub(crate) fn comment_below(&self, text: &str) -> Option<String> {
        let mut seen = BTreeSet::new();
        let all = lines(text);
        let marks = all.iter().filter_map(|line| marked(line.text));
        let marks = marks.filter(|(_, mark)| seen.insert(*mark));
        notes_comment(marks.filter_map(|(_, mark)| self.0.get_key_value(mark)))
    }

    /// [`spelled_out`] by these records, for a text whose comments were read before.
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

/// The text, line by line, with the comment of format 1 in the place of each mark of ours, and without the records:
/// what reads it needs to know one format.
///
/// A mark without its record stands for a note of the assistant in a block of ours, and wherever it proves that the line
/// is as we wrote it. Any other is the owner's text.
pub fn spelled_out(text: &str) -> Cow<'_, str> {
    if !text.contains(" ^") {
        return Cow::Borrowed(text);
    }
    Records::of(text).spell_out(text)
}

/// The text with what another one knows of those of its marks of which it says nothing itself.
pub(crate) fn completed(text: String, copy: &str) -> String {
    let (own, mut known) = (Records::of(&text), Records::of(copy));
    known.0.retain(|mark, _| !own.0.contains_key(mark));
    match known.comment_below(&text) {
        Some(comment) => {
            let gap = if text.ends_with('\n') { "" } else { "\n" };
            format!("{text}{gap}{comment}\n")
        }
        None => text,
    }
}

/// The mark of a line of long-term memory: it proves the text, also where its record is lost.
pub(crate) fn mark_of_text(note: &NoteLine) -> String {
    short_hash(&note.text)
}

pub(crate) fn mark_of_id(note: &NoteLine) -> String {
    note.id.to_string()
}

/// A note with its mark, and the record of it as it stands in a comment.
pub(crate) fn note_with_record(line: &str) -> (String, String) {
    let mut records = Records::default();
    let marked = records.mark(line, mark_of_id);
    let listed = listed(records.0.iter());
    (marked.unwrap_or_else(|| line.to_owned()), listed)
}

/// The comment of records that stand outside of blocks.
pub(crate) fn notes_line(listed: &str) -> String {
    format!("<!-- {NOTES}{listed} -->")
}

/// Whether a line is the comment of records outside of blocks.
pub(crate) fn is_notes_line(line: &str) -> bool {
    comment(line).is_some_and(|(begin, _)| begin == NOTES)
}

/// The text without the comments of records outside of blocks, and without the blank line that was put before each.
pub(crate) fn without_notes_lines(text: &str) -> String {
    let all = lines(text);
    let is_gone = |line: &&Line<'_>| is_notes_line(line.text);
    let kept = all.iter().enumerate().filter(|(idx, line)| {
        let is_gap = line.text.is_empty() && all.get(idx + 1).as_ref().is_some_and(is_gone);
        !is_gap && !is_gone(line)
    });
    kept.filter_map(|(_, line)| text.get(line.bytes.clone()))
        .collect()
}

/// `gone` with the comments that hold records of nothing but lines among them. Lines by number, from 1.
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

/// The bytes without the lines `gone`, by number, from 1, and without what comments know of them alone. Where a block
/// that was as it was written loses a line, its other lines get marks.
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
    let mut known = Records::of(&text);
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

/// The marks that stand only on lines that go.
fn lost_marks<'t>(lines: &[Line<'t>], gone: &BTreeSet<usize>) -> BTreeSet<&'t str> {
    let marks = |is_wanted: bool| {
        let wanted = lines.iter().zip(1..);
        let wanted = wanted.filter(move |(_, number)| gone.contains(number) == is_wanted);
        wanted.filter_map(|(line, _)| Some(marked(line.text)?.1))
    };
    let stays: BTreeSet<&str> = marks(false).collect();
    marks(true).filter(|mark| !stays.contains(mark)).collect()
}

/// The parts of a line that ends in a mark.
fn marked(line: &str) -> Option<(&str, &str)> {
    let (_, [said, mark]) = MARKED.as_ref()?.captures(line)?.extract();
    Some((said, mark))
}

/// How a comment with records begins, and the records that can be read; also for a comment that holds none.
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
    // `<!-- notes to myself -->` is somebody's own.
    let is_ours = begin != NOTES || records.is_empty() || records.starts_with(" ^");
    is_ours.then_some((begin, found))
}

/// The records as they stand in a comment; an id that is the mark itself is not repeated.
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

/// What a line stands in.
enum Around<'b> {
    /// Nothing of ours.
    Nothing,
    /// A block that took effect.
    Block,
    /// One that was never finished, with the titles in it.
    Torn(&'b Extent, Vec<&'b str>),
}

fn around<'b>(blocks: &'b [Extent], lines: &'b [Line<'_>], idx: usize) -> Around<'b> {
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

/// What is assumed of a mark of which no comment says anything; `None` where the line is the owner's.
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
