//! The pages of the graph before and after a change, in memory.
//!
//! Never touches the disk.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::file_name::{folded, hashed_stem, stem_of};
use super::model::{Entity, KnowledgeGraph, Relation};
use super::page::{GraphPage, LinkedTo};

/// A page as stored on disk.
#[derive(Debug)]
pub(super) struct StoredPage {
    pub(super) text: String,
    pub(super) page: GraphPage,
    /// The page with secrets removed, if it has any.
    pub(super) redacted: Option<GraphPage>,
}

/// The file extension of pages.
pub(super) const ENDING: &str = ".md";

/// Pages by file name.
pub(super) type StoredPages = BTreeMap<String, Arc<StoredPage>>;

/// Stored pages and the changes to them.
#[derive(Debug)]
pub(super) struct GraphDraft {
    pub(super) stored: StoredPages,
    pub(super) changed: BTreeMap<String, GraphPage>,
    files: HashMap<String, String>,
    /// Entity names by case-folded file stem.
    stems: HashMap<String, String>,
}

impl GraphDraft {
    pub(super) fn new(stored: StoredPages) -> Self {
        let mut draft = Self {
            stored: BTreeMap::new(),
            changed: BTreeMap::new(),
            files: HashMap::new(),
            stems: HashMap::new(),
        };
        for (file, stored) in &stored {
            draft.enter(file, name_of(file, &stored.page));
        }
        draft.stored = stored;
        draft
    }

    fn enter(&mut self, file: &str, name: &str) {
        let stem = folded(file.strip_suffix(ENDING).unwrap_or(file));
        self.stems.entry(stem).or_insert_with(|| name.to_owned());
        let files = self.files.entry(name.to_owned());
        files.or_insert_with(|| file.to_owned());
    }

    pub(super) fn files(&self) -> Vec<String> {
        let new = self
            .changed
            .keys()
            .filter(|it| !self.stored.contains_key(*it));
        self.stored.keys().chain(new).cloned().collect()
    }

    pub(super) fn page(&self, file: &str) -> Option<&GraphPage> {
        let stored = || self.stored.get(file).map(|stored| &stored.page);
        self.changed.get(file).or_else(stored)
    }

    /// The page of a file for editing; created if missing.
    pub(super) fn change(&mut self, file: &str) -> &mut GraphPage {
        let stored = self.stored.get(file).map(|stored| stored.page.clone());
        let changed = self.changed.entry(file.to_owned());
        changed.or_insert_with(|| stored.unwrap_or_else(|| GraphPage::parse("")))
    }

    pub(super) fn file_of(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    pub(super) fn entity_file(&self, name: &str) -> Option<String> {
        let file = self.file_of(name)?;
        self.page(file)?.is_entity().then(|| file.to_owned())
    }

    /// The file of an entity; creates a page if there is none.
    pub(super) fn file_for(&mut self, name: &str) -> String {
        if let Some(file) = self.file_of(name) {
            return file.to_owned();
        }
        let file = format!("{}{ENDING}", self.stem_for(name));
        self.enter(&file, name);
        self.changed.insert(file.clone(), GraphPage::named(name));
        file
    }

    /// The stem of the file that an entity has or would get.
    pub(super) fn stem_for(&self, name: &str) -> String {
        if let Some(file) = self.file_of(name) {
            return file.strip_suffix(ENDING).unwrap_or(file).to_owned();
        }
        let mut stem = stem_of(name);
        let mut hashed = name.to_owned();
        while self.stems.contains_key(&folded(&stem)) {
            stem = hashed_stem(name, &hashed);
            hashed.push('\n');
        }
        stem
    }

    /// The name of the entity that a link points to.
    pub(super) fn name_at<'l>(&'l self, link: &'l LinkedTo) -> &'l str {
        match link {
            LinkedTo::Name(name) => name,
            LinkedTo::Stem(stem) => self.stems.get(&folded(stem)).map_or(stem, String::as_str),
        }
    }

    pub(super) fn relations_of(&self, file: &str, page: &GraphPage) -> Vec<Relation> {
        let relation = |(kind, link): (&str, &LinkedTo)| Relation {
            from: name_of(file, page).to_owned(),
            to: self.name_at(link).to_owned(),
            relation_type: kind.to_owned(),
        };
        page.relations().map(relation).collect()
    }

    /// The graph as shown to programs, without forgotten text and secrets.
    pub(super) fn shown(&self, is_hidden: impl Fn(&str) -> bool) -> KnowledgeGraph {
        let mut graph = KnowledgeGraph::default();
        for (file, stored) in &self.stored {
            let page = stored.redacted.as_ref().unwrap_or(&stored.page);
            let name = name_of(file, page);
            if is_hidden(name) {
                continue;
            }
            if page.is_entity() {
                let observations = page.observations().filter(|it| !is_hidden(it));
                graph.entities.push(Entity {
                    name: name.to_owned(),
                    entity_type: page.of_type().unwrap_or_default().to_owned(),
                    observations: observations.map(str::to_owned).collect(),
                });
            }
            graph.relations.extend(self.relations_of(file, page));
        }
        graph.relations.retain(|relation| !is_hidden(&relation.to));
        graph
    }
}

/// The entity name of a page: its heading, or else its file stem.
pub(super) fn name_of<'n>(file: &'n str, page: &'n GraphPage) -> &'n str {
    page.name()
        .unwrap_or(file.strip_suffix(ENDING).unwrap_or(file))
}
