//! Reads the notes of an engine out of its reply, each by itself.
//!
//! Trusts nothing: what a note cites is checked, and its text is made harmless for the log.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{
    EntryId, FLUSH_NOTES_MAX, FLUSH_SECTIONS, NOTHING_TO_FLUSH, Origin, json_items, redact,
};
use serde::Deserialize;
use serde_json::Value;

use super::note::{
    FlushNote, FlushNotes, FlushSection, Grounds, NoteRefusal, ProposedNote, RefusedNote,
    least_trusted,
};
use crate::{markdown, shorten};

/// More evidence than this is not kept for one note.
const N_EVIDENCE_MAX: usize = 16;

const NOTE_CHARS_MAX: usize = 400;

/// A refused note is told in this many characters.
const TOLD_CHARS_MAX: usize = 120;

/// A reply that holds no list of notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlushReplyError {
    /// Nothing was said.
    #[error("the reply to the flush is empty")]
    Empty,
    /// Something was said, but no list.
    #[error("the reply to the flush holds no notes: {start:?}")]
    Prose {
        /// How it begins.
        start: String,
    },
}

/// A note as it comes; unknown keys are left out.
#[derive(Deserialize)]
struct NoteWire {
    #[serde(default)]
    section: Value,
    text: String,
    #[serde(default)]
    evidence: Value,
    #[serde(default)]
    quote: Value,
}

/// What came of the notes of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settled {
    /// Those that were taken, in the order of the reply.
    pub notes: Vec<FlushNote>,
    /// The others.
    pub refused: Vec<RefusedNote>,
}

/// Reads the notes of a reply, JSON in whatever stands around it; `Err` for a piece that is no note.
pub fn read_notes(reply: &str) -> Result<Vec<Result<ProposedNote, String>>, FlushReplyError> {
    if reply.trim().is_empty() {
        return Err(FlushReplyError::Empty);
    }
    let read = json_items(reply, "text");
    let notes = read.items.into_iter().map(|item| {
        let shown = item.to_string();
        let wire = serde_json::from_value::<NoteWire>(item);
        wire.map(|wire| proposed(&wire)).map_err(|_| shown)
    });
    let broken = read.broken.into_iter().map(Err);
    let found: Vec<_> = notes.chain(broken).collect();
    let compact: String = reply.split_whitespace().collect();
    // An empty list, and the word that stands for one.
    if found.is_empty() && !compact.contains("[]") && !reply.contains(NOTHING_TO_FLUSH) {
        return Err(FlushReplyError::Prose {
            start: shorten::capped(&redact(reply), 80),
        });
    }
    Ok(found)
}

fn proposed(wire: &NoteWire) -> ProposedNote {
    let section = wire.section.as_str().unwrap_or_default();
    let section = FLUSH_SECTIONS
        .iter()
        .position(|known| markdown::same_words(known) == markdown::same_words(section));
    ProposedNote {
        section: section
            .and_then(|position| FlushSection::ALL.get(position).copied())
            // What names another section stands where nothing is claimed.
            .unwrap_or(FlushSection::Notes),
        text: harmless_text(&wire.text),
        labels: labels(&wire.evidence),
        quote: wire.quote.as_str().unwrap_or_default().to_owned(),
    }
}

/// Labels as a list, or as one text with several.
fn labels(evidence: &Value) -> String {
    match evidence {
        Value::Array(labels) => {
            let labels: Vec<String> = labels.iter().map(label).collect();
            labels.join(", ")
        }
        Value::String(_) | Value::Number(_) => label(evidence),
        Value::Null | Value::Bool(_) | Value::Object(_) => String::new(),
    }
}

/// A label as it was given out, also where only its number was written.
fn label(label: &Value) -> String {
    match label.as_str() {
        Some(label) => label.trim().replace(['[', ']'], ""),
        None => format!("e{label}"),
    }
}

/// One line without secrets and without what would end a comment.
pub(crate) fn harmless_text(text: &str) -> String {
    let text = shorten::harmless(&redact(&shorten::single(text)));
    shorten::capped(&text, NOTE_CHARS_MAX)
}

/// The notes of the offline engine, which quotes what it cites: they are as trusted as that.
pub fn quoted_notes(reply: &str, excerpts: &[Excerpt]) -> Result<FlushNotes, FlushReplyError> {
    let settled = settle_notes(read_notes(reply)?, excerpts, &Quotations);
    Ok(FlushNotes::of(settled))
}

/// Takes every note as words of the messages that it cites.
struct Quotations;

impl Grounds for Quotations {
    fn origin(&self, _: &ProposedNote, cited: &[&Excerpt]) -> Result<Origin, NoteRefusal> {
        let origins = cited.iter().map(|excerpt| excerpt.origin);
        least_trusted(origins).ok_or(NoteRefusal::NoEvidence)
    }
}

