//! The notes that are written when a conversation has been silent for a while.

use std::sync::Arc;

use base::{Message, Origin};
use session::StoredMessage;

use super::*;
use crate::event::Event;
use crate::test_kit::{Home, Script, home, main, offline_home};

const HALL: &str = "I decided to rent the small hall.";

const ONE_NOTE: Option<FlushOutcome> = Some(FlushOutcome::Written { n_notes: 1 });

async fn talked() -> Home {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", HALL).await;
    home
}

async fn ended(home: &Home) -> Option<FlushOutcome> {
    flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut |_| {})
        .await
        .unwrap()
}

async fn idle(home: &Home) -> Option<FlushOutcome> {
    let flushed = flush(&home.runtime, &main(), FlushReason::Idle, &mut |_| {}).await;
    flushed.unwrap()
}

async fn anew(home: &Home) -> Option<Reset> {
    let begun = new_session(&home.runtime, &main(), &mut |_| {}).await;
    begun.unwrap()
}

fn log(home: &Home) -> String {
    home.read("workspace/memory/2026-03-02.md")
}

#[tokio::test]
async fn end_chat_writes_notes_once() {
    let home = talked().await;
    assert_eq!(ended(&home).await, ONE_NOTE);
    assert!(log(&home).contains("Session Notes"), "{}", log(&home));
    let before = (home.read("sessions/main.jsonl"), log(&home));
    assert_eq!(ended(&home).await, None);
    assert_eq!((home.read("sessions/main.jsonl"), log(&home)), before);
}

#[tokio::test]
async fn unfinished_block_in_log_is_removed_with_warning() {
    let home = talked().await;
    let (session, entries) = (home.turn().session_id().clone(), home.entries(&main()));
    let note = memory::Note {
        text: "Tea".to_owned(),
        evidence: vec![entries[0].clone()],
        origin: base::Origin::Owner,
    };
    let block = memory::FlushBlock {
        session,
        epoch: 0,
        span: (entries[0].clone(), entries[1].clone()),
        kind: memory::BlockKind::SessionNotes,
        at: "2026-03-02T08:00:00Z".parse().unwrap(),
        sections: vec![("User Preferences".to_owned(), vec![note])],
    };
    memory::write_block(&home.runtime.home.workspace, &block, base::Tz::UTC).unwrap();
    let whole = log(&home);
    let (half, _) = whole.split_once("ea ^").unwrap();
    home.write("memory/2026-03-02.md", half);
    let mut told = Vec::new();
    let mut on_event = |event| {
        if let Event::Warning(warning) = event {
            told.push(warning);
        }
    };
    let ended = flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut on_event).await;
    assert_eq!(ended.unwrap(), ONE_NOTE);
    let expected = "an unfinished block of memory/2026-03-02.md was removed; \
                    the file as it was is kept in /home/state/quarantine/2026-03-02.md.";
    assert_eq!(told, [format!("{expected}{}", base::short_hash(half))]);
}

#[tokio::test]
async fn new_session_starts_with_empty_view_after_notes() {
    let home = talked().await;
    let before = home.turn().session_id().clone();
    let reset = anew(&home).await;
    assert!(log(&home).contains(HALL));
    assert_eq!(home.turn().view().items, []);
    assert_eq!(reset.unwrap().parent, Some(before));
    assert_eq!(anew(&home).await, None);
}

#[tokio::test]
async fn i11_session_without_messages_is_not_written() {
    let home = offline_home();
    assert_eq!(anew(&home).await, None);
    assert_eq!(ended(&home).await, None);
    assert_eq!(idle(&home).await, None);
    assert_eq!(home.read("sessions/main.jsonl"), "");
}

#[tokio::test]
async fn i11_idle_session_is_flushed_once_and_active_one_is_not() {
    let home = talked().await;
    home.set("2026-03-02T08:29:59Z");
    assert_eq!((idle(&home).await, log(&home).as_str()), (None, ""));
    home.set("2026-03-02T08:30:00Z");
    assert_eq!(idle(&home).await, ONE_NOTE);
    let before = home.read("sessions/main.jsonl");
    assert_eq!(idle(&home).await, None);
    assert_eq!(home.read("sessions/main.jsonl"), before);
}

