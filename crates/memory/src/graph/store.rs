//! The graph of a workspace: read from its state, changed under the lock of the logs, and shown on its page.
//!
//! Never overwrites text that the owner has saved since the page was read.

use std::collections::HashSet;
use std::sync::Arc;

use base::disk::{DiskError, LockError, read_some};
use base::redact;
use search::NOTE_BYTES_MAX;

use super::jsonl::{self, GraphImport};
use super::legacy::{EarlierPages, earlier_pages, graph_on, retire};
use super::model::{
    AddObservations, AddedTo, DeleteObservations, Entity, KnowledgeGraph, Relation,
};
use super::page::with_facts;
use super::visible::visible;
use crate::file_error::file_error_from_disk;
use crate::tombstone::{Tombstones, load_tombstones};
use crate::workspace::GRAPH_FILE;
use crate::workspace_file::WorkspaceFile;
use crate::{FileError, Workspace, WorkspacePath};

/// An operation on the graph failed.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The entity does not exist. Uses the wording of the reference server, on which programs may rely.
    #[error("Entity with name {0} not found")]
    NoEntity(String),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(GraphError);

/// The graph of a workspace.
#[derive(Debug)]
pub struct GraphStore {
    workspace: Arc<Workspace>,
}

/// Whether a file is the page of the graph.
pub fn is_graph(path: &WorkspacePath) -> bool {
    path.as_str() == GRAPH_FILE
}

