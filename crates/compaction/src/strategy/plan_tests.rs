//! The messages that each strategy removes, as data.

use base::TokenCount;

use super::*;
use crate::fixture::{script, view};
use crate::settings::WindowSettings;
use crate::show::show;
use crate::strategy::{Middle, Replace, Strategy, Tiered};

fn settings(strategy: Strategy) -> WindowSettings {
    WindowSettings {
        context_window: TokenCount(10_000),
        strategy,
        ..WindowSettings::default()
    }
}

/// The items of a request of `total` tokens.
fn context(
    strategy: Strategy,
    conversation: &str,
    total: u64,
) -> (View, Shown, ContextUsage, Budget) {
    let settings = settings(strategy);
    let budget = Budget::new(&settings);
    let view = view(conversation);
    let shown = show(&view, &settings, &budget);
    let rest = TokenCount(total).saturating_sub(shown.tokens);
    let usage = shown.usage(rest, TokenCount::ZERO);
    (view, shown, usage, budget)
}

fn planned(strategy: Strategy, conversation: &str, total: u64) -> Option<SummaryPlan> {
    let (view, shown, usage, budget) = context(strategy, conversation, total);
    let plan = plan(&view, &shown, &usage, &budget);
    assert_eq!(
        plan.is_some(),
        leaves(&shown, &usage, &budget) == Leaves::BySummary
    );
    plan
}

/// Checks the entries kept before the summary, the removed items, and the first entry kept after it.
#[track_caller]
fn check(found: Option<SummaryPlan>, expected: Option<(&[&str], &str, Option<&str>)>) {
    let found = found.map(|plan| {
        let first: Vec<String> = plan.keep_first.iter().map(ToString::to_string).collect();
        let kept = plan.first_kept.map(|it| it.to_string());
        (first, script(&plan.span), kept)
    });
    let expected = expected.map(|(first, span, kept)| {
        let first: Vec<String> = first.iter().map(|it| (*it).to_owned()).collect();
        (first, span.to_owned(), kept.map(str::to_owned))
    });
    assert_eq!(found, expected);
}

fn truncated(
    strategy: Strategy,
    conversation: &str,
    total: u64,
) -> Option<(String, Option<String>)> {
    let (view, shown, usage, budget) = context(strategy, conversation, total);
    let found = truncation(&view, &shown, &usage, &budget)?;
    let first_kept = found.plan.first_kept.map(|it| it.to_string());
    Some((found.text, first_kept))
}

const REPLACE: Strategy = Strategy::Replace(Replace {
    threshold: Some(TokenCount(100)),
});

fn tiered() -> Strategy {
    Strategy::Tiered(Tiered::default())
}

fn middle() -> Strategy {
    Strategy::Middle(Middle {
        messages_max: 8,
        ..Middle::default()
    })
}

#[test]
fn replace_takes_whole_view_except_single_message() {
    check(
        planned(REPLACE, "user: a\nassistant: b\nuser: c", 5_000),
        Some((&[], "user: a\nassistant: b\nuser: c", None)),
    );
    check(planned(REPLACE, "user: a", 5_000), None);
    check(planned(REPLACE, "summary: s\nuser: a", 5_000), None);
    check(planned(REPLACE, "", 5_000), None);
}

#[test]
fn replace_quotes_last_request_of_user() {
    let request = |talk: &str| planned(REPLACE, talk, 5_000).unwrap().last_request;
    let talk = "user: a\nassistant: b\nuser: paint it\nassistant: call(x)\ntool(x): done";
    assert_eq!(request(talk).as_deref(), Some("paint it"));
    // There is no user message since the last summary, which quotes the last request.
    let told =
        "summary: so far. Last request from user was: paint it\nassistant: call(x)\ntool(x): done";
    assert_eq!(request(told).as_deref(), Some("paint it"));
    assert_eq!(request("assistant: a\nassistant: b"), None);
    let secret = format!("sk-ant-api03-{}", "a1B2".repeat(24));
    let told = request(&format!("user: a\nassistant: b\nuser: use {secret}"));
    assert!(told.unwrap().contains("[REDACTED"), "i14");
    let long = format!("user: a\nassistant: b\nuser: {}", "x".repeat(60_000));
    let plan = planned(REPLACE, &long, 9_000).unwrap();
    let told = base::estimate_text(plan.last_request.as_deref().unwrap());
    assert!(told + plan.output_max <= TokenCount(2_500), "{told}");
}

const TEN: &str = "user: 1\nassistant: 2\nuser: 3\nassistant: call(a)\ntool(a): 5\nassistant: 6\n\
                   user: 7\nassistant: 8\nuser: 9\nassistant: 10";

