//! Carries out a plan: a tombstone hides all of it at once, and a sweep then takes the lines out of the files.
//!
//! Never overwrites text that another program saved in between.

use base::Timestamp;
use base::disk::read_all;
use search::NOTE_BYTES_MAX;

use super::copies;
use super::model::{ForgetError, ForgetPlan, ForgetReport};
use super::notes::{NotePassage, RemovedText, passages, without};
use crate::candidates::{MemoryTxnError, forget_candidates};
use crate::curated::keep_lines_by_hand;
use crate::daily_log::inside;
use crate::graph::forget_facts;
use crate::notes::note_paths;
use crate::tombstone::{
    OwnerLines, TextHash, Tombstone, TombstoneCause, TombstoneId, TombstoneProgress, Tombstones,
    add_tombstone, load_tombstones, replace_tombstone,
};
use crate::workspace::MEMORY_FILE;
use crate::workspace_file::WorkspaceFile;
use crate::{Workspace, WorkspacePath};

/// Carries out a plan.
///
/// Durability: the tombstone is written first and hides everything from then on, also after a crash; the next sweep
/// takes out what is left.
///
/// # Errors
///
/// [`ForgetError`]; nothing was forgotten.
pub fn forget(
    workspace: &Workspace,
    plan: &ForgetPlan,
    owner_lines: OwnerLines,
    now: Timestamp,
) -> Result<ForgetReport, ForgetError> {
    let mut tombstone = planned_tombstone(plan, owner_lines, now);
    let known = load_tombstones(workspace)?;
    tombstone.id = free_id(tombstone.id, known.all());
    let (id, files) = (tombstone.id.clone(), tombstone.files.clone());
    add_tombstone(workspace, tombstone)?;
    let (candidates, left) = match sweep(workspace, now) {
        Ok(candidates) => (candidates, None),
        Err(error) => (None, Some(error)),
    };
    Ok(ForgetReport {
        id,
        files,
        owner_lines,
        candidates,
        left,
    })
}

/// The tombstone that carrying out a plan would write.
pub fn planned_tombstone(plan: &ForgetPlan, owner_lines: OwnerLines, now: Timestamp) -> Tombstone {
    let texts: Vec<TextHash> = plan.texts().into_iter().collect();
    let entries: Vec<_> = plan.entries.iter().map(|it| it.entry.clone()).collect();
    Tombstone {
        id: TombstoneId::of(now, &texts, &entries),
        at: now,
        why: TombstoneCause::Forgotten,
        texts,
        reinstated: Vec::new(),
        evidence: plan.hidden_for_a_part(),
        entries,
        files: plan.files(owner_lines),
        owner_lines,
        progress: TombstoneProgress::Begun,
        gone_at: None,
        asked: plan.asked.clone(),
    }
}

/// Makes the id unique: the same text may be forgotten twice at the same moment.
fn free_id(id: TombstoneId, known: &[Tombstone]) -> TombstoneId {
    if known.iter().all(|it| it.id != id) {
        return id;
    }
    free_id(TombstoneId::new(base::short_hash(id.as_str())), known)
}

/// Takes forgotten text out of every note, and keeps it for an undo: our lines whenever they are there, and those of
/// the owner once, if the owner agreed. Does the same if it is repeated, after a crash too. Returns why the candidates
/// could not be read, if so.
///
/// # Errors
///
/// [`ForgetError`]; what is left stays hidden. All files are tried.
pub fn sweep(workspace: &Workspace, now: Timestamp) -> Result<Option<MemoryTxnError>, ForgetError> {
    if load_tombstones(workspace)?.hides_nothing() {
        return Ok(None);
    }
    let _lock = workspace.lock_forgetting()?;
    copies::prune(workspace, now)?;
    let tombstones = load_tombstones(workspace)?;
    // First, because it waits for a running review, which may still write forgotten text into `MEMORY.md`.
    let candidates = forget_candidates(workspace, now).err();
    let all: Vec<Removal<'_>> = tombstones.forgotten().map(Removal::of).collect();
    let mut failed = None;
    for path in note_paths(workspace) {
        if let Err(error) = sweep_note(workspace, &path, &all) {
            failed.get_or_insert(error);
        }
    }
    let old = tombstones.forgotten();
    let old = old.filter(|own| own.at + copies::LIMITS.age < now).cloned();
    if let Err(error) = forget_facts(workspace, &Tombstones::new(old.collect())) {
        failed.get_or_insert(error.into());
    }
    failed.map_or(Ok(()), Err)?;
    for removal in all {
        // What the owner writes from now on is theirs again.
        if removal.tombstone.progress == TombstoneProgress::Begun {
            let done = Tombstone {
                progress: TombstoneProgress::Done,
                ..removal.tombstone.clone()
            };
            replace_tombstone(workspace, done)?;
        }
    }
    Ok(candidates)
}

