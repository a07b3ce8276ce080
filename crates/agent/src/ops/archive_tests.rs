//! What is offered for the archive, and what goes there.

use base::test_kit::Words;
use memory::candidates::{Access, DreamPlan};

use super::*;
use crate::knowledge::scope::Viewer;
use crate::ops::UndoChange;
use crate::test_kit::{Home, offline_home};

fn run<R: Operation>(home: &Home, request: R) -> Result<R::Reply, OpError> {
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    request.run(&OpContext::new(
        access,
        &engine.settings,
        None,
        &Viewer::Owner,
    ))
}

fn texts(lines: &[ArchiveLine]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

/// A home with two lines that the owner asked for, of which a dream offered the first.
fn home() -> Home {
    let home = offline_home();
    for text in ["The boat is blue.", "The tax number is 42."] {
        let line = crate::ops::Remember {
            text: text.to_owned(),
            ..Default::default()
        };
        run(&home, line).unwrap();
    }
    let mut desk = home.runtime.home.desk(Access::Write).unwrap();
    let lines = memory_lines(desk.memory());
    let id = lines
        .iter()
        .find(|line| line.text.contains("boat"))
        .unwrap();
    let unearned = id.id().map(str::to_owned);
    let plan = DreamPlan {
        unearned: Some(unearned.into_iter().collect()),
        ..DreamPlan::default()
    };
    assert_eq!(desk.dream(&plan).unwrap().n_offered, 1);
    // A second dream does not report it again.
    assert_eq!(desk.dream(&plan).unwrap().n_offered, 0);
    drop(desk);
    home
}

#[test]
fn offered_line_stays_until_owner_moves_it_and_undo_restores_it() {
    let home = home();
    let before = home.read("workspace/MEMORY.md");
    let dry = Archive {
        dry_run: true,
        ..Archive::default()
    };
    assert_eq!(
        texts(&run(&home, dry).unwrap().offered),
        ["The boat is blue."]
    );
    assert_eq!(home.read("workspace/MEMORY.md"), before);
    let all = Archive {
        all: true,
        ..Archive::default()
    };
    let reply = run(&home, all.clone()).unwrap();
    assert_eq!(texts(&reply.archived), ["The boat is blue."]);
    assert_eq!(texts(&reply.offered), Vec::<&str>::new());
    home.read("workspace/MEMORY.md").lacks("boat");
    home.read("workspace/memory/archive.md")
        .holds("The boat is blue.");
    assert_eq!(
        texts(&run(&home, all).unwrap().archived),
        Vec::<&str>::new()
    );
    let undone = run(&home, UndoChange::default()).unwrap();
    assert_eq!(undone.taken_back, "you moved 1 line to the archive");
    assert_eq!(home.read("workspace/MEMORY.md"), before);
}

#[test]
fn named_line_moves_without_offer_and_line_by_hand_stays() {
    let home = home();
    let memory = home.read("workspace/MEMORY.md");
    home.write("MEMORY.md", &format!("{memory}- The cat is called Mo.\n"));
    let named = |words: &str| Archive {
        lines: vec![words.to_owned()],
        ..Archive::default()
    };
    let moved = run(&home, named("tax number")).unwrap();
    assert_eq!(texts(&moved.archived), ["The tax number is 42."]);
    assert_eq!(texts(&moved.offered), ["The boat is blue."]);
    let failed = run(&home, named("cat is called")).unwrap_err();
    assert_eq!(
        failed.to_string(),
        "you wrote this line of MEMORY.md by hand, so it stays there: The cat is called Mo."
    );
    run(&home, named("no such words here")).unwrap_err();
    home.read("workspace/MEMORY.md")
        .holds("The cat is called Mo.");
}
