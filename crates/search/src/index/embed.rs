//! Embeds pieces without a vector, and reports how complete the vectors are.
//!
//! An embedder failure never fails a sync: pieces without a vector are found by words.

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile};

use super::error::IndexError;
use super::open::Index;
use super::pack_write::repack;
use super::schema::meta;
use super::store::WholeStretch;
use super::vectors::{Among, EmbedderRow, SCALE};

/// How many stretches are embedded at a time; their texts are in memory together.
const STRETCHES_MAX: usize = 64;

/// Which embedder's vectors the index holds, and whether all are present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedding {
    /// No embedder: search by words only.
    None,
    /// Some pieces have no vector of this embedder yet.
    Incomplete {
        /// The embedder's name.
        name: String,
        /// Pieces with a vector.
        n_done: u64,
        /// All pieces.
        n_total: u64,
    },
    /// Every piece has a vector; holds the embedder's name.
    Complete(String),
}

impl Index {
    /// The state of the vectors.
    pub fn embedding(&self) -> Result<Embedding, IndexError> {
        let Some(embedder) = &self.embedder else {
            return Ok(Embedding::None);
        };
        let profile = embedder.profile();
        let row = self.embedder_row()?;
        let row = row.filter(|row| row.identity == profile.identity);
        let n_total = self.store.number(meta::N_PIECES)?;
        let n_done = row.as_ref().map_or(0, |row| row.n_vectors);
        if n_done >= n_total && row.is_some_and(|row| row.is_complete) {
            return Ok(Embedding::Complete(profile.name));
        }
        Ok(Embedding::Incomplete {
            name: profile.name,
            n_done,
            n_total,
        })
    }
}

/// Embeds pieces without a vector, unless there are more than `n_pieces_max`. An embedder failure is returned as the
/// value, not as an error.
pub(crate) fn fill(index: &Index, n_pieces_max: u64) -> Result<Option<EmbedError>, IndexError> {
    let Some(embedder) = index.embedder.as_deref() else {
        return Ok(None);
    };
    match index.embedding()? {
        Embedding::Incomplete {
            n_done, n_total, ..
        } if n_total.saturating_sub(n_done) <= n_pieces_max => {}
        Embedding::None | Embedding::Incomplete { .. } | Embedding::Complete(..) => {
            return Ok(None);
        }
    }
    let _lock = index.lock_current()?;
    index.store.rollback()?;
    let mut row = row_of(index, embedder)?;
    for among in [Among::WrittenLast, Among::All] {
        if row.n_vectors < index.store.number(meta::N_PIECES)?
            && let Some(error) = fill_among(index, embedder, (&mut row, among))?
        {
            return Ok(Some(error));
        }
    }
    row.is_complete = true;
    index.store.write(|| index.store.put_embedder(&row))?;
    repack(index)?;
    Ok(None)
}

/// Embeds the stretches without vectors among these.
fn fill_among(
    index: &Index,
    embedder: &dyn Embedder,
    (row, among): (&mut EmbedderRow, Among),
) -> Result<Option<EmbedError>, IndexError> {
    let known = index.vectors()?;
    let is_packed = |key| {
        known
            .as_ref()
            .is_some_and(|known| known.packed_rows_of(key).is_some())
    };
    let mut after = i64::MIN;
    loop {
        let keys = index
            .store
            .keys_without_vectors(among, after, STRETCHES_MAX)?;
        let Some(last) = keys.last() else {
            return Ok(None);
        };
        after = *last;
        let mut stretches = Vec::with_capacity(keys.len());
        for key in keys.into_iter().filter(|key| !is_packed(*key)) {
            stretches.extend(index.store.whole_stretch(key)?);
        }
        if stretches.is_empty() {
            continue;
        }
        let vectors = match embed(embedder, &stretches) {
            Ok(vectors) => vectors,
            Err(error) => return Ok(Some(error)),
        };
        match vectors.first().map(Vec::len) {
            Some(n_found) if row.dimensions == 0 => row.measure(n_found),
            Some(n_found) if n_found != row.dimensions => {
                let change = (row.dimensions, n_found);
                return begin_anew(index, embedder, change).map(Some);
            }
            Some(_) | None => {}
        }
        write(index, row, &stretches, vectors)?;
    }
}