impl GraphStore {
    /// A store for the graph of a workspace; reads nothing yet.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace }
    }

    /// The whole graph, without forgotten text and secrets.
    pub fn read(&self) -> Result<KnowledgeGraph, GraphError> {
        let tombstones = load_tombstones(&self.workspace)?;
        let graph = match stored(&self.workspace)? {
            Some(graph) => graph,
            None => graph_on(&earlier_pages(&self.workspace, EarlierPages::All)?),
        };
        Ok(cleaned(&visible(graph, &tombstones)))
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
        let names: HashSet<String> = names.iter().map(|it| cleaned_text(it)).collect();
        self.part(|it| names.contains(&it.name))
    }

    fn part(&self, is_meant: impl Fn(&Entity) -> bool) -> Result<KnowledgeGraph, GraphError> {
        let mut graph = self.read()?;
        graph.entities.retain(is_meant);
        let names: HashSet<&str> = graph.entities.iter().map(|it| it.name.as_str()).collect();
        let is_near = |it: &Relation| names.contains(&*it.from) || names.contains(&*it.to);
        graph.relations.retain(is_near);
        Ok(graph)
    }

    /// Adds entities with new names; returns them as stored.
    pub fn create_entities(&self, entities: &[Entity]) -> Result<Vec<Entity>, GraphError> {
        let news = KnowledgeGraph {
            entities: entities.iter().map(cleaned_entity).collect(),
            relations: Vec::new(),
        };
        self.edit(|graph, tombstones| {
            let news = remembered(graph, &news, tombstones);
            Ok(graph.create_entities(&news.entities))
        })
    }

    /// Adds new relations, even between missing entities; returns them.
    pub fn create_relations(&self, relations: &[Relation]) -> Result<Vec<Relation>, GraphError> {
        let news = KnowledgeGraph {
            entities: Vec::new(),
            relations: relations.iter().map(cleaned_relation).collect(),
        };
        self.edit(|graph, tombstones| {
            let news = remembered(graph, &news, tombstones);
            Ok(graph.create_relations(&news.relations))
        })
    }

    /// Adds new observations; adds nothing if one of the entities is missing.
    pub fn add_observations(&self, news: &[AddObservations]) -> Result<Vec<AddedTo>, GraphError> {
        let news: Vec<AddObservations> = news.iter().map(cleaned_news).collect();
        self.edit(|graph, tombstones| {
            let mut allowed = Vec::new();
            for new in &news {
                let of_one = KnowledgeGraph {
                    entities: vec![Entity {
                        name: new.entity_name.clone(),
                        entity_type: String::new(),
                        observations: new.contents.clone(),
                    }],
                    relations: Vec::new(),
                };
                let known = graph.entity(&new.entity_name).is_some();
                let of_one = remembered(graph, &of_one, tombstones);
                let of_one = of_one.entities.into_iter().next().filter(|_| known);
                let missing = || GraphError::NoEntity(new.entity_name.clone());
                allowed.push(AddObservations {
                    entity_name: new.entity_name.clone(),
                    contents: of_one.ok_or_else(missing)?.observations,
                });
            }
            graph.add_observations(&allowed)
        })
    }

    /// Removes entities and their relations.
    pub fn delete_entities(&self, names: &[String]) -> Result<(), GraphError> {
        let names: Vec<String> = names.iter().map(|it| cleaned_text(it)).collect();
        self.edit(|graph, _| {
            graph.delete_entities(&names);
            Ok(())
        })
    }

    /// Removes observations.
    pub fn delete_observations(&self, olds: &[DeleteObservations]) -> Result<(), GraphError> {
        let cleaned_old = |old: &DeleteObservations| DeleteObservations {
            entity_name: cleaned_text(&old.entity_name),
            observations: cleaned_texts(&old.observations),
        };
        let olds: Vec<DeleteObservations> = olds.iter().map(cleaned_old).collect();
        self.edit(|graph, _| {
            graph.delete_observations(&olds);
            Ok(())
        })
    }

    /// Removes relations.
    pub fn delete_relations(&self, relations: &[Relation]) -> Result<(), GraphError> {
        let relations: Vec<Relation> = relations.iter().map(cleaned_relation).collect();
        self.edit(|graph, _| {
            graph.delete_relations(&relations);
            Ok(())
        })
    }

    /// Imports the lines of a file of the reference server; idempotent.
    pub fn import(&self, lines: &str) -> Result<GraphImport, GraphError> {
        let (news, unreadable) = jsonl::parse(lines);
        let news = cleaned(&news);
        self.edit(|graph, tombstones| {
            let news = remembered(graph, &news, tombstones);
            let n_entities = graph.create_entities(&news.entities).len();
            let contents = news.entities.iter().map(|entity| AddObservations {
                entity_name: entity.name.clone(),
                contents: entity.observations.clone(),
            });
            let added = graph.add_observations(&contents.collect::<Vec<_>>())?;
            Ok(GraphImport {
                n_entities,
                n_observations: added.iter().map(|it| it.added_observations.len()).sum(),
                n_relations: graph.create_relations(&news.relations).len(),
                unreadable: unreadable.clone(),
            })
        })
    }

    /// Exports the graph as JSON Lines, entities first.
    pub fn export(&self) -> Result<impl Iterator<Item = String> + use<>, GraphError> {
        Ok(jsonl::lines(self.read()?))
    }

    fn edit<T>(
        &self,
        act: impl FnOnce(&mut KnowledgeGraph, &Tombstones) -> Result<T, GraphError>,
    ) -> Result<T, GraphError> {
        edit(&self.workspace, act)
    }
}

/// Rewrites the page with the visible part of the graph, after a request to forget or its undo, and removes facts that
/// `gone` hides for good: no undo restores them.
pub(crate) fn forget_facts(workspace: &Workspace, gone: &Tombstones) -> Result<(), FileError> {
    if stored(workspace)?.is_none() {
        return Ok(());
    }
    edit(workspace, |graph, _| {
        *graph = visible(std::mem::take(graph), gone);
        Ok(())
    })
}

/// Changes the graph under the lock; waits for it. On the first change it takes over the pages of earlier versions.
///
/// Durability: the state is replaced first and counts, then the page; the next change completes an interrupted one.
fn edit<T, E: From<FileError> + From<DiskError> + From<LockError>>(
    workspace: &Workspace,
    act: impl FnOnce(&mut KnowledgeGraph, &Tombstones) -> Result<T, E>,
) -> Result<T, E> {
    let _lock = workspace.lock_logs_patiently()?;
    if workspace.is_poisoned() {
        return Err(FileError::Poisoned(GRAPH_FILE.to_owned()).into());
    }
    let tombstones = load_tombstones(workspace)?;
    let before = stored(workspace)?;
    let pages = match before {
        Some(_) => EarlierPages::OfPrograms,
        None => EarlierPages::All,
    };
    let pages = earlier_pages(workspace, pages)?;
    let mut graph = before.clone().unwrap_or_default();
    graph.add_all(&graph_on(&pages));
    let done = act(&mut graph, &tombstones)?;
    if before.unwrap_or_default() != graph {
        let text: String = jsonl::lines(graph.clone()).collect();
        let state = WorkspaceFile::new(workspace, workspace.layout().graph(), NOTE_BYTES_MAX);
        let current = state.read()?;
        state.replace(current.as_deref(), text.as_bytes())?;
    }
    show(workspace, &visible(graph, &tombstones))?;
    retire(workspace, &pages)?;
    Ok(done)
}

