//! Writes both halves of the index; after a crash between their commits the postings are filled from the store.
//!
//! One writer at a time across all processes; readers keep the previous state.

use base::disk::Lock;

use super::error::IndexError;
use super::index_vectors::PackedVectors;
use super::lexical::PostingsWriter;
use super::open::Index;
use super::record::StretchRecord;
use super::schema::meta;
use super::store::{FileRow, StretchMark, WholeStretch, stretch_hash, stretch_key};
use super::words::words;
use crate::passage::Stretch;
use crate::passage_source::Source;
use crate::terms::Analyser;

/// Bytes of text to collect before committing both halves; an interrupted sync loses at most as many.
pub(crate) const BATCH_BYTES_MAX: usize = 32 * 1024 * 1024;

/// A writer; uncommitted changes are lost when it is dropped.
pub(crate) struct BatchWriter<'i> {
    index: &'i Index,
    postings: PostingsWriter,
    _lock: Lock,
    analyser: Analyser,
    batch: WriteBatch,
}

/// Changes not yet committed.
#[derive(Default)]
struct WriteBatch {
    documents: Vec<DocumentChange>,
    /// The document being written.
    open: Option<DocumentChange>,
    n_bytes: usize,
}

/// Changes of one document.
struct DocumentChange {
    file: FileRow,
    is_gone: bool,
    puts: Vec<(WholeStretch, StretchMark)>,
    removed: Vec<i64>,
}

impl DocumentChange {
    fn is_of(&self, source: Source, path: &str) -> bool {
        self.file.source == source && self.file.path == path
    }
}

/// A document being written: its stretches from some ordinal on.
#[derive(Debug)]
pub(crate) struct DocumentWrite {
    /// Its row once it is whole.
    pub(crate) file: FileRow,
    /// The old stretches, from the first ordinal that may change.
    pub(crate) marks: Vec<StretchMark>,
    pub(crate) next_ordinal: u64,
    /// The place of the newest stretch that can be resumed.
    pub(crate) n_bytes_read: u64,
}

/// The stamp of a partly written document; no file has it.
const PARTIAL: &str = "";

impl DocumentWrite {
    /// The row of the document as written so far, from which a later sync can resume; `None` for a note, which is read
    /// whole, and while old stretches follow, because these would be mistaken for the end of the written part.
    fn partial_row(&self) -> Option<FileRow> {
        let last = self.marks.last();
        let is_at_end = last.is_none_or(|last| last.ordinal < self.next_ordinal);
        let is_resumable = is_at_end && self.file.source == Source::Session;
        is_resumable.then(|| FileRow {
            stamp: PARTIAL.into(),
            n_bytes: self.n_bytes_read,
            ..self.file.clone()
        })
    }
}

impl<'i> BatchWriter<'i> {
    /// Takes the lock, and refills the postings after a crash.
    pub(crate) fn begin(index: &'i Index) -> Result<Self, IndexError> {
        let lock = index.lock_current()?;
        // Discard the transaction of an earlier writer in this process that failed.
        index.store.rollback()?;
        super::refill::refill_if_different(&index.store, &index.lexical)?;
        let postings = index.lexical.writer()?;
        Ok(Self {
            index,
            postings,
            _lock: lock,
            analyser: Analyser::new(),
            batch: WriteBatch::default(),
        })
    }

