//! Reads `LoCoMo`: months of conversation between two people, as daily notes with one line per turn.
//!
//! Skips the unanswerable questions, as most published results do.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

use chrono::NaiveDateTime;
use search::Source;
use serde::Deserialize;
use serde_json::Value;

use super::set::{BenchCorpus, GoldPlace, Set, SetQuestion, record};
use crate::Result;

#[derive(Deserialize)]
struct Sample {
    conversation: BTreeMap<String, Value>,
    qa: Vec<LocomoQuestion>,
}

#[derive(Deserialize)]
struct LocomoQuestion {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    category: u32,
}

#[derive(Deserialize)]
struct LocomoTurn {
    speaker: String,
    dia_id: String,
    text: String,
    blip_caption: Option<String>,
}

/// The category of unanswerable questions.
const UNANSWERABLE: u32 = 5;

pub(crate) fn read(path: &Path) -> Result<Set> {
    let samples: Vec<Sample> = record(path)?;
    Ok(Set {
        name: "LoCoMo",
        corpora: samples.into_iter().map(corpus).collect(),
        source: Source::Memory,
    })
}

fn corpus(sample: Sample) -> BenchCorpus {
    let mut days: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut places: HashMap<String, GoldPlace> = HashMap::new();
    for (when, turns) in sessions(&sample.conversation) {
        let day = when.format("%Y-%m-%d").to_string();
        let path = format!("memory/{day}.md");
        let lines = days
            .entry(day.clone())
            .or_insert_with(|| vec![format!("# {day}"), String::new()]);
        lines.push(format!("## {} conversation", when.format("%H:%M")));
        lines.push(String::new());
        for turn in turns {
            let mut line = format!("- {}: {}", turn.speaker, turn.text).replace('\n', " ");
            if let Some(caption) = turn.blip_caption {
                // Writing to a String cannot fail.
                write!(line, " [shares {caption}]").unwrap_or_default();
            }
            lines.push(line);
            places.insert(turn.dia_id, (path.clone(), lines.len()));
        }
        lines.push(String::new());
    }
    let questions = sample.qa.into_iter().filter_map(|asked| {
        let gold: Vec<_> = asked
            .evidence
            .iter()
            .flat_map(|cited| cited.split(|c: char| !c.is_ascii_alphanumeric() && c != ':'))
            .filter_map(|id| places.get(id).cloned())
            .map(|place| (place, 1))
            .collect();
        (asked.category != UNANSWERABLE && !gold.is_empty()).then(|| SetQuestion {
            text: asked.question,
            kind: asked.category.to_string(),
            gold,
            pair: None,
        })
    });
    BenchCorpus {
        questions: questions.collect(),
        notes: days
            .into_iter()
            .map(|(day, lines)| (format!("memory/{day}.md"), lines.join("\n") + "\n"))
            .collect(),
        documents: Vec::new(),
    }
}

/// The sessions in order of their numbers, which may have gaps.
fn sessions(talk: &BTreeMap<String, Value>) -> Vec<(NaiveDateTime, Vec<LocomoTurn>)> {
    let session = |number: u32| {
        let turns = talk.get(&format!("session_{number}"))?;
        let when = talk.get(&format!("session_{number}_date_time"))?.as_str()?;
        let when = NaiveDateTime::parse_from_str(&when.to_uppercase(), "%I:%M %p ON %d %B, %Y");
        Some((when.ok()?, serde_json::from_value(turns.clone()).ok()?))
    };
    (0..SESSIONS_MAX).filter_map(session).collect()
}

/// An upper bound on the number of sessions in a conversation.
const SESSIONS_MAX: u32 = 1_000;
