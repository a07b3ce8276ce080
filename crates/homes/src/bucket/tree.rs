//! What is known of a home on this machine: its names and files as they seem now, and as the log says.
//!
//! Pure: asks no bucket.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::head::{FileLine, Head, Part, len_of};
use super::record::Change;
use crate::layout::is_in;

/// A file, shared with readers that opened it.
pub(crate) type Inode = Arc<Mutex<Content>>;

/// What a file holds: parts of objects, then bytes that are in no object or in records only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Content {
    pub(crate) parts: Vec<Part>,
    pub(crate) parts_len: u64,
    pub(crate) tail: Vec<u8>,
    pub(crate) modified_at: i64,
    /// How long the file is after the last record about it.
    logged: u64,
    /// How much of that was not cut since.
    kept: u64,
}

impl Content {
    pub(crate) fn of(line: &FileLine) -> Self {
        let len = line.len();
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

    /// Cuts the file; a longer one gets zeros at its end.
    pub(crate) fn truncate(&mut self, len: u64, now: i64) {
        self.modified_at = now;
        self.kept = self.kept.min(len);
        let n_tail = usize::try_from(len.saturating_sub(self.parts_len)).unwrap_or(usize::MAX);
        self.tail.resize(n_tail, 0);
        self.cut_parts(len);
    }

    /// What is not in the log, as it will be said there; counts as said from now on.
    fn log(&mut self, path: &str, added: &mut Vec<u8>) -> Option<Change> {
        let is_known = self.is_logged();
        let from = usize::try_from(self.kept.saturating_sub(self.parts_len)).unwrap_or(usize::MAX);
        let new = self.tail.get(from..).unwrap_or_default();
        let change = (!is_known).then(|| Change::Write {
            path: path.to_owned(),
            keep: self.kept,
            added: new.len() as u64,
            modified_at: self.modified_at,
        });
        added.extend_from_slice(new);
        self.set_logged();
        change
    }

    /// The whole file under a name that is new in the log.
    fn log_whole(&mut self, path: &str, added: &mut Vec<u8>) -> Change {
        added.extend_from_slice(&self.tail);
        self.set_logged();
        Change::Put {
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

    /// The first `len` bytes, which are durable, are in these parts now; what was cut meanwhile stays cut.
    pub(crate) fn fold(&mut self, parts: Vec<Part>, len: u64) {
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

    /// How much of the file the log says, as far as it still holds.
    pub(crate) fn durable_len(&self) -> u64 {
        self.kept
    }
}

pub(crate) fn content(inode: &Inode) -> MutexGuard<'_, Content> {
    inode.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The names of a home, as they seem and as the log says.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) files: BTreeMap<String, Inode>,
    pub(crate) directories: BTreeSet<String>,
    pub(crate) logged_files: BTreeMap<String, Inode>,
    pub(crate) logged_directories: BTreeSet<String>,
}

impl Tree {
    pub(crate) fn of(head: &Head) -> Self {
        let files: BTreeMap<String, Inode> = head
            .files
            .iter()
            .map(|(path, line)| (path.clone(), Arc::new(Mutex::new(Content::of(line)))))
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

    /// Does what a record says; `added` is what its changes add, one after the other.
    pub(crate) fn apply(&mut self, changes: &[Change], mut added: &[u8]) -> Result<(), String> {
        let mut take = |n: u64| {
            let n = usize::try_from(n).map_err(|error| error.to_string())?;
            let (taken, rest) = added.split_at_checked(n).ok_or("it holds too few bytes")?;
            added = rest;
            Ok::<_, String>(taken)
        };
        for change in changes {
            match change {
                Change::Write {
                    path,
                    keep,
                    added,
                    modified_at,
                } => {
                    let bytes = take(*added)?;
                    let inode = self
                        .files
                        .get(path)
                        .ok_or_else(|| format!("it changes {path}, which is not there"))?;
                    let mut content = content(inode);
                    if *keep > content.len() {
                        return Err(format!("it keeps more of {path} than is there"));
                    }
                    content.truncate(*keep, *modified_at);
                    content.append(bytes, *modified_at);
                    content.set_logged();
                }
                Change::Put {
                    path,
                    parts,
                    added,
                    modified_at,
                } => {
                    let line = FileLine {
                        parts: parts.clone(),
                        modified_at: *modified_at,
                    };
                    let mut content = Content::of(&line);
                    content.append(take(*added)?, *modified_at);
                    content.set_logged();
                    self.directories.extend(above(path));
                    self.files
                        .insert(path.clone(), Arc::new(Mutex::new(content)));
                }
                Change::Remove { path } => drop(self.files.remove(path)),
                Change::Directory { path } => {
                    self.directories.extend(above(path));
                    self.directories.insert(path.clone());
                }
                Change::RemoveDirectory { path } => {
                    self.files.retain(|it, _| !is_in(it, path));
                    self.directories.retain(|it| !is_in(it, path));
                }
            }
        }
        Ok(())
    }

    /// Everything is as the log says.
    pub(crate) fn set_logged(&mut self) {
        self.logged_files = self.files.clone();
        self.logged_directories = self.directories.clone();
    }

    /// Takes everything as it is for what the log says; whether anything was not.
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

    /// The names in a directory.
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

    /// What makes the content of a file durable; nothing where its name is not, for then the name says all.
    pub(crate) fn sync(&self, path: &str, added: &mut Vec<u8>) -> Option<Change> {
        let inode = self.files.get(path)?;
        let logged = self.logged_files.get(path)?;
        if Arc::ptr_eq(inode, logged) {
            content(inode).log(path, added)
        } else {
            None
        }
    }

    /// What makes the names in a directory durable.
    pub(crate) fn sync_dir(&mut self, directory: &str, added: &mut Vec<u8>) -> Vec<Change> {
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
            changes.push(Change::RemoveDirectory { path });
        }
        let new = self.directories.difference(&self.logged_directories);
        let new: Vec<String> = new.filter(is_here).cloned().collect();
        for path in new {
            self.logged_directories.insert(path.clone());
            changes.push(Change::Directory { path });
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
            changes.push(Change::Remove { path });
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

/// The directories above a path, without the root.
pub(crate) fn above(path: &str) -> impl Iterator<Item = String> + '_ {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(..at))
        .map(str::to_owned)
}

/// The name of a path that lies in a directory itself.
fn name_in<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    (parent == directory && !name.is_empty()).then_some(name)
}
