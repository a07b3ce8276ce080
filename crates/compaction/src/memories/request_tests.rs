//! The text that the model reads when it is asked for a summary and for memories.

use base::{estimate_message, estimate_text};

use super::*;
use crate::fixture::{self, as_of, view};
use crate::strategy::{Strategy, Tiered};
use crate::transcript::excerpts;

fn brief(talk: &str) -> SummaryBrief {
    let mut brief = fixture::brief(view(talk).items, 4_000, 400);
    brief.plan.strategy = Strategy::Tiered(Tiered::default());
    brief.as_of = as_of(3);
    brief
}

#[test]
fn memories_request_labels_only_unflushed_messages() {
    let brief = brief("user: hi\nassistant: hello\nuser: I drink tea\nassistant: noted");
    // The greeting was flushed earlier.
    let mut unflushed: Vec<Excerpt> = excerpts(&brief.plan.span).split_off(2);
    for (excerpt, label) in unflushed.iter_mut().zip(["e1", "e2"]) {
        excerpt.label = label.to_owned();
    }
    let request = memories_request(&brief, &mut unflushed, TokenCount(32_000));
    let labels: Vec<&str> = unflushed.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["e3", "e4"]);
    let shown = format!(
        "{}\n\n===\n{}\n\n===\n{} {}",
        request.system,
        request.messages[0].text(),
        request.tools[0].name,
        request.tools[0].parameters
    );
    insta::assert_snapshot!(shown);
    serde_json::from_str::<serde_json::Value>(PARAMETERS).unwrap();
}

#[test]
fn i6_memories_request_and_output_fit_window() {
    let long = format!("user: {}", "x ".repeat(20_000));
    let brief = brief(&long);
    let window = TokenCount(6_000);
    let request = memories_request(&brief, &mut excerpts(&brief.plan.span), window);
    let tokens = estimate_text(&request.system) + estimate_message(&request.messages[0]);
    assert!(tokens + request.output_max <= window, "{tokens}");
}
