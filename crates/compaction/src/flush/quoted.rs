//! Reads the notes that the offline engine quotes.
//!
//! Trusts nothing: evidence is checked against the excerpts, text is made harmless for the log.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{EntryId, FLUSH_NOTES_MAX, FLUSH_SECTIONS, NOTHING_TO_FLUSH, Origin, redact};

use super::note::{FlushNote, FlushNotes, FlushSection, least_trusted};
use super::reply::FlushReplyError;
use crate::line;
use crate::markdown::{self, Line};

/// More evidence than this is not kept for one note.
const N_EVIDENCE_MAX: usize = 16;

/// A note is cut to this many characters.
const NOTE_CHARS_MAX: usize = 400;

/// Reads the notes out of a reply; none where it says that nothing is worth keeping.
///
/// # Errors
///
/// [`FlushReplyError`] where the reply is no answer to a flush; the caller tries the next engine.
pub fn parse_flush_reply(reply: &str, excerpts: &[Excerpt]) -> Result<FlushNotes, FlushReplyError> {
    if reply.trim().is_empty() {
        return Err(FlushReplyError::Empty);
    }
    if says_nothing(reply) {
        return Ok(FlushNotes::default());
    }
    let mut section = FlushSection::Notes;
    let mut has_bullet = false;
    let mut notes: Vec<FlushNote> = Vec::new();
    let mut seen = BTreeSet::new();
    for line in markdown::lines(reply, &FLUSH_SECTIONS) {
        if notes.len() == FLUSH_NOTES_MAX {
            break;
        }
        match line {
            Line::Heading(known) => section = section_at(known),
            Line::Bullet(text) => {
                has_bullet = true;
                let note = note(section, &text, excerpts);
                notes.extend(note.filter(|note| seen.insert(markdown::same_words(&note.text))));
            }
            Line::Text(_) | Line::Code(_) => {}
        }
    }
    if !has_bullet {
        return Err(FlushReplyError::Prose {
            start: line::capped(&redact(reply), 80),
        });
    }
    notes.sort_by_key(|note| note.section);
    Ok(FlushNotes {
        notes,
        ..FlushNotes::default()
    })
}

/// What stands under a heading that was not asked for is kept under the one that claims nothing.
fn section_at(known: Option<usize>) -> FlushSection {
    known
        .and_then(|position| FlushSection::ALL.get(position).copied())
        .unwrap_or(FlushSection::Notes)
}

fn says_nothing(text: &str) -> bool {
    let bare = text.trim_matches(|character: char| !character.is_alphanumeric());
    bare.eq_ignore_ascii_case(NOTHING_TO_FLUSH)
}

/// `None` where the bullet says nothing.
fn note(section: FlushSection, bullet: &str, excerpts: &[Excerpt]) -> Option<FlushNote> {
    let (text, labels) = cited(bullet);
    note_of(section, text, &labels, excerpts)
}

fn note_of(
    section: FlushSection,
    text: &str,
    labels: &[&str],
    excerpts: &[Excerpt],
) -> Option<FlushNote> {
    let text = line::harmless(&redact(&line::single(text)));
    let is_empty = !text.chars().any(char::is_alphanumeric)
        || says_nothing(&text)
        || matches!(
            markdown::same_words(&text).as_str(),
            "none" | "n a" | "nothing"
        );
    if is_empty {
        return None;
    }
    let found = evidence(labels, excerpts);
    let entries: Vec<EntryId> = found
        .iter()
        .filter_map(|excerpt| excerpt.entry.clone())
        .take(N_EVIDENCE_MAX)
        .collect();
    let origin = least_trusted(found.iter().map(|excerpt| excerpt.origin)).unwrap_or(Origin::Agent);
    Some(FlushNote {
        section,
        text: line::capped(&text, NOTE_CHARS_MAX),
        evidence: entries,
        origin,
    })
}

/// Parts a bullet into what it says and the labels in brackets at its end.
fn cited(bullet: &str) -> (&str, Vec<&str>) {
    let mut text = bullet.trim_end();
    let mut labels = Vec::new();
    loop {
        let bare = text.trim_end_matches(['.', ' ', ';', ',']);
        let Some((before, inside)) = last_brackets(bare) else {
            return (text, labels);
        };
        if !is_citation(inside) {
            return (text, labels);
        }
        labels.push(inside);
        text = before.trim_end();
    }
}

fn last_brackets(text: &str) -> Option<(&str, &str)> {
    let (inner, opening) = match (text.strip_suffix(']'), text.strip_suffix(')')) {
        (Some(inner), _) => (inner, '['),
        (None, Some(inner)) => (inner, '('),
        (None, None) => return None,
    };
    inner.rsplit_once(opening)
}

/// Whether the text holds labels and what joins them, and nothing else.
fn is_citation(inside: &str) -> bool {
    let is_joint = |character: char| " ,;-.+&".contains(character) || character == '\u{2013}';
    let mut words = inside
        .split(is_joint)
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some() && words.all(|word| word == "and" || is_label(word))
}

fn is_label(word: &str) -> bool {
    word.strip_prefix(['e', 'E']).is_some_and(|number| {
        !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
    })
}

/// `None` also where the number is beyond any that could have been given out.
fn label_number(label: &str) -> Option<u64> {
    label.strip_prefix(['e', 'E'])?.parse().ok()
}

/// The excerpts that the labels name, in their own order, each once; unknown labels name none.
fn evidence<'a>(citations: &[&str], excerpts: &'a [Excerpt]) -> Vec<&'a Excerpt> {
    let ranges: Vec<(u64, u64)> = citations.iter().flat_map(|inside| ranges(inside)).collect();
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
fn ranges(inside: &str) -> Vec<(u64, u64)> {
    let parts = inside
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
#[path = "quoted_tests.rs"]
mod tests;
