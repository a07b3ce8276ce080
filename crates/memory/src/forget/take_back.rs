//! Takes back what the program made from messages that are about to be deleted.
//!
//! Hides nothing: the same text can be noted again.

use std::collections::BTreeSet;

use base::{Day, EntryId, Locator, Timestamp};

use super::model::{ForgetError, ForgetPlan, Keeper};
use super::notes::RemovedText;
use super::sweep::{passages_of, take_lines};
use crate::candidates::{CandidateId, UnreadMaterial, take_back_candidates};
use crate::notes::note_paths;
use crate::tombstone::{OwnerLines, load_tombstones};
use crate::workspace::MEMORY_FILE;
use crate::{Workspace, WorkspacePath};

/// What was taken back, and what stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakenBack {
    /// The number of removed notes.
    pub n_notes: usize,
    /// The number of candidates that no longer wait.
    pub n_candidates: usize,
    /// The lines of `MEMORY.md` that were made from the messages and stay: places and texts.
    pub left: Vec<(Locator, String)>,
}

/// A session that is about to be deleted.
#[derive(Debug, Clone, Copy)]
pub struct DeletedSession<'s> {
    /// The path of its transcript, relative to the home.
    pub path: &'s str,
    /// Its messages.
    pub messages: &'s BTreeSet<EntryId>,
    /// The plan to forget all of them.
    pub plan: &'s ForgetPlan,
}

/// Takes notes that were made from this session alone out of the daily logs, and its candidates out of the review. The
/// next dream reads it again, should it come back. Lines of `MEMORY.md`, of the owner, and of notes with other evidence
/// stay.
///
/// # Errors
///
/// [`ForgetError`]; a retry takes back the rest.
pub fn take_back_made_from(
    workspace: &Workspace,
    session: DeletedSession<'_>,
    now: Timestamp,
) -> Result<TakenBack, ForgetError> {
    let goes = RemovedText {
        texts: BTreeSet::new(),
        entries: session.messages.clone(),
    };
    let mut taken = TakenBack::default();
    let mut unread = UnreadMaterial {
        session: session.path,
        notes: Vec::new(),
    };
    for path in note_paths(workspace) {
        if path.as_str() == MEMORY_FILE {
            continue;
        }
        let passages = passages_of(workspace, &path);
        let gone = passages
            .iter()
            .filter(|it| goes.takes(it, OwnerLines::Leave));
        let n_gone = gone.count();
        if n_gone > 0 {
            let before = keys_of(workspace, &path)?;
            take_lines(workspace, &path, (&goes, OwnerLines::Leave), &|_| Ok(()))?;
            let after = keys_of(workspace, &path)?;
            unread.notes.extend(before.difference(&after).cloned());
            taken.n_notes += n_gone;
        }
    }
    let candidates = session.plan.candidates.iter();
    let candidates: BTreeSet<CandidateId> = candidates.map(|own| own.id.clone()).collect();
    taken.n_candidates = take_back_candidates(workspace, (&candidates, &unread), now)?;
    let lines = session.plan.lines.iter();
    let left = lines.filter(|it| it.path.as_str() == MEMORY_FILE && it.keeper == Keeper::Program);
    taken.left = left.map(|it| (it.place(), it.text.clone())).collect();
    Ok(taken)
}

/// The day of a log, with the key of each note in it under which dreams record that they have read it.
fn keys_of(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<BTreeSet<(Day, String)>, ForgetError> {
    let mut days = workspace.log_days()?.into_iter();
    let Some(day) = days.find(|day| workspace.log_path(*day) == *path) else {
        return Ok(BTreeSet::new());
    };
    let tombstones = load_tombstones(workspace)?;
    let items = workspace.log_items(day)?.into_iter();
    Ok(items
        .map(|item| (day, tombstones.note_key(&item.text)))
        .collect())
}
