//! The pieces of text that a proof looks for, and how they are found in bytes.
//!
//! Knows nothing of files.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, BuildError};
use base::disk::{DiskError, ReadAt};
use base::sentences;

/// Shorter pieces occur by chance.
pub(crate) const PIECE_CHARS_MIN: usize = 8;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 1024 * 1024;

/// What a proof looks for: sentences, as they are and as JSON writes them, in upper or lower case of ASCII.
#[derive(Debug)]
pub struct Sought {
    n_pieces: usize,
    n_short: usize,
    n_bytes_max: usize,
    finder: Option<AhoCorasick>,
}

/// Where a file has what was sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// The number of places.
    pub(super) n_places: usize,
    /// The line of the first one, from 1.
    pub(super) first_line: usize,
}

impl Sought {
    /// The long sentences of these texts.
    ///
    /// # Errors
    ///
    /// [`BuildError`] if there are too many.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, BuildError> {
        let (pieces, short) = split(texts);
        let written: BTreeSet<Vec<u8>> = pieces.iter().flat_map(|it| forms(it)).collect();
        let n_bytes_max = written.iter().map(Vec::len).max().unwrap_or_default();
        let finder = (!written.is_empty()).then(|| {
            let mut finder = AhoCorasick::builder();
            finder.ascii_case_insensitive(true).build(&written)
        });
        Ok(Self {
            n_pieces: pieces.len(),
            n_short: short.len(),
            n_bytes_max,
            finder: finder.transpose()?,
        })
    }

    /// The number of pieces.
    pub fn n_pieces(&self) -> usize {
        self.n_pieces
    }

    /// The number of sentences that are too short to be looked for.
    pub fn n_short(&self) -> usize {
        self.n_short
    }

    /// Reads a whole file; `None` if it has nothing of it. Passes the number of bytes read to `read`.
    pub(super) fn in_file(
        &self,
        file: &dyn ReadAt,
        read: &mut u64,
    ) -> Result<Option<Found>, DiskError> {
        let mut found: Option<Found> = None;
        let mut held: Vec<u8> = Vec::new();
        let (mut offset, mut n_lines) = (0_u64, 0_usize);
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let n_read = file.read_at(offset, &mut chunk)?;
            if n_read == 0 {
                break;
            }
            offset += n_read as u64;
            *read += n_read as u64;
            let n_kept = held.len();
            held.extend_from_slice(chunk.get(..n_read).unwrap_or_default());
            let matches = self.finder.iter().flat_map(|it| it.find_iter(&held));
            // A match that ends in what was kept was counted before.
            for own in matches.filter(|own| own.end() > n_kept) {
                let before = held.get(..own.start()).unwrap_or_default();
                let line = n_lines + memchr::memchr_iter(b'\n', before).count() + 1;
                let known = found.get_or_insert(Found {
                    n_places: 0,
                    first_line: line,
                });
                known.n_places += 1;
            }
            let n_gone = held.len().saturating_sub(self.n_bytes_max);
            n_lines += memchr::memchr_iter(b'\n', held.get(..n_gone).unwrap_or_default()).count();
            held.drain(..n_gone);
        }
        Ok(found)
    }
}

/// The long sentences of these texts without their marks at the end.
pub(crate) fn pieces_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeSet<String> {
    split(texts).0
}

/// The long and the short sentences of these texts, without their marks at the end.
fn split<'t>(texts: impl IntoIterator<Item = &'t str>) -> (BTreeSet<String>, BTreeSet<String>) {
    let lines = texts.into_iter().flat_map(str::lines);
    let all = lines.flat_map(sentences).map(str::trim);
    let all = all.filter(|it| it.chars().any(char::is_alphanumeric));
    all.map(|it| without_end(it).to_owned())
        .partition(|it| is_long(it))
}

fn is_long(piece: &str) -> bool {
    piece.chars().count() >= PIECE_CHARS_MIN
}

/// A sentence without its marks at the end, since a note may lack them.
fn without_end(sentence: &str) -> &str {
    let plain = sentence.trim_end_matches(|it: char| !it.is_alphanumeric());
    if is_long(plain) { plain } else { sentence }
}

/// The bytes of a piece: as it is, as JSON writes it, and as JSON in ASCII writes it.
fn forms(piece: &str) -> [Vec<u8>; 3] {
    let json = serde_json::Value::from(piece).to_string();
    let inner = json.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let inner = inner.unwrap_or(piece);
    let mut ascii = String::with_capacity(inner.len());
    for character in inner.chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            ascii.extend(units.map(|unit| format!("\\u{unit:04x}")));
        }
    }
    [piece.into(), inner.into(), ascii.into()]
}
