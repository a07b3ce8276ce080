//! Compares the corpus with the index.
//!
//! Pure: reads nothing.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::index::FileRow;
use crate::passage_source::Source;

/// A note has no history; its content hash is used instead.
pub(crate) type FoundFile = FileRow;

/// The work that brings the index up to date.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SyncPlan {
    /// Files to read, each with its indexed row.
    pub(crate) reads: Vec<(FoundFile, Option<FileRow>)>,
    /// Files modified so shortly before they were read that they may have changed unnoticed.
    pub(crate) suspects: Vec<(FoundFile, Option<FileRow>)>,
    /// Rows of deleted files.
    pub(crate) gone: Vec<FileRow>,
    /// Whether the set of forgotten texts has changed since the index was written.
    pub(crate) is_forgetting: bool,
    /// The version of what is known about the lines of notes, before any is read.
    pub(crate) known_version: u64,
    /// What this plan leaves to a later sync.
    pub(crate) unread: Unread,
}

/// The part of the corpus that is not indexed yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Unread {
    /// Files and documents that were not read to their end.
    #[serde(rename = "files")]
    pub n_files: u64,
    /// The bytes of these files that were not read.
    #[serde(rename = "bytes")]
    pub n_bytes: u64,
}

impl Unread {
    /// Whether everything is read.
    pub fn is_nothing(&self) -> bool {
        self.n_files == 0
    }
}

/// Suffix of the stamp of a file that may have changed unnoticed after it was read.
pub(crate) const UNSURE: &str = "?";

/// Suffix of the history of a note with hidden passages.
pub(crate) const PARTLY_HIDDEN: &str = "~";

/// A difference up to this many files is indexed before a search.
pub(crate) const SMALL_FILES_MAX: usize = 50;

/// A difference up to this many bytes is indexed before a search.
pub(crate) const SMALL_BYTES_MAX: u64 = 1024 * 1024;

/// Up to this many bytes of the smallest files are indexed before the first search of a corpus; this takes about a
/// second.
pub(crate) const FIRST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Plans the work that turns `known`, the rows of the index, into `found`.
pub(crate) fn plan(found: Vec<FoundFile>, known: Vec<FileRow>) -> SyncPlan {
    let mut plan = SyncPlan::default();
    let known = known
        .into_iter()
        .map(|row| ((row.source, row.path.clone()), row));
    let mut known: BTreeMap<(Source, String), FileRow> = known.collect();
    for found in found {
        match known.remove(&(found.source, found.path.clone())) {
            Some(row) if row.stamp == found.stamp => {}
            Some(row) if row.stamp.strip_suffix(UNSURE) == Some(&found.stamp) => {
                plan.suspects.push((found, Some(row)));
            }
            row => plan.reads.push((found, row)),
        }
    }
    plan.gone = known.into_values().collect();
    plan
}

impl SyncPlan {
    /// Whether nothing is to do, judging by metadata.
    pub(crate) fn is_empty(&self) -> bool {
        self.reads.is_empty()
            && self.gone.is_empty()
            && self.suspects.is_empty()
            && !self.is_forgetting
    }

    /// Whether it is small enough to run before a search.
    pub(crate) fn is_small(&self) -> bool {
        self.reads.len() + self.gone.len() <= SMALL_FILES_MAX
            && n_bytes(&self.reads) <= SMALL_BYTES_MAX
    }

    /// Moves the suspects to the reads, if they are few.
    pub(crate) fn with_suspects(mut self) -> Self {
        let suspects = std::mem::take(&mut self.suspects);
        if suspects.len() <= SMALL_FILES_MAX && n_bytes(&suspects) <= SMALL_BYTES_MAX {
            self.reads.extend(suspects);
        }
        self
    }

    /// Keeps the smallest reads, up to this many bytes and files.
    pub(crate) fn up_to(mut self, n_bytes_max: u64, n_files_max: usize) -> Self {
        let new = |(found, row): &(FoundFile, Option<FileRow>)| new_bytes(found, row.as_ref());
        self.reads.sort_by_key(new);
        let mut sum = 0_u64;
        let n_kept = self.reads.iter().take(n_files_max).take_while(|read| {
            sum = sum.saturating_add(new(read));
            sum <= n_bytes_max
        });
        let left = self.reads.split_off(n_kept.count());
        self.unread = Unread {
            n_files: left.len() as u64,
            n_bytes: n_bytes(&left),
        };
        self
    }

