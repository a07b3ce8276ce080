//! The data read from conversations of other programs.
//!
//! Data only.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::disk::DiskError;
use base::{Message, Origin, Timestamp};
use chrono::Datelike;

use crate::recording::RecordingError;

/// The format of a conversation file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportFormat {
    /// An OpenClaw session of version 1 to 4, or a session of this program.
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

impl ImportFormat {
    /// The mark on the line of a transcript at which the program compacted the conversation: the model no longer sees
    /// the messages before it.
    pub fn compaction_mark(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(r#""subtype":"compact_boundary""#),
            Self::Codex => Some(r#""type":"compacted""#),
            Self::OpenClaw | Self::ChatGpt | Self::Claude | Self::Lines => None,
        }
    }
}

/// The source of a conversation, as its file records it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationSource {
    /// The id that the program gave it; a copy of the file may have another name.
    pub id: Option<String>,
    /// The directory in which it began.
    pub directory: Option<PathBuf>,
    /// The address of the repository there, as the program recorded it.
    pub remote: Option<String>,
    /// The name or id of a session of this program, from which the scope is taken.
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
    /// The messages, in order.
    pub messages: Vec<ImportedMessage>,
    /// Parts that could not be imported.
    pub not_understood: NotUnderstood,
}

/// A message of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMessage {
    /// Time of the message, if recorded.
    pub at: Option<Timestamp>,
    /// The author who is responsible for it, as far as the format proves.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
}

impl ImportedMessage {
    /// Drops a time whose year does not have four digits, because no transcript can contain it.
    pub(crate) fn new(at: Option<Timestamp>, (origin, message): (Origin, Message)) -> Self {
        Self {
            at: at.filter(|at| (0..=9999).contains(&at.year())),
            origin,
            message,
        }
    }
}

/// The parts that could not be imported, by description, and how often each occurred.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotUnderstood(pub BTreeMap<String, u64>);

impl NotUnderstood {
    /// Increments the count of a description.
    pub(super) fn add(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

/// The reason why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
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
        /// The cause.
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
        /// The cause.
        reason: String,
    },
}
