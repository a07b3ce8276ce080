//! After a compaction whoever goes on knows what was done, what is under way and what is next, and takes
//! no finished step for an open one.

use std::sync::Arc;

use base::{EntryId, Message, Model, Origin, TokenCount, Tz};
use compaction::{AsOf, Rung, SummaryBrief, SummaryPlan};
use models::OfflineEngine;
use session::{ViewContent, ViewItem};

use crate::models::Models;
use crate::summarise::{Writers, summarise};
use crate::test_kit::Script;

/// A piece of work in three steps: two are finished, the third is under way.
const WORK: &[(&str, &str)] = &[
    (
        "user",
        "Please build auth-service: first the login endpoint, then the refresh tokens, then the logout endpoint.",
    ),
    (
        "assistant",
        "I'll begin with the login endpoint in src/login.rs.",
    ),
    (
        "user",
        "We decided to sign with RS256, never HS256. The port is localhost:8443.",
    ),
    (
        "assistant",
        "The login endpoint in src/login.rs is finished, all 12 tests pass.",
    ),
    (
        "user",
        "Good. Next the refresh tokens in src/refresh.rs. I get error E0382 there.",
    ),
    (
        "assistant",
        "E0382 in src/refresh.rs is fixed and the refresh tokens are done in commit 4f2a91c.",
    ),
    (
        "user",
        "E0382 is fixed. Now write the logout endpoint in src/logout.rs and revoke the token with ticket AUTH-77.",
    ),
    (
        "assistant",
        "I am writing src/logout.rs; the handler stands, the test for AUTH-77 is still missing.",
    ),
];

fn brief() -> SummaryBrief {
    let filling = "That part of the talk is about nothing in particular and may go. ".repeat(12);
    let mut span: Vec<ViewItem> = Vec::new();
    for (number, (role, text)) in WORK.iter().enumerate() {
        let message = match *role {
            "user" => Message::user(*text),
            _ => Message::assistant(format!("{text}\n\n{filling}")),
        };
        let origin = if *role == "user" {
            Origin::Owner
        } else {
            Origin::Agent
        };
        let content = ViewContent::Message(message);
        span.push(ViewItem {
            entry: EntryId::new(format!("m{}", number + 1)),
            at: "2026-04-20T14:00:00Z".parse().unwrap(),
            origin,
            tokens: content.estimate(),
            content,
        });
    }
    let stored: TokenCount = span.iter().map(|item| item.tokens).sum();
    SummaryBrief {
        plan: SummaryPlan {
            span,
            first_kept: Some(EntryId::new("m9")),
            stored,
            replaced: stored,
            tokens_before: stored,
            output_max: TokenCount(500),
            ..SummaryPlan::default()
        },
        as_of: AsOf {
            at: "2026-04-20T15:00:00Z".parse().unwrap(),
            timezone: Tz::UTC,
        },
        instructions: None,
    }
}

async fn summary(primary: Arc<dyn Model>, first: Rung) -> String {
    let models = Models::new(primary, Arc::new(OfflineEngine::new(Tz::UTC)));
    let made = summarise(
        &brief(),
        &Writers::untimed(models, TokenCount(32_000)),
        first,
    )
    .await;
    made.summary.unwrap().text
}

/// The lines under a heading.
fn section<'a>(summary: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = summary.lines();
    let lines = lines
        .skip_while(|line| *line != format!("## {heading}"))
        .skip(1);
    lines.take_while(|line| !line.starts_with("## ")).collect()
}

#[track_caller]
fn check(summary: &str) {
    for known in [
        "RS256",
        "src/login.rs",
        "src/refresh.rs",
        "src/logout.rs",
        "AUTH-77",
    ] {
        assert!(summary.contains(known), "{known} is lost:\n{summary}");
    }
    let active = section(summary, "Active Work and Last Actions").join("\n");
    let next = section(summary, "Immediate Next Step").join("\n");
    assert!(
        format!("{active}{next}").contains("src/logout.rs"),
        "what is under way:\n{summary}"
    );
}

/// What was finished is not open; only a model can tell.
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
async fn work_goes_on_after_a_summary_by_extraction() {
    let offline = Arc::new(OfflineEngine::new(Tz::UTC));
    let summary = summary(offline, Rung::Offline).await;
    check(&summary);
    insta::assert_snapshot!(summary);
}

#[tokio::test]
async fn work_goes_on_after_a_poor_summary_by_a_model() {
    // It forgets the decision, the last request and most identifiers, twice.
    let poor = "## Goals and Intent\n- build auth-service\n\n## Timeline and Progress\n\
                - login endpoint in src/login.rs finished\n- refresh tokens done";
    let script = Script::new().says(poor).says(poor);
    let summary = summary(Arc::new(script), Rung::Model).await;
    check(&summary);
    check_finished(&summary);
    insta::assert_snapshot!(summary);
}
