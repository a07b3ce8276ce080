//! The workspace: the names of the owner's files, their templates, and the locks around them.
//!
//! The only module that knows these names; never overwrites an existing file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::disk::{
    DiskError, FileStat, Lock, LockError, MemoryDisk, ReplaceOutcome, by_process, create_dir,
    create_parent, read_some, replace,
};
use base::{Day, Disk, HomeLayout, locked_or_disk};

use crate::WorkspacePath;
use crate::ledger::Ledger;
use crate::tombstone::TombstoneError;
use crate::workspace_file::WorkspaceFile;

/// The owner's files and the state that belongs to them.
#[derive(Debug)]
pub struct Workspace {
    disk: Arc<dyn Disk>,
    layout: HomeLayout,
    /// Set once a sync failed: the content on disk is then unknown until the next start.
    is_poisoned: AtomicBool,
    /// What is known about the lines of ours, as last read.
    ledger: Mutex<Option<Arc<Ledger>>>,
}

/// The result of [`Workspace::init`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InitReport {
    /// Paths that were missing and have been created.
    pub written: Vec<WorkspacePath>,
    /// Paths that existed and were left unchanged.
    pub kept: Vec<WorkspacePath>,
}

/// Who may see a file in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Every session.
    EverySession,
    /// Only the primary session: the file is private.
    PrimarySession,
}

/// The workspace could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// Another process holds the lock; its id if known.
    #[error("the workspace is locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// Another program saved a file again and again while it was to be changed.
    #[error("{} is being changed by another program; close it there and try again", .0.display())]
    InUse(PathBuf),
    /// The tombstones could not be read.
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

/// The owner's files and their initial content.
const TEMPLATES: [(&str, &str); 6] = templates![
    "AGENTS.md",
    "SOUL.md",
    "USER.md",
    "HEARTBEAT.md",
    "MEMORY.md",
    "DREAMS.md"
];

/// Whether all lines of `text` come from the template of the file, so that the owner has filled in nothing.
pub(crate) fn is_of_template(name: &str, text: &str) -> bool {
    text.lines().all(|line| is_template_line(name, line))
}

/// Whether a line stands in the template of the file, so that the owner has filled in nothing on it.
pub(crate) fn is_template_line(name: &str, line: &str) -> bool {
    let mut templates = TEMPLATES
        .into_iter()
        .chain([(ARCHIVE_FILE, ARCHIVE_HEADER)]);
    templates
        .any(|(of, template)| of == name && template.lines().any(|it| it.trim() == line.trim()))
}

/// The files in the stable part of a prompt, in order.
pub(crate) const PROMPT_FILES: [(&str, Audience); 5] = [
    ("AGENTS.md", Audience::EverySession),
    ("SOUL.md", Audience::EverySession),
    ("HEARTBEAT.md", Audience::EverySession),
    ("USER.md", Audience::PrimarySession),
    ("MEMORY.md", Audience::PrimarySession),
];

/// Files that steer the program and are not searched.
pub(crate) const UNSEARCHED_FILES: [&str; 4] =
    ["AGENTS.md", "SOUL.md", "HEARTBEAT.md", "DREAMS.md"];

/// What the owner says about themselves.
const USER_FILE: &str = "USER.md";

const USER_BYTES_MAX: u64 = 1024 * 1024;

/// Long-term memory.
pub(crate) const MEMORY_FILE: &str = "MEMORY.md";

/// The file with the candidates for review.
pub(crate) const DREAMS_FILE: &str = "DREAMS.md";

/// Lines that were moved out of `MEMORY.md`; searched like a log.
pub(crate) const ARCHIVE_FILE: &str = "memory/archive.md";

/// The start of a new archive.
pub(crate) const ARCHIVE_HEADER: &str =
    "# Archive\n\nWhat left MEMORY.md for want of room, or for a newer value.\n\n";

/// The directory of the daily logs.
pub(crate) const LOGS: &str = "memory";

/// The directory of the graph that programs maintain.
pub(crate) const GRAPH: &str = "memory/graph";

/// How long to wait for a lock that is held for one write: many times as long as a write takes, even on a busy machine.
const LOG_PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait for the creation of the workspace or for a busy log: as long as for a turn, which is waiting.
const INIT_PATIENCE: Duration = Duration::from_mins(1);

