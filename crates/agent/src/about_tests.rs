//! What memory is listed about the owner, and for the days ahead.

use std::sync::Arc;

use base::Message;
use base::test_kit::Words;
use serde_json::json;

use super::*;
use crate::test_kit::{Home, Script, home, offline_home};

const MEMORY: &str = "# Long-term memory\n\n## Facts\n\n- Ann's birthday is on 2026-03-09\n\n## Preferences\n\n- I prefer tea\n";

fn test_home() -> Home {
    let home = home(Arc::new(Script::new()));
    home.write("MEMORY.md", MEMORY);
    home.write(
        "USER.md",
        "# About the owner\n\n- Name: Kim\n- Languages:\n",
    );
    home
}

#[test]
fn known_about_owner_lists_lines_by_theme_with_places() {
    let home = test_home();
    let known = known_about_owner(&home.runtime.home.workspace).unwrap();
    let shown: Vec<String> = known
        .iter()
        .map(|own| format!("{}: {} ({})", own.theme, own.text, own.place))
        .collect();
    assert_eq!(
        shown,
        [
            "Preferences: I prefer tea (MEMORY.md:9)",
            "Facts: Ann's birthday is on 2026-03-09 (MEMORY.md:5)",
            "USER.md: Name: Kim (USER.md:3)",
        ]
    );
}

#[test]
fn agenda_lists_dated_notes_and_memory_lines_within_days() {
    let home = test_home();
    home.write(
        "memory/2026-03-01.md",
        "# 2026-03-01\n\n- Dentist tomorrow at 9\n- The fair was on 2026-02-27\n- Flight on 2026-03-20\n",
    );
    home.write(
        "memory/2026-03-02.md",
        "# 2026-03-02\n\n- Flight on 2026-03-20\n- Tea today\n- The tuner comes on 8 March\n",
    );
    let ahead = |n_days| {
        let today = "2026-03-02".parse().unwrap();
        let items = agenda(&home.runtime.home.workspace, today, n_days).unwrap();
        let shown = items
            .iter()
            .map(|own| format!("{} {} ({})", own.day, own.text, own.place));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        ahead(30),
        [
            "2026-03-02 Dentist tomorrow at 9 (memory/2026-03-01.md:3)",
            "2026-03-08 The tuner comes on 8 March (memory/2026-03-02.md:5)",
            "2026-03-09 Ann's birthday is on 2026-03-09 (MEMORY.md:5)",
            "2026-03-20 Flight on 2026-03-20 (memory/2026-03-02.md:3)",
        ]
    );
    assert_eq!(
        ahead(1),
        ["2026-03-02 Dentist tomorrow at 9 (memory/2026-03-01.md:3)"]
    );
    assert_eq!(ahead(0), Vec::<String>::new());
}

#[test]
fn agenda_leaves_out_notes_of_an_appointment_that_was_moved() {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    let (first, then) = (
        "The ear doctor is on 2026-03-10 at 14:30",
        "The ear doctor is on 2026-03-14 at 8:15",
    );
    home.record("2026-03-02T08:00:00Z", &format!("Remember: {first}."));
    let asked = json!({ "text": first, "quote": first });
    home.call("main", "remember", &asked.to_string());
    home.write(
        "memory/2026-03-02.md",
        "- On 2026-03-10 at half past two I see the ear doctor\n- On 2026-03-10 the piano is tuned\n",
    );
    home.record("2026-03-03T08:00:00Z", &format!("It was moved: {then}."));
    let asked = json!({ "line": first, "text": then, "quote": then, "reason": "changed" });
    let answer = home.call("main", "correct", &asked.to_string());
    assert!(answer.starts_with("MEMORY.md now says"), "{answer}");
    let today = "2026-03-03".parse().unwrap();
    let ahead = agenda(&home.runtime.home.workspace, today, 30).unwrap();
    let shown: Vec<String> = ahead
        .iter()
        .map(|own| format!("{} {}", own.day, own.text))
        .collect();
    assert_eq!(
        shown,
        [
            "2026-03-10 On 2026-03-10 the piano is tuned".to_owned(),
            format!("2026-03-14 {then}"),
        ]
    );
}

#[tokio::test]
async fn question_about_owner_is_answered_from_memory_offline() {
    let home = offline_home();
    home.write("MEMORY.md", MEMORY);
    home.say("2026-03-02T08:00:00Z", "What do you know about me?")
        .await;
    let turn = home.turn();
    let answer = turn.view().items.last().and_then(|item| item.message());
    let answer = answer.map(Message::text).unwrap_or_default();
    answer.holds("This is what memory says about you:");
    answer.holds("Preferences\n- I prefer tea (MEMORY.md:9)");
}
