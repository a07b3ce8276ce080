//! Opens the index, and gives searches one state of both its halves.
//!
//! Leaves no damage behind: what cannot be read is healed or made anew, under the writer's lock.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::disk::Lock;
use base::{Disk, Embedder};
use tantivy::Searcher;

use super::error::IndexError;
use super::heal::{heal, refill};
use super::lexical::{Lexical, TermPostings};
use super::pack::Pack;
use super::pack_write::pack_name;
use super::schema::meta;
use super::store::{FileRow, Store, StretchMark, StretchRow, Totals};
use super::vectors::{EmbedderRow, VectorRow};
use crate::terms::Term;

/// The index of one home.
#[derive(Debug)]
pub struct Index {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) directory: PathBuf,
    pub(crate) store: Store,
    pub(crate) lexical: Lexical,
    pub(crate) embedder: Option<Arc<dyn Embedder>>,
    scan: Scan,
    /// The file of vectors that was opened last, by its number; `None` for one that is none.
    pack: Mutex<Option<(u64, Option<Arc<Pack>>)>>,
    state: OpenState,
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
    /// Its halves were of two states and are of one again.
    Healed,
    /// It could not be used and is empty now.
    Reset {
        /// What was found.
        reason: String,
    },
}

const STORE: &str = "store.sqlite";
const LEXICAL: &str = "lexical";
const WRITER_LOCK: &str = "writer.lock";

/// How often a search looks again while another process changes the index, and how long it waits.
const SNAPSHOT_TRIES: u32 = 100;
const SNAPSHOT_WAIT: Duration = Duration::from_millis(10);