/// Lock files; they start with `@` because no session name does.
const LOG_LOCK: &str = "@daily-log.lock";
const CURATED_LOCK: &str = "@curated.lock";
const DREAM_LOCK: &str = "@dream.lock";
const LEDGER_LOCK: &str = "@ledger.lock";
const NOTE_RECORDS_LOCK: &str = "@notes.lock";
const INIT_LOCK: &str = "@workspace.lock";
const TOMBSTONES_LOCK: &str = "@tombstones.lock";
const FORGETTING_LOCK: &str = "@forgetting.lock";

impl Workspace {
    /// The workspace of a home; reads and writes nothing yet.
    pub fn new(disk: Arc<dyn Disk>, layout: HomeLayout) -> Self {
        Self {
            disk,
            layout,
            is_poisoned: AtomicBool::new(false),
            ledger: Mutex::new(None),
        }
    }

    /// Writes the templates of missing files and creates the directory of the logs.
    ///
    /// Durability: each file is written atomically, so a retry after a crash finishes the work.
    pub fn init(&self) -> Result<InitReport, WorkspaceError> {
        self.make_dir(self.root())?;
        self.make_dir(&self.layout.locks())?;
        let init_lock = self.layout.locks().join(INIT_LOCK);
        let _lock = self.disk.lock(&init_lock, INIT_PATIENCE)?;
        let mut report = InitReport::default();
        // A listing includes dangling symlinks, which are the owner's too.
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
        // Last: its existence marks a finished init.
        let logs = WorkspacePath::known(LOGS);
        if is_present(LOGS) {
            report.kept.push(logs);
        } else {
            self.make_dir(&logs.under(self.root()))?;
            report.written.push(logs);
        }
        Ok(report)
    }

    /// Fills in lines of `USER.md` that are still as in its template, such as `Name`; returns whether any was.
    ///
    /// Durability: the file is written atomically, and only if nobody has saved it meanwhile.
    pub fn fill_in_owner(&self, fields: &[(&str, &str)]) -> Result<bool, WorkspaceError> {
        let path = self.root().join(USER_FILE);
        let Some(found) = read_some(&*self.disk, &path, USER_BYTES_MAX)? else {
            return Ok(false);
        };
        let Ok(text) = String::from_utf8(found.clone()) else {
            return Ok(false);
        };
        let filled = fields.iter().fold(text.clone(), |text, (field, value)| {
            let empty = format!("- {field}:");
            let lines = text.split_inclusive('\n').map(|line| {
                let end = line.get(line.trim_end().len()..).unwrap_or_default();
                if line.trim_end() == empty {
                    format!("{empty} {}{end}", crate::prepared_line(value))
                } else {
                    line.to_owned()
                }
            });
            lines.collect()
        });
        if filled == text {
            return Ok(false);
        }
        let file = WorkspaceFile::new(self, path, USER_BYTES_MAX);
        let replaced = file.replace(Some(&found), filled.as_bytes())?;
        Ok(replaced == ReplaceOutcome::Done)
    }

