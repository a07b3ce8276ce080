//! The files of a home in memory, in two states: as written, and as logged.
//!
//! Pure: makes no requests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use base::is_in;

use super::head::{FileParts, HomeHead, ObjectPart, len_of};
use super::record::LogChange;

/// A file, shared with its open readers.
pub(crate) type Inode = Arc<Mutex<FileContent>>;

/// The content of a file: object parts, then a tail that is not in an object yet but may be in records.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileContent {
    pub(crate) parts: Vec<ObjectPart>,
    pub(crate) parts_len: u64,
    pub(crate) tail: Vec<u8>,
    pub(crate) modified_at: i64,
    /// Length of the file according to the log.
    logged: u64,
    /// Length of the logged prefix that has not been truncated since.
    kept: u64,
}

impl FileContent {
    pub(crate) fn of(line: &FileParts) -> Self {
        let len = len_of(&line.parts);
        Self {
            parts: line.parts.clone(),
            parts_len: len,
            tail: Vec::new(),
            modified_at: line.modified_at,
            logged: len,
            kept: len,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.parts_len + self.tail.len() as u64
    }

    pub(crate) fn append(&mut self, bytes: &[u8], now: i64) {
        self.tail.extend_from_slice(bytes);
        self.modified_at = now;
    }

    /// Truncates the file, or extends it with zeros.
    pub(crate) fn truncate(&mut self, len: u64, now: i64) {
        self.modified_at = now;
        self.kept = self.kept.min(len);
        let n_tail = usize::try_from(len.saturating_sub(self.parts_len)).unwrap_or(usize::MAX);
        self.tail.resize(n_tail, 0);
        self.cut_parts(len);
    }

    /// The change since the last record, if there is one. Marks the file as logged.
    fn log(&mut self, path: &str, added: &mut Vec<u8>) -> Option<LogChange> {
        let is_known = self.is_logged();
        let from = usize::try_from(self.kept.saturating_sub(self.parts_len)).unwrap_or(usize::MAX);
        let new = self.tail.get(from..).unwrap_or_default();
        let change = (!is_known).then(|| LogChange::Write {
            path: path.to_owned(),
            keep: self.kept,
            added: new.len() as u64,
            modified_at: self.modified_at,
        });
        added.extend_from_slice(new);
        self.set_logged();
        change
    }

    /// The whole file as a change, for a path that is not in the log. Marks the file as logged.
    fn log_whole(&mut self, path: &str, added: &mut Vec<u8>) -> LogChange {
        added.extend_from_slice(&self.tail);
        self.set_logged();
        LogChange::Put {
            path: path.to_owned(),
            parts: self.parts.clone(),
            added: self.tail.len() as u64,
            modified_at: self.modified_at,
        }
    }

    fn is_logged(&self) -> bool {
        self.kept == self.logged && self.len() == self.logged
    }

    pub(crate) fn set_logged(&mut self) {
        self.logged = self.len();
        self.kept = self.logged;
    }

    /// Moves the first `len` bytes, which are durable, into `parts`. Truncations made during the fold are kept.
    pub(crate) fn fold(&mut self, parts: Vec<ObjectPart>, len: u64) {
        self.logged = len;
        self.kept = self.kept.min(len);
        let n_moved =
            usize::try_from(self.kept.saturating_sub(self.parts_len)).unwrap_or(usize::MAX);
        self.tail.drain(..n_moved.min(self.tail.len()));
        self.parts = parts;
        self.cut_parts(self.kept);
    }

    fn cut_parts(&mut self, len: u64) {
        let mut left = len;
        self.parts.retain_mut(|part| {
            part.len = part.len.min(left);
            left -= part.len;
            part.len > 0
        });
        self.parts_len = len_of(&self.parts);
    }

    /// Length of the prefix that is in the log and has not changed since.
    pub(crate) fn durable_len(&self) -> u64 {
        self.kept
    }
}

pub(crate) fn content(inode: &Inode) -> MutexGuard<'_, FileContent> {
    base::locked(inode)
}

/// The paths of a home, as written and as logged.
#[derive(Debug, Default)]
pub(crate) struct HomeTree {
    pub(crate) files: BTreeMap<String, Inode>,
    pub(crate) directories: BTreeSet<String>,
    pub(crate) logged_files: BTreeMap<String, Inode>,
    pub(crate) logged_directories: BTreeSet<String>,
}

impl HomeTree {
    pub(crate) fn of(head: &HomeHead) -> Self {
        let files: BTreeMap<String, Inode> = head
            .files
            .iter()
            .map(|(path, line)| (path.clone(), Arc::new(Mutex::new(FileContent::of(line)))))
            .collect();
        let mut directories = head.directories.clone();
        for path in files.keys() {
            directories.extend(above(path));
        }
        Self {
            logged_files: files.clone(),
            files,
            logged_directories: directories.clone(),
            directories,
        }
    }

