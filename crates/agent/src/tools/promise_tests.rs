//! Reminders that a model keeps with its tool: what takes effect, and what is asked back.

use std::sync::Arc;

use base::test_kit::Words;
use serde_json::json;

use crate::event::Event;
use crate::test_kit::{Home, Script, home};

const PAGE: &str = "workspace/PROMISES.md";

/// Monday.
const NOW: &str = "2026-03-02T08:00:00Z";

fn call(home: &Home, arguments: &serde_json::Value) -> String {
    home.call("main", "promise", &arguments.to_string())
}

fn after(said: &str) -> Home {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    home.record(NOW, said);
    home
}

#[test]
fn reminder_has_time_of_the_owners_words_and_their_message_as_evidence() {
    let home = after("Can you nudge me about the plumber on Friday at 9?");
    let added = json!({
        "action": "add", "quote": "nudge me about the plumber", "text": "Call the plumber", "when": "on Friday at 9",
    });
    call(&home, &added).holds("2026-03-06 09:00");
    home.read(PAGE)
        .holds("- 2026-03-06 09:00 Call the plumber ^");
    let records = home.read("state/notes.jsonl");
    records.holds(r#""evidence":[""#);
}

#[test]
fn time_that_owner_did_not_say_or_that_is_uncertain_makes_no_reminder() {
    let home = after("Remind me tomorrow at 5 to call Ana");
    let with = |when: &str| {
        let quote = "Remind me tomorrow at 5";
        json!({ "action": "add", "quote": quote, "text": "call Ana", "when": when })
    };
    call(&home, &with("2026-03-03 17:00")).holds("is not in the owner's message");
    let asked = call(&home, &with("tomorrow at 5"));
    asked.holds("5:00 may be in the morning or in the afternoon");
    asked.holds("It may be 2026-03-03 05:00 or 2026-03-03 17:00.");
    call(&home, &with("")).holds("did not name a time");
    let unasked = json!({ "action": "add", "quote": "remind me of the cake", "text": "cake", "when": "tomorrow at 5" });
    call(&home, &unasked).holds("the quote is not in the owner's last message");
    let page = std::path::Path::new("/home").join(PAGE);
    assert_eq!(home.disk.stat(&page).unwrap(), None);
}

#[test]
fn reminder_is_ended_moved_and_restored_by_word() {
    let home =
        after("Remind me on Friday at 9 to call the plumber and at 10 on Friday to call Ana");
    for (when, text) in [
        ("on Friday at 9", "call the plumber"),
        ("at 10 on Friday", "call Ana"),
    ] {
        let added =
            json!({ "action": "add", "quote": "Remind me on Friday", "text": text, "when": when });
        call(&home, &added).holds("Kept as ^");
    }
    home.record(
        NOW,
        "The plumber has come. Ana can wait until Saturday at 9:30.",
    );
    let several = json!({ "action": "done", "quote": "The plumber has come", "text": "call" });
    call(&home, &several).holds("Several reminders have the words");
    let done = json!({ "action": "done", "quote": "The plumber has come", "text": "plumber" });
    call(&home, &done).holds("Reminder done: call the plumber");
    let moved = json!({
        "action": "snooze", "quote": "Ana can wait", "text": "Ana", "when": "Saturday at 9:30",
    });
    call(&home, &moved).holds("2026-03-07 09:30");
    let page = home.read(PAGE);
    page.holds("- [x] 2026-03-06 09:00 call the plumber ^");
    page.holds("- 2026-03-07 09:30 call Ana ^");
    home.record(NOW, "No, undo that, the plumber has not come");
    let undone = json!({ "action": "undo", "quote": "undo that, the plumber", "text": "plumber" });
    call(&home, &undone).holds("Reminder for 2026-03-06 09:00: call the plumber");
}

#[test]
fn time_is_read_from_the_day_of_the_message_that_names_it() {
    let home = after("Remind me tomorrow at 9 to call the plumber");
    home.record("2026-03-02T22:30:00Z", "Yes please, do that for me");
    home.set("2026-03-03T08:00:00Z");
    let add = |when: &str| {
        let quote = "Yes please, do that for me";
        json!({ "action": "add", "quote": quote, "text": "call the plumber", "when": when })
    };
    let asked = call(&home, &add("tomorrow at 9"));
    let page = home.read(PAGE);
    assert!(!page.contains("2026-03-04"), "{asked} {page}");
}

#[test]
fn end_of_a_reminder_needs_a_quote_of_several_words_or_a_sentence_and_words_that_mean_one() {
    let home = after("Remind me on 2 October at 9 to call the plumber and to buy a cake.");
    let quote = "Remind me on 2 October";
    for text in ["call the plumber", "buy a cake"] {
        let when = "on 2 October at 9";
        let added = json!({ "action": "add", "quote": quote, "text": text, "when": when });
        call(&home, &added).holds("Kept as ^");
    }
    home.record(NOW, "The plumber has come. Done. Thank you for that.");
    let done = |quote: &str, text: &str| {
        call(
            &home,
            &json!({ "action": "done", "quote": quote, "text": text }),
        )
    };
    done("plumber", "plumber").holds("the quote is too short");
    done("Done.", "").holds("No reminder has the words \"\"");
    // Reminders of any day are found, and those that are done are not offered.
    done("Done.", "plumber").holds("Reminder done: call the plumber");
    let again = done("Done.", "plumber");
    again.holds("No reminder has the words");
    again.lacks("call the plumber");
}

#[tokio::test]
async fn reminder_that_the_tool_moved_is_not_made_again_from_the_same_message() {
    let moved = json!({
        "action": "snooze", "quote": "remind me on Saturday at 10", "text": "Ana", "when": "on Saturday at 10",
    });
    let script = Script::new()
        .says("Sure.")
        .calls("promise", &moved.to_string())
        .says("Moved.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    home.say(NOW, "Remind me on Friday at 9 to call Ana.").await;
    home.say(
        "2026-03-02T08:01:00Z",
        "Please remind me on Saturday at 10 to call Ana instead.",
    )
    .await;
    let page = home.read(PAGE);
    page.holds("- 2026-03-07 10:00 call Ana ^");
    assert_eq!(page.matches("call Ana").count(), 1, "{page}");
}

#[tokio::test]
async fn message_that_the_tool_answered_is_not_kept_twice() {
    let added = json!({
        "action": "add", "quote": "Remind me on Friday", "text": "Plumber", "when": "on Friday at 9",
    });
    let script = Script::new()
        .calls("promise", &added.to_string())
        .says("Done.")
        .says("Sure.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    let said = "Remind me on Friday at 9 to call the plumber.";
    let (_, told) = home.say_in("main", NOW, said).await;
    let page = home.read(PAGE);
    page.holds("- 2026-03-06 09:00 Plumber ^");
    assert_eq!(page.matches("2026-03-06").count(), 1, "{page}");
    let changed = told
        .iter()
        .filter(|own| matches!(own, Event::MemoryChanged(_)));
    assert_eq!(changed.count(), 1);
    // A model that calls no tool loses no reminder.
    home.say(
        "2026-03-02T08:01:00Z",
        "Remind me on Saturday at 10 to call Ana.",
    )
    .await;
    home.read(PAGE).holds("- 2026-03-07 10:00 call Ana ^");
}

#[test]
fn moved_reminder_keeps_its_repetition_or_takes_the_one_that_the_owner_names() {
    let home = after("Remind me every Monday at 10 to water the plants");
    let quote = "Remind me every Monday";
    let added = json!({ "action": "add", "quote": quote, "text": "water the plants", "when": "every Monday at 10" });
    call(&home, &added).holds("Kept as ^");
    home.record(
        NOW,
        "This time water them on Tuesday at 9:30. And then every Thursday at 11, please.",
    );
    let snooze = |quote: &str, when: &str| json!({ "action": "snooze", "quote": quote, "text": "water", "when": when });
    call(
        &home,
        &snooze("This time water them on Tuesday", "on Tuesday at 9:30"),
    );
    home.read(PAGE)
        .holds("- 2026-03-03 09:30 water the plants (every Monday at 10:00) ^");
    call(
        &home,
        &snooze("And then every Thursday", "every Thursday at 11"),
    )
    .holds("every Thursday at 11:00");
    home.read(PAGE)
        .holds("- 2026-03-05 11:00 water the plants (every Thursday at 11:00) ^");
}

#[test]
fn reminder_of_a_subject_needs_no_time() {
    let home = after("Next time we talk about my bike, ask me about the brake");
    let added = json!({
        "action": "add", "quote": "ask me about the brake", "text": "ask about the brake", "about": "my bike",
    });
    call(&home, &added).holds("when my bike comes up");
    home.read(PAGE)
        .holds("## When it comes up\n\n- my bike: ask about the brake ^");
}

#[tokio::test]
async fn second_reminder_of_a_message_is_kept_if_the_tool_keeps_the_first() {
    let added = json!({
        "action": "add", "quote": "Remind me on Friday", "text": "Dad", "when": "on Friday at 9",
    });
    let script = Script::new()
        .calls("promise", &added.to_string())
        .says("Done.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    let said = "Remind me on Friday at 9 to call dad and remind me on Friday at 9 to buy bread \
        and remind me on Saturday at 10 to call Ana.";
    home.say(NOW, said).await;
    let page = home.read(PAGE);
    page.holds("- 2026-03-06 09:00 Dad ^");
    page.holds("- 2026-03-06 09:00 buy bread ^");
    page.holds("- 2026-03-07 10:00 call Ana ^");
    assert_eq!(page.matches("2026-03-0").count(), 3, "{page}");
}