    /// The fields of `USER.md` that are still as in its template, of these.
    pub fn unfilled<'f>(&self, fields: &[&'f str]) -> Result<Vec<&'f str>, WorkspaceError> {
        let path = self.root().join(USER_FILE);
        let found = read_some(&*self.disk, &path, USER_BYTES_MAX)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&found);
        let is_empty = |field: &&&str| {
            let empty = format!("- {field}:");
            text.lines().any(|line| line.trim_end() == empty)
        };
        Ok(fields.iter().filter(is_empty).copied().collect())
    }

    /// Whether [`init`](Self::init) has ever finished here: false if a crash interrupted it, true even if the owner has
    /// removed a template since.
    pub fn is_made(&self) -> Result<bool, WorkspaceError> {
        let logs = WorkspacePath::known(LOGS).under(self.root());
        Ok(self.disk.stat(&logs)?.is_some())
    }

    /// A copy in memory: what is written into it never reaches the disk.
    #[must_use]
    pub fn in_memory(&self) -> Self {
        let disk = MemoryDisk::above(Arc::clone(&self.disk));
        Self::new(Arc::new(disk), self.layout.clone())
    }

    /// The directory of the workspace.
    pub fn root(&self) -> &Path {
        self.layout.workspace()
    }

    /// The layout of the home.
    pub fn layout(&self) -> &HomeLayout {
        &self.layout
    }

    /// The path of `MEMORY.md`, whether it exists or not.
    pub fn memory_path(&self) -> WorkspacePath {
        WorkspacePath::known(MEMORY_FILE)
    }

    /// The path of the archive of lines that left `MEMORY.md`, whether it exists or not.
    pub fn archive_path(&self) -> WorkspacePath {
        WorkspacePath::known(ARCHIVE_FILE)
    }

    /// The path of the daily log of a day, whether it exists or not.
    pub fn log_path(&self, day: Day) -> WorkspacePath {
        WorkspacePath::known(format!("{LOGS}/{day}.md"))
    }

    /// Size and time of `DREAMS.md`; `None` if it does not exist.
    pub fn review_stat(&self) -> Result<Option<FileStat>, DiskError> {
        self.disk.stat(&self.root().join(DREAMS_FILE))
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// Resolves symlinks in a path; the inner `Err` holds a target outside of the workspace.
    pub(crate) fn inside(&self, path: &str) -> Result<Result<PathBuf, PathBuf>, DiskError> {
        let root = self.disk.resolve(self.root())?;
        let target = self.disk.resolve(&self.root().join(path))?;
        let leads_up = target.components().any(|part| part.as_os_str() == "..");
        let is_inside = target.starts_with(root) && !leads_up;
        Ok(if is_inside { Ok(target) } else { Err(target) })
    }

    /// The file with the candidates for review.
    pub(crate) fn dreams_file(&self) -> PathBuf {
        self.root().join(DREAMS_FILE)
    }

    /// Held briefly, while `MEMORY.md` or the candidates are changed.
    pub(crate) fn lock_curated(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(CURATED_LOCK)
    }

    /// Held for a whole dream, so that only one runs at a time.
    pub fn lock_dream(&self) -> Result<Lock, WorkspaceError> {
        Ok(self.lock(DREAM_LOCK)?)
    }

    /// Whether the home is writable, judging by a lock file.
    pub fn may_be_written(&self) -> bool {
        let refusals = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem];
        let lock = self.lock(CURATED_LOCK);
        !matches!(lock, Err(LockError::Disk(error)) if refusals.contains(&error.kind()))
    }

    /// Held while any note may be changed: the lock of the logs, then that of `MEMORY.md`.
    pub(crate) fn lock_notes(&self) -> Result<(Lock, Lock), LockError> {
        Ok((self.lock_logs()?, self.lock_curated()?))
    }

    /// Held briefly, to read a consistent snapshot of notes and candidates.
    pub fn hold_still(&self) -> Result<Vec<Lock>, LockError> {
        // In the order of all writers, or two of them would wait for one another.
        let (logs, curated) = self.lock_notes()?;
        Ok(vec![logs, curated, self.lock_tombstones()?])
    }

    /// Held while a daily log is written. Waits, because another process holds it for one write only.
    pub(crate) fn lock_logs(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(LOG_LOCK)
    }

    /// Like [`lock_logs`](Self::lock_logs), but waits up to a minute: a flush that gave up would let its compaction go
    /// ahead without notes.
    pub(crate) fn lock_logs_patiently(&self) -> Result<Lock, LockError> {
        self.make_dir(&self.layout.locks())?;
        self.disk
            .lock(&self.layout.locks().join(LOG_LOCK), INIT_PATIENCE)
    }

    /// Held while forgotten lines are taken out of files or put back, so that neither undoes the other. Waits up to a
    /// minute: a home may have many files.
    pub(crate) fn lock_forgetting(&self) -> Result<Lock, LockError> {
        self.make_dir(&self.layout.locks())?;
        let path = self.layout.locks().join(FORGETTING_LOCK);
        self.disk.lock(&path, INIT_PATIENCE)
    }

    /// Held briefly, while the tombstones are written.
    pub(crate) fn lock_tombstones(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(TOMBSTONES_LOCK)
    }

    /// Held briefly, while records about lines of notes are written.
    pub(crate) fn lock_note_records(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(NOTE_RECORDS_LOCK)
    }

    pub(crate) fn ledger_cache(&self) -> &Mutex<Option<Arc<Ledger>>> {
        &self.ledger
    }

    /// Held briefly, while the tokens spent are written.
    pub(crate) fn lock_ledger(&self) -> Result<Lock, LockError> {
        self.lock_for_a_write(LEDGER_LOCK)
    }

    pub(crate) fn make_dir(&self, directory: &Path) -> Result<(), DiskError> {
        create_dir(&*self.disk, directory)
    }

    /// Makes the folder of a file.
    pub(crate) fn make_dir_of(&self, file: &Path) -> Result<(), DiskError> {
        create_parent(&*self.disk, file)
    }

    pub(crate) fn is_poisoned(&self) -> bool {
        self.is_poisoned.load(Ordering::SeqCst)
    }

    /// Returns `result` unchanged and poisons the workspace if a sync failed: a second sync could succeed although the
    /// bytes are lost, so nothing more may be written.
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
