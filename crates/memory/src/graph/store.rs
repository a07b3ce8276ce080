//! The pages of the graph on disk: cached by their file metadata, written under the lock of the logs.
//!
//! Never overwrites what the owner has saved since the page was read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::{
    DiskError, FileStat, ReplaceOutcome, by_process, read_all, read_some, remove_unchanged,
    replace_unchanged,
};
use base::{Clock, locked, locked_or_disk, redact, redact_lines};

use super::draft::{ENDING, GraphDraft, StoredPage, StoredPages};
use super::model::{
    AddObservations, AddedTo, DeleteObservations, Entity, KnowledgeGraph, Relation,
};
use super::page::GraphPage;
use crate::tombstone::{TombstoneError, load_tombstones};
use crate::workspace::GRAPH;
use crate::{Workspace, WorkspacePath};

/// Size limit of a page in bytes.
const PAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Attempts to make a change while the owner is saving pages.
const TRIES_MAX: usize = 5;

/// Minimum age of a file for its modification time to be trusted: a younger one may change again within the same
/// tick of the file system's clock.
const SETTLED_AFTER: chrono::TimeDelta = chrono::TimeDelta::seconds(2);

/// An operation on the graph failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The entity does not exist. Uses the wording of the reference server, on which programs may rely.
    #[error("Entity with name {0} not found")]
    NoEntity(String),
    /// The folder is a symlink out of the workspace.
    #[error("{GRAPH} points outside the workspace")]
    Outside,
    /// The owner saved a page at each attempt.
    #[error("a page of {GRAPH} changed in the meantime; try again")]
    Changed,
    /// An earlier sync failed.
    #[error("cannot write {GRAPH} after a failed sync; restart the program")]
    Poisoned,
    /// Another process holds the lock of the notes; its id if known.
    #[error("the notes are locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// The tombstones could not be read.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(GraphError);

/// The graph of a workspace.
#[derive(Debug)]
pub struct GraphStore {
    workspace: Arc<Workspace>,
    clock: Arc<dyn Clock>,
    known: Mutex<BTreeMap<String, KnownPage>>,
}

#[derive(Debug, Clone)]
struct KnownPage {
    stat: FileStat,
    is_settled: bool,
    /// `None` if it is not UTF-8, disappeared, or lies outside of the workspace.
    stored: Option<Arc<StoredPage>>,
}

/// Whether a file is a page of the graph.
pub fn is_graph(path: &WorkspacePath) -> bool {
    path.as_str()
        .strip_prefix(GRAPH)
        .is_some_and(|rest| rest.starts_with('/'))
}

pub(super) fn cleaned_entity(entity: &Entity) -> Entity {
    Entity {
        name: cleaned(&entity.name),
        entity_type: cleaned(&entity.entity_type),
        observations: entity.observations.iter().map(|it| cleaned(it)).collect(),
    }
}

pub(super) fn cleaned_relation(relation: &Relation) -> Relation {
    Relation {
        from: cleaned(&relation.from),
        to: cleaned(&relation.to),
        relation_type: cleaned(&relation.relation_type),
    }
}

fn cleaned(text: &str) -> String {
    redact(text).into_owned()
}

impl GraphStore {
    /// A store for the graph of a workspace; reads nothing yet.
    pub fn new(workspace: Arc<Workspace>, clock: Arc<dyn Clock>) -> Self {
        Self {
            workspace,
            clock,
            known: Mutex::default(),
        }
    }

    /// The whole graph.
    pub fn read(&self) -> Result<KnowledgeGraph, GraphError> {
        let tombstones = load_tombstones(&self.workspace)?;
        Ok(GraphDraft::new(self.load()?).shown(|text| tombstones.hides_text(text)))
    }

    /// Entities whose name, type or observations contain the query, ignoring case, and their relations.
    pub fn search(&self, query: &str) -> Result<KnowledgeGraph, GraphError> {
        let query = query.to_lowercase();
        let holds = |text: &String| text.to_lowercase().contains(&query);
        self.part(|it| {
            holds(&it.name) || holds(&it.entity_type) || it.observations.iter().any(holds)
        })
    }

    /// The entities with these names, and their relations.
    pub fn open(&self, names: &[String]) -> Result<KnowledgeGraph, GraphError> {
        let names: Vec<String> = names.iter().map(|it| cleaned(it)).collect();
        self.part(|it| names.contains(&it.name))
    }

