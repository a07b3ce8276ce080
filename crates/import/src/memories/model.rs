//! What is read from files of memories.
//!
//! Data alone.

use std::path::PathBuf;

use base::disk::DiskError;
use base::{Day, Origin, Timestamp};

/// What a file of memories is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryFormat {
    /// The folder `memory` of a project of Claude Code, or a `CLAUDE.md`.
    ClaudeCode,
    /// The folder `memories` of Codex, or an `AGENTS.md`.
    Codex,
    /// The folder `memories` of Hermes.
    Hermes,
    /// The workspace of OpenClaw, or one of our own.
    OpenClaw,
    /// The JSON Lines of the reference memory server.
    Graph,
    /// `conversations.json` of ChatGPT, in which it notes what it remembers.
    ChatGpt,
    /// `memories.json` of Claude.
    Claude,
    /// A note of an Obsidian vault.
    Obsidian,
    /// What we exported.
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
    /// The name of the program, or of the format where it has none.
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
    /// Where it lies.
    pub path: PathBuf,
    /// What it is; `None` where only its text says so.
    pub format: Option<MemoryFormat>,
    /// Where all of it holds, as far as its place tells.
    pub holds: Holds,
    /// When it was written last.
    pub modified_at: Option<Timestamp>,
}

/// One thing that is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// The day of it, where the file says one.
    pub day: Option<Day>,
    /// Who is answerable for it, as far as the format proves.
    pub origin: Origin,
    /// Where it holds.
    pub holds: Holds,
}

/// Where a memory holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// For all that the owner does.
    Everywhere,
    /// In the repository at this path or of this remote.
    At(String),
    /// In the repository that names of its sessions begin with.
    In(String),
}

/// A file whose memories cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryFileError {
    /// The disk failed, or the file is too large.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It is no text.
    #[error("{} is not UTF-8", path.display())]
    NoText {
        /// The file.
        path: PathBuf,
    },
    /// It holds nothing of the format.
    #[error("{} holds no memories that are known: {reason}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// It was exported by a newer program.
    #[error("{} was exported by a newer openclaw, in version {version}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        version: u64,
    },
}
