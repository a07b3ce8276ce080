//! A consistent snapshot of both halves of the index for a search, next to a running writer.
//!
//! Takes no lock while a writer is alive, and does not wait for a commit if it still has the previous state.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use tantivy::Searcher;

use super::error::IndexError;
use super::index_vectors::IndexVectors;
use super::open::{Index, VectorScan};
use super::postings::{Postings, StretchFacts};
use super::refill::refill_if_different;
use super::schema::meta;
use super::store::{Store, StretchRow, Totals};
use crate::passage_source::Source;

/// How often a search retries while the halves differ, and the pause between attempts.
const TRIES: u32 = 200;
const WAIT: Duration = Duration::from_millis(10);

/// A writer needs fewer tries than this between its two commits; if the halves still differ, it has crashed or is
/// committing a very large batch.
const TRIES_OF_A_COMMIT: u32 = 5;

/// A consistent state of both halves of the index.
pub(crate) struct IndexSnapshot<'i> {
    index: &'i Index,
    pub(crate) searcher: Searcher,
    pub(crate) postings: Postings,
    pub(crate) totals: Totals,
    /// `None` without an embedder or vectors, or if the pack is lost.
    pub(crate) vectors: Option<IndexVectors>,
}

impl Index {
    /// Takes a snapshot, which is stable until it is dropped.
    pub(crate) fn snapshot(&self) -> Result<IndexSnapshot<'_>, IndexError> {
        let mut lost = 0;
        for n_tried in 1..=TRIES {
            self.store.rollback()?;
            self.store.begin_read()?;
            let wanted = self.store.generation()?;
            let vectors = match &self.embedder {
                Some(_) => self.vectors()?,
                None => None,
            };
            if self.embedder.is_some() && vectors.is_none() {
                // A writer may have replaced the pack since the transaction began; the next one sees the new pack.
                let pack = self.store.number(meta::PACK)?;
                if pack != lost {
                    lost = pack;
                    continue;
                }
            }
            let written = match self.lexical.at(wanted)? {
                Ok(searcher) => {
                    let totals = self.store.totals()?;
                    return Ok(IndexSnapshot {
                        index: self,
                        postings: Postings::of(&searcher)?,
                        searcher,
                        totals,
                        vectors,
                    });
                }
                Err(written) => written,
            };
            self.store.rollback()?;
            if written.is_some_and(|written| written.identity != wanted.identity)
                && !self.is_current()?
            {
                return Err(IndexError::Replaced);
            }
            if n_tried % TRIES_OF_A_COMMIT == 0 {
                self.refill_unless_written()?;
            }
            self.disk.wait(WAIT);
        }
        Err(IndexError::Locked(None))
    }

    /// Fills the postings from the store, unless a writer holds the lock.
    fn refill_unless_written(&self) -> Result<(), IndexError> {
        if self.is_read_only {
            return Err(IndexError::Damaged(
                "its store and postings differ, and it is opened read-only".into(),
            ));
        }
        match self.try_lock_current() {
            Ok(_lock) => refill_if_different(&self.store, &self.lexical),
            Err(IndexError::Locked(..)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl IndexSnapshot<'_> {
    /// The store, in a read transaction.
    pub(crate) fn store(&self) -> &Store {
        &self.index.store
    }

    pub(crate) fn facts(&self) -> Result<StretchFacts, IndexError> {
        StretchFacts::of_index(&self.searcher)
    }

    pub(crate) fn stretch(&self, key: i64) -> Result<StretchRow, IndexError> {
        let found = self.index.store.stretch(key)?;
        found.ok_or_else(|| {
            IndexError::Damaged("its postings refer to a stretch that is not in the store".into())
        })
    }

    /// The keys of the stretches of some documents; unindexed paths are ignored.
    pub(crate) fn keys_of(
        &self,
        source: Source,
        paths: &[String],
    ) -> Result<BTreeSet<i64>, IndexError> {
        let mut keys = BTreeSet::new();
        if paths.is_empty() {
            return Ok(keys);
        }
        let wanted: BTreeSet<&String> = paths.iter().collect();
        for file in self.index.store.files()? {
            if file.source == source && wanted.contains(&file.path) {
                keys.extend(self.index.store.keys_of(file.id)?);
            }
        }
        Ok(keys)
    }

    /// The concatenated vectors of a stretch.
    pub(crate) fn vectors_of(&self, key: i64) -> Result<Option<Cow<'_, [u8]>>, IndexError> {
        let vectors = self.vectors.as_ref();
        vectors.map_or(Ok(None), |vectors| vectors.rows_of(self.store(), key))
    }

    /// Whether all vectors are compared exactly.
    pub(crate) fn is_exact(&self) -> bool {
        self.index.scan == VectorScan::Exact
    }
}

impl Drop for IndexSnapshot<'_> {
    fn drop(&mut self) {
        // A read transaction has nothing to lose, and the next snapshot starts with a rollback anyway.
        self.index.store.rollback().unwrap_or_default();
    }
}
