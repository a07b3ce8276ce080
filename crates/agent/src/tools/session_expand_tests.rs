//! The messages of its own conversation that the assistant gets back.

use std::sync::Arc;

use base::test_kit::Words;
use base::{EntryId, Message};
use session::StoredMessage;

use crate::fence::without_fenced;
use crate::jobs::compaction_kit::compaction;
use crate::test_kit::{Home, Script, home};
use crate::waiting::begin_now;

/// Four messages of a session next to the primary one, of which a summary replaced three.
fn compacted() -> Home {
    let home = home(Arc::new(Script::new()));
    let name = "other".parse().unwrap();
    let mut turn = begin_now(&home.runtime, &name, &mut |_| {}).unwrap();
    let now = home.runtime.home.clock.now();
    let mut say = |message: Message, origin| {
        let at = turn.append_message(now, StoredMessage::new(message, origin));
        at.unwrap()
    };
    let owner = base::Origin::Owner;
    say(Message::user("The hall costs 1,250 euros in May."), owner);
    say(Message::assistant("Noted."), base::Origin::Agent);
    let secret = format!("the key is sk-ant-api03-{}", "a1B2c3D4".repeat(6));
    say(Message::user(secret), owner);
    let kept = say(Message::user("And now?"), owner);
    turn.append_compaction(now, compaction(kept)).unwrap();
    home
}

fn call(home: &Home, arguments: &str) -> String {
    home.call("other", "session_expand", arguments)
}

/// Ids differ in each run.
fn without_ids(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        lines.push(match line.split_once("jsonl#") {
            Some((before, after)) => {
                let after = after.split_once('"').map_or("", |(_, after)| after);
                format!("{before}jsonl#ID\"{after}")
            }
            None => line.to_owned(),
        });
    }
    lines.join("\n")
}

#[test]
fn i14_expanded_messages_are_fenced_and_redacted() {
    let home = compacted();
    insta::assert_snapshot!(without_ids(&call(&home, "{}")));
}

#[test]
fn expand_omits_forgotten_messages() {
    let home = compacted();
    let given = call(&home, "{}");
    let (_, first) = given.split_once("jsonl#").unwrap();
    let (first, _) = first.split_once('"').unwrap();
    home.forget("other", EntryId::new(first), 2);
    let given = call(&home, "{}");
    given.holds("Noted.");
    given.lacks("euros");
}

#[test]
fn expand_query_selects_messages() {
    let home = compacted();
    let given = call(&home, r#"{"query": "euros", "epoch": 0}"#);
    for part in ["1,250 euros", "[2 messages, ", "\n1 of 3 messages, "] {
        assert!(given.contains(part), "{given}");
    }
    assert!(!given.contains("Noted."), "{given}");
}

#[test]
fn i8_expanded_messages_are_fenced_whole() {
    let home = compacted();
    let given = call(&home, "{}");
    let learned = without_fenced(&given);
    learned.lacks("1,250");
    learned.lacks("Noted");
}
