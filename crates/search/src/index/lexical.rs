//! The postings on disk: their generation, and how they are written.
//!
//! Reads no term, and scores nothing.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use base::Disk;
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
use super::schema::{Generation, HEADING_POSITION, IndexFields, TOKENIZER, day_number, fields};
use super::store::WholeStretch;
use super::words::{StretchWords, WordsReader};

/// The postings on disk.
pub(crate) struct Lexical {
    index: Index,
    reader: IndexReader,
    fields: IndexFields,
    /// Disk and directory of its files; `None` if it must not write.
    place: Option<(Arc<dyn Disk>, PathBuf)>,
    /// The last searcher handed out, with its generation.
    kept: Mutex<Option<(Generation, Searcher)>>,
}

/// A writer of postings. After it is dropped, late writes of its threads fail.
pub(crate) struct PostingsWriter {
    pub(super) writer: IndexWriter,
    /// Must be dropped after the writer: fields drop in order.
    _keeper: Option<GateKeeper>,
}

impl PostingsWriter {
    /// Waits for the merge threads.
    pub(crate) fn finish(self) -> Result<(), IndexError> {
        Ok(self.writer.wait_merging_threads()?)
    }
}

/// Files that describe the postings as a whole, besides those of segments.
const OF_ALL_SEGMENTS: [&str; 2] = ["meta.json", ".managed.json"];

/// Memory of the indexing thread, in bytes.
const BUILD_BYTES_MAX: usize = 64 * 1024 * 1024;

impl Lexical {
    /// Creates empty postings in an empty directory.
    pub(crate) fn create(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        let (schema, _) = fields();
        guarded(|| {
            let files = PrivateDirectory::open(Some(Arc::clone(&disk)), directory)?;
            let index = Index::create(files, schema, IndexSettings::default())?;
            Self::new(index, Some((disk, directory.to_owned())))
        })
    }

    /// Opens existing postings; without a disk, read-only.
    pub(crate) fn open(disk: Option<Arc<dyn Disk>>, directory: &Path) -> Result<Self, IndexError> {
        let (schema, _) = fields();
        guarded(|| {
            let index = Index::open(PrivateDirectory::open(disk.clone(), directory)?)?;
            if index.schema() != schema {
                return Err(IndexError::Damaged(
                    "its postings have an unexpected schema".into(),
                ));
            }
            Self::new(index, disk.map(|disk| (disk, directory.to_owned())))
        })
    }

    /// Empty postings in memory.
    pub(crate) fn in_memory() -> Result<Self, IndexError> {
        let (schema, _) = fields();
        Self::new(Index::create_in_ram(schema), None)
    }

    fn new(index: Index, place: Option<(Arc<dyn Disk>, PathBuf)>) -> Result<Self, IndexError> {
        let reader = index.reader_builder();
        let reader = reader.reload_policy(ReloadPolicy::Manual).try_into()?;
        let (_, fields) = fields();
        Ok(Self {
            index,
            reader,
            fields,
            place,
            kept: Mutex::default(),
        })
    }

    /// The generation of the postings on disk; `None` if they were just created.
    pub(crate) fn written(&self) -> Result<Option<Generation>, IndexError> {
        guarded(|| generation_of(&self.index.load_metas()?))
    }