/// Judges each note by itself; what says the same as an earlier one is left out.
pub fn settle_notes(
    found: Vec<Result<ProposedNote, String>>,
    excerpts: &[Excerpt],
    grounds: &dyn Grounds,
) -> Settled {
    let mut settled = Settled::default();
    let mut seen = BTreeSet::new();
    for note in found {
        let judged = match &note {
            Ok(_) if settled.notes.len() >= FLUSH_NOTES_MAX => Err(NoteRefusal::TooMany),
            Ok(note) if seen.contains(&markdown::same_words(&note.text)) => continue,
            Ok(note) => settle(note, excerpts, grounds),
            Err(_) => Err(NoteRefusal::Unreadable),
        };
        match judged {
            Ok(note) => {
                seen.insert(markdown::same_words(&note.text));
                settled.notes.push(note);
            }
            Err(why) => settled.refused.push(RefusedNote {
                text: told(&note.map_or_else(|piece| piece, |note| note.text)),
                why,
            }),
        }
    }
    settled
}

impl Settled {
    /// Marks a reply that was cut at its length limit.
    pub fn cut(&mut self) {
        let last = self.notes.last().map(|note| told(&note.text));
        self.refused.push(RefusedNote {
            text: last.unwrap_or_default(),
            why: NoteRefusal::Cut,
        });
    }

    /// These notes with those of a second reply; what that one mended leaves the list of the refused, and what it got
    /// wrong joins it.
    #[must_use]
    pub fn mended_by(mut self, second: Self) -> Self {
        let words = |note: &FlushNote| markdown::same_words(&note.text);
        let known: BTreeSet<String> = self.notes.iter().map(words).collect();
        let settled = second.notes.iter().map(|note| told(&note.text));
        let refused = second.refused.iter().map(|note| note.text.clone());
        let answered: BTreeSet<String> = settled.chain(refused).collect();
        let mut new = second.notes;
        new.retain(|note| !known.contains(&words(note)));
        let is_cut = |note: &RefusedNote| note.why == NoteRefusal::Cut;
        // Asked for these alone, it gave as many new notes as there were pieces, so in other words it gave them all.
        let is_all = new.len() >= self.refused.len() && !self.refused.iter().any(is_cut);
        self.refused
            .retain(|note| !is_all && !is_cut(note) && !answered.contains(&note.text));
        self.refused.extend(second.refused);
        let room = FLUSH_NOTES_MAX.saturating_sub(self.notes.len());
        let beyond = new.split_off(room.min(new.len()));
        self.notes.extend(new);
        self.refused.extend(beyond.iter().map(|note| RefusedNote {
            text: told(&note.text),
            why: NoteRefusal::TooMany,
        }));
        self
    }
}

fn told(text: &str) -> String {
    shorten::capped(&shorten::single(&redact(text)), TOLD_CHARS_MAX)
}

pub(crate) fn settle(
    note: &ProposedNote,
    excerpts: &[Excerpt],
    grounds: &dyn Grounds,
) -> Result<FlushNote, NoteRefusal> {
    if !note.text.chars().any(char::is_alphanumeric) {
        return Err(NoteRefusal::Empty);
    }
    let cited = evidence(&note.labels, excerpts);
    if cited.is_empty() {
        return Err(NoteRefusal::NoEvidence);
    }
    let origin = grounds.origin(note, &cited)?;
    let entries = cited.iter().filter_map(|excerpt| excerpt.entry.clone());
    Ok(FlushNote {
        section: note.section,
        text: note.text.clone(),
        evidence: entries.take(N_EVIDENCE_MAX).collect::<Vec<EntryId>>(),
        origin,
    })
}

impl FlushNotes {
    /// The notes in the order of their sections.
    pub fn of(settled: Settled) -> Self {
        let mut notes = settled.notes;
        notes.sort_by_key(|note| note.section);
        Self {
            notes,
            refused: settled.refused,
            told: Vec::new(),
        }
    }
}

/// The number of a label; `None` also where it is beyond any that could have been given out.
fn label_number(label: &str) -> Option<u64> {
    label.strip_prefix(['e', 'E'])?.parse().ok()
}

/// The excerpts that the labels name, in their own order, each once; unknown labels name none.
fn evidence<'a>(labels: &str, excerpts: &'a [Excerpt]) -> Vec<&'a Excerpt> {
    let ranges = ranges(labels);
    let is_cited = |excerpt: &&Excerpt| {
        label_number(&excerpt.label).is_some_and(|number| {
            ranges
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&number))
        })
    };
    excerpts
        .iter()
        .filter(|excerpt| excerpt.entry.is_some())
        .filter(is_cited)
        .collect()
}

/// `e3, e7-e9` as (3, 3) and (7, 9).
fn ranges(labels: &str) -> Vec<(u64, u64)> {
    let parts = labels
        .split([',', ';', '&', '+'])
        .flat_map(|part| part.split(" and "));
    parts
        .filter_map(|part| {
            let is_dash = |character: char| "-. \u{2013}".contains(character);
            let mut numbers = part.split(is_dash).filter_map(label_number);
            let first = numbers.next()?;
            Some((first, numbers.next_back().unwrap_or(first)))
        })
        .collect()
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
