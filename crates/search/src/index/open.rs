//! Opens the index, and makes it where there is none.
//!
//! Leaves no damage behind: what cannot be read is healed or made anew, under the writer's lock.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::disk::Lock;
use base::{Disk, Embedder};

use super::error::IndexError;
use super::heal::refill;
use super::lexical::Lexical;
use super::pack::Pack;
use super::schema::{Generation, meta};
use super::store::Store;
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
    pub(super) scan: Scan,
    /// The file of vectors that was opened last, by its number; `None` for one that is none.
    pub(super) pack: Mutex<Option<(u64, Option<Arc<Pack>>)>>,
    pub(super) state: OpenState,
}

/// How vectors are looked through where there are many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scan {
    /// A quick look at all of them, and the likeliest exactly.
    #[default]
    Quick,
    /// All of them exactly, for those who measure what the quick look misses.
    Exact,
}

/// How the index was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenState {
    /// As it was left.
    Sound,
    /// There was none; it is empty now.
    Created,
    /// As it was left, and it may not be written.
    ReadOnly,
    /// A crash left it half written, and it is whole again.
    Healed,
    /// It could not be used and is empty now.
    Reset(String),
}

const STORE: &str = "store.sqlite";
const LEXICAL: &str = "lexical";
const WRITER_LOCK: &str = "writer.lock";

/// How long a writer waits for a reader that looks whether it must heal.
const READER_WAIT: Duration = Duration::from_millis(50);

/// How long is waited for another process that makes the index, too.
const MAKER_WAIT: Duration = Duration::from_secs(2);

/// What stands where the index should be, as it is found without touching it.
#[derive(Debug)]
pub enum Inspection {
    /// There is none.
    Missing,
    /// It can be asked as it is.
    Sound(Index),
    /// A crash left it half written, which the next search or sync heals.
    Unhealed(Index),
    /// It cannot be used; the next search or sync makes it anew.
    Damaged(String),
}

impl Index {
    /// Looks at the index in a directory, and mends and makes nothing.
    ///
    /// # Errors
    ///
    /// [`IndexError`], where it is not damage that was found.
    pub fn inspect(disk: Arc<dyn Disk>, directory: &Path) -> Result<Inspection, IndexError> {
        if disk.stat(&directory.join(STORE))?.is_none() {
            return Ok(Inspection::Missing);
        }
        let open = || {
            let store = Store::open(&directory.join(STORE))?;
            let lexical = Lexical::open(Some(Arc::clone(&disk)), &directory.join(LEXICAL))?;
            let place = (Arc::clone(&disk), directory);
            Ok::<_, IndexError>(Self::of(place, (store, lexical), OpenState::Sound))
        };
        Self::inspected(match open() {
            Err(error) if error.obstacle().is_some() => Self::open_read_only(disk, directory),
            opened => opened,
        })
    }

