//! Redacts text in transcripts and deletes transcripts: the one exception to the rule that no line ever
//! changes.
//!
//! Never changes the offset or length of a line.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use base::disk::{DiskError, remove, replace_with};
use base::{EntryId, without_scope};

use crate::format::{self, Extent, LineContent, RedactedText, RedactionScope};
use crate::lookup;
use crate::reader::{RawLine, RawText, TranscriptFile};
use crate::recovery::for_each_chunk;
use crate::{
    BranchSummary, Compaction, CopiedFrom, Custom, CustomMessage, Payload, ReadError, SessionName,
    SessionStore, Turn,
};

/// The text to redact.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redaction {
    /// Entries to blank entirely.
    pub entries: BTreeSet<EntryId>,
    /// Text to remove from every line, also from inside of a longer word.
    pub words: Vec<String>,
    /// Text to remove from every line where no letter or digit continues it.
    pub sentences: Vec<String>,
    /// Text to remove from these entries alone.
    pub parts: BTreeMap<EntryId, Vec<String>>,
}

impl Redaction {
    /// Whether it removes nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.words.is_empty()
            && self.sentences.is_empty()
            && self.parts.is_empty()
    }

    /// The texts to remove from a line: `words`, the sentences, and the parts of its entry. The longest come first,
    /// because a shorter text may be a part of a longer one.
    fn texts_of<'r>(&'r self, id: Option<&EntryId>, words: &'r [String]) -> Vec<RedactedText<'r>> {
        let parts = id.and_then(|id| self.parts.get(id));
        let parts = parts.into_iter().flatten();
        let anywhere = words.iter().chain(parts);
        let anywhere = anywhere.map(|text| (text, Extent::Anywhere));
        let whole = self.sentences.iter();
        let whole = whole.map(|text| (text, Extent::WholeWords));
        let texts = anywhere.chain(whole);
        let mut texts: Vec<_> = texts
            .map(|(text, extent)| RedactedText { text, extent })
            .collect();
        texts.sort_by_key(|own| std::cmp::Reverse(own.text.len()));
        texts
    }
}

/// A line that a redaction changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactedLine {
    /// Its line number, from 1.
    pub number: u64,
    /// The entry, if the line is readable.
    pub entry: Option<EntryId>,
    pub kind: RedactedKind,
    /// Its text before the redaction.
    pub text: String,
}

/// The kind of a redacted line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedactedKind {
    Message,
    /// A summary, which may repeat redacted text.
    Summary,
    /// Anything else.
    Other,
}

/// Lines shorter than this, in characters, are too common to be searched for in summaries.
const LINE_CHARS_MIN: usize = 12;

impl SessionStore {
    /// Resolves id prefixes to entry ids.
    ///
    /// # Errors
    ///
    /// A prefix that matches no entry or several.
    pub fn entries_named(
        &self,
        name: &SessionName,
        wanted: &[String],
    ) -> Result<BTreeSet<EntryId>, ReadError> {
        let file = self.open(name)?;
        let found = wanted
            .iter()
            .map(|wanted| lookup::by_id(&file, name, wanted));
        found.map(|found| found.map(|found| found.id)).collect()
    }

    /// Lists the lines that a redaction would change.
    pub fn plan_redaction(
        &self,
        name: &SessionName,
        redaction: &Redaction,
    ) -> Result<Vec<RedactedLine>, ReadError> {
        let file = self.open(name)?;
        let texts = searched_texts(&file, redaction)?;
        let mut lines = Vec::new();
        for (raw, number) in file.raw_lines().zip(1..) {
            let raw = raw?;
            if redacted(&raw, redaction, &texts).is_some() {
                lines.push(described(number, &raw));
            }
        }
        Ok(lines)
    }

    /// The sessions that copied entries from this one: any entry, or one of `entries`.
    pub fn copied_by(
        &self,
        name: &SessionName,
        entries: Option<&BTreeSet<EntryId>>,
    ) -> Result<Vec<SessionName>, ReadError> {
        let original = self.lineage(name)?.session;
        let original = without_scope(original.as_str());
        let is_copy = |copied: &CopiedFrom| {
            let is_of =
                |entries: &BTreeSet<EntryId>| copied.entries().any(|it| entries.contains(it));
            let is_chosen = entries.is_some_and(is_of);
            let plain = without_scope(copied.session.as_str());
            is_chosen || (plain == original && entries.is_none())
        };
        let mut found = Vec::new();
        for other in self.names()?.into_iter().filter(|other| other != name) {
            // Skip unreadable sessions, because they could not be redacted anyway.
            let Ok(lines) = self.lines(&other) else {
                continue;
            };
            for line in lines {
                if let LineContent::Entry(entry) = line?.content
                    && entry.payload.copied_from().is_some_and(is_copy)
                {
                    found.push(other.clone());
                    break;
                }
            }
        }
        Ok(found)
    }
}

