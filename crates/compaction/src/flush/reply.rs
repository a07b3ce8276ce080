//! Reads the notes in a reply, each by itself.
//!
//! Trusts nothing: checks the evidence of each note, and sanitises its text for the log.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

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

/// Maximum number of evidence entries kept per note.
const N_EVIDENCE_MAX: usize = 16;

const NOTE_CHARS_MAX: usize = 400;

/// Maximum length of a quoted refused note, in characters.
const TOLD_CHARS_MAX: usize = 120;

/// A reply without a list of notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlushReplyError {
    /// The reply is empty.
    #[error("the reply to the flush is empty")]
    Empty,
    /// The reply holds text but no notes.
    #[error("the reply to the flush contains no notes: {start:?}")]
    Prose {
        /// Its beginning.
        start: String,
    },
}

/// A note in a reply; ignores unknown keys.
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

/// Finds the notes in a reply, as JSON within any other text; an item that is no note is an inner `Err`.
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
    // Accept an empty list, or the word that stands for one.
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
            // The catch-all section, for an unknown name.
            .unwrap_or(FlushSection::Notes),
        text: harmless_text(&wire.text),
        labels: labels(&wire.evidence),
        quote: wire.quote.as_str().unwrap_or_default().to_owned(),
    }
}

/// Reads labels given as a list, or as one string with several.
fn labels(evidence: &Value) -> String {
    match evidence {
        Value::Array(labels) => labels.iter().map(label).collect::<Vec<_>>().join(", "),
        Value::String(_) | Value::Number(_) => label(evidence),
        Value::Null | Value::Bool(_) | Value::Object(_) => String::new(),
    }
}

/// A label in canonical form, even if only its number was written.
fn label(label: &Value) -> String {
    match label.as_str() {
        Some(label) => label.trim().replace(['[', ']'], ""),
        None => format!("e{label}"),
    }
}

/// Sanitises a text for the log: one line, redacted, without HTML comment marks.
pub(crate) fn harmless_text(text: &str) -> String {
    let text = shorten::harmless(&redact(&shorten::single(text)));
    shorten::capped(&text, NOTE_CHARS_MAX)
}

/// The notes of the offline engine. They quote their evidence, so their origin is that of the evidence.
pub fn quoted_notes(reply: &str, excerpts: &[Excerpt]) -> Result<FlushNotes, FlushReplyError> {
    Ok(settle_notes(read_notes(reply)?, excerpts, &Quotations).sorted())
}

/// Grounds that treat every note as a quotation of its evidence.
struct Quotations;

impl Grounds for Quotations {
    fn origin(
        &self,
        _: &ProposedNote,
        cited: &[&Excerpt],
        _: &[Excerpt],
    ) -> Result<Origin, NoteRefusal> {
        let origins = cited.iter().map(|excerpt| excerpt.origin);
        least_trusted(origins).ok_or(NoteRefusal::NoEvidence)
    }

    fn sentence(&self, _: &ProposedNote, _: &[&Excerpt]) -> Option<String> {
        None
    }
}

/// Accepts or refuses each note by itself, in the order of the reply; skips duplicates.
pub fn settle_notes(
    found: Vec<Result<ProposedNote, String>>,
    excerpts: &[Excerpt],
    grounds: &dyn Grounds,
) -> FlushNotes {
    let mut settled = FlushNotes::default();
    let mut seen = BTreeSet::new();
    for note in found {
        let judged = match &note {
            Ok(_) if settled.notes.len() >= FLUSH_NOTES_MAX => Err(NoteRefusal::TooMany),
            Ok(note) if seen.contains(&markdown::same_words(&note.text)) => continue,
            Ok(note) => settle(note, excerpts, grounds),
            Err(_) => Err(NoteRefusal::Unreadable),
        };
        match (judged, note) {
            (Ok(note), _) => {
                seen.insert(markdown::same_words(&note.text));
                settled.notes.push(note);
            }
            (Err(why), Ok(note)) => settled
                .refused
                .push(refused(&note, why, (excerpts, grounds))),
            (Err(why), Err(piece)) => settled.refused.push(RefusedNote {
                text: excerpt_of(&piece),
                why,
                said: None,
            }),
        }
    }
    settled
}

