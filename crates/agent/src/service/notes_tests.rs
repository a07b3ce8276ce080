//! Notes of idle sessions, written by a service.

use std::time::Duration;

use futures_util::FutureExt;

use super::*;
use crate::test_kit::{Home, main, offline_home};

const HALL: &str = "I decided to rent the small hall.";

/// The report of the service at this moment, as `session: notes`.
async fn told(notes: &mut IdleNotes) -> Option<String> {
    let has_begun = notes.begin_if_due() || notes.job.is_some();
    if !has_begun {
        return None;
    }
    let news = tokio::time::timeout(Duration::from_millis(500), notes.next()).await;
    news.ok().map(|news| match news {
        NotesNews::Written { session, n_notes } => format!("{session}: {n_notes}"),
        NotesNews::Failed { session, error } => format!("{session}: {error:?}"),
    })
}

fn notes_of(home: &Home) -> IdleNotes {
    IdleNotes::new(Arc::new(home.runtime.beside()))
}

#[tokio::test]
async fn i4_idle_session_is_noted_once() {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", HALL).await;
    home.set("2026-03-02T08:30:00Z");
    let mut notes = notes_of(&home);
    assert_eq!(told(&mut notes).await, Some(format!("{}: 1", main())));
    let before = home.read("sessions/main.jsonl");
    assert_eq!(told(&mut notes).await, None);
    assert!(notes.next().now_or_never().is_none());
    // Another service on the same home finds it done.
    assert_eq!(told(&mut notes_of(&home)).await, None);
    assert_eq!(home.read("sessions/main.jsonl"), before);
}

#[tokio::test]
async fn active_session_is_not_noted_before_idle_time() {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", HALL).await;
    home.set("2026-03-02T08:29:59Z");
    assert_eq!(told(&mut notes_of(&home)).await, None);
}

#[tokio::test]
async fn i11_notes_service_writes_no_session_in_empty_home() {
    let home = offline_home();
    assert_eq!(told(&mut notes_of(&home)).await, None);
    assert_eq!(home.read("sessions/main.jsonl"), "");
}
