//! Shows calls and results of tools by their ends, and bounds what a request is made of, in characters.
//!
//! Never changes the evidence: it works on what is rendered.

use base::model::Excerpt;
use base::{Block, Message, head, tail};

/// What is shown of the arguments of a call.
const INPUT_CHARS: usize = 200;

/// What is shown of a result: its beginning...
const RESULT_HEAD_CHARS: usize = 500;

/// ...and its end.
const RESULT_TAIL_CHARS: usize = 200;

/// The most that a request is made of.
const MATERIAL_CHARS_MAX: usize = 100_000;

/// Room for the line that says how much is missing.
const MARKER_CHARS: usize = 60;

/// The excerpts with their tools shown by the ends of what went in and came out.
pub(super) fn previews(excerpts: &[Excerpt]) -> Vec<Excerpt> {
    let mut excerpts = excerpts.to_vec();
    for excerpt in &mut excerpts {
        let is_result = matches!(excerpt.message, Message::ToolResult(_));
        for block in excerpt.message.content_mut() {
            match block {
                Block::ToolCall(call) => call.arguments = input(&call.arguments),
                Block::Text(text) if is_result => *text = result(text),
                Block::Text(_) | Block::Thinking(_) | Block::Image(_) | Block::Unknown { .. } => {}
            }
        }
    }
    excerpts
}

/// The text with its middle taken out where it is too long.
pub(super) fn bounded(text: &str) -> String {
    let n_chars = text.chars().count();
    if n_chars <= MATERIAL_CHARS_MAX {
        return text.to_owned();
    }
    let n_each = (MATERIAL_CHARS_MAX - MARKER_CHARS) / 2;
    let n_hidden = n_chars - 2 * n_each;
    format!(
        "{}\n[... {n_hidden} characters left out ...]\n{}",
        head(text, n_each),
        tail(text, n_each)
    )
}

fn input(arguments: &str) -> String {
    let shown = head(arguments, INPUT_CHARS);
    if shown.len() == arguments.len() {
        return arguments.to_owned();
    }
    format!("{shown}...")
}

fn result(text: &str) -> String {
    let n_chars = text.chars().count();
    if n_chars <= RESULT_HEAD_CHARS + RESULT_TAIL_CHARS {
        return text.to_owned();
    }
    let n_hidden = n_chars - RESULT_HEAD_CHARS - RESULT_TAIL_CHARS;
    format!(
        "{}\n[... {n_hidden} characters left out ...]\n{}",
        head(text, RESULT_HEAD_CHARS),
        tail(text, RESULT_TAIL_CHARS)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_keeps_700_characters_and_an_input_200() {
        let text = "\u{fc}".repeat(701);
        assert_eq!(
            result(&text),
            format!(
                "{}\n[... 1 characters left out ...]\n{}",
                "\u{fc}".repeat(500),
                "\u{fc}".repeat(200)
            )
        );
        let short = "\u{fc}".repeat(700);
        assert_eq!(result(&short), short);
        assert_eq!(input(&text), format!("{}...", "\u{fc}".repeat(200)));
        assert_eq!(input("{}"), "{}");
    }

    #[test]
    fn material_keeps_to_100_000_characters_and_to_its_ends() {
        let whole = "a".repeat(MATERIAL_CHARS_MAX);
        assert_eq!(bounded(&whole), whole);
        let long = format!("first{}last", "\u{65e5}".repeat(MATERIAL_CHARS_MAX));
        let short = bounded(&long);
        assert!(short.chars().count() <= MATERIAL_CHARS_MAX);
        assert!(short.starts_with("first") && short.ends_with("last"));
        assert!(
            short.contains("\n[... 69 characters left out ...]\n"),
            "{short}"
        );
    }
}
