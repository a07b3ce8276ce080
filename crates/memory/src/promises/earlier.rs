//! Promises as they stood in the page before its last changes, from the copies that each change keeps.
//!
//! Changes nothing.

use std::collections::BTreeSet;

use base::{EntryId, Timestamp, Tz};

use super::claim::local;
use super::page::Promise;
use crate::files::copies_of;
use crate::tombstone::load_tombstones;
use crate::workspace::PROMISES_FILE;
use crate::{FileError, Workspace};

/// The promises of earlier versions of the page, each as it stood there, newest first: those that were dropped since, and
/// the others with the times that they had. None that was forgotten. Skips what cannot be read of the copies.
///
/// # Errors
///
/// [`FileError`] if it cannot be read what was forgotten.
pub fn earlier_promises(
    workspace: &Workspace,
    now: Timestamp,
    timezone: Tz,
) -> Result<Vec<Promise>, FileError> {
    let tombstones = load_tombstones(workspace)?;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let there = local(now, timezone);
    let copies = copies_of(workspace, PROMISES_FILE).unwrap_or_default();
    let pages = copies.iter().map(|it| workspace.promises_page(it, there));
    for page in pages.flatten() {
        let new = page
            .promises
            .into_iter()
            .filter(|own| !own.is_hidden(&tombstones) && seen.insert((own.id.clone(), own.item())));
        found.extend(new);
    }
    Ok(found)
}

/// The messages that promises were ever made from, those of promises that are gone from the page too.
pub fn promise_messages(workspace: &Workspace) -> BTreeSet<EntryId> {
    workspace.ledger().entries_in(PROMISES_FILE)
}
