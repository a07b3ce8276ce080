//! The behaviour of the reference server, forgotten text, and the state after a crash.

use std::path::Path;
use std::sync::Arc;

use base::Disk;
use base::disk::{CrashDisk, MemoryDisk};
use search::{ForgottenFilter, NoteSource};

use super::page::with_facts;
use super::{
    AddObservations, AddedTo, DeleteObservations, Entity, GraphError, GraphImport, GraphStore,
    KnowledgeGraph, Relation,
};
use crate::forget::test_kit::line_of;
use crate::workspace_kit::{text_at, text_if_there, workspace};
use crate::{
    FileError, OwnerLines, TombstoneId, Workspace, drop_forgotten, forget, ledger_state,
    load_tombstones, plan_forgetting, undo_forgetting,
};

const STATE: &str = "/home/state/graph.jsonl";
const PAGE: &str = "/home/workspace/memory/graph.md";

struct Kept {
    disk: Arc<MemoryDisk>,
    workspace: Arc<Workspace>,
    store: GraphStore,
}

fn kept() -> Kept {
    let disk = Arc::new(MemoryDisk::default());
    disk.create_dir(Path::new("/home/workspace/memory"))
        .unwrap();
    let workspace = Arc::new(workspace(Arc::clone(&disk) as _));
    disk.create_dir(Path::new("/home/state")).unwrap();
    let store = GraphStore::new(Arc::clone(&workspace));
    Kept {
        disk,
        workspace,
        store,
    }
}

impl Kept {
    fn page(&self) -> String {
        text_at(&*self.disk, PAGE)
    }

    /// Forgets the lines of the page that hold these words.
    fn forget(&self, words: &str) -> TombstoneId {
        let page = self.page();
        let lines = (1..).zip(page.lines());
        let lines = lines.filter(|(_, line)| line.contains(words));
        let mut choice = crate::ForgetChoice::default();
        for (number, _) in lines {
            choice
                .notes
                .extend(line_of("memory/graph.md", number).notes);
        }
        let plan = plan_forgetting(&self.workspace, choice).unwrap();
        let now = "2026-03-02T08:04:17Z".parse().unwrap();
        let report = forget(&self.workspace, &plan, OwnerLines::Leave, now).unwrap();
        assert!(report.left.is_none(), "{report:?}");
        report.id
    }
}

fn entity(name: &str, observations: &[&str]) -> Entity {
    Entity {
        name: name.to_owned(),
        entity_type: "thing".to_owned(),
        observations: observations.iter().map(|&it| it.to_owned()).collect(),
    }
}

fn new_for(name: &str, contents: &[&str]) -> AddObservations {
    AddObservations {
        entity_name: name.to_owned(),
        contents: contents.iter().map(|&it| it.to_owned()).collect(),
    }
}

fn relation(from: &str, to: &str, relation_type: &str) -> Relation {
    let [from, to, relation_type] = [from, to, relation_type].map(str::to_owned);
    Relation {
        from,
        to,
        relation_type,
    }
}

#[test]
fn similar_names_are_different_entities() {
    let kept = kept();
    let names = [
        "Acme",
        "ACME",
        "acme",
        "caf\u{e9}",
        "cafe\u{301}",
        "a/b",
        "",
        "# x",
        "x\ny",
    ];
    let all: Vec<Entity> = names.iter().map(|name| entity(name, &[name])).collect();
    assert_eq!(kept.store.create_entities(&all).unwrap(), all);
    assert_eq!(kept.store.create_entities(&all).unwrap(), []);
    assert_eq!(kept.store.read().unwrap().entities, all);
}

#[test]
fn relations_to_missing_entities_are_kept_until_delete() {
    let kept = kept();
    let links = vec![
        relation("Ann", "Bob", "knows"),
        relation("Eve", "Ann", "knows"),
    ];
    assert_eq!(kept.store.create_relations(&links).unwrap(), links);
    assert_eq!(kept.store.create_relations(&links).unwrap(), []);
    let graph = KnowledgeGraph {
        entities: Vec::new(),
        relations: links,
    };
    assert_eq!(kept.store.read().unwrap(), graph);
    let refused = kept.store.add_observations(&[new_for("Ann", &["x"])]);
    let refused = refused.unwrap_err();
    assert_eq!(refused.to_string(), "Entity with name Ann not found");
    kept.store
        .create_entities(&[entity("Ann", &["sings"])])
        .unwrap();
    kept.store.delete_entities(&["Ann".to_owned()]).unwrap();
    assert_eq!(kept.store.read().unwrap(), KnowledgeGraph::default());
    assert_eq!(text_at(&*kept.disk, STATE), "");
}

