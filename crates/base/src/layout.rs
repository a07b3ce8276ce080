//! The folders and files of a home, named in one place for all crates.
//!
//! Opens and creates nothing.

use std::io;
use std::path::{Path, PathBuf};

use crate::Disk;
use crate::disk::{DiskError, FileStat};

const WORKSPACE: &str = "workspace";
const SESSIONS: &str = "sessions";
const STATE: &str = "state";
const TRANSCRIPT_ENDING: &str = ".jsonl";

/// The paths of one assistant's home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeLayout {
    root: PathBuf,
    workspace: PathBuf,
}

impl HomeLayout {
    /// The layout of the home at `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let workspace = root.join(WORKSPACE);
        Self { root, workspace }
    }

    /// The layout of a user's default home.
    pub fn of_user(user_home: &Path) -> Self {
        Self::new(user_home.join(".openclaw"))
    }

    /// The layout of the home that contains a workspace of any name.
    pub fn of_workspace(workspace: impl Into<PathBuf>) -> Self {
        let workspace = workspace.into();
        let root = workspace.parent().unwrap_or(&workspace).to_owned();
        Self { root, workspace }
    }

    /// The home itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The owner's settings.
    pub fn user_config(&self) -> PathBuf {
        self.root.join("config.yaml")
    }

    /// The settings of the workspace.
    pub fn workspace_config(&self) -> PathBuf {
        self.workspace.join("config.yaml")
    }

    /// The owner's files.
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// The transcripts.
    pub fn sessions(&self) -> PathBuf {
        self.root.join(SESSIONS)
    }

    /// The transcript of a session.
    pub fn transcript(&self, session: &str) -> PathBuf {
        self.root.join(transcript_path(session))
    }

    /// The search index, which can be rebuilt.
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Downloaded models, which can be downloaded again.
    pub fn models(&self) -> PathBuf {
        self.root.join("models")
    }

    /// The program's own state.
    pub fn state(&self) -> PathBuf {
        self.root.join(STATE)
    }

    fn state_file(&self, name: &str) -> PathBuf {
        self.state().join(name)
    }

    /// Lock files, which can be deleted while no process runs.
    pub fn locks(&self) -> PathBuf {
        self.state_file("locks")
    }

    /// Incomplete lines that a crash left in transcripts.
    pub fn quarantine(&self) -> PathBuf {
        self.state_file("quarantine")
    }

    /// Records of forgotten and rejected texts.
    pub fn tombstones(&self) -> PathBuf {
        self.state_file("tombstones.jsonl")
    }

    /// Copies of notes, made before lines in them were forgotten.
    pub fn forgotten(&self) -> PathBuf {
        self.state_file("forgotten")
    }

    /// Copies of files, made before a tool or the owner's page overwrote them.
    pub fn overwritten(&self) -> PathBuf {
        self.state_file("overwritten")
    }

    /// Dream candidates and decisions.
    pub fn dreams(&self) -> PathBuf {
        self.state_file("dreams")
    }

    /// Copies of long-term memory, made before each change by the program.
    pub fn preimages(&self) -> PathBuf {
        self.state_file("preimages")
    }

    /// Records about each line that the program wrote into the notes.
    pub fn note_records(&self) -> PathBuf {
        self.state_file("notes.jsonl")
    }

    /// The graph that programs maintain.
    pub fn graph(&self) -> PathBuf {
        self.state_file("graph.jsonl")
    }

    /// Records about the lines of long-term memory, in the format of earlier versions.
    pub fn memory_records(&self) -> PathBuf {
        self.state_file("memory-records")
    }

    /// The times at which lines that the owner wrote by hand were first seen in long-term memory.
    pub fn lines_by_hand(&self) -> PathBuf {
        self.state_file("lines-by-hand.json")
    }

    /// Tokens spent in addition to the conversation.
    pub fn ledger(&self) -> PathBuf {
        self.state_file("ledger.json")
    }

    /// The input history of chats.
    pub fn chat_history(&self) -> PathBuf {
        self.state_file("chat-history")
    }

    /// Window sizes learned from requests that a model's server rejected.
    pub fn window_record(&self) -> PathBuf {
        self.state_file("window.json")
    }
}

/// The path of a session's transcript relative to the home, as evidence and results show it.
pub fn transcript_path(session: &str) -> String {
    format!("{SESSIONS}/{session}{TRANSCRIPT_ENDING}")
}

/// The session of a transcript path relative to the home.
pub fn session_of_path(path: &str) -> Option<&str> {
    let file = path.strip_prefix(SESSIONS)?.strip_prefix('/')?;
    file.strip_suffix(TRANSCRIPT_ENDING)
}

