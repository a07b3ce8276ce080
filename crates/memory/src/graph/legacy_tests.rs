//! Pages of earlier versions: read whole and copied into the graph once, while the owner's lines on them stay.

use std::sync::Arc;

use base::Disk;
use base::disk::MemoryDisk;

use super::{AddObservations, GraphStore};
use crate::workspace_kit::{ROOT, text_at, text_if_there, workspace};

const PAGES: [(&str, &str); 5] = [
    (
        "Acme.md",
        include_str!("../../../../tests/fixtures/v3/workspace/memory/graph/Acme.md"),
    ),
    (
        "Ann.md",
        include_str!("../../../../tests/fixtures/v3/workspace/memory/graph/Ann.md"),
    ),
    (
        "Bob.md",
        include_str!("../../../../tests/fixtures/v3/workspace/memory/graph/Bob.md"),
    ),
    (
        "C-9e2a.md",
        include_str!("../../../../tests/fixtures/v3/workspace/memory/graph/C-9e2a.md"),
    ),
    (
        "Zoe.md",
        include_str!("../../../../tests/fixtures/v3/workspace/memory/graph/Zoe.md"),
    ),
];

const STATE: &str = "/home/state/graph.jsonl";

fn path(name: &str) -> String {
    format!("{ROOT}/memory/graph/{name}")
}

fn home_with_pages() -> (Arc<MemoryDisk>, GraphStore) {
    let disk = Arc::new(MemoryDisk::default());
    for folder in [path("").as_str(), "/home/state"] {
        disk.create_dir(std::path::Path::new(folder)).unwrap();
    }
    for (name, text) in PAGES {
        base::disk::replace(&*disk, path(name).as_ref(), text.as_bytes()).unwrap();
    }
    let workspace = Arc::new(workspace(Arc::clone(&disk) as _));
    (disk, GraphStore::new(workspace))
}

fn exported(store: &GraphStore) -> String {
    store.export().unwrap().collect()
}

#[test]
fn earlier_pages_are_read_without_a_write() {
    let (disk, store) = home_with_pages();
    let before = disk.snapshot();
    let expected = include_str!("../../../../tests/fixtures/v3/state/graph.jsonl");
    assert_eq!(exported(&store), expected);
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn first_write_migrates_earlier_pages_and_keeps_owners_lines() {
    let (disk, store) = home_with_pages();
    let new = AddObservations {
        entity_name: "Bob".to_owned(),
        contents: vec!["rows".to_owned()],
    };
    store.add_observations(&[new]).unwrap();
    let golden = include_str!("../../../../tests/fixtures/v3/state/graph.jsonl");
    let expected = golden.replace("[\"sails\"]", "[\"sails\",\"rows\"]");
    assert_eq!(text_at(&*disk, STATE), expected);
    let page = text_at(&*disk, format!("{ROOT}/memory/graph.md"));
    assert_eq!(page.matches("Bob: rows").count(), 1, "{page}");
    let left = PAGES.map(|(name, _)| text_if_there(&*disk, path(name)));
    let [acme, ann, bob, c_sharp, zoe] = left;
    assert_eq!((acme, bob, c_sharp), (None, None, None));
    assert_eq!(zoe.as_deref(), Some("# Zoe\n\n- a page by hand\n"));
    assert_eq!(
        ann.unwrap(),
        "# Ann\n\n\n- keeps bees\n  behind the barn\n\nMet in Graz.\n\n## Relations\n\n- aunt of [[people/bob#Now|him]]\n"
    );
    // What the owner has on the pages since is a note, and a deleted observation does not come back from one.
    let old = super::DeleteObservations {
        entity_name: "Ann".to_owned(),
        observations: vec!["keeps bees\nbehind the barn".to_owned()],
    };
    store.delete_observations(&[old]).unwrap();
    assert!(!exported(&store).contains("keeps bees"));
    store.delete_entities(&["Zoe".to_owned()]).unwrap();
    assert!(!exported(&store).contains("Zoe"));
}

#[test]
fn crash_between_state_and_pages_is_completed_by_the_next_write() {
    let (disk, store) = home_with_pages();
    let state = include_str!("../../../../tests/fixtures/v3/state/graph.jsonl");
    base::disk::replace(&*disk, STATE.as_ref(), state.as_bytes()).unwrap();
    assert_eq!(exported(&store), state);
    assert_eq!(store.create_entities(&[]).unwrap(), []);
    assert_eq!(text_at(&*disk, STATE), state);
    assert_eq!(text_if_there(&*disk, path("Bob.md")), None);
    let page = text_at(&*disk, format!("{ROOT}/memory/graph.md"));
    assert!(page.contains("- Bob: sails ^"), "{page}");
}
