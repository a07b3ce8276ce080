//! The meaning of the reference server, and what becomes of the owner's lines.

use std::path::Path;
use std::sync::Arc;

use base::disk::MemoryDisk;
use base::{Disk, SystemClock};

use super::{
    AddObservations, AddedTo, DeleteObservations, Entity, GraphImport, GraphStore, KnowledgeGraph,
    Relation,
};
use crate::workspace_kit::{text_at, workspace};

struct Kept {
    disk: Arc<MemoryDisk>,
    store: GraphStore,
}

fn kept() -> Kept {
    let disk = Arc::new(MemoryDisk::default());
    let workspace = Arc::new(workspace(Arc::clone(&disk) as _));
    let store = GraphStore::new(workspace, Arc::new(SystemClock::new()));
    Kept { disk, store }
}

impl Kept {
    fn path(name: &str) -> std::path::PathBuf {
        Path::new("/home/workspace/memory/graph").join(name)
    }

    fn text(&self, name: &str) -> String {
        text_at(&*self.disk, Self::path(name))
    }

    fn write(&self, name: &str, text: &str) {
        base::disk::replace(&*self.disk, &Self::path(name), text.as_bytes()).unwrap();
    }

    fn files(&self) -> Vec<String> {
        let names = self.disk.list(&Self::path("")).unwrap();
        names
            .iter()
            .map(|name| name.display().to_string())
            .collect()
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
fn names_that_differ_in_case_or_accent_have_their_own_pages() {
    let kept = kept();
    let names = [
        "Acme",
        "ACME",
        "acme",
        "caf\u{e9}",
        "cafe\u{301}",
        "CON",
        "a/b",
        "a:b",
        "",
        "# x",
        "x\ny",
    ];
    let all: Vec<Entity> = names.iter().map(|name| entity(name, &[name])).collect();
    assert_eq!(kept.store.create_entities(&all).unwrap(), all);
    assert_eq!(kept.store.create_entities(&all).unwrap(), []);
    let mut found = kept.store.read().unwrap().entities;
    let mut all = all;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(found, all);
    let stems: std::collections::BTreeSet<String> = kept
        .files()
        .iter()
        .map(|file| file.to_lowercase())
        .collect();
    assert_eq!(stems.len(), names.len());
    let link = relation("Acme", "acme", "is not");
    kept.store
        .create_relations(std::slice::from_ref(&link))
        .unwrap();
    assert_eq!(kept.store.read().unwrap().relations, [link]);
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
    assert_eq!(
        kept.store.delete_entities(&["Ann".to_owned()]).unwrap(),
        [""; 0]
    );
    assert_eq!(kept.store.read().unwrap(), KnowledgeGraph::default());
    assert_eq!(kept.files(), [""; 0]);
}

#[test]
fn graph_reads_and_keeps_owners_lines() {
    let kept = kept();
    kept.store
        .create_entities(&[entity("Ann", &["sings", "swims"]), entity("Bob", &[])])
        .unwrap();
    let text = kept.text("Ann.md");
    kept.write(
        "Ann.md",
        &format!("{text}- dances\n\nFree words.\n\n## Relations\n\n- aunt of [[bob]]\n"),
    );
    let ann = entity("Ann", &["sings", "swims", "dances"]);
    let aunt = relation("Ann", "Bob", "aunt of");
    let graph = KnowledgeGraph {
        entities: vec![ann],
        relations: vec![aunt.clone()],
    };
    assert_eq!(kept.store.open(&["Ann".to_owned()]).unwrap(), graph);
    assert_eq!(
        kept.store
            .create_relations(std::slice::from_ref(&aunt))
            .unwrap(),
        []
    );
    let new = new_for("Ann", &["dances", "runs", "runs"]);
    let added = AddedTo {
        entity_name: "Ann".to_owned(),
        added_observations: vec!["runs".to_owned()],
    };
    assert_eq!(kept.store.add_observations(&[new]).unwrap(), [added]);
    let old = DeleteObservations {
        entity_name: "Ann".to_owned(),
        observations: ["dances", "sings"].map(str::to_owned).into(),
    };
    assert_eq!(kept.store.delete_observations(&[old]).unwrap(), ["Ann"]);
    assert_eq!(kept.store.delete_relations(&[aunt]).unwrap(), ["Ann"]);
    assert_eq!(
        kept.store.delete_entities(&["Ann".to_owned()]).unwrap(),
        ["Ann"]
    );
    let expected =
        "# Ann\n\nType: thing\n\n- dances\n\nFree words.\n\n## Relations\n\n- aunt of [[bob]]\n";
    assert_eq!(kept.text("Ann.md"), expected);
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
    let exported: Vec<String> = kept.store.export().unwrap().collect();
    assert_eq!(exported, lines.lines().take(2).collect::<Vec<_>>());
}

#[test]
fn i14_graph_redacts_secrets_written_and_read() {
    let kept = kept();
    let secret = "password: hunter2hunter2";
    let created = kept
        .store
        .create_entities(&[entity("Ann", &[secret])])
        .unwrap();
    assert!(!format!("{created:?}{}", kept.text("Ann.md")).contains("hunter2"));
    kept.write("Bob.md", &format!("# Bob\n\n- {secret}\n"));
    assert!(!format!("{:?}", kept.store.read().unwrap()).contains("hunter2"));
    kept.store
        .add_observations(&[new_for("Bob", &["x"])])
        .unwrap();
    assert!(
        kept.text("Bob.md").contains(secret),
        "the owner's line stays as it is"
    );
}
