//! The models that answer if the first model does not.
//!
//! The models follow scripts; the tests check the requests to each.

use std::sync::Arc;

use base::model::{Model, ModelError, ReplyEvent, SaidSizes};
use base::{Assistant, Message, Origin};

use crate::error::TurnError;
use crate::event::Event;
use crate::test_kit::{Home, Script, done, home, main};
use crate::turn::run::run_turn;

fn failing(error: ModelError) -> Script {
    Script::new().named("first", 9).streams(vec![Err(error)])
}

fn unavailable() -> ModelError {
    ModelError::Unavailable {
        model: "first".to_owned(),
        reason: "nobody is there".to_owned(),
    }
}

fn with_fallbacks(first: Script, fallbacks: Vec<Arc<dyn Model>>) -> Home {
    let mut home = home(Arc::new(first));
    home.runtime.engine.models.others.chat = fallbacks;
    home
}

/// The messages of a session, each with its origin.
fn said(home: &Home) -> Vec<(String, Option<Origin>)> {
    let messages = home.messages(&main()).into_iter();
    messages.map(|it| (it.message.text(), it.origin)).collect()
}

async fn says(home: &Home, text: &str) -> Result<Assistant, TurnError> {
    run_turn(&home.runtime, &main(), Message::user(text), &mut |_| {}).await
}

#[tokio::test]
async fn failed_model_falls_back_to_next_and_reports_it() {
    let refused = ModelError::Refused {
        model: "first".to_owned(),
        reason: "no such model".to_owned(),
    };
    let limited = ModelError::RateLimited {
        model: "first".to_owned(),
        retry_after: None,
    };
    let broken = ModelError::Broken {
        model: "first".to_owned(),
        reason: "no JSON".to_owned(),
    };
    for error in [unavailable(), refused, limited, broken] {
        let second = Arc::new(Script::new().named("second", 9).says("Good morning."));
        let home = with_fallbacks(failing(error.clone()), vec![second.clone()]);
        let now = "2026-03-02T08:00:00Z";
        let (reply, events) = home.say_in("main", now, "Hello?").await;
        assert_eq!(reply, "Good morning.");
        let told = Event::FallbackModel {
            model: "second".to_owned(),
            reason: error.to_string(),
        };
        assert!(events.contains(&told), "{events:?}");
        let expected = [
            ("Hello?".to_owned(), Some(Origin::Owner)),
            ("Good morning.".to_owned(), Some(Origin::Agent)),
        ];
        assert_eq!(said(&home), expected);
        assert_eq!(second.requests().len(), 1);
    }
}

#[tokio::test]
async fn i3_reply_broken_off_midway_is_not_restarted_by_fallback() {
    let first = Script::new().streams(vec![
        Ok(ReplyEvent::Text("Once upon".to_owned())),
        Err(unavailable()),
    ]);
    let second = Arc::new(Script::new().says("never"));
    let home = with_fallbacks(first, vec![second.clone()]);
    let error = says(&home, "Tell.").await.unwrap_err();
    assert_eq!(error.to_string(), unavailable().to_string());
    assert!(second.requests().is_empty());
    let expected = [
        ("Tell.".to_owned(), Some(Origin::Owner)),
        ("Once upon".to_owned(), Some(Origin::Agent)),
    ];
    assert_eq!(said(&home), expected);
}

#[tokio::test]
async fn i6_fallback_skips_model_whose_window_is_too_small() {
    let small = Arc::new(Script::new().named("small", 9).with_window(1_200));
    let large = Script::new().named("large", 9).with_window(8_000);
    let large = Arc::new(large.says("There is room."));
    let home = with_fallbacks(failing(unavailable()), vec![small.clone(), large.clone()]);
    let now = "2026-03-02T08:00:00Z";
    let (reply, events) = home.say_in("main", now, &"tea ".repeat(600)).await;
    assert_eq!(reply, "There is room.");
    assert!(small.requests().is_empty());
    let warning = "small was skipped: the request does not fit its window";
    let warning = Event::Warning(warning.to_owned());
    assert!(events.contains(&warning), "{events:?}");
    let asked = &large.requests()[0];
    let input: base::TokenCount = asked.messages.iter().map(base::estimate_message).sum();
    let tools = crate::tools::spec::tokens(&asked.tools);
    let whole = base::estimate_text(&asked.system) + tools + input + asked.output_max;
    assert!(whole <= base::TokenCount(8_000), "{whole}");
}

#[tokio::test]
async fn offline_fallback_quotes_notes_with_system_origin() {
    let mut home = with_fallbacks(failing(unavailable()), Vec::new());
    let offline = Arc::clone(&home.runtime.engine.models.offline);
    home.runtime.engine.models.others.chat = vec![offline];
    let notes = "# Notes\n\n- The bicycle lock code is 4711\n";
    home.write("memory/2026-01-05.md", notes);
    let question = "What is the bicycle lock code?";
    let reply = home.say("2026-03-02T08:00:00Z", question).await;
    assert!(reply.contains("4711"), "{reply}");
    assert_eq!(said(&home)[1].1, Some(Origin::System));
}

#[tokio::test]
async fn failure_of_all_models_returns_last_error_and_keeps_message() {
    let second = Script::new().named("second", 9);
    let home = with_fallbacks(failing(unavailable()), vec![Arc::new(second)]);
    let error = says(&home, "Hello?").await;
    let Err(TurnError::Model(ModelError::Unavailable { model, .. })) = error else {
        panic!("{error:?}");
    };
    assert_eq!(model, "second");
    assert_eq!(said(&home).len(), 1);
}

#[tokio::test]
async fn i6_context_overflow_does_not_fall_back_to_next_model() {
    let overflow = ModelError::ContextOverflow {
        model: "first".to_owned(),
        said: SaidSizes::default(),
    };
    let first = failing(overflow).says("It fits now.");
    let second = Arc::new(Script::new().named("second", 9).streams(vec![Ok(done())]));
    let home = with_fallbacks(first, vec![second.clone()]);
    let reply = says(&home, "Hi").await;
    assert!(matches!(reply, Err(TurnError::Refused { .. })), "{reply:?}");
    assert!(second.requests().is_empty());
}
