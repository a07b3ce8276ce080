//! Splitting a span, merging its parts, and leaving out oversized messages.

use base::{estimate_message, estimate_text};
use proptest::prelude::*;

use super::*;
use crate::fixture::{self, any_conversation, as_of, as_read, script, view};

fn brief(items: Vec<ViewItem>) -> SummaryBrief {
    let stored: TokenCount = items.iter().map(|item| item.tokens).sum();
    SummaryBrief {
        as_of: as_of(0),
        ..fixture::brief(items, stored.0, 400)
    }
}

fn sizes(parts: &SummaryParts) -> Vec<usize> {
    let parts = parts.briefs.iter();
    parts.map(|part| part.plan.span.len()).collect()
}

#[test]
fn span_is_split_into_parts_by_tokens() {
    let talk = "user 100: a\nassistant 100: b\nuser 100: c\nassistant 900: d\nuser 100: e\nassistant 100: f";
    let parts = SummaryParts::new(&brief(view(talk).items), TokenCount(16_000)).unwrap();
    assert_eq!(sizes(&parts), [4, 2]);
    let two = brief(view("user: a\nassistant: b").items);
    assert_eq!(SummaryParts::new(&two, TokenCount(16_000)), None);
}

#[test]
fn parts_leave_margin_for_estimate_error() {
    // 8,000 tokens make two parts of 4,000; with a margin of a fifth they make three.
    let talk = "user 800: a\n".repeat(10);
    let parts = SummaryParts::new(&brief(view(&talk).items), TokenCount(10_000)).unwrap();
    assert_eq!(parts.briefs.len(), 3);
}

#[test]
fn parts_are_smaller_for_large_messages() {
    let of_size = |tokens: u64| {
        let talk = format!("user {tokens}: a\n").repeat(20);
        part_tokens(&view(&talk).items, TokenCount(10_000))
    };
    let sizes = [100, 800, 1_000, 3_000].map(of_size);
    assert_eq!(sizes, [4_000, 4_000, 1_600, 1_500].map(TokenCount));
}

#[test]
fn oversized_message_is_replaced_with_note() {
    let talk = "user: a\ntool(c1) 6000: long\nassistant: b";
    let brief = brief(view(talk).items);
    let lighter = without_oversized(&brief, TokenCount(12_000)).unwrap();
    assert_eq!(
        script(&lighter.plan.span),
        "user: a\ntool(c1): [This message of 6,000 tokens was too large to be summarised and is left out: \
         entry m2. The transcript keeps it.]\nassistant: b"
    );
    assert_eq!(without_oversized(&brief, TokenCount(15_000)), None);
}

#[test]
fn merge_request_joins_summaries_of_parts() {
    let mut brief =
        brief(view("user: use RS256\nassistant: noted\nuser: next\nassistant: ok").items);
    brief.instructions = Some("keep the ports".to_owned());
    let texts = [
        "## Goals and Intent\n- sign with RS256".to_owned(),
        "## Immediate Next Step\n- next".to_owned(),
    ];
    let request = merge_request(&brief, &texts, TokenCount(32_000));
    let shown = as_read(&request);
    assert!(shown.contains("[s1]") && shown.contains("[s2]"), "{shown}");
    assert!(!request.system.contains("{{"), "{}", request.system);
    insta::assert_snapshot!(shown);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn parts_are_span_in_order_and_i6_requests_fit(view in any_conversation(20_000), window in 4_000_u64..20_000) {
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
