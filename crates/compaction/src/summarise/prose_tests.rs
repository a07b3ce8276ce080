//! Summaries in prose: framed, bounded, completed, without secrets.

use base::test_kit::Words;

use super::super::render_summary;
use super::*;
use crate::fixture::{self, cues, view};
use crate::strategy::{Middle, Strategy, Tiered};

fn brief(strategy: Strategy, talk: &str, output_max: u64) -> SummaryBrief {
    let mut brief = fixture::brief(view(talk).items, 10_000, output_max);
    brief.plan.strategy = strategy;
    brief
}

fn tiered() -> Strategy {
    Strategy::Tiered(Tiered::default())
}

fn middle() -> Strategy {
    Strategy::Middle(Middle::default())
}

const TALK: &str = "user: we decided to paint the fence of /srv/garden.txt green\nassistant: noted";

#[track_caller]
fn check(brief: &SummaryBrief, reply: &str, expected: &str) {
    let audit = Audit::of(&brief.plan, cues);
    assert_eq!(
        render_summary(reply, brief, &audit).as_deref(),
        Ok(expected)
    );
}

#[test]
fn a_stacked_summary_names_itself_and_stands_after_the_earlier_ones() {
    let mut brief = brief(tiered(), TALK, 600);
    brief.plan.carried = Some("[Compaction Summary]: before".to_owned());
    check(
        &brief,
        "They decided to paint the fence of /srv/garden.txt green.\n\n\nMore later.",
        "[Compaction Summary]: before\n\n[Compaction Summary]: They decided to paint the fence of \
         /srv/garden.txt green.\nMore later.\n\n[Stands for 2 messages: entries m1..m2. The transcript \
         keeps them; session_expand brings them back.]",
    );
}

#[test]
fn a_summary_in_context_stands_between_its_lines_and_gets_what_it_lacks() {
    check(
        &brief(middle(), TALK, 600),
        "# What happened\n[CONTEXT SUMMARY]\nThey talked about colours.\n[END CONTEXT SUMMARY]",
        "[CONTEXT SUMMARY]\nWhat happened:\nThey talked about colours.\n- Last request (entry m1): we decided \
         to paint the fence of /srv/garden.txt green\n\n[Stands for 2 messages: entries m1..m2. The \
         transcript keeps them; session_expand brings them back.]\n[END CONTEXT SUMMARY]",
    );
}

#[test]
fn i14_no_secret_gets_into_a_summary_in_prose() {
    let secret = format!("sk-ant-api03-{}", "a1B2".repeat(24));
    for strategy in [tiered(), middle()] {
        let brief = brief(strategy, TALK, 600);
        let reply = format!("The key is {secret}.");
        let text = render_summary(&reply, &brief, &Audit::of(&brief.plan, cues)).unwrap();
        text.lacks(&secret);
        text.holds("[REDACTED");
    }
}

#[test]
fn long_prose_is_cut_and_empty_prose_refused() {
    for strategy in [tiered(), middle()] {
        let brief = brief(strategy, TALK, 400);
        let audit = Audit::of(&brief.plan, cues);
        let endless = "It went on about the hedge. ".repeat(400);
        let text = render_summary(&endless, &brief, &audit).unwrap();
        assert!(estimate_text(&text) <= TokenCount(400), "{text}");
        for nothing in [
            "",
            "  \n",
            "##\n",
            "[CONTEXT SUMMARY]\n[END CONTEXT SUMMARY]",
        ] {
            let found = render_summary(nothing, &brief, &audit);
            assert_eq!(found, Err(SummaryReplyError::NoContent), "{nothing:?}");
        }
    }
}
