//! Reads a folder in the BEIR format: corpus, queries and relevance judgements.
//!
//! Turns each document into a note.

use std::collections::BTreeMap;
use std::path::Path;

use search::Source;
use serde::Deserialize;

use super::set::{BenchCorpus, Set, SetQuestion, lines, records};
use crate::Result;

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Query {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

pub(crate) fn read(folder: &Path) -> Result<Set> {
    let documents: Vec<Document> = records(&folder.join("corpus.jsonl"))?;
    let queries: Vec<Query> = records(&folder.join("queries.jsonl"))?;
    let mut gold: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for line in lines(&folder.join("qrels").join("test.tsv"))? {
        let mut fields = line.split('\t');
        let (Some(query), Some(document), Some(grade)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        // The header line is skipped, because its grade is not a number.
        if let Ok(grade) = grade.trim().parse() {
            gold.entry(query.to_owned())
                .or_default()
                .push(((path_of(document), 0), grade));
        }
    }
    let questions = queries.into_iter().filter_map(|query| {
        Some(SetQuestion {
            gold: gold.remove(&query.id)?,
            text: query.text,
            kind: String::new(),
            pair: None,
        })
    });
    let questions = questions.collect();
    let notes = documents.into_iter().map(|document| {
        let Document { id, title, text } = document;
        (path_of(&id), format!("# {title}\n\n{text}\n"))
    });
    Ok(Set {
        name: "BEIR",
        corpora: vec![BenchCorpus {
            notes: notes.collect(),
            documents: Vec::new(),
            questions,
        }],
        source: Source::Memory,
    })
}

fn path_of(id: &str) -> String {
    format!("memory/{id}.md")
}
