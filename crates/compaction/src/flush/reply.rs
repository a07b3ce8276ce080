//! Reads the notes in a reply, each one separately.
//!
//! Trusts nothing: checks the evidence of each note, and sanitises its text for the log.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use base::model::Excerpt;
use base::{EntryId, FLUSH_NOTES_MAX, NOTHING_TO_FLUSH, Origin, json_items, redact};
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

/// Maximum length of a quoted rejected note, in characters.
const TOLD_CHARS_MAX: usize = 120;

/// The reason why a reply has no list of notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlushReplyError {
    /// The reply is empty.
    #[error("the reply to the flush is empty")]
    Empty,
    /// The reply contains text but no notes.
    #[error("the reply to the flush contains no notes: {start:?}")]
    Prose {
        /// The beginning of the text.
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

/// Finds the notes in a reply, as JSON inside any other text. An item that is not a note becomes an inner `Err`.
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
    // An empty list, or the word for it, is a valid answer without notes.
    if found.is_empty() && !compact.contains("[]") && !reply.contains(NOTHING_TO_FLUSH) {
        return Err(FlushReplyError::Prose {
            start: shorten::capped(&redact(reply), 80),
        });
    }
    Ok(found)
}

fn proposed(wire: &NoteWire) -> ProposedNote {
    let section = wire.section.as_str().unwrap_or_default();
    let mut sections = FlushSection::ALL
        .into_iter()
        .chain([FlushSection::Promised]);
    let is_named = |known: &FlushSection| {
        markdown::same_words(known.heading()) == markdown::same_words(section)
    };
    ProposedNote {
        section: sections
            .find(is_named)
            // A note with an unknown section name goes into the catch-all section.
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

/// A label in canonical form, even if the model wrote only its number.
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

/// Reads the notes of the offline engine. They quote their evidence, so they have its origin.
pub fn quoted_notes(reply: &str, excerpts: &[Excerpt]) -> Result<FlushNotes, FlushReplyError> {
    Ok(settle_notes(read_notes(reply)?, excerpts, &Quotations).sorted())
}

/// Treats every note as a quotation of its evidence.
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

/// Accepts or rejects each note separately, in the order of the reply; skips duplicates.
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
    /// Sorts the notes by section.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.notes.sort_by_key(|note| note.section);
        self
    }

    /// Records that the reply reached its length limit and was cut off.
    pub fn cut(&mut self) {
        let last = self.notes.last().map(|note| excerpt_of(&note.text));
        self.refused.push(RefusedNote {
            text: last.unwrap_or_default(),
            why: NoteRefusal::Cut,
            said: None,
        });
    }

    /// Merges the notes of a retry. Rejected notes that the retry corrected are removed from the list of rejected
    /// ones, and the retry's own rejected notes are added.
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
        // The retry asked only for the rejected notes. If it returned at least as many new ones, it reworded all of
        // them.
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

    /// Replaces each note that was rejected for its wording with the sentence that it quotes, so that the fact is
    /// kept even if the model cannot date it.
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

    /// Drops the rejected notes whose sentence an accepted note quotes.
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

/// A rejected note, with its sentence if the wording was the only reason.
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
