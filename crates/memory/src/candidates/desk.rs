//! The desk: memory and candidates, locked and loaded. Dreams and decisions take effect here and nowhere else.

use std::collections::BTreeSet;

use base::Timestamp;

use super::archive::moved;
use super::change::StateChange;
use super::error::{MemoryTxnError, ReviewError};
use super::forgetting::{visible_part, visible_review};
use super::model::{Candidate, CandidateId, Status};
use super::pending::PendingRecords;
use super::plan::{DreamPlan, DreamResult, planned};
use super::review::{Reviewed, meant, reviewed};
use super::state::{DreamState, UNDONE};
use crate::FileError;
use crate::curated::OpenMemory;
use crate::dreams_file::{Decision, parse, read_back};
use crate::misread::{misread_line, readable};
use crate::note::prepare;
use crate::note_text::MemoryText;
use crate::tombstone::{Tombstones, load_tombstones};
use crate::workspace::Workspace;

/// Whether opening the desk may write: finish an interrupted change and apply the owner's edits of `DREAMS.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Write,
    /// Read only.
    Read,
}

/// Memory and candidates, locked and loaded. A method that returns an error has changed nothing.
#[derive(Debug)]
pub struct MemoryTxn<'w> {
    pub(super) records: PendingRecords<'w>,
    memory: OpenMemory<'w>,
    /// The tombstones at the time of [`open`](Self::open); empty with [`Access::Read`].
    pub(super) tombstones: Tombstones,
    /// The tombstones that hide a part of the state.
    pub(super) forgotten: Tombstones,
    /// The state as it is written.
    pub(super) state: DreamState,
    /// The state without forgotten text.
    pub(super) visible: DreamState,
    now: Timestamp,
    taken_in: Reviewed,
    /// Candidates whose block in `DREAMS.md` has an unknown status.
    unclear: Vec<CandidateId>,
    kept_dreams: Option<String>,
    /// The cause of an undo that a crash interrupted and [`open`](Self::open) finished.
    finished_undo: Option<String>,
}

impl<'w> MemoryTxn<'w> {
    /// Locks and loads. With [`Access::Write`], also finishes a change that a crash interrupted and applies the
    /// decisions that the owner wrote into `DREAMS.md`.
    pub fn open(
        workspace: &'w Workspace,
        now: Timestamp,
        access: Access,
    ) -> Result<Self, MemoryTxnError> {
        let records = PendingRecords { workspace };
        let mut memory = OpenMemory::open(workspace)?;
        let forgotten = load_tombstones(workspace)?;
        let (mut finished_undo, mut kept_dreams) = (None, None);
        if access == Access::Write
            && let Some(begun) = records.begun()?
        {
            match records.carry_out(&mut memory, &begun, &forgotten) {
                Ok((_, kept)) => {
                    kept_dreams = kept;
                    let undone = begun.cause.strip_prefix(UNDONE).map(str::to_owned);
                    finished_undo = begun.undo.map(|_| begun.cause).or(undone);
                }
                // The owner saved MEMORY.md after the crash: drop the interrupted change.
                Err(MemoryTxnError::File(FileError::Changed(_))) => {}
                Err(error) => return Err(error),
            }
        }
        let state = records.state()?;
        let tombstones = match access {
            Access::Write => forgotten.clone(),
            Access::Read => Tombstones::default(),
        };
        let mut desk = Self {
            records,
            memory,
            tombstones,
            visible: visible_part(&state, &forgotten),
            forgotten,
            state,
            now,
            taken_in: Reviewed::default(),
            unclear: Vec::new(),
            kept_dreams,
            finished_undo,
        };
        if access == Access::Write {
            desk.take_in()?;
        }
        Ok(desk)
    }

