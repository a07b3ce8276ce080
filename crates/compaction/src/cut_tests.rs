//! Cuts in conversations written as text, and compared with an oracle that tries every index.

use proptest::prelude::*;

use super::*;
use crate::fixture::{any_items, script, view};
use crate::pairing;

#[track_caller]
fn check(keep: u64, conversation: &str, expected: &str) {
    let items = view(conversation).items;
    let found = cut(&items, TokenCount(keep))
        .and_then(|at| items.get(at))
        .map(|item| script(std::slice::from_ref(item)));
    assert_eq!(found.as_deref().unwrap_or("nothing can leave"), expected);
}

const TALK: &str =
    "user 10: one\nassistant 10: two\nuser 10: three\nassistant 10: four\nuser 10: five";

#[test]
fn cut_keeps_newest_messages_within_keep() {
    check(29, TALK, "assistant: four");
    check(30, TALK, "user: three");
    check(49, TALK, "assistant: two");
    check(50, TALK, "nothing can leave");
}

#[test]
fn cut_keeps_newest_message_of_any_size() {
    check(0, TALK, "user: five");
    check(5, "user 10: one\nassistant 90: two", "assistant: two");
    check(5, "user 90: one", "nothing can leave");
    check(5, "", "nothing can leave");
}

#[test]
fn cut_keeps_small_user_message_with_its_reply() {
    let talk = |tokens: u64| format!("user 10: one\nuser {tokens}: two\nassistant 6: three");
    check(5, &talk(4), "user: two");
    check(5, &talk(5), "assistant: three");
}

#[test]
fn cut_keeps_tool_call_with_result() {
    let listing = "user 10: list files\nassistant 10: call(ls)\ntool(ls) 10: a.txt\n\
                   assistant 10: one file\nuser 10: thanks";
    check(39, listing, "assistant: one file");
    check(40, listing, "assistant: call(ls)");
}

#[test]
fn cut_keeps_current_tool_loop() {
    check(
        5,
        "user 10: go\nassistant 10: call(a)\ntool(a) 10: x\nassistant 10: call(b)\ntool(b) 90: y",
        "assistant: call(b)",
    );
    check(
        5,
        "assistant 10: call(a)call(b)\ntool(a) 90: x\ntool(b) 90: y",
        "nothing can leave",
    );
}

#[test]
fn cut_includes_earlier_summary() {
    check(
        10,
        "summary 50: before\nuser 10: one\nassistant 10: two",
        "assistant: two",
    );
    check(10, "summary 50: before\nuser 10: one", "nothing can leave");
    // An item shown before a summary cannot become the first kept message of a newer compaction.
    check(
        90,
        "user 40: first\nsummary 50: before\nuser 10: one\nassistant 10: two",
        "user: one",
    );
}

#[test]
fn large_prefix_reduces_keep_recent() {
    let budget = Budget::new(&crate::WindowSettings::default());
    let kept = |prefix| {
        let usage = ContextUsage {
            prefix: TokenCount(prefix),
            items: TokenCount(190_000),
            suffix: TokenCount(1_000),
        };
        keep_recent(&usage, &budget)
    };
    assert_eq!(
        [kept(5_000), kept(149_000), kept(300_000)],
        [20_000, 10_400, 0].map(TokenCount)
    );
}

/// Every index at which a cut is allowed, found by trying them all.
fn allowed(items: &[ViewItem]) -> Vec<usize> {
    let summary = items.iter().position(is_summary);
    (1..items.len())
        .filter(|at| summary.is_none_or(|summary| *at > summary))
        .filter(|at| is_boundary(&items[*at]))
        .filter(|at| items[..*at].iter().any(|item| !is_summary(item)))
        .collect()
}

fn oracle(items: &[ViewItem], keep: u64) -> Option<usize> {
    let tokens = |at: usize| items[at..].iter().map(|item| item.tokens.0).sum::<u64>();
    let allowed = allowed(items);
    let newest = *allowed.last()?;
    if tokens(0) <= keep {
        return None;
    }
    let fitting = allowed.iter().copied().find(|at| tokens(*at) <= keep);
    let user = items.iter().rposition(is_user);
    let with_user = user.filter(|user| allowed.contains(user) && tokens(*user) <= 2 * keep);
    let chosen = fitting.unwrap_or(newest);
    Some(with_user.map_or(chosen, |user| user.min(chosen)))
}

proptest! {
    #[test]
    fn i3_cut_agrees_with_oracle_and_splits_no_pair(
        items in any_items(),
        sizes in prop::collection::vec(0_u64..60, 24),
        keep in 0_u64..400,
    ) {
        let mut items = pairing::pair(&items);
        for (item, size) in items.iter_mut().zip(sizes) {
            item.tokens = TokenCount(size);
        }
        let found = cut(&items, TokenCount(keep));
        prop_assert_eq!(found, oracle(&items, keep), "{}", script(&items));
        if let Some(at) = found {
            let (left, stays) = items.split_at(at);
            prop_assert_eq!(pairing::pair(left), left);
            prop_assert_eq!(pairing::pair(stays), stays);
        }
    }
}

#[test]
fn pending_tool_call_is_not_safe_point() {
    for (talk, expected) in [
        ("", true),
        ("user: hi\nassistant: hello", true),
        ("user: hi\nassistant: call(a)", false),
        ("user: hi\nassistant: call(a) call(b)\ntool(b): done", false),
        (
            "assistant: call(a) call(b)\ntool(b): done\ntool(a): done",
            true,
        ),
        ("user: hi\nassistant: call(a)\nuser: never mind", true),
        ("summary: earlier", true),
        ("summary: earlier\ntool(a): late", true),
    ] {
        assert_eq!(is_safe_point(&view(talk).items), expected, "{talk}");
    }
}
