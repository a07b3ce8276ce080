//! The port for indexing everything but notes: documents made of messages.
//!
//! Independent of their storage and their format.

use std::fmt::Debug;

use base::{Day, Origin, SourceError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::passage::ResumePlace;

/// Where a passage comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(into = "&'static str")]
#[schemars(extend("enum" = Self::ALL.map(Self::as_str)))]
pub enum Source {
    /// A file of the workspace.
    Memory,
    /// A document of a [`PassageSource`]: the transcript of a session.
    Session,
}

base::words! { Source: Memory = "memory", Session = "session" }

impl Source {
    /// Its number in the index.
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// Documents made of messages, such as session transcripts.
///
/// Deterministic: two reads of the same documents return the same result.
pub trait PassageSource: Send + Sync + Debug {
    /// Lists the current documents without reading them in full. `indexed` returns the stamp under which a path was
    /// indexed; a document that has not changed since is not opened.
    ///
    /// # Errors
    ///
    /// [`SourceError`] if the documents cannot be listed. A document that cannot be read is still listed; reading it
    /// returns the error.
    fn documents(&self, indexed: IndexedStamp<'_>) -> Result<Vec<DocumentStat>, SourceError>;

    /// Passes the messages of a document to `sink` in line order, starting at `from`. Forgotten messages are skipped.
    ///
    /// # Errors
    ///
    /// [`SourceError`]; the caller then drops the messages already passed.
    fn read(
        &self,
        path: &str,
        from: Option<ResumePlace>,
        sink: &mut dyn FnMut(SourceMessage),
    ) -> Result<(), SourceError>;

    /// Checks that a document can be read.
    fn try_to_open(&self, path: &str) -> Result<(), SourceError> {
        self.read(path, None, &mut |_| {})
    }
}

/// Returns the stamp under which a path was indexed.
pub type IndexedStamp<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// The state of a document, for change detection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentStat {
    /// Its path relative to the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// Changes whenever anything before the end changes: a rewind, a redaction, a tombstone. While it is unchanged,
    /// only the end of the document is read again.
    pub history: String,
    /// Changes whenever anything changes.
    pub stamp: String,
    /// Its length in bytes.
    pub n_bytes: u64,
}

/// A message of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMessage {
    /// Its position in the document.
    pub place: ResumePlace,
    /// The speaker: `user`, `assistant`, or the name of a tool or person.
    pub speaker: String,
    pub text: String,
    /// The day in the owner's time zone.
    pub day: Option<Day>,
    pub origin: Origin,
}

/// Documents in memory, for tests and for sessions that must not write.
#[derive(Debug, Clone, Default)]
pub struct MessagesInMemory {
    /// Paths and messages, in order.
    pub documents: Vec<(String, Vec<SourceMessage>)>,
}

impl PassageSource for MessagesInMemory {
    fn documents(&self, _: IndexedStamp<'_>) -> Result<Vec<DocumentStat>, SourceError> {
        let stat = |(path, messages): &(String, Vec<SourceMessage>)| {
            let all = format!("{messages:?}");
            DocumentStat {
                path: path.clone(),
                // Appends are not told apart from changes before the end.
                history: base::short_hash(&all),
                stamp: base::short_hash(&all),
                n_bytes: messages
                    .iter()
                    .map(|message| message.text.len() as u64)
                    .sum(),
            }
        };
        Ok(self.documents.iter().map(stat).collect())
    }

    fn read(
        &self,
        path: &str,
        from: Option<ResumePlace>,
        sink: &mut dyn FnMut(SourceMessage),
    ) -> Result<(), SourceError> {
        let found = self.documents.iter().find(|(name, _)| name == path);
        let (_, messages) =
            found.ok_or_else(|| SourceError::new(path, "there is no such document"))?;
        let first = from.map_or(0, |place| place.line);
        messages
            .iter()
            .filter(|message| message.place.line >= first)
            .cloned()
            .for_each(sink);
        Ok(())
    }
}
