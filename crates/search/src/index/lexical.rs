//! The postings on disk: which state they are of, and how they are written.
//!
//! Reads no term, and scores nothing.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{Day, Disk};
use chrono::Datelike;
use tantivy::directory::{INDEX_WRITER_LOCK, META_LOCK};
use tantivy::indexer::IndexWriterOptions;
use tantivy::schema::Term as KeyTerm;
use tantivy::{
    Directory as _, Index, IndexMeta, IndexReader, IndexSettings, IndexWriter, ReloadPolicy,
    Searcher, TantivyDocument, TantivyError,
};

use super::error::IndexError;
use super::private::{GateKeeper, PrivateDirectory};
use super::record::StretchRecord;
use super::schema::{DAY_POSITION, Fields, Generation, TOKENIZER, fields};
use super::store::WholeStretch;
use super::words::{Words, WordsReader};

/// The postings on disk.
pub(crate) struct Lexical {
    index: Index,
    reader: IndexReader,
    fields: Fields,
    /// The disk and the directory of its files; `None` where none may be written.
    place: Option<(Arc<dyn Disk>, PathBuf)>,
    /// What was given last, with its generation.
    kept: Mutex<Option<(Generation, Searcher)>>,
}

/// A writer of postings. What its threads still write when it is dropped comes to nothing.
pub(crate) struct PostingsWriter {
    pub(super) writer: IndexWriter,
    /// Dropped after the writer.
    _keeper: Option<GateKeeper>,
}

impl PostingsWriter {
    /// Waits for the threads that merge.
    pub(crate) fn finish(self) -> Result<(), IndexError> {
        Ok(self.writer.wait_merging_threads()?)
    }
}

/// Files that say what the postings are, beside those of the segments.
const OF_ALL_SEGMENTS: [&str; 2] = ["meta.json", ".managed.json"];

/// Memory of the thread that builds postings, in bytes.
const BUILD_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Stands for no day; it lies in the last year before our era, of which no one keeps notes.
pub(super) const NO_DAY: i32 = 0;

impl Lexical {
    /// Makes empty postings in an empty directory.
    pub(crate) fn create(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        let (schema, _) = fields();
        guarded(|| {
            let files = PrivateDirectory::open(Some(Arc::clone(&disk)), directory)?;
            let index = Index::create(files, schema, IndexSettings::default())?;
            Self::new(index, Some((disk, directory.to_owned())))
        })
    }

    /// Opens the postings that are there; without a disk nothing is written.
    pub(crate) fn open(disk: Option<Arc<dyn Disk>>, directory: &Path) -> Result<Self, IndexError> {
        let (schema, _) = fields();
        guarded(|| {
            let index = Index::open(PrivateDirectory::open(disk.clone(), directory)?)?;
            if index.schema() != schema {
                return Err(IndexError::Damaged("its postings have other fields".into()));
            }
            Self::new(index, disk.map(|disk| (disk, directory.to_owned())))
        })
    }

    /// Postings that hold nothing and no file.
    pub(crate) fn nowhere() -> Result<Self, IndexError> {
        let (schema, _) = fields();
        Self::new(Index::create_in_ram(schema), None)
    }

    fn new(index: Index, place: Option<(Arc<dyn Disk>, PathBuf)>) -> Result<Self, IndexError> {
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let (_, fields) = fields();
        Ok(Self {
            index,
            reader,
            fields,
            place,
            kept: Mutex::default(),
        })
    }

    /// What the postings on disk say of themselves; nothing where they were just made.
    pub(crate) fn written(&self) -> Result<Option<Generation>, IndexError> {
        guarded(|| generation_of(&self.index.load_metas()?))
    }

    /// The postings of a generation: those on disk, or those that were used last where a writer has
    /// committed the next ones already; where they are gone, or not there yet, the generation that is there.
    pub(crate) fn at(
        &self,
        wanted: Generation,
    ) -> Result<Result<Searcher, Option<Generation>>, IndexError> {
        guarded(|| {
            let metas = self.index.load_metas()?;
            let written = generation_of(&metas)?;
            if wanted.is_that_of(written) {
                if !is_same_set(&metas.segments, &self.reader.searcher()) {
                    self.reader.reload()?;
                }
                let searcher = self.reader.searcher();
                // What was loaded may be newer than what was read just before.
                let metas = self.index.load_metas()?;
                if is_same_set(&metas.segments, &searcher)
                    && wanted.is_that_of(generation_of(&metas)?)
                {
                    *self.kept() = Some((wanted, searcher.clone()));
                    return Ok(Ok(searcher));
                }
            }
            let kept = self.kept();
            let kept = kept
                .as_ref()
                .filter(|(generation, _)| *generation == wanted);
            Ok(kept.map_or(Err(written), |(_, searcher)| Ok(searcher.clone())))
        })
    }

