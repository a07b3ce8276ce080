//! Turns with a scripted model: what it is shown, before and after a compaction.
//!
//! Holds every request whole, so that nothing reaches a model unseen.

use std::sync::Arc;

use agent::run_turn;
use base::disk::MemoryDisk;
use base::model::{ModelError, Purpose};
use base::{Disk, FixedClock, Message, TokenCount, estimate_message, estimate_text};
use insta::assert_snapshot;
use testkit::{ScriptedModel, context_view};

use crate::in_process::{plain_answer, runtime};

const WINDOW: TokenCount = TokenCount(4_000);

fn clock() -> Arc<FixedClock> {
    let now = "2026-03-02T08:00:00Z".parse().unwrap();
    Arc::new(FixedClock::new(now))
}

/// Some three hundred tokens about one matter.
fn long_question(number: usize) -> String {
    let pages = "and so on, page after page ".repeat(44);
    format!("Question {number}: the file /srv/app/part-{number}.rs fails, {pages}at line 88.")
}

/// Takes turns with this model and gives it back, with all that it was asked.
async fn turns(model: ScriptedModel, n_turns: usize) -> (Arc<ScriptedModel>, Vec<String>) {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let (model, clock) = (Arc::new(model), clock());
    let runtime = runtime(
        &disk,
        Arc::clone(&clock) as _,
        Arc::clone(&model) as _,
        WINDOW,
    );
    let mut events = Vec::new();
    for number in 1..=n_turns {
        clock.advance(std::time::Duration::from_mins(1));
        let mut on_event = |event| events.push(format!("{event:?}"));
        let message = Message::user(long_question(number));
        let name = "main".parse().unwrap();
        run_turn(&runtime, &name, message, &mut on_event)
            .await
            .unwrap();
    }
    (model, events)
}

#[tokio::test]
async fn a_short_conversation_is_shown_whole() {
    let (model, events) = turns(ScriptedModel::new().reply(Purpose::Chat, "One."), 1).await;
    assert_eq!(events, ["ReplyDelta(\"One.\")"]);
    let views: Vec<String> = model.requests().iter().map(context_view).collect();
    assert_snapshot!(views.join("\n"));
}

#[tokio::test]
async fn a_long_one_is_flushed_and_summarised_and_goes_on() {
    let (model, _) = turns(ScriptedModel::new().otherwise(plain_answer), 12).await;
    let flush = model.requests_for(Purpose::Flush);
    let summarise = model.requests_for(Purpose::Summarise);
    assert!(!flush.is_empty() && flush.len() == summarise.len());
    assert_snapshot!("flush_request", context_view(&flush[0]));
    assert_snapshot!("summary_request", context_view(&summarise[0]));
    let last = model.requests_for(Purpose::Chat).pop().unwrap();
    assert_snapshot!("after_compaction", context_view(&last));
}

#[tokio::test]
async fn i6_no_request_exceeds_the_window() {
    let (model, _) = turns(ScriptedModel::new().otherwise(plain_answer), 30).await;
    for request in model.requests() {
        let messages: TokenCount = request.messages.iter().map(estimate_message).sum();
        let total = estimate_text(&request.system) + messages;
        assert!(total <= WINDOW, "{total}: {}", context_view(&request));
    }
}

#[tokio::test]
async fn i5_a_model_that_fails_stops_nothing() {
    let unavailable = || ModelError::Unavailable {
        model: ScriptedModel::NAME.into(),
        reason: "no route to host".into(),
    };
    let mut model = ScriptedModel::new();
    for _ in 0..40 {
        model = model
            .reply(Purpose::Chat, "Understood.")
            .fail(Purpose::Flush, unavailable())
            .fail(Purpose::Summarise, unavailable());
    }
    let (model, _) = turns(model, 20).await;
    let last = model.requests_for(Purpose::Chat).pop().unwrap();
    assert_snapshot!(context_view(&last));
}
