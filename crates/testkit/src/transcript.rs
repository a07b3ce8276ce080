//! Reads the program's files with an independent parser.
//!
//! Follows `docs/formats.md` and shares no code with the program's parser.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::TestHome;

/// The parsed lines of a session file.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    lines: Vec<Value>,
}

/// A stored message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The role of its author.
    pub role: String,
    /// The text blocks, joined by line breaks.
    pub text: String,
    /// The index of the replayed message in its recording.
    pub index: Option<u64>,
    /// The hash of the replayed line in its recording.
    pub hash: Option<String>,
}

/// A block of a daily log: the notes of one flush.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogBlock {
    /// The log, such as `2026-04-20.md`.
    pub log: String,
    /// The session that was flushed.
    pub session: String,
    /// The epoch in its records.
    pub epoch: u64,
    /// The first and last entry of the span.
    pub span: (String, String),
    /// The text of the heading above the block.
    pub kind: String,
    /// The notes that are in the log, in order.
    pub notes: Vec<LogNote>,
    /// Whether the log contains each of the block's notes once, including the one written last.
    pub is_closed: bool,
}

/// A note of a block.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogNote {
    /// Its text.
    pub text: String,
    /// The ids of the entries that support it.
    pub evidence: Vec<String>,
    /// The author who answers for it.
    pub origin: String,
}

static NOTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^- (.*) \^([0-9a-f]{8})\r?$").unwrap());

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^## \d\d:\d\d \x{2014} (.+?)\r?$").unwrap());

impl Transcript {
    /// Reads a session of a home.
    #[track_caller]
    pub fn read(home: &TestHome, session: &str) -> Self {
        let text = home.read(&format!("sessions/{session}.jsonl"));
        assert!(text.ends_with('\n'), "the last line is torn");
        let lines = text.lines().map(|line| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
        });
        Self {
            lines: lines.collect(),
        }
    }

    /// The messages of one role in a session, in order.
    #[track_caller]
    pub fn said(home: &TestHome, session: &str, role: &str) -> Vec<String> {
        let messages = Self::read(home, session).messages().into_iter();
        let own = messages.filter(|message| message.role == role);
        own.map(|message| message.text).collect()
    }

    /// The messages of a session as `role: text`, in order.
    #[track_caller]
    pub fn told(home: &TestHome, session: &str) -> Vec<String> {
        let messages = Self::read(home, session).messages().into_iter();
        messages
            .map(|it| format!("{}: {}", it.role, it.text))
            .collect()
    }

    /// The messages, in order.
    pub fn messages(&self) -> Vec<Stored> {
        self.of_type("message").map(stored).collect()
    }

    /// The epochs of the compactions, in order.
    pub fn compaction_epochs(&self) -> Vec<u64> {
        self.of_type("compaction")
            .filter_map(|line| line["epoch"].as_u64())
            .collect()
    }

    /// The line index of each entry, by id; the header has index 0.
    pub fn positions(&self) -> BTreeMap<&str, usize> {
        let entries = self.lines.iter().enumerate().skip(1);
        entries
            .filter_map(|(position, line)| Some((line["id"].as_str()?, position)))
            .collect()
    }

    /// For each compaction, its epoch and the marker in effect when it was appended.
    pub fn markers_at_compactions(&self) -> Vec<(u64, Option<u64>)> {
        let mut marker = None;
        let mut found = Vec::new();
        for line in &self.lines {
            match line["type"].as_str() {
                Some("meta") => marker = line["memoryFlushCompactionCount"].as_u64(),
                Some("compaction") => {
                    found.extend(line["epoch"].as_u64().map(|epoch| (epoch, marker)));
                }
                _ => {}
            }
        }
        found
    }

    fn of_type(&self, entry_type: &'static str) -> impl Iterator<Item = &Value> {
        self.lines
            .iter()
            .filter(move |line| line["type"] == entry_type)
    }
}

