//! Reads the notes of a source, and tells at sight which of them changed.
//!
//! Never lists a folder: which files are notes is known to the source alone.

use std::path::PathBuf;

use base::disk::{DiskError, FileStat, read_all};
use base::{Timestamp, content_hash};

use super::plan::{Found, UNSURE};
use crate::note_source::{NoteFile, NoteSource};
use crate::passage_source::Source;

/// Largest note in bytes that is indexed; it is held in memory while it is cut.
pub const NOTE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A file that was written this shortly before it was read may change again within the same tick of
/// the file system's clock; some tick in two seconds.
const SETTLED_AFTER: chrono::TimeDelta = chrono::TimeDelta::seconds(2);

/// A note as a row that is not written yet.
pub(crate) fn found(note: NoteFile) -> Found {
    Found {
        id: 0,
        source: Source::Memory,
        path: note.path,
        stamp: stamp(&note.stat),
        history: String::new(),
        n_bytes: note.stat.len,
    }
}

/// A note as it was read.
pub(crate) struct NoteContent {
    pub(crate) text: String,
    pub(crate) hash: String,
    pub(crate) stamp: String,
    pub(crate) n_bytes: u64,
}

/// Reads a note; bytes that are not UTF-8 become replacement characters.
pub(crate) fn read(
    notes: &dyn NoteSource,
    path: &str,
    now: Timestamp,
) -> Result<NoteContent, DiskError> {
    let disk = notes.disk();
    let full = notes.locate(path)?;
    let before = disk.stat(&full)?;
    let bytes = read_all(disk, &full, NOTE_BYTES_MAX)?;
    let after = disk.stat(&full)?;
    let hash = content_hash(&bytes);
    let n_bytes = bytes.len() as u64;
    let is_settled = before == after && before.is_some_and(|stat| is_settled(&stat, now));
    let stamp = before.as_ref().map(stamp).unwrap_or_default();
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    let mark = if is_settled { "" } else { UNSURE };
    Ok(NoteContent {
        text,
        hash,
        stamp: format!("{stamp}{mark}"),
        n_bytes,
    })
}

fn is_settled(stat: &FileStat, now: Timestamp) -> bool {
    stat.modified_at.is_some_and(|at| at + SETTLED_AFTER < now)
}

fn stamp(stat: &FileStat) -> String {
    let at = stat
        .modified_at
        .map(|at| format!("{}.{:09}", at.timestamp(), at.timestamp_subsec_nanos()));
    format!("{}:{}", stat.len, at.unwrap_or_default())
}

/// What a file's name says besides a date.
pub(crate) fn title(path: &str) -> String {
    let name = PathBuf::from(path)
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let words = base::words(&name).filter(|word| word.chars().any(char::is_alphabetic));
    words.collect::<Vec<_>>().join(" ")
}
