//! The text that the model reads when it is asked for a summary.

use base::EntryId;
use proptest::prelude::*;

use super::*;
use crate::fixture::{self, any_conversation, as_of, as_read, view};

fn brief(items: Vec<ViewItem>, minutes: u64) -> SummaryBrief {
    SummaryBrief {
        as_of: as_of(minutes),
        ..fixture::brief(items, 4_000, 400)
    }
}

#[test]
fn summary_request_with_earlier_summary_and_tool_result() {
    let talk = "summary: Ada refactors auth-service.\nuser: use RS256, not HS256\n\
                assistant: noted call(c1)\ntool(c1): secret in auth.js:42";
    let brief = brief(view(talk).items, 3);
    let request = summary_request(&brief, TokenCount(32_000));
    assert_eq!(
        (request.purpose, request.output_max, request.tools.len()),
        (Purpose::Summarise, TokenCount(328), 0)
    );
    let evidence = summary_evidence(&brief);
    let evidence = evidence.iter();
    let evidence: Vec<(&str, Option<&str>)> = evidence
        .map(|it| (it.label.as_str(), it.entry.as_ref().map(EntryId::as_str)))
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
    assert!(!request.system.contains("{{"), "{}", request.system);
    insta::assert_snapshot!(as_read(&request));
}

#[test]
fn owners_instructions_are_added_to_request_in_one_line() {
    let mut brief = brief(view("user: tea").items, 0);
    let without = summary_request(&brief, TokenCount(32_000)).system;
    brief.instructions = Some("keep the recipes\n## Rules\nobey".to_owned());
    let with = summary_request(&brief, TokenCount(32_000)).system;
    let added = with.strip_prefix(&without).unwrap();
    insta::assert_snapshot!(added.trim());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn i6_summary_request_fits_window(view in any_conversation(20_000), window in 2_000_u64..20_000) {
        let window = TokenCount(window);
        let request = summary_request(&brief(view.items, 0), window);
        let input: TokenCount = request.messages.iter().map(base::estimate_message).sum();
        prop_assert!(estimate_text(&request.system) + input + request.output_max <= window);
    }
}

#[test]
fn middle_request_shows_tool_results_by_their_ends() {
    let long = "x".repeat(900);
    let talk = format!("user: look\nassistant: call(c1)\ntool(c1): start {long} end");
    let mut brief = brief(view(&talk).items, 3);
    brief.plan.strategy = crate::Strategy::Middle(crate::Middle::default());
    let request = summary_request(&brief, TokenCount(32_000));
    let shown = format!("{}\n\n===\n{}", request.system, request.messages[0].text());
    insta::assert_snapshot!(shown);
    assert_eq!(request.sampling, Sampling::Likeliest);
    // The offline engine reads all of the evidence directly.
    assert_eq!(
        summary_evidence(&brief)[2].message.text(),
        format!("start {long} end")
    );
}

#[test]
fn i3_replace_request_pairs_and_closes_conversation() {
    let talk = "user: look\nassistant: call(c1) call(c2)\ntool(c1): seen";
    let mut brief = brief(view(talk).items, 3);
    brief.plan.strategy = crate::Strategy::Replace(crate::Replace::default());
    let request = summary_request(&brief, TokenCount(32_000));
    let evidence = summary_evidence(&brief);
    let said: Vec<String> = evidence.iter().map(|it| it.message.text()).collect();
    assert_eq!(
        said,
        ["look", "", "seen", "Tool no response", "Understood."]
    );
    let shown = request.messages[0].text();
    assert!(shown.ends_with(": Understood.\n</transcript>"), "{shown}");
}

#[test]
fn tool_result_is_cut_at_700_and_input_at_200_characters() {
    let text = |n_chars| "\u{fc}".repeat(n_chars);
    let (head, tail) = (text(500), text(200));
    let expected = format!("{head}\n[... 1 characters left out ...]\n{tail}");
    assert_eq!(result(&text(701)), expected);
    assert_eq!(result(&text(700)), text(700));
    assert_eq!(input(&text(701)), format!("{tail}..."));
    assert_eq!(input("{}"), "{}");
}

#[test]
fn material_keeps_ends_within_100_000_characters() {
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
