//! The records in memory, found by mark.
//!
//! Reads the file whole but parses only the records that are asked for: a home may have a hundred thousand.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use base::Disk;
use base::disk::{FileStat, read_some};

use super::legacy::{is_mark, records_of};
use super::record::{NoteRecord, ToldRecord};
use crate::note_text::RecordSource;
use crate::workspace::Workspace;

/// Size limit of the file in bytes.
pub(super) const LEDGER_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Size limit of the copy that earlier versions kept, in bytes.
const COPY_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// How much of the end of the known records must still be on disk, so that what follows it was appended.
const COMPARED_BYTES: usize = 4 * 1024;

/// Maximum number of appended bytes that are read; a file that grew more is read again from the start.
const GROWTH_BYTES_MAX: usize = 1024 * 1024;

/// The start of every record.
const START: &[u8] = b"{\"id\":\"";

/// All records: those of the file, and some that are not in it yet.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    file: Arc<LedgerFile>,
    /// Newest last.
    unwritten: Vec<NoteRecord>,
}

/// The records on disk, which may be many: only those that are asked for are parsed.
#[derive(Clone, Default)]
struct LedgerFile {
    bytes: Vec<u8>,
    /// Each mark with the start of its line, sorted.
    places: Vec<(u32, usize)>,
    /// Lines that are not records.
    n_damaged: usize,
    /// The file as it was read.
    stat: Option<FileStat>,
    /// What earlier versions kept about `MEMORY.md`, in the syntax of a comment at the end of a line.
    copy: BTreeMap<String, String>,
}

impl fmt::Debug for Ledger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Ledger of {} marks", self.file.places.len())
    }
}

impl LedgerFile {
    /// Finds the lines of `bytes`; a last line without its end was never acknowledged and does not count.
    fn of(bytes: Vec<u8>) -> Self {
        let mut file = Self {
            bytes,
            ..Self::default()
        };
        file.find_records((0, 0));
        file
    }

    /// Adds the bytes that were appended since the file was read.
    fn grow(&mut self, bytes: &[u8]) {
        let from = (self.n_whole_bytes(), self.bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.find_records(from);
    }

    /// Finds the records from the line at `start` on; the first line end is not before `first`.
    fn find_records(&mut self, (mut start, first): (usize, usize)) {
        let rest = self.bytes.get(first..).unwrap_or_default();
        let mut new = Vec::new();
        for end in memchr::memchr_iter(b'\n', rest).map(|end| first + end) {
            let line = self.bytes.get(start..end).unwrap_or_default();
            match mark_of(line) {
                Some(mark) => new.push((mark, start)),
                None if line.is_empty() => {}
                None => self.n_damaged += 1,
            }
            start = end + 1;
        }
        if self.places.is_empty() {
            new.sort_unstable();
            self.places = new;
            return;
        }
        for place in new {
            let at = self.places.partition_point(|known| *known < place);
            self.places.insert(at, place);
        }
    }

    /// The length of all lines with an end.
    fn n_whole_bytes(&self) -> usize {
        memchr::memrchr(b'\n', &self.bytes).map_or(0, |end| end + 1)
    }

    /// Reads what was appended to the file on disk since; `false` if it may have changed otherwise.
    fn read_on(&mut self, disk: &dyn Disk, path: &Path, stat: Option<FileStat>) -> bool {
        let n_known = self.bytes.len() as u64;
        let Some(stat) = stat.filter(|stat| stat.len > n_known && stat.len <= LEDGER_BYTES_MAX)
        else {
            return false;
        };
        let n_compared = self.bytes.len().min(COMPARED_BYTES);
        let n_new = usize::try_from(stat.len - n_known).unwrap_or(usize::MAX);
        if n_compared == 0 || n_new > GROWTH_BYTES_MAX {
            return false;
        }
        let mut read = vec![0; n_compared + n_new];
        let n_read = disk
            .open(path)
            .and_then(|file| file.read_at(n_known - n_compared as u64, &mut read));
        let is_whole = n_read.is_ok_and(|n_read| n_read == read.len());
        match read.split_at_checked(n_compared) {
            Some((known, new)) if is_whole && self.bytes.ends_with(known) => {
                self.grow(new);
                self.stat = Some(stat);
                true
            }
            Some(_) | None => false,
        }
    }

    /// The records of a mark, newest first.
    fn all_of(&self, mark: &str) -> impl Iterator<Item = NoteRecord> {
        let own = number(mark.as_bytes());
        let first = self.places.partition_point(|(mark, _)| Some(*mark) < own);
        let places = self.places.get(first..).unwrap_or_default();
        let n_places = places.partition_point(|(mark, _)| Some(*mark) == own);
        let places = places.iter().take(n_places).rev();
        places.filter_map(|(_, start)| {
            let rest = self.bytes.get(*start..)?;
            let end = memchr::memchr(b'\n', rest)?;
            parsed(rest.get(..end)?)
        })
    }
}

impl Ledger {
    #[cfg(test)]
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        Self {
            file: Arc::new(LedgerFile::of(bytes)),
            unwritten: Vec::new(),
        }
    }

