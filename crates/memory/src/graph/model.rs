//! The data that programs exchange with the graph, with the field names of the reference server.

use serde::{Deserialize, Serialize};

/// A person or a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// Its name; case-sensitive.
    pub name: String,
    pub entity_type: String,
    /// Facts about it.
    pub observations: Vec<String>,
}

/// A relation between two entities; either may not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relation {
    /// The name of the source entity.
    pub from: String,
    /// The name of the target entity.
    pub to: String,
    pub relation_type: String,
}

/// Entities and their relations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeGraph {
    /// The entities, in the order in which they were added.
    pub entities: Vec<Entity>,
    /// The relations, in the order in which they were added.
    pub relations: Vec<Relation>,
}

/// Observations to add to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddObservations {
    pub entity_name: String,
    /// The observations.
    pub contents: Vec<String>,
}

/// Observations added to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddedTo {
    pub entity_name: String,
    /// The observations that were new.
    pub added_observations: Vec<String>,
}

/// Observations to remove from an entity.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeleteObservations {
    pub entity_name: String,
    pub observations: Vec<String>,
}
