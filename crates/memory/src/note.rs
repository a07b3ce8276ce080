//! A note, its text and evidence, and its form as one line of Markdown.

use std::sync::LazyLock;

use base::{EntryId, Origin, SessionId, head, redact, short_hash, text_id, visible};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use regex::Regex;

use crate::ledger::NoteRecord;

/// Something worth keeping, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The text; written on one line, secrets removed.
    pub text: String,
    /// The entries it is based on; the caller has checked that they exist.
    pub evidence: Vec<EntryId>,
    /// Who answers for it. A note without evidence is never written as the owner's.
    pub origin: Origin,
}

text_id! {
    /// The id of a note; the same note of the same span has the same id.
    NoteId
}

/// Length limit of a note in characters: a note is a sentence or two, longer text belongs in the transcript.
pub const NOTE_CHARS_MAX: usize = 2_000;

/// A note as parsed from a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoteLine {
    pub(crate) id: NoteId,
    pub(crate) text: String,
    pub(crate) evidence: Vec<EntryId>,
    pub(crate) origin: Origin,
    /// The hash of the text in the record.
    pub(crate) hash: String,
    /// The session that it was noted from.
    pub(crate) session: Option<SessionId>,
}

impl NoteId {
    /// Derives the id from session, span, section and text.
    pub(crate) fn of(
        session: &SessionId,
        span: &(EntryId, EntryId),
        section: &str,
        text: &str,
    ) -> Self {
        let (first, last) = span;
        Self(short_hash(&format!(
            "{session}\n{first}\n{last}\n{section}\n{text}"
        )))
    }
}

/// Prepares a text for a line of ours: one line, without secrets and comment delimiters.
///
/// Redacts after removing control characters, which could hide a secret, and escapes comment delimiters after
/// truncating, which could create one.
pub fn prepare(text: &str) -> String {
    let line = one_line(text);
    let shown = head(&line, NOTE_CHARS_MAX);
    let mark = if shown.len() < line.len() {
        " \u{2026}"
    } else {
        ""
    };
    format!("{shown}{mark}")
        .replace("<!--", "&lt;!--")
        .replace("-->", "--&gt;")
}

/// The text on one line, without secrets, control characters and invisible ones.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String = visible(text)
        .chars()
        .filter(|character| character.is_whitespace() || !character.is_control())
        .collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    redact(&line).into_owned()
}

impl Note {
    /// What is known about it as a line of a file; `text` must be prepared.
    pub(crate) fn record(&self, file: &str, id: &NoteId, text: &str) -> NoteRecord {
        let ids = self.evidence.iter();
        // Without evidence, nothing proves that the owner said it.
        let is_unproven = self.origin == Origin::Owner && self.evidence.is_empty();
        NoteRecord {
            id: id.to_string(),
            file: file.to_owned(),
            hash: short_hash(text),
            origin: if is_unproven {
                Origin::Agent
            } else {
                self.origin
            },
            evidence: ids.map(|id| encode(id.as_str())).collect(),
            candidate: None,
            day: None,
            session: None,
            epoch: None,
            span: None,
        }
    }
}

/// A note with its record at its end.
static NOTE_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(\s*[-*+]\s+(.*?))\s*<!-- n:(\S+) e:(\S*) h:([0-9a-f]{8}) o:([a-z]+)(?: d:([\d-]{10}))?(?: s:(\S+))? -->\s*$").ok()
});

/// A list item that ends in a mark: the text before it, and the mark.
static MARKED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\s*[-*+](?:\s.*?)?)\s+\^([0-9a-f]{8})\s*$").ok());

/// The parts of a note with its record at its end, as they stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteFields<'l> {
    /// The line before its record, with its bullet.
    pub(crate) said: &'l str,
    pub(crate) text: &'l str,
    pub(crate) id: &'l str,
    /// Separated by commas.
    pub(crate) evidence: &'l str,
    pub(crate) hash: &'l str,
    pub(crate) origin: Origin,
    pub(crate) day: Option<&'l str>,
    pub(crate) session: Option<&'l str>,
}

/// Splits a note from its record; `None` if the line does not end in one.
pub(crate) fn fields(line: &str) -> Option<NoteFields<'_>> {
    if !line.contains("<!-- n:") {
        return None;
    }
    let found = NOTE_LINE.as_ref()?.captures(line)?;
    let part = |number: usize| found.get(number).map(|part| part.as_str());
    Some(NoteFields {
        said: part(1)?,
        text: part(2)?,
        id: part(3)?,
        evidence: part(4)?,
        hash: part(5)?,
        origin: Origin::parse(part(6)?)?,
        day: part(7),
        session: part(8),
    })
}

/// Splits a list item that ends in a mark into text, with the bullet, and mark.
pub(crate) fn marked(line: &str) -> Option<(&str, &str)> {
    if !line.contains(" ^") && !line.contains("\t^") {
        return None;
    }
    let (_, [said, mark]) = MARKED.as_ref()?.captures(line)?.extract();
    Some((said, mark))
}

/// The text of a list item, without its bullet.
pub(crate) fn text_of(said: &str) -> &str {
    said.trim_start().get(1..).unwrap_or_default().trim()
}

/// Parses a line of a note; `None` if it ends neither in a record nor in a mark.
///
/// Nothing is known about a line with a mark alone: it is the assistant's.
pub(crate) fn parse(line: &str) -> Option<NoteLine> {
    if let Some(found) = fields(line) {
        let ids = found.evidence.split(',').filter(|id| !id.is_empty());
        return Some(NoteLine {
            id: NoteId::new(found.id),
            text: found.text.to_owned(),
            evidence: ids.map(|id| EntryId::new(decode(id))).collect(),
            origin: found.origin,
            hash: found.hash.to_owned(),
            session: found.session.map(|id| SessionId::new(decode(id))),
        });
    }
    let (said, mark) = marked(line)?;
    let text = text_of(said);
    Some(NoteLine {
        id: NoteId::new(mark),
        text: text.to_owned(),
        evidence: Vec::new(),
        origin: Origin::Agent,
        hash: short_hash(text),
        session: None,
    })
}

impl NoteLine {
    /// Whether the text is unchanged since it was written.
    pub(crate) fn is_as_written(&self) -> bool {
        short_hash(&self.text) == self.hash
    }

    /// Whether the program wrote it down for the owner, whose own line it is: a note of a model always has evidence.
    pub(crate) fn is_added_by_owner(&self) -> bool {
        self.origin == Origin::Owner && self.evidence.is_empty() && self.session.is_some()
    }
}

/// A line with its record, as readers get it.
#[cfg(test)]
pub(crate) fn render(id: &NoteId, text: &str, evidence: &[EntryId], origin: Origin) -> String {
    let note = Note {
        text: text.to_owned(),
        evidence: evidence.to_vec(),
        origin,
    };
    format!("- {text} {}", note.record("", id, text).comment())
}

/// The characters to escape in a comment: all but letters, digits, `-` and `_`.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Escapes an id for a comment of ours.
pub(crate) fn encode(id: &str) -> String {
    utf8_percent_encode(id, PLAIN).to_string()
}

/// Reverses [`encode`]; leaves other text unchanged.
pub(crate) fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
#[path = "note_tests.rs"]
mod tests;