/// The row of this embedder; vectors of another one, or what a lost pack left, are dropped first.
fn row_of(index: &Index, embedder: &dyn Embedder) -> Result<EmbedderRow, IndexError> {
    let profile = embedder.profile();
    let found = index.embedder_row()?;
    let is_same = |row: &EmbedderRow| {
        let is_as_wide = profile.dimensions.is_none_or(|n| n == row.dimensions);
        row.identity == profile.identity && is_as_wide
    };
    match found.filter(is_same) {
        Some(row) => Ok(row),
        None => cleared(index, &profile),
    }
}

/// Drops all vectors and records the new embedder.
fn cleared(index: &Index, profile: &EmbedderProfile) -> Result<EmbedderRow, IndexError> {
    let mut row = EmbedderRow::default();
    row.identity.clone_from(&profile.identity);
    row.measure(profile.dimensions.unwrap_or(0));
    index.store.write(|| {
        index.store.clear_vectors()?;
        index.store.put_embedder(&row)
    })?;
    Ok(row)
}

/// Drops all vectors after a server changed their length under the same name; the next fill rebuilds them.
fn begin_anew(
    index: &Index,
    embedder: &dyn Embedder,
    (before, now): (usize, usize),
) -> Result<EmbedError, IndexError> {
    let profile = embedder.profile();
    cleared(index, &profile)?;
    Ok(EmbedError::Unusable {
        name: profile.name,
        reason: format!("{now} dimensions instead of {before}; all vectors will be rebuilt"),
    })
}

fn embed(embedder: &dyn Embedder, stretches: &[WholeStretch]) -> Result<Vec<Vec<u8>>, EmbedError> {
    let profile = embedder.profile();
    let texts = stretches.iter().flat_map(|whole| {
        let pieces = whole.record.pieces.iter();
        pieces.map(|piece| whole.texts.get(piece.text.clone()).unwrap_or(""))
    });
    let texts: Vec<&str> = texts.collect();
    let mut rows = Vec::with_capacity(texts.len());
    for batch in texts.chunks(profile.batch_max.max(1)) {
        let vectors = embedder.embed(EmbedRole::Passage, batch)?;
        let known = profile.dimensions.or(rows.first().map(Vec::len));
        let wide = known.or(vectors.first().map(Vec::len)).filter(|n| *n > 0);
        let is_sound = |vector: &Vec<f32>| {
            Some(vector.len()) == wide && vector.iter().all(|part| part.is_finite())
        };
        let is_as_asked = vectors.len() == batch.len() && vectors.iter().all(is_sound);
        if !is_as_asked {
            return Err(EmbedError::Unusable {
                name: profile.name,
                reason: format!("expected {} vectors of equal length", batch.len()),
            });
        }
        rows.extend(vectors.iter().map(|vector| as_bytes(vector)));
    }
    Ok(rows)
}

fn write(
    index: &Index,
    row: &mut EmbedderRow,
    stretches: &[WholeStretch],
    vectors: Vec<Vec<u8>>,
) -> Result<(), IndexError> {
    let mut vectors = vectors.into_iter();
    index.store.write(|| {
        for whole in stretches {
            let rows = vectors.by_ref().take(whole.record.pieces.len());
            let rows: Vec<u8> = rows.flatten().collect();
            index.store.put_vectors(row, whole.key, &rows)?;
        }
        index.store.put_embedder(row)
    })
}

/// A vector scaled to length [`SCALE`], as signed bytes.
pub(crate) fn as_bytes(vector: &[f32]) -> Vec<u8> {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    let scale = if length > 0.0 { SCALE / length } else { 0.0 };
    let bytes = vector.iter().map(|part| byte((part * scale).round()));
    bytes.map(i8::cast_unsigned).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to the range of a byte"
)]
fn byte(value: f32) -> i8 {
    value.clamp(-SCALE, SCALE) as i8
}
