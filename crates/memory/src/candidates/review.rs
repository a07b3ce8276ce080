//! The owner's decisions about candidates, and the changes to memory and state that follow from them.
//!
//! Pure; the desk writes.

use base::{Origin, Timestamp};

use super::archive::{NotedLines, fitted};
use super::change::StateChange;
use super::error::ReviewError;
use super::model::{Candidate, CandidateId, Status};
use super::plan::lines_of;
use super::state::{DreamLogLine, DreamState, OWNER};
use crate::curated::edited;
use crate::dreams_file::Decision;
use crate::note_text::MemoryText;

/// The effect of the owner's decisions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reviewed {
    /// Candidates that went into `MEMORY.md`.
    pub accepted: Vec<Candidate>,
    /// Candidates that the owner rejected.
    pub rejected: Vec<Candidate>,
    /// Candidates with new text.
    pub reworded: Vec<CandidateId>,
    /// Number of lines moved to the archive.
    pub n_archived: usize,
}

impl Reviewed {
    /// Whether there was no decision.
    pub fn is_empty(&self) -> bool {
        self.accepted.is_empty() && self.rejected.is_empty() && self.reworded.is_empty()
    }

    fn in_words(&self) -> String {
        let mut parts = Vec::new();
        let decided = [(&self.accepted, "accepted"), (&self.rejected, "rejected")];
        for (candidates, word) in decided {
            if !candidates.is_empty() {
                let ids: Vec<&str> = candidates.iter().map(|own| own.id.as_str()).collect();
                parts.push(format!("{word} {}", ids.join(", ")));
            }
        }
        format!("{OWNER}{}", parts.join(", "))
    }
}

/// Computes the change that applies `decisions`; `None` if they change nothing.
pub(super) fn reviewed(
    decisions: &[Decision],
    memory: &MemoryText,
    state: &DreamState,
    now: Timestamp,
) -> Option<(StateChange, Reviewed)> {
    let mut next = state.clone();
    let mut done = Reviewed::default();
    for decision in decisions {
        take(&mut next, &mut done, decision, now);
    }
    if next == *state {
        return None;
    }
    for own in &done.accepted {
        next.drop_taken_back(&own.finding);
    }
    let lines = lines_of(&done.accepted, memory);
    // An accepted line always fits: other lines are archived for it.
    let noted = NotedLines {
        kept: lines.ids.clone(),
        unearned: state.unearned.clone(),
        ..NotedLines::default()
    };
    let fitted = fitted(edited(memory, &lines.edits), &noted);
    let mut archived = lines.replaced;
    archived.extend(fitted.archived);
    done.n_archived = archived.len();
    if !done.accepted.is_empty() || !done.rejected.is_empty() {
        let text = done.in_words();
        next.log.push(DreamLogLine {
            at: now,
            text,
            details: Vec::new(),
        });
    }
    let change = StateChange {
        memory: Some(fitted.text).filter(|text| text != memory),
        cause: done.in_words(),
        candidates: done
            .accepted
            .iter()
            // Undo reopens the rejected ones too.
            .chain(&done.rejected)
            .map(|own| own.id.to_string())
            .collect(),
        archived,
        state: next,
        undo: None,
    };
    Some((change, done))
}

fn take(state: &mut DreamState, done: &mut Reviewed, decision: &Decision, now: Timestamp) {
    match decision {
        Decision::Accept(id) => {
            done.accepted
                .extend(state.decide(id, Status::Accepted, now));
        }
        Decision::Reject(id) => {
            done.rejected
                .extend(state.decide(id, Status::Rejected, now));
        }
        Decision::Reword(id, finding) => {
            if let Some(own) = state.pending.iter_mut().find(|own| own.id == *id) {
                let before = std::mem::replace(&mut own.finding, finding.clone());
                own.proposed_as.get_or_insert(before);
                own.origin = Origin::Owner;
                done.reworded.push(id.clone());
            }
        }
        Decision::Missing(id) => {
            if let Some(own) = state.pending.iter_mut().find(|own| own.id == *id) {
                own.missing_since = Some(now);
            }
        }
        Decision::Found(id) => {
            if let Some(own) = state.pending.iter_mut().find(|own| own.id == *id) {
                own.missing_since = None;
            }
        }
    }
}

pub(super) fn meant<'s>(state: &'s DreamState, typed: &str) -> Result<&'s Candidate, ReviewError> {
    let found = state.matching(typed);
    match found.as_slice() {
        [] => Err(ReviewError::Unknown(typed.to_owned())),
        [one] => Ok(one),
        many => {
            let waiting: Vec<&&Candidate> = many
                .iter()
                .filter(|own| own.status == Status::Pending)
                .collect();
            match waiting.as_slice() {
                [one] => Ok(one),
                _ => Err(ReviewError::Ambiguous(typed.to_owned(), many.len())),
            }
        }
    }
}
