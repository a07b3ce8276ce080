//! The desk: memory and candidates, locked and read, on which dreams and decisions take effect.
//!
//! The only place that acts on them.

use base::Timestamp;

use super::change::StateChange;
use super::error::{DeskError, ReviewError};
use super::model::{Candidate, CandidateId, Status};
use super::pending::Records;
use super::plan::{DreamPlan, DreamResult, planned};
use super::review::{Reviewed, meant, reviewed};
use super::state::{DreamLogLine, DreamState};
use crate::curated::{ChangeError, OpenMemory, Preimage, UndoError};
use crate::dreams_file::{Decision, parse, read_back};
use crate::misread::{misread_line, readable};
use crate::note::prepare;
use crate::tombstone::{TombstoneError, Tombstones, load_tombstones};
use crate::workspace::Workspace;

/// Whether what is read may be written anew: edits of the owner taken in, a broken change carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Review {
    /// Yes.
    TakeIn,
    /// No: it is looked at as it is.
    LeaveAsIs,
}

/// Memory and candidates, locked and read; an act that fails took no effect.
#[derive(Debug)]
pub struct Desk<'w> {
    pub(super) records: Records<'w>,
    memory: OpenMemory<'w>,
    /// What was forgotten when the desk was opened to change anything.
    pub(super) tombstones: Tombstones,
    pub(super) state: DreamState,
    now: Timestamp,
    taken_in: Reviewed,
    /// Blocks whose status is none of the words.
    unclear: Vec<CandidateId>,
    kept_dreams: Option<String>,
    /// The undo that a crash had broken off and that was finished now.
    finished_undo: Option<String>,
}

impl<'w> Desk<'w> {
    /// Locks and reads; with [`Review::TakeIn`], carries out what a crash broke off and takes in what the
    /// owner decided in `DREAMS.md`.
    pub fn open(
        workspace: &'w Workspace,
        now: Timestamp,
        review: Review,
    ) -> Result<Self, DeskError> {
        let records = Records { workspace };
        let mut memory = OpenMemory::open(workspace)?;
        let (mut finished_undo, mut kept_dreams) = (None, None);
        if review == Review::TakeIn
            && let Some(begun) = records.begun()?
        {
            match records.carry_out(&mut memory, &begun) {
                Ok((_, kept)) => {
                    kept_dreams = kept;
                    let is_undo = begun.change.undo.is_some();
                    finished_undo = is_undo.then_some(begun.change.cause);
                }
                // The owner saved MEMORY.md after the crash: what was begun is dropped.
                Err(DeskError::Memory(ChangeError::Changed)) => {}
                Err(error) => return Err(error),
            }
        }
        let state = records.state()?;
        let mut desk = Self {
            records,
            memory,
            tombstones: Tombstones::default(),
            state,
            now,
            taken_in: Reviewed::default(),
            unclear: Vec::new(),
            kept_dreams,
            finished_undo,
        };
        if review == Review::TakeIn {
            desk.take_in()?;
        }
        Ok(desk)
    }

    /// What is known of dreams.
    pub fn state(&self) -> &DreamState {
        &self.state
    }

    /// What `MEMORY.md` says.
    pub fn memory(&self) -> &str {
        self.memory.text()
    }

    /// What was forgotten when the desk was opened to change anything.
    pub fn tombstones(&self) -> &Tombstones {
        &self.tombstones
    }

    /// The first line of `MEMORY.md` that cannot be read whole: while there is one, the file is not written.
    pub fn misread_memory(&self) -> Option<usize> {
        self.memory.misread_line()
    }

    /// What the owner had decided in `DREAMS.md`.
    pub fn taken_in(&self) -> &Reviewed {
        &self.taken_in
    }

    /// Candidates whose status in `DREAMS.md` is none of the words.
    pub fn unclear(&self) -> &[CandidateId] {
        &self.unclear
    }

    /// The file beside `DREAMS.md` that keeps what was found there and could not be read whole.
    pub fn kept_dreams(&self) -> Option<&str> {
        self.kept_dreams.as_deref()
    }

    /// The candidate that was meant by what was typed: its id or the beginning of it.
    pub fn meant(&self, typed: &str) -> Result<&Candidate, ReviewError> {
        meant(&self.state, typed)
    }