    /// Applies the changes of a record; `added` contains their added bytes, concatenated.
    pub(crate) fn apply(&mut self, changes: &[LogChange], mut added: &[u8]) -> Result<(), String> {
        let mut take = |n: u64| {
            let n = usize::try_from(n).map_err(|error| error.to_string())?;
            let (taken, rest) = added.split_at_checked(n).ok_or("it has too few bytes")?;
            added = rest;
            Ok::<_, String>(taken)
        };
        for change in changes {
            match change {
                LogChange::Write {
                    path,
                    keep,
                    added,
                    modified_at,
                } => {
                    let bytes = take(*added)?;
                    let inode = self
                        .files
                        .get(path)
                        .ok_or_else(|| format!("it changes {path}, which does not exist"))?;
                    let mut content = content(inode);
                    if *keep > content.len() {
                        return Err(format!("it keeps more of {path} than exists"));
                    }
                    content.truncate(*keep, *modified_at);
                    content.append(bytes, *modified_at);
                    content.set_logged();
                }
                LogChange::Put {
                    path,
                    parts,
                    added,
                    modified_at,
                } => {
                    let line = FileParts {
                        parts: parts.clone(),
                        modified_at: *modified_at,
                    };
                    let mut content = FileContent::of(&line);
                    content.append(take(*added)?, *modified_at);
                    content.set_logged();
                    self.directories.extend(above(path));
                    self.files
                        .insert(path.clone(), Arc::new(Mutex::new(content)));
                }
                LogChange::Remove { path } => drop(self.files.remove(path)),
                LogChange::Directory { path } => self.create_dir(path),
                LogChange::RemoveDirectory { path } => self.remove_tree(path),
            }
        }
        Ok(())
    }

    /// Marks all paths as logged.
    pub(crate) fn set_logged(&mut self) {
        self.logged_files = self.files.clone();
        self.logged_directories = self.directories.clone();
    }

    /// Marks all paths and contents as logged. Returns whether any of them was not.
    pub(crate) fn take_as_logged(&mut self) -> bool {
        let is_same = |(path, inode): (&String, &Inode)| {
            self.logged_files
                .get(path)
                .is_some_and(|logged| Arc::ptr_eq(logged, inode))
        };
        let mut has_changed = self.logged_directories != self.directories
            || self.logged_files.len() != self.files.len()
            || !self.files.iter().all(is_same);
        for inode in self.files.values() {
            let mut content = content(inode);
            has_changed |= !content.is_logged();
            content.set_logged();
        }
        self.set_logged();
        has_changed
    }

    pub(crate) fn is_directory(&self, path: &str) -> bool {
        path.is_empty() || self.directories.contains(path)
    }

    /// The names of the entries of a directory.
    pub(crate) fn list(&self, directory: &str) -> BTreeSet<PathBuf> {
        let files = self.files.keys();
        let all = files.chain(&self.directories);
        all.filter_map(|path| name_in(path, directory))
            .map(PathBuf::from)
            .collect()
    }

    pub(crate) fn create_dir(&mut self, path: &str) {
        self.directories.extend(above(path));
        if !path.is_empty() {
            self.directories.insert(path.to_owned());
        }
    }

    pub(crate) fn remove_tree(&mut self, directory: &str) {
        self.files.retain(|path, _| !is_in(path, directory));
        self.directories.retain(|path| !is_in(path, directory));
    }

    /// The change that makes the content of a file durable. `None` if the log already has the content, or does not
    /// have the path yet; [`Self::sync_dir`] then logs the whole file.
    pub(crate) fn sync(&self, path: &str, added: &mut Vec<u8>) -> Option<LogChange> {
        let inode = self.files.get(path)?;
        let logged = self.logged_files.get(path)?;
        if Arc::ptr_eq(inode, logged) {
            content(inode).log(path, added)
        } else {
            None
        }
    }

    /// The changes that make the entries of a directory durable.
    pub(crate) fn sync_dir(&mut self, directory: &str, added: &mut Vec<u8>) -> Vec<LogChange> {
        let mut changes = Vec::new();
        let is_here = |path: &&String| name_in(path, directory).is_some();
        let gone: Vec<String> = self
            .logged_directories
            .difference(&self.directories)
            .filter(is_here)
            .cloned()
            .collect();
        for path in gone {
            self.logged_directories.retain(|it| !is_in(it, &path));
            self.logged_files.retain(|it, _| !is_in(it, &path));
            changes.push(LogChange::RemoveDirectory { path });
        }
        let new = self.directories.difference(&self.logged_directories);
        let new: Vec<String> = new.filter(is_here).cloned().collect();
        for path in new {
            self.logged_directories.insert(path.clone());
            changes.push(LogChange::Directory { path });
        }
        let gone: Vec<String> = self
            .logged_files
            .keys()
            .filter(|path| !self.files.contains_key(*path))
            .filter(is_here)
            .cloned()
            .collect();
        for path in gone {
            self.logged_files.remove(&path);
            changes.push(LogChange::Remove { path });
        }
        for (path, inode) in &self.files {
            let is_known = self
                .logged_files
                .get(path)
                .is_some_and(|it| Arc::ptr_eq(it, inode));
            if !is_known && name_in(path, directory).is_some() {
                changes.push(content(inode).log_whole(path, added));
                self.logged_files.insert(path.clone(), Arc::clone(inode));
            }
        }
        changes
    }
}

/// The ancestors of a path, without the root.
pub(crate) fn above(path: &str) -> impl Iterator<Item = String> + '_ {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(..at))
        .map(str::to_owned)
}

/// The name of a path, if it is an entry of the directory.
fn name_in<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    (parent == directory && !name.is_empty()).then_some(name)
}
