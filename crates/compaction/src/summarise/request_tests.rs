//! What the model reads when it is asked for a summary.

use base::EntryId;
use proptest::prelude::*;

use super::*;
use crate::fixture::{any_conversation, as_of, view};

fn plan(items: Vec<ViewItem>) -> SummaryPlan {
    SummaryPlan {
        span: items,
        first_kept: EntryId::new("next"),
        stored: TokenCount(4_000),
        replaced: TokenCount(4_000),
        tokens_before: TokenCount(9_000),
        output_max: TokenCount(400),
    }
}

#[test]
fn the_request_for_a_summary() {
    let talk = "summary: Ada refactors auth-service.\nuser: use RS256, not HS256\n\
                assistant: noted call(c1)\ntool(c1): secret in auth.js:42";
    let request = summary_request(&plan(view(talk).items), as_of(3), TokenCount(32_000));
    assert_eq!(
        (request.purpose, request.output_max, request.tools.len()),
        (Purpose::Summarise, TokenCount(356), 0)
    );
    let evidence: Vec<(&str, Option<&str>)> = request
        .excerpts
        .iter()
        .map(|excerpt| {
            (
                excerpt.label.as_str(),
                excerpt.entry.as_ref().map(EntryId::as_str),
            )
        })
        .collect();
    assert_eq!(
        evidence,
        [
            ("s1", None),
            ("e1", Some("m2")),
            ("e2", Some("m3")),
            ("e3", Some("m4"))
        ]
    );
    let shown: Vec<String> = request.messages.iter().map(Message::text).collect();
    assert!(!request.system.contains("{{"), "{}", request.system);
    let snapshot = format!(
        "{}\n\n=== message ===\n\n{}",
        request.system,
        shown.join("\n\n")
    );
    insta::assert_snapshot!(snapshot);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn i6_a_request_fits_the_window_of_its_model(view in any_conversation(20_000), window in 2_000_u64..20_000) {
        let window = TokenCount(window);
        let request = summary_request(&plan(view.items), as_of(0), window);
        let input: TokenCount = request.messages.iter().map(base::estimate_message).sum();
        prop_assert!(estimate_text(&request.system) + input + request.output_max <= window);
    }
}
