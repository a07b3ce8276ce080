//! Vectors of pieces in the store: a row of signed bytes for each piece, kept with its stretch.
//!
//! Never mixes vectors of two embedders, and never asks an embedder for anything.

use std::collections::BTreeSet;

use rusqlite::params;

use super::error::IndexError;
use super::schema::meta;
use super::store::Store;
use crate::passage_source::Source;
use crate::rank::real;

/// What a number of length 1 is as a byte.
pub(crate) const SCALE: f32 = 127.0;

/// Whose vectors the store holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EmbedderRow {
    pub(crate) identity: String,
    /// Numbers in a vector; 0 until the first one is here.
    pub(crate) dimensions: usize,
    /// Whether every piece had a vector at least once.
    pub(crate) is_complete: bool,
    pub(crate) n_vectors: u64,
    /// Sums of all rows, exact, so that the order of writing leaves no trace.
    pub(crate) sums: Vec<i64>,
}

/// How much the file of vectors lacks, and how much of it is out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unpacked {
    /// Pieces that are not in it.
    pub(crate) n_pieces: u64,
    /// Stretches of it that are gone.
    pub(crate) n_gone: u64,
}

/// Where stretches without vectors are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Among {
    /// Those of the batch that was written last, which are few.
    WrittenLast,
    /// Every one, which reads all texts and vectors.
    All,
}

/// Vectors of a stretch with what tells whether it may be shown.
pub(crate) struct VectorRow {
    pub(crate) key: i64,
    pub(crate) rows: Vec<u8>,
    pub(crate) source: Source,
    /// As it is written; later days are greater.
    pub(crate) day: Option<String>,
}

impl Store {
    /// Whose vectors there are.
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

    /// Writes whose vectors there are.
    pub(crate) fn put_embedder(&self, row: &EmbedderRow) -> Result<(), IndexError> {
        let sums: Vec<u8> = row.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let sql = "INSERT OR REPLACE INTO embedder VALUES (1, ?1, ?2, ?3, ?4, ?5)";
        let EmbedderRow {
            identity,
            dimensions,
            is_complete,
            n_vectors,
            ..
        } = row;
        let values = params![identity, dimensions, is_complete, n_vectors, sums];
        self.run(sql, values).map(drop)
    }

    /// Drops every vector.
    pub(crate) fn clear_vectors(&self) -> Result<(), IndexError> {
        self.connection
            .execute_batch(
                "DELETE FROM vectors; DELETE FROM vectors_new; DELETE FROM vectors_gone; DELETE FROM embedder;",
            )?;
        self.set_number(meta::PACK, 0)
    }

