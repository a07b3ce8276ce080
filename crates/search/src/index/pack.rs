//! The pack: a memory-mapped file with the vectors of many stretches, signs first for a quick scan, then the rows.
//!
//! Immutable: the store lists what changed since; [`super::index_vectors`] joins both.

use std::ops::Range;
use std::path::Path;

use base::Day;
use pulp::Arch;
use tantivy::TantivyError;
use tantivy::directory::error::OpenReadError;
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use super::IndexError;
use super::schema::{day_number, day_of};
use crate::passage_source::Source;

/// A mapped pack.
#[derive(Debug)]
pub(crate) struct Pack {
    bytes: OwnedBytes,
    shape: PackShape,
}

/// Whether a stretch may be shown.
pub(crate) type ShownFilter<'s> = dyn Fn(&PackedStretch) -> bool + Sync + 's;

/// Maximum number of pieces that one thread scans alone.
const PART_PIECES_MAX: usize = 262_144;

/// Pieces per block of distances; a block fits into the CPU cache.
const BLOCK_PIECES: usize = 4_096;

/// Distances that are skipped as a group if none is near.
const FEW: usize = 16;

/// Result of scanning a part of the pack.
struct ScannedPart {
    /// Candidates for the nearest pieces.
    seen: Vec<NearPiece>,
    /// Histogram of the candidates' distances.
    n_of: Vec<usize>,
}

/// A piece with its Hamming distance.
struct NearPiece {
    piece: usize,
    key: i64,
    distance: i16,
}

impl ScannedPart {
    fn add(&mut self, distance: i16, piece: usize, key: Option<i64>) {
        if let (Some(key), Some(n)) = (key, self.n_of.get_mut(index(distance))) {
            *n += 1;
            self.seen.push(NearPiece {
                piece,
                key,
                distance,
            });
        }
    }
}

/// Maps ascending pieces to their stretches.
struct Cursor<'p> {
    pack: &'p Pack,
    /// Number of the current stretch, and the end of its pieces.
    number: usize,
    end: usize,
    /// Its key, if it may be shown.
    key: Option<i64>,
    /// Whether `key` has been computed.
    is_known: bool,
}

impl<'p> Cursor<'p> {
    fn new(pack: &'p Pack, number: usize) -> Self {
        Self {
            pack,
            number,
            end: pack.first_of(number + 1),
            key: None,
            is_known: false,
        }
    }

    /// The key of the piece's stretch, if it may be shown; pieces must be ascending.
    fn at(&mut self, piece: usize, shown: &ShownFilter<'_>) -> Option<i64> {
        while piece >= self.end {
            self.number += 1;
            self.is_known = false;
            self.end = self.pack.first_of(self.number + 1);
        }
        if !self.is_known {
            let entry = self.pack.entry(self.number).filter(|entry| shown(entry));
            self.key = entry.map(|entry| entry.key);
            self.is_known = true;
        }
        self.key
    }
}

/// The header of the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackShape {
    pub(super) dimensions: usize,
    pub(super) n_pieces: usize,
    pub(super) n_stretches: usize,
}

/// The entry of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedStretch {
    pub(crate) key: i64,
    pub(crate) source: Option<Source>,
    /// The day as a number: most searches need none, and a [`Day`] costs more to build than the rest of the entry.
    pub(super) day: i32,
    /// Index of its first piece.
    pub(super) first: usize,
}

/// A candidate for exact comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NearCandidate<'p> {
    pub(crate) key: i64,
    pub(crate) row: &'p [u8],
}

const MAGIC: &[u8; 8] = b"OCPACK01";
const HEADER_BYTES: usize = 32;
const ENTRY_BYTES: usize = 24;

/// Above every real distance.
const NEVER: i16 = i16::MAX;

impl PackShape {
    /// 64-bit words of signs per piece.
    pub(super) fn n_words(self) -> usize {
        self.dimensions.div_ceil(64)
    }

    pub(super) fn header(self) -> Vec<u8> {
        let mut header = MAGIC.to_vec();
        for number in [self.dimensions, self.n_pieces, self.n_stretches] {
            header.extend_from_slice(&(number as u64).to_le_bytes());
        }
        header
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (numbers, _) = bytes.strip_prefix(MAGIC)?.as_chunks::<8>();
        let number = |idx: usize| usize::try_from(u64::from_le_bytes(*numbers.get(idx)?)).ok();
        let shape = Self {
            dimensions: number(0)?,
            n_pieces: number(1)?,
            n_stretches: number(2)?,
        };
        (shape.n_bytes()? == bytes.len()).then_some(shape)
    }

    fn signs_end(self) -> Option<usize> {
        let signs = self.n_pieces.checked_mul(self.n_words())?.checked_mul(8)?;
        signs.checked_add(HEADER_BYTES)
    }

    fn rows_end(self) -> Option<usize> {
        let rows = self.n_pieces.checked_mul(self.dimensions)?;
        self.signs_end()?.checked_add(rows)
    }

    fn n_bytes(self) -> Option<usize> {
        let entries = self.n_stretches.checked_mul(ENTRY_BYTES)?;
        self.rows_end()?.checked_add(entries)
    }
}

