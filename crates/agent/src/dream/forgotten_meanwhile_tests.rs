//! What is forgotten while a model still thinks about it: nothing of it comes back.
//!
//! The model itself forgets before it answers, as an owner does in another window.

use std::sync::Arc;

use base::model::{Model, ModelProfile, ReplyStream, Request};
use dreaming::Refusal;
use memory::OwnerLines;
use serde_json::{Value, json};

use super::correction_tests::dreamt;
use crate::knowledge::Knowledge;
use crate::session_end::flush_whole;
use crate::test_kit::{Home, Script, main, offline_home};

const CODE: &str = "The bicycle lock code is 4711.";
const TEA: &str = "I always prefer green tea.";

/// A model that answers after the owner had something forgotten.
#[derive(Debug)]
struct Forgetting {
    script: Script,
    knowledge: Arc<Knowledge>,
}

impl Model for Forgetting {
    fn profile(&self) -> ModelProfile {
        self.script.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let plan = self
            .knowledge
            .plan_question("bicycle lock code", 5, &mut |_| {});
        if let Ok(plan) = plan {
            self.knowledge.forget(&plan, OwnerLines::Remove).unwrap();
        }
        self.script.stream(request)
    }
}

fn adds(text: &str, evidence: &[&str], quote: &str) -> Value {
    json!({
        "op": "add", "section": "About the Owner", "text": text, "importance": 9,
        "evidence": evidence, "quote": quote, "reason": "new",
    })
}

/// A home in which both were said and noted, and a model that forgets the one before it proposes this.
async fn forgetting(operations: &[Value]) -> Home {
    let mut home = offline_home();
    home.say("2026-03-02T08:00:00Z", &format!("Remember that {CODE}"))
        .await;
    home.say("2026-03-02T08:01:00Z", &format!("Remember that {TEA}"))
        .await;
    flush_whole(&home.runtime, &main(), &mut |_| {})
        .await
        .unwrap();
    let reply = json!({ "operations": operations }).to_string();
    let knowledge = Arc::clone(home.runtime.memory.knowledge.as_ref().unwrap());
    let script = Script::new().says(&reply);
    home.ask(Arc::new(Forgetting { script, knowledge }));
    home
}

#[tokio::test]
async fn text_forgotten_while_a_model_answers_is_not_written() {
    let code = adds(
        "Bicycle lock: code 4711",
        &["e2"],
        "bicycle lock code is 4711",
    );
    let tea = adds(
        "Always prefers green tea",
        &["e1"],
        "I always prefer green tea",
    );
    let home = forgetting(&[code, tea]).await;
    let report = dreamt(&home).await;
    assert_eq!(
        (report.promoted.len(), report.staged.len()),
        (1, 0),
        "{report:?}"
    );
    let files = home.read("workspace/MEMORY.md") + &home.read("workspace/memory/2026-03-02.md");
    assert!(
        files.contains("green tea") && !files.contains("4711"),
        "{files}"
    );
    assert_eq!(report.refused, [(Refusal::Gone, "(not shown)".to_owned())]);
}

#[tokio::test]
async fn proposals_with_forgotten_evidence_are_read_again_without_it() {
    let both = adds(
        "Green tea, and the lock code 4711",
        &["e2", "e1"],
        "I always prefer green tea",
    );
    let home = forgetting(&[both]).await;
    let report = dreamt(&home).await;
    assert_eq!(report.n_lines(), 0, "{report:?}");
    let mut home = home;
    let again = adds(
        "Always prefers green tea",
        &["e1"],
        "I always prefer green tea",
    );
    let reply = json!({ "operations": [again] }).to_string();
    home.ask(Arc::new(Script::new().says(&reply)));
    let report = dreamt(&home).await;
    assert_eq!((report.n_read, report.promoted.len()), (1, 1), "{report:?}");
}

#[tokio::test]
async fn a_line_that_is_forgotten_and_still_stands_is_found_by_the_next_forgetting() {
    let home = forgetting(&[]).await;
    let knowledge = Arc::clone(home.runtime.memory.knowledge.as_ref().unwrap());
    let plan = || knowledge.plan_question("bicycle lock code", 5, &mut |_| {});
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
    assert_eq!(home.read("workspace/MEMORY.md"), "");
}