    /// Keys above `after` of stretches that have no vectors, at most `n_max`, in order.
    pub(crate) fn keys_without_vectors(
        &self,
        among: Among,
        after: i64,
        n_max: usize,
    ) -> Result<Vec<i64>, IndexError> {
        let sql = match among {
            Among::WrittenLast => {
                "SELECT key FROM intent WHERE key > ?1
                 AND EXISTS (SELECT 1 FROM stretches WHERE stretches.key = intent.key)
                 AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.key = intent.key)
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

    /// Writes the vectors of a stretch that has none, and counts them.
    pub(crate) fn put_vectors(
        &self,
        embedder: &mut EmbedderRow,
        key: i64,
        rows: &[u8],
    ) -> Result<(), IndexError> {
        self.run("INSERT INTO vectors VALUES (?1, ?2)", params![key, rows])?;
        self.run("INSERT OR IGNORE INTO vectors_new VALUES (?1)", [key])?;
        embedder.add(rows, 1);
        Ok(())
    }

    /// Removes the vectors of a stretch, if it has any, and counts them no more.
    pub(crate) fn remove_vectors(&self, key: i64) -> Result<(), IndexError> {
        let sql = "DELETE FROM vectors WHERE key = ?1 RETURNING rows";
        let rows: Option<Vec<u8>> = self.row(sql, [key], |row| row.get(0))?;
        if let Some((rows, mut embedder)) = rows.zip(self.embedder()?) {
            embedder.add(&rows, -1);
            self.put_embedder(&embedder)?;
            if self.run("DELETE FROM vectors_new WHERE key = ?1", [key])? == 0 {
                // The file of vectors holds them still.
                self.run("INSERT OR IGNORE INTO vectors_gone VALUES (?1)", [key])?;
            }
        }
        Ok(())
    }

    /// The vectors of a stretch.
    pub(crate) fn vectors(&self, key: i64) -> Result<Option<Vec<u8>>, IndexError> {
        let sql = "SELECT rows FROM vectors WHERE key = ?1";
        self.row(sql, [key], |row| row.get(0))
    }

    /// Gives the vectors of every stretch to `visit`, in the order of their keys.
    pub(crate) fn each_vectors(&self, visit: impl FnMut(VectorRow)) -> Result<(), IndexError> {
        self.visit_vectors(
            "SELECT vectors.key, rows, source, day FROM vectors JOIN stretches USING (key)
             ORDER BY vectors.key",
            visit,
        )
    }

    /// Gives the vectors that the file of vectors lacks to `visit`.
    pub(crate) fn each_new_vectors(&self, visit: impl FnMut(VectorRow)) -> Result<(), IndexError> {
        self.visit_vectors(
            "SELECT vectors.key, rows, source, day FROM vectors_new
             JOIN vectors USING (key) JOIN stretches USING (key)",
            visit,
        )
    }

    /// The stretches of the file of vectors that are gone, or have others now.
    pub(crate) fn gone_vectors(&self) -> Result<BTreeSet<i64>, IndexError> {
        self.rows("SELECT key FROM vectors_gone", [], |row| row.get(0))
    }

    /// What the file of vectors lacks.
    pub(crate) fn unpacked(&self) -> Result<Unpacked, IndexError> {
        let count =
            |sql: &str| Ok::<_, IndexError>(self.connection.query_one(sql, [], |row| row.get(0))?);
        Ok(Unpacked {
            n_pieces: count(
                "SELECT COALESCE(SUM(n_pieces), 0) FROM vectors_new JOIN stretches USING (key)",
            )?,
            n_gone: count("SELECT COUNT(*) FROM vectors_gone")?,
        })
    }

    /// Says that the file of this number holds every vector.
    pub(crate) fn put_pack(&self, number: u64) -> Result<(), IndexError> {
        self.connection
            .execute_batch("DELETE FROM vectors_new; DELETE FROM vectors_gone;")?;
        self.set_number(meta::PACK, number)?;
        self.set_number(meta::PACK_LAST, number)
    }

    fn visit_vectors(&self, sql: &str, mut visit: impl FnMut(VectorRow)) -> Result<(), IndexError> {
        let mut statement = self.connection.prepare_cached(sql)?;
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
}

impl EmbedderRow {
    /// The mean of all vectors.
    pub(crate) fn mean(&self) -> Vec<f32> {
        self.mean_of(0.0)
    }

    /// The mean of all vectors and so many of nothing.
    pub(crate) fn mean_of(&self, n_more: f64) -> Vec<f32> {
        let divisor = ((real(self.n_vectors) + n_more) * f64::from(SCALE)).max(1.0);
        let parts = self.sums.iter();
        let real_of = |sum: i64| real(sum.unsigned_abs()) * if sum < 0 { -1.0 } else { 1.0 };
        parts.map(|sum| single(real_of(*sum) / divisor)).collect()
    }

    /// Says how many numbers a vector has; there is none yet.
    pub(crate) fn measure(&mut self, dimensions: usize) {
        self.dimensions = dimensions;
        self.sums = vec![0; dimensions];
    }

    fn add(&mut self, rows: &[u8], sign: i64) {
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
    reason = "parts of vectors of length 1"
)]
fn single(value: f64) -> f32 {
    value as f32
}
