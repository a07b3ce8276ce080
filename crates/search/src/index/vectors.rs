//! Vectors of pieces that the pack lacks: a row of signed bytes per piece, stored by stretch.
//!
//! Never mixes vectors of two embedders, and never calls an embedder.

use std::collections::BTreeSet;

use rusqlite::params;

use super::error::IndexError;
use super::schema::meta;
use super::store::{SYNCHRONOUS, Store};
use crate::passage_source::Source;
use crate::rank::real;

/// Pages that one transaction gives back; SQLite writes each of them to the WAL.
const PAGES_AT_A_TIME: u64 = 1_000;

/// The byte for 1.0.
pub(crate) const SCALE: f32 = 127.0;

/// The embedder whose vectors the index holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EmbedderRow {
    pub(crate) identity: String,
    /// Length of a vector; 0 until the first one is stored.
    pub(crate) dimensions: usize,
    /// Whether every piece has had a vector at least once.
    pub(crate) is_complete: bool,
    pub(crate) n_vectors: u64,
    /// Exact sums of all rows, independent of the order of writing.
    pub(crate) sums: Vec<i64>,
}

/// The stretches among which to look for missing vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Among {
    /// In the batch written last: few.
    WrittenLast,
    /// Everywhere, which scans all texts.
    All,
}

/// Vectors of a stretch, with what a filter needs.
pub(crate) struct VectorRow {
    pub(crate) key: i64,
    pub(crate) rows: Vec<u8>,
    pub(crate) source: Source,
    /// ISO date, so later days compare greater.
    pub(crate) day: Option<String>,
}

impl Store {
    /// The embedder whose vectors the index holds.
    pub(crate) fn embedder(&self) -> Result<Option<EmbedderRow>, IndexError> {
        let sql = "SELECT identity, dimensions, is_complete, n_vectors, sums FROM embedder";
        self.row(sql, [], |row| {
            let sums: Vec<u8> = row.get(4)?;
            let (sums, _) = sums.as_chunks::<8>();
            Ok(EmbedderRow {
                identity: row.get(0)?,
                dimensions: row.get(1)?,
                is_complete: row.get(2)?,
                n_vectors: row.get(3)?,
                sums: sums.iter().copied().map(i64::from_le_bytes).collect(),
            })
        })
    }

    /// Writes the embedder row.
    pub(crate) fn put_embedder(&self, row: &EmbedderRow) -> Result<(), IndexError> {
        let sums: Vec<u8> = row.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let sql = "INSERT OR REPLACE INTO embedder VALUES (1, ?1, ?2, ?3, ?4, ?5)";
        let (length, is_complete) = (row.dimensions, row.is_complete);
        let values = params![row.identity, length, is_complete, row.n_vectors, sums];
        self.run(sql, values).map(drop)
    }

    /// Drops every vector.
    pub(crate) fn clear_vectors(&self) -> Result<(), IndexError> {
        self.connection.execute_batch(
            "DELETE FROM vectors; DELETE FROM vectors_gone; DELETE FROM embedder;",
        )?;
        self.set_number(meta::PACK, 0)
    }

