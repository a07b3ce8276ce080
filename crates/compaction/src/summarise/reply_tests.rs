//! Replies that are refused before anything is made of them.

use base::{EntryId, TokenCount};

use super::*;
use crate::fixture::{as_of, cues, view};
use crate::summarise::SummaryPlan;

fn brief() -> SummaryBrief {
    SummaryBrief {
        plan: SummaryPlan {
            span: view("user: one\nassistant: two").items,
            first_kept: Some(EntryId::new("m3")),
            stored: TokenCount(2_000),
            replaced: TokenCount(2_000),
            tokens_before: TokenCount(3_000),
            output_max: TokenCount(300),
            ..SummaryPlan::default()
        },
        as_of: as_of(0),
        instructions: None,
    }
}

fn reply(text: &str, stop: StopReason) -> Assistant {
    Assistant {
        content: vec![base::Block::Text(text.to_owned())],
        stop,
        usage: None,
    }
}

fn read(text: &str, stop: StopReason) -> Result<Rung, SummaryReplyError> {
    let audit = Audit::of(&brief().plan, cues);
    read_summary(reply(text, stop), &brief(), &audit, Rung::Model).map(|summary| summary.rung)
}

#[test]
fn a_reply_that_did_not_come_to_its_end_is_refused_whatever_it_says() {
    let good = "## Goals and Intent\n- tea";
    assert_eq!(read(good, StopReason::Stop), Ok(Rung::Model));
    assert_eq!(
        read(good, StopReason::Length),
        Err(SummaryReplyError::CutShort)
    );
    assert_eq!(
        read(good, StopReason::Aborted),
        Err(SummaryReplyError::BrokenOff)
    );
    assert_eq!(
        read(good, StopReason::Error),
        Err(SummaryReplyError::BrokenOff)
    );
}

#[test]
fn i5_a_summary_that_frees_too_little_is_refused() {
    let mut small = brief();
    small.plan.replaced = TokenCount(50);
    let good = reply("## Goals and Intent\n- tea", StopReason::Stop);
    let read = read_summary(good, &small, &Audit::default(), Rung::Model);
    assert_eq!(
        read.map(|summary| summary.text),
        Err(SummaryReplyError::FreesTooLittle)
    );
}

#[test]
fn i14_a_part_is_checked_and_redacted_like_the_whole() {
    let key = format!("ghp_{}", "a1".repeat(18));
    let text = format!("## Goals and Intent\n- use {key}");
    assert_eq!(
        read_part(reply(&text, StopReason::Stop), &brief()),
        Ok("## Goals and Intent\n- use [REDACTED:github-token]".to_owned())
    );
    assert_eq!(
        read_part(reply("no", StopReason::Stop), &brief()),
        Err(SummaryReplyError::NoSection)
    );
}
