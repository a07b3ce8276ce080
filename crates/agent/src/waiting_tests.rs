//! Several messages at once in one session: waiting, giving up, the order, and messages while notes are made.

use std::pin::pin;
use std::sync::Arc;

use base::model::{Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request};
use base::{Message, Tz};
use futures_util::{StreamExt, stream};
use models::OfflineEngine;
use tokio::sync::Semaphore;

use super::*;
use crate::dream::dream;
use crate::error::TurnError;
use crate::jobs::poll::poll_jobs;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::test_kit::{self, DREAM_NOW, Home, Script, done, dream_settings, home, main};
use crate::title::set_title;
use crate::turn::input::TurnInput;
use crate::turn::run::{run_turn, run_turn_until};

/// Advances the paused time.
async fn pass(time: Duration) {
    let passed = tokio::time::timeout(time, std::future::pending::<()>()).await;
    assert!(passed.is_err());
}

fn patient(mut home: Home) -> Home {
    home.runtime.turn_timeout = TURN_TIMEOUT;
    home
}

#[tokio::test(start_paused = true)]
async fn second_message_waits_for_turn_and_reports_holder() {
    let home = patient(home(Script::replies(1)));
    let first = home.turn();
    let mut events = Vec::new();
    let mut on_event = |event| events.push(event);
    let name = main();
    let turn = run_turn(&home.runtime, &name, Message::user("Hello"), &mut on_event);
    let free = async {
        pass(TURN_TIMEOUT / 2).await;
        drop(first);
    };
    let (reply, ()) = tokio::join!(turn, free);
    assert_eq!(Message::Assistant(reply.unwrap()).text(), "Reply 1.");
    let told = Event::WaitingForTurn {
        session: main(),
        pid: Some(std::process::id()),
    };
    let n_told = events.iter().filter(|event| **event == told).count();
    assert_eq!(n_told, 1, "{events:?}");
    assert_eq!(home.said(), ["Hello", "Reply 1."]);
}

#[tokio::test]
async fn set_title_and_poll_jobs_report_transcript_repairs() {
    let home = home(Script::replies(1));
    home.say(NOW, "Hello").await;
    let tear = || {
        let path = home.runtime.home.sessions.path(&main());
        base::disk::append(&*home.disk, &path, b"{\"type\":\"mess").unwrap();
    };
    let mut events = Vec::new();
    let mut on_event = |event| events.push(event);
    tear();
    let titled = set_title(&home.runtime, &main(), "Greeting", &mut on_event).await;
    titled.unwrap();
    tear();
    poll_jobs(&home.runtime, &main(), &mut on_event).unwrap();
    let is_told = |event: &&Event| matches!(event, Event::Warning(it) if it.contains("incomplete"));
    assert_eq!(events.iter().filter(is_told).count(), 2, "{events:?}");
}

#[tokio::test]
async fn lasting_damage_in_transcript_is_reported_once() {
    let home = home(Script::replies(1));
    home.say(NOW, "Hello").await;
    let path = home.runtime.home.sessions.path(&main());
    base::disk::append(&*home.disk, &path, b"no JSON\n").unwrap();
    let mut events = Vec::new();
    for title in ["Greeting", "Welcome"] {
        let mut on_event = |event| events.push(event);
        let titled = set_title(&home.runtime, &main(), title, &mut on_event).await;
        titled.unwrap();
    }
    let is_told = |event: &&Event| matches!(event, Event::Warning(it) if it.contains("skipped"));
    assert_eq!(events.iter().filter(is_told).count(), 1, "{events:?}");
}

#[tokio::test(start_paused = true)]
async fn turn_that_times_out_waiting_writes_nothing() {
    let home = patient(home(Script::replies(1)));
    let _first = home.turn();
    let refused = run_turn(&home.runtime, &main(), Message::user("Hello"), &mut |_| {}).await;
    let Err(TurnError::Begin(BeginTurnError::Locked(_, Some(_)))) = refused else {
        panic!("{refused:?}");
    };
    assert!(!home.runtime.home.sessions.exists(&main()).unwrap());
    assert!(!home.runtime.home.sessions.is_waited_for(&main()).unwrap());
}

#[tokio::test(start_paused = true)]
async fn turn_stopped_while_waiting_writes_nothing() {
    let home = patient(home(Script::replies(1)));
    let _first = home.turn();
    let stop = pin!(pass(TELL_AFTER));
    let input = TurnInput::Owner(Message::user("Hello"));
    let stopped = run_turn_until(&home.runtime, &main(), input, stop, &mut |_| {}).await;
    assert!(matches!(stopped, Err(TurnError::Begin(_))), "{stopped:?}");
    assert!(!home.runtime.home.sessions.exists(&main()).unwrap());
    assert!(!home.runtime.home.sessions.is_waited_for(&main()).unwrap());
}

