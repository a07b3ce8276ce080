//! A note, its text and evidence, and its form as one line of Markdown.

use std::sync::LazyLock;

use base::{EntryId, Origin, SessionId, head, redact, short_hash, text_id, visible};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use regex::Regex;

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
    /// The hash of the text in the comment.
    pub(crate) hash: String,
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

/// Renders the line of a note; `text` must be prepared.
pub(crate) fn render(id: &NoteId, text: &str, evidence: &[EntryId], origin: Origin) -> String {
    let entries: Vec<String> = evidence.iter().map(|id| encode(id.as_str())).collect();
    // Without evidence, nothing proves that the owner said it.
    let origin = if origin == Origin::Owner && evidence.is_empty() {
        Origin::Agent
    } else {
        origin
    };
    format!(
        "- {text} <!-- n:{id} e:{} h:{} o:{origin} -->",
        entries.join(","),
        short_hash(text)
    )
}

static NOTE_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*[-*+]\s+(.*?)\s*<!-- n:(\S+) e:(\S*) h:([0-9a-f]{8}) o:([a-z]+)(?: d:[\d-]{10})? -->\s*$").ok()
});

/// Parses a line of a note; `None` if it does not end in a comment of ours.
pub(crate) fn parse(line: &str) -> Option<NoteLine> {
    let found = NOTE_LINE.as_ref()?.captures(line)?;
    let (_, [text, id, evidence, hash, origin]) = found.extract();
    Some(NoteLine {
        id: NoteId::new(id),
        text: text.to_owned(),
        evidence: evidence
            .split(',')
            .filter(|id| !id.is_empty())
            .map(|id| EntryId::new(decode(id)))
            .collect(),
        origin: Origin::parse(origin)?,
        hash: hash.to_owned(),
    })
}

impl NoteLine {
    /// Whether the text is unchanged since it was written.
    pub(crate) fn is_as_written(&self) -> bool {
        short_hash(&self.text) == self.hash
    }

    /// Renders the line again.
    pub(crate) fn render(&self) -> String {
        render(&self.id, &self.text, &self.evidence, self.origin)
    }
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
