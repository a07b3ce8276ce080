//! Plans made from a view and a cut.

use super::*;
use crate::budget::Budget;
use crate::fixture::{script, view, window};
use crate::rung::Rung;
use crate::show::show;
use crate::strategy::compaction_entry;
use crate::summarise::Summary;

fn plan(conversation: &str, cut: usize) -> Option<SummaryPlan> {
    let settings = window(16_000);
    let view = view(conversation);
    let shown = show(&view, &settings, &Budget::new(&settings));
    let usage = shown.usage(TokenCount(1_000), TokenCount(50));
    SummaryPlan::new(&view, &shown, (0..cut, Strategy::default()), &usage)
}

#[test]
fn plan_span_holds_stored_messages_instead_of_shown_ones() {
    let long = "x".repeat(80_000);
    let talk = format!("summary: before\nuser: {long}\nassistant: call(a)\nuser: next");
    // The call is shown with a placeholder for its missing result.
    let plan = plan(&talk, 4).unwrap();
    assert_eq!(
        script(&plan.span),
        format!("summary: before\nuser: {long}\nassistant: call(a)")
    );
    assert_eq!(plan.first_kept, Some(EntryId::new("m4")));
    assert_eq!(plan.ends(), Some((EntryId::new("m2"), EntryId::new("m3"))));
    assert_eq!(plan.n_messages(), 2);
    assert_eq!(plan.previous().map(|(_, summary)| summary), Some("before"));
    assert!(plan.stored > TokenCount(20_000) && plan.replaced < TokenCount(4_100));
    assert_eq!(plan.output_max, plan.replaced.percent(10));
}

#[test]
fn summary_output_limit_follows_size_of_span() {
    let cases = [(600, 100), (2_000, 300), (10_000, 1_000), (90_000, 4_000)];
    for (span, expected) in cases {
        assert_eq!(output_max(TokenCount(span)), TokenCount(expected), "{span}");
    }
}

#[test]
fn cut_without_replaced_messages_gives_no_plan() {
    assert_eq!(plan("summary: before\nuser: one", 1), None);
    assert_eq!(plan("user: one", 0), None);
    assert_eq!(plan("user: one", 7), None);
}

#[test]
fn i6_compaction_entry_counts_tokens_as_trigger_does() {
    let talk = format!("user: {}\nassistant: noted\nuser: next", "x".repeat(4_000));
    let plan = plan(&talk, 2).unwrap();
    let summary = "s".repeat(396);
    // 1,004 and 6 tokens leave; the summary adds 103.
    assert_eq!(plan.tokens_before, TokenCount(1_000 + 1_004 + 6 + 5 + 50));
    let artifacts = session::Artifacts {
        files: vec![session::ArtifactFile {
            path: "b.rs".to_owned(),
            state: session::FileState::Written,
            entry: EntryId::new("m1"),
        }],
        identifiers: Vec::new(),
    };
    let made = Summary {
        text: summary.clone(),
        rung: Rung::Staged,
        failed: vec![Rung::Model],
        retention_percent: Some(97),
        artifacts,
    };
    let entry = compaction_entry(&plan, made, session::Epoch(3));
    assert_eq!(entry.summary, summary);
    let shown = session::Compaction {
        summary: String::new(),
        ..entry.clone()
    };
    insta::assert_debug_snapshot!(shown);
    assert!(plan.is_effective(&entry.summary));
    assert!(!plan.is_effective(&"s".repeat(4_000)));
}