#[tokio::test(start_paused = true)]
async fn waiting_turns_run_in_order_of_arrival() {
    let home = patient(home(Script::replies(4)));
    let first = home.turn();
    let name = main();
    let say = async |after: u64, text: &str| {
        pass(Duration::from_millis(after)).await;
        let message = Message::user(text.to_owned());
        let reply = run_turn(&home.runtime, &name, message, &mut |_| {}).await;
        reply.unwrap();
    };
    let free = async {
        pass(Duration::from_secs(10)).await;
        drop(first);
    };
    // The last comes when the turn is free already, and others still wait for it.
    tokio::join!(
        free,
        say(40, "two"),
        say(90, "three"),
        say(10, "one"),
        say(10_001, "four")
    );
    let said = home.said();
    let order: Vec<&str> = said.iter().step_by(2).map(String::as_str).collect();
    assert_eq!(order, ["one", "two", "three", "four"]);
}

/// A model that returns its notes only when the test lets it.
#[derive(Debug)]
struct SlowNotes {
    engine: OfflineEngine,
    gate: Semaphore,
}

impl Model for SlowNotes {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: "slow".to_owned(),
            only_quotes: false,
            ..self.engine.profile()
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let n_permits = u32::from(request.purpose == Purpose::Flush);
        stream::once(self.gate.acquire_many(n_permits))
            .flat_map(move |permit| {
                permit.unwrap().forget();
                match request.purpose {
                    Purpose::Flush => stream::iter(noted(request)).boxed(),
                    Purpose::Chat | Purpose::Summarise | Purpose::Consolidate => {
                        self.engine.stream(request)
                    }
                }
            })
            .boxed()
    }
}

/// A note on each message of the user, in its words.
fn noted(request: &Request) -> [Result<ReplyEvent, ModelError>; 2] {
    let material = request.messages[0].text();
    let lines = material.lines().filter(|line| line.contains("] user, "));
    let notes = lines.map(|line| {
        let label = line.split(['[', ']']).nth(1).unwrap();
        let text = line.rsplit(": ").next().unwrap();
        test_kit::adds("Notes", text, &[label], text)
    });
    let reply = serde_json::json!({ "notes": notes.collect::<Vec<_>>() }).to_string();
    [Ok(ReplyEvent::Text(reply)), Ok(done())]
}

const NOW: &str = "2026-03-02T08:00:00Z";

/// A home with such a model and one message.
async fn slow_home() -> (Home, Arc<SlowNotes>) {
    let model = Arc::new(SlowNotes {
        engine: OfflineEngine::new(Tz::named("Europe/Berlin").unwrap()),
        gate: Semaphore::new(0),
    });
    let home = home(Arc::clone(&model) as _);
    home.say(NOW, "I decided to rent the small hall.").await;
    (home, model)
}

#[tokio::test(start_paused = true)]
async fn owner_can_speak_while_dream_writes_notes() {
    let (home, model) = slow_home().await;
    let settings = dream_settings(200_000);
    let mut quiet = |_| {};
    let mut dreaming = pin!(dream(&home.runtime, &settings, DREAM_NOW, &mut quiet));
    assert!(futures_util::poll!(&mut dreaming).is_pending());
    home.say(NOW, "I decided to order forty chairs.").await;
    model.gate.add_permits(2);
    dreaming.await.unwrap();
    let log = home.read("workspace/memory/2026-03-02.md");
    assert_eq!(log.matches("small hall").count(), 1, "{log}");
}

#[tokio::test(start_paused = true)]
async fn i4_owner_can_speak_while_session_notes_are_written() {
    let (home, model) = slow_home().await;
    let name = main();
    let mut quiet = |_| {};
    let mut ending = pin!(flush(
        &home.runtime,
        &name,
        FlushReason::ChatEnd,
        &mut quiet
    ));
    assert!(futures_util::poll!(&mut ending).is_pending());
    home.say(NOW, "I decided to order forty chairs.").await;
    model.gate.add_permits(1);
    // What was said meanwhile is noted too, in a block of its own.
    tokio::select! {
        ended = &mut ending => panic!("{ended:?}"),
        () = pass(POLL) => {}
    }
    model.gate.add_permits(1);
    ending.await.unwrap();
    let log = home.read("workspace/memory/2026-03-02.md");
    for noted in ["small hall", "forty chairs"] {
        assert_eq!(log.matches(noted).count(), 1, "{log}");
    }
}
