//! Reads the program's files with an independent reader.
//!
//! Follows `docs/formats.md` and shares no parser with the program.

use std::collections::BTreeMap;
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
    /// The index of its message in the recording.
    pub index: Option<u64>,
    /// The hash of its line in the recording.
    pub hash: Option<String>,
}

/// A block of a daily log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogBlock {
    /// The log, such as `2026-04-20.md`.
    pub log: String,
    /// The epoch in the opening mark.
    pub epoch: u64,
    /// The first and last entry of the span.
    pub span: (String, String),
    /// Whether the block has a closing mark.
    pub is_closed: bool,
}

static MARK: LazyLock<Regex> = LazyLock::new(|| {
    let opening = r"<!-- flush session=\S+ epoch=(\d+) span=(\S+)\.\.(\S+) -->";
    Regex::new(&format!(
        "(?m)^{opening}$|^(<!-- /flush [0-9a-f]+(?: .*)? -->)$"
    ))
    .unwrap()
});

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

    /// What one side said in a session, in order.
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

/// The blocks of all daily logs of a home, in order of log and position.
pub fn log_blocks(home: &TestHome) -> Vec<LogBlock> {
    let mut blocks: Vec<LogBlock> = Vec::new();
    for log in home.list("workspace/memory") {
        let text = home.read(&format!("workspace/memory/{log}"));
        for found in MARK.captures_iter(&text) {
            if let (Some(epoch), Some(first), Some(last)) =
                (found.get(1), found.get(2), found.get(3))
            {
                blocks.push(LogBlock {
                    log: log.clone(),
                    epoch: epoch.as_str().parse().unwrap(),
                    span: (first.as_str().to_owned(), last.as_str().to_owned()),
                    is_closed: false,
                });
            } else if let Some(block) = blocks.last_mut() {
                block.is_closed = true;
            }
        }
    }
    blocks
}