#[test]
fn tiered_takes_three_or_five_of_ten_and_splits_no_pair() {
    let third = "user: 1\nassistant: 2\nuser: 3";
    let half = format!("{third}\nassistant: call(a)\ntool(a): 5");
    let eight: Vec<&str> = TEN.lines().skip(2).collect();
    let without_two = "user: 3\nassistant: call(a)\ntool(a): 5";
    for (talk, total, expected) in [
        (TEN, 8_000, Some((third, "m4"))),
        (TEN, 8_499, Some((third, "m4"))),
        (TEN, 8_500, Some((half.as_str(), "m6"))),
        (&eight.join("\n"), 8_000, Some((without_two, "m4"))),
        ("user: 1\nassistant: 2", 8_000, Some(("user: 1", "m2"))),
        ("user: 1", 8_000, None),
        ("assistant: call(a)\ntool(a): 1", 8_000, None),
    ] {
        let expected = expected.map(|(span, kept)| (&[] as &[&str], span, Some(kept)));
        check(planned(tiered(), talk, total), expected);
    }
}

#[test]
fn tiered_carries_earlier_summaries_until_they_exceed_share() {
    let talk = |n_chars: usize| format!("summary: {}\n{TEN}", "s".repeat(n_chars));
    // A tenth of this window is 1,000 tokens.
    let plan = planned(tiered(), &talk(3_960), 8_000).unwrap();
    assert_eq!(plan.carried.map(|it| it.len()), Some(3_960));
    assert_eq!(script(&plan.span), "user: 1\nassistant: 2\nuser: 3");
    let plan = planned(tiered(), &talk(4_100), 8_000).unwrap();
    assert_eq!(plan.carried, None);
    assert_eq!(plan.span.len(), 4, "the stack is summarised with the rest");
}

#[test]
fn tiered_emergency_drops_half_with_its_marker() {
    let ten = TEN.replace("user:", "user 200:");
    assert_eq!(
        truncated(tiered(), &ten, 9_500),
        Some((
            "[System: 5 older messages were truncated due to context limits]".to_owned(),
            Some("m6".to_owned())
        ))
    );
    let stacked = format!("summary: [Compaction Summary]: before\n{ten}");
    assert_eq!(
        truncated(tiered(), &stacked, 9_500).unwrap().0,
        "[Compaction Summary]: before\n\n[System: 5 older messages were truncated due to context limits]"
    );
}

#[test]
fn middle_protects_first_user_message_and_last_six() {
    check(
        planned(middle(), TEN, 9_000),
        Some((&["m1"], "assistant: 2\nuser: 3", Some("m4"))),
    );
    // In the case above, the boundary moved back to the call of a result; here it need not.
    let eleven = planned(middle(), &format!("{TEN}\nuser: 11"), 9_000);
    let zone = "assistant: 2\nuser: 3\nassistant: call(a)\ntool(a): 5";
    check(eleven, Some((&["m1"], zone, Some("m6"))));
    let again = "user: 1\nsummary: so far\nassistant: 3\nuser: 4\nassistant: 5\nuser: 6\nassistant: 7\n\
                 user: 8\nassistant: 9\nuser: 10";
    let zone = "summary: so far\nassistant: 3\nuser: 4";
    let found = planned(middle(), again, 9_000);
    check(found, Some((&["m1"], zone, Some("m5"))));
    // A summary by another strategy is summarised with the rest.
    let found = planned(middle(), &again.replacen("user: 1\n", "", 1), 9_000);
    check(found, Some((&[], zone, Some("m4"))));
}

#[test]
fn middle_requires_two_messages_to_summarise() {
    let eight: Vec<&str> = TEN.lines().take(8).collect();
    check(planned(middle(), &eight.join("\n"), 9_000), None);
    check(planned(middle(), "user: 1\nassistant: 2", 9_000), None);
}

#[test]
fn middle_truncates_to_message_limit_then_to_what_fits() {
    let ten = TEN.replace("user:", "user 200:");
    assert_eq!(
        truncated(middle(), &ten, 9_000),
        Some((
            "[System: 2 older messages were truncated due to context limits]".to_owned(),
            Some("m3".to_owned())
        ))
    );
    let six: Vec<&str> = TEN.lines().skip(4).collect();
    assert_eq!(truncated(middle(), &six.join("\n"), 9_000), None);
    let long = format!("user 3000: {}\nassistant: b\nuser: c", "x".repeat(12_000));
    let found = truncated(middle(), &long, 12_000);
    assert_eq!(found.map(|(_, kept)| kept), Some(Some("m3".to_owned())));
}

#[test]
fn off_triggers_only_above_largest_request() {
    let settings = settings(Strategy::Off);
    let budget = Budget::new(&settings);
    assert_eq!(budget.trigger, budget.request_max() + TokenCount(1));
}
