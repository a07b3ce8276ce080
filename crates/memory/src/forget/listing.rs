//! Finds the passages of notes that a forget hid or took out, as far as their text is still kept.
//!
//! Changes nothing.

use std::collections::BTreeSet;

use base::disk::DiskError;

use super::copies;
use super::notes::passages;
use super::plan::plan_hidden_lines;
use crate::candidates::{MemoryTxnError, dream_state};
use crate::tombstone::{TextHash, Tombstone};
use crate::{Workspace, WorkspacePath};

/// The passages that a request to forget removed from notes (read from the copies for its undo), and those that it hid
/// there, each with its note. Copies that cannot be read are left out.
pub fn forgotten_passages(
    workspace: &Workspace,
    tombstone: &Tombstone,
) -> Vec<(WorkspacePath, String)> {
    let texts: BTreeSet<&TextHash> = tombstone.texts.iter().collect();
    let ledger = workspace.ledger();
    let mut found: Vec<(WorkspacePath, String)> = Vec::new();
    for copy in copies::of(workspace, tombstone).unwrap_or_default() {
        let bytes = copies::read(workspace, &copy).ok().flatten();
        let held = passages(&ledger, copy.path.as_str(), &bytes.unwrap_or_default());
        let gone = held.into_iter().filter(|own| texts.contains(&own.hash));
        found.extend(gone.map(|own| (copy.path.clone(), own.text)));
    }
    let hidden = plan_hidden_lines(workspace, tombstone).lines.into_iter();
    found.extend(hidden.map(|own| (own.path, own.text)));
    let mut seen = BTreeSet::new();
    found.retain(|own| seen.insert(own.clone()));
    found
}

/// What an undo of a request to forget brings back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Restorable {
    /// Everything.
    Whole,
    /// Everything but the lines that left their files: their copies are no longer kept.
    WithoutLines,
    /// Nothing: it was removed for good.
    Nothing,
}

/// What an undo of a request to forget would bring back now.
///
/// # Errors
///
/// [`DiskError`] if the copies cannot be listed.
pub fn restorable(workspace: &Workspace, tombstone: &Tombstone) -> Result<Restorable, DiskError> {
    Ok(if tombstone.gone_at.is_some() {
        Restorable::Nothing
    } else if tombstone.files.is_empty() || keeps_copies(workspace, tombstone)? {
        Restorable::Whole
    } else {
        Restorable::WithoutLines
    })
}

/// Whether a request to forget still has copies of notes for its undo.
///
/// # Errors
///
/// [`DiskError`] if they cannot be listed.
pub fn keeps_copies(workspace: &Workspace, tombstone: &Tombstone) -> Result<bool, DiskError> {
    Ok(!copies::of(workspace, tombstone)?.is_empty())
}

/// The texts of candidates that a request to forget hid, as far as they are still kept.
///
/// # Errors
///
/// [`MemoryTxnError`] if the candidates cannot be read.
pub fn forgotten_candidates(
    workspace: &Workspace,
    tombstone: &Tombstone,
) -> Result<Vec<String>, MemoryTxnError> {
    let is_gone = |text: &&str| {
        let hash = TextHash::of(text);
        hash.is_some_and(|hash| tombstone.texts.contains(&hash))
    };
    let state = dream_state(workspace)?.unwrap_or_default();
    let all = state.pending.iter().chain(&state.history);
    let texts = all.flat_map(|own| own.wordings().filter(is_gone));
    Ok(texts.map(str::to_owned).collect())
}
