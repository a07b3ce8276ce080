//! What the owner asks to take back: the last change that the conversation announced, and no other.

use std::sync::Arc;

use dreaming::ChangeReason;
use memory::candidates::Access;
use serde_json::json;

use crate::asked::{AskedLine, remember_typed};
use crate::test_kit::{Home, Script, home};

const MEMORY: &str = "workspace/MEMORY.md";

fn script() -> Script {
    let meat = json!({ "text": "Ann eats no meat", "quote": "Ann eats no meat" });
    let fish = json!({ "text": "Ann eats no fish", "quote": "Ann eats no fish" });
    let undo = json!({ "quote": "undo that please" });
    Script::new()
        .calls("remember", &meat.to_string())
        .says("Noted.")
        .calls("remember", &fish.to_string())
        .says("Noted.")
        .calls("undo", &undo.to_string())
        .says("Undone.")
        .calls("undo", &undo.to_string())
        .says("Undone.")
}

async fn two_remembered(home: &Home) -> [String; 2] {
    home.runtime.home.workspace.init().unwrap();
    let empty = home.read(MEMORY);
    home.say("2026-03-02T08:00:00Z", "Remember that Ann eats no meat.")
        .await;
    let one = home.read(MEMORY);
    home.say("2026-03-02T08:01:00Z", "Remember that Ann eats no fish.")
        .await;
    assert!(home.read(MEMORY).contains("- Ann eats no fish ^"));
    [empty, one]
}

#[tokio::test]
async fn undo_takes_back_one_announced_change_after_the_other() {
    let home = home(Arc::new(script()));
    let [empty, one] = two_remembered(&home).await;
    home.say("2026-03-02T08:02:00Z", "Oh no, undo that please.")
        .await;
    assert_eq!(home.read(MEMORY), one);
    // The owner has decided, so nothing waits for review.
    let desk = home.runtime.home.desk(Access::Read).unwrap();
    assert_eq!(desk.state().pending, []);
    drop(desk);
    home.say(
        "2026-03-02T08:03:00Z",
        "And the one before: undo that please.",
    )
    .await;
    assert_eq!(home.read(MEMORY), empty);
}

#[tokio::test]
async fn undo_leaves_a_change_that_the_conversation_did_not_announce() {
    let home = home(Arc::new(script()));
    two_remembered(&home).await;
    let line = AskedLine {
        text: "The boat costs 4000 euros".to_owned(),
        section: None,
        replaces: None,
        reason: ChangeReason::Changed,
    };
    remember_typed(&home.runtime.home, &line).unwrap();
    let before = home.read(MEMORY);
    home.record("2026-03-02T08:02:00Z", "Oh no, undo that please.");
    let answer = home.call(
        "main",
        "undo",
        &json!({ "quote": "undo that please" }).to_string(),
    );
    assert!(
        answer.starts_with("failed: Nothing was taken back: memory has changed since ("),
        "{answer}"
    );
    assert_eq!(home.read(MEMORY), before);
    let unasked = home.call(
        "main",
        "undo",
        &json!({ "quote": "take it all back" }).to_string(),
    );
    assert!(
        unasked.starts_with("failed: Nothing was changed: the quote"),
        "{unasked}"
    );
}

#[test]
fn undo_without_a_change_says_that_there_is_none() {
    let home = home(Arc::new(Script::new()));
    home.record("2026-03-02T08:02:00Z", "Oh no, undo that please.");
    let answer = home.call(
        "main",
        "undo",
        &json!({ "quote": "undo that please" }).to_string(),
    );
    assert_eq!(
        answer,
        "failed: This conversation has no change of memory to take back."
    );
}
