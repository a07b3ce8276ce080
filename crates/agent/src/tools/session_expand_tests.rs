//! What the assistant gets back of its own conversation.

use std::sync::Arc;

use base::{EntryId, Message, TokenCount, ToolCall, ToolCallId};
use futures_util::FutureExt;
use memory::Tombstones;
use session::{Compaction, CompactionDetails};

use crate::expand::{ExpandOptions, ExpandOrder, Piece, expand};
use crate::fence::without_fenced;
use crate::test_kit::{Home, Script, home};
use crate::tools::toolbox::answer;
use crate::turn::stored;

/// Four messages of a session beside the primary one, of which a summary replaced three.
fn compacted() -> Home {
    let home = home(Arc::new(Script::new()));
    let name = "other".parse().unwrap();
    let limit = home.runtime.resume_limit();
    let mut turn = home.runtime.home.sessions.begin_turn(&name, limit).unwrap();
    let now = home.runtime.home.clock.now();
    let mut say = |message: Message, origin| {
        let at = turn.append_message(now, stored(message, origin));
        at.unwrap()
    };
    let owner = base::Origin::Owner;
    say(Message::user("The hall costs 1,250 euros in May."), owner);
    say(Message::assistant("Noted."), base::Origin::Agent);
    let secret = format!("the key is sk-ant-api03-{}", "a1B2c3D4".repeat(6));
    say(Message::user(secret), owner);
    let kept = say(Message::user("And now?"), owner);
    let compaction = Compaction {
        epoch: None,
        summary: "They spoke of a hall.".to_owned(),
        first_kept: kept,
        tokens_before: TokenCount(9),
        details: CompactionDetails::default(),
    };
    turn.append_compaction(now, compaction).unwrap();
    home
}

fn call(home: &Home, arguments: &str) -> String {
    let call = ToolCall {
        id: ToolCallId::new("c"),
        name: "session_expand".to_owned(),
        arguments: arguments.to_owned(),
    };
    let name = "other".parse().unwrap();
    let result = answer(&home.runtime, &name, &EntryId::new("e"), &call).now_or_never();
    Message::ToolResult(result.unwrap()).text()
}

/// Ids are made anew in each run.
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
fn i14_replaced_messages_come_back_fenced_and_without_secrets() {
    let home = compacted();
    insta::assert_snapshot!(without_ids(&call(&home, "{}")));
}

#[test]
fn forgotten_messages_do_not_come_back() {
    let home = compacted();
    let options = ExpandOptions {
        by: None,
        budget: TokenCount(1_000),
        order: ExpandOrder::Ends,
    };
    let name = "other".parse().unwrap();
    let transcripts = (&home.runtime.home.sessions, &Tombstones::default());
    let limit = home.runtime.resume_limit();
    let expansion = expand(transcripts, &name, &options, limit).unwrap();
    let Some(Piece::Said { entry, .. }) = expansion.pieces.first() else {
        panic!("{expansion:?}");
    };
    home.forget("other", entry.clone(), 2);
    let given = call(&home, "{}");
    assert!(
        given.contains("Noted.") && !given.contains("euros"),
        "{given}"
    );
}

#[test]
fn a_query_selects_what_comes_back() {
    let home = compacted();
    let given = call(&home, r#"{"query": "euros", "epoch": 0}"#);
    assert!(
        given.contains("1,250 euros") && !given.contains("Noted."),
        "{given}"
    );
    assert!(
        given.contains("[2 messages, ") && given.contains("\n1 of 3 messages, "),
        "{given}"
    );
}

#[test]
fn i8_nothing_of_it_is_learned_a_second_time() {
    let home = compacted();
    let given = call(&home, "{}");
    let learned = without_fenced(&given);
    assert!(
        !learned.contains("1,250") && !learned.contains("Noted"),
        "{learned}"
    );
}
