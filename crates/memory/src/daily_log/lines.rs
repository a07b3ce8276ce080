//! Splits a log into lines and recognises headings and titles.
//!
//! Looks at one line at a time.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// A line and its byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogLine<'t> {
    /// The line without its line end.
    pub(crate) text: &'t str,
    /// The byte range of the line, including its line end.
    pub(crate) bytes: Range<usize>,
    /// Whether it ends in a newline; false only for the last line.
    pub(crate) is_ended: bool,
}

pub(crate) fn lines(text: &str) -> Vec<LogLine<'_>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|whole| {
            let bytes = start..start + whole.len();
            start = bytes.end;
            let is_ended = whole.ends_with('\n');
            let line = whole.strip_suffix('\n').unwrap_or(whole);
            LogLine {
                text: line.strip_suffix('\r').unwrap_or(line),
                bytes,
                is_ended,
            }
        })
        .collect()
}

/// Strips a list bullet and trims.
pub(crate) fn without_bullet(text: &str) -> &str {
    behind_bullet(text).unwrap_or(text).trim()
}

/// Whether a line is a list item, at any depth.
pub(crate) fn is_item(line: &str) -> bool {
    behind_bullet(line.trim_start()).is_some()
}

fn behind_bullet(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*', '+']);
    rest.filter(|rest| rest.starts_with(' '))
}

/// Replaces a byte of invalid UTF-8.
pub(crate) const NOT_UTF8: char = '\u{1a}';

/// Decodes bytes into text of the same length, so that byte offsets match.
pub(crate) fn same_length_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| NOT_UTF8));
    }
    Cow::Owned(text)
}

/// The reason for a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A compaction follows.
    PreFlush,
    /// No compaction follows: the session ended, fell idle, or the day changed.
    SessionNotes,
}

base::words! { BlockKind: PreFlush = "Compaction Pre-flush", SessionNotes = "Session Notes" }

static HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^## \d\d:\d\d \x{2014} (.+?)\s*$").ok());

static TITLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\*\*(.+):\*\*\s*$").ok());

/// The block kind named by a heading of ours.
pub(crate) fn heading(line: &str) -> Option<BlockKind> {
    let found = HEADING.as_ref()?.captures(line)?;
    BlockKind::parse(found.get(1)?.as_str())
}

/// The title of a section, if the line is one.
pub(crate) fn title(line: &str) -> Option<&str> {
    let found = TITLE.as_ref()?.captures(line)?;
    found.get(1).map(|title| title.as_str())
}