#[tokio::test]
async fn i12_owners_midnight_ends_day_of_session() {
    let home = offline_home();
    home.say("2026-03-02T22:50:00Z", HALL).await;
    home.set("2026-03-02T22:59:00Z");
    assert_eq!(idle(&home).await, None);
    home.set("2026-03-02T23:01:00Z");
    assert_eq!(idle(&home).await, ONE_NOTE);
}

#[tokio::test]
async fn end_unanswered_chat_writes_notes_without_asking_model() {
    let script = Arc::new(Script::new().says("Good."));
    let home = home(Arc::clone(&script) as _);
    home.say("2026-03-02T08:00:00Z", HALL).await;
    let asked = script.requests().len();
    let ended = flush(
        &home.runtime,
        &main(),
        FlushReason::ChatEndOffline,
        &mut |_| {},
    )
    .await;
    assert_eq!(ended.unwrap(), ONE_NOTE);
    assert!(log(&home).contains("rent the small hall"), "{}", log(&home));
    assert_eq!(script.requests().len(), asked);
}

#[tokio::test]
async fn i11_clean_health_check_is_neither_flushed_nor_activity() {
    let script = Script::new().says("Noted.").says("HEARTBEAT_OK");
    let script = Arc::new(script.says("NOTHING_TO_FLUSH"));
    let home = home(Arc::clone(&script) as _);
    home.write("HEARTBEAT.md", "# Health check\n\nlook at the oven\n");
    let hall = "We decided to rent the hall.";
    home.say("2026-03-02T08:00:00Z", hall).await;
    home.say("2026-03-02T08:20:00Z", "Health check").await;
    // The owner spoke half an hour ago, though the check came ten minutes ago.
    home.set("2026-03-02T08:30:00Z");
    assert_eq!(idle(&home).await, Some(FlushOutcome::Nothing));
    let asked = script.requests()[2].messages[0].text();
    for (said, is_shown) in [(hall, true), ("Noted.", true), ("Health check", false)] {
        assert_eq!(asked.contains(said), is_shown, "{asked}");
    }
    // What is to be looked at stands in the prompt of the check alone.
    let requests = script.requests();
    let shown = [&requests[0], &requests[1]].map(|it| it.system.contains("look at the oven"));
    assert_eq!(shown, [false, true]);
}

#[tokio::test]
async fn i11_session_of_clean_health_checks_sends_no_request_and_writes_no_file() {
    let script = Arc::new(Script::new().says("HEARTBEAT_OK").says("**HEARTBEAT_OK**"));
    let home = home(Arc::clone(&script) as _);
    home.say("2026-03-02T08:00:00Z", "Health check").await;
    home.say("2026-03-02T08:30:00Z", "Health check").await;
    let before = home.read("sessions/main.jsonl");
    home.set("2026-03-04T08:00:00Z");
    assert_eq!(ended(&home).await, None);
    assert_eq!(idle(&home).await, None);
    assert_eq!(home.read("sessions/main.jsonl"), before);
    assert_eq!(script.requests().len(), 2);
}

/// In a chat that never rests, each request to the model leaves new messages behind.
#[tokio::test]
async fn flush_of_dream_leaves_messages_sent_meanwhile_to_the_next_one() {
    let mut home = home(Script::replies(9));
    for minute in 0..6 {
        home.record(&format!("2026-03-02T08:0{minute}:00Z"), HALL);
    }
    let (sessions, limit) = (
        home.runtime.home.sessions.clone(),
        home.runtime.resume_limit(),
    );
    let script = Script::new().meanwhile(move || {
        let mut turn = sessions.begin_turn(&main(), limit).unwrap();
        let said = StoredMessage::new(Message::user("And it rains."), Origin::Owner);
        let at = "2026-03-02T09:00:00Z".parse().unwrap();
        turn.append_message(at, said).unwrap();
    });
    let none = r#"{"notes":[]}"#;
    let script = Arc::new((0..9).fold(script, |script, _| script.says(none)));
    home.ask(script.clone());
    home.set("2026-03-02T09:00:00Z");
    let flushed = flush(&home.runtime, &main(), FlushReason::Dream, &mut |_| {}).await;
    assert_eq!(flushed.unwrap(), Some(FlushOutcome::Nothing));
    assert_eq!(script.requests().len(), 1);
    assert_eq!(home.turn().unflushed().unwrap().n_entries(), 1);
}