    /// The same with records that are not in the file yet.
    pub(crate) fn with(&self, records: &[NoteRecord]) -> Self {
        let mut ledger = self.clone();
        ledger.unwritten.extend_from_slice(records);
        ledger
    }

    /// What earlier versions kept about `MEMORY.md`, by mark, in the syntax of a comment at the end of a line.
    pub(super) fn copy(&self) -> &BTreeMap<String, String> {
        &self.file.copy
    }

    /// The length of all lines of the file with an end.
    pub(super) fn n_whole_bytes(&self) -> usize {
        self.file.n_whole_bytes()
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.file.bytes.len()
    }

    pub(super) fn n_damaged(&self) -> usize {
        self.file.n_damaged
    }

    /// All records of the file, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = NoteRecord> {
        let whole = self.file.bytes.get(..self.n_whole_bytes());
        let lines = whole.unwrap_or_default().split(|byte| *byte == b'\n');
        lines.filter_map(parsed)
    }

    /// The records of a mark in the file, newest first.
    pub(super) fn all_of(&self, mark: &str) -> impl Iterator<Item = NoteRecord> {
        self.file.all_of(mark)
    }

    /// The newest record of a line of `file`: with its mark and text, if possible from this file; else with its mark.
    pub(super) fn find(
        &self,
        file: &str,
        mark: &str,
        hash: &str,
    ) -> Option<(NoteRecord, RecordSource)> {
        let rank = |record: &NoteRecord| (record.hash == hash, record.file == file);
        let unwritten = self.unwritten.iter().rev().filter(|own| own.id == mark);
        let unwritten = unwritten.map(|own| (own.clone(), RecordSource::Unwritten));
        let written = self.file.all_of(mark);
        let written = written.map(|own| (own, RecordSource::Ledger));
        let mut best: Option<(NoteRecord, RecordSource)> = None;
        for found in unwritten.chain(written) {
            let is_better = |(best, _): &(NoteRecord, _)| rank(&found.0) > rank(best);
            if best.as_ref().is_none_or(is_better) {
                best = Some(found);
            }
        }
        best
    }

    /// The newest record of a mark in `file`, in the ledger on disk.
    pub(crate) fn in_file(&self, file: &str, mark: &str) -> Option<NoteRecord> {
        self.file.all_of(mark).find(|record| record.file == file)
    }

    /// The tellings of the promise with this mark in `file`, newest first.
    pub(crate) fn told(&self, file: &str, mark: &str) -> Vec<ToldRecord> {
        let own = self.file.all_of(mark).filter(|record| record.file == file);
        own.filter_map(|record| record.told).collect()
    }

    /// The records of a session in `file` whose flush began with this entry.
    pub(crate) fn begun_at(&self, file: &str, session: &str, first: &str) -> Vec<NoteRecord> {
        let bytes = &self.file.bytes;
        let needle = serde_json::to_string(session).unwrap_or_default();
        let needle = format!("\"session\":{needle}");
        let mut found: Vec<NoteRecord> = Vec::new();
        for at in memchr::memmem::find_iter(bytes, needle.as_bytes()) {
            let (before, behind) = bytes.split_at_checked(at).unwrap_or_default();
            let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
            let Some(end) = memchr::memchr(b'\n', behind).map(|end| at + end) else {
                continue;
            };
            let record = bytes.get(start..end).and_then(parsed);
            found.extend(record.filter(|record| {
                let begins = record.span.as_ref().is_some_and(|(own, _)| own == first);
                begins && record.file == file && record.session.as_deref() == Some(session)
            }));
        }
        found
    }

    /// The files of the records that follow the first `n_bytes` of the file; `None` if no record begins there.
    pub(crate) fn files_behind(&self, n_bytes: u64) -> Option<Vec<String>> {
        let start = usize::try_from(n_bytes).ok()?;
        let (before, behind) = self.file.bytes.split_at_checked(start)?;
        let is_between = before.is_empty() || before.ends_with(b"\n");
        let lines = behind.split(|byte| *byte == b'\n');
        let files = lines.filter_map(parsed).map(|record| record.file);
        is_between.then(|| files.collect())
    }
}

