//! A transcript with lines that cannot be read is made whole from the command line, and nothing is lost.
//!
//! What is shown, found and gone on with is the same before and after.

use base::disk::{Disk, OsDisk};
use insta::assert_snapshot;
use testkit::{TestHome, conversation, to_jsonl};

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

/// The `next:` line of a command.
fn next(run: &testkit::Run) -> String {
    let mut lines = run
        .stdout
        .lines()
        .skip_while(|line| !line.contains("next: "));
    let first = lines.next().unwrap_or_default().trim_start();
    // A long one goes on in the next lines.
    let more = lines.take_while(|line| line.starts_with("    "));
    more.fold(first.to_owned(), |text, line| text + " " + line.trim())
}

#[test]
fn a_damaged_first_line_is_set_aside_and_then_nothing_has_to_be_done() {
    let home = TestHome::new();
    let _said = home.run(&["chat", "-m", "I live in Porto."]).with_code(0);
    let text = home.read("sessions/main.jsonl");
    let (_, rest) = text.split_once('\n').unwrap();
    home.write("sessions/main.jsonl", format!("{{\"type\":\"sess\n{rest}"));
    let run = home.run(&["doctor"]).with_code(1);
    assert_eq!(next(&run), "next: openclaw session repair main");
    let _repaired = home.run(&["session", "repair", "main"]).with_code(0);
    // Neither names the other any more.
    let nothing = "next: nothing has to be done: the session is read, and goes on, as it is";
    let verified = home.run(&["session", "verify", "main"]).with_code(0);
    assert_eq!(next(&verified), nothing);
    let doctor = home.run(&["doctor"]).with_code(0);
    assert!(doctor.stdout.contains(nothing), "{}", doctor.transcript());
    let run = home.run(&["chat", "-m", "Where do I live?"]).with_code(0);
    assert!(run.stdout.contains("Porto"), "{}", run.transcript());
}

#[test]
fn a_foreign_first_line_leads_to_a_whole_session() {
    let home = TestHome::new();
    let _said = home.run(&["chat", "-m", "I live in Porto."]).with_code(0);
    let text = home.read("sessions/main.jsonl");
    let (_, rest) = text.split_once('\n').unwrap();
    home.write("sessions/main.jsonl", format!("{{\"type\":\"label\",\"id\":\"x\",\"parentId\":null,\"timestamp\":\"2026-03-02T08:00:00Z\"}}\n{rest}"));
    let fork = "next: `openclaw session fork main NEW` goes on in a whole session with what is in view of this one";
    assert_eq!(
        next(&home.run(&["session", "verify", "main"]).with_code(5)),
        fork
    );
    assert_eq!(next(&home.run(&["doctor"]).with_code(1)), fork);
    let _forked = home.run(&["session", "fork", "main", "whole"]).with_code(0);
    let _clean = home.run(&["session", "verify", "whole"]).with_code(0);
}
