//! How a span is parted, merged, and made lighter.

use base::{EntryId, estimate_message, estimate_text};
use proptest::prelude::*;

use super::*;
use crate::fixture::{any_conversation, as_of, script, view};

fn brief(items: Vec<ViewItem>) -> SummaryBrief {
    let stored = items.iter().map(|item| item.tokens).sum();
    SummaryBrief {
        plan: SummaryPlan {
            span: items,
            first_kept: Some(EntryId::new("next")),
            stored,
            replaced: stored,
            tokens_before: stored,
            output_max: TokenCount(400),
            ..SummaryPlan::default()
        },
        as_of: as_of(0),
        instructions: None,
    }
}

fn sizes(parts: &SummaryParts) -> Vec<usize> {
    parts
        .briefs
        .iter()
        .map(|part| part.plan.span.len())
        .collect()
}

#[test]
fn a_span_is_parted_by_tokens() {
    let talk = "user 100: a\nassistant 100: b\nuser 100: c\nassistant 900: d\nuser 100: e\nassistant 100: f";
    let parts = SummaryParts::new(&brief(view(talk).items), TokenCount(16_000)).unwrap();
    assert_eq!(sizes(&parts), [4, 2]);
    assert_eq!(
        SummaryParts::new(
            &brief(view("user: a\nassistant: b").items),
            TokenCount(16_000)
        ),
        None
    );
}

#[test]
fn parts_leave_a_margin_for_what_the_estimate_misses() {
    // 8,000 tokens are two parts of 4,000; with a fifth more they are three.
    let talk = "user 800: a\n".repeat(10);
    let parts = SummaryParts::new(&brief(view(&talk).items), TokenCount(10_000)).unwrap();
    assert_eq!(parts.briefs.len(), 3);
}

#[test]
fn parts_are_smaller_where_messages_are_large() {
    let of_size = |tokens: u64| {
        let talk = format!("user {tokens}: a\n").repeat(20);
        part_tokens(&view(&talk).items, TokenCount(10_000))
    };
    assert_eq!(of_size(100), TokenCount(4_000));
    assert_eq!(of_size(800), TokenCount(4_000));
    assert_eq!(of_size(1_000), TokenCount(1_600));
    assert_eq!(of_size(3_000), TokenCount(1_500));
}

#[test]
fn a_message_that_is_too_large_gives_way_to_a_note() {
    let talk = "user: a\ntool(c1) 6000: long\nassistant: b";
    let lighter = without_oversized(&brief(view(talk).items), TokenCount(12_000)).unwrap();
    assert_eq!(
        script(&lighter.plan.span),
        "user: a\ntool(c1): [This message of 6,000 tokens was too large to be summarised and is left out: \
         entry m2. The transcript keeps it.]\nassistant: b"
    );
    assert_eq!(
        without_oversized(&brief(view(talk).items), TokenCount(15_000)),
        None
    );
}

#[test]
fn the_request_that_puts_parts_together() {
    let mut brief =
        brief(view("user: use RS256\nassistant: noted\nuser: next\nassistant: ok").items);
    brief.instructions = Some("keep the ports".to_owned());
    let texts = [
        "## Goals and Intent\n- sign with RS256".to_owned(),
        "## Immediate Next Step\n- next".to_owned(),
    ];
    let request = merge_request(&brief, &texts, TokenCount(32_000));
    let shown: Vec<String> = request.messages.iter().map(Message::text).collect();
    let is_shown = |label: &str| shown.iter().any(|text| text.contains(label));
    assert!(is_shown("[s1]") && is_shown("[s2]"), "{shown:?}");
    assert!(!request.system.contains("{{"), "{}", request.system);
    let snapshot = format!(
        "{}\n\n=== message ===\n\n{}",
        request.system,
        shown.join("\n\n")
    );
    insta::assert_snapshot!(snapshot);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn parts_are_the_span_in_order_and_i6_each_request_fits(view in any_conversation(20_000), window in 4_000_u64..20_000) {
        let brief = brief(view.items);
        let window = TokenCount(window);
        let Some(parts) = SummaryParts::new(&brief, window) else {
            prop_assert!(brief.plan.span.len() < MESSAGES_MIN);
            return Ok(());
        };
        let joined: Vec<ViewItem> = parts.briefs.iter().flat_map(|part| part.plan.span.clone()).collect();
        prop_assert_eq!(&joined, &brief.plan.span);
        prop_assert!(parts.briefs.len() <= PARTS_MAX + 1 && sizes(&parts).iter().all(|size| *size > 0));
        for part in &parts.briefs {
            let request = crate::summary_request(part, window);
            let input: TokenCount = request.messages.iter().map(estimate_message).sum();
            prop_assert!(estimate_text(&request.system) + input + request.output_max <= window);
        }
    }
}
