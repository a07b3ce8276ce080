//! The effects of a purge: it removes every copy that an undo would need, and nothing that the owner wrote.

use std::path::PathBuf;
use std::sync::Arc;

use base::disk::MemoryDisk;

use super::*;
use crate::curated::{MemoryChange, OpenMemory, UndoError};
use crate::forget::test_kit::{holding, line_of, ours};
use crate::forget::{plan_forgetting, undo_forgetting};
use crate::workspace_kit::{text_at, workspace};

const LOG: &str = "/home/workspace/memory/2026-03-02.md";
const MEMORY: &str = "/home/workspace/MEMORY.md";

#[test]
fn purge_ends_every_undo_and_leaves_files_of_the_owner() {
    let line = ours("Anna lives in Lisbon", "e1");
    let files = [
        (LOG, format!("{line}\n- tea\n")),
        (MEMORY, "- Anna lives in Lisbon\n- likes tea\n".to_owned()),
        ("/home/state/overwritten/a.md", "Lisbon".to_owned()),
        ("/home/state/quarantine/b.torn", "Lisb".to_owned()),
        ("/home/workspace/DREAMS.md.found-1", "Lisbon".to_owned()),
        ("/home/workspace/plans/list.md", "Lisbon in May".to_owned()),
    ];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.into_bytes()));
    let disk = MemoryDisk::from_snapshot(files.into_iter().collect());
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    let change = MemoryChange {
        id: memory.next_id().unwrap(),
        at: "2026-03-02T08:00:00Z".parse().unwrap(),
        cause: "a dream promoted 1 line",
        candidates: &[],
    };
    let after = crate::NoteText::alone("- Anna lives in Lisbon\n- likes rye\n");
    memory.write(&after, change).unwrap();
    drop(memory);
    let plan = plan_forgetting(&workspace, line_of("memory/2026-03-02.md", 1)).unwrap();
    let now = "2026-03-02T08:04:17Z".parse().unwrap();
    for _ in 0..2 {
        purge(&workspace, &plan, &plan.gone(&[]), now).unwrap();
    }
    let left = ["/home/workspace/MEMORY.md", "/home/workspace/plans/list.md"];
    assert_eq!(holding(&disk, "Lisb"), left.map(PathBuf::from));
    assert_eq!(text_at(&disk, LOG), "- tea\n");
    let memory = OpenMemory::open(&workspace).unwrap();
    let refused = memory.undoable();
    assert!(
        matches!(refused, Err(UndoError::Redacted { .. })),
        "{refused:?}"
    );
    drop(memory);
    let tombstones = crate::load_tombstones(&workspace).unwrap();
    let id = tombstones.forgotten_by("Anna lives in Lisbon").unwrap();
    let undone = undo_forgetting(&workspace, id, now).unwrap();
    assert!(undone.restored.is_empty(), "{undone:?}");
}