    /// The part of the corpus that the index lacks before this plan is run.
    pub(crate) fn all_unread(&self) -> Unread {
        Unread {
            n_files: self.unread.n_files + self.reads.len() as u64,
            n_bytes: self.unread.n_bytes + self.n_bytes(),
        }
    }

    /// Bytes to read.
    pub(crate) fn n_bytes(&self) -> u64 {
        n_bytes(&self.reads)
    }
}

fn n_bytes(reads: &[(FoundFile, Option<FileRow>)]) -> u64 {
    let sizes = reads
        .iter()
        .map(|(found, row)| new_bytes(found, row.as_ref()));
    sizes.sum()
}

/// A document that only grew is read from its old end.
fn new_bytes(found: &FoundFile, row: Option<&FileRow>) -> u64 {
    match row {
        Some(row) if !found.history.is_empty() && found.history == row.history => {
            found.n_bytes.saturating_sub(row.n_bytes)
        }
        _ => found.n_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, stamp: &str, n_bytes: u64) -> FoundFile {
        FoundFile {
            id: 0,
            source: Source::Memory,
            path: path.into(),
            stamp: stamp.into(),
            history: String::new(),
            n_bytes,
        }
    }

    fn row(path: &str, stamp: &str) -> FileRow {
        let id = 1;
        FileRow {
            id,
            ..found(path, stamp, 1)
        }
    }

    #[test]
    fn plan_lists_changed_new_suspect_and_gone_files() {
        let now = [("a", "1"), ("b", "2"), ("c", "1"), ("d", "1")];
        let now = now.map(|(path, stamp)| found(path, stamp, 1)).to_vec();
        let known = vec![row("a", "1"), row("b", "1"), row("d", "1?"), row("e", "1")];
        let expected = SyncPlan {
            reads: vec![
                (found("b", "2", 1), Some(row("b", "1"))),
                (found("c", "1", 1), None),
            ],
            suspects: vec![(found("d", "1", 1), Some(row("d", "1?")))],
            gone: vec![row("e", "1")],
            ..SyncPlan::default()
        };
        assert_eq!(plan(now, known), expected);
    }

    #[test]
    fn plan_within_limit_reads_smallest_files_and_counts_rest() {
        let sizes = [("a", 50), ("b", 900), ("c", 30), ("d", 21)];
        let all: Vec<FoundFile> = sizes.map(|(path, size)| found(path, "1", size)).into();
        let first = plan(all.clone(), Vec::new()).up_to(100, usize::MAX);
        let read: Vec<&str> = first.reads.iter().map(|(it, _)| it.path.as_str()).collect();
        assert_eq!(read, ["d", "c"]);
        let unread = Unread {
            n_files: 2,
            n_bytes: 950,
        };
        assert_eq!(first.unread, unread);
        let whole = plan(all, Vec::new()).up_to(1_001, usize::MAX);
        assert!(whole.unread.is_nothing() && whole.reads.len() == 4);
    }

    #[test]
    fn plan_is_small_only_within_limits() {
        let many: Vec<FoundFile> = (0..51).map(|n| found(&n.to_string(), "1", 1)).collect();
        assert!(!plan(many, Vec::new()).is_small());
        assert!(!plan(vec![found("a", "1", SMALL_BYTES_MAX + 1)], Vec::new()).is_small());
        assert!(plan(vec![found("a", "1", SMALL_BYTES_MAX)], Vec::new()).is_small());
        let grown = FoundFile {
            history: "h".into(),
            ..found("a", "2", SMALL_BYTES_MAX + 1)
        };
        let before = FileRow {
            history: "h".into(),
            n_bytes: SMALL_BYTES_MAX,
            ..row("a", "1")
        };
        assert!(plan(vec![grown], vec![before]).is_small());
    }
}
