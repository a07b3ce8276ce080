//! Reads the text of an earlier summary back into its points.
//!
//! Takes any text: what is no summary of ours becomes technical context.

use super::clause::shortened;
use super::sentence::{fold, sentences};
use super::summary::Section;
use super::template;

/// The most points that are taken over.
const POINTS_MAX: usize = 400;

/// Where a point goes whose heading is unknown.
const OTHER: Section = Section::Context;

/// A point of an earlier summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Point {
    /// Its section.
    pub(super) section: Section,
    /// Its words.
    pub(super) text: String,
}

/// What an earlier summary holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Earlier {
    /// Its points, in order.
    pub(super) points: Vec<Point>,
    /// The identifiers that it lists, in order.
    pub(super) identifiers: Vec<String>,
}

/// Reads an earlier summary.
pub(super) fn earlier(text: &str) -> Earlier {
    let mut read = Earlier::default();
    let mut section = OTHER;
    let mut lists_identifiers = false;
    for line in text.lines() {
        if let Some(heading) = heading(line) {
            let mut known = Section::ALL.into_iter();
            let known = known.find(|known| known.heading().eq_ignore_ascii_case(&heading));
            section = known.unwrap_or(OTHER);
            lists_identifiers = heading.to_lowercase().contains("identifier");
            continue;
        }
        let bullet = line.trim().strip_prefix("- ").map(fold);
        match bullet {
            Some(bullet) if lists_identifiers || bullet.starts_with(template::IDENTIFIERS) => {
                let list = bullet
                    .strip_prefix(template::IDENTIFIERS)
                    .unwrap_or(&bullet);
                let names = list.split(template::LIST_SEPARATOR).map(str::trim);
                read.identifiers
                    .extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
            }
            Some(bullet) => read.add(section, &bullet),
            None => {
                for sentence in sentences(line) {
                    read.add(section, &sentence.text);
                }
            }
        }
    }
    read
}

impl Earlier {
    fn add(&mut self, section: Section, text: &str) {
        let text = shortened(text);
        if self.points.len() < POINTS_MAX && text.chars().any(char::is_alphanumeric) {
            self.points.push(Point {
                section,
                text: text.to_owned(),
            });
        }
    }
}

/// The words of a heading: a Markdown heading, or a line of bold words with a colon.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    let marked = line
        .strip_prefix('#')
        .map(|rest| rest.trim_start_matches('#'));
    let bold = line
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    let words = marked.or(bold)?;
    Some(fold(words.trim().trim_end_matches(':')))
}