    /// What the owner's decision would make of `MEMORY.md`.
    pub fn preview(&self, id: &CandidateId) -> Result<String, ReviewError> {
        self.waiting(id)?;
        let decisions = [Decision::Accept(id.clone())];
        let change = reviewed(&decisions, self.memory.text(), &self.state, self.now);
        let text = change.and_then(|(change, _)| change.memory);
        Ok(text.unwrap_or_else(|| self.memory.text().to_owned()))
    }

    /// Lets candidates into `MEMORY.md`.
    pub fn accept(&mut self, ids: &[CandidateId]) -> Result<Reviewed, DeskError> {
        self.decide(ids, Decision::Accept)
    }

    /// Turns candidates down.
    pub fn reject(&mut self, ids: &[CandidateId]) -> Result<Reviewed, DeskError> {
        self.decide(ids, Decision::Reject)
    }

    /// Lets one in and turns the others down, as one decision.
    pub fn prefer(
        &mut self,
        newer: &CandidateId,
        older: &[CandidateId],
    ) -> Result<Reviewed, DeskError> {
        self.waiting(newer)?;
        let older = older.iter().cloned().map(Decision::Reject);
        let decisions: Vec<Decision> = [Decision::Accept(newer.clone())]
            .into_iter()
            .chain(older)
            .collect();
        self.take(&decisions)
    }

    /// Turns down what the owner turned down elsewhere; gives how much of that is new here. What waits here
    /// is left to the owner.
    pub fn take_rejections(&mut self, elsewhere: &Workspace) -> Result<usize, DeskError> {
        let theirs = (Records {
            workspace: elsewhere,
        })
        .state()?
        .rejected;
        let mut next = self.state.clone();
        next.rejected.extend(theirs);
        let n_new = next.rejected.len() - self.state.rejected.len();
        if n_new > 0 {
            self.commit(StateChange::of_state(next, "rejections were taken over"))?;
        }
        Ok(n_new)
    }

    /// Gives a candidate the owner's words.
    pub fn reword(&mut self, id: &CandidateId, finding: &str) -> Result<Reviewed, DeskError> {
        self.waiting(id)?;
        let finding = prepare(finding);
        if finding.is_empty() {
            return Err(ReviewError::Empty.into());
        }
        self.take(&[Decision::Reword(id.clone(), finding)])
    }

    /// Gives a candidate that waits again the words back that it had, and says whose they were.
    pub fn restore_words(&mut self, before: &Candidate) -> Result<(), DeskError> {
        self.waiting(&before.id)?;
        let mut next = self.state.clone();
        if let Some(own) = next.pending.iter_mut().find(|own| own.id == before.id) {
            own.finding.clone_from(&before.finding);
            own.proposed_as.clone_from(&before.proposed_as);
            own.origin = before.origin;
        }
        self.commit(StateChange::of_state(
            next,
            "a candidate got its earlier words back",
        ))
    }

    /// Makes a dream's plan take effect.
    ///
    /// # Errors
    ///
    /// [`DeskError`]; [`DeskError::Forgotten`] where something was forgotten since the desk was opened.
    pub fn dream(&mut self, plan: &DreamPlan) -> Result<DreamResult, DeskError> {
        let workspace = self.records.workspace;
        // Whoever forgets from now on finds what is written here.
        let _held = workspace.lock_tombstones().map_err(TombstoneError::from)?;
        if load_tombstones(workspace)?.has_others_than(&self.tombstones) {
            return Err(DeskError::Forgotten);
        }
        let (change, result) = planned(plan, self.memory.text(), &self.state, self.now);
        self.commit(change)?;
        Ok(result)
    }

    /// Takes the last decision back: a change of `MEMORY.md`, to the byte, or a rejection. What it was
    /// about waits again. Gives in words what was taken back.
    pub fn undo(&mut self) -> Result<String, DeskError> {
        if let Some(cause) = self.finished_undo.take() {
            return Ok(cause);
        }
        let preimage = self.next_undo()?;
        let mut next = self.state.clone();
        let (cause, undo) = if let Some(preimage) = preimage {
            for id in &preimage.candidates {
                next.reopen(&CandidateId::new(id.clone()));
            }
            (preimage.cause, Some(preimage.id.0))
        } else {
            for id in &self.rejected_last() {
                next.reopen(id);
            }
            (self.rejected_in_words(), None)
        };
        next.log.push(DreamLogLine {
            at: self.now,
            text: format!("taken back: {cause}"),
            details: Vec::new(),
        });
        self.commit(StateChange {
            undo,
            ..StateChange::of_state(next, cause.clone())
        })?;
        Ok(cause)
    }

