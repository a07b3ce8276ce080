//! What the owner may correct: by its place, by its id, and on the page about the owner.

use base::Origin;

use crate::Viewer;
use crate::asked::{AskedLine, remember_typed};
use crate::ops::{Correct, OpContext, OpError, Operation, RememberReply};
use crate::test_kit::{Home, offline_home};

const USER: &str = "# About the owner\n\n- Name: Nora\n- Languages:\n- I like long walks\n";

fn begun() -> Home {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    home.write("USER.md", USER);
    let line = AskedLine {
        text: "I live in Connewitz".to_owned(),
        section: None,
        replaces: None,
        reason: dreaming::ChangeReason::Changed,
    };
    remember_typed(&home.runtime.home, &line).unwrap();
    home
}

fn correct(home: &Home, line: &str, text: &str) -> Result<RememberReply, OpError> {
    let (access, window) = (&home.runtime.home, &home.runtime.engine.settings);
    let knowledge = home.runtime.memory.knowledge.as_deref();
    let request = Correct {
        line: line.to_owned(),
        text: text.to_owned(),
        ..Correct::default()
    };
    request.run(&OpContext::new(access, window, knowledge, &Viewer::Owner))
}

#[test]
fn line_is_corrected_by_place_and_by_id() {
    let home = begun();
    let mark = |home: &Home| {
        let memory = home.read("workspace/MEMORY.md");
        let line = memory.lines().find(|it| it.contains("I live in")).unwrap();
        line.split_once('^').unwrap().1.to_owned()
    };
    let memory = home.read("workspace/MEMORY.md");
    let number = memory
        .lines()
        .position(|it| it.contains("I live in"))
        .unwrap()
        + 1;
    let reply = correct(&home, &format!("MEMORY.md:{number}"), "I live in Plagwitz").unwrap();
    assert_eq!(reply.replaces.as_deref(), Some("I live in Connewitz"));
    assert!(reply.next.contains("dream undo "), "{}", reply.next);
    let marked = format!("^{}", mark(&home));
    let reply = correct(&home, &marked, "I live in Lindenau").unwrap();
    assert_eq!(reply.text, "I live in Lindenau");
    let candidate = reply.id.unwrap();
    let reply = correct(&home, &candidate, "I live in Gohlis").unwrap();
    assert_eq!(reply.text, "I live in Gohlis");
    for nothing in [
        "MEMORY.md:1",
        "MEMORY.md:99",
        "MEMORY.md:0",
        "MEMORY.md:x",
        "USER.md:99",
        "USER.md:0",
    ] {
        let refused = correct(&home, nothing, "I live in Graz").unwrap_err();
        assert!(
            refused
                .to_string()
                .ends_with(&format!("stands at {nothing}")),
            "{refused}"
        );
        assert!(refused.hint().is_some());
    }
}

#[test]
fn note_is_corrected_by_place() {
    let home = begun();
    home.note("The bins go out on Monday", Origin::Owner);
    let log = home
        .runtime
        .home
        .workspace
        .log_path(home.runtime.home.today());
    let text = home.read(&format!("workspace/{log}"));
    let number = text.lines().position(|it| it.contains("bins")).unwrap() + 1;
    let reply = correct(
        &home,
        &format!("{log}:{number}"),
        "The bins go out on Tuesday",
    )
    .unwrap();
    assert!(reply.replaces.unwrap().contains("Monday"));
}

#[test]
fn line_about_owner_is_reworded_and_undone_by_command_that_reply_names() {
    let home = begun();
    let page = || home.read("workspace/USER.md");
    for (line, text, expected) in [
        ("Nora", "Nora Vik", "- Name: Nora Vik\n"),
        ("USER.md:3", "Nora Vik", "- Name: Nora Vik\n"),
        ("Languages", "Norwegian", "- Languages: Norwegian\n"),
        ("long walks", "I like short walks", "- I like short walks\n"),
        ("long walks", "Up at 6:30", "- Up at 6:30\n"),
    ] {
        let reply = correct(&home, line, text).unwrap();
        assert_eq!((reply.path.as_str(), reply.id), ("USER.md", None));
        assert!(page().contains(expected), "{}", page());
        let undo = shlex_words(&reply.next);
        let [.., place, before] = &undo[..] else {
            panic!("{undo:?}");
        };
        correct(&home, place, before).unwrap();
        assert_eq!(page(), USER, "{line}");
    }
}

/// The words of a command line.
fn shlex_words(command: &str) -> Vec<String> {
    let (_, rest) = command.split_once("memory correct ").unwrap();
    let (place, text) = rest.split_once(' ').unwrap();
    vec![place.to_owned(), text.trim_matches('\'').to_owned()]
}
