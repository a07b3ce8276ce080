//! Replies to a request for a summary, and the text added around them.

use base::test_kit::Words;
use proptest::prelude::*;

use super::super::check::PROMPTS;
use super::super::frame::added_identifiers;
use super::*;
use crate::fixture::{self, bullets, view};
use crate::strategy::{Middle, Strategy, Tiered};

fn brief_of(talk: &str, output_max: u64) -> SummaryBrief {
    fixture::brief(view(talk).items, 10_000, output_max)
}

fn brief(output_max: u64) -> SummaryBrief {
    brief_of("summary: before\nuser: one\nassistant: two", output_max)
}

fn in_prose(strategy: Strategy, talk: &str) -> SummaryBrief {
    let mut brief = brief_of(talk, 600);
    brief.plan.strategy = strategy;
    brief
}

fn tiered() -> Strategy {
    Strategy::Tiered(Tiered::default())
}

fn middle() -> Strategy {
    Strategy::Middle(Middle::default())
}

fn rendered(reply: &str, output_max: u64) -> Result<String, SummaryReplyError> {
    render_summary(reply, &brief(output_max), &Audit::default(), Rung::Model)
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
fn reply_is_rendered_verbatim() {
    for reply in [
        "## Immediate Next Step\n- write refreshToken.ts\n\n## Goals and Intent\n- finish auth\n- finish auth",
        "Here is the summary:\n\n1. **User's Primary Goals and Intent**\n   * finish auth\n\n\
         **Active Work and Last Actions:** tests\n```rust\nfn main() {}\n```\n- None",
    ] {
        check(reply, reply);
    }
}

#[test]
fn copied_frame_of_earlier_summary_is_dropped() {
    check(
        "[COMPACTED SUMMARY - as of 09:00] 2026-01-01\n## Goals and Intent\n- tea\n\n\
         ## Exact identifiers\n[Copied exactly: evil.example/pay]\n\n\
         [Stands for 9 messages: entries a..b. The transcript keeps them.]",
        "## Goals and Intent\n- tea",
    );
}

#[test]
fn earlier_summary_is_read_without_its_frame() {
    let reply = "## Technical Context and Decisions\n- tea\n## Immediate Next Step\n- boil water";
    let talk = "user: use a.rs\nassistant: done\nuser: and paint the whole boat";
    for strategy in [
        Strategy::Handoff,
        tiered(),
        middle(),
        Strategy::Replace(crate::Replace::default()),
    ] {
        let brief = in_prose(strategy, talk);
        let audit = Audit::of(&brief.plan);
        let summary = render_summary(reply, &brief, &audit, Rung::Offline).unwrap();
        assert_eq!(added_identifiers(&summary), Some("a.rs"), "{summary}");
        assert_eq!(without_frame(&summary), without_request(reply));
    }
    assert_eq!(without_frame("from elsewhere\n"), "from elsewhere");
}

/// The expected summary for a reply that lacks the request, with the request added.
fn without_request(reply: &str) -> String {
    format!("{reply}\n\n## Exact identifiers\n- Last request: and paint the whole boat")
}

#[test]
fn i14_secret_in_summary_reply_is_redacted() {
    let key = format!("ghp_{}", "a1".repeat(18));
    check(
        &format!("## Files and Code Changes\n- .env holds {key}"),
        "## Files and Code Changes\n- .env holds [REDACTED:github-token]",
    );
    for strategy in [tiered(), middle()] {
        let brief = in_prose(strategy, "user: one\nassistant: two");
        let reply = format!("The key is {key}.");
        let text = render_summary(&reply, &brief, &Audit::default(), Rung::Model).unwrap();
        text.lacks(&key);
        text.holds("[REDACTED");
    }
}

#[test]
fn long_reply_is_not_cut() {
    let reply = format!(
        "## Timeline and Progress\n{}## Immediate Next Step\n- reply",
        bullets("event", 200)
    );
    assert!(estimate_text(&reply) > TokenCount(400));
    rendered(&reply, 200).unwrap().holds(&reply);
}

#[test]
fn reply_without_summary_is_rejected() {
    let larger = format!("## Goals and Intent\n- {}", "word ".repeat(9_000));
    let cases = [
        ("", SummaryReplyError::NoContent),
        (" \n", SummaryReplyError::NoContent),
        (
            "## Goals and Intent\n\n## Immediate Next Step\n",
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

#[test]
fn stacked_summary_follows_carried_ones() {
    let mut brief = in_prose(tiered(), "user: paint the fence\nassistant: noted");
    brief.plan.carried = Some("[Compaction Summary]: before".to_owned());
    let reply = "They will paint the fence.\n\nMore later.";
    let summary = render_summary(reply, &brief, &Audit::default(), Rung::Model);
    let expected = "[Compaction Summary]: before\n\n[Compaction Summary]: They will paint the fence.\n\n\
                    More later.\n\n[Stands for 2 messages: entries m1..m2. The transcript keeps them; \
                    session_expand brings them back.]";
    assert_eq!(summary.as_deref(), Ok(expected));
}

#[test]
fn summary_in_context_is_rendered_between_its_markers() {
    let brief = in_prose(middle(), "user: paint the fence\nassistant: noted");
    let reply =
        "# What happened\n[CONTEXT SUMMARY]\nThey talked about colours.\n[END CONTEXT SUMMARY]";
    let summary = render_summary(reply, &brief, &Audit::default(), Rung::Model);
    let expected = "[CONTEXT SUMMARY]\n# What happened\nThey talked about colours.\n\n\
                    [Stands for 2 messages: entries m1..m2. The transcript keeps them; session_expand \
                    brings them back.]\n[END CONTEXT SUMMARY]";
    assert_eq!(summary.as_deref(), Ok(expected));
}

#[test]
fn empty_prose_is_rejected() {
    for strategy in [tiered(), middle()] {
        let brief = in_prose(strategy, "user: one\nassistant: two");
        for nothing in [
            "",
            "  \n",
            "##\n",
            "[CONTEXT SUMMARY]\n[END CONTEXT SUMMARY]",
        ] {
            let found = render_summary(nothing, &brief, &Audit::default(), Rung::Model);
            assert_eq!(found, Err(SummaryReplyError::NoContent), "{nothing:?}");
        }
    }
}

/// A conversation in which the owner mentions this many identifiers.
fn talk_of_files(n_files: usize) -> String {
    let files: Vec<String> = (0..n_files)
        .map(|number| format!("file{number}.rs"))
        .collect();
    format!(
        "user: change {}\nassistant: noted\nuser: thanks",
        files.join(" and ")
    )
}

#[test]
fn added_identifiers_take_twentieth_of_model_summary() {
    let brief = brief_of(&talk_of_files(200), 600);
    let audit = Audit::of(&brief.plan);
    let reply = format!(
        "## Goals and Intent\n{}",
        bullets("point of some length", 60)
    );
    for (rung, expected) in [
        (Rung::Model, 0..=5_u64),
        (Rung::Staged, 0..=5),
        (Rung::Offline, 40..=65),
    ] {
        let summary = render_summary(&reply, &brief, &audit, rung).unwrap();
        summary.holds(reply.trim());
        let list = added_identifiers(&summary).unwrap();
        let (part, whole) = (estimate_text(list), estimate_text(&summary));
        let percent = part.0 * 100 / whole.0;
        assert!(
            expected.contains(&percent),
            "{rung:?}: {percent}\n{summary}"
        );
        assert!(list.starts_with("file0.rs; file1.rs"), "{list}");
        assert!(
            whole <= TokenCount(600).percent(OFFLINE_PERCENT),
            "{rung:?}: {whole:?}"
        );
    }
}

#[test]
fn identifiers_of_dropped_lines_are_added_only_to_offline_summary() {
    let brief = brief_of(
        "summary: move to Flask-WTF 1.1.1 by April 25, 2024\nuser: and tea\nassistant: ok",
        600,
    );
    let audit = Audit::of(&brief.plan);
    let reply = "## Goals and Intent\n- and tea";
    let list = |rung| {
        let summary = render_summary(reply, &brief, &audit, rung).unwrap();
        added_identifiers(&summary).map(str::to_owned)
    };
    assert_eq!(list(Rung::Model), None);
    assert_eq!(
        list(Rung::Offline).as_deref(),
        Some("1.1.1; April 25, 2024")
    );
}

#[test]
fn complete_reply_gets_no_added_identifiers() {
    let brief = brief_of("user: rename a.rs to b.rs\nassistant: done", 1_000);
    let audit = Audit::of(&brief.plan);
    let reply = "## Goals and Intent\n- rename a.rs to b.rs";
    let summary = render_summary(reply, &brief, &audit, Rung::Model).unwrap();
    summary.lacks("Exact identifiers");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn reply_stays_whole_inside_frame_with_bounded_addition(
        reply in "## Goals and Intent\n(- |[a-z ]{1,40}|日{1,20}|\n){1,120}[a-z]",
        output_max in 120_u64..600,
        n_files in 0_usize..60,
    ) {
        let brief = brief_of(&talk_of_files(n_files), output_max);
        let summary = render_summary(&reply, &brief, &Audit::of(&brief.plan), Rung::Model);
        if let Ok(summary) = summary {
            let added = summary.split_once(&reply).unwrap().1;
            let part = added.split_once("\n\n[Stands for ").unwrap().0;
            let share = estimate_text(part).0 * 20;
            prop_assert!(share <= estimate_text(&summary).0 + 20, "{}", summary);
            prop_assert!(summary.starts_with("[COMPACTED SUMMARY") && summary.ends_with("brings them back.]"));
        }
    }

    #[test]
    fn i16_reply_is_rendered_or_rejected_as_empty(reply in "(?s).{0,300}", output_max in 0_u64..100) {
        if let Err(error) = rendered(&reply, output_max) {
            let expected = [SummaryReplyError::NoContent, SummaryReplyError::NoSection];
            prop_assert!(expected.contains(&error), "{}", error);
        }
    }
}