impl PackedStretch {
    pub(super) fn new(key: i64, source: Source, day: Option<Day>, first: usize) -> Self {
        Self {
            key,
            source: Some(source),
            day: day_number(day),
            first,
        }
    }

    /// Its day, if known.
    pub(crate) fn day(&self) -> Option<Day> {
        day_of(self.day)
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let source = self.source.map_or(u32::MAX, |source| source as u32);
        let mut bytes = self.key.to_le_bytes().to_vec();
        bytes.extend((self.first as u64).to_le_bytes());
        bytes.extend(self.day.to_le_bytes());
        bytes.extend(source.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (key, rest) = bytes.split_first_chunk::<8>()?;
        let (first, rest) = rest.split_first_chunk::<8>()?;
        let (day, rest) = rest.split_first_chunk::<4>()?;
        let (source, _) = rest.split_first_chunk::<4>()?;
        Some(Self {
            key: i64::from_le_bytes(*key),
            source: Source::from_number(u32::from_le_bytes(*source).into()),
            day: i32::from_le_bytes(*day),
            first: usize::try_from(u64::from_le_bytes(*first)).ok()?,
        })
    }
}

impl Pack {
    /// Maps a file; `None` if it is missing or not a valid pack.
    ///
    /// # Errors
    ///
    /// [`IndexError`] if it cannot be opened now, for instance because too many files are open.
    pub(crate) fn open(directory: &Path, name: &str) -> Result<Option<Self>, IndexError> {
        let directory = MmapDirectory::open(directory).map_err(TantivyError::from)?;
        let file = match directory.open_read(Path::new(name)) {
            Err(OpenReadError::FileDoesNotExist(_)) => return Ok(None),
            opened => opened.map_err(TantivyError::from)?,
        };
        let bytes = file.read_bytes().map_err(TantivyError::from)?;
        let shape = PackShape::read(&bytes);
        Ok(shape.map(|shape| Self { bytes, shape }))
    }

    /// Whether scanning it is long enough to be worth a thread.
    pub(crate) fn is_long(&self) -> bool {
        self.shape.n_pieces > PART_PIECES_MAX
    }

    /// Length of a vector.
    pub(crate) fn dimensions(&self) -> usize {
        self.shape.dimensions
    }

    /// The pieces with the smallest Hamming distance to `signs`, about `n_max` of them.
    ///
    /// Skips stretches that are not `shown`.
    pub(crate) fn nearest(
        &self,
        signs: &[u64],
        n_max: usize,
        shown: &ShownFilter<'_>,
    ) -> Result<Vec<NearCandidate<'_>>, IndexError> {
        let mut n_parts = self.shape.n_pieces.div_ceil(PART_PIECES_MAX).max(1);
        // Asking for the number of CPUs reads files, which takes longer than a short scan.
        if n_parts > 1 {
            n_parts = n_parts.min(std::thread::available_parallelism().map_or(1, usize::from));
        }
        let part_len = self.shape.n_stretches.div_ceil(n_parts).max(1);
        let look = |part: usize| {
            let entries = part * part_len..((part + 1) * part_len).min(self.shape.n_stretches);
            self.look(entries, (signs, n_max), shown)
        };
        let looks: Vec<ScannedPart> = std::thread::scope(|scope| {
            let others = (1..n_parts).map(|part| scope.spawn(move || look(part)));
            let others: Vec<_> = others.collect();
            let first = look(0);
            let others = others.into_iter().map(|other| {
                other.join().map_err(|_| {
                    IndexError::Damaged("a part of its vectors cannot be searched".into())
                })
            });
            std::iter::once(Ok(first))
                .chain(others)
                .collect::<Result<_, _>>()
        })?;
        let mut n_of = vec![0; self.shape.n_words() * 64 + 1];
        for look in &looks {
            for (sum, n) in n_of.iter_mut().zip(&look.n_of) {
                *sum += n;
            }
        }
        let farthest = farthest_of(&n_of, n_max);
        let seen = looks.iter().flat_map(|look| &look.seen);
        let near = seen.filter(|seen| seen.distance <= farthest);
        let near = near.map(|seen| NearCandidate {
            key: seen.key,
            row: self.row(seen.piece),
        });
        Ok(near.collect())
    }

    /// Scans the signs of a range of stretches, by number.
    fn look(
        &self,
        entries: Range<usize>,
        (signs, n_max): (&[u64], usize),
        shown: &ShownFilter<'_>,
    ) -> ScannedPart {
        let (first, end) = (self.first_of(entries.start), self.first_of(entries.end));
        let piece_bytes = self.shape.n_words() * 8;
        let start = HEADER_BYTES + first * piece_bytes;
        let all = self.part(start..start + end.saturating_sub(first) * piece_bytes);
        let mut look = ScannedPart {
            seen: Vec::new(),
            n_of: vec![0; self.shape.n_words() * 64 + 1],
        };
        let mut cursor = Cursor::new(self, entries.start);
        // Pieces farther than this cannot be among the nearest: enough nearer ones were seen.
        let mut farthest = NEVER - 1;
        let mut piece = first;
        for block in all.chunks((BLOCK_PIECES * piece_bytes).max(1)) {
            let distances = distances(block, signs);
            for few in distances.chunks(FEW) {
                // A fold over signed integers vectorises.
                let least = few
                    .iter()
                    .fold(NEVER, |least, distance| least.min(*distance));
                if least <= farthest {
                    let near = few
                        .iter()
                        .zip(piece..)
                        .filter(|(distance, _)| **distance <= farthest);
                    for (distance, piece) in near {
                        look.add(*distance, piece, cursor.at(piece, shown));
                    }
                }
                piece += few.len();
            }
            farthest = farthest_of(&look.n_of, n_max);
        }
        look
    }

