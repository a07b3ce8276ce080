//! The memory that a turn is shown, and the number of its searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile, EntryId};
use session::{Entry, Payload};

use super::{RECALL_TYPE, recalled_places};
use crate::test_kit::{Script, home};

/// Counts the questions that it is asked: each search asks for the meaning of one.
#[derive(Debug, Default)]
struct Counting {
    n_questions: AtomicUsize,
}

impl Embedder for Counting {
    fn profile(&self) -> EmbedderProfile {
        EmbedderProfile {
            name: "counting".into(),
            identity: "counting:1".into(),
            dimensions: Some(2),
            batch_max: 8,
        }
    }

    fn embed(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if role == EmbedRole::Question {
            self.n_questions.fetch_add(texts.len(), Ordering::Relaxed);
        }
        Ok(texts.iter().map(|_| vec![1.0, 0.5]).collect())
    }
}

#[tokio::test]
async fn turn_embeds_question_once() {
    let model = Arc::new(Script::new().says("It is 4711.").says("You live in Bern."));
    let mut home = home(model);
    let counting = Arc::new(Counting::default());
    let knowledge = Arc::into_inner(home.runtime.memory.knowledge.take().unwrap()).unwrap();
    let knowledge = knowledge.with_embedder(Some(Arc::clone(&counting) as Arc<dyn Embedder>));
    home.runtime.memory.knowledge = Some(Arc::new(knowledge));
    home.write(
        "memory/2026-01-05.md",
        "- The bicycle lock code is 4711\n- I live in Bern\n",
    );
    for (n_turns, question) in (1..).zip(["What is the lock code?", "Tell me about me"]) {
        home.say("2026-03-02T08:00:00Z", question).await;
        assert_eq!(counting.n_questions.load(Ordering::Relaxed), n_turns);
    }
}

#[tokio::test]
async fn passage_with_replaced_value_names_day_of_newer_value() {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    let (older, newer) = ("I live in Goerlitz", "I live in Zittau");
    home.record("2026-03-02T08:00:00Z", &format!("Remember that {older}."));
    let asked = serde_json::json!({ "text": older, "quote": older });
    home.call("main", "remember", &asked.to_string());
    home.record(
        "2026-03-05T08:00:00Z",
        &format!("No longer Goerlitz, {newer} now."),
    );
    let asked =
        serde_json::json!({ "line": older, "text": newer, "quote": newer, "reason": "changed" });
    let answer = home.call("main", "correct", &asked.to_string());
    assert!(answer.starts_with("MEMORY.md now says"), "{answer}");
    home.record("2026-03-06T08:00:00Z", "Good morning to you.");
    let found = home.call(
        "main",
        "memory_search",
        r#"{"query": "live in Goerlitz or Zittau"}"#,
    );
    let marks: Vec<&str> = found
        .lines()
        .filter(|it| it.starts_with("<recalled"))
        .collect();
    let is_marked = |source: &str| {
        let mark = marks.iter().find(|it| it.contains(source));
        mark.is_some_and(|it| it.contains("replaced=\"2026-03-05\""))
    };
    assert!(is_marked("sessions/main.jsonl:2"), "{found}");
    assert!(!is_marked("sessions/main.jsonl:3"), "{found}");
    assert!(!is_marked("MEMORY.md:"), "{found}");
    // What a tool confirmed is no source.
    assert!(!found.contains("MEMORY.md now says"), "{found}");
}

#[tokio::test]
async fn recalled_plan_includes_its_later_change() {
    let script = Arc::new(Script::new().says("By the one at 9:16."));
    let home = home(Arc::clone(&script) as _);
    home.write(
        "memory/2026-03-01.md",
        "- On 2026-03-12 I take the 7:42 train to the birthday of my mother-in-law\n",
    );
    home.write(
        "memory/2026-03-02.md",
        "- For 2026-03-12 it is coach 6, not 7\n- Ann eats no meat\n- The choir is off on 2026-03-20\n",
    );
    home.write("memory/2026-03-04.md", "- The tea is gone\n");
    let asked = "How do I get to the birthday of my mother-in-law?";
    home.say("2026-03-05T08:00:00Z", asked).await;
    let request = format!("{:?}", script.requests().last().unwrap().messages);
    let (change, plan) = (
        request.find("it is coach 6, not 7"),
        request.find("7:42 train"),
    );
    assert!(change.is_some() && change < plan, "{request}");
    assert!(!request.contains("The choir is off"), "{request}");
}

#[test]
fn unreadable_recall_and_other_data_name_no_place() {
    let entry = |custom_type: &str, data: &str| Entry {
        id: EntryId::new("r1"),
        parent: None,
        at: "2026-03-02T08:00:00Z".parse().unwrap(),
        payload: Payload::Custom(session::Custom {
            custom_type: custom_type.to_owned(),
            data: data.to_owned(),
        }),
    };
    let recorded = r#"[{"path":"MEMORY.md","startLine":3,"endLine":4,"hash":"x"}]"#;
    let place = "MEMORY.md:3-4".parse().unwrap();
    assert_eq!(recalled_places(&entry(RECALL_TYPE, recorded)), [place]);
    assert_eq!(recalled_places(&entry(RECALL_TYPE, "{")), []);
    assert_eq!(recalled_places(&entry("other", recorded)), []);
}
