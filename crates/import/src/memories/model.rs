//! The data read from memory files.
//!
//! Data only.

use std::path::PathBuf;

use base::disk::DiskError;
use base::{Day, Origin, Timestamp};

/// The format of a memory file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryFormat {
    /// The folder `memory` of a project of Claude Code, or a `CLAUDE.md`.
    ClaudeCode,
    /// The folder `memories` of Codex, or an `AGENTS.md`.
    Codex,
    /// The folder `memories` of Hermes.
    Hermes,
    /// The workspace of OpenClaw or of this program.
    OpenClaw,
    /// The JSON Lines of the reference memory server.
    Graph,
    /// ChatGPT's `conversations.json`, which contains its memory notes.
    ChatGpt,
    /// `memories.json` of Claude.
    Claude,
    /// A note of an Obsidian vault.
    Obsidian,
    /// An export of this program.
    Export,
    /// Any other Markdown.
    Markdown,
}

base::words! {
    MemoryFormat:
    ClaudeCode = "claude-code",
    Codex = "codex",
    Hermes = "hermes",
    OpenClaw = "openclaw",
    Graph = "graph",
    ChatGpt = "chatgpt",
    Claude = "claude",
    Obsidian = "obsidian",
    Export = "export",
    Markdown = "markdown",
}

impl MemoryFormat {
    /// The name of the program, or a description of the format.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Hermes => "Hermes",
            Self::OpenClaw => "OpenClaw",
            Self::Graph => "the reference memory server",
            Self::ChatGpt => "ChatGPT",
            Self::Claude => "Claude",
            Self::Obsidian => "Obsidian",
            Self::Export => "an export",
            Self::Markdown => "Markdown",
        }
    }
}

/// A file that holds memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFile {
    pub path: PathBuf,
    /// Its format; `None` if only its text can show it.
    pub format: Option<MemoryFormat>,
    /// Where its memories apply, judged by its path.
    pub holds: Holds,
    /// When it was last modified.
    pub modified_at: Option<Timestamp>,
}

/// One memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Its line in the file, from 1.
    pub line: usize,
    pub text: String,
    /// Its day, if the file names one.
    pub day: Option<Day>,
    /// The author who is responsible for it, as far as the format proves.
    pub origin: Origin,
    /// Where it applies.
    pub holds: Holds,
}

/// Where a memory applies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    Everywhere,
    /// In the repository at this path or with this remote.
    At(String),
    /// In the repository with this session name prefix.
    In(String),
}

/// The formats that an import detects in a named file.
pub(super) const FORMATS: &str = "Markdown and other text in UTF-8, conversations.json of ChatGPT, memories.json of \
     Claude, JSON Lines of the reference memory server, and exports of openclaw";

/// The reason why the memories of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MemoryFileError {
    /// The disk failed, or the file is too large.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It is not UTF-8 text.
    #[error("{} is not UTF-8; an import reads {FORMATS}", .0.display())]
    NoText(PathBuf),
    /// It contains no memories in the given format.
    #[error("{} has no memories in a known format: {reason}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// It was exported by a newer version.
    #[error("{} was exported by a newer openclaw (format version {version})", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        version: u64,
    },
}