#[test]
fn graph_without_facts_writes_no_file() {
    let kept = kept();
    let before = kept.disk.snapshot();
    kept.store.create_entities(&[]).unwrap();
    kept.store.delete_entities(&["Ann".to_owned()]).unwrap();
    assert_eq!(kept.store.read().unwrap(), KnowledgeGraph::default());
    let after = kept.disk.snapshot().into_iter();
    let after: Vec<_> = after
        .filter(|(path, _)| !path.starts_with("/home/state/locks"))
        .collect();
    assert_eq!(after, before.into_iter().collect::<Vec<_>>());
}

#[test]
fn observations_are_added_and_deleted_once() {
    let kept = kept();
    kept.store
        .create_entities(&[entity("Ann", &["sings", "swims"]), entity("Bob", &[])])
        .unwrap();
    let new = new_for("Ann", &["sings", "runs", "runs"]);
    let added = AddedTo {
        entity_name: "Ann".to_owned(),
        added_observations: vec!["runs".to_owned()],
    };
    assert_eq!(kept.store.add_observations(&[new]).unwrap(), [added]);
    let old = DeleteObservations {
        entity_name: "Ann".to_owned(),
        observations: ["sings", "never said"].map(str::to_owned).into(),
    };
    kept.store.delete_observations(&[old]).unwrap();
    let found = kept.store.open(&["Ann".to_owned()]).unwrap();
    assert_eq!(found.entities, [entity("Ann", &["swims", "runs"])]);
    assert_eq!(kept.store.search("SWIM").unwrap(), found);
}

#[test]
fn graph_import_is_idempotent_and_export_matches_it() {
    let kept = kept();
    let lines = "{\"type\":\"entity\",\"name\":\"Ann\",\"entityType\":\"thing\",\"observations\":[\"a\",\"b\"]}\n\
                 {\"type\":\"relation\",\"from\":\"Ann\",\"to\":\"Bob\",\"relationType\":\"knows\"}\nno\n\n";
    kept.store
        .create_entities(&[entity("Ann", &["a"])])
        .unwrap();
    let report = GraphImport {
        n_entities: 0,
        n_observations: 1,
        n_relations: 1,
        unreadable: vec![3],
    };
    assert_eq!(kept.store.import(lines).unwrap(), report);
    let again = GraphImport {
        n_observations: 0,
        n_relations: 0,
        ..report
    };
    assert_eq!(kept.store.import(lines).unwrap(), again);
    let exported: String = kept.store.export().unwrap().collect();
    let expected: Vec<&str> = lines.lines().take(2).collect();
    assert_eq!(exported, expected.join("\n") + "\n");
    assert_eq!(text_at(&*kept.disk, STATE), exported);
}

#[test]
fn i14_graph_redacts_secrets_written_and_read() {
    let kept = kept();
    let secret = "password: hunter2hunter2";
    let created = kept.store.create_entities(&[entity("Ann", &[secret])]);
    let stored = text_at(&*kept.disk, STATE);
    assert!(!format!("{created:?}{}{stored}", kept.page()).contains("hunter2"));
    let line = format!(
        "{{\"type\":\"entity\",\"name\":\"Bob\",\"entityType\":\"\",\"observations\":[\"{secret}\"]}}\n"
    );
    base::disk::replace(&*kept.disk, STATE.as_ref(), line.as_bytes()).unwrap();
    assert!(!format!("{:?}", kept.store.read().unwrap()).contains("hunter2"));
}

#[test]
fn damaged_state_is_rejected_with_its_line_and_not_overwritten() {
    let kept = kept();
    let text = "{\"type\":\"relation\",\"from\":\"a\",\"to\":\"b\",\"relationType\":\"c\"}\n\nno\n";
    base::disk::replace(&*kept.disk, STATE.as_ref(), text.as_bytes()).unwrap();
    let refused = kept
        .store
        .create_entities(&[entity("Ann", &[])])
        .unwrap_err();
    assert!(
        matches!(
            refused,
            GraphError::File(FileError::Damaged { line: Some(3), .. })
        ),
        "{refused}"
    );
    assert_eq!(text_at(&*kept.disk, STATE), text);
    assert_eq!(text_if_there(&*kept.disk, PAGE), None);
}

#[test]
fn header_of_graph_page_is_boilerplate_and_marks_need_no_records() {
    let kept = kept();
    kept.store
        .create_entities(&[entity("Ann", &["sings"])])
        .unwrap();
    assert_eq!(
        ledger_state(&kept.workspace).unwrap(),
        crate::LedgerState::default()
    );
    let page = kept.page();
    let (header, facts) = page.split_once("\n\n- ").unwrap();
    for line in header.lines() {
        assert!(
            kept.workspace.is_boilerplate("memory/graph.md", line),
            "{line}"
        );
    }
    let note = kept
        .workspace
        .prepare("memory/graph.md", page.clone().into());
    assert_eq!(note.origins.len(), facts.lines().count());
}

