//! Opens the index, or creates it.
//!
//! Under the writer's lock, postings that do not match the store are filled from it, and an unusable store is emptied.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::disk::{Lock, MemoryDisk};
use base::{Disk, Embedder};

use super::error::IndexError;
use super::lexical::Lexical;
use super::pack::Pack;
use super::refill::refill;
use super::schema::{Generation, meta};
use super::store::Store;
use super::write::BATCH_BYTES_MAX;
use crate::terms::{CommonWords, WishCues};

/// The index of one home.
#[derive(Debug)]
pub struct Index {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) directory: PathBuf,
    pub(crate) store: Store,
    pub(crate) lexical: Lexical,
    pub(crate) embedder: Option<Arc<dyn Embedder>>,
    pub(crate) common: CommonWords,
    pub(crate) wish_cues: WishCues,
    pub(super) scan: VectorScan,
    /// The pack opened last, by number.
    pub(super) pack: Mutex<Option<(u64, Arc<Pack>)>>,
    pub(super) is_read_only: bool,
    /// Whether it has no files, so that its vectors stay in the store.
    pub(super) is_in_memory: bool,
    /// Bytes of text to collect before a commit.
    pub(crate) batch_bytes_max: usize,
}

/// How to search many vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VectorScan {
    /// Scan the signs of all vectors, then compare the best exactly.
    #[default]
    Quick,
    /// Compare all exactly, to measure what the quick scan misses.
    Exact,
}

const STORE: &str = "store.sqlite";
const LEXICAL: &str = "lexical";
const WRITER_LOCK: &str = "writer.lock";

/// How long to wait for the lock: a reader may hold it to check whether healing is needed.
const READER_WAIT: Duration = Duration::from_millis(50);

/// How long to wait for another process that is creating the index.
const MAKER_WAIT: Duration = Duration::from_secs(2);

/// The state of the index on disk, found without changing it.
#[derive(Debug)]
pub enum Inspection {
    /// There is no index.
    Missing,
    /// It is usable.
    Sound(Index),
    /// A crash left it half written; the next search or sync refills its postings.
    Unhealed(Index),
    /// It is unusable; the next search or sync rebuilds it.
    Damaged(String),
}

impl Index {
    /// Inspects the index in a directory without repairing or creating anything.
    ///
    /// # Errors
    ///
    /// [`IndexError`], other than damage.
    pub fn inspect(disk: Arc<dyn Disk>, directory: &Path) -> Result<Inspection, IndexError> {
        if disk.stat(&directory.join(STORE))?.is_none() {
            return Ok(Inspection::Missing);
        }
        let open = || {
            let store = Store::open(&directory.join(STORE))?;
            let lexical = Lexical::open(Some(Arc::clone(&disk)), &directory.join(LEXICAL))?;
            let place = (Arc::clone(&disk), directory);
            Ok::<_, IndexError>(Self::of(place, (store, lexical)))
        };
        Self::inspected(match open() {
            Err(error) if error.obstacle().is_some() => Self::open_read_only(disk, directory),
            opened => opened,
        })
    }

    /// The same, without creating or touching any file.
    pub fn inspect_read_only(
        disk: Arc<dyn Disk>,
        directory: &Path,
    ) -> Result<Inspection, IndexError> {
        match disk.stat(&directory.join(STORE))? {
            Some(_) => Self::inspected(Self::open_read_only(disk, directory)),
            None => Ok(Inspection::Missing),
        }
    }

