//! The lines that were set aside, and what else that explains.
//!
//! One such line explains one missing entry and no more.

use std::collections::{BTreeSet, HashSet};

use base::EntryId;

use super::FindingKind;

/// The blank lines of a transcript: what was set aside leaves one where it kept no place.
#[derive(Debug, Default)]
pub(super) struct SetAside {
    numbers: Vec<u64>,
    offsets: BTreeSet<u64>,
    /// Entries that are nowhere in the file and were set aside, for all that is known.
    gone: HashSet<EntryId>,
}

impl SetAside {
    /// Takes a blank line.
    pub(super) fn take_blank(&mut self, number: u64, offset: u64) {
        self.numbers.push(number);
        self.offsets.insert(offset);
    }

    /// How many blank lines there are so far.
    pub(super) fn n_blank(&self) -> u64 {
        self.numbers.len() as u64
    }

    /// Whether a line that was set aside began at this byte.
    pub(super) fn stood_at(&self, offset: u64) -> bool {
        self.offsets.contains(&offset)
    }

    /// Whether an entry that is missing at line `number` was set aside before, and no other one for it.
    pub(super) fn explains(&mut self, entry: &EntryId, number: u64) -> bool {
        if entry.as_str().is_empty() {
            return false;
        }
        let n_before = self.numbers.partition_point(|blank| *blank < number);
        self.gone.contains(entry) || (n_before > self.gone.len() && self.gone.insert(entry.clone()))
    }

    /// The finding, as one that follows from what was set aside where a call, a result or the end of a span
    /// may be among that.
    pub(super) fn explained(&self, finding: FindingKind) -> FindingKind {
        let may_be = matches!(
            finding,
            FindingKind::UnansweredCall(..)
                | FindingKind::ResultWithoutCall(..)
                | FindingKind::FlushSpanUnknown { .. }
        );
        if may_be && self.n_blank() > 0 {
            finding.after_aside()
        } else {
            finding
        }
    }
}
