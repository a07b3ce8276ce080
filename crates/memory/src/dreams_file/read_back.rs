//! Derives the owner's decisions from edits of `DREAMS.md`.
//!
//! Pure.

use base::Timestamp;
use chrono::TimeDelta;

use super::parse::{DreamBlock, ParsedDreams};
use crate::candidates::{Candidate, CandidateId, Status};
use crate::note::prepare;

/// How long a block must be missing before it counts as rejected: an editor may write the file in parts.
const GONE_FOR: TimeDelta = TimeDelta::seconds(2);

/// A decision of the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Write it into `MEMORY.md`.
    Accept(CandidateId),
    /// Drop it and never propose it again.
    Reject(CandidateId),
    /// Replace its text with the owner's.
    Reword(CandidateId, String),
    /// Its block has gone missing; not a rejection yet.
    Missing(CandidateId),
    /// Its missing block is back.
    Found(CandidateId),
}

/// The result of reading the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ReadBack {
    /// Decisions, in the order of the file.
    pub(crate) decisions: Vec<Decision>,
    /// Whether to back up the file and rewrite it.
    pub(crate) is_unreadable: bool,
    /// Candidates whose block has an unknown status.
    pub(crate) unclear: Vec<CandidateId>,
}

/// Reads the owner's decisions about the pending candidates.
///
/// A missing, empty or unreadable file contains no decisions. A missing block counts as a rejection only if the rest of
/// the file is whole and the block was already missing for [`GONE_FOR`].
pub(crate) fn read_back(
    found: Option<&ParsedDreams>,
    candidates: &[Candidate],
    now: Timestamp,
) -> ReadBack {
    let mut read = ReadBack::default();
    let Some(found) = found.filter(|found| found.has_heading) else {
        read.is_unreadable = true;
        return read;
    };
    read.is_unreadable = found.is_cut;
    let waiting = candidates
        .iter()
        .filter(|candidate| candidate.status == Status::Pending && candidate.is_shown);
    for candidate in waiting {
        let block = found.blocks().find(|block| block.id == candidate.id);
        match block {
            // Ignore a truncated block.
            Some(block) if found.is_cut && !block.has_status => {}
            Some(block) => read.block(block, candidate),
            None if !found.is_whole => {}
            None => read.gone(candidate, now),
        }
    }
    read
}

impl ReadBack {
    fn block(&mut self, block: &DreamBlock, candidate: &Candidate) {
        let id = || candidate.id.clone();
        if candidate.missing_since.is_some() {
            self.decisions.push(Decision::Found(id()));
        }
        if let Some(finding) = block.finding.as_deref().map(prepare)
            && finding != candidate.finding
            && !finding.is_empty()
        {
            self.decisions.push(Decision::Reword(id(), finding));
        }
        match block.status {
            Some(Status::Accepted | Status::Promoted) => {
                self.decisions.push(Decision::Accept(id()));
            }
            Some(Status::Rejected) => self.decisions.push(Decision::Reject(id())),
            Some(Status::Pending) => {}
            Some(Status::Undone) | None => self.unclear.push(id()),
        }
    }

    fn gone(&mut self, candidate: &Candidate, now: Timestamp) {
        let decision = match candidate.missing_since {
            Some(since) if now - since >= GONE_FOR => Decision::Reject,
            Some(_) => return,
            None => Decision::Missing,
        };
        self.decisions.push(decision(candidate.id.clone()));
    }
}
