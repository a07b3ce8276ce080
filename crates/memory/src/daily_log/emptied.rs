//! Which headings of ours stand above nothing once some lines are gone.
//!
//! Never names a heading that the owner may have written.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{Line, closing, heading, lines, opening, same_length_text, title};
use super::parse::extents;

/// Above a note that was added by itself.
static NOTE_HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^## \d\d:\d\d \x{2014} Note\s*$").ok());

/// `gone` with the titles and headings of ours below which all is among them, and the free lines there; the
/// marks of a block stay. Lines by number, from 1.
pub(crate) fn with_emptied(bytes: &[u8], mut gone: BTreeSet<usize>) -> BTreeSet<usize> {
    let text = same_length_text(bytes);
    let lines = lines(&text);
    let blocks: Vec<Range<usize>> = extents(&lines).into_iter().map(|it| it.lines).collect();
    let depth_of = |(idx, line): (usize, &Line<'_>)| {
        let is_in_block = blocks.iter().any(|block| block.contains(&idx));
        let is_heading = is_note_heading(line) || (is_in_block && heading(line.text).is_some());
        let is_title = is_in_block && title(line.text).is_some();
        (is_heading.then_some(Depth::Heading)).or(is_title.then_some(Depth::Title))
    };
    // From below: a heading is empty once the titles under it are gone.
    for (idx, line) in lines.iter().enumerate().rev() {
        let Some(depth) = depth_of((idx, line)) else {
            continue;
        };
        let below = lines.iter().zip(1_usize..).skip(idx + 1);
        let section: Vec<(&Line<'_>, usize)> = below
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

fn is_note_heading(line: &Line<'_>) -> bool {
    NOTE_HEADING
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(line.text))
}

/// What of ours may stand above lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// `## 14:23 ...`
    Heading,
    /// `**Decisions:**`
    Title,
}

fn ends_section(line: &Line<'_>, depth: Depth) -> bool {
    let text = line.text;
    text.starts_with('#')
        || (depth == Depth::Title && title(text).is_some())
        || opening(text).is_some()
        || closing(text).is_some()
}
