//! Asks a small model for one note at a time: a sentence that the offline engine chose, with its neighbours.
//!
//! Never shows the model more than its window takes.

use base::model::{Excerpt, Format, Purpose, Request, Sampling};
use base::{FLUSH_SECTIONS, Message, TokenCount, estimate_text};

use super::note::FlushNote;
use super::request::note_schema;
use crate::transcript::{self, AsOf};
use crate::{prompt, shorten};

const PROMPT: &str = include_str!("../prompts/flush_sentence.md");

/// Whoever has no larger window is a small model: it follows no long instruction on a long transcript.
pub const SMALL_WINDOW: TokenCount = TokenCount(8_192);

/// The most that one note takes.
const OUTPUT_MAX: TokenCount = TokenCount(400);

/// The most that the lines around a sentence take.
const MATERIAL_MAX: TokenCount = TokenCount(1_200);

/// What a provider may add around the two messages of the request.
const FRAME: TokenCount = TokenCount(64);

/// Asks for a note on a sentence, of a model whose window is `window`; `None` where the sentence has no line.
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
    let format = Format {
        name: "note",
        schema: note_schema().to_string(),
    };
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let system = prompt::fill(
        PROMPT,
        &[
            ("day", &as_of.day().to_string()),
            ("sections", &FLUSH_SECTIONS.join(", ")),
        ],
    );
    let asked = format!("\n\nThe sentence: {}", sentence.text);
    let room = window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(&system))
        .saturating_sub(estimate_text(&format.schema))
        .saturating_sub(estimate_text(&asked))
        .saturating_sub(FRAME)
        .min(MATERIAL_MAX);
    let material = transcript::render(&neighbours, as_of.timezone, room);
    let material = shorten::head_tokens(&material, room);
    Some(Request {
        purpose: Purpose::Flush,
        system,
        messages: vec![Message::user(format!("{material}{asked}"))],
        tools: Vec::new(),
        format: Some(format),
        output_max,
        sampling: Sampling::Likeliest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{as_of, view};
    use crate::{FlushSection, excerpts};

    #[test]
    fn the_request_for_one_sentence_shows_its_neighbours() {
        let talk = "user: far away\nassistant: hello\nuser: I moved to Oslo last month. It is cold.\n\
                    assistant: noted\nuser: far behind";
        let excerpts = excerpts(&view(talk).items);
        let sentence = FlushNote {
            section: FlushSection::Notes,
            text: "I moved to Oslo last month.".to_owned(),
            evidence: excerpts[2].entry.clone().into_iter().collect(),
            origin: base::Origin::Owner,
        };
        let window = TokenCount(4_096);
        let request = sentence_request(&sentence, &excerpts, as_of(600), window).unwrap();
        let shown = request.messages[0].text();
        assert!(!shown.contains("far away") && !shown.contains("far behind"));
        insta::assert_snapshot!(format!("{}\n\n=== message ===\n\n{shown}", request.system));
        let unknown = FlushNote {
            evidence: Vec::new(),
            ..sentence
        };
        assert_eq!(
            sentence_request(&unknown, &excerpts, as_of(600), window),
            None
        );
    }
}
