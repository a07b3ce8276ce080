//! Lets other programs read and change the graph of entities.
//!
//! Does not depend on a protocol. Text that a program writes has the origin `agent`, never `owner`.

use memory::graph::{
    AddObservations, DeleteObservations, Entity, GraphError, KnowledgeGraph, Relation,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::ToolReply;
use super::door::Door;

/// A request to the graph; names follow the reference memory server.
#[derive(Debug, Deserialize)]
#[serde(tag = "name", content = "arguments", rename_all = "snake_case")]
#[serde(rename_all_fields = "camelCase")]
pub enum GraphAction {
    /// Adds entities with new names.
    CreateEntities {
        entities: Vec<Entity>,
    },
    /// Adds new relations.
    CreateRelations {
        relations: Vec<Relation>,
    },
    /// Adds new observations.
    AddObservations {
        /// The observations, by entity.
        observations: Vec<AddObservations>,
    },
    /// Deletes entities and their relations.
    DeleteEntities {
        /// Their names.
        entity_names: Vec<String>,
    },
    DeleteObservations {
        /// The observations, by entity.
        deletions: Vec<DeleteObservations>,
    },
    DeleteRelations {
        relations: Vec<Relation>,
    },
    /// Reads the whole graph.
    ReadGraph {},
    /// Finds entities that contain a text.
    SearchNodes {
        /// The text.
        query: String,
    },
    /// Reads the named entities.
    OpenNodes {
        /// Their names.
        names: Vec<String>,
    },
}

/// The answer to a graph request.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphAnswer {
    /// JSON for programs.
    pub structured: Value,
    /// Text for models.
    pub text: String,
}

impl Door {
    /// Reads or changes the graph.
    pub fn graph(&self, action: GraphAction) -> Result<GraphAnswer, String> {
        self.acted(action).map_err(|error| error.to_string())
    }

    fn acted(&self, action: GraphAction) -> Result<GraphAnswer, GraphError> {
        let graph = &self.graph;
        Ok(match action {
            GraphAction::CreateEntities { entities } => {
                listed("entities", &graph.create_entities(&entities)?)
            }
            GraphAction::CreateRelations { relations } => {
                listed("relations", &graph.create_relations(&relations)?)
            }
            GraphAction::AddObservations { observations } => {
                listed("results", &graph.add_observations(&observations)?)
            }
            GraphAction::DeleteEntities { entity_names } => {
                graph.delete_entities(&entity_names)?;
                deleted("Entities")
            }
            GraphAction::DeleteObservations { deletions } => {
                graph.delete_observations(&deletions)?;
                deleted("Observations")
            }
            GraphAction::DeleteRelations { relations } => {
                graph.delete_relations(&relations)?;
                deleted("Relations")
            }
            GraphAction::ReadGraph {} => whole(&graph.read()?),
            GraphAction::SearchNodes { query } => whole(&graph.search(&query)?),
            GraphAction::OpenNodes { names } => whole(&graph.open(&names)?),
        })
    }

    /// The whole graph, as JSON.
    pub fn graph_json(&self) -> ToolReply {
        self.graph(GraphAction::ReadGraph {})
            .map(|answer| answer.text)
    }
}

/// The added items: a list for models, and the same list under `name` for programs.
fn listed(name: &str, list: &impl Serialize) -> GraphAnswer {
    GraphAnswer {
        text: pretty(list),
        structured: json!({ name: list }),
    }
}

fn whole(graph: &KnowledgeGraph) -> GraphAnswer {
    GraphAnswer {
        text: pretty(graph),
        structured: json!(graph),
    }
}

fn pretty(value: &impl Serialize) -> String {
    // Strings and lists can always be written as JSON.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// The answer to a delete.
fn deleted(kind: &str) -> GraphAnswer {
    let message = format!("{kind} deleted successfully");
    GraphAnswer {
        structured: json!({ "success": true, "message": message }),
        text: message,
    }
}
