//! Reads what the tool was called with, and answers it.
//!
//! Trusts nothing: evidence is checked against the excerpts, text is made harmless for the log.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{Block, Message, ToolCall, ToolOutcome, ToolResult};
use serde::Deserialize;

use crate::flush::note_on;
use crate::markdown::same_words;
use crate::{FlushNote, FlushNotes, FlushSection};
use base::FLUSH_NOTES_MAX;

/// The name of the tool.
pub(super) const TOOL: &str = "memory_save";

const SAVED: &str = "Saved.";
const SAVED_BEFORE: &str = "This has been saved already.";
const FULL: &str = "Enough has been saved. Answer with the summary now.";
const EMPTY: &str = "There is nothing to save in this.";
const WRITTEN_DOWN: &str = "The lines that it names have been written down already.";

/// What a call asks to keep.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct MemoryCall {
    text: String,
    kind: Kind,
    #[serde(default)]
    evidence: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Fact,
    Preference,
    Decision,
    Observation,
}

/// What has been saved so far.
#[derive(Debug, Clone, Default)]
pub struct SavedMemories {
    notes: Vec<FlushNote>,
    seen: BTreeSet<String>,
}

impl SavedMemories {
    /// Takes the calls of a reply; gives their results, in order. `unflushed` is what may be noted.
    pub fn take(&mut self, reply: &Message, unflushed: &[Excerpt]) -> Vec<Message> {
        let calls = reply.tool_calls();
        let answers = calls.map(|call| result(call, self.save(call, unflushed)));
        answers.collect()
    }

    /// The notes, in the order of their sections.
    pub fn into_notes(self) -> FlushNotes {
        let mut notes = self.notes;
        notes.sort_by_key(|note| note.section);
        FlushNotes { notes }
    }

    fn save(&mut self, call: &ToolCall, unflushed: &[Excerpt]) -> Result<&'static str, String> {
        if call.name != TOOL {
            return Err(format!("There is no tool named {:?}.", call.name));
        }
        let memory: MemoryCall = serde_json::from_str(&call.arguments).map_err(|error| {
            format!("The arguments cannot be read: {error}. Call again with one JSON object.")
        })?;
        if self.notes.len() >= FLUSH_NOTES_MAX {
            return Ok(FULL);
        }
        let labels = memory.evidence.join(", ");
        let Some(note) = note_on(section(memory.kind), &memory.text, &labels, unflushed) else {
            return Err(EMPTY.to_owned());
        };
        if note.evidence.is_empty() && !memory.evidence.is_empty() {
            return Ok(WRITTEN_DOWN);
        }
        if !self.seen.insert(same_words(&note.text)) {
            return Ok(SAVED_BEFORE);
        }
        self.notes.push(note);
        Ok(SAVED)
    }
}

fn section(kind: Kind) -> FlushSection {
    match kind {
        Kind::Fact | Kind::Observation => FlushSection::Notes,
        Kind::Preference => FlushSection::UserPreferences,
        Kind::Decision => FlushSection::ImportantDecisions,
    }
}

fn result(call: &ToolCall, answer: Result<&'static str, String>) -> Message {
    let (text, outcome) = match answer {
        Ok(text) => (text.to_owned(), ToolOutcome::Success),
        Err(text) => (text, ToolOutcome::Failure),
    };
    Message::ToolResult(ToolResult {
        call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![Block::Text(text)],
        outcome,
    })
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
