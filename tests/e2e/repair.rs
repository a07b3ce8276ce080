//! A transcript with lines that cannot be read is made whole from the command line, and nothing is lost.
//!
//! What is shown, found and gone on with is the same before and after.

use base::disk::{Disk, OsDisk};
use insta::assert_snapshot;
use kit::{TestHome, conversation, to_jsonl};

/// A session `talk` with a line that is no JSON, one that is no text, and a torn end.
fn damaged_home() -> TestHome {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(1, 12)));
    let arguments = ["replay", "talk.jsonl", "-s", "talk"];
    let _ = home.run(&arguments).with_code(0);
    let text = home.read("sessions/talk.jsonl");
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    lines[4] = b"this is no JSON".to_vec();
    lines[7] = b"\xff\0 no text".to_vec();
    let mut bytes = lines.join(&b'\n');
    bytes.extend(b"\n{\"type\":\"mess");
    home.write("sessions/talk.jsonl", bytes);
    home
}

#[test]
fn lines_that_cannot_be_read_are_set_aside_and_the_session_is_whole() {
    let home = damaged_home();
    let shown = |home: &TestHome| {
        let run = home.run(&["session", "export", "talk"]).with_code(0);
        assert!(run.stdout.contains("## "), "{}", run.transcript());
        run.stdout
    };
    let before = shown(&home);
    let files = home.files();
    assert_snapshot!(
        home.run(&["session", "verify", "talk"])
            .with_code(5)
            .transcript()
    );
    let planned = home.run(&["session", "repair", "talk", "--dry-run"]);
    assert_snapshot!(planned.with_code(0).transcript());
    assert_eq!(home.files(), files);
    assert_snapshot!(
        home.run(&["session", "repair", "talk"])
            .with_code(0)
            .transcript()
    );
    assert_snapshot!(
        home.run(&["session", "verify", "talk"])
            .with_code(0)
            .transcript()
    );
    assert_snapshot!(
        home.run(&["session", "repair", "talk"])
            .with_code(0)
            .transcript()
    );
    assert_eq!(shown(&home), before);
    let kept = home.list("state/quarantine").into_iter();
    let kept: Vec<String> = kept
        .map(|file| home.read_lossy(&format!("state/quarantine/{file}")))
        .collect();
    let lossy = String::from_utf8_lossy(b"\xff\0 no text\n").into_owned();
    for bytes in ["this is no JSON\n", &lossy, "{\"type\":\"mess"] {
        assert!(kept.iter().any(|it| it == bytes), "{bytes:?} in {kept:?}");
    }
    // The session goes on, and nobody is warned any more.
    let run = home
        .run(&["chat", "-s", "talk", "-m", "hello"])
        .with_code(0);
    assert!(!run.stderr.contains("warning"), "{}", run.transcript());
}

#[test]
fn a_repair_says_what_it_did_to_programs() {
    let home = damaged_home();
    assert_snapshot!(
        home.run(&["session", "repair", "talk", "--json"])
            .with_code(0)
            .transcript()
    );
}

#[test]
fn the_doctor_names_the_repair() {
    let home = damaged_home();
    let run = home.run(&["doctor"]).with_code(1);
    assert!(
        run.stdout.contains("next: openclaw session repair talk\n"),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_session_in_use_is_not_repaired() {
    let home = damaged_home();
    let before = home.files();
    for lock in ["talk.lock", "@background-talk.lock"] {
        let path = home.path().join("state/locks").join(lock);
        let held = OsDisk.try_lock(&path).unwrap();
        let run = home.run(&["session", "repair", "talk"]).with_code(4);
        assert!(
            run.stderr.contains("session talk is in use"),
            "{}",
            run.transcript()
        );
        assert!(run.stderr.contains("hint: "), "{}", run.transcript());
        drop(held);
    }
    let sessions = |files: Vec<(std::path::PathBuf, Vec<u8>)>| {
        let is_lock = |path: &std::path::Path| path.starts_with(home.path().join("state/locks"));
        files
            .into_iter()
            .filter(|(path, _)| !is_lock(path))
            .collect::<Vec<_>>()
    };
    assert_eq!(sessions(home.files()), sessions(before));
}
