//! What a repeated forgetting for good takes away: what it took the first time, and nothing newer.

use base::HomeLayout;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};

use super::super::{ForgetChoice, NoteChoice, plan_forgetting};
use super::*;
use crate::curated::{MemoryChange, OpenMemory};
use crate::forget::test_kit::ours;
use crate::tombstone::{TextHash, reinstate};

const MEMORY: &str = "/home/workspace/MEMORY.md";
const LISBON: &str = "Anna lives in Lisbon";

fn workspace(disk: &Arc<MemoryDisk>) -> Workspace {
    let workspace = Workspace::new(Arc::clone(disk) as _, HomeLayout::new("/home"));
    workspace.init().unwrap();
    workspace
}

/// Forgets for good what stands in memory of Lisbon.
fn forget_lisbon(workspace: &Workspace, at: &str) {
    let lisbon = TextHash::of(LISBON).unwrap();
    let choice = ForgetChoice {
        notes: vec![(WorkspacePath::known(MEMORY_FILE), NoteChoice::Text(lisbon))],
        ..ForgetChoice::default()
    };
    let plan = ForgetPlan {
        asked: TextHash::of("session delete main e1"),
        ..plan_forgetting(workspace, choice).unwrap()
    };
    let at = at.parse().unwrap();
    forget_for_good(workspace, &plan, plan.gone(&[]), at).unwrap();
}

fn is_there(disk: &dyn base::Disk, path: &Path) -> bool {
    disk.stat(path).unwrap().is_some()
}

#[test]
fn forget_for_good_repeated_keeps_text_stated_again() {
    let disk = Arc::new(MemoryDisk::new());
    let workspace = workspace(&disk);
    let keep = |path: &Path| replace(&*disk, path, format!("- {LISBON}\n").as_bytes()).unwrap();
    keep(Path::new(MEMORY));
    let copy = workspace.layout().overwritten().join("a.md");
    base::disk::create_dir(&*disk, &workspace.layout().overwritten()).unwrap();
    keep(&copy);
    forget_lisbon(&workspace, "2026-03-02T08:04:17Z");
    assert!(!is_there(&*disk, &copy));
    assert!(reinstate(&workspace, LISBON).unwrap().is_some());
    replace(&*disk, Path::new(MEMORY), b"- likes tea\n").unwrap();
    keep(&copy);
    forget_lisbon(&workspace, "2026-03-03T08:04:17Z");
    assert!(is_there(&*disk, &copy));
}

#[test]
fn forget_for_good_repeated_keeps_newer_memory_change() {
    let disk = Arc::new(MemoryDisk::new());
    let workspace = workspace(&disk);
    let line = ours(LISBON, "e1");
    replace(&*disk, Path::new(MEMORY), format!("{line}\n").as_bytes()).unwrap();
    forget_lisbon(&workspace, "2026-03-02T08:04:17Z");
    let mut memory = OpenMemory::open(&workspace).unwrap();
    let change = MemoryChange {
        id: memory.next_id().unwrap(),
        at: "2026-03-03T08:04:17Z".parse().unwrap(),
        cause: "dream",
        candidates: &[],
    };
    memory
        .write(&crate::NoteText::alone("- likes tea\n"), change)
        .unwrap();
    drop(memory);
    forget_lisbon(&workspace, "2026-03-04T08:04:17Z");
    let kept = preimages(&workspace);
    let newest = *kept.ids().unwrap().last().unwrap();
    let before = kept.read(newest).unwrap().unwrap().before;
    assert!(matches!(before, ContentBefore::Bytes(_)), "{before:?}");
}
