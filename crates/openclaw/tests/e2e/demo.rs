//! `openclaw demo`: the first five minutes of somebody who has just installed the program.
//!
//! Runs the commands that the demo prints, as they are printed.

use insta::assert_snapshot;
use testkit::{ProgramRun, TestHome};

/// A demo in `~/openclaw-demo`, of a user whose home is the folder around the test home.
fn demo(home: &TestHome) -> ProgramRun {
    let mut command = home.command("demo");
    command.env("HOME", home.folder());
    home.finish(command)
}

#[test]
fn demo_explains_notes_dream_and_next_commands() {
    let home = TestHome::new();
    let run = demo(&home).with_code(0);
    let folder = home.folder().display().to_string();
    assert_snapshot!(run.stdout.replace(&folder, "~"));
    assert_eq!(run.stderr, "");
    assert_eq!(
        home.list(""),
        Vec::<String>::new(),
        "the owner has no home yet"
    );
}

#[test]
fn commands_printed_by_demo_work() {
    let home = TestHome::new();
    let folder = home.folder().join("openclaw-demo");
    let named = ["--home", folder.to_str().unwrap()];
    let run = home.ok(&[&named[..], &["--json", "demo"]].concat()).json();
    assert_eq!(run["messages"], 270);
    let next: Vec<Vec<String>> = run["next"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| shlex::split(command.as_str().unwrap()).unwrap())
        .collect();
    let [search, why, review, chat, undo] = next.as_slice() else {
        panic!("{next:?}")
    };
    let found = home.ok(&search[1..]);
    assert!(
        found.stdout.contains("are due this Thursday"),
        "{}",
        found.stdout
    );
    let why = home.ok(&why[1..]).stdout;
    // The demo has dreamt today.
    let dreamt = why.lines().find(|line| line.contains("added to MEMORY.md"));
    let today = dreamt.and_then(|line| line.split(' ').next()).unwrap();
    assert_snapshot!(why.replace(today, "TODAY"));
    let asked = home.ok(&review[1..]);
    let first = run["waiting"][0].as_str().unwrap();
    assert!(asked.stdout.contains(first), "{}", asked.transcript());
    let said = home.ok(&chat[1..]);
    assert!(
        said.stdout.contains("I am allergic to penicillin."),
        "{}",
        said.stdout
    );
    let undo = home.ok(&undo[1..]);
    assert!(undo.stdout.contains("penicillin"), "{}", undo.stdout);
    let message = home.ok(&[&named[..], &["why", "sessions/demo.jsonl:109"]].concat());
    assert_snapshot!(message.stdout.replace(today, "TODAY"));
    let note = home.ok(&[&named[..], &["why", "memory/2026-03-03.md:18"]].concat());
    assert_snapshot!(note.stdout.replace(today, "TODAY"));
}

#[test]
fn second_demo_is_rejected_and_changes_nothing() {
    let home = TestHome::new();
    demo(&home).with_code(0);
    let folder = home.folder().join("openclaw-demo");
    let memory = folder.join("workspace/MEMORY.md");
    let read = || base::disk::read_all(&base::disk::OsDisk, &memory, 1 << 20).unwrap();
    let before = read();
    let again = demo(&home).with_code(2);
    let hint = format!("delete it with `rm -r {}`", folder.display());
    assert!(again.told().contains(&hint), "{}", again.transcript());
    assert_eq!(read(), before);
    // What is no demo must never be deleted on our advice.
    let own = TestHome::new();
    own.write("config.yaml", "timezone: UTC\n");
    let other = own.run(&["demo"]).with_code(2);
    assert!(!other.told().contains("rm -r"), "{}", other.transcript());
}