    /// Writes the next stretch of a document, unless it is unchanged.
    pub(crate) fn put(
        &mut self,
        document: &mut DocumentWrite,
        stretch: &Stretch,
    ) -> Result<(), IndexError> {
        let ordinal = document.next_ordinal;
        document.next_ordinal += 1;
        document.n_bytes_read = stretch.resume.map_or(document.n_bytes_read, |it| it.offset);
        let hash = stretch_hash(stretch);
        let marks = &document.marks;
        let known = marks.binary_search_by_key(&ordinal, |mark| mark.ordinal);
        let known = known.ok().and_then(|at| document.marks.get(at));
        if known.is_some_and(|mark| mark.hash == hash && mark.resume == stretch.resume) {
            return Ok(());
        }
        let mark = StretchMark {
            key: stretch_key(document.file.source, &document.file.path, ordinal),
            ordinal,
            hash,
            resume: stretch.resume,
        };
        let (record, texts) = StretchRecord::of(stretch, self.index.wish_cues);
        if !record.fits() {
            let reason = format!("a stretch has {} pieces", record.pieces.len());
            return Err(IndexError::Damaged(reason));
        }
        let mut whole = WholeStretch {
            key: mark.key,
            source: document.file.source,
            heading: stretch.heading.clone(),
            record,
            texts,
        };
        let words = words(&whole, &mut self.analyser);
        whole.record.count_words(&words.counts);
        if let Err(error) = self.index.lexical.put(&self.postings, &whole, words) {
            return Err(self.cause_of(error));
        }
        self.batch.n_bytes += whole.texts.len();
        self.change_of(document).puts.push((whole, mark));
        if self.batch.n_bytes >= self.index.batch_bytes_max {
            if let Some(file) = document.partial_row() {
                self.change_of(document).file = file;
            }
            self.commit()?;
        }
        Ok(())
    }

    /// The error of the postings thread if it died; otherwise the given one.
    fn cause_of(&mut self, error: IndexError) -> IndexError {
        match self.postings.writer.prepare_commit() {
            Ok(_) => error,
            Err(cause) => cause.into(),
        }
    }

    /// Ends a document: removes old stretches after its last one.
    pub(crate) fn end(&mut self, document: &DocumentWrite, file: FileRow) {
        let is_gone = |mark: &&StretchMark| mark.ordinal >= document.next_ordinal;
        for mark in document.marks.iter().filter(is_gone) {
            self.index.lexical.remove(&self.postings, mark.key);
            self.change_of(document).removed.push(mark.key);
        }
        self.change_of(document).file = file;
    }

    /// Removes a document.
    pub(crate) fn remove(&mut self, file: &FileRow) -> Result<(), IndexError> {
        let removed = self.index.store.keys_of(file.id)?;
        for key in &removed {
            self.index.lexical.remove(&self.postings, *key);
        }
        self.batch.documents.push(DocumentChange {
            file: file.clone(),
            is_gone: true,
            puts: Vec::new(),
            removed,
        });
        Ok(())
    }

    /// Discards what was written of a document that could not be read to its end, and its old stretches.
    pub(crate) fn abandon(&mut self, source: Source, path: &str) -> Result<(), IndexError> {
        let open = self.batch.open.take_if(|open| open.is_of(source, path));
        for (_, mark) in open.into_iter().flat_map(|open| open.puts) {
            self.index.lexical.remove(&self.postings, mark.key);
        }
        let row = self.index.store.file(source, path)?;
        row.map_or(Ok(()), |row| self.remove(&row))
    }

    fn change_of(&mut self, document: &DocumentWrite) -> &mut DocumentChange {
        let file = &document.file;
        let is_other = |open: &mut DocumentChange| !open.is_of(file.source, &file.path);
        let ended = self.batch.open.take_if(is_other);
        self.batch.documents.extend(ended);
        self.batch.open.get_or_insert_with(|| DocumentChange {
            file: FileRow {
                id: 0,
                stamp: PARTIAL.into(),
                history: PARTIAL.into(),
                n_bytes: 0,
                ..file.clone()
            },
            is_gone: false,
            puts: Vec::new(),
            removed: Vec::new(),
        })
    }

