//! The file of the tombstones, in JSON Lines: read whole and replaced atomically under a lock.
//!
//! Never drops a tombstone by itself and never skips a line that it cannot parse: forgotten text could come back.

use std::path::Path;

use base::disk::{Lock, read_some, replace};
use serde::{Deserialize, Serialize};

use super::error::{TOMBSTONES_BYTES_MAX, TombstoneError, VERSION};
use super::model::{TextHash, Tombstone, TombstoneCause, TombstoneId};
use super::set::Tombstones;
use crate::workspace::Workspace;

/// Reads the tombstones of a home; empty if the file is missing.
pub fn load_tombstones(workspace: &Workspace) -> Result<Tombstones, TombstoneError> {
    let path = workspace.layout().tombstones();
    let Some(bytes) = read_some(workspace.disk(), &path, TOMBSTONES_BYTES_MAX)? else {
        return Ok(Tombstones::default());
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Tombstones::new(parse(&path, &text)?))
}

/// Adds a tombstone.
///
/// Durability: after `Ok` it is on disk; after a crash the file has either its old or its new content.
pub fn add_tombstone(workspace: &Workspace, tombstone: Tombstone) -> Result<(), TombstoneError> {
    change(workspace, |all| {
        all.push(tombstone);
        Ok(())
    })
}

/// Adds those of `others` whose ids are new; returns how many.
///
/// Durability: as for [`add_tombstone`], for all of them at once.
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

/// Replaces the tombstone with the same id.
pub fn replace_tombstone(workspace: &Workspace, with: Tombstone) -> Result<(), TombstoneError> {
    change(workspace, |all| {
        let found = all.iter_mut().find(|known| known.id == with.id);
        let known = found.ok_or_else(|| TombstoneError::Unknown(with.id.clone()))?;
        *known = with;
        Ok(())
    })
}

/// Removes a tombstone, so that its text is visible again.
pub fn lift_tombstone(workspace: &Workspace, id: &TombstoneId) -> Result<(), TombstoneError> {
    change(workspace, |all| {
        let found = all.iter().position(|known| known.id == *id);
        let index = found.ok_or_else(|| TombstoneError::Unknown(id.clone()))?;
        all.remove(index);
        Ok(())
    })
}

/// Makes forgotten text visible again after the owner has stated it again; entries hidden by the tombstone stay hidden.
/// Returns the tombstone that hid the text, if any.
///
/// Durability: as for [`add_tombstone`].
///
/// # Errors
///
/// [`TombstoneError`]; the text stays forgotten.
pub fn reinstate(workspace: &Workspace, text: &str) -> Result<Option<TombstoneId>, TombstoneError> {
    let Some(hash) = TextHash::of(text) else {
        return Ok(None);
    };
    if load_tombstones(workspace)?.forgotten_by(text).is_none() {
        return Ok(None);
    }
    let mut hidden_by = None;
    change(workspace, |all| {
        let forgotten = all
            .iter_mut()
            .filter(|it| it.why == TombstoneCause::Forgotten);
        for tombstone in forgotten.filter(|it| it.standing_texts().any(|text| *text == hash)) {
            tombstone.reinstated.push(hash.clone());
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
    let path = workspace.layout().tombstones();
    let text = render(&all).map_err(|error| TombstoneError::Damaged {
        path: path.clone(),
        line: 1,
        what: error.to_string(),
    })?;
    let n_bytes = text.len() as u64;
    if n_bytes > TOMBSTONES_BYTES_MAX {
        return Err(TombstoneError::Full(n_bytes));
    }
    workspace.make_dir_of(&path)?;
    Ok(replace(workspace.disk(), &path, text.as_bytes())?)
}

#[derive(Serialize, Deserialize)]
struct HeaderWire {
    r#type: HeaderType,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum HeaderType {
    Tombstones,
}

/// Renders the file.
fn render(all: &[Tombstone]) -> Result<String, serde_json::Error> {
    let header = HeaderWire {
        r#type: HeaderType::Tombstones,
        version: VERSION,
    };
    let mut text = serde_json::to_string(&header)? + "\n";
    for tombstone in all {
        text.push_str(&serde_json::to_string(tombstone)?);
        text.push('\n');
    }
    Ok(text)
}

/// Parses the file; `path` is for errors.
fn parse(path: &Path, text: &str) -> Result<Vec<Tombstone>, TombstoneError> {
    let damaged = |line, error: &serde_json::Error| TombstoneError::Damaged {
        path: path.to_owned(),
        line,
        what: error.to_string(),
    };
    let mut lines = text.lines().zip(1..);
    let Some((header, _)) = lines.next() else {
        return Ok(Vec::new());
    };
    let header: HeaderWire = serde_json::from_str(header).map_err(|error| damaged(1, &error))?;
    if header.version > VERSION {
        return Err(TombstoneError::TooNew(path.to_owned(), header.version));
    }
    let read = lines
        .map(|(line, number)| serde_json::from_str(line).map_err(|error| damaged(number, &error)));
    read.collect()
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