    /// What [`undo`](Self::undo) would take back, in words; `None` where that is nothing.
    pub fn last_decision(&self) -> Option<String> {
        match self.next_undo() {
            Ok(Some(preimage)) => Some(preimage.cause),
            Ok(None) => Some(self.rejected_in_words()),
            Err(_) => None,
        }
    }

    /// The change of `MEMORY.md` that is taken back next; `None` where that is a rejection.
    fn next_undo(&self) -> Result<Option<Preimage>, UndoError> {
        match (self.memory.undoable(), self.last_rejection()) {
            (Ok(preimage), Some(at)) if at > preimage.at => Ok(None),
            (Ok(preimage), _) => Ok(Some(preimage)),
            (Err(_), Some(_)) => Ok(None),
            (Err(error), None) => Err(error),
        }
    }

    /// The candidates that were turned down last.
    fn rejected_last(&self) -> Vec<CandidateId> {
        let rejected_at = self.last_rejection();
        let history = self.state.history.iter();
        let rejected =
            history.filter(|own| own.status == Status::Rejected && own.decided_at == rejected_at);
        rejected.map(|own| own.id.clone()).collect()
    }

    fn rejected_in_words(&self) -> String {
        let ids = self.rejected_last();
        let ids: Vec<&str> = ids.iter().map(CandidateId::as_str).collect();
        format!("the owner rejected {}", ids.join(", "))
    }

    fn last_rejection(&self) -> Option<Timestamp> {
        let rejected = self.state.history.iter();
        rejected
            .filter(|own| own.status == Status::Rejected)
            .filter_map(|own| own.decided_at)
            .max()
    }

    fn waiting(&self, id: &CandidateId) -> Result<(), ReviewError> {
        match self.state.candidate(id) {
            None => Err(ReviewError::Unknown(id.to_string())),
            Some(own) if own.status != Status::Pending => {
                Err(ReviewError::Decided(id.clone(), own.status))
            }
            Some(_) => Ok(()),
        }
    }

    fn decide(
        &mut self,
        ids: &[CandidateId],
        decision: fn(CandidateId) -> Decision,
    ) -> Result<Reviewed, DeskError> {
        for id in ids {
            self.waiting(id)?;
        }
        let decisions: Vec<Decision> = ids.iter().cloned().map(decision).collect();
        self.take(&decisions)
    }

    fn take(&mut self, decisions: &[Decision]) -> Result<Reviewed, DeskError> {
        let found = reviewed(decisions, self.memory.text(), &self.state, self.now);
        let Some((change, done)) = found else {
            return Ok(Reviewed::default());
        };
        self.commit(change)?;
        Ok(done)
    }

    fn take_in(&mut self) -> Result<(), DeskError> {
        self.forget()?;
        let found = self.records.dreams_bytes()?;
        let text = found.as_deref().map(readable);
        let mut parsed = text.as_deref().map(parse);
        let is_misread = found
            .as_deref()
            .is_some_and(|own| misread_line(own).is_some());
        // Where bytes could not be read, a block that is not found may be among them.
        if let Some(parsed) = parsed.as_mut().filter(|_| is_misread) {
            parsed.is_whole = false;
        }
        let mut read = read_back(parsed.as_ref(), &self.state.pending, self.now);
        self.unclear = read.unclear;
        // Nor are other words than before words of the owner then.
        if is_misread {
            read.decisions
                .retain(|decision| !matches!(decision, Decision::Reword(..)));
            read.is_unreadable = true;
        }
        if read.is_unreadable && !self.state.pending.is_empty() {
            let kept = self.records.show(&self.state, self.now)?;
            self.kept_dreams = kept.or(self.kept_dreams.take());
        }
        if !read.decisions.is_empty() {
            self.taken_in = self.take(&read.decisions)?;
        }
        Ok(())
    }

    pub(super) fn commit(&mut self, change: StateChange) -> Result<(), DeskError> {
        let begun = self.records.begin(&self.memory, change, self.now)?;
        let (state, kept) = self.records.carry_out(&mut self.memory, &begun)?;
        self.state = state;
        self.kept_dreams = kept.or(self.kept_dreams.take());
        Ok(())
    }
}

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "desk_editor_tests.rs"]
mod editor_tests;

#[cfg(test)]
#[path = "desk_sides_tests.rs"]
mod sides_tests;