    fn kept(&self) -> MutexGuard<'_, Option<(Generation, Searcher)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A writer; one at a time over all processes. What an earlier one left half written goes first.
    /// The caller holds the lock of the index.
    pub(crate) fn writer(&self) -> Result<PostingsWriter, IndexError> {
        self.remove_orphans()?;
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(BUILD_BYTES_MAX)
            .build();
        guarded(|| {
            let (mut index, mut keeper) = (self.index.clone(), None);
            if let Some((disk, directory)) = &self.place {
                let (files, own) = PrivateDirectory::for_writer(Arc::clone(disk), directory)?;
                (index, keeper) = (Index::open(files)?, Some(own));
            }
            index.tokenizers().register(TOKENIZER, WordsReader);
            Ok(PostingsWriter {
                writer: index.writer_with_options(options)?,
                _keeper: keeper,
            })
        })
    }

    /// Files that no commit names: a living writer is at them, or one that died left them.
    pub(crate) fn orphans(&self) -> Result<Vec<PathBuf>, IndexError> {
        let Some((disk, directory)) = &self.place else {
            return Ok(Vec::new());
        };
        let names = disk.list(directory)?;
        let mut living: HashSet<PathBuf> =
            guarded(|| Ok(self.index.load_metas()?))?.list_segment_files();
        living.extend(OF_ALL_SEGMENTS.map(PathBuf::from));
        living.extend([&INDEX_WRITER_LOCK, &META_LOCK].map(|lock| lock.filepath.clone()));
        Ok(names
            .into_iter()
            .filter(|name| is_of_a_writer(name) && !living.contains(name))
            .collect())
    }

    /// Removes the files that no commit names; whether there were any. The caller holds the lock of the index.
    ///
    /// A writer makes some files under names that follow from the last commit, and refuses to write over one
    /// that is there: after a crash every later writer would fail at the same file.
    pub(crate) fn remove_orphans(&self) -> Result<bool, IndexError> {
        let Some((disk, directory)) = &self.place else {
            return Ok(false);
        };
        // A reader opens the files of a commit under this lock.
        let held = self.index.directory().acquire_lock(&META_LOCK);
        let _held = held.map_err(|error| TantivyError::LockFailure(error, None))?;
        let orphans = self.orphans()?;
        for name in &orphans {
            disk.remove(&directory.join(name))?;
        }
        Ok(!orphans.is_empty())
    }

    /// Removes a stretch and adds it again as it is now.
    pub(crate) fn put(
        &self,
        postings: &PostingsWriter,
        whole: &WholeStretch,
        words: Words,
    ) -> Result<(), IndexError> {
        self.remove(postings, whole.key);
        let mut document = TantivyDocument::default();
        document.add_i64(self.fields.key, whole.key);
        document.add_u64(self.fields.source, whole.source.number().unsigned_abs());
        document.add_i64(
            self.fields.day,
            whole.day.map_or(i64::from(NO_DAY), day_number),
        );
        document.add_u64(self.fields.n_pieces, whole.record.pieces.len() as u64);
        document.add_text(self.fields.terms, words.text);
        postings.writer.add_document(document)?;
        Ok(())
    }

    /// Removes a stretch.
    pub(crate) fn remove(&self, postings: &PostingsWriter, key: i64) {
        let writer = &postings.writer;
        writer.delete_term(KeyTerm::from_field_i64(self.fields.key, key));
    }
}

fn generation_of(metas: &IndexMeta) -> Result<Option<Generation>, IndexError> {
    let read = |payload: &String| {
        Generation::parse(payload)
            .ok_or_else(|| IndexError::Damaged("its generation cannot be read".into()))
    };
    metas.payload.as_ref().map(read).transpose()
}

fn is_same_set(metas: &[tantivy::SegmentMeta], searcher: &Searcher) -> bool {
    let segments = searcher.generation().segments();
    metas.len() == segments.len()
        && metas
            .iter()
            .all(|meta| segments.get(&meta.id()) == Some(&meta.delete_opstamp()))
}

/// Days since the beginning of our era.
fn day_number(day: Day) -> i64 {
    i64::from(day.date().num_days_from_ce())
}

impl StretchRecord {
    /// Whether the pieces can be told apart by positions.
    pub(crate) fn fits(&self) -> bool {
        self.pieces.len() < DAY_POSITION as usize
    }
}

/// Tantivy panics on some damaged files; to us that is damage like any other.
pub(super) fn guarded<T>(act: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    catch_unwind(AssertUnwindSafe(act))
        .unwrap_or_else(|_| Err(IndexError::Damaged("its postings cannot be read".into())))
}

impl std::fmt::Debug for Lexical {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Lexical").finish_non_exhaustive()
    }
}
/// Whether a writer gives its files such names: the id of a segment with an ending, or a file not yet renamed. What
/// others put there stays.
fn is_of_a_writer(name: &Path) -> bool {
    let name = name.to_str().unwrap_or_default();
    let id = name.split('.').next().unwrap_or_default();
    let is_segment = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_segment && name.len() > id.len()
        || name.starts_with(".tmp")
        || name.strip_suffix(".tmp").is_some()
}
