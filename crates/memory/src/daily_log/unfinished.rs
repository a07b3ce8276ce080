//! Finds the remains of an earlier attempt of a flush in a log: its records were committed, but its block was not
//! written whole.
//!
//! Pure; selects notes by their records, and other lines only at the end of the log.

use std::collections::BTreeSet;

use base::{FLUSH_SECTIONS, short_hash};

use super::block::title_line;
use super::lines::{BlockKind, LogLine, NOT_UTF8, heading, title};
use crate::ledger::NoteRecord;
use crate::note;

/// The notes of earlier attempts of one flush that are in a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Unfinished {
    /// Their line indexes, from 0, and their marks.
    notes: Vec<(usize, String)>,
    /// The last line, if it is only the beginning of one of ours.
    torn: Option<usize>,
    /// Whether records of such an attempt were committed.
    is_begun: bool,
}

/// The lines that a new block replaces, as numbers from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Replaced {
    /// Notes that the new block does not hold.
    pub(super) stale: BTreeSet<usize>,
    /// These notes, the headings above them, and the torn text at the end of the log.
    pub(super) all: BTreeSet<usize>,
}

impl Unfinished {
    /// Finds the notes of these records that are still as they were written.
    pub(super) fn of(lines: &[LogLine<'_>], begun: &[NoteRecord]) -> Self {
        let note = |(idx, line): (usize, &LogLine<'_>)| {
            let (said, mark) = note::marked(line.text)?;
            let hash = short_hash(note::text_of(said));
            let is_begun = |own: &NoteRecord| own.id == mark && own.hash == hash;
            begun.iter().any(is_begun).then(|| (idx, mark.to_owned()))
        };
        let mut found = Self {
            notes: lines.iter().enumerate().filter_map(note).collect(),
            torn: None,
            is_begun: !begun.is_empty(),
        };
        let last = lines.iter().enumerate().next_back();
        let last = last.filter(|(_, line)| !line.is_ended && found.is_begun);
        found.torn = last
            .map(|(idx, _)| idx)
            .filter(|idx| !found.holds(*idx) && found.is_torn(lines, *idx));
        found
    }

    /// Whether the line is such a note, or the beginning of one.
    pub(super) fn holds(&self, idx: usize) -> bool {
        self.torn == Some(idx) || self.notes.iter().any(|(own, _)| *own == idx)
    }

    /// Those of the marks that are in the log.
    pub(super) fn marks_in(&self, own: &BTreeSet<&str>) -> BTreeSet<String> {
        let marks = self.notes.iter().map(|(_, mark)| mark);
        marks
            .filter(|mark| own.contains(mark.as_str()))
            .cloned()
            .collect()
    }

    /// The lines that a block with these marks replaces.
    pub(super) fn gone(&self, lines: &[LogLine<'_>], own: &BTreeSet<&str>) -> Replaced {
        if !self.is_begun {
            return Replaced::default();
        }
        let stale = self
            .notes
            .iter()
            .filter(|(_, mark)| !own.contains(mark.as_str()));
        let stale: BTreeSet<usize> = stale.map(|(idx, _)| idx + 1).collect();
        let text: String = lines.iter().flat_map(|line| [line.text, "\n"]).collect();
        let mut all = super::with_emptied(&text, stale.clone());
        let cut_off = self.cut_off(lines, &all);
        all.extend(cut_off);
        Replaced { stale, all }
    }

    /// The lines at the end of the log that only begin a block: a torn line, and headings without a note.
    fn cut_off(&self, lines: &[LogLine<'_>], gone: &BTreeSet<usize>) -> Vec<usize> {
        let mut tail = Vec::new();
        let rest = lines.iter().enumerate().rev();
        for (idx, line) in rest.filter(|(idx, _)| !gone.contains(&(idx + 1))) {
            let is_blank = line.text.trim().is_empty();
            let is_head = heading(line.text).is_some() || is_known_title(line.text);
            if !is_blank && !is_head && self.torn != Some(idx) {
                break;
            }
            tail.push((idx + 1, is_blank));
        }
        // Blank lines above the block stay.
        let n_cut = tail.iter().rposition(|(_, is_blank)| !is_blank);
        let n_cut = n_cut.map_or(0, |last| last + 1);
        tail.into_iter()
            .take(n_cut)
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether the last line may be the beginning of one of ours: of a note or title where one may follow, or of a
    /// heading.
    fn is_torn(&self, lines: &[LogLine<'_>], idx: usize) -> bool {
        let text = lines.get(idx).map_or("", |line| line.text);
        let above = lines.iter().enumerate().take(idx).rev();
        let mut above = above.filter(|(_, line)| !line.text.trim().is_empty());
        let is_below_ours = above.next().is_some_and(|(idx, line)| {
            self.holds(idx) || heading(line.text).is_some() || is_known_title(line.text)
        });
        let begins_title = FLUSH_SECTIONS
            .iter()
            .any(|own| title_line(own).starts_with(text));
        let begins_note = text == "-" || text.starts_with("- ");
        is_torn_heading(text) || is_below_ours && (begins_title || begins_note)
    }
}

fn is_known_title(line: &str) -> bool {
    title(line).is_some_and(|title| FLUSH_SECTIONS.contains(&title))
}

fn is_torn_heading(line: &str) -> bool {
    !line.is_empty()
        && BlockKind::ALL.iter().any(|kind| {
            let pattern = format!("## 00:00 \u{2014} {}", kind.as_str());
            let mut expected = pattern.chars();
            line.chars().all(|found| {
                expected.next().is_some_and(|wanted| {
                    let is_digit = wanted == '0' && found.is_ascii_digit();
                    found == wanted || is_digit || found == NOT_UTF8
                })
            })
        })
}