    /// The number of all pieces.
    pub(super) fn n_pieces(&self) -> usize {
        self.shape.n_pieces
    }

    /// The stretches in key order, with their concatenated vectors.
    pub(super) fn stretches(&self) -> impl Iterator<Item = (PackedStretch, &[u8])> {
        (0..self.shape.n_stretches).filter_map(|number| {
            let stretch = self.entry(number)?;
            Some((stretch, self.rows_at(number)))
        })
    }

    /// The concatenated vectors of a stretch by its number.
    fn rows_at(&self, number: usize) -> &[u8] {
        let (first, end) = (self.first_of(number), self.first_of(number + 1));
        self.part(self.row_start(first)..self.row_start(end))
    }

    /// The concatenated vectors of a stretch.
    pub(crate) fn rows_of(&self, key: i64) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.shape.n_stretches);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.entry(low).filter(|entry| entry.key == key)?;
        Some(self.rows_at(low))
    }

    fn row(&self, piece: usize) -> &[u8] {
        let start = self.row_start(piece);
        self.part(start..start + self.shape.dimensions)
    }

    fn row_start(&self, piece: usize) -> usize {
        self.shape.signs_end().unwrap_or(0) + piece * self.shape.dimensions
    }

    /// A stretch by its number in key order.
    fn entry(&self, number: usize) -> Option<PackedStretch> {
        let start = self.shape.rows_end()? + number * ENTRY_BYTES;
        PackedStretch::read(self.bytes.get(start..start + ENTRY_BYTES)?)
    }

    /// The first piece of a stretch by number; past the last stretch, the number of pieces.
    fn first_of(&self, number: usize) -> usize {
        let number = Some(number).filter(|number| *number < self.shape.n_stretches);
        let entry = number.and_then(|number| self.entry(number));
        // Clamp: the file may be corrupt.
        let n_pieces = self.shape.n_pieces;
        entry.map_or(n_pieces, |entry| entry.first.min(n_pieces))
    }

    fn part(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }
}

/// The signs of some numbers, 64 per word; a set bit is a number above 0.
pub(crate) fn signs(numbers: impl Iterator<Item = f32>) -> Vec<u64> {
    let mut words = Vec::new();
    for (idx, number) in numbers.enumerate() {
        if idx % 64 == 0 {
            words.push(0);
        }
        if let Some(word) = words.last_mut() {
            *word |= u64::from(number > 0.0) << (idx % 64);
        }
    }
    words
}

/// Hamming distance of each piece to `signs`.
fn distances(pieces: &[u8], signs: &[u64]) -> Vec<i16> {
    if let [first, second] = signs {
        // The usual length, 128 dimensions, vectorises.
        let (pieces, _) = pieces.as_chunks::<16>();
        let differing = |piece: &[u8; 16]| {
            let words =
                u128::from_le_bytes(*piece) ^ (u128::from(*second) << 64 | u128::from(*first));
            n_set(words)
        };
        return Arch::new().dispatch(|| pieces.iter().map(differing).collect());
    }
    let pieces = pieces.chunks_exact((signs.len() * 8).max(1));
    pieces.map(|piece| distance(piece, signs)).collect()
}

fn distance(piece: &[u8], signs: &[u64]) -> i16 {
    let words = piece.chunks_exact(8).zip(signs);
    let differing = words.map(|(bytes, asked)| {
        let word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        (word ^ asked).count_ones()
    });
    i16::try_from(differing.sum::<u32>()).unwrap_or(NEVER)
}

/// The number of set bits.
fn n_set(bits: u128) -> i16 {
    let low = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).unwrap_or(0);
    let half = |bits: u128| low(bits).count_ones();
    i16::try_from(half(bits) + half(bits >> 64)).unwrap_or(NEVER)
}

/// A distance as an index; it is never negative.
fn index(distance: i16) -> usize {
    usize::try_from(distance).unwrap_or(0)
}

/// The distance within which about `n_max` lie, given the histogram of distances.
fn farthest_of(n_of: &[usize], n_max: usize) -> i16 {
    let mut n_within = 0;
    for (distance, n) in n_of.iter().enumerate() {
        n_within += n;
        if n_within >= n_max {
            return i16::try_from(distance).unwrap_or(NEVER - 1);
        }
    }
    NEVER - 1
}

#[cfg(test)]
#[path = "pack_look_tests.rs"]
mod tests;
