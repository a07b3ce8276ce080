//! Rewrites the pack once enough vectors have changed.
//!
//! Optional for answers: on any failure the store still holds every vector.

use std::io::ErrorKind;
use std::path::Path;

use base::Day;
use base::disk::replace_with;

use super::error::IndexError;
use super::open::Index;
use super::pack::{PackShape, PackedStretch, signs};
use super::schema::meta;
use super::vectors::{EmbedderRow, SCALE, VectorRow};

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
pub(super) fn repack(index: &Index, row: &EmbedderRow) -> Result<(), IndexError> {
    let changed = index.store.unpacked()?;
    let is_due = changed.n_pieces >= UNPACKED_MIN.max(row.n_vectors / SHARE_MIN);
    let is_worn = changed.n_gone > UNPACKED_MIN.max(row.n_vectors) / SHARE_MIN;
    if !is_due && !is_worn {
        return Ok(());
    }
    write_pack(index, row)
}

/// Writes the pack, then records it in the store.
pub(super) fn write_pack(index: &Index, row: &EmbedderRow) -> Result<(), IndexError> {
    let number = index.store.number(meta::PACK_LAST)? + 1;
    let path = index.directory.join(pack_name(number));
    let (entries, n_pieces) = entries(index, row.dimensions)?;
    let shape = PackShape {
        dimensions: row.dimensions,
        n_pieces,
        n_stretches: entries.len(),
    };
    let mean: Vec<f32> = row.mean();
    let mut unread = None;
    let written = replace_with(&*index.disk, &path, &mut |out| {
        // `replace_with` reports write errors at the end.
        let mut put = |bytes: &[u8]| out.write_all(bytes).unwrap_or_default();
        put(&shape.header());
        let read = each_row(index, row.dimensions, |bytes| {
            let parts = bytes.iter().zip(&mean);
            let parts = parts.map(|(byte, mean)| f32::from(byte.cast_signed()) / SCALE - mean);
            for word in signs(parts) {
                put(&word.to_le_bytes());
            }
        });
        let read = read.and_then(|()| each_row(index, row.dimensions, &mut put));
        for entry in &entries {
            put(&entry.to_bytes());
        }
        unread = read.err();
        let unread = unread.as_ref();
        unread.map_or(Ok(()), |_| Err(ErrorKind::Other.into()))
    });
    unread.map_or(Ok(()), Err)?;
    written?;
    index.store.write(|| index.store.put_pack(number))?;
    remove_others(index, number)
}

/// The stretches in key order, and their total number of pieces.
fn entries(index: &Index, dimensions: usize) -> Result<(Vec<PackedStretch>, usize), IndexError> {
    let mut entries = Vec::new();
    let mut first = 0;
    index.store.each_vectors(|found: VectorRow| {
        let day: Option<Day> = found.day.as_deref().and_then(|day| day.parse().ok());
        entries.push(PackedStretch::new(found.key, found.source, day, first));
        first += found.rows.len() / dimensions.max(1);
    })?;
    Ok((entries, first))
}

fn each_row(
    index: &Index,
    dimensions: usize,
    mut visit: impl FnMut(&[u8]),
) -> Result<(), IndexError> {
    index.store.each_vectors(|found: VectorRow| {
        let rows = found.rows.chunks_exact(dimensions.max(1));
        rows.for_each(&mut visit);
    })
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
