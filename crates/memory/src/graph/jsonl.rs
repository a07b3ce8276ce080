//! The graph as JSON Lines, the file format of the reference server: in the state, for import and for export.
//!
//! Never drops a line of the state that it cannot parse.

use serde::{Deserialize, Serialize};

use super::model::{Entity, KnowledgeGraph, Relation};

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

/// Parses a graph; returns the numbers of unreadable lines, from 1, too.
pub(super) fn parse(lines: &str) -> (KnowledgeGraph, Vec<usize>) {
    let mut graph = KnowledgeGraph::default();
    let mut unreadable = Vec::new();
    for (number, line) in (1..).zip(lines.lines()) {
        match serde_json::from_str(line) {
            Ok(GraphRecord::Entity(entity)) => graph.entities.push(entity),
            Ok(GraphRecord::Relation(relation)) => graph.relations.push(relation),
            Err(_) if line.trim().is_empty() => {}
            Err(_) => unreadable.push(number),
        }
    }
    (graph, unreadable)
}

/// The lines of a graph with their line ends, entities first.
pub(super) fn lines(graph: KnowledgeGraph) -> impl Iterator<Item = String> {
    let entities = graph.entities.into_iter().map(GraphRecord::Entity);
    let relations = graph.relations.into_iter().map(GraphRecord::Relation);
    // Strings always serialize.
    entities
        .chain(relations)
        .filter_map(|record| serde_json::to_string(&record).ok())
        .map(|line| line + "\n")
}