/// The lines that a sweep would remove from the notes: path and text.
pub fn left_standing(
    workspace: &Workspace,
    tombstones: &Tombstones,
) -> Vec<(WorkspacePath, String)> {
    let all: Vec<Removal<'_>> = tombstones.forgotten().map(Removal::of).collect();
    let mut left = Vec::new();
    for path in note_paths(workspace) {
        let passages = passages_of(workspace, &path).into_iter();
        let goes = |it: &NotePassage| all.iter().any(|own| own.takes(it));
        left.extend(passages.filter(goes).map(|it| (path.clone(), it.text)));
    }
    left
}

/// The passages of a note; none for a note that cannot be read, because such a note is not shown either.
pub(super) fn passages_of(workspace: &Workspace, path: &WorkspacePath) -> Vec<NotePassage> {
    let full = path.under(workspace.root());
    let read = read_all(workspace.disk(), &full, NOTE_BYTES_MAX);
    let read = read.map(|bytes| passages(&workspace.ledger(), path.as_str(), &bytes));
    read.unwrap_or_default()
}

/// The lines that one tombstone removes from the notes.
struct Removal<'t> {
    tombstone: &'t Tombstone,
    goes: RemovedText,
    owner_lines: OwnerLines,
}

impl<'t> Removal<'t> {
    fn of(tombstone: &'t Tombstone) -> Self {
        Self {
            goes: RemovedText::of(tombstone, tombstone.standing_texts()),
            owner_lines: match tombstone.progress {
                TombstoneProgress::Begun => tombstone.owner_lines,
                TombstoneProgress::Done => OwnerLines::Leave,
            },
            tombstone,
        }
    }

    fn takes(&self, passage: &NotePassage) -> bool {
        self.goes.takes(passage, self.owner_lines)
    }
}

fn sweep_note(
    workspace: &Workspace,
    path: &WorkspacePath,
    all: &[Removal<'_>],
) -> Result<(), ForgetError> {
    let passages = passages_of(workspace, path);
    for removal in all {
        if passages.iter().any(|passage| removal.takes(passage)) {
            take_out(workspace, path, removal)?;
        }
    }
    Ok(())
}

fn take_out(
    workspace: &Workspace,
    path: &WorkspacePath,
    removal: &Removal<'_>,
) -> Result<(), ForgetError> {
    let goes = (&removal.goes, removal.owner_lines);
    take_lines(workspace, path, goes, &|found| {
        Ok(copies::keep(workspace, (removal.tombstone, path), found)?)
    })
}

/// Takes lines out of a note, after `keep` has seen its content.
pub(super) fn take_lines(
    workspace: &Workspace,
    path: &WorkspacePath,
    (goes, owner_lines): (&RemovedText, OwnerLines),
    keep: &dyn Fn(&[u8]) -> Result<(), ForgetError>,
) -> Result<(), ForgetError> {
    let _locks = workspace.lock_notes()?;
    let file = WorkspaceFile::new(workspace, inside(workspace, path)?, NOTE_BYTES_MAX);
    file.edit(|found| -> Result<_, ForgetError> {
        let found = found.unwrap_or_default();
        let ledger = workspace.ledger();
        let note = (path.as_str(), found);
        let Some(after) = without(&ledger, note, goes, owner_lines) else {
            return Ok(None);
        };
        keep(found)?;
        if path.as_str() == MEMORY_FILE {
            let text = String::from_utf8_lossy(found);
            let kept = keep_lines_by_hand(workspace, &ledger.read(MEMORY_FILE, &text));
            workspace.poisoning(kept)?;
        }
        if !after.records.is_empty() {
            workspace.commit_records(&after.records)?;
        }
        Ok(Some(after.bytes))
    })
}

/// Tombstones of the same request that were not undone, oldest first.
pub fn asked_before(
    workspace: &Workspace,
    asked: &TextHash,
) -> Result<Vec<Tombstone>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let same = tombstones.all().iter();
    let same = same.filter(|it| it.asked.as_ref() == Some(asked));
    Ok(same.cloned().collect())
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
