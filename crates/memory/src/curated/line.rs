//! One line of `MEMORY.md`: whose it is, what it says and whence it is known.
//!
//! Knows nothing of files.

use base::{Day, Origin, short_hash};

use crate::candidates::EvidenceRef;
use crate::daily_log::lines::{lines, without_bullet};
use crate::daily_log::without_comments;
use crate::marks::{is_notes_line, spelled_out};
use crate::note;

/// Whose a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineOwner {
    /// The owner wrote it, or changed what we had written.
    Owner,
    /// It stands as we wrote it.
    Ours {
        /// Names the line: the id of the candidate that it was.
        id: String,
        /// What says so.
        evidence: Vec<EvidenceRef>,
        /// Who is answerable for it.
        origin: Origin,
        /// The day from which it holds.
        day: Option<Day>,
    },
}

/// A line with words in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CuratedLine {
    /// Its number, from 1.
    pub number: usize,
    /// The nearest heading above it, without its marks.
    pub section: Option<String>,
    /// What it says, without bullet and comment.
    pub text: String,
    /// Whose it is.
    pub owner: LineOwner,
}

impl CuratedLine {
    /// The id of a line of ours.
    pub fn id(&self) -> Option<&str> {
        match &self.owner {
            LineOwner::Ours { id, .. } => Some(id),
            LineOwner::Owner => None,
        }
    }

    /// The day on which a line of ours was confirmed last: from it holds what it says, or evidence was noted on it.
    pub fn last_confirmed(&self) -> Option<Day> {
        match &self.owner {
            LineOwner::Ours { day, evidence, .. } => {
                let noted = evidence.iter().filter_map(EvidenceRef::log_day);
                noted.chain(*day).max()
            }
            LineOwner::Owner => None,
        }
    }

    /// The day from which a line of ours holds.
    pub fn day(&self) -> Option<Day> {
        match &self.owner {
            LineOwner::Ours { day, .. } => *day,
            LineOwner::Owner => None,
        }
    }
}

/// A line that is to stand in `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    /// Names it.
    pub id: String,
    /// What it says.
    pub text: String,
    /// What says so.
    pub evidence: Vec<EvidenceRef>,
    /// Who is answerable for it.
    pub origin: Origin,
    /// The day from which it holds.
    pub day: Day,
}

impl NewLine {
    /// The line spelled out: one line, without secrets.
    pub fn render(&self) -> String {
        let text = note::prepare(&self.text);
        let evidence: Vec<String> = self.evidence.iter().map(ToString::to_string).collect();
        format!(
            "- {text} <!-- n:{} e:{} h:{} o:{} d:{} -->",
            note::encode(&self.id),
            evidence.join(","),
            short_hash(&text),
            self.origin,
            self.day
        )
    }
}

/// The lines that say something, in order; headings and blank lines left out.
pub fn memory_lines(text: &str) -> Vec<CuratedLine> {
    spelled_lines(&spelled_out(text))
}

pub(super) fn spelled_lines(text: &str) -> Vec<CuratedLine> {
    let mut section = None;
    let mut found = Vec::new();
    for (line, number) in lines(text).into_iter().zip(1..) {
        let trimmed = line.text.trim();
        if let Some(title) = heading(trimmed) {
            section = Some(title.to_owned());
        } else if let Some(owner) = ours(line.text) {
            let text = note::parse(line.text).map_or(String::new(), |found| found.text);
            found.push(CuratedLine {
                number,
                section: section.clone(),
                text,
                owner,
            });
        } else if trimmed.chars().any(char::is_alphanumeric) && !is_notes_line(trimmed) {
            let readable = without_comments(line.text);
            found.push(CuratedLine {
                number,
                section: section.clone(),
                text: without_bullet(readable.trim()).to_owned(),
                owner: LineOwner::Owner,
            });
        }
    }
    found
}

/// What our comment says, where the text before it is still the one that we wrote.
fn ours(line: &str) -> Option<LineOwner> {
    let found = note::parse(line).filter(note::NoteLine::is_as_written)?;
    let day = line
        .rsplit_once(" d:")
        .and_then(|(_, rest)| rest.get(..10))
        .and_then(|day| day.parse().ok());
    let evidence = found
        .evidence
        .iter()
        .filter_map(|reference| EvidenceRef::parse(reference.as_str()))
        .collect();
    Some(LineOwner::Ours {
        id: found.id.as_str().to_owned(),
        evidence,
        origin: found.origin,
        day,
    })
}

/// The text of a heading.
pub(super) fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(' '));
    is_heading.then(|| rest.trim())
}
