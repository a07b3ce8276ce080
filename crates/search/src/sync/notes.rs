//! Reads notes, and detects changes by their file metadata.
//!
//! Never lists a folder: only the source knows which files are notes.

use std::path::Path;

use base::disk::{DiskError, FileStat, read_all};
use base::{Origin, Timestamp, content_hash};

use super::plan::{FoundFile, UNSURE};
use crate::index::FileRow;
use crate::note_source::{NoteFile, NoteSource};
use crate::passage_source::Source;

/// Largest note that is indexed, in bytes; it is held in memory while being cut.
pub const NOTE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A file modified this shortly before it was read may change again within one tick of the file system clock; some tick
/// only every two seconds.
const SETTLED_AFTER: chrono::TimeDelta = chrono::TimeDelta::seconds(2);

/// The row of a note, before it is written.
pub(crate) fn found(note: NoteFile) -> FoundFile {
    FoundFile {
        id: 0,
        source: Source::Memory,
        path: note.path,
        stamp: format!("{}{}", of_origin(note.origin), stamp(&note.stat)),
        history: of_origin(note.origin).to_owned(),
        n_bytes: note.stat.len,
    }
}

/// The beginning of the stamp and the history of a note with lines of this origin, so that the note is read again if
/// its source changes that origin.
fn of_origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Owner => "",
        Origin::Agent => "agent:",
        Origin::Untrusted => "untrusted:",
        Origin::System => "system:",
    }
}

/// Reads a note; returns its row and its bytes.
pub(crate) fn read(
    notes: &dyn NoteSource,
    found: &FoundFile,
    now: Timestamp,
) -> Result<(FileRow, Vec<u8>), DiskError> {
    let disk = notes.disk();
    let full = notes.locate(&found.path)?;
    let before = disk.stat(&full)?;
    let bytes = read_all(disk, &full, NOTE_BYTES_MAX)?;
    let after = disk.stat(&full)?;
    let origin = &found.history;
    let history = format!("{origin}{}", content_hash(&bytes));
    let n_bytes = bytes.len() as u64;
    let is_settled = before == after && before.is_some_and(|stat| is_settled(&stat, now));
    let stamp = before.as_ref().map(stamp).unwrap_or_default();
    let mark = if is_settled { "" } else { UNSURE };
    let row = FileRow {
        stamp: format!("{origin}{stamp}{mark}"),
        history,
        n_bytes,
        ..found.clone()
    };
    Ok((row, bytes))
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

/// The words in a file name, without a date.
pub(crate) fn title(path: &str) -> String {
    let name = Path::new(path).file_stem().unwrap_or_default();
    let name = name.to_string_lossy();
    let words = base::words(&name).filter(|word| word.chars().any(char::is_alphabetic));
    words.collect::<Vec<_>>().join(" ")
}