/// The directories of a home that the program uses, relative to it.
pub const FOLDERS: [&str; 12] = [
    "",
    WORKSPACE,
    "workspace/memory",
    SESSIONS,
    "index",
    "models",
    STATE,
    "state/locks",
    "state/quarantine",
    "state/forgotten",
    "state/overwritten",
    "state/dreams",
];

/// Whether the program uses this directory, relative to the home.
pub fn is_own_folder(below: &Path) -> bool {
    FOLDERS.iter().any(|folder| below == Path::new(folder))
}

/// Whether the program reads or writes this file, relative to the home.
pub fn is_own_file(below: &Path) -> bool {
    const FILES: [&str; 15] = [
        "config.yaml",
        "workspace/config.yaml",
        "workspace/AGENTS.md",
        "workspace/SOUL.md",
        "workspace/USER.md",
        "workspace/HEARTBEAT.md",
        "workspace/MEMORY.md",
        "workspace/DREAMS.md",
        "state/tombstones.jsonl",
        "state/notes.jsonl",
        "state/graph.jsonl",
        "state/ledger.json",
        "state/chat-history",
        "state/window.json",
        "state/token",
    ];
    let lies_in = |folder: &str, ending: &str| {
        let is_there = below.parent() == Some(Path::new(folder));
        is_there && below.to_str().is_some_and(|path| path.ends_with(ending))
    };
    lies_in(SESSIONS, TRANSCRIPT_ENDING)
        || lies_in("state/dreams", "")
        || lies_in("workspace/memory", ".md")
        || FILES.iter().any(|file| below == Path::new(file))
}

/// Inspects the path `below` in the home, whose directory resolves to `above`. The error says why the path is not a
/// part of the home.
///
/// The owner may keep files such as notes or settings elsewhere, behind links; they still belong to the home.
pub fn part_at(
    disk: &dyn Disk,
    above: &Path,
    below: &Path,
) -> Result<Result<FileStat, &'static str>, DiskError> {
    let path = above.join(below.file_name().unwrap_or_default());
    // Both calls fail on a link loop.
    let Some(stat) = disk.stat(&path)? else {
        return Ok(Err("it is a link to nothing"));
    };
    let target = disk.resolve(&path)?;
    Ok(if target == path {
        Ok(stat)
    } else if !is_own_file(below) && !is_own_folder(below) {
        Err("it is a link")
    } else if leads_back(above, &target) {
        Err("it is a link to a directory that contains it")
    } else {
        Ok(stat)
    })
}

/// The reason why an unreadable path cannot contain data, and so is not a part of the home; `None` for any other
/// failure.
pub fn no_data(error: &DiskError) -> Option<&'static str> {
    if error.is_link_loop() {
        Some("it is a circular link")
    } else if error.kind() == io::ErrorKind::NotSeekable {
        Some("it is a pipe, a socket or a device")
    } else {
        None
    }
}

/// Whether a link targets one of its ancestors; `above` is the resolved path of the link's directory.
pub fn leads_back(above: &Path, target: &Path) -> bool {
    above.starts_with(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_layout_recognises_its_own_files_and_folders() {
        let layout = HomeLayout::new("/home");
        let transcript = layout.transcript("main");
        assert_eq!(transcript, Path::new("/home/sessions/main.jsonl"));
        assert_eq!(session_of_path("sessions/main.jsonl"), Some("main"));
        assert_eq!(session_of_path("memory/2026-04-20.md"), None);
        let folders = [
            layout.sessions(),
            layout.index(),
            layout.models(),
            layout.state(),
            layout.locks(),
            layout.quarantine(),
            layout.forgotten(),
            layout.overwritten(),
            layout.dreams(),
        ];
        for folder in folders {
            let below = folder.strip_prefix("/home").unwrap();
            assert!(is_own_folder(below), "{below:?}");
        }
        let files = [
            layout.user_config(),
            layout.workspace_config(),
            transcript,
            layout.tombstones(),
            layout.note_records(),
            layout.graph(),
            layout.ledger(),
            layout.chat_history(),
            layout.window_record(),
        ];
        for file in files {
            assert!(is_own_file(file.strip_prefix("/home").unwrap()), "{file:?}");
        }
    }

    #[test]
    fn custom_workspace_has_state_in_its_parent_folder() {
        let layout = HomeLayout::of_workspace("/data/notes");
        assert_eq!(layout.workspace(), Path::new("/data/notes"));
        assert_eq!(layout.locks(), Path::new("/data/state/locks"));
    }
}
