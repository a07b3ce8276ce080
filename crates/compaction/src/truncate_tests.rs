//! The rung that always works.

use super::*;
use crate::fixture::{self, view};
use crate::show::show;

fn truncated(window: u64, prefix: u64, conversation: &str) -> Option<(String, String, TokenCount)> {
    let settings = fixture::window(window);
    let budget = Budget::new(&settings);
    let view = view(conversation);
    let shown = show(&view, &settings, &budget);
    let usage = shown.usage(TokenCount(prefix), TokenCount::ZERO);
    truncate(&view, &shown, &usage, &budget).map(|Truncation { plan, text }| {
        let after = plan.tokens_after(&text);
        (plan.first_kept.unwrap().to_string(), text, after)
    })
}

fn long(role: &str) -> String {
    format!("{role}: {}", "x".repeat(800))
}

#[test]
fn truncation_line_counts_dropped_messages() {
    let talk = ["user", "assistant", "user", "assistant", "user"].map(long);
    // The trigger is 688 tokens; each message takes 204.
    assert_eq!(
        truncated(1_000, 100, &talk.join("\n")),
        Some((
            "m5".to_owned(),
            "[System: 4 older messages were truncated due to context limits]".to_owned(),
            TokenCount(100 + 204 + 20)
        ))
    );
}

#[test]
fn truncation_keeps_earlier_summary_and_continues_count() {
    let earlier =
        "summary: What was agreed. [System: 7 older messages were truncated due to context limits]";
    let talk = [
        earlier.to_owned(),
        long("user"),
        long("assistant"),
        long("user"),
    ];
    let (first_kept, summary, _) = truncated(1_000, 100, &talk.join("\n")).unwrap();
    assert_eq!(
        (first_kept.as_str(), summary.as_str()),
        (
            "m4",
            "What was agreed.\n\n[System: 9 older messages were truncated due to context limits]"
        )
    );
}

#[test]
fn i6_truncation_keeps_less_if_both_newest_do_not_fit() {
    let talk = format!("{}\nuser 33: and now?\nassistant 45: well", long("user"));
    // A prompt of 589 tokens leaves 99: enough for both newest messages and the line...
    let kept = |prefix| truncated(1_000, prefix, &talk).map(|(first_kept, ..)| first_kept);
    assert_eq!(kept(589), Some("m2".to_owned()));
    // ...but 98 tokens are not enough.
    assert_eq!(kept(590), Some("m3".to_owned()));
}

#[test]
fn truncation_that_frees_less_than_fifth_is_ineffective() {
    // The line is larger than the messages.
    let talk = "user 5: hi\nassistant 5: hello\nuser 5: thanks\nassistant 5: bye";
    assert_eq!(truncated(1_000, 100, talk), None);
    // An earlier summary is dropped if keeping it would free too little.
    let earlier = format!("summary 200: {}", "a word or two ".repeat(50));
    let talk = format!(
        "{earlier}\nuser 20: one\nassistant 20: two\n{}",
        long("user")
    );
    let (_, summary, _) = truncated(1_000, 100, &talk).unwrap();
    assert_eq!(
        summary,
        "[System: 2 older messages were truncated due to context limits]"
    );
}

#[test]
fn single_message_is_not_truncated() {
    assert_eq!(truncated(1_000, 900, &long("user")), None);
}
