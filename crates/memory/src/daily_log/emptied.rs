//! Finds the headings of ours that are left without content when lines are removed from a log.
//!
//! Never selects a heading that the owner may have written.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{LogLine, heading, lines, title};

/// The heading above a single added note.
static NOTE_HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^## \d\d:\d\d \x{2014} Note\s*$").ok());

/// Adds to `gone` our titles and headings whose content is all in `gone`, and the blank lines below them. Line numbers
/// start at 1; a title is ours below a heading of ours.
pub(crate) fn with_emptied(text: &str, mut gone: BTreeSet<usize>) -> BTreeSet<usize> {
    let lines = lines(text);
    let mut is_below_ours = false;
    let depths: Vec<Option<Depth>> = lines
        .iter()
        .map(|line| {
            let is_ours = heading(line.text).is_some();
            if line.text.starts_with('#') {
                is_below_ours = is_ours;
            }
            let is_title = is_below_ours && title(line.text).is_some();
            let is_heading = is_ours || is_note_heading(line);
            (is_heading.then_some(Depth::Heading)).or(is_title.then_some(Depth::Title))
        })
        .collect();
    // Bottom up: a heading is empty once the titles under it are gone.
    for (idx, depth) in depths.iter().enumerate().rev() {
        let Some(depth) = *depth else {
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
    text.starts_with('#') || (depth == Depth::Title && title(text).is_some())
}
