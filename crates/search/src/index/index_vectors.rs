//! The vectors of the index: most are in the pack, those written since are in the store.
//!
//! Nothing holds a vector twice; if the pack is lost, its stretches are embedded again.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use super::error::IndexError;
use super::open::Index;
use super::pack::{Pack, PackedStretch};
use super::pack_write::pack_name;
use super::schema::meta;
use super::store::Store;
use super::vectors::{EmbedderRow, VectorRow};

/// All vectors of one state of the index.
#[derive(Debug)]
pub(crate) struct IndexVectors {
    pub(crate) embedder: EmbedderRow,
    pub(crate) packed: Option<PackedVectors>,
}

/// The vectors in the pack.
#[derive(Debug)]
pub(crate) struct PackedVectors {
    pub(crate) pack: Arc<Pack>,
    /// Stretches in it that were removed, or have newer vectors in the store.
    pub(crate) gone: BTreeSet<i64>,
}

impl PackedVectors {
    /// The concatenated vectors of a stretch.
    pub(super) fn rows_of(&self, key: i64) -> Option<&[u8]> {
        self.pack.rows_of(key).filter(|_| !self.gone.contains(&key))
    }
}

impl IndexVectors {
    /// The concatenated vectors of a stretch.
    pub(crate) fn rows_of(
        &self,
        store: &Store,
        key: i64,
    ) -> Result<Option<Cow<'_, [u8]>>, IndexError> {
        match self.packed_rows_of(key) {
            Some(rows) => Ok(Some(rows.into())),
            None => Ok(store.vectors(key)?.map(Cow::from)),
        }
    }

    /// The same, only from the pack.
    pub(super) fn packed_rows_of(&self, key: i64) -> Option<&[u8]> {
        self.packed.as_ref()?.rows_of(key)
    }

    /// Number of vectors that are in the pack and still valid.
    pub(super) fn n_packed(&self) -> u64 {
        self.packed.as_ref().map_or(0, |packed| {
            let gone = packed
                .gone
                .iter()
                .filter_map(|key| packed.pack.rows_of(*key));
            let n_gone: usize = gone.map(|rows| rows.len() / self.row_bytes()).sum();
            packed.pack.n_pieces().saturating_sub(n_gone) as u64
        })
    }

    /// Passes the vectors of every stretch to `visit`, in key order.
    pub(super) fn each(
        &self,
        store: &Store,
        mut visit: impl FnMut(PackedStretch, &[u8]),
    ) -> Result<(), IndexError> {
        let packed = self.packed.iter().flat_map(|packed| {
            let stretches = packed.pack.stretches();
            stretches.filter(|(stretch, _)| !packed.gone.contains(&stretch.key))
        });
        let mut packed = packed.peekable();
        store.each_vectors(|new: VectorRow| {
            while let Some((stretch, rows)) = packed.next_if(|(it, _)| it.key < new.key) {
                visit(stretch, rows);
            }
            let day = new.day.as_deref().and_then(|day| day.parse().ok());
            visit(PackedStretch::new(new.key, new.source, day, 0), &new.rows);
        })?;
        packed.for_each(|(stretch, rows)| visit(stretch, rows));
        Ok(())
    }

    /// Bytes of one vector.
    pub(super) fn row_bytes(&self) -> usize {
        self.embedder.dimensions.max(1)
    }
}

impl Index {
    /// The vectors, as of the store's transaction; `None` without any, or if the pack is lost.
    pub(super) fn vectors(&self) -> Result<Option<IndexVectors>, IndexError> {
        let Some(embedder) = self.store.embedder()? else {
            return Ok(None);
        };
        let number = self.store.number(meta::PACK)?;
        if number == 0 {
            let packed = None;
            return Ok(Some(IndexVectors { embedder, packed }));
        }
        let pack = self.pack(number);
        let Some(pack) = pack.filter(|pack| pack.dimensions() == embedder.dimensions) else {
            return Ok(None);
        };
        let gone = self.store.gone_vectors()?;
        let packed = Some(PackedVectors { pack, gone });
        Ok(Some(IndexVectors { embedder, packed }))
    }

    fn pack(&self, number: u64) -> Option<Arc<Pack>> {
        let mut known = self.pack.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pack)) = known.as_ref().filter(|(of, _)| *of == number) {
            return Some(Arc::clone(pack));
        }
        let pack = Arc::new(Pack::open(&self.directory, &pack_name(number))?);
        *known = Some((number, Arc::clone(&pack)));
        Some(pack)
    }
}
