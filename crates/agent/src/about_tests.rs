//! The lists of what memory contains about the owner and for the days ahead.

use std::sync::Arc;

use base::test_kit::Words;
use base::{Disk, Message};

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
    let known = known_about_owner(&home.runtime.home.workspace, base::Tz::UTC).unwrap();
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

#[test]
fn known_about_owner_lists_first_person_statements_of_pages_with_their_places() {
    let directory = tempfile::tempdir().unwrap();
    let disk = base::disk::OsDisk;
    let at = |path: &str| directory.path().join(path);
    for folder in ["memory", "Me"] {
        disk.create_dir(&at(folder)).unwrap();
    }
    for (path, text) in [
        ("MEMORY.md", MEMORY),
        (
            "Me/About.md",
            "# About\n\n- I prefer tea\n- I live in Graz and work at the observatory.\n- Ben lives in Leeds.\n",
        ),
        ("Me/2026-02-01.md", "I live with a cold today.\n"),
    ] {
        base::disk::replace(&disk, &at(path), text.as_bytes()).unwrap();
    }
    let layout = base::HomeLayout::of_workspace(directory.path());
    let workspace = Workspace::new(Arc::new(disk), layout);
    let known = known_about_owner(&workspace, Tz::UTC).unwrap();
    let told = known.iter().filter(|own| own.place.path.starts_with("Me/"));
    let told: Vec<String> = told
        .map(|own| format!("{}: {} ({})", own.theme, own.text, own.place))
        .collect();
    let expected = "About the Owner: I live in Graz and work at the observatory. (Me/About.md:4)";
    assert_eq!(told, [expected]);
}
