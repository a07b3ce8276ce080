//! The port through which anything but notes is indexed: documents of messages.
//!
//! Knows neither where they are kept nor in which format.

use std::fmt::Debug;

use base::{Day, Origin};

use crate::passage::ResumePlace;

/// What a passage was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A file of the workspace.
    Memory,
    /// A document of a [`PassageSource`]: the transcript of a session.
    Session,
}

base::words! { Source: Memory = "memory", Session = "session" }

impl Source {
    /// The number that stands for it in the index.
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// Documents that are made of messages, such as the transcripts of sessions.
///
/// What it tells depends on the documents alone: two readings of the same documents give the same.
pub trait PassageSource: Send + Sync + Debug {
    /// The documents as they are now, without reading them whole.
    ///
    /// # Errors
    ///
    /// [`SourceError`] where they cannot be listed at all; one that cannot be read is listed all the
    /// same, and says why when it is read.
    fn documents(&self) -> Result<Vec<DocumentStat>, SourceError>;

    /// Gives the messages of a document to `sink`, in order of their lines, those before `from` left
    /// out; a message that may not be found is not given at all.
    ///
    /// # Errors
    ///
    /// [`SourceError`]; what was given before it is dropped.
    fn read(
        &self,
        path: &str,
        from: Option<ResumePlace>,
        sink: &mut dyn FnMut(SourceMessage),
    ) -> Result<(), SourceError>;

    /// Finds out whether a document can be read.
    fn try_to_open(&self, path: &str) -> Result<(), SourceError> {
        self.read(path, None, &mut |_| {})
    }
}

/// What tells whether a document changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentStat {
    /// Its path relative to the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// Changes whenever something before the end changed: a rewind, a redaction, a tombstone.
    /// While it stays the same, only the end of the document is read anew.
    pub history: String,
    /// Changes whenever anything changed.
    pub stamp: String,
    /// Its length in bytes.
    pub n_bytes: u64,
}

/// A message of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMessage {
    /// Where it stands.
    pub place: ResumePlace,
    /// Who says it: `user`, `assistant`, the name of a tool or of a person.
    pub speaker: String,
    /// What is said.
    pub text: String,
    /// The day, in the owner's time zone.
    pub day: Option<Day>,
    /// Who is answerable for it.
    pub origin: Origin,
}

/// A document could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}")]
pub struct SourceError {
    /// The document or directory.
    pub path: String,
    /// Why.
    #[source]
    pub cause: Box<dyn std::error::Error + Send + Sync>,
}

/// Documents in memory, for tests and for a session that may not write.
#[derive(Debug, Clone, Default)]
pub struct MessagesInMemory {
    /// Paths and messages, in order.
    pub documents: Vec<(String, Vec<SourceMessage>)>,
}

impl PassageSource for MessagesInMemory {
    fn documents(&self) -> Result<Vec<DocumentStat>, SourceError> {
        let stat = |(path, messages): &(String, Vec<SourceMessage>)| {
            let all = format!("{messages:?}");
            DocumentStat {
                path: path.clone(),
                // Whether something before the end changed is not tracked here.
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
        let (_, messages) = found.ok_or_else(|| SourceError {
            path: path.to_owned(),
            cause: "there is no such document".into(),
        })?;
        let first = from.map_or(0, |place| place.line);
        messages
            .iter()
            .filter(|message| message.place.line >= first)
            .cloned()
            .for_each(sink);
        Ok(())
    }
}