    /// Keys above `after` of stretches without vectors in the store, at most `n_max`, in order.
    pub(crate) fn keys_without_vectors(
        &self,
        among: Among,
        after: i64,
        n_max: usize,
    ) -> Result<Vec<i64>, IndexError> {
        let sql = match among {
            Among::WrittenLast => {
                "SELECT key FROM written_last WHERE key > ?1
                 AND EXISTS (SELECT 1 FROM stretches WHERE stretches.key = written_last.key)
                 AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.key = written_last.key)
                 ORDER BY key LIMIT ?2"
            }
            Among::All => {
                "SELECT key FROM stretches WHERE key > ?1
                 AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.key = stretches.key)
                 ORDER BY key LIMIT ?2"
            }
        };
        self.rows(sql, params![after, n_max], |row| row.get(0))
    }

    /// Inserts the vectors of a stretch and adds them to the sums.
    pub(crate) fn put_vectors(
        &self,
        embedder: &mut EmbedderRow,
        key: i64,
        rows: &[u8],
    ) -> Result<(), IndexError> {
        self.run("INSERT INTO vectors VALUES (?1, ?2)", params![key, rows])?;
        embedder.add(rows, 1);
        Ok(())
    }

    /// Removes the vectors of a stretch, if any, and subtracts them from the sums; `packed` are those that the pack has.
    pub(crate) fn remove_vectors(&self, key: i64, packed: Option<&[u8]>) -> Result<(), IndexError> {
        let sql = "DELETE FROM vectors WHERE key = ?1 RETURNING rows";
        let mut removed: Option<Vec<u8>> = self.row(sql, [key], |row| row.get(0))?;
        if let Some(packed) = packed
            && self.run("INSERT OR IGNORE INTO vectors_gone VALUES (?1)", [key])? > 0
        {
            removed = Some(packed.to_vec());
        }
        if let Some((rows, mut embedder)) = removed.zip(self.embedder()?) {
            embedder.add(&rows, -1);
            self.put_embedder(&embedder)?;
        }
        Ok(())
    }

    /// The vectors of a stretch, if the pack lacks them.
    pub(crate) fn vectors(&self, key: i64) -> Result<Option<Vec<u8>>, IndexError> {
        let sql = "SELECT rows FROM vectors WHERE key = ?1";
        self.row(sql, [key], |row| row.get(0))
    }

    /// Passes the vectors of every stretch that the pack lacks to `visit`, in key order.
    pub(crate) fn each_vectors(&self, mut visit: impl FnMut(VectorRow)) -> Result<(), IndexError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT vectors.key, rows, source, day FROM vectors JOIN stretches USING (key)
             ORDER BY vectors.key",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(VectorRow {
                key: row.get(0)?,
                rows: row.get(1)?,
                source: row.get(2)?,
                day: row.get(3)?,
            });
        }
        Ok(())
    }

    /// The stretches in the pack that were removed or changed since.
    pub(crate) fn gone_vectors(&self) -> Result<BTreeSet<i64>, IndexError> {
        self.rows("SELECT key FROM vectors_gone", [], |row| row.get(0))
    }

    /// Records that the pack with this number holds every vector, and deletes those in the store.
    ///
    /// Durable on return, because the caller then removes the previous pack.
    pub(crate) fn put_pack(&self, number: u64) -> Result<(), IndexError> {
        self.connection.execute_batch("PRAGMA synchronous = FULL")?;
        let done = self.without_overwriting(|| {
            self.write(|| {
                self.connection
                    .execute_batch("DELETE FROM vectors; DELETE FROM vectors_gone;")?;
                self.set_number(meta::PACK, number)?;
                self.set_number(meta::PACK_LAST, number)
            })
        });
        self.connection.execute_batch(SYNCHRONOUS)?;
        done
    }

    /// Gives free pages back to the file system, a few at a time, so that the WAL stays small.
    pub(crate) fn shrink(&self) -> Result<(), IndexError> {
        let free = self
            .connection
            .pragma_query_value(None, "freelist_count", |row| row.get::<_, u64>(0))?;
        for _ in 0..free.div_ceil(PAGES_AT_A_TIME) {
            let pages = PAGES_AT_A_TIME;
            self.connection
                .pragma(None, "incremental_vacuum", pages, |_| Ok(()))?;
        }
        Ok(())
    }
}

impl EmbedderRow {
    /// The mean of all vectors.
    pub(crate) fn mean(&self) -> Vec<f32> {
        self.mean_of(0.0)
    }

    /// The mean of all vectors and `n_more` zero vectors.
    pub(crate) fn mean_of(&self, n_more: f64) -> Vec<f32> {
        let divisor = ((real(self.n_vectors) + n_more) * f64::from(SCALE)).max(1.0);
        let parts = self.sums.iter();
        let real_of = |sum: i64| real(sum.unsigned_abs()) * if sum < 0 { -1.0 } else { 1.0 };
        parts.map(|sum| single(real_of(*sum) / divisor)).collect()
    }

    /// Sets the length of vectors; none may be stored yet.
    pub(crate) fn measure(&mut self, dimensions: usize) {
        self.dimensions = dimensions;
        self.sums = vec![0; dimensions];
    }

    /// The same without any vector.
    pub(super) fn without_vectors(&self) -> Self {
        Self {
            n_vectors: 0,
            sums: vec![0; self.sums.len()],
            ..self.clone()
        }
    }

    pub(super) fn add(&mut self, rows: &[u8], sign: i64) {
        if self.dimensions == 0 {
            return;
        }
        for row in rows.chunks_exact(self.dimensions) {
            for (sum, part) in self.sums.iter_mut().zip(row) {
                *sum += sign * i64::from(part.cast_signed());
            }
            self.n_vectors = self.n_vectors.saturating_add_signed(sign);
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "components of unit vectors"
)]
fn single(value: f64) -> f32 {
    value as f32
}
