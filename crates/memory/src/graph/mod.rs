//! A knowledge graph that programs maintain: kept in `state/graph.jsonl`, shown in `memory/graph.md`.
//!
//! Never changes or removes a line that the owner wrote.

mod act;
mod jsonl;
mod model;
mod page;
mod store;
mod visible;

mod legacy;

#[cfg(test)]
mod legacy_tests;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod store_tests;

pub use jsonl::GraphImport;
pub(crate) use legacy::earlier_type_lines;
pub(crate) use legacy::is_earlier_page;
pub use model::{AddObservations, AddedTo, DeleteObservations, Entity, KnowledgeGraph, Relation};
pub(crate) use store::forget_facts;
pub use store::{GraphError, GraphStore, is_graph};
