//! The data read from conversations of other programs.
//!
//! Plain data.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::disk::DiskError;
use base::{Message, Origin, Timestamp};
use chrono::Datelike;

use crate::recording::RecordingError;

/// The format of a conversation file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportFormat {
    /// An OpenClaw session of version 1 to 4, or one of our own.
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

/// Where a conversation comes from, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationSource {
    /// The id that the program gave it; a copy of the file may have another name.
    pub id: Option<String>,
    /// The directory in which it began.
    pub directory: Option<PathBuf>,
    /// The address of the repository there, as the program recorded it.
    pub remote: Option<String>,
    /// The name or id of a session of our own, which carries its scope.
    pub scope: Option<String>,
}

/// A conversation of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// Its source.
    pub format: ImportFormat,
    /// Its id in that program; stable across imports.
    pub id: String,
    /// Where it comes from.
    pub source: ConversationSource,
    /// Its title, if any.
    pub title: Option<String>,
    /// What was said, in order.
    pub messages: Vec<ImportedMessage>,
    /// What could not be imported.
    pub not_understood: NotUnderstood,
}

/// A message of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMessage {
    /// When it was said, if recorded.
    pub at: Option<Timestamp>,
    /// Who is responsible for it, as far as the format proves.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
}

impl ImportedMessage {
    /// A time outside the years of four digits, which no transcript can hold, is left out.
    pub(crate) fn new(at: Option<Timestamp>, (origin, message): (Origin, Message)) -> Self {
        Self {
            at: at.filter(|at| (0..=9999).contains(&at.year())),
            origin,
            message,
        }
    }
}

/// What could not be imported, with counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotUnderstood(pub BTreeMap<String, u64>);

impl NotUnderstood {
    /// Counts one more.
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
    /// It is not a valid recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A session of a database cannot be read.
    #[error("cannot import the session {key}: {reason}")]
    Session {
        /// Its key, such as `agent:main:main`.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// It is not UTF-8 text.
    #[error("{} has no conversation in a known format: it is not UTF-8", .0.display())]
    NoText(PathBuf),
    /// Its format is unknown.
    #[error("{} has no conversation in a known format: {reason}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}
