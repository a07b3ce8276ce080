//! One note: what it says, whence it is known, and how both stand in one line of Markdown.
//!
//! Knows neither files nor blocks.

use std::sync::LazyLock;

use base::{EntryId, Origin, SessionId, head, redact, short_hash, text_id};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use regex::Regex;

/// Something worth keeping, with the entries that say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What is kept; written as one line, without secrets.
    pub text: String,
    /// The entries that say it; the caller has checked that they exist.
    pub evidence: Vec<EntryId>,
    /// Who is answerable for it. A note without evidence is never written as the owner's.
    pub origin: Origin,
}

text_id! {
    /// Names a note; the same note of the same span has the same id.
    NoteId
}

/// Longest note in characters; a note is a sentence or two, and what is longer belongs in the transcript.
pub const NOTE_CHARS_MAX: usize = 2_000;

/// A note as a line of a file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoteLine {
    pub(crate) id: NoteId,
    pub(crate) text: String,
    pub(crate) evidence: Vec<EntryId>,
    pub(crate) origin: Origin,
    /// The hash that the comment names.
    pub(crate) hash: String,
}

impl NoteId {
    /// The id of a text in a section of a span of a session.
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

/// A text as it may stand in a line of ours: one line, no secrets, no comment marks.
///
/// Secrets are sought after control characters went, because these can hide one; comment marks are
/// spelled out after all cuts, so that no cut can make one.
pub fn prepare(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|character| character.is_whitespace() || !character.is_control())
        .collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = redact(&line);
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

/// The line of a note whose text is prepared.
pub(crate) fn render(id: &NoteId, text: &str, evidence: &[EntryId], origin: Origin) -> String {
    let entries: Vec<String> = evidence.iter().map(|id| encode(id.as_str())).collect();
    // Without evidence, nothing shows that the owner said it.
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

/// Reads a line back; `None` where it does not end in a comment of ours.
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
    /// Whether the text is the one that was written.
    pub(crate) fn is_as_written(&self) -> bool {
        short_hash(&self.text) == self.hash
    }

    /// The line as it was written.
    pub(crate) fn render(&self) -> String {
        render(&self.id, &self.text, &self.evidence, self.origin)
    }
}

/// What stands in a comment of ours as it is, besides letters and digits.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Spells an id so that it can stand in a comment of ours.
pub(crate) fn encode(id: &str) -> String {
    utf8_percent_encode(id, PLAIN).to_string()
}

/// Reads an id back; what is not spelled by [`encode`] is taken as it stands.
pub(crate) fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
#[path = "note_tests.rs"]
mod tests;