    /// The state of dreams, without forgotten text.
    #[expect(
        clippy::misnamed_getters,
        reason = "the field `state` also has what is forgotten"
    )]
    pub fn state(&self) -> &DreamState {
        &self.visible
    }

    /// The content of `MEMORY.md`.
    pub fn memory(&self) -> &MemoryText {
        self.memory.text()
    }

    /// The tombstones at the time of [`open`](Self::open); empty with [`Access::Read`].
    pub fn tombstones(&self) -> &Tombstones {
        &self.tombstones
    }

    /// The first line of `MEMORY.md` with invalid UTF-8; while there is one, the file cannot be written.
    pub fn misread_memory(&self) -> Option<usize> {
        self.memory.misread_line()
    }

    /// The decisions that [`open`](Self::open) found in `DREAMS.md` and applied.
    pub fn taken_in(&self) -> &Reviewed {
        &self.taken_in
    }

    /// Candidates whose block in `DREAMS.md` has an unknown status.
    pub fn unclear(&self) -> &[CandidateId] {
        &self.unclear
    }

    /// The name of the copy of a `DREAMS.md` that could not be read whole; the copy is next to it.
    pub fn kept_dreams(&self) -> Option<&str> {
        self.kept_dreams.as_deref()
    }

    /// Finds a candidate by its id or a prefix of it.
    pub fn meant(&self, typed: &str) -> Result<&Candidate, ReviewError> {
        meant(&self.visible, typed)
    }

    /// The content `MEMORY.md` would have if the owner accepted `id`.
    pub fn preview(&self, id: &CandidateId) -> Result<MemoryText, ReviewError> {
        self.waiting(id)?;
        let decisions = [Decision::Accept(id.clone())];
        let change = reviewed(&decisions, self.memory.text(), &self.visible, self.now);
        let text = change.and_then(|(change, _)| change.memory);
        Ok(text.unwrap_or_else(|| self.memory.text().clone()))
    }

    /// Accepts candidates: writes them into `MEMORY.md`.
    pub fn accept(&mut self, ids: &[CandidateId]) -> Result<Reviewed, MemoryTxnError> {
        self.decide(ids, Decision::Accept)
    }

    /// Rejects candidates.
    pub fn reject(&mut self, ids: &[CandidateId]) -> Result<Reviewed, MemoryTxnError> {
        self.decide(ids, Decision::Reject)
    }

    /// Accepts `newer` and rejects `older`, as one decision.
    pub fn prefer(
        &mut self,
        newer: &CandidateId,
        older: &[CandidateId],
    ) -> Result<Reviewed, MemoryTxnError> {
        self.waiting(newer)?;
        let older = older.iter().cloned().map(Decision::Reject);
        let decisions: Vec<Decision> = [Decision::Accept(newer.clone())]
            .into_iter()
            .chain(older)
            .collect();
        self.take(&decisions)
    }

    /// Copies the rejections of another workspace and returns how many are new here. Pending candidates are not
    /// changed.
    pub fn take_rejections(&mut self, elsewhere: &Workspace) -> Result<usize, MemoryTxnError> {
        let theirs = (PendingRecords {
            workspace: elsewhere,
        })
        .state()?
        .rejected;
        let mut next = self.state.clone();
        next.rejected.extend(theirs);
        let n_new = next.rejected.len() - self.state.rejected.len();
        if n_new > 0 {
            self.commit(StateChange::of_state(
                next,
                "rejections were copied from another home",
            ))?;
        }
        Ok(n_new)
    }

    /// Replaces the text of a pending candidate with the owner's words.
    pub fn reword(&mut self, id: &CandidateId, finding: &str) -> Result<Reviewed, MemoryTxnError> {
        self.waiting(id)?;
        let finding = prepare(finding);
        if finding.is_empty() {
            return Err(ReviewError::Empty.into());
        }
        self.take(&[Decision::Reword(id.clone(), finding)])
    }

    /// Restores the text and origin that a pending candidate had in `before`.
    pub fn restore_words(&mut self, before: &Candidate) -> Result<(), MemoryTxnError> {
        self.waiting(&before.id)?;
        let mut next = self.state.clone();
        if let Some(own) = next.pending.iter_mut().find(|own| own.id == before.id) {
            own.finding.clone_from(&before.finding);
            own.proposed_as.clone_from(&before.proposed_as);
            own.origin = before.origin;
        }
        self.commit(StateChange::of_state(
            next,
            "the earlier text of a candidate was restored",
        ))
    }

    /// Drops the record that a text was taken back, because the owner says it again.
    pub fn say_again(&mut self, text: &str) -> Result<bool, MemoryTxnError> {
        if !self.state.is_taken_back(text) {
            return Ok(false);
        }
        let mut next = self.state.clone();
        next.drop_taken_back(text);
        self.commit(StateChange::of_state(
            next,
            "the owner said again what was taken back",
        ))?;
        Ok(true)
    }

    /// Applies a dream's plan.
    ///
    /// # Errors
    ///
    /// [`MemoryTxnError`]; [`MemoryTxnError::Forgotten`] if the owner has forgotten something since the desk was
    /// opened.
    pub fn dream(&mut self, plan: &DreamPlan) -> Result<DreamResult, MemoryTxnError> {
        let workspace = self.records.workspace;
        // A forget that starts after this lock sees what this dream writes.
        let _held = workspace.lock_tombstones()?;
        if load_tombstones(workspace)?.has_others_than(&self.tombstones) {
            return Err(MemoryTxnError::Forgotten);
        }
        let (change, result) = planned(plan, self.memory.text(), &self.state, self.now);
        self.commit(change)?;
        Ok(result)
    }

    /// Moves lines of ours to the archive, as the owner asked; returns how many of these ids there were.
    ///
    /// # Errors
    ///
    /// [`MemoryTxnError`]; then nothing was moved.
    pub fn archive(&mut self, ids: &BTreeSet<String>) -> Result<usize, MemoryTxnError> {
        let Some(change) = moved(ids, self.memory.text(), &self.state, self.now) else {
            return Ok(0);
        };
        let n_moved = change.archived.len();
        self.commit(change)?;
        Ok(n_moved)
    }

    fn waiting(&self, id: &CandidateId) -> Result<(), ReviewError> {
        match self.visible.candidate(id) {
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
    ) -> Result<Reviewed, MemoryTxnError> {
        for id in ids {
            self.waiting(id)?;
        }
        let decisions: Vec<Decision> = ids.iter().cloned().map(decision).collect();
        self.take(&decisions)
    }

    fn take(&mut self, decisions: &[Decision]) -> Result<Reviewed, MemoryTxnError> {
        let found = reviewed(decisions, self.memory.text(), &self.state, self.now);
        let Some((change, done)) = found else {
            return Ok(Reviewed::default());
        };
        self.commit(change)?;
        Ok(visible_review(done, &self.forgotten))
    }

    fn take_in(&mut self) -> Result<(), MemoryTxnError> {
        let found = self.records.dreams_bytes()?;
        let text = found.as_deref().map(readable);
        let mut parsed = text.as_deref().map(parse);
        let is_misread = found
            .as_deref()
            .is_some_and(|own| misread_line(own).is_some());
        // A block that seems to be missing may be in the invalid bytes.
        if let Some(parsed) = parsed.as_mut().filter(|_| is_misread) {
            parsed.is_whole = false;
        }
        let mut read = read_back(parsed.as_ref(), &self.visible.pending, self.now);
        self.unclear = read.unclear;
        // For the same reason, changed text is not the owner's rewording.
        if is_misread {
            read.decisions
                .retain(|decision| !matches!(decision, Decision::Reword(..)));
            read.is_unreadable = true;
        }
        if read.is_unreadable && !self.visible.pending.is_empty() {
            let kept = self.records.show(&self.visible, self.now)?;
            self.kept_dreams = kept.or(self.kept_dreams.take());
        }
        if !read.decisions.is_empty() {
            self.taken_in = self.take(&read.decisions)?;
        }
        Ok(())
    }

    pub(super) fn commit(&mut self, change: StateChange) -> Result<(), MemoryTxnError> {
        let (records, forgotten) = (self.records, &self.forgotten);
        let begun = records.begin(&self.memory, change, (self.now, forgotten))?;
        let (state, kept) = records.carry_out(&mut self.memory, &begun, forgotten)?;
        self.visible = visible_part(&state, forgotten);
        self.state = state;
        self.kept_dreams = kept.or(self.kept_dreams.take());
        Ok(())
    }
}

fn ids_of(candidates: Vec<String>) -> Vec<CandidateId> {
    candidates.into_iter().map(CandidateId::new).collect()
}

#[path = "desk_undo.rs"]
mod undo;

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "desk_editor_tests.rs"]
mod editor_tests;

#[cfg(test)]
#[path = "desk_sides_tests.rs"]
mod sides_tests;

#[cfg(test)]
#[path = "desk_undo_tests.rs"]
mod undo_tests;
