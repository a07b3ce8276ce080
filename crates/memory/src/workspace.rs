//! The owner's files by name, the templates they begin as, and the locks around them.
//!
//! The only file that knows these names; never overwrites what is there.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::disk::{DiskError, FileStat, Lock, LockError, by_process, create_dir, replace};
use base::{Day, Disk, HomeLayout, locked_or_disk};

use crate::WorkspacePath;
use crate::tombstone::TombstoneError;

/// The owner's files and where what belongs to them is kept.
#[derive(Debug)]
pub struct Workspace {
    disk: Arc<dyn Disk>,
    layout: HomeLayout,
    /// Set once a sync failed: what the files will hold is then unknown until the next start.
    is_poisoned: AtomicBool,
}

/// What [`Workspace::init`] did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InitReport {
    /// What was missing and is there now.
    pub written: Vec<WorkspacePath>,
    /// What was there and was left as it was.
    pub kept: Vec<WorkspacePath>,
}

/// Who may see a file in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Every session.
    EverySession,
    /// The primary session alone, for it is private.
    PrimarySession,
}

/// The workspace could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// Another process is at it; its id, where it is known.
    #[error("the workspace is locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// It is not known what was forgotten.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

macro_rules! templates {
    ($($name:literal),+) => {
        [$(($name, include_str!(concat!("../../../workspace-template/", $name)))),+]
    };
}

/// The owner's files, and what each holds on the first day.
const TEMPLATES: [(&str, &str); 6] = templates![
    "AGENTS.md",
    "SOUL.md",
    "USER.md",
    "HEARTBEAT.md",
    "MEMORY.md",
    "DREAMS.md"
];

/// Whether a file of this name begins with these lines among others: what is filled in nowhere says nothing.
pub(crate) fn is_of_template(name: &str, text: &str) -> bool {
    let mut templates = TEMPLATES.into_iter();
    templates.any(|(of, template)| {
        let mut lines = text.lines();
        of == name && lines.all(|line| template.lines().any(|it| it.trim() == line.trim()))
    })
}

/// The files in the stable part of a prompt, in order.
pub(crate) const PROMPT_FILES: [(&str, Audience); 5] = [
    ("AGENTS.md", Audience::EverySession),
    ("SOUL.md", Audience::EverySession),
    ("HEARTBEAT.md", Audience::EverySession),
    ("USER.md", Audience::PrimarySession),
    ("MEMORY.md", Audience::PrimarySession),
];

/// Files that steer the program; they say nothing that is to be found.
pub(crate) const UNSEARCHED_FILES: [&str; 4] =
    ["AGENTS.md", "SOUL.md", "HEARTBEAT.md", "DREAMS.md"];

/// Long-term memory.
pub(crate) const MEMORY_FILE: &str = "MEMORY.md";

/// The candidates that wait for review.
pub(crate) const DREAMS_FILE: &str = "DREAMS.md";

/// What left long-term memory for want of room; searched like a log.
pub(crate) const ARCHIVE_FILE: &str = "memory/archive.md";

/// The directory of the daily logs.
pub(crate) const LOGS: &str = "memory";

/// The directory of the graph that programs keep.
pub(crate) const GRAPH: &str = "memory/graph";

/// How long a log that is locked is waited for: many times as long as one write takes, on a busy machine too.
const LOG_PATIENCE: Duration = Duration::from_secs(10);

/// How long is waited for another process that makes the workspace: as long as for a turn, for a message waits behind it.
const INIT_PATIENCE: Duration = Duration::from_mins(1);

/// No session can have such a name, for none begins with `@`.
const LOG_LOCK: &str = "@daily-log.lock";
const CURATED_LOCK: &str = "@curated.lock";
const DREAM_LOCK: &str = "@dream.lock";
const LEDGER_LOCK: &str = "@ledger.lock";
const INIT_LOCK: &str = "@workspace.lock";
const TOMBSTONES_LOCK: &str = "@tombstones.lock";

impl Workspace {
    /// The workspace of a home; nothing is read or written yet.
    pub fn new(disk: Arc<dyn Disk>, layout: HomeLayout) -> Self {
        Self {
            disk,
            layout,
            is_poisoned: AtomicBool::new(false),
        }
    }

    /// Writes the templates of the files that are missing and makes the directory of the logs.
    ///
    /// Durability: each file appears whole or not at all, so that a repeated call finishes the work.
    pub fn init(&self) -> Result<InitReport, WorkspaceError> {
        self.make_dir(self.root())?;
        self.make_dir(&self.layout.locks())?;
        let init_lock = self.layout.locks().join(INIT_LOCK);
        let _lock = self.disk.lock(&init_lock, INIT_PATIENCE)?;
        let mut report = InitReport::default();
        // A listing also names links that lead nowhere; they are the owner's all the same.
        let present = self.disk.list(self.root())?;
        let is_present = |name: &str| present.iter().any(|found| found == Path::new(name));
        for (name, text) in TEMPLATES {
            let path = WorkspacePath::known(name);
            if is_present(name) {
                report.kept.push(path);
            } else {
                replace(&*self.disk, &path.under(self.root()), text.as_bytes())?;
                report.written.push(path);
            }
        }
        // Last of all: it tells that the others were made.
        let logs = WorkspacePath::known(LOGS);
        if is_present(LOGS) {
            report.kept.push(logs);
        } else {
            self.make_dir(&logs.under(self.root()))?;
            report.written.push(logs);
        }
        Ok(report)
    }