    /// Commits what was written so far, so that searches see it.
    ///
    /// Durability: the postings are committed before the store, whose transaction is complete by then, so that nothing
    /// but its own commit can fail after that. A crash between the two leaves the postings one generation ahead, and
    /// the next writer or reader refills them.
    pub(crate) fn commit(&mut self) -> Result<(), IndexError> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.documents.extend(batch.open.take());
        let done = self.commit_both(&batch.documents);
        if done.is_err() {
            self.index.store.rollback()?;
        }
        done
    }

    fn commit_both(&mut self, documents: &[DocumentChange]) -> Result<(), IndexError> {
        let index = self.index;
        let store = &index.store;
        let is_changed =
            |change: &DocumentChange| !change.puts.is_empty() || !change.removed.is_empty();
        if !documents.iter().any(is_changed) {
            return store.write(|| self.apply_all(documents));
        }
        let generation = store.generation()?.next();
        store.begin_write()?;
        self.apply_all(documents)?;
        store.put_written_last(&written_keys(documents))?;
        store.set_number(meta::GENERATION, generation.number)?;
        let mut prepared = self.postings.writer.prepare_commit()?;
        prepared.set_payload(&generation.to_string());
        prepared.commit()?;
        store.commit()
    }

    fn apply_all(&self, documents: &[DocumentChange]) -> Result<(), IndexError> {
        let vectors = self.index.vectors()?;
        if vectors.is_none() {
            // A lost pack must not come back once stretches have changed.
            self.index.store.clear_vectors()?;
        }
        let packed = vectors.and_then(|vectors| vectors.packed);
        let mut documents = documents.iter();
        documents.try_for_each(|change| self.apply(change, packed.as_ref()))
    }

    fn apply(
        &self,
        change: &DocumentChange,
        packed: Option<&PackedVectors>,
    ) -> Result<(), IndexError> {
        let store = &self.index.store;
        let mut totals = store.totals()?;
        let mut remove = |key: i64| -> Result<(), IndexError> {
            store.remove_vectors(key, packed.and_then(|packed| packed.rows_of(key)))?;
            if let Some((n_pieces, n_words)) = store.remove_stretch(key)? {
                totals.n_pieces = totals.n_pieces.saturating_sub(n_pieces);
                totals.n_words = totals.n_words.saturating_sub(n_words);
                totals.n_stretches = totals.n_stretches.saturating_sub(1);
            }
            Ok(())
        };
        let puts = change.puts.iter().map(|(_, mark)| mark.key);
        let mut replaced = change.removed.iter().copied().chain(puts);
        replaced.try_for_each(&mut remove)?;
        if change.is_gone {
            store.remove_file(change.file.id)?;
        } else {
            let file = store.put_file(&change.file)?;
            for (whole, mark) in &change.puts {
                store.put_stretch(file, whole, mark)?;
                totals.n_pieces += whole.record.pieces.len() as u64;
                totals.n_words += whole.record.n_words();
                totals.n_stretches += 1;
            }
        }
        store.set_totals(totals)
    }

    /// Commits and waits for merges; the index stays incomplete.
    pub(crate) fn stop(mut self) -> Result<(), IndexError> {
        self.commit()?;
        self.postings.finish()
    }

    /// Commits, marks the index complete, records the versions of the forgotten texts and of what is known about the
    /// notes, and waits for merges.
    pub(crate) fn finish(mut self, forgotten: u64, known: u64) -> Result<(), IndexError> {
        self.commit()?;
        let store = &self.index.store;
        let numbers = [
            (meta::IS_COMPLETE, 1),
            (meta::FORGOTTEN, forgotten),
            (meta::KNOWN, known),
        ];
        let mut is_new = false;
        for (name, number) in numbers {
            is_new |= store.number(name)? != number;
        }
        if is_new {
            store.write(|| {
                let mut numbers = numbers.into_iter();
                numbers.try_for_each(|(name, number)| store.set_number(name, number))
            })?;
        }
        self.postings.finish()
    }
}

/// The keys of the stretches to put.
fn written_keys(documents: &[DocumentChange]) -> Vec<i64> {
    let puts = documents.iter().flat_map(|change| &change.puts);
    puts.map(|(_, mark)| mark.key).collect()
}
