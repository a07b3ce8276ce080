//! Builds the request for the notes of a flush or, for a small model, for one note on a given sentence.
//!
//! Never exceeds the model's window.

use base::model::{Excerpt, Purpose, ReplyFormat, Request, Sampling};
use base::{FLUSH_NOTES_MAX, FLUSH_SECTIONS, Message, TokenCount, estimate_text};
use serde_json::{Value, json};

use super::note::{FlushNote, PROMISED, RefusedNote};
use crate::shorten;
use crate::transcript::{self, AsOf};

const PROMPT: &str = include_str!("../prompts/flush.md");
const SENTENCE: &str = include_str!("../prompts/flush_sentence.md");
const RETRY: &str = include_str!("../prompts/flush_retry.md");

/// Maximum size of a reply: with the notes of a flush, and with a note on a single sentence.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);
const NOTE_OUTPUT_MAX: TokenCount = TokenCount(400);

/// Maximum size of the list of corrections in a retry.
const RETRY_MAX: TokenCount = TokenCount(2_000);

/// Allowance for the tokens that a provider adds around the two messages of a request.
const FRAME: TokenCount = TokenCount(64);

/// The reason for a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlushMode {
    /// A compaction waits for it.
    BeforeCompaction,
    /// The day changed, or the session is idle or ended.
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

/// Requests notes on `excerpts` from a model with this window. Relative dates are as of the last excerpt.
pub fn flush_request(
    excerpts: &[Excerpt],
    mode: FlushMode,
    as_of: AsOf,
    window: TokenCount,
) -> Request {
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let system = system_prompt(mode, as_of);
    let format = format();
    let taken = output_max + estimate_text(&system) + estimate_text(&format.schema) + FRAME;
    let input_max = window.saturating_sub(taken + retry_max(output_max));
    let material = transcript::render(excerpts, as_of.timezone, input_max);
    request(system, material, format, output_max)
}

fn request(system: String, shown: String, format: ReplyFormat, output_max: TokenCount) -> Request {
    Request {
        format: Some(format),
        sampling: Sampling::Likeliest,
        ..Request::new(
            Purpose::Flush,
            system,
            vec![Message::user(shown)],
            output_max,
        )
    }
}

fn retry_max(output_max: TokenCount) -> TokenCount {
    RETRY_MAX.min(TokenCount(output_max.0 / 2))
}

/// Requests corrections of the rejected notes, with the reason for each rejection.
pub fn flush_retry_request(request: &Request, refused: &[RefusedNote]) -> Request {
    let wrong: Vec<String> = refused
        .iter()
        .map(|note| format!("- {}: {}", note.text, note.why))
        .collect();
    let asked = transcript::fill(RETRY, &[("wrong", &wrong.join("\n"))]);
    let asked = shorten::head_tokens(&asked, retry_max(request.output_max)).to_owned();
    // The corrections go into the same message, because some servers reject two consecutive user messages.
    let texts = request.messages.iter().map(Message::text).chain([asked]);
    let shown = texts.collect::<Vec<_>>().join("\n\n");
    Request {
        messages: vec![Message::user(shown)],
        ..request.clone()
    }
}

fn note_schema(sections: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "section": {"type": "string", "enum": sections},
            "text": {"type": "string", "description": "one fact, in the words of the user"},
            "evidence": {"type": "array", "items": {"type": "string"}, "description": "labels such as e3"},
            "quote": {"type": "string", "description": "words of one of these lines, copied"},
        },
        "required": ["section", "text", "evidence", "quote"],
        "additionalProperties": false,
    })
}

/// The sections of a reply: those of the log, and what the assistant promised.
fn sections() -> Vec<&'static str> {
    FLUSH_SECTIONS.into_iter().chain([PROMISED]).collect()
}

fn format() -> ReplyFormat {
    let schema = json!({
        "type": "object",
        "properties": {"notes": {"type": "array", "items": note_schema(&sections())}},
        "required": ["notes"],
        "additionalProperties": false,
    });
    ReplyFormat {
        name: "notes",
        schema: schema.to_string(),
    }
}

fn system_prompt(mode: FlushMode, as_of: AsOf) -> String {
    let [.., notes] = FLUSH_SECTIONS;
    transcript::fill(
        PROMPT,
        &[
            ("occasion", mode.occasion()),
            ("day", &as_of.day().to_string()),
            ("sections", &sections().join(", ")),
            ("notes", notes),
            ("notes_max", &FLUSH_NOTES_MAX.to_string()),
        ],
    )
}

/// A model with at most this window counts as small: it cannot follow long instructions on a long transcript.
pub const SMALL_WINDOW: TokenCount = TokenCount(8_192);

/// Maximum size of the context around a sentence.
const MATERIAL_MAX: TokenCount = TokenCount(1_200);

/// Requests a note on a sentence from a model with this window; `None` if no excerpt contains the sentence.
pub fn sentence_request(
    sentence: &FlushNote,
    excerpts: &[Excerpt],
    as_of: AsOf,
    window: TokenCount,
) -> Option<Request> {
    let first = sentence.evidence.first()?;
    let is_line = |excerpt: &Excerpt| excerpt.entry.as_ref() == Some(first);
    let place = excerpts.iter().position(is_line)?;
    let neighbours = excerpts.iter().skip(place.saturating_sub(1));
    let neighbours: Vec<Excerpt> = neighbours.take(place.min(1) + 2).cloned().collect();
    let format = ReplyFormat {
        name: "note",
        schema: note_schema(&FLUSH_SECTIONS).to_string(),
    };
    let output_max = NOTE_OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let system = transcript::fill(
        SENTENCE,
        &[
            ("day", &as_of.day().to_string()),
            ("sections", &FLUSH_SECTIONS.join(", ")),
        ],
    );
    let asked = format!("\n\nThe sentence: {}", sentence.text);
    let taken = output_max + estimate_text(&system) + estimate_text(&format.schema) + FRAME;
    let room = window.saturating_sub(taken + estimate_text(&asked));
    let room = room.min(MATERIAL_MAX);
    let material = transcript::render(&neighbours, as_of.timezone, room);
    let shown = format!("{material}{asked}");
    Some(request(system, shown, format, output_max))
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
