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
            told: None,
        }
    }
}

/// A list item that ends in a mark: the text before it, and the mark.
static MARKED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\s*[-*+](?:\s.*?)?)\s+\^([0-9a-f]{8})\s*$").ok());

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

/// The characters to escape in a record: all but letters, digits, `-` and `_`.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Escapes an id for a record.
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
