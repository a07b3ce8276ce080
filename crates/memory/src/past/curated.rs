//! `MEMORY.md` and its archive as they were, from the copies that each change has kept.

use std::collections::BTreeSet;

use base::disk::{DiskError, read_some};
use base::{Timestamp, Tz, day, short_hash};

use super::gap::PastGap;
use crate::candidates::{CandidateId, DreamState, MemoryTxnError};
use crate::curated::{
    ContentBefore, CuratedLine, LineOwner, LinesByHand, curated_text, memory_lines, preimages,
};
use crate::misread::readable;
use crate::note_text::MemoryText;
use crate::tombstone::Tombstones;
use crate::workspace::{ARCHIVE_FILE, MEMORY_FILE, Workspace};

/// Size limit of the files in bytes.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The beginning of the cause of a change that undoes another.
const UNDONE: &str = "undone: ";

/// `MEMORY.md` as it was.
pub(super) struct PastMemory {
    /// Its text; `None` if there was no file, or if it is not known.
    pub(super) text: Option<String>,
    /// The short hashes of its lines.
    pub(super) lines: BTreeSet<String>,
    /// What is left out of it.
    pub(super) gaps: Vec<PastGap>,
}

/// The content of a copy, if it is known.
enum Copy {
    /// The bytes of the file; `None` if there was no file. The time of the file's last change, if it is the present one.
    Known(Option<Vec<u8>>, Option<Timestamp>),
    Unknown(PastGap),
}

/// `MEMORY.md` at a moment.
pub(super) fn past_memory(
    present: &Workspace,
    (state, tombstones): (&DreamState, &Tombstones),
    at: Timestamp,
) -> Result<PastMemory, MemoryTxnError> {
    let (bytes, changed_at) = match copy_of(present, at)? {
        Copy::Known(bytes, changed_at) => (bytes, changed_at),
        Copy::Unknown(gap) => {
            return Ok(PastMemory {
                text: None,
                lines: BTreeSet::new(),
                gaps: vec![gap],
            });
        }
    };
    let mut gaps = Vec::new();
    let n_undone = n_undone_since(present, state, at)?;
    if n_undone > 0 {
        gaps.push(PastGap::Undone(n_undone));
    }
    let Some(bytes) = bytes else {
        return Ok(PastMemory {
            text: None,
            lines: BTreeSet::new(),
            gaps,
        });
    };
    let found = readable(&bytes);
    let text = curated_text(present, MEMORY_FILE, &found);
    let left_out = LeftOut::of(present, tombstones, (at, changed_at))?;
    let (mut n_by_hand, mut n_gone) = (0, 0);
    let mut hidden = BTreeSet::new();
    let mut kept = BTreeSet::new();
    for line in memory_lines(&text) {
        if left_out.may_be_newer(&line) {
            n_by_hand += 1;
            hidden.insert(line.number);
        } else if left_out.is_gone(&line) {
            n_gone += 1;
            hidden.insert(line.number);
        } else {
            kept.insert(short_hash(&line.text));
        }
    }
    if n_by_hand > 0 {
        gaps.push(PastGap::LinesByHand(n_by_hand));
    }
    if n_gone > 0 {
        gaps.push(PastGap::GoneLines(n_gone));
    }
    Ok(PastMemory {
        text: Some(blanked(&found, &hidden)),
        lines: kept,
        gaps,
    })
}

/// The archive at a moment: without the lines that were still in `MEMORY.md`, and without newer ones.
pub(super) fn past_archive(
    present: &Workspace,
    memory: &PastMemory,
    state: &DreamState,
    (at, timezone): (Timestamp, Tz),
) -> Result<Option<String>, MemoryTxnError> {
    let Some((found, text)) = curated_file(present, ARCHIVE_FILE)? else {
        return Ok(None);
    };
    let today = day(at, timezone);
    let is_later = |line: &CuratedLine| {
        let own = line.id().map(CandidateId::new);
        let own = own.and_then(|id| state.candidate(&id));
        own.is_some_and(|own| own.proposed_at > at) || line.day().is_some_and(|own| own > today)
    };
    let lines = memory_lines(&text).into_iter();
    let hidden =
        lines.filter(|line| memory.lines.contains(&short_hash(&line.text)) || is_later(line));
    let hidden: BTreeSet<usize> = hidden.map(|line| line.number).collect();
    Ok(Some(blanked(&found, &hidden)))
}

