//! Text that is forgotten while a model still works on it: none of it comes back.
//!
//! The model itself forgets before it answers, as an owner does in another window.

use std::sync::Arc;

use base::test_kit::Words;
use dreaming::Refusal;
use memory::OwnerLines;
use serde_json::Value;

use crate::jobs::session_flush::{FlushReason, flush};
use crate::test_kit::{self, Home, OWNER, Script, main, offline_home, operations};

const CODE: &str = "The bicycle lock code is 4711.";
const TEA: &str = "I always prefer green tea.";

fn adds(text: &str, evidence: &[&str], quote: &str) -> Value {
    test_kit::adds("About the Owner", text, evidence, quote)
}

/// The operation that adds only the line about tea.
fn tea() -> Value {
    adds(
        "Always prefers green tea",
        &["e1"],
        "I always prefer green tea",
    )
}

/// A home in which both messages were sent and noted, and a model that forgets the first message before it proposes
/// this.
async fn forgetting(proposed: &[Value]) -> Home {
    let mut home = offline_home();
    for (minute, said) in [("00", CODE), ("01", TEA)] {
        let now = format!("2026-03-02T08:{minute}:00Z");
        home.say(&now, &format!("Remember that {said}")).await;
    }
    let flushed = flush(&home.runtime, &main(), FlushReason::Dream, &mut |_| {}).await;
    flushed.unwrap();
    let knowledge = Arc::clone(home.runtime.memory.knowledge.as_ref().unwrap());
    let script = Script::new().says(&operations(proposed));
    home.ask(Arc::new(script.meanwhile(move || {
        if let Ok(plan) = knowledge.plan_question("bicycle lock code", 5, OWNER, &mut |_| {}) {
            knowledge.forget(&plan, OwnerLines::Remove).unwrap();
        }
    })));
    home
}

#[tokio::test]
async fn text_forgotten_during_model_reply_is_not_written() {
    let quote = "bicycle lock code is 4711";
    let code = adds("Bicycle lock: code 4711", &["e2"], quote);
    let home = forgetting(&[code, tea()]).await;
    let report = home.dreamt().await;
    let counts = (report.promoted.len(), report.staged.len());
    assert_eq!(counts, (1, 0), "{report:?}");
    let files = home.memory() + &home.read("workspace/memory/2026-03-02.md");
    files.holds("green tea");
    files.lacks("4711");
    assert_eq!(report.refused, [(Refusal::Gone, "(not shown)".to_owned())]);
}

#[tokio::test]
async fn notes_of_proposal_with_forgotten_evidence_are_read_again() {
    let text = "Green tea, and the lock code 4711";
    let both = adds(text, &["e2", "e1"], "I always prefer green tea");
    let mut home = forgetting(&[both]).await;
    let report = home.dreamt().await;
    assert_eq!(report.n_lines(), 0, "{report:?}");
    home.ask(Arc::new(Script::new().says(&operations(&[tea()]))));
    let report = home.dreamt().await;
    assert_eq!((report.n_read, report.promoted.len()), (1, 1), "{report:?}");
}

#[tokio::test]
async fn forgotten_line_still_in_memory_is_found_by_next_forgetting() {
    let home = forgetting(&[]).await;
    let knowledge = Arc::clone(home.runtime.memory.knowledge.as_ref().unwrap());
    let plan = || knowledge.plan_question("bicycle lock code", 5, OWNER, &mut |_| {});
    let first = plan().unwrap();
    let entry = first.entries.first().unwrap().entry.id.clone();
    knowledge.forget(&first, OwnerLines::Remove).unwrap();
    let hash = base::short_hash("Bicycle lock code: 4711");
    let line = format!(
        "- Bicycle lock code: 4711 <!-- n:c7f3 e:sessions/main.jsonl#{entry}@2:{hash} h:{hash} o:owner d:2026-03-02 -->\n"
    );
    home.write("MEMORY.md", &line);
    let second = plan().unwrap();
    assert_eq!(second.lines.len(), 1, "{second:?}");
    knowledge.forget(&second, OwnerLines::Leave).unwrap();
    assert_eq!(home.memory(), "");
}