fn stored(line: &Value) -> Stored {
    let message = &line["message"];
    let blocks = message["content"].as_array().cloned().unwrap_or_default();
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect();
    Stored {
        role: message["role"].as_str().unwrap_or_default().to_owned(),
        text: texts.join("\n"),
        index: line.pointer("/source/index").and_then(Value::as_u64),
        hash: line
            .pointer("/source/hash")
            .and_then(Value::as_str)
            .map(str::to_owned),
    }
}

/// The blocks of all daily logs of a home, by log and position.
pub fn log_blocks(home: &TestHome) -> Vec<LogBlock> {
    let logs = home.list("workspace/memory").into_iter();
    let logs = logs.filter(|log| Path::new(log).extension() == Some("md".as_ref()));
    let logs = logs.map(|log| (log.clone(), home.read(&format!("workspace/memory/{log}"))));
    let records = "state/notes.jsonl";
    let is_there = home.path().join(records).exists();
    let records = if is_there {
        home.read(records)
    } else {
        String::new()
    };
    log_blocks_in(&records, &logs.collect())
}

/// The blocks of these logs, given by name, according to these records.
pub fn log_blocks_in(records: &str, logs: &BTreeMap<String, String>) -> Vec<LogBlock> {
    let records: Vec<Value> = records
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let mut blocks = Vec::new();
    for (log, text) in logs {
        let file = format!("memory/{log}");
        let own = records
            .iter()
            .filter(|record| record["file"] == file.as_str());
        let own: Vec<&Value> = own.filter(|record| record["span"].is_array()).collect();
        let key = |record: &Value| (record["session"].clone(), record["span"].clone());
        let mut keys: Vec<_> = own.iter().map(|record| key(record)).collect();
        keys.dedup();
        let mut placed: Vec<(usize, LogBlock)> = Vec::new();
        for of_block in keys {
            let of_block: Vec<&Value> = own
                .iter()
                .filter(|record| key(record) == of_block)
                .copied()
                .collect();
            let found = placed_block((log, text), &of_block);
            if placed.iter().all(|(_, block)| *block != found.1) {
                placed.push(found);
            }
        }
        placed.sort();
        blocks.extend(placed.into_iter().map(|(_, block)| block));
    }
    blocks
}

/// The block for these records, and its position in the log.
fn placed_block((log, text): (&str, &str), records: &[&Value]) -> (usize, LogBlock) {
    let texts = |value: &Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(|own| Some(own.as_str()?.to_owned()))
            .collect()
    };
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut places: Vec<usize> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let mut notes = Vec::new();
    for found in NOTE.captures_iter(text) {
        let (Some(whole), Some(said), Some(id)) = (found.get(0), found.get(1), found.get(2)) else {
            continue;
        };
        let is_own = |record: &&&Value| record["id"] == id.as_str();
        if let Some(record) = records.iter().rev().find(is_own) {
            places.push(whole.start());
            ids.push(id.as_str().to_owned());
            notes.push(LogNote {
                text: said.as_str().to_owned(),
                evidence: texts(&record["evidence"]),
                origin: word(&record["origin"]),
            });
        }
    }
    let place = places.first().copied().unwrap_or(usize::MAX);
    let headings = HEADING.captures_iter(text);
    let above = headings.filter(|it| it.get(0).is_some_and(|it| it.start() < place));
    let kind = above
        .last()
        .and_then(|it| Some(it.get(1)?.as_str().to_owned()));
    let newest = records.last().map_or(&Value::Null, |record| *record);
    let is_last_there = ids.iter().any(|id| newest["id"] == id.as_str());
    let n_ids = ids.len();
    ids.sort_unstable();
    ids.dedup();
    let span = texts(&newest["span"]);
    let entry = |place: usize| span.get(place).cloned().unwrap_or_default();
    let block = LogBlock {
        log: log.to_owned(),
        session: word(&newest["session"]),
        epoch: newest["epoch"].as_u64().unwrap_or_default(),
        span: (entry(0), entry(1)),
        kind: kind.unwrap_or_default(),
        notes,
        is_closed: is_last_there && ids.len() == n_ids,
    };
    (place, block)
}