#[test]
fn forgotten_name_hides_entity_observations_and_relations() {
    let kept = kept();
    let all = [entity("Ann", &["sings", "swims"]), entity("Bob", &["rows"])];
    kept.store.create_entities(&all).unwrap();
    let links = [
        relation("Ann", "Bob", "knows"),
        relation("Bob", "Ann", "knows"),
    ];
    kept.store.create_relations(&links).unwrap();
    let before = (kept.page(), kept.store.read().unwrap());
    let id = kept.forget("- Ann (thing)");
    let bob = KnowledgeGraph {
        entities: vec![entity("Bob", &["rows"])],
        relations: Vec::new(),
    };
    assert_eq!(kept.store.read().unwrap(), bob);
    assert!(!kept.page().contains("Ann"), "{}", kept.page());
    // A program cannot bring it back, nor learn that it was there.
    assert_eq!(kept.store.create_entities(&all[..1]).unwrap(), []);
    assert_eq!(
        kept.store
            .create_relations(&[relation("Eve", "Ann", "hates")])
            .unwrap(),
        []
    );
    let refused = kept
        .store
        .add_observations(&[new_for("Ann", &["runs"])])
        .unwrap_err();
    assert_eq!(refused.to_string(), "Entity with name Ann not found");
    assert_eq!(kept.store.import("{\"type\":\"entity\",\"name\":\"Ann\",\"entityType\":\"thing\",\"observations\":[]}").unwrap(), GraphImport::default());
    let now = "2026-03-03T08:04:17Z".parse().unwrap();
    undo_forgetting(&kept.workspace, &id, now).unwrap();
    assert_eq!((kept.page(), kept.store.read().unwrap()), before);
}

#[test]
fn forgotten_observation_is_hidden_and_deleted_when_undo_expires() {
    let kept = kept();
    let long = "long ".repeat(2_000);
    let all = [entity("Ann", &["sings", "swims", &long])];
    kept.store.create_entities(&all).unwrap();
    kept.forget("swims");
    kept.forget("long");
    assert_eq!(
        kept.store.read().unwrap().entities,
        [entity("Ann", &["sings"])]
    );
    let added = kept
        .store
        .add_observations(&[new_for("Ann", &["swims", "runs"])])
        .unwrap();
    assert_eq!(added[0].added_observations, ["runs"]);
    assert!(text_at(&*kept.disk, STATE).contains("swims"));
    assert!(!kept.page().contains("swims"));
    let tombstones = load_tombstones(&kept.workspace).unwrap();
    assert!(!ForgottenFilter::is_empty(&tombstones));
    let now = "2026-03-03T08:04:17Z".parse().unwrap();
    drop_forgotten(&kept.workspace, now).unwrap();
    let state = text_at(&*kept.disk, STATE);
    assert!(
        !state.contains("swims") && !state.contains("long"),
        "{state}"
    );
}

#[test]
fn crash_at_any_write_loses_no_fact_and_the_next_write_completes_the_page() {
    let start = MemoryDisk::default();
    let folder = Path::new("/home/workspace/memory/graph");
    start.create_dir(folder).unwrap();
    let page = "# Bob\n\nType: thing\n\n- rows ^bc51e9e6\n- by hand\n";
    base::disk::replace(&start, &folder.join("Bob.md"), page.as_bytes()).unwrap();
    let store = |disk: Arc<dyn Disk>| GraphStore::new(Arc::new(workspace(disk)));
    let change = |store: &GraphStore| -> Result<(), GraphError> {
        store.create_entities(&[entity("Ann", &["sings"]), entity("Bob", &["x"])])?;
        store.create_relations(&[relation("Ann", "Bob", "knows")])?;
        Ok(())
    };
    let expected = KnowledgeGraph {
        entities: vec![
            entity("Bob", &["rows", "by hand"]),
            entity("Ann", &["sings"]),
        ],
        relations: vec![relation("Ann", "Bob", "knows")],
    };
    for crash in CrashDisk::crashes_between(&start, |disk| change(&store(Arc::new(disk)))) {
        let crash = crash.reported();
        let found = Arc::new(crash.found);
        let store = store(Arc::clone(&found) as _);
        let bob = store.open(&["Bob".to_owned()]).unwrap().entities;
        assert_eq!(bob, expected.entities[..1], "{}", crash.when);
        change(&store).unwrap();
        assert_eq!(store.read().unwrap(), expected, "{}", crash.when);
        let left = text_at(&*found, folder.join("Bob.md"));
        assert!(
            left.contains("- by hand") && !left.contains("rows"),
            "{left}"
        );
        let page = text_at(&*found, PAGE);
        let page = with_facts(page.as_bytes(), &KnowledgeGraph::default());
        let header = crate::workspace::GRAPH_HEADER;
        assert_eq!(String::from_utf8(page).unwrap(), header, "{}", crash.when);
        assert_eq!(
            with_facts(b"", &expected),
            text_at(&*found, PAGE).into_bytes()
        );
    }
}
