//! Promises as they stood in the page before its last changes, from the copies that each change keeps.
//!
//! Changes nothing.

use std::collections::BTreeSet;

use base::disk::DiskError;
use base::{Timestamp, Tz};
use chrono::NaiveDateTime;

use super::claim::local;
use super::page::{Page, Promise};
use crate::files::copies_of;
use crate::tombstone::load_tombstones;
use crate::workspace::PROMISES_FILE;
use crate::{FileError, Workspace};

/// A copy of the page that cannot be read; nothing is restored from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadCopy {
    /// The name of its file in `state/overwritten`.
    pub name: String,
    /// Why it cannot be read.
    pub why: String,
}

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
    let copies = page_copies(workspace, local(now, timezone)).unwrap_or_default();
    for page in copies.pages {
        let new = page
            .promises
            .into_iter()
            .filter(|own| !own.is_hidden(&tombstones) && seen.insert((own.id.clone(), own.item())));
        found.extend(new);
    }
    Ok(found)
}

/// The copies of the page that cannot be read, newest first.
///
/// # Errors
///
/// [`DiskError`] if the folder of the copies cannot be listed.
pub fn unread_copies(
    workspace: &Workspace,
    now: Timestamp,
    timezone: Tz,
) -> Result<Vec<UnreadCopy>, DiskError> {
    Ok(page_copies(workspace, local(now, timezone))?.unread)
}

/// The copies of the page, newest first.
#[derive(Debug, Default)]
pub(super) struct PageCopies {
    pub(super) pages: Vec<Page>,
    unread: Vec<UnreadCopy>,
}

/// Reads the copies of the page, those that can be read.
pub(super) fn page_copies(
    workspace: &Workspace,
    there: NaiveDateTime,
) -> Result<PageCopies, DiskError> {
    let mut copies = PageCopies::default();
    for (name, read) in copies_of(workspace, PROMISES_FILE)? {
        let page = read.map_err(|error| error.to_string()).and_then(|found| {
            let page = workspace.promises_page(&found, there);
            page.map_err(|error| error.to_string())
        });
        match page {
            Ok(page) => copies.pages.push(page),
            Err(why) => copies.unread.push(UnreadCopy { name, why }),
        }
    }
    Ok(copies)
}