    /// Whether [`init`](Self::init) came to its end here once. Where a crash broke it off, it did not;
    /// where the owner took a template away since, it did.
    pub fn is_made(&self) -> Result<bool, WorkspaceError> {
        let logs = WorkspacePath::known(LOGS).under(self.root());
        Ok(self.disk.stat(&logs)?.is_some())
    }

    /// Where the workspace lies.
    pub fn root(&self) -> &Path {
        self.layout.workspace()
    }

    /// Where it and what is kept beside it lie.
    pub fn layout(&self) -> &HomeLayout {
        &self.layout
    }

    /// Long-term memory, whether it exists or not.
    pub fn memory_path(&self) -> WorkspacePath {
        WorkspacePath::known(MEMORY_FILE)
    }

    /// The daily log of a day, whether it exists or not.
    pub fn log_path(&self, day: Day) -> WorkspacePath {
        WorkspacePath::known(format!("{LOGS}/{day}.md"))
    }

    /// Length and time of the file in which the owner reviews candidates; `None` where there is none.
    pub fn review_stat(&self) -> Result<Option<FileStat>, DiskError> {
        self.disk.stat(&self.root().join(DREAMS_FILE))
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// Where a path of the workspace leads once links are followed; as an error where that is outside.
    pub(crate) fn inside(&self, path: &str) -> Result<Result<PathBuf, PathBuf>, DiskError> {
        let root = self.disk.resolve(self.root())?;
        let target = self.disk.resolve(&self.root().join(path))?;
        let leads_up = target.components().any(|part| part.as_os_str() == "..");
        let is_inside = target.starts_with(root) && !leads_up;
        Ok(if is_inside { Ok(target) } else { Err(target) })
    }

    /// The candidates that wait for review.
    pub(crate) fn dreams_file(&self) -> PathBuf {
        self.root().join(DREAMS_FILE)
    }

    /// Held while long-term memory or the candidates are changed: for moments only.
    pub(crate) fn lock_curated(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(CURATED_LOCK)
    }

    /// Held for as long as a dream takes, so that there is one at a time.
    pub fn lock_dream(&self) -> Result<Lock, WorkspaceError> {
        Ok(self.lock(DREAM_LOCK)?)
    }

    /// Whether anything in the home may be written, as far as the file of a lock tells.
    pub fn may_be_written(&self) -> bool {
        let refusals = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem];
        let lock = self.lock(CURATED_LOCK);
        !matches!(lock, Err(LockError::Disk(error)) if refusals.contains(&error.kind()))
    }

    /// Held while any note may be changed: the logs and what is curated, in this order.
    pub(crate) fn lock_notes(&self) -> Result<(Lock, Lock), LockError> {
        Ok((self.lock_logs()?, self.lock_curated()?))
    }

    /// Held while notes and candidates are read as they are at one moment: for moments only.
    pub fn hold_still(&self) -> Result<Vec<Lock>, LockError> {
        let locks = [
            self.lock_curated()?,
            self.lock_logs()?,
            self.lock_tombstones()?,
        ];
        Ok(locks.into())
    }

    /// Held while a daily log is written. Another process holds it for one write, so that it is worth
    /// waiting for: a flush that gave up here would let its compaction go ahead without notes.
    pub(crate) fn lock_logs(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(LOG_LOCK)
    }

    /// The same, for a program that can wait: others may be many.
    pub(crate) fn lock_logs_patiently(&self) -> Result<Lock, LockError> {
        self.make_dir(&self.layout.locks())?;
        self.disk
            .lock(&self.layout.locks().join(LOG_LOCK), INIT_PATIENCE)
    }

    /// Held while the tombstones are written, which takes a moment.
    pub(crate) fn lock_tombstones(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(TOMBSTONES_LOCK)
    }

    /// Held while that is written, which takes a moment.
    pub(crate) fn lock_ledger(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(LEDGER_LOCK)
    }

    pub(crate) fn make_dir(&self, directory: &Path) -> Result<(), DiskError> {
        create_dir(&*self.disk, directory)
    }

    pub(crate) fn is_poisoned(&self) -> bool {
        self.is_poisoned.load(Ordering::SeqCst)
    }

    /// Passes on what a write came to. After a failed sync a second one may succeed though the bytes are
    /// gone, so that nothing is written any more.
    pub(crate) fn poisoning<T>(&self, result: Result<T, DiskError>) -> Result<T, DiskError> {
        if let Err(error) = &result
            && error.is_sync()
        {
            self.is_poisoned.store(true, Ordering::SeqCst);
        }
        result
    }

    fn lock_for_a_write(&self, name: &str) -> Result<Lock, LockError> {
        self.make_dir(&self.layout.locks())?;
        self.disk
            .lock(&self.layout.locks().join(name), LOG_PATIENCE)
    }

    fn lock(&self, name: &str) -> Result<Lock, LockError> {
        self.make_dir(&self.layout.locks())?;
        self.disk.try_lock(&self.layout.locks().join(name))
    }
}

locked_or_disk!(WorkspaceError);

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
