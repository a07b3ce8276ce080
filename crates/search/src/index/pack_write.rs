//! Moves vectors from the store into a new pack once enough have changed.
//!
//! A crash or failure before the store's transaction leaves the old pack and the store as they were.

use std::io::ErrorKind;
use std::path::Path;

use base::disk::replace_with;

use super::error::IndexError;
use super::index_vectors::IndexVectors;
use super::open::Index;
use super::pack::{PackShape, PackedStretch, signs};
use super::schema::meta;
use super::vectors::SCALE;

/// Up to this many vectors are read from the store quickly.
const UNPACKED_MIN: u64 = 16_384;

/// The pack is rewritten once 1 in this many vectors has changed, so that the cost stays proportional to what was
/// written.
const SHARE_MIN: u64 = 8;

/// The file name of a pack by number.
pub(super) fn pack_name(number: u64) -> String {
    format!("vectors-{number}.pack")
}

/// Rewrites the pack if enough has changed. The caller holds the writer's lock.
pub(super) fn repack(index: &Index) -> Result<(), IndexError> {
    if index.is_in_memory {
        return Ok(());
    }
    let Some(vectors) = index.vectors()? else {
        return Ok(());
    };
    let n_all = vectors.embedder.n_vectors;
    let n_new = n_all.saturating_sub(vectors.n_packed());
    let gone = vectors.packed.as_ref().map(|packed| packed.gone.len());
    let is_due = n_new >= UNPACKED_MIN.max(n_all / SHARE_MIN);
    let is_worn = gone.unwrap_or(0) as u64 > UNPACKED_MIN.max(n_all) / SHARE_MIN;
    if !is_due && !is_worn {
        return Ok(());
    }
    write_pack(index, &vectors)
}

/// Writes the pack, then moves its vectors out of the store.
pub(super) fn write_pack(index: &Index, vectors: &IndexVectors) -> Result<(), IndexError> {
    let number = index.store.number(meta::PACK_LAST)? + 1;
    let path = index.directory.join(pack_name(number));
    let (entries, n_pieces) = entries(index, vectors)?;
    let shape = PackShape {
        dimensions: vectors.embedder.dimensions,
        n_pieces,
        n_stretches: entries.len(),
    };
    let mean: Vec<f32> = vectors.embedder.mean();
    let each_row = |visit: &mut dyn FnMut(&[u8])| {
        vectors.each(&index.store, |_, rows| {
            rows.chunks_exact(vectors.row_bytes()).for_each(&mut *visit);
        })
    };
    let mut unread = None;
    let written = replace_with(&*index.disk, &path, &mut |out| {
        // `replace_with` reports write errors at the end.
        let mut put = |bytes: &[u8]| out.write_all(bytes).unwrap_or_default();
        put(&shape.header());
        let read = each_row(&mut |bytes| {
            let parts = bytes.iter().zip(&mean);
            let parts = parts.map(|(byte, mean)| f32::from(byte.cast_signed()) / SCALE - mean);
            for word in signs(parts) {
                put(&word.to_le_bytes());
            }
        });
        let read = read.and_then(|()| each_row(&mut put));
        for entry in &entries {
            put(&entry.to_bytes());
        }
        unread = read.err();
        let unread = unread.as_ref();
        unread.map_or(Ok(()), |_| Err(ErrorKind::Other.into()))
    });
    unread.map_or(Ok(()), Err)?;
    written?;
    index.store.put_pack(number)?;
    remove_others(index, number)?;
    index.store.shrink()
}

/// The stretches in key order, and their total number of pieces.
///
/// # Errors
///
/// [`IndexError::Damaged`] if the vectors differ from their sums: a new pack would be their only copy.
fn entries(
    index: &Index,
    vectors: &IndexVectors,
) -> Result<(Vec<PackedStretch>, usize), IndexError> {
    let mut entries = Vec::new();
    let mut first = 0;
    let mut counted = vectors.embedder.without_vectors();
    vectors.each(&index.store, |stretch, rows| {
        entries.push(PackedStretch { first, ..stretch });
        first += rows.len() / vectors.row_bytes();
        counted.add(rows, 1);
    })?;
    if counted != vectors.embedder {
        let reason = "its vectors differ from their sums";
        return Err(IndexError::Damaged(reason.into()));
    }
    Ok((entries, first))
}

/// Removes older packs; readers that have one mapped keep it.
fn remove_others(index: &Index, number: u64) -> Result<(), IndexError> {
    let present = pack_name(number);
    for name in index.disk.list(&index.directory)? {
        let is_pack = name.extension().is_some_and(|ending| ending == "pack");
        if is_pack && name != Path::new(&present) {
            index.disk.remove(&index.directory.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