    fn inspected(opened: Result<Self, IndexError>) -> Result<Inspection, IndexError> {
        let found = opened.and_then(|index| {
            let is_whole = index.is_of_one_state()? && !index.has_leftovers()?;
            Ok((is_whole, index))
        });
        match found {
            Ok((true, index)) => Ok(Inspection::Sound(index)),
            Ok((false, index)) => Ok(Inspection::Unhealed(index)),
            // The next search or sync makes it.
            Err(IndexError::Unmade | IndexError::Missing) => Ok(Inspection::Missing),
            Err(error) if error.is_damage() => Ok(Inspection::Damaged(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// Opens the index in a directory, or creates it.
    ///
    /// `SQLite` and tantivy open the directory themselves, so it must be on the real disk, at the latest once a file in
    /// it was looked at through `disk`.
    ///
    /// # Errors
    ///
    /// [`IndexError::TooNew`] if a newer program made it; [`IndexError::Locked`] if its postings must be refilled while
    /// another process writes.
    pub fn open(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        match Self::open_found(&disk, directory) {
            Ok(Some(index)) => return Ok(index),
            Ok(None) => {}
            Err(error) if error.is_damage() => {}
            Err(error) => return Err(error),
        }
        disk.create_dir(directory)?;
        let lock = lock(&*disk, directory, MAKER_WAIT)?;
        // Another process may have created it in the meantime.
        match Self::open_found(&disk, directory) {
            Ok(Some(index)) => Ok(index),
            _ => Self::reset(disk, directory, &lock),
        }
    }

    fn open_found(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Option<Self>, IndexError> {
        match disk.stat(&directory.join(STORE))? {
            Some(_) => Self::open_sound(disk, directory).map(Some),
            None => Ok(None),
        }
    }

    /// Opens the index without write access.
    ///
    /// # Errors
    ///
    /// [`IndexError`], also if its halves differ.
    pub fn open_read_only(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        if disk.stat(&directory.join(STORE))?.is_none() {
            return Err(IndexError::Missing);
        }
        let store = match Store::open_read_only(&directory.join(STORE)) {
            Err(IndexError::Unmade) => return Err(IndexError::Missing),
            opened => opened?,
        };
        let lexical = Lexical::open(None, &directory.join(LEXICAL))?;
        Ok(Self {
            is_read_only: true,
            ..Self::of((disk, directory), (store, lexical))
        })
    }

    /// An empty index that is in memory and has no files.
    pub fn in_memory() -> Result<Self, IndexError> {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let made = (Store::create_in_memory()?, Lexical::in_memory()?);
        Ok(Self {
            is_in_memory: true,
            ..Self::of((disk, Path::new("")), made)
        })
    }

    fn of((disk, directory): (Arc<dyn Disk>, &Path), (store, lexical): (Store, Lexical)) -> Self {
        Self {
            disk,
            directory: directory.to_owned(),
            store,
            lexical,
            embedder: None,
            common: CommonWords::default(),
            wish_cues: WishCues::default(),
            scan: VectorScan::default(),
            pack: Mutex::default(),
            is_read_only: false,
            is_in_memory: false,
            batch_bytes_max: BATCH_BYTES_MAX,
        }
    }

    /// Opens an index with a readable store; damaged postings are rebuilt from the store.
    fn open_sound(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        let store = Store::open(&directory.join(STORE))?;
        let opened = Lexical::open(Some(Arc::clone(disk)), &directory.join(LEXICAL));
        let lexical = match opened {
            Ok(lexical) => lexical,
            Err(error) if error.is_damage() => {
                let _lock = lock(&**disk, directory, READER_WAIT)?;
                clear(&**disk, &directory.join(LEXICAL))?;
                disk.create_dir(&directory.join(LEXICAL))?;
                let lexical = Lexical::create(Arc::clone(disk), &directory.join(LEXICAL))?;
                refill(&store, &lexical)?;
                lexical
            }
            Err(error) => return Err(error),
        };
        let index = Self::of((Arc::clone(disk), directory), (store, lexical));
        // Fills postings of another generation, unless a writer is about to commit the store.
        drop(index.snapshot()?);
        index.at_leftovers(Lexical::remove_orphans)?;
        Ok(index)
    }

    /// Whether a crashed writer left postings files that no commit references.
    fn has_leftovers(&self) -> Result<bool, IndexError> {
        match self.at_leftovers(|lexical| Ok(!lexical.orphans()?.is_empty())) {
            // The directory is not writable, so no live writer uses them.
            Err(error) if error.obstacle().is_some() => Ok(true),
            found => found,
        }
    }

    /// Runs `act` if there are unreferenced postings files and no live writer that may use them; `false` otherwise.
    fn at_leftovers(
        &self,
        act: impl FnOnce(&Lexical) -> Result<bool, IndexError>,
    ) -> Result<bool, IndexError> {
        if self.lexical.orphans()?.is_empty() {
            return Ok(false);
        }
        match self.try_lock_current() {
            Ok(_lock) => act(&self.lexical),
            Err(IndexError::Locked(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn is_of_one_state(&self) -> Result<bool, IndexError> {
        let stored = self.store.generation()?;
        Ok(stored.is_that_of(self.lexical.written()?))
    }

    /// Whether the open store is still the one on disk.
    pub(super) fn is_current(&self) -> Result<bool, IndexError> {
        let path = self.directory.join(STORE);
        if self.disk.stat(&path)?.is_none() {
            return Ok(false);
        }
        let there = Store::open(&path).and_then(|store| store.generation());
        let own = self.store.generation()?;
        Ok(there.is_ok_and(|there| there.identity == own.identity))
    }

    /// Replaces any existing index with an empty one; the caller holds the writer's lock.
    fn reset(disk: Arc<dyn Disk>, directory: &Path, _: &Lock) -> Result<Self, IndexError> {
        clear(&*disk, directory)?;
        clear(&*disk, &directory.join(LEXICAL))?;
        disk.create_dir(&directory.join(LEXICAL))?;
        // SQLite keeps the permissions of an existing file.
        disk.append(&directory.join(STORE), &[])?;
        let made = Store::create(&directory.join(STORE)).and_then(|store| {
            let lexical = Lexical::create(Arc::clone(&disk), &directory.join(LEXICAL))?;
            Ok((store, lexical))
        });
        if made.is_err() {
            // Remove the partial index, which would look damaged. If that fails too, the next call resets it anyway.
            let cleared = clear(&*disk, &directory.join(LEXICAL));
            let cleared = cleared.and_then(|()| clear(&*disk, directory));
            cleared.unwrap_or_default();
        }
        Ok(Self::of((disk, directory), made?))
    }

    /// Empties the index, so that the next sync rebuilds it.
    pub fn rebuild(&mut self) -> Result<(), IndexError> {
        self.disk.create_dir(&self.directory)?;
        let lock = self.lock()?;
        // Close both halves before removing files: SQLite deletes its log by name when it closes.
        self.store = Store::in_memory()?;
        self.lexical = Lexical::in_memory()?;
        let empty = Self::reset(Arc::clone(&self.disk), &self.directory, &lock)?;
        *self = Self {
            embedder: self.embedder.take(),
            common: self.common,
            wish_cues: self.wish_cues,
            scan: self.scan,
            ..empty
        };
        Ok(())
    }

    /// Also compares passages by meaning.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// Ignores these common words in questions.
    #[must_use]
    pub fn with_common_words(mut self, common: CommonWords) -> Self {
        self.common = common;
        self
    }

    /// Recognises wishes by these cues.
    #[must_use]
    pub fn with_wish_cues(mut self, cues: WishCues) -> Self {
        self.wish_cues = cues;
        self
    }

    /// Searches vectors in this way.
    #[must_use]
    pub fn with_scan(mut self, scan: VectorScan) -> Self {
        self.scan = scan;
        self
    }

    /// The directory of the index.
    pub fn directory(&self) -> PathBuf {
        self.directory.clone()
    }

    /// Whether the index was opened without write access.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Whether a full sync has ever finished.
    pub fn is_complete(&self) -> Result<bool, IndexError> {
        Ok(self.store.number(meta::IS_COMPLETE)? > 0)
    }

    /// The number of searchable pieces.
    pub fn n_pieces(&self) -> Result<u64, IndexError> {
        Ok(self.store.totals()?.n_pieces)
    }

    /// The number of indexed files and documents.
    pub fn n_files(&self) -> Result<usize, IndexError> {
        Ok(self.store.files()?.len())
    }

    pub(crate) fn lock(&self) -> Result<Lock, IndexError> {
        lock(&*self.disk, &self.directory, READER_WAIT)
    }

    /// Takes the writer's lock; fails if another process has replaced the index on disk.
    pub(super) fn lock_current(&self) -> Result<Lock, IndexError> {
        self.if_current(self.lock()?)
    }

    /// The same without waiting.
    pub(super) fn try_lock_current(&self) -> Result<Lock, IndexError> {
        self.if_current(lock(&*self.disk, &self.directory, Duration::ZERO)?)
    }

    fn if_current(&self, lock: Lock) -> Result<Lock, IndexError> {
        let own = self.store.generation()?.identity;
        let is_same = |written: Generation| written.identity == own;
        if self.lexical.written()?.is_none_or(is_same) || self.is_current()? {
            Ok(lock)
        } else {
            Err(IndexError::Replaced)
        }
    }
}

fn lock(disk: &dyn Disk, directory: &Path, patience: Duration) -> Result<Lock, IndexError> {
    Ok(disk.lock(&directory.join(WRITER_LOCK), patience)?)
}

/// Removes the files in a directory, except the lock.
fn clear(disk: &dyn Disk, directory: &Path) -> Result<(), IndexError> {
    for name in disk.list(directory)? {
        let path = directory.join(&name);
        let is_file = disk.stat(&path)?.is_some_and(|stat| !stat.is_dir);
        if is_file && name != Path::new(WRITER_LOCK) {
            disk.remove(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
