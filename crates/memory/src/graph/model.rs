//! What programs tell and are told of the graph, by the names of the reference server.
//!
//! Knows no file.

use serde::{Deserialize, Serialize};

/// Somebody or something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// Its name; case counts.
    pub name: String,
    /// Of which type it is.
    pub entity_type: String,
    /// What is known of it.
    pub observations: Vec<String>,
}

/// What one entity is to another; either may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relation {
    /// The name of the one.
    pub from: String,
    /// The name of the other.
    pub to: String,
    /// What the first is to the second.
    pub relation_type: String,
}

/// Entities, and the relations of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeGraph {
    /// The entities, by the names of their files.
    pub entities: Vec<Entity>,
    /// The relations, by the entities where they start.
    pub relations: Vec<Relation>,
}

/// Observations that an entity is to get.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewFor {
    /// The name of the entity.
    pub entity_name: String,
    /// The observations.
    pub contents: Vec<String>,
}

/// Observations that an entity got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddedTo {
    /// The name of the entity.
    pub entity_name: String,
    /// Those that it did not have.
    pub added_observations: Vec<String>,
}

/// Observations that an entity is to lose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OldOf {
    /// The name of the entity.
    pub entity_name: String,
    /// The observations.
    pub observations: Vec<String>,
}
