//! Moves a session into the scope of another repository, or out of every one.
//!
//! Loses nothing: of two copies of one conversation, the shorter one is moved into quarantine.

use std::collections::HashMap;
use std::path::Path;

use base::disk::{DiskError, create_dir, read_all};
use base::layout::transcript_path;
use base::{EntryId, Timestamp, content_hash, scope_of, without_scope};
use memory::{FileError, Workspace, replace_references};
use search::NoteSource as _;
use session::{BeginTurnError, Meta, ReadError, SessionName, SessionNameError, SessionStore, Turn};

use crate::take::{HeldMessages, NO_VIEW, TakeError};

/// Why a session could not be moved.
#[derive(Debug, thiserror::Error)]
pub enum RelocateError {
    /// A session is in use, or has a format that this version cannot write.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// A session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The notes are in use or cannot be changed.
    #[error(transparent)]
    Notes(#[from] FileError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The name is too long next to a scope.
    #[error(transparent)]
    Name(#[from] SessionNameError),
}

/// Digits of the hash in the name of a file in quarantine.
const HASH_DIGITS: usize = 16;

/// Maximum bytes of a transcript that is moved into quarantine.
const TRANSCRIPT_BYTES_MAX: u64 = 4 << 30;

/// Moves a session to the name `wanted`, whose scope differs, with its notes and the references to them, and returns
/// its new name. A copy that is there already becomes one with it.
///
/// Durability: references change before files, so that another call completes what a crash interrupted.
pub fn relocate(
    store: &SessionStore,
    workspace: &Workspace,
    name: &SessionName,
    wanted: &SessionName,
) -> Result<SessionName, RelocateError> {
    let wanted = wanted.clone();
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
    let (beside, _beside_turn) = free_name(store, &wanted)?;
    replace_references(
        workspace,
        &references(store, (name, &beside), HashMap::new())?,
    )?;
    moved(store, workspace, name, &beside)?;
    Ok(beside)
}

/// The first of `NAME-2`, `NAME-3` and so on that no session has, with its turn lock.
fn free_name(
    store: &SessionStore,
    name: &SessionName,
) -> Result<(SessionName, Turn), RelocateError> {
    let mut number = 2_u64;
    loop {
        let beside: SessionName = format!("{name}-{number}").parse()?;
        let turn = store.begin_turn(&beside, NO_VIEW)?;
        if store.stat(&beside)?.is_none() {
            return Ok((beside, turn));
        }
        number = number.saturating_add(1);
    }
}

/// Whether two sessions hold a message of one imported conversation.
///
/// # Errors
///
/// [`ReadError`] if a transcript cannot be read.
pub fn share_conversation(
    store: &SessionStore,
    one: &SessionName,
    other: &SessionName,
) -> Result<bool, ReadError> {
    let other = HeldMessages::read(store, other)?;
    Ok(HeldMessages::read(store, one)?.shares_with(&other))
}

/// Whether the owner chose the scope of a session, which no repair may change.
///
/// # Errors
///
/// [`ReadError`] if the transcript cannot be read.
pub fn is_scope_chosen(store: &SessionStore, name: &SessionName) -> Result<bool, ReadError> {
    Ok(store.read(name, NO_VIEW)?.state.is_scope_chosen)
}

/// Records in a session that the owner chose its scope.
///
/// # Errors
///
/// [`TakeError`] if the session is in use or cannot be written.
pub fn keep_scope_chosen(
    store: &SessionStore,
    name: &SessionName,
    now: Timestamp,
) -> Result<(), TakeError> {
    if !store.exists(name)? {
        return Ok(());
    }
    let mut turn = store.begin_turn(name, NO_VIEW)?;
    let state = turn.state().clone();
    if !state.is_scope_chosen {
        let state = Meta {
            is_scope_chosen: true,
            ..state
        };
        turn.append_meta(now, state)?;
    }
    Ok(())
}

/// The references to change when `name` becomes `wanted`; `same` maps entries to those that replace them from now on.
fn references(
    store: &SessionStore,
    (name, wanted): (&SessionName, &SessionName),
    same: HashMap<EntryId, EntryId>,
) -> Result<Vec<(String, String)>, ReadError> {
    let own = store.lineage(name)?.session.to_string();
    let scope = scope_of(wanted.as_str()).unwrap_or_default();
    let mut references = vec![
        (own.clone(), format!("{scope}{}", without_scope(&own))),
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
    use crate::knowledge::scope::Repository;
    use crate::test_kit::{Home, offline_home};

    /// Appends a message of the owner to a session, which begins with it.
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
    fn relocate_keeps_differing_sessions_under_numbered_names() {
        let home = offline_home();
        let here = Repository::of_path("/harbour");
        let store = &home.runtime.home.sessions;
        let name = |rest: &str| here.session_name(rest).unwrap();
        said(&home, &name("talk"), &["The pier is seven metres long."]);
        said(&home, &name("talk-2"), &["The crane is red."]);
        let talk: SessionName = "talk".parse().unwrap();
        said(&home, &talk, &["The pier is nine metres long."]);
        let kept = relocate(store, &home.runtime.home.workspace, &talk, &name("talk")).unwrap();
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
