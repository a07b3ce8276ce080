//! The workspace: where the owner's files are, how they are created, and the locks around them.
//!
//! Only this module and `owner_files` contain their names; never overwrites an existing file.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::disk::{
    DiskError, FileStat, Lock, LockError, MemoryDisk, ReplaceOutcome, create_dir, create_parent,
    read_some, replace,
};
use base::{Day, Disk, HomeLayout};

use crate::ledger::Ledger;
use crate::note_folder::{LeftOutNote, NoteFolder};
use crate::owner_files::OWNER_FILES;
use crate::workspace_file::WorkspaceFile;
use crate::{FileError, WorkspacePath};

/// The owner's files and the state that belongs to them.
#[derive(Debug)]
pub struct Workspace {
    disk: Arc<dyn Disk>,
    layout: HomeLayout,
    /// Set once a sync failed: the content on disk is then unknown until the next start.
    is_poisoned: AtomicBool,
    /// What is known about the lines of ours, as last read.
    ledger: Mutex<Option<Arc<Ledger>>>,
    /// Folders of notes elsewhere, which are read and never written.
    folders: Arc<[NoteFolder]>,
    /// The workspace as such a folder: the notes in its own folders.
    pages: NoteFolder,
}

/// The result of [`Workspace::init`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InitReport {
    /// Paths that were missing and have been created.
    pub written: Vec<WorkspacePath>,
    /// Paths that existed and were left unchanged.
    pub kept: Vec<WorkspacePath>,
}

/// Whether all lines of `text` come from the template of the file, which means that the owner has not filled in
/// anything.
pub(crate) fn is_of_template(name: &str, text: &str) -> bool {
    text.lines().all(|line| is_template_line(name, line))
}

/// Whether a line is a line of the file's template, which the owner has not filled in.
pub(crate) fn is_template_line(name: &str, line: &str) -> bool {
    let headers = [(ARCHIVE_FILE, ARCHIVE_HEADER), (GRAPH_FILE, GRAPH_HEADER)];
    let templates = OWNER_FILES.iter().map(|file| (file.name, file.template));
    let mut templates = templates.chain(headers);
    templates
        .any(|(of, template)| of == name && template.lines().any(|it| it.trim() == line.trim()))
}

/// What the owner says about themselves.
const USER_FILE: &str = "USER.md";

const USER_BYTES_MAX: u64 = 1024 * 1024;

/// Long-term memory.
pub(crate) const MEMORY_FILE: &str = "MEMORY.md";

/// The page of reminders and promises.
pub(crate) const PROMISES_FILE: &str = "PROMISES.md";

/// The file with the candidates for review.
pub(crate) const DREAMS_FILE: &str = "DREAMS.md";

/// Lines that were moved out of `MEMORY.md`; searched like a log.
pub(crate) const ARCHIVE_FILE: &str = "memory/archive.md";

/// The start of a new archive.
pub(crate) const ARCHIVE_HEADER: &str =
    "# Archive\n\nWhat left MEMORY.md for want of room, or for a newer value.\n\n";

/// The directory of the daily logs.
pub(crate) const LOGS: &str = "memory";

/// The directory that tools write to, which is not memory.
pub(crate) const FILES: &str = "files";

/// The page of the graph that programs maintain.
pub(crate) const GRAPH_FILE: &str = "memory/graph.md";

/// The start of a new page of the graph.
pub(crate) const GRAPH_HEADER: &str =
    "# Graph\n\nWhat programs noted with `openclaw mcp --dialect graph`.\n\n";

/// The directory in which earlier versions kept the graph, a page for each entity.
pub(crate) const EARLIER_GRAPH: &str = "memory/graph";

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

/// What cannot be used while this lock is held, with its verb.
pub(crate) fn locked_subject(lock: &Path) -> &'static str {
    let name = lock.file_name().and_then(OsStr::to_str);
    match name.unwrap_or_default() {
        LOG_LOCK => "the daily logs are",
        CURATED_LOCK => "MEMORY.md is",
        DREAM_LOCK => "dreams are",
        LEDGER_LOCK => "the ledger of tokens is",
        NOTE_RECORDS_LOCK => "the records about notes are",
        TOMBSTONES_LOCK => "the tombstones are",
        FORGETTING_LOCK => "the notes are",
        _ => "the workspace is",
    }
}

impl Workspace {
    /// The workspace of a home; reads and writes nothing yet.
    pub fn new(disk: Arc<dyn Disk>, layout: HomeLayout) -> Self {
        Self {
            disk,
            is_poisoned: AtomicBool::new(false),
            ledger: Mutex::new(None),
            folders: Arc::new([]),
            pages: NoteFolder::pages_of(layout.workspace()),
            layout,
        }
    }

