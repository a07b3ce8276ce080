//! Requests of the owner to undo something: only changes that the conversation announced.

use std::sync::Arc;

use base::Origin;
use base::test_kit::Words;
use dreaming::ChangeReason;
use memory::candidates::Access;
use serde_json::json;

use crate::asked::{AskedLine, remember_typed};
use crate::test_kit::{Home, Script, adds, home, operations};

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
async fn repeated_undo_reverts_announced_changes_in_reverse_order() {
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

fn undo(home: &Home, quote: &str, what: &str) -> String {
    let asked = json!({ "quote": quote, "what": what });
    home.call("main", "undo", &asked.to_string())
}

#[tokio::test]
async fn undo_keeps_changes_not_announced_by_conversation() {
    let home = home(Arc::new(script()));
    two_remembered(&home).await;
    let line = AskedLine {
        text: "The boat costs 4000 euros".to_owned(),
        section: None,
        replaces: None,
        reason: ChangeReason::Changed,
    };
    remember_typed(&home.runtime.home, &line).unwrap();
    home.record("2026-03-02T08:02:00Z", "Oh no, undo that please.");
    let answer = undo(&home, "undo that please", "");
    assert_eq!(
        answer,
        "Taken back: MEMORY.md no longer has this change (remembered: Ann eats no fish)."
    );
    let memory = home.read(MEMORY);
    memory.holds("- The boat costs 4000 euros ^");
    memory.holds("- Ann eats no meat ^");
    memory.lacks("fish");
    let unasked = undo(&home, "take it all back", "");
    assert!(
        unasked.starts_with("failed: Nothing was changed: the quote"),
        "{unasked}"
    );
}

#[tokio::test]
async fn undo_reverts_named_earlier_change() {
    let home = home(Arc::new(script()));
    two_remembered(&home).await;
    home.record("2026-03-02T08:02:00Z", "Undo that about the meat.");
    let quote = "Undo that about the meat";
    let answer = undo(&home, quote, "no cheese");
    answer.holds("No change of memory in this conversation has the words \"no cheese\".");
    answer.holds("`remembered: Ann eats no fish`, `remembered: Ann eats no meat`");
    let answer = undo(&home, quote, "eats no meat");
    answer.holds("Taken back: ");
    let memory = home.read(MEMORY);
    memory.holds("- Ann eats no fish ^");
    memory.lacks("meat");
}

#[tokio::test]
async fn undo_after_dream_reverts_only_announced_line() {
    let meat = json!({ "text": "Ann eats no meat", "quote": "Ann eats no meat" });
    let boat = adds(
        "Facts",
        "The boat is blue and green",
        &["e1"],
        "The boat is blue and green",
    );
    let undo = json!({ "quote": "undo that please" });
    let script = Script::new()
        .calls("remember", &meat.to_string())
        .says("Noted.")
        .says(base::NOTHING_TO_KEEP)
        .says(&operations(&[boat]))
        .calls("undo", &undo.to_string())
        .says("Undone.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    home.say("2026-03-02T08:00:00Z", "Remember that Ann eats no meat.")
        .await;
    home.note("The boat is blue and green", Origin::Owner);
    let report = home.dreamt().await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    let (said, events) = home
        .say_in("main", "2026-03-02T08:02:00Z", "Oh no, undo that please.")
        .await;
    let memory = home.read(MEMORY);
    memory.holds("- The boat is blue and green ^");
    assert!(!memory.contains("meat"), "{said} {events:?} {memory}");
}

#[test]
fn undo_without_change_reports_nothing_to_undo() {
    let home = home(Arc::new(Script::new()));
    home.record("2026-03-02T08:02:00Z", "Oh no, undo that please.");
    let answer = home.call(
        "main",
        "undo",
        &json!({ "quote": "undo that please" }).to_string(),
    );
    assert_eq!(
        answer,
        "failed: This conversation has no change of memory to undo."
    );
}
