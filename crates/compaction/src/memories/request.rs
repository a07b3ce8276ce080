//! Builds the request for a summary with a tool that saves notes.
//!
//! Never exceeds the model's window.

use std::collections::BTreeMap;

use base::model::{Excerpt, Request, ToolSpec};
use base::{EntryId, TokenCount, estimate_text};

use super::call::TOOL;
use crate::summarise::{SummaryBrief, summary_evidence, summary_request};
use crate::transcript;

const MEMORIES: &str = include_str!("../prompts/tiered_memories.md");
const SAVED: &str = include_str!("../prompts/tiered_saved.md");

/// Maximum number of replies of the model to one request.
pub const ROUNDS_MAX: usize = 10;

const CALLS_MAX: TokenCount = TokenCount(4_000);

/// The JSON schema of the tool's parameters.
const PARAMETERS: &str = r#"{"type":"object","properties":{"text":{"type":"string","description":"The memory, in one sentence that is understandable on its own"},"kind":{"type":"string","enum":["fact","preference","decision","observation"]},"evidence":{"type":"array","items":{"type":"string"},"description":"Labels of the lines that say so, such as e3"},"quote":{"type":"string","description":"At least three words of one of these lines, copied letter by letter"}},"required":["text","kind","evidence","quote"]}"#;

/// Requests a summary of the span, and notes on its unflushed part. Changes the labels of `unflushed` to those in the
/// request.
pub fn memories_request(
    brief: &SummaryBrief,
    unflushed: &mut [Excerpt],
    window: TokenCount,
) -> Request {
    let calls_max = CALLS_MAX.min(TokenCount(window.0 / 8));
    // The system prompt also contains the instructions for the tool.
    let about_tool = estimate_text(MEMORIES) + estimate_text(SAVED) + TokenCount(2);
    let room = window.saturating_sub(calls_max + about_tool);
    let mut request = summary_request(brief, room);
    request.output_max += calls_max;
    let labels: BTreeMap<EntryId, String> = summary_evidence(brief)
        .iter()
        .filter_map(|excerpt| Some((excerpt.entry.clone()?, excerpt.label.clone())))
        .collect();
    for excerpt in unflushed.iter_mut() {
        let label = excerpt.entry.as_ref().and_then(|entry| labels.get(entry));
        excerpt.label = label.cloned().unwrap_or_default();
    }
    let first = unflushed.iter().find(|excerpt| !excerpt.label.is_empty());
    let first = first.map_or("e1", |excerpt| excerpt.label.as_str());
    let skipped = if first == "e1" {
        String::new()
    } else {
        format!(" {}", transcript::fill(SAVED, &[("first", first)]))
    };
    let asked = transcript::fill(MEMORIES, &[("skipped", &skipped)]);
    request.system = format!("{}\n\n{asked}", request.system);
    request.tools = vec![ToolSpec {
        name: TOOL.to_owned(),
        description: "Saves one memory that should outlive the conversation.".to_owned(),
        parameters: PARAMETERS.to_owned(),
    }];
    request
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
