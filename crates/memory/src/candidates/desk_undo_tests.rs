//! One change is undone, named by its cause: what others have changed since stays.
//!
//! Compares the lines of `MEMORY.md` and the state.

use std::sync::Arc;

use base::disk::{Crash, CrashDisk, MemoryDisk};
use base::test_kit::Words;

use super::super::kit::{at, candidate, dreamt, home, line_ids, read, workspace, write};
use super::*;
use crate::candidates::{OlderValue, Proposal};
use crate::curated::UndoError;

const MEMORY: &str = "# Long-term memory\n\n- my own line\n";
const TEA: &str = "remembered: I prefer tea over coffee";

fn tea() -> Candidate {
    candidate("aa11", "I prefer tea over coffee")
}

/// The plan that carries out a request of the owner.
fn asked(own: &Candidate, cause: &str) -> DreamPlan {
    DreamPlan {
        asked: Some(cause.to_owned()),
        ..dreamt(std::slice::from_ref(own), &[])
    }
}

fn replacing(id: &str, finding: &str, line: &str, older: &str) -> Candidate {
    Candidate {
        proposal: Proposal::Supersede {
            line: line.to_owned(),
            older: older.to_owned(),
            value: OlderValue::Unnamed,
        },
        ..candidate(id, finding)
    }
}

/// A home in which the owner asked for a line, and a dream has promoted another one since.
fn dreamt_since() -> MemoryDisk {
    let disk = home(MEMORY, "# Dreams\n");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
    open.dream(&asked(&tea(), TEA)).unwrap();
    let other = candidate("bb22", "I live in Lisbon");
    open.dream(&dreamt(&[other], &[])).unwrap();
    disk
}

#[test]
fn undone_change_leaves_lines_of_later_dream_and_can_be_redone() {
    let disk = dreamt_since();
    let space = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&space, at("10:00:00"), Access::Write).unwrap();
    let before = read(&disk, "MEMORY.md");
    open.undo_change(TEA).unwrap();
    assert_eq!(line_ids(open.memory()), ["bb22"]);
    read(&disk, "MEMORY.md").holds("- my own line\n");
    // The owner has decided: it does not wait, and no dream proposes it again.
    assert_eq!(open.state().pending, []);
    assert!(open.state().was_rejected("I prefer tea over coffee"));
    let again = open.undo_change(TEA);
    assert!(
        matches!(again, Err(MemoryTxnError::Undo(UndoError::Since { .. }))),
        "{again:?}"
    );
    assert_eq!(open.undo().unwrap(), format!("undone: {TEA}"));
    assert_eq!(read(&disk, "MEMORY.md"), before);
    assert!(!open.state().was_rejected("I prefer tea over coffee"));
    let tea = open.state().candidate(&CandidateId::new("aa11")).unwrap();
    assert_eq!(tea.status, Status::Promoted);
}

#[test]
fn undone_correction_restores_older_line_and_its_record() {
    let disk = home(MEMORY, "# Dreams\n");
    let space = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&space, at("09:00:00"), Access::Write).unwrap();
    open.dream(&dreamt(&[tea()], &[])).unwrap();
    let before = read(&disk, "MEMORY.md");
    let coffee = replacing(
        "cc33",
        "I prefer coffee",
        "aa11",
        "I prefer tea over coffee",
    );
    let cause = "corrected: I prefer coffee";
    open.dream(&asked(&coffee, cause)).unwrap();
    let other = candidate("bb22", "I live in Lisbon");
    open.dream(&dreamt(&[other], &[])).unwrap();
    open.undo_change(cause).unwrap();
    assert_eq!(line_ids(open.memory()), ["aa11", "bb22"]);
    let standing = read(&disk, "MEMORY.md");
    let line = before.lines().find(|own| own.contains("tea")).unwrap();
    standing.holds(line);
    standing.lacks("- I prefer coffee ");
}

#[test]
fn line_changed_later_is_reported_instead_of_undone() {
    let disk = dreamt_since();
    let space = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&space, at("10:00:00"), Access::Write).unwrap();
    let newer = replacing("dd44", "I drink no tea", "aa11", "I prefer tea over coffee");
    open.dream(&dreamt(&[newer], &[])).unwrap();
    let before = read(&disk, "MEMORY.md");
    let refused = open.undo_change(TEA).unwrap_err().to_string();
    assert_eq!(
        refused,
        "MEMORY.md no longer says \"I prefer tea over coffee\", but \"I drink no tea\""
    );
    assert_eq!(read(&disk, "MEMORY.md"), before);
    assert!(!open.state().was_rejected("I prefer tea over coffee"));
    drop(open);
    let disk = dreamt_since();
    let edited = read(&disk, "MEMORY.md").replace("tea over coffee", "green tea");
    write(&disk, "MEMORY.md", &edited);
    let space = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&space, at("10:00:00"), Access::Write).unwrap();
    let refused = open.undo_change(TEA).unwrap_err().to_string();
    refused.holds("the line was edited or taken out since");
    assert_eq!(read(&disk, "MEMORY.md"), edited);
}

#[test]
fn last_change_is_undone_byte_for_byte() {
    let disk = home(MEMORY, "# Dreams\n");
    let space = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&space, at("09:00:00"), Access::Write).unwrap();
    open.dream(&asked(&tea(), TEA)).unwrap();
    open.undo_change(TEA).unwrap();
    assert_eq!(read(&disk, "MEMORY.md"), MEMORY);
    assert_eq!(open.state().pending, []);
    let unknown = open.undo_change(TEA);
    assert!(
        matches!(unknown, Err(MemoryTxnError::Undo(UndoError::Unknown))),
        "{unknown:?}"
    );
}

#[test]
fn undo_repeated_after_crash_ends_in_same_state() {
    let start = dreamt_since();
    let undo = |space: &Workspace| -> Result<(), MemoryTxnError> {
        let mut open = MemoryTxn::open(space, at("10:00:00"), Access::Write)?;
        open.undo_change(TEA)
    };
    let whole = start.copy();
    undo(&workspace(Arc::new(whole.clone()))).unwrap();
    let act = |disk: CrashDisk| undo(&workspace(Arc::new(disk)));
    for Crash { found, when, .. } in CrashDisk::crashes_between(&start, act) {
        let space = workspace(Arc::new(found.clone()));
        match undo(&space) {
            Ok(()) | Err(MemoryTxnError::Undo(UndoError::Since { .. })) => {}
            Err(error) => panic!("{when}: {error}"),
        }
        for name in ["MEMORY.md", "DREAMS.md"] {
            assert_eq!(read(&found, name), read(&whole, name), "{when}");
        }
    }
}
