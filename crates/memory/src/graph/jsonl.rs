//! Import and export of the graph as JSON Lines, the file format of the reference server.

use serde::{Deserialize, Serialize};

use super::model::{AddObservations, Entity, KnowledgeGraph, Relation};
use super::store::{GraphError, GraphStore, cleaned_entity, cleaned_relation};

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum GraphRecord {
    Entity(Entity),
    Relation(Relation),
}

/// The result of an import; does not count what existed before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphImport {
    /// New entities.
    pub n_entities: usize,
    /// New observations of existing entities.
    pub n_observations: usize,
    /// New relations.
    pub n_relations: usize,
    /// Numbers of the lines that could not be parsed, from 1.
    pub unreadable: Vec<usize>,
}

impl GraphStore {
    /// Imports the lines of a file of the reference server; idempotent.
    pub fn import(&self, lines: &str) -> Result<GraphImport, GraphError> {
        let mut graph = KnowledgeGraph::default();
        let mut unreadable = Vec::new();
        for (line, number) in lines.lines().zip(1..) {
            match serde_json::from_str(line) {
                Ok(GraphRecord::Entity(entity)) => graph.entities.push(cleaned_entity(&entity)),
                Ok(GraphRecord::Relation(it)) => graph.relations.push(cleaned_relation(&it)),
                Err(_) if line.trim().is_empty() => {}
                Err(_) => unreadable.push(number),
            }
        }
        let graph = self.without_forgotten(graph)?;
        let news = graph.entities.iter().map(|entity| AddObservations {
            entity_name: entity.name.clone(),
            contents: entity.observations.clone(),
        });
        let news: Vec<AddObservations> = news.collect();
        self.edit(|draft| {
            let n_entities = draft.create_entities(&graph.entities).len();
            let added = draft.add_observations(&news)?;
            Ok(GraphImport {
                n_entities,
                n_observations: added.iter().map(|it| it.added_observations.len()).sum(),
                n_relations: draft.create_relations(&graph.relations).len(),
                unreadable: unreadable.clone(),
            })
        })
    }

    /// Exports the graph as JSON Lines without line ends, entities first.
    pub fn export(&self) -> Result<impl Iterator<Item = String> + use<>, GraphError> {
        let graph = self.read()?;
        let entities = graph.entities.into_iter().map(GraphRecord::Entity);
        let relations = graph.relations.into_iter().map(GraphRecord::Relation);
        // Strings always serialize.
        Ok(entities
            .chain(relations)
            .filter_map(|it| serde_json::to_string(&it).ok()))
    }
}
