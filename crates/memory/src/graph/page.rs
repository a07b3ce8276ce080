//! The page of the graph: one line of Markdown for each fact, among the lines that the owner wrote there.
//!
//! Pure; never changes a line of the owner.

use std::collections::HashMap;

use base::{short_hash, visible};

use super::model::KnowledgeGraph;
use crate::note::{marked, text_of};
use crate::workspace::GRAPH_HEADER;

/// A fact of a graph, by its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// The name and the type of an entity.
    Entity(usize),
    /// An observation of an entity.
    Observation(usize, usize),
    Relation(usize),
}

/// The facts of a graph, each with its text on one line: an entity, its observations, the relations from it, then the
/// next entity; last, the relations from names that are not entities. Each text names the entity that it is about, so
/// that search finds it and a forget covers it by that name.
pub(super) fn facts(graph: &KnowledgeGraph) -> Vec<(Fact, String)> {
    let mut relations_from: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, relation) in graph.relations.iter().enumerate() {
        let from = relations_from.entry(&relation.from).or_default();
        from.push(index);
    }
    let mut facts = Vec::new();
    let mut add = |fact, text: String| {
        let text = on_one_line(&text);
        if !text.is_empty() {
            facts.push((fact, text));
        }
    };
    let relation_text = |index: usize| {
        let relation = graph.relations.get(index);
        relation.map(|it| format!("{} {} {}", it.from, it.relation_type, it.to))
    };
    for (index, entity) in graph.entities.iter().enumerate() {
        let name = &entity.name;
        let kind = match entity.entity_type.trim() {
            "" => String::new(),
            kind => format!(" ({kind})"),
        };
        add(Fact::Entity(index), format!("{name}{kind}"));
        for (number, text) in entity.observations.iter().enumerate() {
            add(Fact::Observation(index, number), format!("{name}: {text}"));
        }
        let relations = relations_from.remove(name.as_str()).unwrap_or_default();
        for relation in relations {
            add(
                Fact::Relation(relation),
                relation_text(relation).unwrap_or_default(),
            );
        }
    }
    let mut others: Vec<usize> = relations_from.into_values().flatten().collect();
    others.sort_unstable();
    for relation in others {
        add(
            Fact::Relation(relation),
            relation_text(relation).unwrap_or_default(),
        );
    }
    facts
}

/// The text without line breaks, invisible characters, and characters that would begin a comment.
fn on_one_line(text: &str) -> String {
    let text = visible(text);
    let words = text.split_whitespace().map(|word| {
        let word: String = word.chars().filter(|it| !it.is_control()).collect();
        word.replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    });
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A text as a line of the page, with its line break. The mark says that a program wrote it, as long as it fits the
/// text.
fn line_of(text: &str) -> String {
    format!("- {text} ^{}\n", short_hash(text))
}

/// Whether a program wrote the line, and the line is unchanged since then.
fn is_programs(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    marked(line.trim_end()).is_some_and(|(said, mark)| short_hash(text_of(said)) == mark)
}

/// The page with the facts of a graph in the place of the earlier ones. Every other line stays.
pub(super) fn with_facts(page: &[u8], graph: &KnowledgeGraph) -> Vec<u8> {
    let page = if page.is_empty() {
        GRAPH_HEADER.as_bytes()
    } else {
        page
    };
    let (mut above, mut below) = (Vec::new(), Vec::new());
    let mut is_above = true;
    for line in page.split_inclusive(|byte| *byte == b'\n') {
        if is_programs(line) {
            is_above = false;
        } else if is_above {
            above.extend_from_slice(line);
        } else {
            below.extend_from_slice(line);
        }
    }
    if !above.is_empty() && !above.ends_with(b"\n") {
        above.push(b'\n');
    }
    let facts: String = facts(graph).iter().map(|(_, text)| line_of(text)).collect();
    [above, facts.into_bytes(), below].concat()
}
