//! The graph of entities as programs outside read and change it.
//!
//! Knows no protocol. What a program writes is the agent's, never the owner's.

use memory::graph::{Entity, GraphError, GraphImport, KnowledgeGraph, NewFor, OldOf, Relation};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::Answer;
use super::door::Door;

/// What a program asks of the graph, by the names of the reference server.
#[derive(Debug, Deserialize)]
#[serde(tag = "name", content = "arguments", rename_all = "snake_case")]
#[serde(rename_all_fields = "camelCase")]
pub enum GraphAction {
    /// Adds entities whose names are new.
    CreateEntities {
        /// The entities.
        entities: Vec<Entity>,
    },
    /// Adds relations that are new.
    CreateRelations {
        /// The relations.
        relations: Vec<Relation>,
    },
    /// Adds observations that are new.
    AddObservations {
        /// The observations by entities.
        observations: Vec<NewFor>,
    },
    /// Takes entities away, with their relations.
    DeleteEntities {
        /// Their names.
        entity_names: Vec<String>,
    },
    /// Takes observations away.
    DeleteObservations {
        /// The observations by entities.
        deletions: Vec<OldOf>,
    },
    /// Takes relations away.
    DeleteRelations {
        /// The relations.
        relations: Vec<Relation>,
    },
    /// Reads all.
    ReadGraph {},
    /// Seeks entities by a part of their text.
    SearchNodes {
        /// The part.
        query: String,
    },
    /// Reads entities.
    OpenNodes {
        /// Their names.
        names: Vec<String>,
    },
}

/// What is told of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphAnswer {
    /// For programs.
    pub structured: Value,
    /// For models.
    pub text: String,
}

impl Door {
    /// Reads or changes the graph.
    pub fn graph(&self, action: GraphAction) -> Result<GraphAnswer, String> {
        self.acted(action).map_err(|error| error.to_string())
    }

    fn acted(&self, action: GraphAction) -> Result<GraphAnswer, GraphError> {
        let graph = self.graph_store();
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
    pub fn graph_json(&self) -> Answer {
        self.graph(GraphAction::ReadGraph {})
            .map(|answer| answer.text)
    }

    /// Takes in the lines of a file of the reference server; the same lines again change nothing.
    pub fn import_graph(&self, lines: &str) -> Result<GraphImport, GraphError> {
        self.graph_store().import(lines)
    }

    /// The graph as the lines of such a file, none with a line end.
    pub fn export_graph(&self) -> Result<impl Iterator<Item = String> + use<>, GraphError> {
        self.graph_store().export()
    }
}

/// What was new, as a list for models and under its name for programs.
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
    // Texts and lists can always be written.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// A delete is done where nothing of what it meant stays.
fn deleted(what: &str, staying: &[String]) -> GraphAnswer {
    let message = if staying.is_empty() {
        format!("{what} deleted successfully")
    } else {
        let names = staying.join(", ");
        format!(
            "What programs wrote is deleted; lines that the owner wrote by hand stay in: {names}"
        )
    };
    let structured = json!({ "success": staying.is_empty(), "message": message });
    GraphAnswer {
        text: message,
        structured,
    }
}