    /// The workspace with these folders of notes elsewhere.
    #[must_use]
    pub fn with_folders(self, folders: impl Into<Arc<[NoteFolder]>>) -> Self {
        Self {
            folders: folders.into(),
            ..self
        }
    }

    /// The folders of notes elsewhere.
    pub fn folders(&self) -> &[NoteFolder] {
        &self.folders
    }

    /// The folders of notes elsewhere, for another reader of them.
    pub fn shared_folders(&self) -> Arc<[NoteFolder]> {
        Arc::clone(&self.folders)
    }

    /// The folders whose notes are read in place and never written: those elsewhere, and the workspace with its own.
    pub(crate) fn read_in_place(&self) -> impl Iterator<Item = &NoteFolder> {
        self.folders.iter().chain([&self.pages])
    }

    /// The folder that a note is read from in place, and the path below it.
    pub fn folder_of<'p>(&self, path: &'p str) -> Option<(&NoteFolder, &'p str)> {
        let mut folders = self.read_in_place();
        folders.find_map(|folder| Some((folder, folder.relative(path)?)))
    }

    /// The name of the Obsidian vault that contains a note, and the note's path in it.
    pub fn vault_of<'p>(&self, path: &'p str) -> Option<(String, &'p str)> {
        let (folder, relative) = self.folder_of(path)?;
        let name = folder.root.file_name()?.to_str()?;
        folder
            .is_vault(self.disk())
            .then(|| (name.to_owned(), relative))
    }

    /// The notes in folders that are left out because they cannot be read as text; reads all of them.
    pub fn left_out_notes(&self) -> Vec<LeftOutNote> {
        let folders = self.read_in_place();
        folders.flat_map(|it| it.left_out(self.disk())).collect()
    }

    /// Where a note is on disk.
    pub(crate) fn file_of(&self, path: &WorkspacePath) -> PathBuf {
        match self.folder_of(path.as_str()) {
            Some((folder, relative)) => folder.locate(relative),
            None => path.under(self.root()),
        }
    }

    /// Writes the templates of missing files and creates the directory of the logs.
    ///
    /// Durability: each file is written atomically, so a retry after a crash finishes the work.
    pub fn init(&self) -> Result<InitReport, FileError> {
        self.make_dir(self.root())?;
        self.make_dir(&self.layout.locks())?;
        let init_lock = self.layout.locks().join(INIT_LOCK);
        let _lock = self.disk.lock(&init_lock, INIT_PATIENCE)?;
        let mut report = InitReport::default();
        // A listing includes dangling symlinks, which are the owner's too.
        let present = self.disk.list(self.root())?;
        let is_present = |name: &str| present.iter().any(|found| found == Path::new(name));
        for file in &OWNER_FILES {
            let path = WorkspacePath::known(file.name);
            if is_present(file.name) {
                report.kept.push(path);
            } else {
                replace(
                    &*self.disk,
                    &path.under(self.root()),
                    file.template.as_bytes(),
                )?;
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
    pub fn fill_in_owner(&self, fields: &[(&str, &str)]) -> Result<bool, FileError> {
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
    pub fn unfilled<'f>(&self, fields: &[&'f str]) -> Result<Vec<&'f str>, FileError> {
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
    pub fn is_made(&self) -> Result<bool, FileError> {
        let logs = WorkspacePath::known(LOGS).under(self.root());
        Ok(self.disk.stat(&logs)?.is_some())
    }

    /// A copy in memory: writes to it never reach the disk.
    #[must_use]
    pub fn in_memory(&self) -> Self {
        self.on_disk(Arc::new(MemoryDisk::above(self.shared_disk())))
    }

    /// The same workspace on another disk.
    #[must_use]
    pub(crate) fn on_disk(&self, disk: Arc<dyn Disk>) -> Self {
        let copy = Self::new(disk, self.layout.clone());
        copy.with_folders(Arc::clone(&self.folders))
    }

    pub(crate) fn shared_disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.disk)
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

    /// The name of a file in messages: relative to the workspace, or else to the home.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.root());
        let below = below.or_else(|_| path.strip_prefix(self.layout.root()));
        below.unwrap_or(path).display().to_string()
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// Resolves symlinks in a path; the inner `Err` holds a target outside of the workspace, or of its folder.
    pub(crate) fn inside(&self, path: &str) -> Result<Result<PathBuf, PathBuf>, DiskError> {
        let (root, below) = match self.folder_of(path) {
            Some((folder, relative)) => (folder.root.as_path(), relative),
            None => (self.root(), path),
        };
        let target = self.disk.resolve(&root.join(below))?;
        let root = self.disk.resolve(root)?;
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
    pub fn lock_dream(&self) -> Result<Lock, FileError> {
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

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
