//! What a turn is shown of memory, and how often it asks for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile};

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
async fn one_turn_searches_once() {
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
