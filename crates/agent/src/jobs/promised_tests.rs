//! What the assistant promised in its reply: when it becomes a line of `PROMISES.md`, and what the owner is told.

use std::sync::Arc;

use serde_json::json;

use crate::event::Event;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::test_kit::{Home, Script, home, main};

const PAGE: &str = "workspace/PROMISES.md";

/// Monday.
const NOW: &str = "2026-03-02T08:00:00Z";

/// A conversation in which the assistant says this, and a flush whose note cites it as a promise; the notices.
async fn flushed(reply: &str, quote: &str) -> (Home, Vec<String>) {
    let note = json!({ "notes": [
        { "section": "Promised", "text": quote, "evidence": ["e2"], "quote": quote },
        { "section": "Notes", "text": "The flight to Oslo", "evidence": ["e1"], "quote": "the flight to Oslo" },
    ] });
    let script = Script::new().says(reply).says(&note.to_string());
    let home = home(Arc::new(script));
    home.say(NOW, "Can you watch the flight to Oslo?").await;
    let mut told = Vec::new();
    let mut on_event = |event| {
        if let Event::Notice(notice) = event {
            told.push(notice);
        }
    };
    flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut on_event)
        .await
        .unwrap();
    (home, told)
}

#[tokio::test]
async fn promise_of_the_assistant_is_a_line_with_its_sentence_and_is_never_told_by_itself() {
    let (home, told) = flushed(
        "Gladly. I will check the price on Friday. Anything else?",
        "I will check the price on Friday",
    )
    .await;
    let page = home.read(PAGE);
    assert!(
        page.contains("## Promised\n\n- 2026-03-06 I will check the price on Friday. ^"),
        "{page}"
    );
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("agenda keep "), "{told:?}");
    let log = home.read("workspace/memory/2026-03-02.md");
    assert!(
        log.contains("The flight to Oslo") && !log.contains("check the price"),
        "{log}"
    );
    home.set("2026-03-07T12:00:00Z");
    let now = (home.runtime.home.clock.now(), home.runtime.home.timezone);
    let due = memory::promises::claim_due(&home.runtime.home.workspace, now, "main", &|_| true);
    assert_eq!(due.unwrap(), []);
}

#[tokio::test]
async fn promise_without_certain_time_stays_as_note() {
    for (reply, quote) in [
        ("I will look into it soon.", "I will look into it soon"),
        (
            "I will check it next Friday.",
            "I will check it next Friday",
        ),
    ] {
        let (home, told) = flushed(reply, quote).await;
        assert_eq!(told, Vec::<String>::new());
        let log = home.read("workspace/memory/2026-03-02.md");
        assert!(log.contains(quote), "{log}");
        let page = std::path::Path::new("/home").join(PAGE);
        assert_eq!(home.disk.stat(&page).unwrap(), None);
    }
}

#[tokio::test]
async fn words_of_the_owner_are_no_promise_of_the_assistant() {
    let note = json!({ "notes": [
        { "section": "Promised", "text": "call", "evidence": ["e1"], "quote": "I will call Ana on Friday" },
    ] });
    let script = Script::new().says("Good.").says(&note.to_string());
    let home = home(Arc::new(script));
    home.say(NOW, "I will call Ana on Friday").await;
    flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut |_| {})
        .await
        .unwrap();
    let page = std::path::Path::new("/home").join(PAGE);
    assert_eq!(home.disk.stat(&page).unwrap(), None);
}
