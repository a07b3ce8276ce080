//! Reads ChatGPT's memory notes: the calls of its memory tool in `conversations.json`.
//!
//! All of them are the assistant's words, even if the user asked for the note.

use std::collections::BTreeMap;

use base::{Day, Origin, Timestamp, Tz, day};
use chrono::DateTime;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::model::{Holds, Memory};

/// The name of ChatGPT's memory tool.
const MEMORY_TOOL: &str = "bio";

#[derive(Deserialize)]
struct ChatgptMemoryConversation {
    mapping: BTreeMap<String, ChatgptMemoryNode>,
}

#[derive(Deserialize)]
struct ChatgptMemoryNode {
    message: Option<ChatgptMemoryMessage>,
}

#[derive(Deserialize)]
struct ChatgptMemoryMessage {
    recipient: Option<String>,
    create_time: Option<f64>,
    content: Option<ChatgptMemoryContent>,
}

#[derive(Deserialize)]
struct ChatgptMemoryContent {
    parts: Option<Vec<Box<RawValue>>>,
    text: Option<String>,
}

/// Parses an export, with days in `timezone`; `None` if the text is something else.
pub(super) fn read(text: &str, timezone: Tz) -> Option<Vec<Memory>> {
    let conversations: Vec<ChatgptMemoryConversation> = serde_json::from_str(text).ok()?;
    let nodes = conversations
        .into_iter()
        .flat_map(|it| it.mapping.into_values());
    let mut noted: Vec<(Option<f64>, String)> = Vec::new();
    for message in nodes.filter_map(|node| node.message) {
        if message.recipient.as_deref() != Some(MEMORY_TOOL) {
            continue;
        }
        let Some(content) = message.content else {
            continue;
        };
        let parts = content.parts.into_iter().flatten();
        let parts = parts.filter_map(|part| serde_json::from_str::<String>(part.get()).ok());
        let told = parts.chain(content.text).flat_map(|text| {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect::<Vec<_>>()
        });
        noted.extend(told.map(|text| (message.create_time, text)));
    }
    let at = |noted: &(Option<f64>, String)| noted.0.unwrap_or_default();
    noted.sort_by(|left, right| at(left).total_cmp(&at(right)));
    let memories = noted.into_iter().zip(1..).map(|((at, text), line)| Memory {
        line,
        text,
        day: at.and_then(|at| day_of(at, timezone)),
        origin: Origin::Agent,
        holds: Holds::Everywhere,
    });
    Some(memories.collect())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the fraction of a second does not change the day"
)]
fn day_of(seconds: f64, timezone: Tz) -> Option<Day> {
    let at: Timestamp = DateTime::from_timestamp(seconds as i64, 0)?;
    Some(day(at, timezone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i12_note_after_midnight_has_owners_day() {
        // 2026-03-02 at 23:30 UTC.
        let text = r#"[{"mapping":{"a":{"message":{"recipient":"bio","create_time":1772494200.5,
            "content":{"parts":["Likes tea"]}}}}}]"#;
        for (zone, expected) in [("UTC", "2026-03-02"), ("Europe/Berlin", "2026-03-03")] {
            let memories = read(text, Tz::named(zone).unwrap()).unwrap();
            assert_eq!(memories[0].day, expected.parse().ok(), "{zone}");
        }
    }
}
