//! What is read from the files of other programs.
//!
//! Data alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::disk::DiskError;
use base::{Message, Origin, Timestamp};

use crate::recording::RecordingError;

/// What a file of conversations is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportFormat {
    /// A session of OpenClaw, of version 1 to 4, or one of our own.
    OpenClaw,
    /// A transcript of Claude Code.
    ClaudeCode,
    /// A transcript of Codex.
    Codex,
    /// `conversations.json` of ChatGPT.
    ChatGpt,
    /// `conversations.json` of Claude.
    Claude,
    /// JSON Lines of messages.
    Lines,
}

/// A conversation of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// What it is from.
    pub format: ImportFormat,
    /// Names it there; the same at every reading.
    pub id: String,
    /// What it is called there, where it has a title.
    pub title: Option<String>,
    /// What was said, in order.
    pub messages: Vec<ImportedMessage>,
    /// What was not understood.
    pub not_understood: NotUnderstood,
}

/// A message of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMessage {
    /// When it was said, where the file says so.
    pub at: Option<Timestamp>,
    /// Who is answerable for it, as far as the format proves.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
}

/// What was not understood, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotUnderstood(pub BTreeMap<String, u64>);

impl NotUnderstood {
    /// Notes one more.
    pub(super) fn add(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

/// A file that cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It is no recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A session of a database cannot be read.
    #[error("the session {key} cannot be imported: {reason}")]
    Session {
        /// What it is for there, such as `agent:main:main`.
        key: String,
        /// What was found.
        reason: String,
    },
    /// It is no text, or none in UTF-8.
    #[error("{} holds no conversation that is known: it is not UTF-8", path.display())]
    NoText {
        /// The file.
        path: PathBuf,
    },
    /// It is none of the formats that are known.
    #[error("{} holds no conversation that is known: {reason}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
}
