//! The part of a graph that may be shown: without forgotten text.
//!
//! Pure; tombstones decide which facts are forgotten.

use std::collections::{BTreeSet, HashSet};

use super::model::{Entity, KnowledgeGraph};
use super::page::{Fact, facts};
use crate::note_text::NoteText;
use crate::tombstone::{Tombstones, hidden_lines};

/// The graph without the facts that are forgotten. If the name of an entity is forgotten, everything that is known
/// about the entity is left out, and so is every relation from or to it.
pub(super) fn visible(graph: KnowledgeGraph, tombstones: &Tombstones) -> KnowledgeGraph {
    if tombstones.hides_nothing() {
        return graph;
    }
    let hidden = hidden_facts(&graph, tombstones);
    let entities = graph.entities.iter().enumerate();
    let hidden_names: HashSet<String> = entities
        .filter(|(index, _)| hidden.contains(&Fact::Entity(*index)))
        .map(|(_, entity)| entity.name.clone())
        .collect();
    let is_hidden_name = |name: &String| hidden_names.contains(name) || tombstones.hides_text(name);
    let mut entities = Vec::new();
    for (index, entity) in graph.entities.into_iter().enumerate() {
        if is_hidden_name(&entity.name) {
            continue;
        }
        let observations = entity.observations.into_iter().enumerate();
        let observations = observations.filter(|(number, text)| {
            !hidden.contains(&Fact::Observation(index, *number)) && !tombstones.hides_text(text)
        });
        entities.push(Entity {
            observations: observations.map(|(_, text)| text).collect(),
            name: entity.name,
            entity_type: entity.entity_type,
        });
    }
    let relations = graph.relations.into_iter().enumerate();
    let relations = relations.filter(|(index, relation)| {
        !hidden.contains(&Fact::Relation(*index))
            && !is_hidden_name(&relation.from)
            && !is_hidden_name(&relation.to)
    });
    KnowledgeGraph {
        relations: relations.map(|(_, relation)| relation).collect(),
        entities,
    }
}

/// The facts whose lines on the page are hidden.
fn hidden_facts(graph: &KnowledgeGraph, tombstones: &Tombstones) -> BTreeSet<Fact> {
    let facts = facts(graph);
    let lines: Vec<String> = facts
        .iter()
        .map(|(_, text)| format!("- {text}\n"))
        .collect();
    let page = lines.concat();
    let hidden = hidden_lines(&NoteText::alone(&page), tombstones);
    let numbered = (1..).zip(facts);
    let hidden = numbered.filter(|(number, _)| hidden.contains(number));
    hidden.map(|(_, (fact, _))| fact).collect()
}
