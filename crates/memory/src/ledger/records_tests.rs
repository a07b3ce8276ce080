//! Reading records on after others were appended.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, append};
use base::{Disk, EntryId, Origin};

use super::*;
use crate::workspace_kit::workspace;
use crate::{Note, NoteId};

const LOG: &str = "memory/2026-04-20.md";
const RECORDS: &str = "/home/state/notes.jsonl";

fn record(id: &str, text: &str) -> NoteRecord {
    let note = Note {
        text: text.to_owned(),
        evidence: vec![EntryId::new("e1")],
        origin: Origin::Untrusted,
    };
    note.record(LOG, &NoteId::new(id), text)
}

#[test]
fn records_added_by_other_process_are_read_and_replaced_file_is_reread() {
    let disk = MemoryDisk::new();
    let workspace = workspace(Arc::new(disk.clone()));
    let ids = ["0a0a0a0a", "0b0b0b0b", "0c0c0c0c"];
    let commit = |workspace: &Workspace, id: &str| {
        let own = record(id, &format!("Likes {id}"));
        workspace.commit_records(&[own]).unwrap();
    };
    commit(&workspace, ids[0]);
    let known = workspace.ledger();
    let other = Workspace::new(Arc::new(disk.clone()), workspace.layout().clone());
    commit(&other, ids[1]);
    let all: Vec<NoteRecord> = other.ledger().all().collect();
    assert_eq!(workspace.ledger().all().collect::<Vec<_>>(), all);
    assert!(known.in_file(LOG, ids[1]).is_none());
    for id in ids.iter().take(2) {
        assert_eq!(workspace.ledger().in_file(LOG, id).unwrap().id, *id);
    }
    // Longer than before, with another end where the known one was.
    let file = Path::new(RECORDS);
    disk.remove(file).unwrap();
    let longer = record(ids[2], &"Likes tea ".repeat(1_000)).line();
    append(&disk, file, longer.repeat(20).as_bytes()).unwrap();
    let anew = workspace.ledger();
    assert!(anew.in_file(LOG, ids[0]).is_none());
    assert!(anew.in_file(LOG, ids[2]).is_some());
}
