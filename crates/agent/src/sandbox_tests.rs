//! The requests and events of a conversation in a sandbox.

use std::sync::Arc;

use session::Payload;

use super::*;
use crate::test_kit::{Script, home, main};

#[tokio::test]
async fn i13_sandboxed_chat_truncates_old_messages_without_notes() {
    let script = Script::replies(8);
    let mut home = home(Arc::clone(&script) as _);
    home.runtime.sandbox = Some(Sandbox::default());
    let filling = "so it goes on ".repeat(1_500);
    let mut told = Vec::new();
    let mut last = Vec::new();
    for minute in 0..8 {
        let at = format!("2026-03-02T08:0{minute}:00Z");
        let text = format!("I decided to rent hall {minute}. {filling}");
        let (_, events) = home.say_in("main", &at, &text).await;
        told.extend(events.clone());
        last = events;
    }
    // Each is told once, however many requests are too large.
    let is_told = |event: &&Event| matches!(event, Event::Notice(_) | Event::Warning(_));
    let told: Vec<&Event> = told.iter().filter(is_told).collect();
    let expected = [
        Event::Notice(NO_FLUSH.to_owned()),
        Event::Notice(NO_COMPACTION.to_owned()),
        Event::Warning(PRESSURE.to_owned()),
    ];
    assert_eq!(told, expected.iter().collect::<Vec<_>>());
    assert!(!last.iter().any(|event| is_told(&event)));
    let written = home.payloads(&main());
    let is_left = |it: &Payload| matches!(it, Payload::Compaction(_) | Payload::Meta(_));
    assert!(!written.iter().any(is_left));
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), "");
    let requests = script.requests();
    assert_eq!(requests.len(), 8);
    let last = format!("{:?}", requests.last().unwrap());
    assert!(last.contains("older messages were truncated due to context limits]"));
    assert!(last.contains("hall 7") && !last.contains("hall 0"));
}
