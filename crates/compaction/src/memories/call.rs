//! Reads the calls of the tool and answers them.
//!
//! Trusts nothing: checks evidence against the excerpts, and sanitises text for the log.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{Message, ToolCall};
use serde::Deserialize;

use crate::flush::{
    FlushNotes, FlushSection, Grounds, NoteRefusal, ProposedNote, harmless_text, refused, settle,
};
use crate::markdown::same_words;
use base::FLUSH_NOTES_MAX;

pub(super) const TOOL: &str = "memory_save";

const SAVED: &str = "Saved.";
const SAVED_BEFORE: &str = "This is already saved.";
const FULL: &str = "Enough has been saved. Answer with the summary now.";
const WRITTEN_DOWN: &str = "The cited lines have already been noted.";

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct MemoryCall {
    text: String,
    kind: MemoryKind,
    #[serde(default)]
    evidence: Vec<String>,
    #[serde(default)]
    quote: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum MemoryKind {
    Fact,
    Preference,
    Decision,
    Observation,
}

/// The notes saved so far.
#[derive(Debug, Clone, Default)]
pub struct SavedMemories {
    settled: FlushNotes,
    seen: BTreeSet<String>,
}

impl SavedMemories {
    /// Processes the calls in a reply and returns their results, in order. Evidence must come from `unflushed`.
    pub fn take(
        &mut self,
        reply: &Message,
        unflushed: &[Excerpt],
        grounds: &dyn Grounds,
    ) -> Vec<Message> {
        let calls = reply.tool_calls();
        let answers = calls.map(|call| {
            let answer = self.save(call, unflushed, grounds).map(str::to_owned);
            Message::ToolResult(call.answered(answer))
        });
        answers.collect()
    }

    /// Returns the notes, ordered by section.
    pub fn into_notes(self) -> FlushNotes {
        self.settled.with_sentences().sorted()
    }

    fn save(
        &mut self,
        call: &ToolCall,
        unflushed: &[Excerpt],
        grounds: &dyn Grounds,
    ) -> Result<&'static str, String> {
        if call.name != TOOL {
            return Err(format!("There is no tool named {:?}.", call.name));
        }
        let memory: MemoryCall = serde_json::from_str(&call.arguments).map_err(|error| {
            format!("The arguments cannot be read: {error}. Call again with one JSON object.")
        })?;
        if self.settled.notes.len() >= FLUSH_NOTES_MAX {
            return Ok(FULL);
        }
        let note = ProposedNote {
            section: section(memory.kind),
            text: harmless_text(&memory.text),
            labels: memory.evidence.join(", "),
            quote: memory.quote,
        };
        match settle(&note, unflushed, grounds) {
            Ok(_) if !self.seen.insert(same_words(&note.text)) => Ok(SAVED_BEFORE),
            Ok(note) => {
                // The call may correct a note that was rejected earlier.
                self.settled.refused.retain(|other| other.text != note.text);
                self.settled.notes.push(note);
                self.settled.drop_answered();
                Ok(SAVED)
            }
            Err(NoteRefusal::NoEvidence) if !memory.evidence.is_empty() => Ok(WRITTEN_DOWN),
            Err(why) => {
                let refused = refused(&note, why, (unflushed, grounds));
                self.settled.refused.push(refused);
                Err(format!("Not saved: {why}."))
            }
        }
    }
}

fn section(kind: MemoryKind) -> FlushSection {
    match kind {
        MemoryKind::Fact | MemoryKind::Observation => FlushSection::Notes,
        MemoryKind::Preference => FlushSection::UserPreferences,
        MemoryKind::Decision => FlushSection::ImportantDecisions,
    }
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