    /// The postings of a generation: those on disk, or the last ones used if a writer has already committed the next.
    /// If neither matches, the generation on disk.
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
                // The reload may have picked up a newer commit than the metas read before.
                let metas = self.index.load_metas()?;
                if is_same_set(&metas.segments, &searcher)
                    && wanted.is_that_of(generation_of(&metas)?)
                {
                    *self.kept() = Some((wanted, searcher.clone()));
                    return Ok(Ok(searcher));
                }
            }
            let kept = self.kept();
            let kept = kept.as_ref().filter(|(kept, _)| *kept == wanted);
            Ok(kept.map_or(Err(written), |(_, searcher)| Ok(searcher.clone())))
        })
    }

    fn kept(&self) -> MutexGuard<'_, Option<(Generation, Searcher)>> {
        base::locked(&self.kept)
    }

    /// Opens a writer, after removing files of a crashed one; one at a time across all processes. The caller holds the
    /// lock of the index.
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
                let files = PrivateDirectory::open(Some(Arc::clone(disk)), directory)?;
                keeper = files.keeper();
                index = Index::open(files)?;
            }
            index.tokenizers().register(TOKENIZER, WordsReader);
            Ok(PostingsWriter {
                writer: index.writer_with_options(options)?,
                _keeper: keeper,
            })
        })
    }

    /// Files that no commit references: a live writer is writing them, or a crashed one left them.
    pub(crate) fn orphans(&self) -> Result<Vec<PathBuf>, IndexError> {
        let Some((disk, directory)) = &self.place else {
            return Ok(Vec::new());
        };
        let names = disk.list(directory)?;
        let metas = guarded(|| Ok(self.index.load_metas()?))?;
        let mut living: HashSet<PathBuf> = metas.list_segment_files();
        living.extend(OF_ALL_SEGMENTS.map(PathBuf::from));
        living.extend([&INDEX_WRITER_LOCK, &META_LOCK].map(|lock| lock.filepath.clone()));
        let is_orphan = |name: &PathBuf| is_of_a_writer(name) && !living.contains(name);
        Ok(names.into_iter().filter(is_orphan).collect())
    }

    /// Removes files that no commit references; returns whether there were any. The caller holds the lock of the index.
    ///
    /// Tantivy derives some file names from the last commit and refuses to overwrite: after a crash every later writer
    /// would fail on the same file.
    pub(crate) fn remove_orphans(&self) -> Result<bool, IndexError> {
        let Some((disk, directory)) = &self.place else {
            return Ok(false);
        };
        // Readers open the files of a commit under this lock.
        let held = self.index.directory().acquire_lock(&META_LOCK);
        let _held = held.map_err(|error| TantivyError::LockFailure(error, None))?;
        let orphans = self.orphans()?;
        for name in &orphans {
            disk.remove(&directory.join(name))?;
        }
        Ok(!orphans.is_empty())
    }

    /// Replaces a stretch.
    pub(crate) fn put(
        &self,
        postings: &PostingsWriter,
        whole: &WholeStretch,
        words: StretchWords,
    ) -> Result<(), IndexError> {
        self.remove(postings, whole.key);
        let mut document = TantivyDocument::default();
        document.add_i64(self.fields.key, whole.key);
        document.add_u64(self.fields.source, whole.source.number().unsigned_abs());
        document.add_i64(self.fields.day, day_number(whole.heading.day).into());
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
    let is_there =
        |meta: &tantivy::SegmentMeta| segments.get(&meta.id()) == Some(&meta.delete_opstamp());
    metas.len() == segments.len() && metas.iter().all(is_there)
}

impl StretchRecord {
    /// Whether piece numbers stay below the reserved position.
    pub(crate) fn fits(&self) -> bool {
        self.pieces.len() < HEADING_POSITION as usize
    }
}

/// Maps panics to damage: tantivy panics on some damaged files.
pub(super) fn guarded<T>(act: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    catch_unwind(AssertUnwindSafe(act))
        .unwrap_or_else(|_| Err(IndexError::Damaged("its postings cannot be read".into())))
}

impl std::fmt::Debug for Lexical {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Lexical").finish_non_exhaustive()
    }
}
/// Whether a file name is one that tantivy uses: a segment id with an extension, or a temporary file. Other files are
/// kept.
fn is_of_a_writer(name: &Path) -> bool {
    let name = name.to_str().unwrap_or_default();
    let id = name.split('.').next().unwrap_or_default();
    let is_segment = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_segment && name.len() > id.len()
        || name.starts_with(".tmp")
        || name.strip_suffix(".tmp").is_some()
}
