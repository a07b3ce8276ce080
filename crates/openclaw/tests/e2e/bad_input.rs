//! Recordings that cannot be replayed, or only with a warning: each says what is wrong and what to do.
//!
//! Such a recording does not leave anything behind.

use std::fmt::Write;
use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use insta::assert_snapshot;
use testkit::{TestHome, Transcript, conversation, to_jsonl};

const HELLO: &str = r#"{"role":"user","content":"hello","timestamp":"2026-03-02T08:00:00Z"}"#;
const ANSWER: &str =
    r#"{"role":"assistant","content":"hello yourself","timestamp":"2026-03-02T08:00:09Z"}"#;

/// Replays a file of these bytes, which must fail and leave no session; returns the output.
#[track_caller]
fn refused(bytes: impl AsRef<[u8]>) -> String {
    let home = TestHome::new();
    home.input("talk.jsonl", bytes);
    refused_in(&home, "talk.jsonl")
}

#[track_caller]
fn refused_in(home: &TestHome, file: &str) -> String {
    let run = home.run(&["replay", file, "-s", "talk"]).with_code(1);
    assert_eq!(home.list("sessions"), [""; 0], "{}", run.transcript());
    assert_eq!(run.stdout, "");
    run.transcript()
}

#[test]
fn replay_rejects_non_recordings_with_reason_and_line() {
    let half = base::head(ANSWER, 40);
    let marked = format!("\u{feff}{HELLO}\n");
    let utf_16 = marked.encode_utf16().flat_map(u16::to_le_bytes);
    // One of each kind, for the next command; the reasons are proven in `import`.
    let cases: [(&str, Vec<u8>); 4] = [
        ("cut in a line", format!("{HELLO}\n{half}").into()),
        ("UTF-16", utf_16.collect()),
        ("one JSON array", format!("[{HELLO},\n{ANSWER}]\n").into()),
        ("no JSON", "just text\n".into()),
    ];
    let mut told = refused_in(&TestHome::new(), "talk.jsonl") + &refused_in(&TestHome::new(), ".");
    for (what, bytes) in cases {
        write!(told, "\n{what}:\n{}", refused(bytes)).unwrap();
    }
    assert_snapshot!(told);
}

#[test]
fn replay_accepts_byte_order_mark() {
    let home = TestHome::new();
    home.input("talk.jsonl", format!("\u{feff}{HELLO}\r\n{ANSWER}\r\n"));
    assert_eq!(home.ok("replay talk.jsonl -s talk").stderr, "");
    let told = ["user: hello", "assistant: hello yourself"];
    assert_eq!(Transcript::told(&home, "talk"), told);
}

#[test]
fn replay_rejects_gigabyte_line() {
    let home = TestHome::new();
    let path = home.input("talk.jsonl", HELLO);
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    // The file has holes: it takes no room on the disk.
    file.set_len(1024 * 1024 * 1024).unwrap();
    file.write_at(b"\n", 1024 * 1024 * 1024 - 1).unwrap();
    assert_snapshot!(refused_in(&home, "talk.jsonl"));
}

#[test]
fn messages_in_the_wrong_order_are_kept_and_reported() {
    let home = TestHome::new();
    home.input("talk.jsonl", format!("{ANSWER}\n{HELLO}\n"));
    let run = home.ok("replay talk.jsonl -s talk");
    assert_snapshot!(run.transcript());
    let told = ["assistant: hello yourself", "user: hello"];
    assert_eq!(Transcript::told(&home, "talk"), told);
}

#[test]
fn i3_replay_stores_unmatched_calls_and_results() {
    let home = TestHome::new();
    let result = r#"{"role":"tool","toolCallId":"c9","name":"ls","content":"a.txt"}"#;
    let call =
        r#"{"role":"assistant","content":"","toolCalls":[{"id":"c1","name":"ls","arguments":{}}]}"#;
    home.input(
        "talk.jsonl",
        format!("{result}\n{HELLO}\n{call}\n{HELLO}\n"),
    );
    let run = home.ok("replay talk.jsonl -s talk --json");
    assert_eq!(run.json_lines().last().unwrap()["messages"], 4);
    assert_eq!(Transcript::read(&home, "talk").messages().len(), 4);
}

#[test]
fn replay_rejects_existing_session_and_other_recording() {
    let home = TestHome::new();
    home.replay("talk", to_jsonl(&conversation(1, 6)));
    home.input("other.jsonl", to_jsonl(&conversation(2, 9)));
    let before = home.files();
    let again = home.run("replay talk.jsonl -s talk").with_code(1);
    let other = home.run("replay other.jsonl -s talk --resume").with_code(1);
    assert_snapshot!(again.transcript() + &other.transcript());
    assert_eq!(home.files(), before);
}

#[test]
fn replay_rejects_session_name_with_path() {
    let home = TestHome::new();
    home.input("talk.jsonl", HELLO);
    let run = home.run("replay talk.jsonl -s ../talk").with_code(2);
    assert_snapshot!(run.transcript());
}
