//! A knowledge graph that programs maintain: one Markdown page per entity in `memory/graph/`.
//!
//! Never changes or removes a line that the owner wrote.

mod act;
mod draft;
mod file_name;
mod jsonl;
mod model;
mod page;
mod spelling;
mod store;

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod store_tests;

pub use jsonl::GraphImport;
pub use model::{AddObservations, AddedTo, DeleteObservations, Entity, KnowledgeGraph, Relation};
pub(crate) use page::type_lines;
pub use store::{GraphError, GraphStore, is_graph};
