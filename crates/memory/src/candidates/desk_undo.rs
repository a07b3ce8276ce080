//! Takes back changes and decisions, the last one or one by its cause.
//!
//! Refuses only if the text that it would change has changed since then.

use base::Timestamp;

use super::super::change::StateChange;
use super::super::error::{MemoryTxnError, ReviewError};
use super::super::forgetting::visible_cause;
use super::super::model::{CandidateId, Status};
use super::super::state::{DreamLogLine, DreamState, OWNER, UNDONE};
use super::{MemoryTxn, ids_of};
use crate::curated::{Preimage, UndoError, with_undone};
use crate::note_text::MemoryText;

impl MemoryTxn<'_> {
    /// Undoes the last decision, either a change of `MEMORY.md` (byte for byte) or a rejection. A line that the owner
    /// had asked for is thereby taken back; the candidates of any other decision are pending again. Returns the cause
    /// of the decision, in words for the owner.
    pub fn undo(&mut self) -> Result<String, MemoryTxnError> {
        if let Some(cause) = self.finished_undo.take() {
            return Ok(self.told(&cause));
        }
        let next = self.next_undo();
        let next = next.map_err(|error| self.told_error(error))?;
        let (cause, ids, undo) = if let Some(own) = next {
            (own.cause, ids_of(own.candidates), Some(own.id.0))
        } else {
            let ids = self.rejected_last();
            (rejected_in_words(&ids), ids, None)
        };
        let told = self.told(&cause);
        self.commit(StateChange {
            undo,
            ..StateChange::of_state(self.reversed(&cause, &ids), cause)
        })?;
        Ok(told)
    }

    /// Undoes one change of `MEMORY.md`, named by its cause, whatever has changed since: byte for byte if nothing has,
    /// else in the lines that it wrote.
    ///
    /// # Errors
    ///
    /// [`MemoryTxnError`]; [`UndoError::Since`] if one of those lines was changed since.
    pub fn undo_change(&mut self, cause: &str) -> Result<(), MemoryTxnError> {
        if self
            .finished_undo
            .take_if(|own| own.as_str() == cause)
            .is_some()
        {
            return Ok(());
        }
        let preimage = self.memory.newest_change(|own| own.cause == cause)?;
        self.undo_preimage(preimage.ok_or(UndoError::Unknown)?)
    }

    /// Undoes the decision about a candidate, named by its id or a prefix of it, with all that was decided together with
    /// it: a change of `MEMORY.md` as [`undo_change`](Self::undo_change) does, or a rejection. Returns the cause of the
    /// decision, in words for the owner.
    ///
    /// # Errors
    ///
    /// [`MemoryTxnError`]; [`ReviewError::Decided`] if it is undone already, [`ReviewError::Undecided`] if it waits.
    pub fn undo_decision(&mut self, typed: &str) -> Result<String, MemoryTxnError> {
        let own = self.meant(typed)?;
        let (id, status, decided_at) = (own.id.clone(), own.status, own.decided_at);
        match status {
            Status::Undone => match self.finished_undo.take() {
                Some(cause) => Ok(self.told(&cause)),
                None => Err(ReviewError::Decided(id, status).into()),
            },
            Status::Pending => Err(ReviewError::Undecided(id).into()),
            Status::Rejected => {
                let ids = self.rejected_at(decided_at);
                let cause = rejected_in_words(&ids);
                let told = self.told(&cause);
                let next = self.reversed(&cause, &ids);
                self.commit(StateChange::of_state(next, cause))?;
                Ok(told)
            }
            Status::Promoted | Status::Accepted => {
                let wrote = |own: &Preimage| own.candidates.iter().any(|it| *it == id.as_str());
                let preimage = self.memory.newest_change(wrote)?;
                let preimage = preimage.ok_or(UndoError::Unknown)?;
                let told = self.told(&preimage.cause);
                self.undo_preimage(preimage)?;
                Ok(told)
            }
        }
    }

    fn undo_preimage(&mut self, preimage: Preimage) -> Result<(), MemoryTxnError> {
        let ids = ids_of(preimage.candidates.clone());
        let cause = preimage.cause.clone();
        let next = self.reversed(&cause, &ids);
        let is_last = self
            .memory
            .undoable()
            .is_ok_and(|last| last.id == preimage.id);
        let change = if is_last {
            StateChange {
                undo: Some(preimage.id.0),
                ..StateChange::of_state(next, cause)
            }
        } else {
            StateChange {
                memory: Some(
                    self.without_change(&preimage, &ids)
                        .map_err(|error| self.told_error(error))?,
                ),
                candidates: preimage.candidates,
                ..StateChange::of_state(next, format!("{UNDONE}{cause}"))
            }
        };
        self.commit(change)
    }

    /// `MEMORY.md` as it would be without a change, and with all others.
    pub(super) fn without_change(
        &self,
        preimage: &Preimage,
        ids: &[CandidateId],
    ) -> Result<MemoryText, UndoError> {
        let before = self.memory.text_before(preimage)?;
        let mut text = self.memory.text().clone();
        for id in ids {
            let own = self.state.candidate(id).ok_or(UndoError::Unknown)?;
            let replaced = own.proposal.changed_line();
            let older = replaced.and_then(|own| before.line_of(own)).cloned();
            if let Some(older) = &older
                && let Some(id) = self.forgotten.forgotten_by(older.item())
            {
                return Err(UndoError::Forgotten {
                    at: preimage.at.format("%Y-%m-%d").to_string(),
                    cause: preimage.cause.clone(),
                    id: id.clone(),
                });
            }
            text = with_undone(&text, id.as_str(), older).ok_or_else(|| self.changed_since(id))?;
        }
        Ok(text)
    }

    /// The error for a change whose line is not there any more.
    pub(super) fn changed_since(&self, id: &CandidateId) -> UndoError {
        let own = self.visible.candidate(id);
        let mut later = self.visible.history.iter().rev();
        let newer = later.find(|own| own.proposal.changed_line() == Some(id.as_str()));
        UndoError::Since {
            line: own.map(|own| own.finding.clone()).unwrap_or_default(),
            now: newer.map(|own| own.finding.clone()),
        }
    }

    /// The state after a change of this cause is undone.
    pub(super) fn reversed(&self, cause: &str, ids: &[CandidateId]) -> DreamState {
        let mut next = self.state.clone();
        next.reverse(cause, ids, self.now);
        next.log.push(DreamLogLine {
            at: self.now,
            text: format!("{UNDONE}{cause}"),
            details: Vec::new(),
        });
        next
    }

    /// The cause of the decision that [`undo`](Self::undo) would undo, in words for the owner; `None` if there is none.
    pub fn last_decision(&self) -> Option<String> {
        match self.next_undo() {
            Ok(Some(preimage)) => Some(self.told(&preimage.cause)),
            Ok(None) => Some(self.told(&rejected_in_words(&self.rejected_last()))),
            Err(_) => None,
        }
    }

    /// The cause of a change in words for the owner, without forgotten text.
    pub(super) fn told(&self, cause: &str) -> String {
        let states = (&self.state, &self.visible);
        let cause = visible_cause(cause, states, &self.forgotten);
        self.visible.in_words(&cause)
    }

    pub(super) fn told_error(&self, mut error: UndoError) -> UndoError {
        if let Some(cause) = error.cause_mut() {
            *cause = self.told(cause);
        }
        error
    }

    /// The change of `MEMORY.md` to undo next; `None` if a rejection is newer.
    pub(super) fn next_undo(&self) -> Result<Option<Preimage>, UndoError> {
        match (self.memory.undoable(), self.last_rejection()) {
            (Ok(preimage), Some(at)) if at > preimage.at => Ok(None),
            (Ok(preimage), _) => Ok(Some(preimage)),
            (Err(_), Some(_)) => Ok(None),
            (Err(error), None) => Err(error),
        }
    }

    /// The candidates of the last rejection.
    pub(super) fn rejected_last(&self) -> Vec<CandidateId> {
        self.rejected_at(self.last_rejection())
    }

    /// The candidates that were rejected together at a moment.
    fn rejected_at(&self, at: Option<Timestamp>) -> Vec<CandidateId> {
        let history = self.state.history.iter();
        let rejected = history.filter(|own| own.status == Status::Rejected && own.decided_at == at);
        rejected.map(|own| own.id.clone()).collect()
    }

    pub(super) fn last_rejection(&self) -> Option<Timestamp> {
        let rejected = self.state.history.iter();
        rejected
            .filter(|own| own.status == Status::Rejected)
            .filter_map(|own| own.decided_at)
            .max()
    }
}

/// The cause of a rejection.
fn rejected_in_words(ids: &[CandidateId]) -> String {
    let ids: Vec<&str> = ids.iter().map(CandidateId::as_str).collect();
    format!("{OWNER}rejected {}", ids.join(", "))
}