/// The copy of `MEMORY.md` that shows it as it was: the content before the first change after `at`, or the present file.
fn copy_of(present: &Workspace, at: Timestamp) -> Result<Copy, DiskError> {
    let kept = preimages(present);
    let mut is_first = true;
    for id in kept.ids()? {
        let change = kept.read(id)?;
        let Some(change) = change else {
            // Its time is not known, so neither is what it changed.
            return Ok(Copy::Unknown(PastGap::MemoryUnreadable));
        };
        if change.at > at {
            if is_first && id.0 > 1 {
                return Ok(Copy::Unknown(PastGap::MemoryBefore(change.at)));
            }
            return Ok(match change.before {
                ContentBefore::Nothing => Copy::Known(None, None),
                ContentBefore::Bytes(bytes) => Copy::Known(Some(bytes), None),
                ContentBefore::Redacted => Copy::Unknown(PastGap::MemoryUnreadable),
            });
        }
        is_first = false;
    }
    let path = present.root().join(MEMORY_FILE);
    let stat = present.disk().stat(&path)?;
    let bytes = read_some(present.disk(), &path, BYTES_MAX)?;
    Ok(Copy::Known(bytes, stat.and_then(|stat| stat.modified_at)))
}

/// The number of changes that were undone after `at` without a trace in the kept copies.
fn n_undone_since(
    present: &Workspace,
    state: &DreamState,
    at: Timestamp,
) -> Result<usize, DiskError> {
    let kept = preimages(present);
    let mut recorded = BTreeSet::new();
    for id in kept.ids()? {
        recorded.extend(kept.read(id)?.map(|change| change.at));
    }
    let log = state.log.iter();
    let undone = log.filter(|line| line.at > at && line.text.starts_with(UNDONE));
    Ok(undone.filter(|line| !recorded.contains(&line.at)).count())
}

/// The facts that decide which lines are left out.
struct LeftOut {
    at: Timestamp,
    by_hand: LinesByHand,
    /// The last change of the present file, if that is what is read.
    changed_at: Option<Timestamp>,
    /// The short hashes of the lines that `MEMORY.md` and the archive contain now; `None` if nothing was forgotten
    /// since.
    standing: Option<BTreeSet<String>>,
}

impl LeftOut {
    fn of(
        present: &Workspace,
        tombstones: &Tombstones,
        (at, changed_at): (Timestamp, Option<Timestamp>),
    ) -> Result<Self, DiskError> {
        let mut standing = None;
        if tombstones.forgotten().any(|it| it.at > at) {
            let mut lines = BTreeSet::new();
            for file in [MEMORY_FILE, ARCHIVE_FILE] {
                let found = curated_file(present, file)?;
                let all = found
                    .map(|(_, text)| memory_lines(&text))
                    .unwrap_or_default();
                lines.extend(all.iter().map(|line| short_hash(&line.text)));
            }
            standing = Some(lines);
        }
        Ok(Self {
            at,
            by_hand: LinesByHand::read(present),
            changed_at,
            standing,
        })
    }

    /// Whether the owner may have written the line later.
    fn may_be_newer(&self, line: &CuratedLine) -> bool {
        let first = self.by_hand.since(&line.text).or(self.changed_at);
        line.owner == LineOwner::Owner && first.is_some_and(|first| first > self.at)
    }

    /// Whether neither `MEMORY.md` nor the archive contains the line any more. It may then say in other words what was
    /// forgotten since.
    fn is_gone(&self, line: &CuratedLine) -> bool {
        let standing = self.standing.as_ref();
        standing.is_some_and(|standing| !standing.contains(&short_hash(&line.text)))
    }
}

/// A present file, raw and read.
fn curated_file(
    present: &Workspace,
    name: &str,
) -> Result<Option<(String, MemoryText)>, DiskError> {
    let found = read_some(present.disk(), &present.root().join(name), BYTES_MAX)?;
    Ok(found.map(|bytes| {
        let found = readable(&bytes).into_owned();
        let text = curated_text(present, name, &found);
        (found, text)
    }))
}

/// The text with these lines blank, by number.
fn blanked(text: &str, hidden: &BTreeSet<usize>) -> String {
    let lines = text.split_inclusive('\n').zip(1..);
    let lines = lines.map(|(line, number)| if hidden.contains(&number) { "\n" } else { line });
    lines.collect()
}
