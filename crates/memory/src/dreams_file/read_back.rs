//! What the owner decided by editing `DREAMS.md`.
//!
//! Pure: the file as it was read and the candidates go in, decisions come out.

use base::Timestamp;
use chrono::TimeDelta;

use super::parse::{DreamBlock, ParsedDreams};
use crate::candidates::{Candidate, CandidateId, Status};
use crate::note::prepare;

/// A block must be gone for this long before that counts: an editor may write a file in parts.
const GONE_FOR: TimeDelta = TimeDelta::seconds(2);

/// What the owner decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It goes into `MEMORY.md`.
    Accept(CandidateId),
    /// It goes nowhere and does not come back.
    Reject(CandidateId),
    /// It says something else, in the owner's words.
    Reword(CandidateId, String),
    /// Its block is gone, and it is to be seen whether it stays so.
    Missing(CandidateId),
    /// Its block is there again.
    Found(CandidateId),
}

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ReadBack {
    /// Decisions, in the order of the file.
    pub(crate) decisions: Vec<Decision>,
    /// Whether the file has to be written anew and what was found kept beside it.
    pub(crate) is_unreadable: bool,
    /// Blocks whose status is none of the words.
    pub(crate) unclear: Vec<CandidateId>,
}

/// Reads the owner's decisions on the candidates that wait.
///
/// A missing, empty or unreadable file decides nothing; a block that is gone is a rejection only where
/// the rest of the file reads whole, and it was gone some time before.
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
            // Of a block that breaks off no word counts.
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
            None => self.unclear.push(id()),
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
