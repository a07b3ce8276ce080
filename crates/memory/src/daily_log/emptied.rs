//! Cleans up after lines are removed from a log: removes emptied headings and reseals blocks.
//!
//! Never touches a heading that the owner may have written, or a block that the owner has edited.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use base::short_hash;
use regex::Regex;

use super::extent::{Extent, content_of, extents};
use super::lines::{LogLine, closing, heading, lines, opening, same_length_text, title};

/// The heading above a single added note.
static NOTE_HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^## \d\d:\d\d \x{2014} Note\s*$").ok());

/// Adds to `gone` our titles and headings whose content is all in `gone`, and the blank lines below them. Never
/// adds the marks of a block. Line numbers start at 1.
pub(crate) fn with_emptied(bytes: &[u8], mut gone: BTreeSet<usize>) -> BTreeSet<usize> {
    let text = same_length_text(bytes);
    let lines = lines(&text);
    let blocks: Vec<Range<usize>> = extents(&lines).into_iter().map(|it| it.lines).collect();
    let depth_of = |(idx, line): (usize, &LogLine<'_>)| {
        let is_in_block = blocks.iter().any(|block| block.contains(&idx));
        let is_heading = is_note_heading(line) || (is_in_block && heading(line.text).is_some());
        let is_title = is_in_block && title(line.text).is_some();
        (is_heading.then_some(Depth::Heading)).or(is_title.then_some(Depth::Title))
    };
    // Bottom up: a heading is empty once the titles under it are gone.
    for (idx, line) in lines.iter().enumerate().rev() {
        let Some(depth) = depth_of((idx, line)) else {
            continue;
        };
        let below = lines.iter().zip(1_usize..).skip(idx + 1);
        let section: Vec<(&LogLine<'_>, usize)> = below
            .take_while(|(line, _)| !ends_section(line, depth))
            .collect();
        let is_empty = section
            .iter()
            .all(|(line, number)| line.text.trim().is_empty() || gone.contains(number));
        let has_lost = section.iter().any(|(_, number)| gone.contains(number));
        if is_empty && has_lost {
            gone.insert(idx + 1);
            gone.extend(section.into_iter().map(|(_, number)| number));
        }
    }
    gone
}

fn is_note_heading(line: &LogLine<'_>) -> bool {
    NOTE_HEADING
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(line.text))
}

/// The level of a heading of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// `## 14:23 ...`
    Heading,
    /// `**Decisions:**`
    Title,
}

fn ends_section(line: &LogLine<'_>, depth: Depth) -> bool {
    let text = line.text;
    text.starts_with('#')
        || (depth == Depth::Title && title(text).is_some())
        || opening(text).is_some()
        || closing(text).is_some()
}

/// Updates the closing hashes in `after`, which is `before` without some lines inside of blocks. Only blocks
/// whose hash was valid in `before` get a new one.
pub(crate) fn sealed_again(before: &[u8], after: Vec<u8>) -> Vec<u8> {
    let (before, text) = (
        same_length_text(before),
        same_length_text(&after).into_owned(),
    );
    let (before, text) = (lines(&before), lines(&text));
    let mut sealed = after;
    for (was, is) in extents(&before).iter().zip(extents(&text)) {
        let hash = short_hash(&content_of(&is, &text));
        let is_as_written = was.closing_hash == Some(short_hash(&content_of(was, &before)));
        if is_as_written && was.opening == is.opening {
            put_hash(&mut sealed, &is, &text, &hash);
        }
    }
    sealed
}

fn put_hash(bytes: &mut [u8], extent: &Extent, lines: &[LogLine<'_>], hash: &str) {
    let last = extent
        .lines
        .end
        .checked_sub(1)
        .and_then(|idx| lines.get(idx));
    let Some((line, found)) = last.and_then(|line| Some((line, closing(line.text)?))) else {
        return;
    };
    let start = line
        .text
        .find(found)
        .map(|offset| line.bytes.start + offset);
    let place = start.and_then(|start| bytes.get_mut(start..start + found.len()));
    if let Some(place) = place.filter(|place| place.len() == hash.len()) {
        place.copy_from_slice(hash.as_bytes());
    }
}