    fn part(&self, is_meant: impl Fn(&Entity) -> bool) -> Result<KnowledgeGraph, GraphError> {
        let mut graph = self.read()?;
        graph.entities.retain(is_meant);
        let names: std::collections::HashSet<&str> =
            graph.entities.iter().map(|it| it.name.as_str()).collect();
        let is_near = |it: &Relation| names.contains(&*it.from) || names.contains(&*it.to);
        graph.relations.retain(is_near);
        Ok(graph)
    }

    /// Adds entities with new names; returns them as stored.
    pub fn create_entities(&self, entities: &[Entity]) -> Result<Vec<Entity>, GraphError> {
        let entities = entities.iter().map(cleaned_entity).collect();
        let graph = KnowledgeGraph {
            entities,
            relations: Vec::new(),
        };
        let graph = self.without_forgotten(graph)?;
        self.edit(|draft| Ok(draft.create_entities(&graph.entities)))
    }

    /// Adds new relations, even between missing entities; returns them.
    pub fn create_relations(&self, relations: &[Relation]) -> Result<Vec<Relation>, GraphError> {
        let relations = relations.iter().map(cleaned_relation).collect();
        let graph = KnowledgeGraph {
            entities: Vec::new(),
            relations,
        };
        let graph = self.without_forgotten(graph)?;
        self.edit(|draft| Ok(draft.create_relations(&graph.relations)))
    }

    /// Adds new observations; adds nothing if one of the entities is missing.
    pub fn add_observations(&self, news: &[AddObservations]) -> Result<Vec<AddedTo>, GraphError> {
        let tombstones = load_tombstones(&self.workspace)?;
        let cleaned_new = |new: &AddObservations| {
            let contents = new.contents.iter().map(|it| cleaned(it));
            AddObservations {
                entity_name: cleaned(&new.entity_name),
                contents: contents.filter(|it| !tombstones.hides_text(it)).collect(),
            }
        };
        let news: Vec<AddObservations> = news.iter().map(cleaned_new).collect();
        self.edit(|draft| draft.add_observations(&news))
    }

    /// Removes entities and their relations; returns the names of those that keep lines of the owner.
    pub fn delete_entities(&self, names: &[String]) -> Result<Vec<String>, GraphError> {
        let names: Vec<String> = names.iter().map(|it| cleaned(it)).collect();
        self.edit(|draft| Ok(draft.delete_entities(&names)))
    }

    /// Removes observations; returns the names of the entities that keep lines of the owner.
    pub fn delete_observations(
        &self,
        olds: &[DeleteObservations],
    ) -> Result<Vec<String>, GraphError> {
        let cleaned_old = |old: &DeleteObservations| DeleteObservations {
            entity_name: cleaned(&old.entity_name),
            observations: old.observations.iter().map(|it| cleaned(it)).collect(),
        };
        let olds: Vec<DeleteObservations> = olds.iter().map(cleaned_old).collect();
        self.edit(|draft| Ok(draft.delete_observations(&olds)))
    }

    /// Removes relations; returns the names of the entities that keep lines of the owner.
    pub fn delete_relations(&self, relations: &[Relation]) -> Result<Vec<String>, GraphError> {
        let relations: Vec<Relation> = relations.iter().map(cleaned_relation).collect();
        self.edit(|draft| Ok(draft.delete_relations(&relations)))
    }

    /// Removes forgotten text, so that a program cannot bring it back.
    pub(super) fn without_forgotten(
        &self,
        mut graph: KnowledgeGraph,
    ) -> Result<KnowledgeGraph, GraphError> {
        let tombstones = load_tombstones(&self.workspace)?;
        let is_kept = |text: &String| !tombstones.hides_text(text);
        graph.entities.retain(|entity| is_kept(&entity.name));
        for entity in &mut graph.entities {
            entity.observations.retain(is_kept);
        }
        graph
            .relations
            .retain(|relation| is_kept(&relation.from) && is_kept(&relation.to));
        Ok(graph)
    }

