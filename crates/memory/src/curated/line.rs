//! One line of `MEMORY.md`: its owner, text and evidence.
//!
//! Never touches a file.

use base::{Day, Origin, short_hash};

use crate::candidates::EvidenceRef;
use crate::daily_log::lines::without_bullet;
use crate::ledger::NoteRecord;
use crate::note;
use crate::note_text::{NoteLine, NoteText};
use crate::workspace::MEMORY_FILE;

/// The owner of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineOwner {
    /// The owner wrote or edited it.
    Owner,
    /// We wrote it and it is unchanged.
    Ours {
        /// The id of the candidate it came from.
        id: String,
        evidence: Vec<EvidenceRef>,
        /// Who answers for it.
        origin: Origin,
        /// The day from which it holds.
        day: Option<Day>,
    },
}

/// A line with text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CuratedLine {
    /// Its line number, from 1.
    pub number: usize,
    /// The text of the nearest heading above it.
    pub section: Option<String>,
    /// Its text, without bullet and comment.
    pub text: String,
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

    /// The last day that supports a line of ours: the day from which it holds, or the day of its newest evidence.
    pub fn last_confirmed(&self) -> Option<Day> {
        match &self.owner {
            LineOwner::Ours { day, evidence, .. } => {
                let noted = evidence.iter().filter_map(EvidenceRef::log_day);
                noted.chain(*day).max()
            }
            LineOwner::Owner => None,
        }
    }

    /// The evidence of a line of ours.
    pub fn evidence(&self) -> &[EvidenceRef] {
        match &self.owner {
            LineOwner::Ours { evidence, .. } => evidence,
            LineOwner::Owner => &[],
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

/// A line to write into `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    /// The id of its candidate.
    pub id: String,
    pub text: String,
    pub evidence: Vec<EvidenceRef>,
    /// Who answers for it.
    pub origin: Origin,
    /// The day from which it holds.
    pub day: Day,
}

impl NewLine {
    /// The line, not written yet; on one line, secrets removed.
    pub(crate) fn line(&self, end: &str) -> NoteLine<'static> {
        let text = note::prepare(&self.text);
        let hash = short_hash(&text);
        let record = NoteRecord {
            id: hash.clone(),
            file: MEMORY_FILE.to_owned(),
            candidate: Some(note::encode(&self.id)).filter(|id| *id != hash),
            hash,
            origin: self.origin,
            evidence: self.evidence.iter().map(ToString::to_string).collect(),
            day: Some(self.day.to_string()),
            session: None,
            epoch: None,
            span: None,
            told: None,
        };
        NoteLine {
            end: end.to_owned().into(),
            ..NoteLine::unwritten_of(format!("- {text}"), record)
        }
    }
}

/// Begins the earlier value at the end of a line, as in ` (until 2026-12-03: Connewitz)`.
pub(crate) const UNTIL: &str = " (until ";

/// A line of `MEMORY.md` without the earlier value that the program put at its end. Parentheses that the owner wrote,
/// as in `valid (until 2026-12-20)`, stay.
pub fn current_value(text: &str) -> &str {
    let Some((now, earlier)) = text.rsplit_once(UNTIL) else {
        return text;
    };
    let value = earlier.strip_suffix(')').and_then(|it| it.split_once(": "));
    let is_ours = value.is_some_and(|(day, _)| day.parse::<Day>().is_ok());
    if is_ours { now } else { text }
}

/// All lines with text, in order; skips headings and blank lines.
pub fn memory_lines(text: &NoteText<'_>) -> Vec<CuratedLine> {
    let mut section = None;
    let mut found = Vec::new();
    for (number, line) in text.numbered() {
        let trimmed = line.text().trim();
        let mut push = |text: &str, owner| {
            found.push(CuratedLine {
                number,
                section: section.clone(),
                text: text.to_owned(),
                owner,
            });
        };
        if let Some(record) = line.ours() {
            push(line.item(), ours(line, record));
        } else if let Some(title) = heading(trimmed) {
            section = Some(title.to_owned());
        } else if trimmed.chars().any(char::is_alphanumeric) {
            push(without_bullet(trimmed), LineOwner::Owner);
        }
    }
    found
}

fn ours(line: &NoteLine<'_>, record: &NoteRecord) -> LineOwner {
    let references = record.references();
    LineOwner::Ours {
        id: record.own_id().to_owned(),
        evidence: references
            .filter_map(|own| EvidenceRef::parse(&own))
            .collect(),
        origin: record.origin,
        day: line.day(),
    }
}

/// The text of a heading.
pub(super) fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(' '));
    is_heading.then(|| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_value_omits_only_our_earlier_value() {
        for (line, expected) in [
            (
                "I live in Graz (until 2026-12-03: Connewitz)",
                "I live in Graz",
            ),
            (
                "The permit is valid (until 2026-12-20)",
                "The permit is valid (until 2026-12-20)",
            ),
            (
                "The permit is valid (until 2027-01-31) (until 2026-12-13: 2026-12-20)",
                "The permit is valid (until 2027-01-31)",
            ),
            ("Open (until spring: maybe)", "Open (until spring: maybe)"),
            ("I live in Graz", "I live in Graz"),
        ] {
            assert_eq!(current_value(line), expected);
        }
    }
}