/// What stands where the index should be, as it is found without touching it.
#[derive(Debug)]
pub enum Inspection {
    /// There is none.
    Missing,
    /// It can be asked as it is.
    Sound(Index),
    /// Its halves are of two states, which the next search or sync heals.
    Unhealed(Index),
    /// It cannot be used; the next search or sync makes it anew.
    Damaged {
        /// What was found.
        reason: String,
    },
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
            Ok::<_, IndexError>(Self {
                disk: Arc::clone(&disk),
                directory: directory.to_owned(),
                store: Store::open(&directory.join(STORE))?,
                lexical: Lexical::open(&directory.join(LEXICAL))?,
                embedder: None,
                scan: Scan::default(),
                pack: Mutex::default(),
                state: OpenState::Sound,
            })
        };
        let opened = match open() {
            Err(error) if error.obstacle().is_some() => Self::open_read_only(disk, directory),
            opened => opened,
        };
        let found = opened.and_then(|index| Ok((index.generations()?, index)));
        match found {
            Ok((Some((store, lexical)), index)) if store != lexical => {
                Ok(Inspection::Unhealed(index))
            }
            Ok((_, index)) => Ok(Inspection::Sound(index)),
            Err(error) if error.is_damage() => {
                let reason = error.to_string();
                Ok(Inspection::Damaged { reason })
            }
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
        let is_there = disk.stat(&directory.join(STORE))?.is_some();
        let found = if is_there {
            Self::open_sound(&disk, directory)
        } else {
            Ok(None)
        };
        match found {
            Ok(Some(index)) => Ok(index),
            Ok(None) => Self::reset(disk, directory, OpenState::Created),
            Err(error) if error.is_damage() => {
                let reason = error.to_string();
                Self::reset(disk, directory, OpenState::Reset { reason })
            }
            Err(error) => Err(error),
        }
    }

    /// Opens the index as it is where nothing may be written.
    ///
    /// # Errors
    ///
    /// [`IndexError`], also where it would have to be healed.
    pub fn open_read_only(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        if disk.stat(&directory.join(STORE))?.is_none() {
            return Err(IndexError::Damaged {
                what: "there is none, and it may not be made".into(),
            });
        }
        Ok(Self {
            disk,
            directory: directory.to_owned(),
            store: Store::open_read_only(&directory.join(STORE))?,
            lexical: Lexical::open_read_only(&directory.join(LEXICAL))?,
            embedder: None,
            scan: Scan::default(),
            pack: Mutex::default(),
            state: OpenState::ReadOnly,
        })
    }

    /// Opens an index whose store can be read; its postings can then be made from the store.
    fn open_sound(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Option<Self>, IndexError> {
        let store = Store::open(&directory.join(STORE))?;
        let (lexical, state) = match Lexical::open(&directory.join(LEXICAL)) {
            Ok(lexical) => (lexical, OpenState::Sound),
            Err(error) if error.is_damage() => {
                let _lock = lock(&**disk, directory, Duration::ZERO)?;
                clear(&**disk, &directory.join(LEXICAL))?;
                disk.create_dir(&directory.join(LEXICAL))?;
                let lexical = Lexical::create(&directory.join(LEXICAL))?;
                refill(&store, &lexical)?;
                (lexical, OpenState::Healed)
            }
            Err(error) => return Err(error),
        };
        let mut index = Self {
            disk: Arc::clone(disk),
            directory: directory.to_owned(),
            store,
            lexical,
            embedder: None,
            scan: Scan::default(),
            pack: Mutex::default(),
            state,
        };
        let before = index.generations()?;
        drop(index.snapshot()?);
        if before.is_some_and(|(store, lexical)| store != lexical) && index.generations()? != before
        {
            index.state = OpenState::Healed;
        }
        Ok(Some(index))
    }

    fn generations(&self) -> Result<Option<(u64, u64)>, IndexError> {
        let stored = self.store.number(meta::GENERATION)?;
        Ok(self.lexical.newest()?.map(|(_, lexical)| (stored, lexical)))
    }

    /// Makes an empty index in the place of whatever is there.
    fn reset(disk: Arc<dyn Disk>, directory: &Path, state: OpenState) -> Result<Self, IndexError> {
        disk.create_dir(directory)?;
        let _lock = lock(&*disk, directory, Duration::ZERO)?;
        clear(&*disk, directory)?;
        clear(&*disk, &directory.join(LEXICAL))?;
        disk.create_dir(&directory.join(LEXICAL))?;
        // The database takes the permissions of the file that it finds.
        disk.append(&directory.join(STORE), &[])?;
        let store = Store::create(&directory.join(STORE))?;
        let lexical = Lexical::create(&directory.join(LEXICAL))?;
        Ok(Self {
            disk,
            directory: directory.to_owned(),
            store,
            lexical,
            embedder: None,
            scan: Scan::default(),
            pack: Mutex::default(),
            state,
        })
    }

    /// Empties the index, so that the next sync builds it anew.
    ///
    /// # Errors
    ///
    /// [`IndexError::Locked`] while another process writes; the index is then as it was.
    pub fn rebuild(&mut self, reason: String) -> Result<(), IndexError> {
        drop(self.lock()?);
        // Both halves close their files before these go: SQLite removes its log by name when it closes.
        self.store = Store::nowhere()?;
        self.lexical = Lexical::nowhere()?;
        let (embedder, scan) = (self.embedder.take(), self.scan);
        *self = Self::reset(
            Arc::clone(&self.disk),
            &self.directory,
            OpenState::Reset { reason },
        )?;
        (self.embedder, self.scan) = (embedder, scan);
        Ok(())
    }

    /// The same index, whose passages are compared by meaning too.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// The same index, whose vectors are looked through in this way.
    #[must_use]
    pub fn with_scan(mut self, scan: Scan) -> Self {
        self.scan = scan;
        self
    }

    /// How the index was found.
    pub fn state(&self) -> &OpenState {
        &self.state
    }

    /// Whether everything was indexed at least once.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn is_complete(&self) -> Result<bool, IndexError> {
        Ok(self.store.number(meta::IS_COMPLETE)? > 0)
    }

    /// How many pieces of text can be found.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn n_pieces(&self) -> Result<u64, IndexError> {
        Ok(self.store.totals()?.n_pieces)
    }

    /// How many files and documents are indexed.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn n_files(&self) -> Result<usize, IndexError> {
        Ok(self.store.files()?.len())
    }

    pub(crate) fn files(&self) -> Result<Vec<FileRow>, IndexError> {
        self.store.files()
    }

    /// Which texts were forgotten when everything was indexed last.
    pub(crate) fn forgotten(&self) -> Result<u64, IndexError> {
        self.store.number(meta::FORGOTTEN)
    }

    /// The ids of the notes that hold a text that `is_sought`.
    pub(crate) fn notes_with(
        &self,
        is_sought: &dyn Fn(&str) -> bool,
    ) -> Result<BTreeSet<i64>, IndexError> {
        self.store.notes_with(is_sought)
    }

    pub(crate) fn marks(&self, file: i64) -> Result<Vec<StretchMark>, IndexError> {
        self.store.marks(file)
    }

    pub(crate) fn lock(&self) -> Result<Lock, IndexError> {
        lock(&*self.disk, &self.directory, Duration::ZERO)
    }

    /// One state of both halves, which stays as it is until it is dropped.
    pub(crate) fn snapshot(&self) -> Result<Snapshot<'_>, IndexError> {
        for _ in 0..SNAPSHOT_TRIES {
            self.store.rollback()?;
            self.store.begin_read()?;
            let generation = self.store.number(meta::GENERATION)?;
            match self.lexical.newest()? {
                Some((searcher, found)) if found == generation => {
                    let totals = self.store.totals()?;
                    return Ok(Snapshot {
                        index: self,
                        searcher,
                        totals,
                    });
                }
                _ => self.store.rollback()?,
            }
            match lock(&*self.disk, &self.directory, SNAPSHOT_WAIT) {
                // No one is at it, so that it would stay as it is.
                Ok(_lock) => heal(&self.store, &self.lexical)?,
                Err(IndexError::Locked { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(IndexError::Locked { pid: None })
    }
}

/// One state of both halves of the index.
#[derive(Debug)]
pub(crate) struct Snapshot<'i> {
    index: &'i Index,
    searcher: Searcher,
    pub(crate) totals: Totals,
}

impl Snapshot<'_> {
    pub(crate) fn postings(&self, term: &Term) -> Result<TermPostings, IndexError> {
        self.index.lexical.postings(&self.searcher, term)
    }

    pub(crate) fn stretch(&self, key: i64) -> Result<StretchRow, IndexError> {
        let found = self.index.store.stretch(key)?;
        found.ok_or_else(|| IndexError::Damaged {
            what: "its postings name a stretch that is not stored".into(),
        })
    }

    pub(crate) fn texts(&self, key: i64) -> Result<String, IndexError> {
        self.index.store.texts(key)
    }

    pub(crate) fn embedder(&self) -> Result<Option<EmbedderRow>, IndexError> {
        self.index.store.embedder()
    }

    pub(crate) fn vectors(&self, key: i64) -> Result<Option<Vec<u8>>, IndexError> {
        self.index.store.vectors(key)
    }

    pub(crate) fn each_vectors(&self, visit: impl FnMut(VectorRow)) -> Result<(), IndexError> {
        self.index.store.each_vectors(visit)
    }

    pub(crate) fn each_new_vectors(&self, visit: impl FnMut(VectorRow)) -> Result<(), IndexError> {
        self.index.store.each_new_vectors(visit)
    }

    pub(crate) fn gone_vectors(&self) -> Result<BTreeSet<i64>, IndexError> {
        self.index.store.gone_vectors()
    }

    /// The file of vectors, where one holds whose vectors have so many numbers.
    pub(crate) fn pack(&self, dimensions: usize) -> Result<Option<Arc<Pack>>, IndexError> {
        let number = self.index.store.number(meta::PACK)?;
        if number == 0 || self.index.scan == Scan::Exact {
            return Ok(None);
        }
        let mut known = self
            .index
            .pack
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let pack = match known.as_ref() {
            Some((of, pack)) if *of == number => pack.clone(),
            Some(_) | None => {
                let found = Pack::open(&self.index.directory, &pack_name(number)).map(Arc::new);
                *known = Some((number, found.clone()));
                found
            }
        };
        Ok(pack.filter(|pack| pack.dimensions() == dimensions))
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // A transaction that only read has nothing to lose; the next one begins with a rollback anyway.
        self.index.store.rollback().unwrap_or_default();
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