impl Workspace {
    /// What is known about the lines of ours, as of now.
    ///
    /// Nothing is known about a record that cannot be read: its line is the assistant's, and `doctor` reports it.
    pub(crate) fn ledger(&self) -> Arc<Ledger> {
        let path = self.layout().note_records();
        let stat = self.disk().stat(&path).unwrap_or_default();
        let mut cached = self
            .ledger_cache()
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cached.as_ref().filter(|known| known.file.stat == stat) {
            return Arc::clone(known);
        }
        if let Some(known) = cached.take()
            && let Some(grown) = grown(known, |file| file.read_on(self.disk(), &path, stat))
        {
            *cached = Some(Arc::clone(&grown));
            return grown;
        }
        let read = read_some(self.disk(), &path, LEDGER_BYTES_MAX);
        let bytes = read.unwrap_or_default().unwrap_or_default();
        let copy = read_some(self.disk(), &self.layout().memory_records(), COPY_BYTES_MAX);
        let copy = copy.unwrap_or_default().unwrap_or_default();
        let file = LedgerFile {
            stat,
            copy: records_of(&String::from_utf8_lossy(&copy)),
            ..LedgerFile::of(bytes)
        };
        let ledger = Arc::new(Ledger {
            file: Arc::new(file),
            unwritten: Vec::new(),
        });
        *cached = Some(Arc::clone(&ledger));
        ledger
    }
}

/// The records with what was appended to their file since; `None` if `read_on` says that the file must be read again
/// from the start.
fn grown(
    mut known: Arc<Ledger>,
    read_on: impl FnOnce(&mut LedgerFile) -> bool,
) -> Option<Arc<Ledger>> {
    // Copied only if somebody still uses the records as they were.
    let file = &mut Arc::make_mut(&mut known).file;
    read_on(Arc::make_mut(file)).then_some(known)
}

/// The mark at the start of a record.
fn mark_of(line: &[u8]) -> Option<u32> {
    let rest = line.strip_prefix(START)?;
    let (mark, behind) = rest.split_at_checked(8)?;
    let is_whole = behind.starts_with(b"\",") && line.ends_with(b"}");
    number(mark).filter(|_| is_whole)
}

fn number(mark: &[u8]) -> Option<u32> {
    let mark = std::str::from_utf8(mark)
        .ok()
        .filter(|mark| is_mark(mark))?;
    u32::from_str_radix(mark, 16).ok()
}

fn parsed(line: &[u8]) -> Option<NoteRecord> {
    serde_json::from_slice(line).ok()
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