/// Writes the page, unless it shows the graph already, or would be created without a fact.
fn show(workspace: &Workspace, graph: &KnowledgeGraph) -> Result<(), FileError> {
    let path = workspace.inside(GRAPH_FILE)?;
    let path = path.map_err(|target| FileError::Outside(GRAPH_FILE.to_owned(), target))?;
    let page = WorkspaceFile::new(workspace, path, NOTE_BYTES_MAX);
    page.edit(|found| -> Result<_, FileError> {
        let Some(found) = found.or_else(|| (*graph != KnowledgeGraph::default()).then_some(&[]))
        else {
            return Ok(None);
        };
        let page = with_facts(found, graph);
        Ok((page != found).then_some(page))
    })
}

/// The graph in the state; `None` if there is none yet.
fn stored(workspace: &Workspace) -> Result<Option<KnowledgeGraph>, FileError> {
    let path = workspace.layout().graph();
    let Some(bytes) = read_some(workspace.disk(), &path, NOTE_BYTES_MAX)? else {
        return Ok(None);
    };
    let (graph, unreadable) = jsonl::parse(&String::from_utf8_lossy(&bytes));
    match unreadable.first() {
        Some(&line) => Err(FileError::Damaged {
            file: workspace.name_of(&path),
            line: Some(line),
            cause: "it is no entity and no relation".to_owned(),
            fix: "fix the line, or restore the file from a backup",
        }),
        None => Ok(Some(graph)),
    }
}

/// The part of a program's addition that is not forgotten, so that forgotten facts cannot come back.
fn remembered(
    graph: &KnowledgeGraph,
    news: &KnowledgeGraph,
    tombstones: &Tombstones,
) -> KnowledgeGraph {
    if tombstones.hides_nothing() {
        return news.clone();
    }
    let mut with_news = graph.clone();
    with_news.add_all(news);
    let shown = visible(with_news, tombstones);
    let entities = news.entities.iter().filter_map(|new| {
        let known = shown.entity(&new.name)?;
        let observations = new.observations.iter();
        let observations = observations.filter(|text| known.observations.contains(text));
        Some(Entity {
            observations: observations.cloned().collect(),
            ..new.clone()
        })
    });
    let relations = news.relations.iter();
    let relations = relations.filter(|new| shown.relations.contains(new));
    KnowledgeGraph {
        entities: entities.collect(),
        relations: relations.cloned().collect(),
    }
}

fn cleaned(graph: &KnowledgeGraph) -> KnowledgeGraph {
    KnowledgeGraph {
        entities: graph.entities.iter().map(cleaned_entity).collect(),
        relations: graph.relations.iter().map(cleaned_relation).collect(),
    }
}

fn cleaned_entity(entity: &Entity) -> Entity {
    Entity {
        name: cleaned_text(&entity.name),
        entity_type: cleaned_text(&entity.entity_type),
        observations: cleaned_texts(&entity.observations),
    }
}

fn cleaned_relation(relation: &Relation) -> Relation {
    Relation {
        from: cleaned_text(&relation.from),
        to: cleaned_text(&relation.to),
        relation_type: cleaned_text(&relation.relation_type),
    }
}

fn cleaned_news(new: &AddObservations) -> AddObservations {
    AddObservations {
        entity_name: cleaned_text(&new.entity_name),
        contents: cleaned_texts(&new.contents),
    }
}

fn cleaned_texts(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| cleaned_text(text)).collect()
}

fn cleaned_text(text: &str) -> String {
    redact(text).into_owned()
}
