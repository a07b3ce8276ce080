//! Moves a session that came from a repository without its scope into that repository.
//!
//! Loses nothing: of two copies of one conversation, the one with less goes into quarantine.

use std::collections::HashMap;
use std::path::Path;

use base::disk::{DiskError, create_dir, read_all};
use base::layout::transcript_path;
use base::{EntryId, content_hash};
use memory::{Workspace, WorkspaceError, replace_references};
use search::NoteSource as _;
use session::{BeginTurnError, ReadError, SessionName, SessionNameError, SessionStore, Turn};

use crate::scope::Repository;
use crate::take::{HeldMessages, NO_VIEW};

/// Why a session could not be moved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RelocateError {
    /// A session is in use, or has a format that this version cannot write.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// A session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The notes are in use or cannot be changed.
    #[error(transparent)]
    Notes(#[from] WorkspaceError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The name is too long beside a scope.
    #[error(transparent)]
    Name(#[from] SessionNameError),
}

/// Digits of the hash in the name of a file in quarantine.
const HASH_DIGITS: usize = 16;

/// Maximum bytes of a transcript that goes into quarantine.
const TRANSCRIPT_BYTES_MAX: u64 = 4 << 30;

/// Moves the session into the repository, with its notes and what refers to them, and returns its new name. A copy that
/// is there already becomes one with it.
///
/// Durability: references change before files, so that another call completes what a crash interrupted.
pub fn relocate(
    store: &SessionStore,
    workspace: &Workspace,
    name: &SessionName,
    here: &Repository,
) -> Result<SessionName, RelocateError> {
    let wanted = here.session_name(name.as_str())?;
    let _background = store.lock_background(name)?;
    let _turn = store.begin_turn(name, NO_VIEW)?;
    let _other_turn = store.begin_turn(&wanted, NO_VIEW)?;
    let own = HeldMessages::read(store, name)?;
    let there = HeldMessages::read(store, &wanted)?;
    let pair = (name, &wanted);
    if !store.exists(&wanted)? {
        replace_references(workspace, &references(store, pair, HashMap::new())?)?;
        moved(store, workspace, name, &wanted)?;
        return Ok(wanted);
    }
    if let Some(same) = own.within(&there) {
        replace_references(workspace, &references(store, pair, same)?)?;
        set_aside(store, workspace, name, &wanted)?;
        return Ok(wanted);
    }
    if let Some(same) = there.within(&own) {
        replace_references(workspace, &references(store, pair, same)?)?;
        set_aside(store, workspace, &wanted, &wanted)?;
        moved(store, workspace, name, &wanted)?;
        return Ok(wanted);
    }
    // Both went on, so both stay.
    let (beside, _beside_turn) = free_name(store, name, here)?;
    replace_references(
        workspace,
        &references(store, (name, &beside), HashMap::new())?,
    )?;
    moved(store, workspace, name, &beside)?;
    Ok(beside)
}

/// The first free name in the repository beside that of a session, with its turn lock.
fn free_name(
    store: &SessionStore,
    name: &SessionName,
    here: &Repository,
) -> Result<(SessionName, Turn), RelocateError> {
    let mut number = 2_u64;
    loop {
        let beside = here.session_name(&format!("{name}-{number}"))?;
        let turn = store.begin_turn(&beside, NO_VIEW)?;
        if store.stat(&beside)?.is_none() {
            return Ok((beside, turn));
        }
        number += 1;
    }
}

/// The references to change when `name` becomes `wanted`; `same` gives the entries that stand for others from now on.
fn references(
    store: &SessionStore,
    (name, wanted): (&SessionName, &SessionName),
    same: HashMap<EntryId, EntryId>,
) -> Result<Vec<(String, String)>, ReadError> {
    let own = store.lineage(name)?.session.to_string();
    let scope = base::scope_of(wanted.as_str()).unwrap_or_default();
    let mut references = vec![
        (own.clone(), format!("{scope}{own}")),
        (
            transcript_path(name.as_str()),
            transcript_path(wanted.as_str()),
        ),
    ];
    let same = same.into_iter();
    references.extend(same.map(|(gone, kept)| (gone.to_string(), kept.to_string())));
    Ok(references)
}

fn moved(
    store: &SessionStore,
    workspace: &Workspace,
    name: &SessionName,
    wanted: &SessionName,
) -> Result<(), DiskError> {
    renamed(workspace, &store.path(name), &store.path(wanted))
}

fn renamed(workspace: &Workspace, from: &Path, to: &Path) -> Result<(), DiskError> {
    let disk = workspace.disk();
    disk.rename(from, to)?;
    for directory in [to.parent(), from.parent()].into_iter().flatten() {
        disk.sync_dir(directory)?;
    }
    Ok(())
}

/// Moves a transcript into quarantine, where it is deleted along with the session that stays.
fn set_aside(
    store: &SessionStore,
    workspace: &Workspace,
    name: &SessionName,
    stays: &SessionName,
) -> Result<(), DiskError> {
    let disk = workspace.disk();
    let from = store.path(name);
    let mut hash = content_hash(&read_all(disk, &from, TRANSCRIPT_BYTES_MAX)?);
    hash.truncate(HASH_DIGITS);
    let quarantine = workspace.layout().quarantine();
    create_dir(disk, &quarantine)?;
    renamed(
        workspace,
        &from,
        &quarantine.join(format!("{stays}-0-{hash}.jsonl")),
    )
}

#[cfg(test)]
mod tests {
    use base::{Message, Origin};
    use session::StoredMessage;

    use super::*;
    use crate::test_kit::{Home, offline_home};

    /// Appends what the owner said to a session, which begins with it.
    fn said(home: &Home, name: &SessionName, texts: &[&str]) {
        let mut turn = home
            .runtime
            .home
            .sessions
            .begin_turn(name, NO_VIEW)
            .unwrap();
        for text in texts {
            let at = home.runtime.home.clock.now();
            let message = StoredMessage::new(Message::user(*text), Origin::Owner);
            turn.append_message(at, message).unwrap();
        }
    }

    #[test]
    fn session_that_went_on_elsewhere_overwrites_no_other() {
        let home = offline_home();
        let here = Repository::of_path("/harbour");
        let store = &home.runtime.home.sessions;
        let name = |rest: &str| here.session_name(rest).unwrap();
        said(&home, &name("talk"), &["The pier is seven metres long."]);
        said(&home, &name("talk-2"), &["The crane is red."]);
        let talk: SessionName = "talk".parse().unwrap();
        said(&home, &talk, &["The pier is nine metres long."]);
        let kept = relocate(store, &home.runtime.home.workspace, &talk, &here).unwrap();
        assert_eq!(kept, name("talk-3"));
        for (name, text) in [
            (name("talk"), "seven"),
            (name("talk-2"), "crane"),
            (name("talk-3"), "nine"),
        ] {
            let path = format!("sessions/{name}.jsonl");
            assert!(home.read(&path).contains(text), "{path}");
        }
        assert_eq!(store.stat(&talk).unwrap(), None);
    }
}
