//! One reading for notes and summary with a scripted model, and the outcome if the model fails.

use std::sync::Arc;

use base::TokenCount;
use compaction::{FlushMode, Strategy, Tiered, excerpts};

use super::*;
use crate::test_kit::{Script, items, models, summary_brief};

const DECIDED: &str = "We decided to sign tokens with RS256 in src/auth.rs.";
const SUMMARY: &str =
    "They decided to sign tokens with RS256 in src/auth.rs. Next they write the middleware.";
const SAVES: &str = r#"{"text":"Tokens are signed with RS256 in src/auth.rs","kind":"decision","evidence":["e1"],"quote":"sign tokens with RS256 in src/auth.rs"}"#;

async fn run(script: Script) -> (NotesAndSummary, Arc<Script>) {
    let script = Arc::new(script);
    let writers = Writers::untimed(models(script.clone()), TokenCount(32_000));
    let mut brief = summary_brief(items([
        Message::user(DECIDED),
        Message::assistant("so it goes on ".repeat(300)),
        Message::user("Now write the middleware."),
    ]));
    brief.plan.strategy = Strategy::Tiered(Tiered::default());
    let noted = NotesBrief {
        excerpts: excerpts(&brief.plan.span),
        mode: FlushMode::BeforeCompaction,
        as_of: brief.as_of,
        noted: Vec::new(),
    };
    (read_once(&noted, &brief, &writers).await, script)
}

fn notes_of(extracted: &NotesAndSummary) -> Vec<String> {
    let notes = extracted.0.as_ref().unwrap();
    notes.notes.iter().map(|note| note.text.clone()).collect()
}

fn failures(extracted: &NotesAndSummary) -> Vec<(Rung, String)> {
    let failures = extracted.1.failures.iter();
    failures
        .map(|it| (it.rung, it.reason.to_string()))
        .collect()
}

fn check_saved_and_summarised(extracted: &NotesAndSummary) {
    let notes = notes_of(extracted);
    assert_eq!(notes, ["Tokens are signed with RS256 in src/auth.rs"]);
    let summary = extracted.1.summary.as_ref().unwrap();
    assert_eq!((summary.rung, failures(extracted)), (Rung::Model, vec![]));
    let (text, start) = (&summary.text, "[Compaction Summary]: They decided");
    assert!(text.starts_with(start), "{text}");
}

#[tokio::test]
async fn memories_are_saved_in_same_call_as_summary() {
    let script = Script::new().calls("memory_save", SAVES).says(SUMMARY);
    let (extracted, script) = run(script).await;
    check_saved_and_summarised(&extracted);
    let requests = script.requests();
    assert_eq!(requests.len(), 2);
    let roles: Vec<&str> = requests[1].messages.iter().map(Message::role).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult"]);
    assert_eq!(requests[1].messages[2].text(), "Saved.");
}

#[tokio::test]
async fn poor_summary_is_retried_without_tool_and_memories_are_kept() {
    let script = Script::new().calls("memory_save", SAVES);
    let script = script.says("They talked about a plan.").says(SUMMARY);
    let (extracted, script) = run(script).await;
    check_saved_and_summarised(&extracted);
    let requests = script.requests();
    assert_eq!((requests.len(), requests[2].tools.len()), (3, 0));
    let asked = &requests[2].messages;
    assert_eq!(asked[1].text(), "They talked about a plan.");
    assert!(
        asked[2].text().contains("- src/auth.rs"),
        "{}",
        asked[2].text()
    );
}

#[tokio::test]
async fn i5_unreachable_model_falls_back_to_offline_summary_and_notes() {
    let (extracted, script) = run(Script::new()).await;
    assert_eq!(script.requests().len(), 1);
    let summary = extracted.1.summary.as_ref().unwrap();
    assert_eq!(summary.rung, Rung::Offline);
    assert_eq!(summary.failed, [Rung::Model]);
    assert!(!notes_of(&extracted).is_empty());
    assert_eq!(failures(&extracted)[0].0, Rung::Model);
}

#[tokio::test]
async fn model_without_summary_is_stopped_after_ten_tool_replies() {
    let saves = |script: Script, _| script.calls("memory_save", SAVES);
    let (extracted, script) = run((0..12).fold(Script::new(), saves)).await;
    let reason = "the model called its tool in 10 replies without writing a summary";
    assert_eq!(failures(&extracted)[0], (Rung::Model, reason.to_owned()));
    let tools = script.requests();
    let with_tool = tools.iter().filter(|request| !request.tools.is_empty());
    assert_eq!(with_tool.count(), 10);
    assert_eq!(extracted.1.summary.as_ref().unwrap().rung, Rung::Offline);
}
