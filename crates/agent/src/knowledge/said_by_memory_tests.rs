//! Passages beside the lines of `MEMORY.md` that were made from them.

use base::{Origin, TokenCount};

use super::*;
use crate::knowledge::scope::Viewer;
use crate::ops::{OpContext, Operation, Search};
use crate::test_kit::{main, offline_home};

#[tokio::test]
async fn message_behind_line_is_said_by_it_unless_it_states_more() {
    let home = offline_home();
    let told = [
        "Please remember that I am allergic to hazelnuts.",
        "Remember that the boat lies in Grimma. The mast is broken.",
        "I am allergic to hazelnuts, says Ann.",
    ];
    for (number, text) in told.iter().enumerate() {
        home.say(&format!("2026-03-02T08:0{number}:00Z"), text)
            .await;
    }
    let workspace = &home.runtime.home.workspace;
    let memory = home.read("workspace/MEMORY.md");
    let knowledge = home.runtime.memory.knowledge.as_deref();
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let at = OpContext::new(access, &engine.settings, knowledge, &Viewer::Owner);
    let search = Search {
        query: "hazelnuts boat Grimma mast".to_owned(),
        ..Search::default()
    };
    let found = search.run(&at).unwrap().answer.results;
    let said = SaidByMemory::in_text(&memory, workspace);
    let message = |text: &str| {
        let mut own = found.iter().filter(|it| it.origin == Origin::Owner);
        own.find(|it| it.text.contains(text))
            .unwrap_or_else(|| panic!("{text}: {found:?}"))
    };
    assert!(
        said.say(message("Please remember that I am allergic")),
        "{memory}"
    );
    assert!(!said.say(message("The mast is broken")));
    assert!(!said.say(message("says Ann")));
    let nothing = SaidByMemory::in_text("", workspace);
    assert!(!nothing.say(message("Please remember that I am allergic")));
}

#[tokio::test]
async fn note_of_today_that_line_says_is_removed_from_log() {
    let home = offline_home();
    home.say(
        "2026-03-02T08:00:00Z",
        "Please remember that I am allergic to hazelnuts.",
    )
    .await;
    let said = home.entries(&main());
    for text in ["I am allergic to hazelnuts.", "Hazelnuts grow in Grimma."] {
        home.note_citing(text, Origin::Agent, vec![said[0].clone()]);
    }
    let workspace = &home.runtime.home.workspace;
    let day = home.runtime.home.today();
    let logs = workspace.recent_logs(day, TokenCount(1_000)).unwrap();
    let after = |memory: &str| {
        let mut log = logs[0].clone();
        SaidByMemory::in_text(memory, workspace).remove_from(&mut log);
        log
    };
    assert_eq!(after("# About something else\n"), logs[0]);
    let rest = after(&home.read("workspace/MEMORY.md"));
    let lines = logs[0].text.lines();
    let gone: Vec<&str> = lines.filter(|it| !rest.text.contains(it)).collect();
    assert_eq!(gone, ["- I am allergic to hazelnuts."]);
    assert_eq!(rest.text.lines().count(), rest.lines.len());
}
