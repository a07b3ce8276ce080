//! The operations of programs on the graph, with the semantics of the reference server.
//!
//! Pure: the graph is a value.

use std::collections::HashSet;

use super::model::{
    AddObservations, AddedTo, DeleteObservations, Entity, KnowledgeGraph, Relation,
};
use super::store::GraphError;

impl KnowledgeGraph {
    pub(super) fn entity(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    fn entity_mut(&mut self, name: &str) -> Option<&mut Entity> {
        self.entities.iter_mut().find(|entity| entity.name == name)
    }

    /// Adds entities with new names; returns them.
    pub(super) fn create_entities(&mut self, news: &[Entity]) -> Vec<Entity> {
        let names = self.entities.iter().map(|entity| entity.name.clone());
        let mut names: HashSet<String> = names.collect();
        let mut created = Vec::new();
        for new in news {
            if names.insert(new.name.clone()) {
                let entity = Entity {
                    observations: without_repetitions(&new.observations),
                    ..new.clone()
                };
                self.entities.push(entity.clone());
                created.push(entity);
            }
        }
        created
    }

    /// Adds new relations; returns them.
    pub(super) fn create_relations(&mut self, news: &[Relation]) -> Vec<Relation> {
        let mut known: HashSet<Relation> = self.relations.iter().cloned().collect();
        let mut created = Vec::new();
        for new in news {
            if known.insert(new.clone()) {
                self.relations.push(new.clone());
                created.push(new.clone());
            }
        }
        created
    }

    /// Adds new observations to existing entities; adds nothing if one of the entities does not exist.
    pub(super) fn add_observations(
        &mut self,
        news: &[AddObservations],
    ) -> Result<Vec<AddedTo>, GraphError> {
        let mut names = news.iter().map(|new| &new.entity_name);
        if let Some(missing) = names.find(|name| self.entity(name).is_none()) {
            return Err(GraphError::NoEntity(missing.clone()));
        }
        let mut added = Vec::new();
        for new in news {
            let mut added_observations = Vec::new();
            if let Some(entity) = self.entity_mut(&new.entity_name) {
                for text in &new.contents {
                    if !entity.observations.contains(text) {
                        entity.observations.push(text.clone());
                        added_observations.push(text.clone());
                    }
                }
            }
            added.push(AddedTo {
                entity_name: new.entity_name.clone(),
                added_observations,
            });
        }
        Ok(added)
    }

    /// Removes entities and the relations from and to them.
    pub(super) fn delete_entities(&mut self, names: &[String]) {
        let names: HashSet<&String> = names.iter().collect();
        self.entities.retain(|entity| !names.contains(&entity.name));
        self.relations
            .retain(|own| !names.contains(&own.from) && !names.contains(&own.to));
    }

    /// Removes observations; an entity without observations stays.
    pub(super) fn delete_observations(&mut self, olds: &[DeleteObservations]) {
        for old in olds {
            if let Some(entity) = self.entity_mut(&old.entity_name) {
                entity
                    .observations
                    .retain(|text| !old.observations.contains(text));
            }
        }
    }

    /// Removes relations.
    pub(super) fn delete_relations(&mut self, olds: &[Relation]) {
        self.relations.retain(|own| !olds.contains(own));
    }

    /// Adds the facts that another graph has and this one lacks.
    pub(super) fn add_all(&mut self, other: &Self) {
        self.create_entities(&other.entities);
        for entity in &other.entities {
            let news = AddObservations {
                entity_name: entity.name.clone(),
                contents: entity.observations.clone(),
            };
            // The entity was just created, unless it existed.
            let _added = self.add_observations(&[news]);
        }
        self.create_relations(&other.relations);
    }
}

fn without_repetitions(texts: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let texts = texts.iter().filter(|text| seen.insert(*text));
    texts.cloned().collect()
}
