//! Where everything of one assistant lies.
//!
//! Names the directories and makes them when they are first needed; never looks into a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::Disk;
use base::disk::{DiskError, FileStat, create_dir};

use crate::environment::Environment;
use crate::error::{CliError, ErrorKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Home {
    root: PathBuf,
}

/// A directory of the home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directory {
    Workspace,
    Sessions,
    /// What makes search quick; derived.
    Index,
    /// Models that the owner named, as they were fetched; derived.
    Models,
    Locks,
    Quarantine,
    State,
}

impl Directory {
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Sessions => "sessions",
            Self::Index => "index",
            Self::Models => "models",
            Self::Locks => "state/locks",
            Self::Quarantine => "state/quarantine",
            Self::State => "state",
        }
    }
}

const CONFIG_FILE: &str = "config.yaml";

impl Home {
    /// Finds the home: `--home`, else `OPENCLAW_HOME`, else `~/.openclaw`.
    pub(crate) fn find(option: Option<&Path>, environment: &Environment) -> Result<Self, CliError> {
        let user_home = environment.user_home.as_ref();
        option
            .map(Path::to_owned)
            .or_else(|| environment.openclaw_home.clone())
            .or_else(|| Some(user_home?.join(".openclaw")))
            .map(|root| Self { root })
            .ok_or_else(|| {
                CliError::new(ErrorKind::Usage, "the home directory is unknown")
                    .doing("looking for `--home`, OPENCLAW_HOME and HOME")
                    .hint("name it with `--home DIR`")
            })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn directory(&self, directory: Directory) -> PathBuf {
        self.root.join(directory.path())
    }

    /// One of its directories, made if need be.
    pub(crate) fn make(&self, disk: &dyn Disk, directory: Directory) -> Result<PathBuf, CliError> {
        let path = self.directory(directory);
        create_dir(disk, &path)?;
        Ok(path)
    }

    /// The input history of chats.
    pub(crate) fn chat_history(&self) -> PathBuf {
        self.directory(Directory::State).join("chat-history")
    }

    /// What refusals have shown of the window of the model.
    pub(crate) fn window_file(&self) -> PathBuf {
        self.directory(Directory::State).join("window.json")
    }

    pub(crate) fn user_config(&self) -> PathBuf {
        self.root.join(CONFIG_FILE)
    }

    pub(crate) fn workspace_config(&self) -> PathBuf {
        self.directory(Directory::Workspace).join(CONFIG_FILE)
    }
}

/// The files in a directory and below, each directory looked into once, however many links lead there.
pub(crate) fn files_below(
    disk: &dyn Disk,
    directory: PathBuf,
) -> Result<Vec<(PathBuf, FileStat)>, DiskError> {
    let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
    let mut waiting = vec![directory];
    while let Some(directory) = waiting.pop() {
        if !seen.insert(disk.resolve(&directory)?) {
            continue;
        }
        for name in disk.list(&directory)? {
            let path = directory.join(name);
            match disk.stat(&path)? {
                Some(stat) if stat.is_dir => waiting.push(path),
                Some(stat) => files.push((path, stat)),
                None => {}
            }
        }
    }
    Ok(files)
}

/// What the program reads or writes under this name as a file.
pub(crate) fn is_own_file(below: &Path) -> bool {
    const FILES: [&str; 13] = [
        "config.yaml",
        "workspace/config.yaml",
        "workspace/AGENTS.md",
        "workspace/SOUL.md",
        "workspace/USER.md",
        "workspace/HEARTBEAT.md",
        "workspace/MEMORY.md",
        "workspace/DREAMS.md",
        "state/tombstones.jsonl",
        "state/ledger.json",
        "state/chat-history",
        "state/window.json",
        "state/token",
    ];
    let is_transcript = below.parent() == Some(Path::new("sessions"))
        && below.extension().is_some_and(|ending| ending == "jsonl");
    let is_record = below.parent() == Some(Path::new("state/dreams"));
    let is_note = below.parent() == Some(Path::new("workspace/memory"))
        && below.extension().is_some_and(|ending| ending == "md");
    is_transcript || is_record || is_note || FILES.iter().any(|file| below == Path::new(file))
}

/// The directories that the program looks into, relative to the home.
pub(crate) const OWN_DIRECTORIES: [&str; 12] = [
    "",
    "workspace",
    "workspace/memory",
    "sessions",
    "index",
    "models",
    "state",
    "state/locks",
    "state/quarantine",
    "state/forgotten",
    "state/overwritten",
    "state/dreams",
];

/// What the program looks into under this name.
pub(crate) fn is_own_directory(below: &Path) -> bool {
    OWN_DIRECTORIES
        .iter()
        .any(|directory| below == Path::new(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(option: Option<&str>, openclaw: Option<&str>, user: Option<&str>, expected: &str) {
        let environment = Environment {
            openclaw_home: openclaw.map(PathBuf::from),
            user_home: user.map(PathBuf::from),
            ..Environment::default()
        };
        let found = Home::find(option.map(Path::new), &environment);
        let found = found.map_or_else(
            |error| error.message,
            |home| home.root.display().to_string(),
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn the_nearest_word_names_the_home() {
        check(Some("here"), Some("/env"), Some("/root"), "here");
        check(None, Some("/env"), Some("/root"), "/env");
        check(None, None, Some("/root"), "/root/.openclaw");
        check(None, None, None, "the home directory is unknown");
    }

    #[test]
    #[cfg(unix)]
    fn directories_are_made_for_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt;

        let parent = tempfile::tempdir().unwrap();
        let home = Home {
            root: parent.path().join("home"),
        };
        let made = home.make(&base::disk::OsDisk, Directory::Locks).unwrap();
        assert_eq!(made, parent.path().join("home/state/locks"));
        for path in [home.root().to_owned(), home.root().join("state"), made] {
            let permissions = path.metadata().unwrap().permissions();
            assert_eq!(permissions.mode() & 0o777, 0o700, "{}", path.display());
        }
    }
}
