//! Replies to a request for a summary: as asked for, as models like to answer, and too long.

use proptest::prelude::*;

use super::super::check::PROMPTS;
use super::*;
use crate::fixture::{self, bullets, cues, view};
use crate::shown::summary_tokens;

fn brief(output_max: u64) -> SummaryBrief {
    brief_of("summary: before\nuser: one\nassistant: two", output_max)
}

fn brief_of(talk: &str, output_max: u64) -> SummaryBrief {
    fixture::brief(view(talk).items, 10_000, output_max)
}

fn rendered(reply: &str, output_max: u64) -> Result<String, SummaryReplyError> {
    render_summary(reply, &brief(output_max), &Audit::default())
}

#[track_caller]
fn check(reply: &str, body: &str) {
    let expected = format!(
        "[COMPACTED SUMMARY - as of 16:22] 2026-04-20\n\n{body}\n\n\
         [Stands for 2 messages: entries m2..m3, and for the summary before them: entry m1. \
         The transcript keeps them; session_expand brings them back.]"
    );
    assert_eq!(rendered(reply, 1_000), Ok(expected));
}

#[test]
fn sections_are_put_in_order() {
    check(
        "## Immediate Next Step\n- write refreshToken.ts\n## Goals and Intent\n- finish auth\n",
        "## Goals and Intent\n- finish auth\n\n## Immediate Next Step\n- write refreshToken.ts",
    );
}

#[test]
fn replies_as_models_like_to_give_them_are_normalised() {
    check(
        "Here is the summary:\n\n1. **User's Primary Goals and Intent**\n   * finish auth\n\n\
         **Active Work and Last Actions:** tests\n```rust\nfn main() {}\n```\n- None\n",
        "## Goals and Intent\n- finish auth\n\n## Technical Context and Decisions\n\
         - Here is the summary:\n\n## Active Work and Last Actions\n- tests\n  fn main() {}",
    );
}

#[test]
fn what_stands_before_the_first_heading_is_context() {
    check(
        "They talked about tea.\nAnd coffee.\n## Goals and Intent\n",
        "## Technical Context and Decisions\n- They talked about tea.\n- And coffee.",
    );
}

#[test]
fn our_own_lines_are_not_taken_over_from_an_earlier_summary() {
    check(
        "[COMPACTED SUMMARY - as of 09:00] 2026-01-01\n## Goals and Intent\n- tea\n- tea\n\
         [Stands for 9 messages: entries a..b. The transcript keeps them.]",
        "## Goals and Intent\n- tea",
    );
}

#[test]
fn an_earlier_summary_is_read_without_the_lines_around_it() {
    let reply = "## Technical Context and Decisions\n- tea\n## Immediate Next Step\n- boil water";
    let summary = rendered(reply, 1_000).unwrap();
    assert_eq!(
        without_frame(&summary),
        "## Technical Context and Decisions\n- tea\n\n## Immediate Next Step\n- boil water"
    );
    assert_eq!(without_frame("from elsewhere\n"), "from elsewhere");
}

#[test]
fn a_reply_that_keeps_to_its_limit_loses_nothing() {
    let max = reply_max(&brief(200));
    let files = "a.rs b.rs; ".repeat(9);
    let reply = format!("## Files and Code Changes\n\n- {files}");
    assert!(estimate_text(&reply) <= max);
    assert!(rendered(&reply, 200).unwrap().contains(files.trim_end()));
}

#[test]
fn i14_secrets_do_not_pass() {
    let key = format!("ghp_{}", "a1".repeat(18));
    check(
        &format!("## Files and Code Changes\n- .env holds {key}"),
        "## Files and Code Changes\n- .env holds [REDACTED:github-token]",
    );
}

#[test]
fn a_long_summary_loses_its_least_important_lines() {
    let reply = format!(
        "## Timeline and Progress\n{}## Unresolved Issues and Pending Tasks\n{}## Immediate Next Step\n- reply\n",
        bullets("event", 30),
        bullets("open", 30)
    );
    let summary = rendered(&reply, 200).unwrap();
    insta::assert_snapshot!(summary);
    assert!(summary_tokens(&summary) <= TokenCount(200));
}