    /// Edits pages under the lock; waits for it.
    pub(super) fn edit<T>(
        &self,
        mut act: impl FnMut(&mut GraphDraft) -> Result<T, GraphError>,
    ) -> Result<T, GraphError> {
        let _lock = self.workspace.lock_logs_patiently()?;
        if self.workspace.is_poisoned() {
            return Err(GraphError::Poisoned);
        }
        for _ in 0..TRIES_MAX {
            let mut draft = GraphDraft::new(self.load()?);
            let done = act(&mut draft)?;
            let GraphDraft {
                stored, changed, ..
            } = &mut draft;
            changed.retain(|file, page| stored.get(file).is_none_or(|it| it.page != *page));
            if self.are_unchanged(&draft)? {
                self.workspace.poisoning(self.write(&draft))?;
                return Ok(done);
            }
        }
        Err(GraphError::Changed)
    }

    /// Whether the pages to change are still as read; drops the others from the cache.
    fn are_unchanged(&self, draft: &GraphDraft) -> Result<bool, DiskError> {
        let mut are_unchanged = true;
        for file in draft.changed.keys() {
            let found = read_some(self.workspace.disk(), &self.full(file), PAGE_BYTES_MAX)?;
            let expected = draft.stored.get(file).map(|stored| stored.text.as_bytes());
            if found.as_deref() != expected {
                locked(&self.known).remove(file);
                are_unchanged = false;
            }
        }
        Ok(are_unchanged)
    }

    /// Durability: a crash leaves each page with either its old or its new content.
    fn write(&self, draft: &GraphDraft) -> Result<(), DiskError> {
        let disk = self.workspace.disk();
        if !draft.changed.is_empty() {
            let folder = self.workspace.root().join(GRAPH);
            self.workspace.make_dir(&folder)?;
        }
        for (file, page) in &draft.changed {
            let full = self.full(file);
            let before = draft.stored.get(file).map(|stored| stored.text.as_bytes());
            let done = match before {
                Some(before) if page.is_bare() => remove_unchanged(disk, &full, before)?,
                None if page.is_bare() => ReplaceOutcome::Done,
                _ => replace_unchanged(disk, &full, before, page.text().as_bytes())?,
            };
            locked(&self.known).remove(file);
            if done == ReplaceOutcome::Changed {
                let changed = std::io::Error::other("it changed in the meantime");
                return Err(DiskError::on("write", &full)(changed));
            }
        }
        Ok(())
    }

    fn full(&self, file: &str) -> PathBuf {
        self.workspace.root().join(GRAPH).join(file)
    }

    /// The current pages; reads only those that changed since the last call.
    fn load(&self) -> Result<StoredPages, GraphError> {
        let disk = self.workspace.disk();
        let folder = self.workspace.root().join(GRAPH);
        if self.workspace.inside(GRAPH)?.is_err() {
            return Err(GraphError::Outside);
        }
        let mut known = locked(&self.known);
        let mut before = std::mem::take(&mut *known);
        let now = self.clock.now();
        for name in disk.list(&folder)? {
            let file = name
                .to_str()
                .filter(|it| !it.starts_with('.') && it.ends_with(ENDING));
            let Some(file) = file else {
                continue;
            };
            let Some(stat) = disk.stat(&folder.join(file))?.filter(|stat| !stat.is_dir) else {
                continue;
            };
            let is_settled = stat.modified_at.is_some_and(|at| at + SETTLED_AFTER < now);
            let same = before
                .remove(file)
                .filter(|known| known.stat == stat && (known.is_settled || !is_settled));
            let page = match same {
                Some(known) => known,
                None => KnownPage {
                    stat,
                    is_settled,
                    stored: self.read_page(file)?,
                },
            };
            known.insert(file.to_owned(), page);
        }
        let stored = known
            .iter()
            .filter_map(|(file, known)| Some((file.clone(), Arc::clone(known.stored.as_ref()?))));
        Ok(stored.collect())
    }

    fn read_page(&self, file: &str) -> Result<Option<Arc<StoredPage>>, DiskError> {
        let path = Path::new(GRAPH).join(file);
        let is_inside = self.workspace.inside(&path.to_string_lossy())?.is_ok();
        let bytes = match read_all(self.workspace.disk(), &self.full(file), PAGE_BYTES_MAX) {
            Ok(bytes) if is_inside => bytes,
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => return Ok(None),
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        let redacted = redact_lines(&text);
        let redacted = (redacted != text).then(|| GraphPage::parse(&redacted));
        let page = GraphPage::parse(&text);
        Ok(Some(Arc::new(StoredPage {
            text,
            page,
            redacted,
        })))
    }
}
