//! After a compaction, the summary says what was done, what is under way and what is next, and does not present a
//! finished step as open.

use std::sync::Arc;

use base::{EntryId, Message, Model, TokenCount, Tz};
use compaction::{Rung, SummaryBrief};
use models::OfflineEngine;

use crate::test_kit::{Script, items, models, summary_brief};
use crate::writers::summarise::{Writers, summarise};

/// A piece of work in three steps: two are finished, the third is under way.
const WORK: &str = "
    user: Please build auth-service: first the login endpoint, then the refresh tokens, then the logout endpoint.
    assistant: I'll begin with the login endpoint in src/login.rs.
    user: We decided to sign with RS256, never HS256. The port is localhost:8443.
    assistant: The login endpoint in src/login.rs is finished, all 12 tests pass.
    user: Good. Next the refresh tokens in src/refresh.rs. I get error E0382 there.
    assistant: E0382 in src/refresh.rs is fixed and the refresh tokens are done in commit 4f2a91c.
    user: E0382 is fixed. Now write the logout endpoint in src/logout.rs and revoke the token with ticket AUTH-77.
    assistant: I am writing src/logout.rs; the handler stands, the test for AUTH-77 is still missing.
";

fn brief() -> SummaryBrief {
    let filling = "That part of the talk is about nothing in particular and may go. ".repeat(12);
    let lines = WORK.trim().lines();
    let said = lines.map(|line| match line.trim().split_once(": ").unwrap() {
        ("user", text) => Message::user(text),
        (_, text) => Message::assistant(format!("{text}\n\n{filling}")),
    });
    let mut brief = summary_brief(items(said));
    brief.plan.first_kept = Some(EntryId::new("m9"));
    brief.plan.output_max = TokenCount(500);
    brief.as_of.at = "2026-04-20T15:00:00Z".parse().unwrap();
    brief
}

async fn summary(primary: Arc<dyn Model>, first: Rung) -> String {
    let writers = Writers::untimed(models(primary), TokenCount(32_000));
    let made = summarise(&brief(), &writers, first).await;
    made.summary.unwrap().text
}

/// The lines under a heading.
fn section<'a>(summary: &'a str, heading: &str) -> Vec<&'a str> {
    let heading = format!("## {heading}");
    let lines = summary.lines().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| !line.starts_with("## ")).collect()
}

#[track_caller]
fn check(summary: &str) {
    for known in "RS256 src/login.rs src/refresh.rs src/logout.rs AUTH-77".split(' ') {
        assert!(summary.contains(known), "{known} is lost:\n{summary}");
    }
    let active = section(summary, "Active Work and Last Actions");
    let mut open = active
        .into_iter()
        .chain(section(summary, "Immediate Next Step"));
    let is_known = open.any(|line| line.contains("src/logout.rs"));
    assert!(is_known, "what is under way:\n{summary}");
}

/// A finished task must not appear as open; only a model can tell which tasks are finished.
fn check_finished(summary: &str) {
    let open = section(summary, "Unresolved Issues and Pending Tasks").join("\n");
    for finished in ["E0382", "login", "refresh"] {
        assert!(
            !open.contains(finished),
            "{finished} is finished:\n{summary}"
        );
    }
}

#[tokio::test]
async fn offline_summary_keeps_what_continued_work_needs() {
    let offline = Arc::new(OfflineEngine::new(Tz::UTC));
    let summary = summary(offline, Rung::Offline).await;
    check(&summary);
    insta::assert_snapshot!(summary);
}

#[tokio::test]
async fn poor_summary_is_retried_until_work_can_continue() {
    // It forgets the decision, the last request and most identifiers.
    let poor = "## Goals and Intent\n- build auth-service\n\n## Timeline and Progress\n\
                - login endpoint in src/login.rs finished\n- refresh tokens done";
    let good = "## Goals and Intent\n- build auth-service: login, refresh tokens, then logout\n\n\
                ## Technical Context and Decisions\n- sign with RS256, never HS256; localhost:8443\n\n\
                ## Files and Code Changes\n- src/login.rs, src/refresh.rs (4f2a91c): finished\n\n\
                ## Active Work and Last Actions\n- src/logout.rs: the handler stands\n\n\
                ## Immediate Next Step\n- write the test for AUTH-77 in src/logout.rs";
    let script = Script::new().says(poor).says(good);
    let summary = summary(Arc::new(script), Rung::Model).await;
    check(&summary);
    check_finished(&summary);
    insta::assert_snapshot!(summary);
}
