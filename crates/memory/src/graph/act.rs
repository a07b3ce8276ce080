//! Operations of programs on the graph, with the semantics of the reference server.
//!
//! Removes only lines that programs wrote, and reports which entities keep lines of the owner.

use super::draft::{GraphDraft, name_of};
use super::model::{AddObservations, AddedTo, DeleteObservations, Entity, Relation};
use super::page::{LineKind, LinkedTo};
use super::store::GraphError;

impl GraphDraft {
    /// Adds entities with new names; returns them.
    pub(super) fn create_entities(&mut self, entities: &[Entity]) -> Vec<Entity> {
        let mut created = Vec::new();
        for entity in entities {
            if self.entity_file(&entity.name).is_some() {
                continue;
            }
            let file = self.file_for(&entity.name);
            let page = self.change(&file);
            page.set_type(&entity.entity_type);
            for text in &entity.observations {
                page.add_observation(text);
            }
            created.push(entity.clone());
        }
        created
    }

    /// Adds new relations; returns them.
    pub(super) fn create_relations(&mut self, relations: &[Relation]) -> Vec<Relation> {
        let mut created = Vec::new();
        for relation in relations {
            let file = self.file_for(&relation.from);
            let page = self.page(&file);
            let known = page.map(|page| self.relations_of(&file, page));
            if known.is_some_and(|known| known.contains(relation)) {
                continue;
            }
            let stem = self.stem_for(&relation.to);
            let page = self.change(&file);
            page.add_relation(&relation.relation_type, &relation.to, &stem);
            created.push(relation.clone());
        }
        created
    }

    /// Adds new observations to existing entities; fails if one does not exist.
    pub(super) fn add_observations(
        &mut self,
        news: &[AddObservations],
    ) -> Result<Vec<AddedTo>, GraphError> {
        let mut added = Vec::new();
        for new in news {
            let missing = || GraphError::NoEntity(new.entity_name.clone());
            let file = self.entity_file(&new.entity_name).ok_or_else(missing)?;
            let mut added_observations = Vec::new();
            for text in &new.contents {
                if !self
                    .page(&file)
                    .is_some_and(|it| it.observations().any(|it| it == text))
                {
                    self.change(&file).add_observation(text);
                    added_observations.push(text.clone());
                }
            }
            added.push(AddedTo {
                entity_name: new.entity_name.clone(),
                added_observations,
            });
        }
        Ok(added)
    }

    /// Removes entities and their relations; returns the names of those that keep lines of the owner.
    pub(super) fn delete_entities(&mut self, names: &[String]) -> Vec<String> {
        let mut staying = Vec::new();
        for file in self.files() {
            let Some(page) = self.page(&file) else {
                continue;
            };
            let name = name_of(&file, page).to_owned();
            let stays = if names.contains(&name) {
                let page = self.change(&file);
                let stays = page.remove(|says| {
                    matches!(says, LineKind::Observation(_) | LineKind::Relation(..))
                });
                if page.observations().next().is_none() {
                    page.remove_type();
                }
                stays
            } else {
                self.unlink(&file, |relation| names.contains(&relation.to))
            };
            if stays {
                staying.push(name);
            }
        }
        staying
    }

    /// Removes observations; returns the names of the entities that keep some of them.
    pub(super) fn delete_observations(&mut self, olds: &[DeleteObservations]) -> Vec<String> {
        let mut staying = Vec::new();
        for old in olds {
            let Some(file) = self.entity_file(&old.entity_name) else {
                continue;
            };
            let is_old = |says: &LineKind| matches!(says, LineKind::Observation(it) if old.observations.contains(it));
            let page = self.change(&file);
            if page.remove(is_old) {
                staying.push(old.entity_name.clone());
            }
            // Deleting the last observation does not delete the entity.
            if !page.is_entity() {
                page.set_type("");
            }
        }
        staying
    }

    /// Removes relations; returns the names of the source entities that keep some of them.
    pub(super) fn delete_relations(&mut self, relations: &[Relation]) -> Vec<String> {
        let mut staying = Vec::new();
        for relation in relations {
            let Some(file) = self.file_of(&relation.from).map(str::to_owned) else {
                continue;
            };
            let stays = self.unlink(&file, |it| it == relation);
            if stays {
                staying.push(relation.from.clone());
            }
        }
        staying
    }

    /// Removes the matching relations of a page; returns whether some stay.
    fn unlink(&mut self, file: &str, is_meant: impl Fn(&Relation) -> bool) -> bool {
        let Some(page) = self.page(file) else {
            return false;
        };
        let links = page
            .relations()
            .map(|(kind, link)| (kind.to_owned(), link.clone()));
        let relations = self.relations_of(file, page);
        let meant: Vec<_> = links
            .zip(relations)
            .filter(|(_, it)| is_meant(it))
            .collect();
        if meant.is_empty() {
            return false;
        }
        self.change(file).remove(|says| {
            let is_link = |(of, to): &(String, LinkedTo)| {
                matches!(says, LineKind::Relation(kind, link) if of == kind && to == link)
            };
            meant.iter().any(|(link, _)| is_link(link))
        })
    }
}
