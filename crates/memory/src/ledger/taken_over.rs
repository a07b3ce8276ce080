//! Writes a text as this version does: a short mark at the end of each line of ours, and the records next to it.
//!
//! Pure; a line that is not known to be ours stays as it is, byte for byte.

use std::collections::{BTreeMap, BTreeSet};

use base::short_hash;

use super::legacy::{Comments, is_mark};
use super::record::NoteRecord;
use super::records::Ledger;
use crate::curated::current_value;
use crate::daily_log::lines::{lines, same_length_text};
use crate::note_text::{NoteLine, NoteText};
use crate::workspace::{ARCHIVE_FILE, MEMORY_FILE};

/// A file as this version writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TakenOver {
    pub(crate) bytes: Vec<u8>,
    /// The records of its lines that are not committed yet.
    pub(crate) records: Vec<NoteRecord>,
}

/// The lines that a file loses, by number from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LostLines<'a> {
    /// These go.
    pub(crate) gone: &'a BTreeSet<usize>,
    /// These lose the earlier value at their end.
    pub(crate) shortened: &'a BTreeSet<usize>,
}

impl Ledger {
    /// The content of a file without the lines `gone` (numbers from 1) and without the comments of earlier versions.
    pub(crate) fn taken_over(&self, file: &str, bytes: &[u8], gone: &BTreeSet<usize>) -> TakenOver {
        let shortened = &BTreeSet::new();
        self.taken_over_but(file, bytes, &LostLines { gone, shortened })
    }

    /// The same, where lines may also lose their earlier value.
    pub(crate) fn taken_over_but(
        &self,
        file: &str,
        bytes: &[u8],
        lost: &LostLines<'_>,
    ) -> TakenOver {
        let LostLines { gone, shortened } = lost;
        let text = same_length_text(bytes);
        let has_copy = file == MEMORY_FILE && !self.copy().is_empty();
        let is_whole = gone.is_empty() && shortened.is_empty();
        if is_whole && !has_copy && !text.contains("<!--") {
            return TakenOver {
                bytes: bytes.to_vec(),
                records: Vec::new(),
            };
        }
        let all = lines(&text);
        let comments = Comments::of(&all);
        let read = self.read_lines(file, (&text, &all), &comments);
        let mut marks = Marks::new(self, file);
        let mut out = Vec::with_capacity(bytes.len());
        for (idx, (line, known)) in all.iter().zip(read.lines()).enumerate() {
            let is_below = |next: usize| comments.is_comment(next);
            // The blank line above a comment that stands apart went in with it.
            let is_gap = line.text.is_empty() && is_below(idx + 1) && idx + 2 >= all.len();
            if gone.contains(&(idx + 1)) || comments.is_comment(idx) || is_gap {
                continue;
            }
            let whole = bytes.get(line.bytes.clone()).unwrap_or_default();
            let short = shortened.contains(&(idx + 1));
            let short = short.then(|| without_older_value(known)).flatten();
            match marks.written(short.as_ref().unwrap_or(known)) {
                Some(written) => {
                    out.extend_from_slice(written.as_bytes());
                    out.extend_from_slice(whole.get(line.text.len()..).unwrap_or_default());
                }
                None => out.extend_from_slice(whole),
            }
        }
        TakenOver {
            bytes: out,
            records: marks.records,
        }
    }

    /// An edited text as it is written into `file`, and the records to commit first.
    pub(crate) fn written(&self, file: &str, text: &NoteText<'_>) -> (String, Vec<NoteRecord>) {
        let mut marks = Marks::new(self, file);
        let mut out = String::new();
        for line in text.lines() {
            let written = marks.written(line);
            out.extend([written.as_deref().unwrap_or(&line.raw), &line.end]);
        }
        (out, marks.records)
    }
}

/// Chooses the marks of new lines of a file, and collects their records.
#[derive(Debug)]
struct Marks<'l> {
    ledger: &'l Ledger,
    file: &'l str,
    chosen: BTreeMap<String, NoteRecord>,
    records: Vec<NoteRecord>,
}

impl<'l> Marks<'l> {
    fn new(ledger: &'l Ledger, file: &'l str) -> Self {
        Self {
            ledger,
            file,
            chosen: BTreeMap::new(),
            records: Vec::new(),
        }
    }

    /// The line with its mark; `None` if it stays as it is.
    fn written(&mut self, line: &NoteLine<'_>) -> Option<String> {
        let record = line.unwritten()?.clone();
        let mark = self.add(record);
        Some(format!("{} ^{mark}", line.text().trim_end()))
    }

    /// The mark of a record: its own, unless that belongs to another line of the file.
    fn add(&mut self, mut record: NoteRecord) -> String {
        let own = record.id.clone();
        self.file.clone_into(&mut record.file);
        let is_free = |mark: &str, record: &NoteRecord| {
            let chosen = self.chosen.get(mark).cloned();
            let known = chosen.or_else(|| self.ledger.in_file(self.file, mark));
            known.is_none_or(|known| known == *record)
        };
        if !is_free(&own, &record) {
            let text = format!(
                "{}\n{}",
                record.candidate.as_ref().unwrap_or(&own),
                record.hash
            );
            record.candidate.get_or_insert(own);
            record.id = short_hash(&text);
        }
        let mark = record.id.clone();
        let known = self.ledger.in_file(self.file, &mark);
        if !self.chosen.contains_key(&mark) && known.as_ref() != Some(&record) {
            self.records.push(record.clone());
        }
        self.chosen.insert(mark.clone(), record);
        mark
    }
}

/// A line of ours without the earlier value at its end; `None` if it is not ours or has none.
fn without_older_value(line: &NoteLine<'_>) -> Option<NoteLine<'static>> {
    let record = line.ours()?;
    let text = current_value(line.text().trim_end()).to_owned();
    let short = NoteLine::unwritten_of(text, record.clone());
    let hash = short_hash(short.item());
    let candidate = record.own_id().to_owned();
    let record = NoteRecord {
        id: hash.clone(),
        candidate: Some(candidate).filter(|id| *id != hash),
        hash,
        ..record.clone()
    };
    Some(NoteLine::unwritten_of(short.raw, record))
}

/// The mark that a line gets if it is free: in `MEMORY.md` and the archive the hash of its text, else its id.
pub(super) fn wanted_mark(file: &str, id: &str, text: &str) -> String {
    let is_curated = [MEMORY_FILE, ARCHIVE_FILE].contains(&file);
    if is_mark(id) && !is_curated {
        id.to_owned()
    } else {
        short_hash(text)
    }
}
