//! Reads BEAM: long chats with an assistant, as transcripts.
//!
//! Skips questions that cite no message.

use std::collections::BTreeMap;
use std::path::Path;

use base::{Day, Origin};
use chrono::{Datelike, NaiveDate};
use search::{ResumePlace, Source, SourceMessage};
use serde::Deserialize;
use serde_json::Value;

use super::set::{BenchCorpus, GoldPlace, Set, SetQuestion, records};
use crate::Result;

#[derive(Deserialize)]
struct Chat {
    messages: Vec<BeamMessage>,
    probing_questions: BTreeMap<String, Vec<Probe>>,
}

#[derive(Deserialize)]
struct BeamMessage {
    id: u64,
    role: String,
    time_anchor: Option<String>,
    content: String,
}

#[derive(Deserialize)]
struct Probe {
    question: String,
    source_chat_ids: Option<Value>,
}

const DOCUMENT: &str = "sessions/chat.jsonl";

/// The line of the first message; line 1 of a transcript is its header.
pub(crate) const FIRST_LINE: usize = 2;

pub(crate) fn read(path: &Path) -> Result<Set> {
    let chats: Vec<Chat> = records(path)?;
    Ok(Set {
        name: "BEAM",
        corpora: chats.into_iter().map(corpus).collect(),
        source: Source::Session,
    })
}

fn corpus(chat: Chat) -> BenchCorpus {
    let mut day = NaiveDate::from_ymd_opt(2024, 1, 1).unwrap_or_default();
    let mut places = BTreeMap::new();
    let mut messages = Vec::new();
    for (idx, said) in chat.messages.into_iter().enumerate() {
        let named = said
            .time_anchor
            .as_deref()
            .and_then(|anchor| NaiveDate::parse_from_str(anchor, "%B-%d-%Y").ok());
        day = named.map_or(day, |named| named.max(day));
        let line = idx + FIRST_LINE;
        places.insert(said.id, (DOCUMENT.to_owned(), line));
        let origin = if said.role == "user" {
            Origin::Owner
        } else {
            Origin::Agent
        };
        messages.push(SourceMessage {
            place: ResumePlace::at_line(line),
            speaker: said.role,
            text: without_mark(&said.content).trim().to_owned(),
            day: Some(Day::from(day)).filter(|_| day.year() > 0),
            origin,
        });
    }
    let questions = chat
        .probing_questions
        .into_iter()
        .flat_map(|(kind, probes)| probes.into_iter().map(move |probe| (kind.clone(), probe)))
        .filter_map(|(kind, probe)| question(kind, probe, &places));
    BenchCorpus {
        questions: questions.collect(),
        notes: Vec::new(),
        documents: vec![(DOCUMENT.to_owned(), messages)],
    }
}

/// Removes the suffix `->-> 1,2` that numbers the user's messages.
fn without_mark(text: &str) -> &str {
    match text.rsplit_once("->->") {
        Some((said, number))
            if number
                .chars()
                .all(|c| c.is_ascii_digit() || c == ',' || c.is_whitespace()) =>
        {
            said.trim_end()
        }
        _ => text,
    }
}

fn question(kind: String, probe: Probe, places: &BTreeMap<u64, GoldPlace>) -> Option<SetQuestion> {
    let cited = plain(probe.source_chat_ids?);
    let found = |value: &Value| -> Vec<GoldPlace> {
        let mut ids = Vec::new();
        gather(value, &mut ids);
        ids.iter()
            .filter_map(|id| places.get(id).cloned())
            .collect()
    };
    let gold: Vec<_> = found(&cited).into_iter().map(|place| (place, 1)).collect();
    let pair = cited
        .get("original_info")
        .zip(cited.get("updated_info"))
        .map(|(older, newer)| (found(older), found(newer)))
        .filter(|_| kind == "knowledge_update");
    (!gold.is_empty()).then_some(SetQuestion {
        text: probe.question,
        kind,
        gold,
        pair,
    })
}

/// Parses a value that some records contain as the text of a Python literal.
fn plain(value: Value) -> Value {
    match value.as_str() {
        Some(text) => serde_json::from_str(&text.replace('\'', "\"")).unwrap_or(Value::Null),
        None => value,
    }
}

fn gather(value: &Value, ids: &mut Vec<u64>) {
    match value {
        Value::Number(number) => ids.extend(number.as_u64()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, ids)),
        Value::Object(values) => values.values().for_each(|value| gather(value, ids)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
