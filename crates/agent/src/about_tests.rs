//! What memory is listed about the owner, and for the days ahead.

use std::sync::Arc;

use base::Message;
use base::test_kit::Words;

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
