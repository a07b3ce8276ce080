//! Lets other programs read and change the graph of entities.
//!
//! Knows no protocol. What a program writes has the agent as its origin, never the owner.

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
        /// The entities.
        entities: Vec<Entity>,
    },
    /// Adds new relations.
    CreateRelations {
        /// The relations.
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
    /// Deletes observations.
    DeleteObservations {
        /// The observations, by entity.
        deletions: Vec<DeleteObservations>,
    },
    /// Deletes relations.
    DeleteRelations {
        /// The relations.
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
                deleted("Entities", &graph.delete_entities(&entity_names)?)
            }
            GraphAction::DeleteObservations { deletions } => {
                deleted("Observations", &graph.delete_observations(&deletions)?)
            }
            GraphAction::DeleteRelations { relations } => {
                deleted("Relations", &graph.delete_relations(&relations)?)
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

/// What was added: a list for models, and the same under `name` for programs.
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

/// The answer to a delete; it succeeds only if nothing it named is left.
fn deleted(what: &str, staying: &[String]) -> GraphAnswer {
    let message = if staying.is_empty() {
        format!("{what} deleted successfully")
    } else {
        let names = staying.join(", ");
        format!(
            "What programs wrote is deleted; lines that the owner wrote by hand remain in: {names}"
        )
    };
    let structured = json!({ "success": staying.is_empty(), "message": message });
    GraphAnswer {
        text: message,
        structured,
    }
}
