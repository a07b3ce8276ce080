//! The file of the tombstones, in JSON Lines: read whole and replaced atomically under a lock.
//!
//! Never drops a tombstone by itself and never skips a line that it cannot parse: forgotten text could come back.

use base::disk::{Lock, read_some, replace};
use serde::{Deserialize, Serialize};

use super::model::{TextHash, Tombstone, TombstoneCause, TombstoneId};
use super::set::Tombstones;
use crate::FileError;
use crate::workspace::Workspace;

/// The format version of the file.
const VERSION: u32 = 1;

/// Size limit of the file in bytes: room for some hundred thousand passages, and still fast to read.
pub const TOMBSTONES_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Reads the tombstones of a home; empty if the file is missing.
pub fn load_tombstones(workspace: &Workspace) -> Result<Tombstones, FileError> {
    let path = workspace.layout().tombstones();
    let Some(bytes) = read_some(workspace.disk(), &path, TOMBSTONES_BYTES_MAX)? else {
        return Ok(Tombstones::default());
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Tombstones::new(parse(&workspace.name_of(&path), &text)?))
}

/// Adds a tombstone.
///
/// Durability: after `Ok` it is on disk; after a crash the file has either its old or its new content.
pub fn add_tombstone(workspace: &Workspace, tombstone: Tombstone) -> Result<(), FileError> {
    change(workspace, |all| {
        all.push(tombstone);
    })
}

/// Adds those of `others` whose ids are new; returns how many.
///
/// Durability: as for [`add_tombstone`], for all of them at once.
pub fn take_tombstones(workspace: &Workspace, others: Vec<Tombstone>) -> Result<usize, FileError> {
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
    })?;
    Ok(n_new)
}

/// Replaces the tombstone with the same id, if there is one.
pub fn replace_tombstone(workspace: &Workspace, with: Tombstone) -> Result<(), FileError> {
    change(workspace, |all| {
        if let Some(known) = all.iter_mut().find(|known| known.id == with.id) {
            *known = with;
        }
    })
}

/// Removes a tombstone, so that its text is visible again.
pub fn lift_tombstone(workspace: &Workspace, id: &TombstoneId) -> Result<(), FileError> {
    change(workspace, |all| {
        all.retain(|known| known.id != *id);
    })
}

/// Makes forgotten text visible again after the owner has stated it again; entries hidden by the tombstone stay hidden.
/// Returns the tombstone that hid the text, if any.
///
/// Durability: as for [`add_tombstone`].
///
/// # Errors
///
/// [`FileError`]; the text stays forgotten.
pub fn reinstate(workspace: &Workspace, text: &str) -> Result<Option<TombstoneId>, FileError> {
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
    })?;
    Ok(hidden_by)
}

fn change(workspace: &Workspace, act: impl FnOnce(&mut Vec<Tombstone>)) -> Result<(), FileError> {
    let _lock: Lock = workspace.lock_tombstones()?;
    let mut all = load_tombstones(workspace)?.all().to_vec();
    act(&mut all);
    let path = workspace.layout().tombstones();
    let file = workspace.name_of(&path);
    let text = render(&all).map_err(|error| damaged(&file, 1, &error))?;
    let n_bytes = text.len() as u64;
    if n_bytes > TOMBSTONES_BYTES_MAX {
        return Err(FileError::TooLarge {
            file,
            n_bytes,
            n_bytes_max: TOMBSTONES_BYTES_MAX,
        });
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

/// The error for a line that cannot be parsed. Because it is then unknown what to hide, nothing is shown.
fn damaged(file: &str, line: usize, error: &serde_json::Error) -> FileError {
    FileError::Damaged {
        file: file.to_owned(),
        line: Some(line),
        cause: error.to_string(),
        fix: "restore the file from a backup, or delete it: forgotten text can then be found again",
    }
}

/// Parses the file, which is named `file` in errors.
fn parse(file: &str, text: &str) -> Result<Vec<Tombstone>, FileError> {
    let mut lines = text.lines().zip(1..);
    let Some((header, _)) = lines.next() else {
        return Ok(Vec::new());
    };
    let header: HeaderWire =
        serde_json::from_str(header).map_err(|error| damaged(file, 1, &error))?;
    if header.version > VERSION {
        return Err(FileError::TooNew(file.to_owned(), header.version));
    }
    let read = lines.map(|(line, number)| {
        serde_json::from_str(line).map_err(|error| damaged(file, number, &error))
    });
    read.collect()
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
