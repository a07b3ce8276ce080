//! The shown form of a view: pruned, shortened, paired, and deterministic.

use base::{Message, TokenCount, estimate_message};
use proptest::prelude::*;
use session::ViewContent;

use super::*;
use crate::fixture::{any_conversation, any_items, glance, script, view};
use crate::shown::is_result;

fn settings(prune_after_rounds: usize) -> WindowSettings {
    WindowSettings {
        context_window: TokenCount(16_000),
        prune_after_rounds,
        ..WindowSettings::default()
    }
}

fn shown(view: &View, prune_after_rounds: usize) -> Shown {
    let settings = settings(prune_after_rounds);
    show(view, &settings, &Budget::new(&settings))
}

/// A conversation in which a tool is called once before the first user message and `n_rounds` times after it.
fn reading(n_rounds: usize, result: &str) -> View {
    let mut lines = vec![
        "assistant: call(boot)".to_owned(),
        format!("tool(boot): {result}"),
        "user: read them all".to_owned(),
    ];
    for number in 0..n_rounds {
        lines.push(format!("assistant: call(c{number})"));
        lines.push(format!("tool(c{number}): {result}"));
    }
    lines.push("assistant: done".to_owned());
    view(&lines.join("\n"))
}

fn result_sizes(shown: &Shown) -> Vec<usize> {
    let results = shown.items.iter().filter(|item| is_result(item));
    let texts = results.map(|item| item.message().unwrap().text());
    texts.map(|text| text.chars().count()).collect()
}

#[test]
fn old_results_are_shortened_then_cleared_and_opening_stays() {
    let shown = shown(&reading(6, &"日".repeat(5_000)), 2);
    // Ages 6 and 5 are more than twice the pruning age, 4 and 3 are above it, 2 and 1 are recent. The result before
    // the first user message is only shortened for its size.
    let placeholder = "[Old tool result content cleared]".len();
    let shortened = 1_500 + "\n[... 2000 characters cleared ...]\n".chars().count() + 1_500;
    let sizes = result_sizes(&shown);
    let expected = [placeholder, placeholder, shortened, shortened];
    assert_eq!(sizes[1..5], expected);
    let whole = [sizes[0], sizes[5], sizes[6]];
    assert!(whole.iter().all(|size| *size > shortened), "{sizes:?}");
}

#[test]
fn small_result_is_cleared_only_if_placeholder_is_shorter() {
    let sizes = |result: &str| result_sizes(&shown(&reading(6, result), 2));
    assert_eq!(sizes("ok"), [2; 7]);
    let expected = [4_000, 33, 33, 4_000, 4_000, 4_000, 4_000];
    assert_eq!(sizes(&"x".repeat(4_000)), expected);
    assert_eq!(sizes(&"x".repeat(4_001))[3], 3_035);
}

#[test]
fn last_reply_is_never_pruned() {
    let result = "0123456789 0123456789 0123456789 0123456789";
    let view = view(&format!("user: go\nassistant: call(a)\ntool(a): {result}"));
    assert_eq!(result_sizes(&shown(&view, 0)), [43]);
}

#[test]
fn i3_shown_view_is_paired_and_summary_is_user_message() {
    let view = view("summary: before\nassistant: call(a)\nuser: well?");
    let shown = shown(&view, 10);
    assert_eq!(shown.messages()[0], Message::user("before"));
    assert_eq!(
        script(&shown.items),
        "summary: before\nassistant: call(a)\ntool(a): Tool no response\nuser: well?"
    );
    let tokens: TokenCount = shown.messages().iter().map(estimate_message).sum();
    assert_eq!(shown.tokens, tokens);
}

#[test]
fn pruned_view_shows_shortened_and_cleared_results() {
    let log = (1..=400)
        .map(|line| format!("line {line}: ok;"))
        .collect::<Vec<_>>()
        .join(" ");
    insta::assert_snapshot!(glance(&shown(&reading(3, &log), 1).items));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn i6_shown_tokens_equal_tokens_of_sent_messages(view in any_conversation(40_000), rounds in 0_usize..12) {
        let shown = shown(&view, rounds);
        let sent: TokenCount = shown.messages().iter().map(estimate_message).sum();
        prop_assert_eq!(shown.tokens, sent);
    }

    #[test]
    fn show_is_idempotent(view in any_conversation(40_000), rounds in 0_usize..12) {
        let once = shown(&view, rounds);
        let again = shown(&View { items: once.items.clone(), is_cut: false }, rounds);
        prop_assert_eq!(again, once);
    }

    #[test]
    fn i16_show_accepts_any_view_and_window(items in any_items(), window in 0_u64..2_000) {
        let settings = WindowSettings { context_window: TokenCount(window), ..settings(1) };
        let shown = show(&View { items, is_cut: true }, &settings, &Budget::new(&settings));
        let sent: TokenCount = shown.messages().iter().map(estimate_message).sum();
        prop_assert_eq!(shown.tokens, sent);
    }
}

#[test]
fn summary_in_context_is_merged_and_acknowledged_before_user() {
    let sent = |last: &str| {
        let mut view = view(&format!("user: go\nsummary: so far\n{last}"));
        let text = "[CONTEXT SUMMARY]\nso far\n[END CONTEXT SUMMARY]";
        view.items[1].content = ViewContent::Summary(text.to_owned());
        let shown = shown(&view, 10);
        let sent = shown.messages();
        // I6: a sent request is never larger than its counted size.
        let tokens: TokenCount = sent.iter().map(estimate_message).sum();
        assert!(tokens <= shown.tokens, "{tokens} of {}", shown.tokens);
        let lines = sent
            .iter()
            .map(|it| format!("{}: {}", it.role(), it.text()));
        lines.collect::<Vec<_>>()
    };
    let merged = "user: go\n\n\n[CONTEXT SUMMARY]\nso far\n[END CONTEXT SUMMARY]";
    let understood = "assistant: Understood. Continuing with the current task.";
    assert_eq!(sent("assistant: on"), [merged, "assistant: on"]);
    assert_eq!(sent("user: and?"), [merged, understood, "user: and?"]);
    assert_eq!(sent(""), [merged]);
}
