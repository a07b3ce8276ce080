//! The file of the tombstones: read whole, replaced whole, under a lock.
//!
//! Never drops a tombstone by itself: only its owner lifts one.

use std::path::PathBuf;

use base::disk::{DiskError, Lock, read_some, replace};

use super::format::{self, Unreadable, VERSION};
use super::model::{TextHash, Tombstone, TombstoneId, Why};
use super::set::Tombstones;
use crate::workspace::{Workspace, by_process, locked_or_disk};

/// The tombstones could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TombstoneError {
    /// Another process writes them.
    #[error("what is forgotten is locked{}", by_process(*.pid))]
    Locked {
        /// That process, where it is known.
        pid: Option<u32>,
    },
    /// The file does not hold what it should. What was forgotten is then unknown, and nothing is shown.
    #[error("{path} is damaged in line {line}: {what}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was found.
        what: String,
    },
    /// A newer version of the program wrote the file.
    #[error("{path} has format {found}; this version knows {VERSION}", path = .path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version that was found.
        found: u32,
    },
    /// So much is forgotten that no more can be.
    #[error(
        "what is forgotten would take {n_bytes} bytes; at most {TOMBSTONES_BYTES_MAX} are kept"
    )]
    Full {
        /// The length of the file with it.
        n_bytes: u64,
    },
    /// There is no such tombstone.
    #[error("nothing was forgotten under the id {id}")]
    Unknown {
        /// The id.
        id: TombstoneId,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(TombstoneError);

/// Longest file in bytes: some hundred thousand passages, and still read in a moment.
pub const TOMBSTONES_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Reads the tombstones of a home; a home without any has none.
///
/// # Errors
///
/// [`TombstoneError`]; a damaged file is an error, for what it held would come back.
pub fn load_tombstones(workspace: &Workspace) -> Result<Tombstones, TombstoneError> {
    let path = workspace.tombstones();
    let Some(bytes) = read_some(workspace.disk(), &path, TOMBSTONES_BYTES_MAX)? else {
        return Ok(Tombstones::default());
    };
    let text = String::from_utf8_lossy(&bytes);
    let all = format::parse(&text).map_err(|unreadable| match unreadable {
        Unreadable::Damaged { line, what } => TombstoneError::Damaged {
            path: path.clone(),
            line,
            what,
        },
        Unreadable::TooNew { found } => TombstoneError::TooNew {
            path: path.clone(),
            found,
        },
    })?;
    Ok(Tombstones::new(all))
}

/// Adds a tombstone.
///
/// Durability: after `Ok` it stands on the disk; after a crash the file is as it was or holds it whole.
///
/// # Errors
///
/// [`TombstoneError`]; the file is then as it was.
pub fn add_tombstone(workspace: &Workspace, tombstone: Tombstone) -> Result<(), TombstoneError> {
    change(workspace, |all| {
        all.push(tombstone);
        Ok(())
    })
}

/// Adds those of other tombstones that are not there; gives how many.
///
/// Durability: as of [`add_tombstone`], for all of them at once.
///
/// # Errors
///
/// [`TombstoneError`]; the file is then as it was.
pub fn take_tombstones(
    workspace: &Workspace,
    others: Vec<Tombstone>,
) -> Result<usize, TombstoneError> {
    let known = load_tombstones(workspace)?;
    let is_new = |it: &Tombstone| known.all().iter().all(|known| known.id != it.id);
    if !others.iter().any(is_new) {
        return Ok(0);
    }
    let mut n_new = 0;
    change(workspace, |all| {
        for other in others {
            if all.iter().all(|known| known.id != other.id) {
                all.push(other);
                n_new += 1;
            }
        }
        Ok(())
    })?;
    Ok(n_new)
}

/// Puts a tombstone in the place of the one with its id.
///
/// # Errors
///
/// [`TombstoneError`]; the file is then as it was.
pub fn replace_tombstone(workspace: &Workspace, with: Tombstone) -> Result<(), TombstoneError> {
    change(workspace, |all| {
        let found = all.iter_mut().find(|known| known.id == with.id);
        let known = found.ok_or_else(|| TombstoneError::Unknown {
            id: with.id.clone(),
        })?;
        *known = with;
        Ok(())
    })
}

/// Takes a tombstone away: what it hid may be found again.
///
/// # Errors
///
/// [`TombstoneError`]; the file is then as it was.
pub fn lift_tombstone(workspace: &Workspace, id: &TombstoneId) -> Result<(), TombstoneError> {
    change(workspace, |all| {
        let found = all.iter().position(|known| known.id == *id);
        let index = found.ok_or_else(|| TombstoneError::Unknown { id: id.clone() })?;
        all.remove(index);
        Ok(())
    })
}

/// Lets a text be found again that was forgotten and that the owner tells again; what stood somewhere
/// when it was forgotten stays hidden there. Gives the tombstone that hid it.
///
/// Durability: as [`add_tombstone`].
///
/// # Errors
///
/// [`TombstoneError`]; the text then stays forgotten.
pub fn tell_again(
    workspace: &Workspace,
    text: &str,
) -> Result<Option<TombstoneId>, TombstoneError> {
    let Some(hash) = TextHash::of(text) else {
        return Ok(None);
    };
    if load_tombstones(workspace)?.forgotten_by(text).is_none() {
        return Ok(None);
    }
    let mut hidden_by = None;
    change(workspace, |all| {
        let forgotten = all.iter_mut().filter(|it| it.why == Why::Forgotten);
        for tombstone in forgotten.filter(|it| it.standing_texts().any(|text| *text == hash)) {
            tombstone.told_again.push(hash.clone());
            hidden_by.get_or_insert(tombstone.id.clone());
        }
        Ok(())
    })?;
    Ok(hidden_by)
}

fn change(
    workspace: &Workspace,
    act: impl FnOnce(&mut Vec<Tombstone>) -> Result<(), TombstoneError>,
) -> Result<(), TombstoneError> {
    let _lock: Lock = workspace.lock_tombstones()?;
    let mut all = load_tombstones(workspace)?.all().to_vec();
    act(&mut all)?;
    let path = workspace.tombstones();
    let text = format::render(&all).map_err(|error| TombstoneError::Damaged {
        path: path.clone(),
        line: 1,
        what: error.to_string(),
    })?;
    let n_bytes = text.len() as u64;
    if n_bytes > TOMBSTONES_BYTES_MAX {
        return Err(TombstoneError::Full { n_bytes });
    }
    if let Some(directory) = path.parent() {
        workspace.make_dir(directory)?;
    }
    Ok(replace(workspace.disk(), &path, text.as_bytes())?)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