#[test]
fn a_reply_that_is_no_summary_is_refused() {
    let larger = format!("## Goals and Intent\n- {}", "word ".repeat(9_000));
    let cases = [
        ("", SummaryReplyError::NoContent),
        (" \n", SummaryReplyError::NoContent),
        (
            "## Goals and Intent\n\n## Immediate Next Step\n- None\n",
            SummaryReplyError::NoContent,
        ),
        ("Sure! Here you go.", SummaryReplyError::NoSection),
        ("- a\n- b\n## Haiku\n- c", SummaryReplyError::NoSection),
        (larger.as_str(), SummaryReplyError::LargerThanInput),
    ];
    for (reply, expected) in cases {
        assert_eq!(rendered(reply, 1_000), Err(expected), "{reply}");
    }
    for prompt in PROMPTS {
        assert_eq!(rendered(prompt, 1_000), Err(SummaryReplyError::PromptLeak));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_summary_keeps_to_its_budget_and_its_frame(
        reply in "(## (Goals and Intent|Files and Code Changes|Timeline and Progress)\n|- |[a-z ]{1,40}|日{1,20}|\n){1,120}",
        output_max in 120_u64..600,
    ) {
        if let Ok(summary) = rendered(&reply, output_max) {
            prop_assert!(summary_tokens(&summary) <= TokenCount(output_max.max(156)), "{}", summary);
            prop_assert!(summary.starts_with(OPENING) && summary.ends_with("brings them back.]"));
        }
    }

    #[test]
    fn i16_any_reply_is_rendered_or_refused(reply in "(?s).{0,300}", output_max in 0_u64..100) {
        if let Err(error) = rendered(&reply, output_max) {
            let expected = [SummaryReplyError::NoContent, SummaryReplyError::NoSection];
            prop_assert!(expected.contains(&error), "{}", error);
        }
    }
}

#[test]
fn decisions_that_a_reply_lacks_are_added_where_it_leaves_room() {
    let cities = ["Lisbon", "Porto", "Madrid", "Geneva"];
    let talk = cities.map(|city| {
        format!("user: We decided to take the train to {city} for the meeting.\nassistant: Noted.")
    });
    let brief = brief_of(&talk.join("\n"), 400);
    let audit = Audit::of(&brief.plan, cues);
    let reply = "## Goals and Intent\n- We decided to take the train to Lisbon for the meeting.";
    let summary = render_summary(reply, &brief, &audit).unwrap();
    for city in cities {
        assert!(summary.contains(city), "{city} is missing:\n{summary}");
    }
    assert_eq!(audit.retention_percent(&summary), 100);
    assert!(summary_tokens(&summary) <= brief.plan.output_max);
}

#[test]
fn a_line_that_was_cut_takes_no_decision_with_it() {
    let decision = "We decided to take the train to Lisbon for the meeting.";
    let talk = format!("user: {decision}\nassistant: Noted.\nuser: thanks");
    let filler = bullets("point that says little, of many, with the number", 30);
    let sections = format!("## Technical Context and Decisions\n{filler}- {decision}");
    let prose = format!("{filler}{decision}");
    for (strategy, reply) in [
        (crate::Strategy::Handoff, &sections),
        (crate::Strategy::Tiered(crate::Tiered::default()), &prose),
    ] {
        let mut brief = brief_of(&talk, 400);
        brief.plan.strategy = strategy;
        let audit = Audit::of(&brief.plan, cues);
        let summary = render_summary(reply, &brief, &audit).unwrap();
        assert!(summary.contains("Lisbon"), "{summary}");
        assert!(
            summary_tokens(&summary) <= brief.plan.output_max,
            "{summary}"
        );
    }
}

#[test]
fn what_a_reply_leaves_free_is_for_what_it_lacks() {
    let cities = ["Lisbon", "Porto", "Madrid", "Geneva", "Vienna", "Prague"];
    let talk = cities.map(|city| format!("user: After a long talk with everybody who comes along we decided to take the night train to {city} for the meeting with the office there.\nassistant: Noted."));
    let brief = brief_of(&talk.join("\n"), 500);
    let audit = Audit::of(&brief.plan, cues);
    let summary = render_summary("## Goals and Intent\n- travel", &brief, &audit).unwrap();
    assert_eq!(audit.retention_percent(&summary), 100, "{summary}");
}
