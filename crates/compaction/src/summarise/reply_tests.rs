//! Replies that are rejected before they are rendered.

use base::TokenCount;

use super::*;
use crate::fixture::{self, view};

fn brief() -> SummaryBrief {
    fixture::brief(view("user: one\nassistant: two").items, 2_000, 300)
}

fn reply(text: &str, stop: StopReason) -> Assistant {
    Assistant {
        content: vec![base::Block::Text(text.to_owned())],
        stop,
        usage: None,
    }
}

fn read(text: &str, stop: StopReason) -> Result<Rung, SummaryReplyError> {
    let audit = Audit::of(&brief().plan);
    read_summary(reply(text, stop), &brief(), &audit, Rung::Model).map(|summary| summary.rung)
}

#[test]
fn reply_without_normal_stop_is_rejected() {
    let good = "## Goals and Intent\n- tea";
    for (stop, expected) in [
        (StopReason::Stop, Ok(Rung::Model)),
        (StopReason::Length, Err(SummaryReplyError::CutShort)),
        (StopReason::Aborted, Err(SummaryReplyError::BrokenOff)),
        (StopReason::Error, Err(SummaryReplyError::BrokenOff)),
    ] {
        assert_eq!(read(good, stop), expected);
    }
}

#[test]
fn i5_summary_that_frees_too_little_is_rejected() {
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
fn i14_part_is_checked_and_redacted_like_whole_summary() {
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