    /// The same where no file may be touched.
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
            Err(error) if error.is_damage() => Ok(Inspection::Damaged(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// Opens the index in a directory, which is made if need be.
    ///
    /// The directory is opened by `SQLite` and tantivy themselves, so that it must lie on the real disk.
    ///
    /// # Errors
    ///
    /// [`IndexError::TooNew`] where a newer program made it; [`IndexError::Locked`] where it must be
    /// healed and another process writes.
    pub fn open(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        let why = match Self::open_found(&disk, directory) {
            Ok(Some(index)) => return Ok(index),
            Ok(None) => OpenState::Created,
            Err(error) if error.is_damage() => OpenState::Reset(error.to_string()),
            Err(error) => return Err(error),
        };
        disk.create_dir(directory)?;
        let lock = lock(&*disk, directory, MAKER_WAIT)?;
        // Another process may have made it while this one waited.
        match Self::open_found(&disk, directory) {
            Ok(Some(index)) => Ok(index),
            _ => Self::reset(disk, directory, why, &lock),
        }
    }

    fn open_found(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Option<Self>, IndexError> {
        match disk.stat(&directory.join(STORE))? {
            Some(_) => Self::open_sound(disk, directory).map(Some),
            None => Ok(None),
        }
    }

    /// Opens the index as it is where nothing may be written.
    ///
    /// # Errors
    ///
    /// [`IndexError`], also where it would have to be healed.
    pub fn open_read_only(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        if disk.stat(&directory.join(STORE))?.is_none() {
            return Err(IndexError::Missing);
        }
        let store = Store::open_read_only(&directory.join(STORE))?;
        let lexical = Lexical::open(None, &directory.join(LEXICAL))?;
        Ok(Self::of(
            (disk, directory),
            (store, lexical),
            OpenState::ReadOnly,
        ))
    }

    fn of(
        (disk, directory): (Arc<dyn Disk>, &Path),
        (store, lexical): (Store, Lexical),
        state: OpenState,
    ) -> Self {
        Self {
            disk,
            directory: directory.to_owned(),
            store,
            lexical,
            embedder: None,
            common: CommonWords::default(),
            wish_cues: WishCues::default(),
            scan: Scan::default(),
            pack: Mutex::default(),
            state,
        }
    }

    /// Opens an index whose store can be read; its postings can then be made from the store.
    fn open_sound(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        let store = Store::open(&directory.join(STORE))?;
        let opened = Lexical::open(Some(Arc::clone(disk)), &directory.join(LEXICAL));
        let (lexical, state) = match opened {
            Ok(lexical) => (lexical, OpenState::Sound),
            Err(error) if error.is_damage() => {
                let _lock = lock(&**disk, directory, READER_WAIT)?;
                clear(&**disk, &directory.join(LEXICAL))?;
                disk.create_dir(&directory.join(LEXICAL))?;
                let lexical = Lexical::create(Arc::clone(disk), &directory.join(LEXICAL))?;
                refill(&store, &lexical)?;
                (lexical, OpenState::Healed)
            }
            Err(error) => return Err(error),
        };
        let mut index = Self::of((Arc::clone(disk), directory), (store, lexical), state);
        let was_of_one_state = index.is_of_one_state()?;
        drop(index.snapshot()?);
        let is_healed = !was_of_one_state && index.is_of_one_state()?;
        if index.at_leftovers(Lexical::remove_orphans)? || is_healed {
            index.state = OpenState::Healed;
        }
        Ok(index)
    }

    /// Whether a writer that died left files of postings that no commit names.
    fn has_leftovers(&self) -> Result<bool, IndexError> {
        match self.at_leftovers(|lexical| Ok(!lexical.orphans()?.is_empty())) {
            // Nobody can write there, so nobody is using them.
            Err(error) if error.obstacle().is_some() => Ok(true),
            found => found,
        }
    }

    /// Looks at files that no commit names where no living writer may be using them; `false` where there are none.
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

    /// Whether the store that is open is still the one that stands there.
    pub(super) fn is_current(&self) -> Result<bool, IndexError> {
        let path = self.directory.join(STORE);
        if self.disk.stat(&path)?.is_none() {
            return Ok(false);
        }
        let there = Store::open(&path).and_then(|store| store.generation());
        let own = self.store.generation()?;
        Ok(there.is_ok_and(|there| there.identity == own.identity))
    }

    /// Makes an empty index in the place of whatever is there, under the writer's lock.
    fn reset(
        disk: Arc<dyn Disk>,
        directory: &Path,
        state: OpenState,
        _: &Lock,
    ) -> Result<Self, IndexError> {
        clear(&*disk, directory)?;
        clear(&*disk, &directory.join(LEXICAL))?;
        disk.create_dir(&directory.join(LEXICAL))?;
        // The database takes the permissions of the file that it finds.
        disk.append(&directory.join(STORE), &[])?;
        let made = Store::create(&directory.join(STORE)).and_then(|store| {
            let lexical = Lexical::create(Arc::clone(&disk), &directory.join(LEXICAL))?;
            Ok((store, lexical))
        });
        if made.is_err() {
            // Half an index would look like a damaged one; where it stays, the next call makes it anew all the same.
            let cleared = clear(&*disk, &directory.join(LEXICAL));
            cleared
                .and_then(|()| clear(&*disk, directory))
                .unwrap_or_default();
        }
        Ok(Self::of((disk, directory), made?, state))
    }

    /// Empties the index, so that the next sync builds it anew.
    pub fn rebuild(&mut self, reason: String) -> Result<(), IndexError> {
        self.disk.create_dir(&self.directory)?;
        let lock = self.lock()?;
        // Both halves close their files before these go: SQLite removes its log by name when it closes.
        self.store = Store::nowhere()?;
        self.lexical = Lexical::nowhere()?;
        let (embedder, scan) = (self.embedder.take(), self.scan);
        let (common, wish_cues) = (self.common, self.wish_cues);
        *self = Self::reset(
            Arc::clone(&self.disk),
            &self.directory,
            OpenState::Reset(reason),
            &lock,
        )?;
        (self.embedder, self.scan) = (embedder, scan);
        (self.common, self.wish_cues) = (common, wish_cues);
        Ok(())
    }

    /// The same index, whose passages are compared by meaning too.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// The same index, of whose questions these words are not looked for.
    #[must_use]
    pub fn with_common_words(mut self, common: CommonWords) -> Self {
        self.common = common;
        self
    }

    /// The same index, whose wishes are told by these cues.
    #[must_use]
    pub fn with_wish_cues(mut self, cues: WishCues) -> Self {
        self.wish_cues = cues;
        self
    }

    /// The same index, whose vectors are looked through in this way.
    #[must_use]
    pub fn with_scan(mut self, scan: Scan) -> Self {
        self.scan = scan;
        self
    }

    /// Where it lies.
    pub fn directory(&self) -> PathBuf {
        self.directory.clone()
    }

    /// How the index was found.
    pub fn state(&self) -> &OpenState {
        &self.state
    }

    /// Whether everything was indexed at least once.
    pub fn is_complete(&self) -> Result<bool, IndexError> {
        Ok(self.store.number(meta::IS_COMPLETE)? > 0)
    }

    /// How many pieces of text can be found.
    pub fn n_pieces(&self) -> Result<u64, IndexError> {
        Ok(self.store.totals()?.n_pieces)
    }

    /// How many files and documents are indexed.
    pub fn n_files(&self) -> Result<usize, IndexError> {
        Ok(self.store.files()?.len())
    }

    pub(crate) fn lock(&self) -> Result<Lock, IndexError> {
        lock(&*self.disk, &self.directory, READER_WAIT)
    }

    /// The writer's lock, on the index that stands there.
    pub(super) fn lock_current(&self) -> Result<Lock, IndexError> {
        self.if_current(self.lock()?)
    }

    /// The same where no one has it now.
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

/// Removes the files in a directory, the lock left out.
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
