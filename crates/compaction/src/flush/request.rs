//! Asks for the notes of a flush.
//!
//! Never shows the model more than its window takes.

use base::model::{Excerpt, MemoryReach, Purpose, Request, Sampling};
use base::{FLUSH_SECTIONS, Message, NOTHING_TO_FLUSH, TokenCount, estimate_text};

use crate::transcript::{self, AsOf};
use crate::{prompt, shorten};
use base::FLUSH_NOTES_MAX;

pub(super) const PROMPT: &str = include_str!("../prompts/flush.md");

/// The most that the notes of one flush may take.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);

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
    excerpts: Vec<Excerpt>,
    mode: FlushMode,
    as_of: AsOf,
    window: TokenCount,
) -> Request {
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let system = system_prompt(mode, as_of);
    let input_max = window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(&system))
        .saturating_sub(FRAME);
    let material = transcript::render(&excerpts, as_of.timezone, input_max);
    Request {
        purpose: Purpose::Flush,
        system,
        messages: vec![Message::user(shorten::head_tokens(&material, input_max))],
        excerpts,
        reach: MemoryReach::Whole,
        tools: Vec::new(),
        format: None,
        output_max,
        sampling: Sampling::Usual,
    }
}

fn system_prompt(mode: FlushMode, as_of: AsOf) -> String {
    let [progress, decisions, issues, preferences, notes] = FLUSH_SECTIONS;
    prompt::fill(
        PROMPT,
        &[
            ("occasion", mode.occasion()),
            ("day", &as_of.day().to_string()),
            ("progress", progress),
            ("decisions", decisions),
            ("issues", issues),
            ("preferences", preferences),
            ("notes", notes),
            ("nothing", NOTHING_TO_FLUSH),
            ("notes_max", &FLUSH_NOTES_MAX.to_string()),
        ],
    )
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
