//! The vectors of the index: most are in the pack, those written since are in the store.
//!
//! Nothing holds a vector twice; if the pack is lost, its stretches are embedded again.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

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
    /// Stretches in it that were removed or changed since.
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
        let Some(embedder) = self.embedder_row()? else {
            return Ok(None);
        };
        let packed = match self.pack()? {
            Some(pack) => {
                let gone = self.store.gone_vectors()?;
                Some(PackedVectors { pack, gone })
            }
            None => None,
        };
        Ok(Some(IndexVectors { embedder, packed }))
    }

    /// The embedder of the vectors; `None` without any, or if the pack is lost.
    pub(super) fn embedder_row(&self) -> Result<Option<EmbedderRow>, IndexError> {
        let has_pack = self.store.number(meta::PACK)? > 0;
        let pack = self.pack()?;
        let is_usable = |row: &EmbedderRow| {
            !has_pack || pack.is_some_and(|pack| pack.dimensions() == row.dimensions)
        };
        Ok(self.store.embedder()?.filter(is_usable))
    }

    fn pack(&self) -> Result<Option<Arc<Pack>>, IndexError> {
        let number = self.store.number(meta::PACK)?;
        if number == 0 {
            return Ok(None);
        }
        let mut known = base::locked(&self.pack);
        if known.as_ref().is_none_or(|(of, _)| *of != number) {
            let pack = Pack::open(&self.directory, &pack_name(number))?;
            *known = pack.map(|pack| (number, Arc::new(pack)));
        }
        Ok(known.as_ref().map(|(_, pack)| Arc::clone(pack)))
    }
}
