//! A running chat keeps the index up to date, whatever happens to the notes meanwhile.
//!
//! Waits for the chat's output, never for a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use base::Disk;
use base::disk::OsDisk;
use serde_json::{Value, json};
use testkit::{TestHome, Words};

/// A chat that prints nothing for this long is considered hung.
const PATIENCE: Duration = Duration::from_mins(2);

/// A chat that reads from a pipe and runs until the test ends it.
pub(crate) struct Running {
    child: Child,
    stdin: ChildStdin,
    events: Receiver<Value>,
}

impl Running {
    pub(crate) fn start(home: &TestHome, session: &str) -> Self {
        let mut child = home.spawn(&["chat", "-s", session, "--json"]);
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (tell, events) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let event = serde_json::from_str(&line.unwrap()).unwrap();
                if tell.send(event).is_err() {
                    return;
                }
            }
        });
        let mut running = Self {
            child,
            stdin,
            events,
        };
        // A chat that answers has begun to watch.
        running.say("/status");
        running.wait("status");
        running
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    /// The next event of this kind.
    pub(crate) fn wait(&self, kind: &str) -> Value {
        loop {
            let event = self.events.recv_timeout(PATIENCE).unwrap();
            if event["event"] == kind {
                return event;
            }
        }
    }

    /// The numbers that the next sync brought into the index.
    fn indexed(&self) -> (u64, u64) {
        let event = self.wait("indexed");
        assert_eq!(event["unreadable"], json!([]));
        let number = |name: &str| event[name].as_u64().unwrap();
        (number("changed"), number("gone"))
    }

    /// Its exit code, and its output since the last read.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin);
        let code = self.child.wait().unwrap().code();
        let told = self.events.iter().map(|event| format!("{event}\n"));
        (code, told.collect())
    }
}

/// The part of `memory status` about text that is not in the index.
fn behind(home: &TestHome) -> Value {
    let status = home.ok("memory status --json").json();
    json!([status["notIndexed"], status["gone"]])
}

#[test]
fn idle_chat_indexes_written_renamed_and_removed_notes() {
    let home = TestHome::init();
    let chat = Running::start(&home, "main");
    let note = |name: &str| home.path().join("workspace/memory").join(name);
    home.note("a", "- The shed key hangs in the hall.\n");
    assert_eq!(chat.indexed(), (1, 0));
    assert_eq!(behind(&home), json!([[], []]));

    // An editor that writes in several steps is told of when it is done, or is told of twice.
    home.note("a", "- The shed key ha");
    home.note("a", "- The shed key hangs in the kitchen.\n");
    assert_eq!(chat.indexed().1, 0);
    OsDisk.rename(&note("a.md"), &note("b.md")).unwrap();
    while chat.indexed() != (1, 1) {}
    assert_eq!(behind(&home), json!([[], []]));
    let found = home.ok("memory search 'shed key'");
    found.stdout.holds("b.md");

    OsDisk.remove(&note("b.md")).unwrap();
    assert_eq!(chat.indexed(), (0, 1));
    assert_eq!(behind(&home), json!([[], []]));
    assert_eq!(chat.end().0, Some(0));
}

#[test]
fn recall_names_unreadable_note_and_finds_it_once_readable() {
    let home = TestHome::init();
    let path = "workspace/memory/a.md";
    home.write(path, "- The shed key hangs in the hall.\n");
    let mut chat = Running::start(&home, "main");
    chat.say("Where is the shed key?");
    assert_eq!(chat.wait("recall")["passages"], 1);
    // A link in a circle can be read by nobody, not even by root.
    let note = home.path().join(path);
    OsDisk.remove(&note).unwrap();
    std::os::unix::fs::symlink(&note, &note).unwrap();
    // The chat itself may be indexing what changed; until it has, a reply says so.
    let reply = |chat: &mut Running| {
        loop {
            chat.say("Where is the shed key?");
            let recall = chat.wait("recall");
            let text = chat.wait("reply")["text"].to_string();
            if recall["degraded"] != "being-written" {
                return (recall, text);
            }
        }
    };
    let (recall, told) = reply(&mut chat);
    assert_eq!(recall["degraded"], "unreadable");
    assert_eq!(recall["unreadable"], json!(["memory/a.md"]));
    assert!(!told.contains("hall"), "{told}");
    OsDisk.remove(&note).unwrap();
    home.write(path, "- The shed key hangs in the kitchen.\n");
    let (recall, told) = reply(&mut chat);
    assert_eq!(recall["degraded"], Value::Null);
    assert!(told.contains("kitchen"), "{told}");
    assert_eq!(chat.end().0, Some(0));
}

#[test]
fn chat_indexes_backlog_in_background() {
    let home = TestHome::new();
    home.ok("chat -m Hello.");
    for number in 0..120 {
        let text = format!("- Note {number} about the greenhouse.\n");
        home.write(&format!("workspace/memory/more-{number}.md"), text);
    }
    home.run("memory search --strict greenhouse").with_code(3);
    let chat = Running::start(&home, "main");
    // The notes and what was said are 121 files, and the search has indexed some of them.
    let (n_indexed, n_unreadable) = chat.indexed();
    assert!((1..121).contains(&n_indexed), "{n_indexed}");
    assert_eq!(n_unreadable, 0);
    assert_eq!(chat.end().0, Some(0));
    home.ok("memory search --strict greenhouse")
        .stdout
        .holds("greenhouse");
}

#[test]
fn megabyte_message_is_found_by_next_question() {
    let home = TestHome::new();
    home.ok("chat -m Hello.");
    let long = "The vault number is 9911. ".to_owned() + &"lorem ipsum dolor ".repeat(60_000);
    let told = home.run_with_input("chat -m -", &long).with_code(0);
    told.stderr.lacks("warning");
    let asked = home.ok("chat -m 'What is the vault number?'");
    asked.stdout.holds("9911");
    asked.stderr.lacks("out of date");
}