impl Turn {
    /// Redacts the transcript. Consumes the turn, because its view would be out of date.
    ///
    /// Durability: after a crash the file is entirely old or entirely new. Line offsets do not change.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; the file is then unchanged, or already redacted if only the sync failed.
    pub fn redact(self, redaction: &Redaction) -> Result<(), DiskError> {
        let Some(file) = self.open()? else {
            return Ok(());
        };
        let disk = &*self.home().disk;
        let texts = searched_texts(&file, redaction)?;
        let mut write = |out: &mut dyn Write| {
            file.raw_lines().try_for_each(|raw| {
                let raw = raw.map_err(io::Error::other)?;
                write_line(&file, &raw, redaction, &texts, out)
            })
        };
        replace_with(disk, file.path(), &mut write)?;
        self.drop_quarantined()
    }

    /// Deletes the session and its quarantined bytes.
    pub fn delete(self) -> Result<(), DiskError> {
        self.drop_quarantined()?;
        let home = self.home();
        remove(&*home.disk, &home.path(self.name()))
    }

    /// Deletes quarantined bytes, because they may contain the redacted text.
    fn drop_quarantined(&self) -> Result<(), DiskError> {
        let home = self.home();
        let directory = &home.layout.quarantine();
        for file in home.disk.list(directory)? {
            if is_end_of(&file, self.name()) {
                remove(&*home.disk, &directory.join(file))?;
            }
        }
        Ok(())
    }
}

/// Whether a quarantine file belongs to the session: `NAME-OFFSET-HASH.jsonl`.
fn is_end_of(file: &Path, name: &SessionName) -> bool {
    let stem = file.to_str().and_then(|file| file.strip_suffix(".jsonl"));
    let mut parts = stem.unwrap_or_default().rsplitn(3, '-');
    parts.nth(2) == Some(name.as_str())
}

/// Writes a line in its redacted form.
fn write_line(
    file: &TranscriptFile,
    raw: &RawLine,
    redaction: &Redaction,
    texts: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    match (redacted(raw, redaction, texts), &raw.text) {
        (Some(line), _) => out.write_all(&line)?,
        (None, RawText::Bytes(line)) => out.write_all(line)?,
        (None, RawText::TooLong) => {
            let range = raw.offset..raw.offset + raw.len;
            let write = |chunk: &[u8]| {
                let written = out.write_all(chunk);
                written.map_err(DiskError::on("write", file.path()))
            };
            for_each_chunk(file, range, write).map_err(io::Error::other)?;
        }
    }
    out.write_all(b"\n")
}

/// The texts to search for in summaries: the words, and the sentences of the redacted entries.
fn searched_texts(file: &TranscriptFile, redaction: &Redaction) -> Result<Vec<String>, DiskError> {
    let mut texts = redaction.words.clone();
    if redaction.entries.is_empty() {
        return Ok(texts);
    }
    for line in file.lines() {
        if let LineContent::Entry(entry) = line?.content
            && redaction.entries.contains(&entry.id)
            && let Payload::Message(stored) = &entry.payload
        {
            let text = stored.message.text();
            let lines = text.lines().flat_map(|line| line.split_inclusive(". "));
            let long = lines
                .map(str::trim)
                .filter(|line| line.chars().count() >= LINE_CHARS_MIN);
            texts.extend(long.map(str::to_owned));
        }
    }
    Ok(texts)
}

fn redacted(raw: &RawLine, redaction: &Redaction, texts: &[String]) -> Option<Vec<u8>> {
    let RawText::Bytes(bytes) = &raw.text else {
        return None;
    };
    let place = format::parse_place(bytes);
    let id = place.as_ref().map(|place| &place.id);
    if id.is_some_and(|id| redaction.entries.contains(id)) {
        return format::redact(bytes, RedactionScope::All);
    }
    let words = if is_summary(bytes) {
        texts
    } else {
        &redaction.words
    };
    let texts = redaction.texts_of(id, words);
    format::redact(bytes, RedactionScope::Texts(&texts))
}

fn is_summary(bytes: &[u8]) -> bool {
    !format::is_plain_message(bytes)
        && matches!(
            format::parse(bytes),
            LineContent::Entry(entry) if kind(&entry.payload) == RedactedKind::Summary
        )
}

fn kind(payload: &Payload) -> RedactedKind {
    if matches!(payload, Payload::Message(_) | Payload::CustomMessage(_)) {
        RedactedKind::Message
    } else if matches!(payload, Payload::Compaction(_) | Payload::BranchSummary(_)) {
        RedactedKind::Summary
    } else {
        RedactedKind::Other
    }
}

fn described(number: u64, raw: &RawLine) -> RedactedLine {
    let LineContent::Entry(entry) = raw.parse() else {
        return RedactedLine {
            number,
            entry: None,
            kind: RedactedKind::Other,
            text: String::new(),
        };
    };
    RedactedLine {
        number,
        entry: Some(entry.id),
        kind: kind(&entry.payload),
        text: match entry.payload {
            Payload::Message(stored) => {
                format!("{}: {}", stored.message.role(), stored.message.text())
            }
            Payload::Compaction(Compaction { summary, .. })
            | Payload::BranchSummary(BranchSummary { summary }) => summary,
            Payload::CustomMessage(CustomMessage { custom_type, .. })
            | Payload::Custom(Custom { custom_type, .. }) => custom_type,
            Payload::SessionInfo(info) => info.name,
            Payload::Other(entry_type) => entry_type,
            Payload::Meta(_) | Payload::Reset(_) | Payload::Rewind(_) => String::new(),
        },
    }
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
