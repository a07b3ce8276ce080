//! Asks for the notes of a flush.
//!
//! Never shows the model more than its window takes.

use base::model::{Excerpt, Format, Purpose, Request, Sampling};
use base::{FLUSH_NOTES_MAX, FLUSH_SECTIONS, Message, TokenCount, estimate_text};
use serde_json::{Value, json};

use super::note::RefusedNote;
use crate::transcript::{self, AsOf};
use crate::{prompt, shorten};

const PROMPT: &str = include_str!("../prompts/flush.md");
const RETRY: &str = include_str!("../prompts/flush_retry.md");

/// The most that the notes of one flush may take.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);

/// The most that a second request says of what was wrong with the first reply.
const RETRY_MAX: TokenCount = TokenCount(2_000);

/// What a provider may add around the two messages of the request.
const FRAME: TokenCount = TokenCount(64);

/// Why a flush takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlushMode {
    /// A compaction waits for it.
    BeforeCompaction,
    /// The day changed, the session rests or ends.
    SessionNotes,
}

impl FlushMode {
    fn occasion(self) -> &'static str {
        match self {
            Self::BeforeCompaction => {
                "These messages are about to leave the assistant's window. Afterwards only a short \
                 summary and your notes speak of them."
            }
            Self::SessionNotes => {
                "The conversation pauses here. On another day, in another conversation, only your \
                 notes will speak of these messages."
            }
        }
    }
}

/// Asks for notes on `excerpts`, as of the last of them, of a model whose window is `window`.
pub fn flush_request(
    excerpts: &[Excerpt],
    mode: FlushMode,
    as_of: AsOf,
    window: TokenCount,
) -> Request {
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let system = system_prompt(mode, as_of);
    let format = format();
    let input_max = window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(&system))
        .saturating_sub(estimate_text(&format.schema))
        .saturating_sub(retry_max(output_max))
        .saturating_sub(FRAME);
    let material = transcript::render(excerpts, as_of.timezone, input_max);
    Request {
        purpose: Purpose::Flush,
        system,
        messages: vec![Message::user(shorten::head_tokens(&material, input_max))],
        tools: Vec::new(),
        format: Some(format),
        output_max,
        sampling: Sampling::Likeliest,
    }
}

fn retry_max(output_max: TokenCount) -> TokenCount {
    RETRY_MAX.min(TokenCount(output_max.0 / 2))
}

/// Asks once more for the notes that could not be taken, with the reason of each.
pub fn flush_retry_request(request: &Request, refused: &[RefusedNote]) -> Request {
    let wrong: Vec<String> = refused
        .iter()
        .map(|note| format!("- {}: {}", note.text, note.why))
        .collect();
    let asked = prompt::fill(RETRY, &[("wrong", &wrong.join("\n"))]);
    let asked = shorten::head_tokens(&asked, retry_max(request.output_max));
    let mut again = request.clone();
    // In the same message: not every server takes two of the user in a row.
    let material: Vec<String> = request.messages.iter().map(Message::text).collect();
    again.messages = vec![Message::user(format!(
        "{}\n\n{asked}",
        material.join("\n\n")
    ))];
    again
}

/// The schema of a note.
pub(super) fn note_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "section": {"type": "string", "enum": FLUSH_SECTIONS},
            "text": {"type": "string", "description": "one fact, in the words of the user"},
            "evidence": {"type": "array", "items": {"type": "string"}, "description": "labels such as e3"},
            "quote": {"type": "string", "description": "words of one of these lines, copied"},
        },
        "required": ["section", "text", "evidence", "quote"],
        "additionalProperties": false,
    })
}

/// The schema of a reply.
fn format() -> Format {
    let schema = json!({
        "type": "object",
        "properties": {"notes": {"type": "array", "items": note_schema()}},
        "required": ["notes"],
        "additionalProperties": false,
    });
    Format {
        name: "notes",
        schema: schema.to_string(),
    }
}

fn system_prompt(mode: FlushMode, as_of: AsOf) -> String {
    let [.., notes] = FLUSH_SECTIONS;
    prompt::fill(
        PROMPT,
        &[
            ("occasion", mode.occasion()),
            ("day", &as_of.day().to_string()),
            ("sections", &FLUSH_SECTIONS.join(", ")),
            ("notes", notes),
            ("notes_max", &FLUSH_NOTES_MAX.to_string()),
        ],
    )
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