impl FlushNotes {
    /// The same notes, ordered by section.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.notes.sort_by_key(|note| note.section);
        self
    }

    /// Records that the reply was cut off at its length limit.
    pub fn cut(&mut self) {
        let last = self.notes.last().map(|note| excerpt_of(&note.text));
        self.refused.push(RefusedNote {
            text: last.unwrap_or_default(),
            why: NoteRefusal::Cut,
            said: None,
        });
    }

    /// Merges the notes of a retry: refused notes that it corrected leave the list of refused ones, and its own
    /// refused notes join it.
    #[must_use]
    pub fn mended_by(mut self, second: Self) -> Self {
        let words = |note: &FlushNote| markdown::same_words(&note.text);
        let known: BTreeSet<String> = self.notes.iter().map(words).collect();
        let settled = second.notes.iter().map(|note| excerpt_of(&note.text));
        let refused = second.refused.iter().map(|note| note.text.clone());
        let answered: BTreeSet<String> = settled.chain(refused).collect();
        let mut new = second.notes;
        new.retain(|note| !known.contains(&words(note)));
        let is_cut = |note: &RefusedNote| note.why == NoteRefusal::Cut;
        // The retry asked for the refused notes only and returned at least as many new ones: all of them, reworded.
        let is_all = new.len() >= self.refused.len() && !self.refused.iter().any(is_cut);
        self.refused
            .retain(|note| !is_all && !is_cut(note) && !answered.contains(&note.text));
        self.refused.extend(second.refused);
        let room = FLUSH_NOTES_MAX.saturating_sub(self.notes.len());
        let beyond = new.split_off(room.min(new.len()));
        self.notes.extend(new);
        self.refused.extend(beyond.iter().map(|note| RefusedNote {
            text: excerpt_of(&note.text),
            why: NoteRefusal::TooMany,
            said: None,
        }));
        self.drop_answered();
        self
    }

    /// Writes each note that stays refused for its own words as the sentence that it is about: what was said is not
    /// lost because a model cannot date it.
    #[must_use]
    pub fn with_sentences(mut self) -> Self {
        let mut seen: BTreeSet<String> = self
            .notes
            .iter()
            .map(|own| markdown::same_words(&own.text))
            .collect();
        for mut refused in std::mem::take(&mut self.refused) {
            match refused.said.take() {
                Some(said) if seen.contains(&markdown::same_words(&said.text)) => {}
                Some(said) if self.notes.len() < FLUSH_NOTES_MAX => {
                    seen.insert(markdown::same_words(&said.text));
                    self.notes.push(said);
                }
                Some(_) | None => self.refused.push(refused),
            }
        }
        self
    }

    /// Drops the refused notes whose sentence an accepted note quotes.
    pub(crate) fn drop_answered(&mut self) {
        let quotes: Vec<String> = self
            .notes
            .iter()
            .map(|own| markdown::same_words(&own.quote))
            .collect();
        self.refused.retain(|refused| {
            let said = refused.said.as_ref();
            let said = said.map(|own| markdown::same_words(&own.text));
            said.is_none_or(|said| !quotes.iter().any(|quote| said.contains(quote)))
        });
    }
}

/// A refused note, with its sentence if only its own words were refused.
pub(crate) fn refused(
    note: &ProposedNote,
    why: NoteRefusal,
    (excerpts, grounds): (&[Excerpt], &dyn Grounds),
) -> RefusedNote {
    let said = || {
        let cited = evidence(&note.labels, excerpts);
        let sentence = grounds.sentence(note, &cited)?;
        let said = ProposedNote {
            text: harmless_text(&sentence),
            quote: sentence,
            ..note.clone()
        };
        settle(&said, excerpts, grounds).ok()
    };
    RefusedNote {
        text: excerpt_of(&note.text),
        why,
        said: (why == NoteRefusal::NotSaid).then(said).flatten(),
    }
}

fn excerpt_of(text: &str) -> String {
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
    let origin = grounds.origin(note, &cited, excerpts)?;
    let entries = cited.iter().filter_map(|excerpt| excerpt.entry.clone());
    Ok(FlushNote {
        section: note.section,
        text: note.text.clone(),
        quote: note.quote.clone(),
        evidence: entries.take(N_EVIDENCE_MAX).collect::<Vec<EntryId>>(),
        origin,
    })
}

/// The number of a label; `None` if it is malformed or out of range.
fn label_number(label: &str) -> Option<u64> {
    label.strip_prefix(['e', 'E'])?.parse().ok()
}

/// The excerpts that the labels name, in excerpt order, each once; ignores unknown labels.
fn evidence<'a>(labels: &str, excerpts: &'a [Excerpt]) -> Vec<&'a Excerpt> {
    let ranges = ranges(labels);
    let is_cited = |excerpt: &&Excerpt| {
        let number = label_number(&excerpt.label).filter(|_| excerpt.entry.is_some());
        number.is_some_and(|number| ranges.iter().any(|range| range.contains(&number)))
    };
    excerpts.iter().filter(is_cited).collect()
}

/// Parses `e3, e7-e9` as 3 to 3 and 7 to 9.
fn ranges(labels: &str) -> Vec<RangeInclusive<u64>> {
    let parts = labels
        .split([',', ';', '&', '+'])
        .flat_map(|part| part.split(" and "));
    parts
        .filter_map(|part| {
            let is_dash = |character: char| "-. \u{2013}".contains(character);
            let mut numbers = part.split(is_dash).filter_map(label_number);
            let first = numbers.next()?;
            Some(first..=numbers.next_back().unwrap_or(first))
        })
        .collect()
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
