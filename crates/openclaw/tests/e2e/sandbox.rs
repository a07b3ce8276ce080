//! A read-only sandbox: every byte, time and mode of the home stays as it was.
//!
//! Runs the program as people do.

#![expect(
    clippy::disallowed_methods,
    reason = "what lies on the real disk is compared, without the code that is tested"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use testkit::{TestHome, Words, conversation, to_jsonl};

/// A command line in the sandbox.
fn sandboxed(line: &str) -> String {
    format!("{line} --set sandbox.readOnly=true")
}

#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    bytes: Option<Vec<u8>>,
    modified_at: SystemTime,
    mode: u32,
}

/// Everything below a folder, the folder itself included.
fn stamps(root: &Path) -> BTreeMap<PathBuf, Stamp> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(path) = waiting.pop() {
        let meta = fs::metadata(&path).unwrap();
        if meta.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            waiting.extend(entries.map(|entry| entry.unwrap().path()));
        }
        let stamp = Stamp {
            bytes: meta.is_file().then(|| fs::read(&path).unwrap()),
            modified_at: meta.modified().unwrap(),
            mode: meta.permissions().mode(),
        };
        found.insert(path, stamp);
    }
    found
}

fn home() -> TestHome {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(1, 12)));
    home.ok("replay talk.jsonl");
    home.ok("memory index");
    let mut transcript = fs::OpenOptions::new()
        .append(true)
        .open(home.path().join("sessions/main.jsonl"))
        .unwrap();
    transcript.write_all(b"{\"type\":\"mess").unwrap();
    home
}

/// A conversation that exceeds a window of 4,000 tokens.
fn long_talk() -> String {
    let detail = "The detail of this offer is plain. ".repeat(60);
    let line = |minute: usize| {
        let role = ["user", "assistant"][minute % 2];
        let at = format!("2026-04-20T09:{minute:02}:00Z");
        let said = format!("I decided on offer {minute}. {detail}");
        format!(
            "{}\n",
            serde_json::json!({"role": role, "content": said, "timestamp": at})
        )
    };
    (0..12).map(line).collect()
}

/// A writer that was killed leaves its log next to the store.
#[test]
fn i13_sandbox_leaves_files_of_crashed_writer() {
    let home = home();
    let store = home.path().join("index/store.sqlite");
    for (ending, bytes) in [("-wal", &[7_u8; 64][..]), ("-shm", &[0; 32])] {
        let mut path = store.clone().into_os_string();
        path.push(ending);
        fs::write(path, bytes).unwrap();
    }
    let before = stamps(&home.path());
    for line in ["memory search plan", "chat -m hi"] {
        home.ok(&sandboxed(line));
    }
    let refused = home.run(&sandboxed("init")).with_code(2);
    refused.stderr.holds("read-only sandbox");
    assert_eq!(stamps(&home.path()), before);
}

#[test]
fn i13_sandbox_changes_no_byte_time_or_mode() {
    let home = home();
    home.input("longer.jsonl", long_talk());
    let before = stamps(&home.path());
    let chat = home.ok(&sandboxed("chat -m 'What did we decide?'"));
    assert!(!chat.stdout.trim().is_empty(), "{}", chat.transcript());
    chat.stderr.holds("Read-only sandbox");
    let replay = "replay longer.jsonl -s other --set compaction.contextWindow=4000";
    let replay = home.ok(&sandboxed(replay));
    let told = replay.told();
    for words in [
        "Sandbox read-only mode: skipping memory flush",
        "Sandbox read-only mode: skipping compaction",
        "warning: Context Window pressure high in read-only sandbox; consider increasing",
    ] {
        // Once, however many requests it holds for.
        assert_eq!(told.matches(words).count(), 1, "{}", replay.transcript());
    }
    told.lacks("warning: Sandbox");
    let (_, figure) = replay.stdout.rsplit_once("the context holds ").unwrap();
    let figure: String = figure.chars().filter(char::is_ascii_digit).collect();
    let tokens: u64 = figure.parse().unwrap();
    assert!((1..=4_000).contains(&tokens), "{}", replay.transcript());
    home.ok(&sandboxed("chat -s new -m Hello."));
    assert!(stamps(&home.path()) == before, "something has changed");
}

/// Gives everything below a folder these modes, one for files and one for folders.
fn set_modes(root: &Path, (file, folder): (u32, u32)) {
    for (path, stamp) in stamps(root) {
        let mode = if stamp.bytes.is_some() { file } else { folder };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn i13_sandbox_searches_index_without_updating_it() {
    let home = home();
    let search = "memory search --limit 3 --json decide";
    let found = |run: &testkit::ProgramRun| -> serde_json::Value {
        let found = run.json();
        found["results"].clone()
    };
    let outside = found(&home.ok(search));
    assert_eq!(outside.as_array().unwrap().len(), 3);
    set_modes(&home.path(), (0o400, 0o500));
    let before = stamps(&home.path());
    let run = home.ok(&sandboxed(search));
    let chat = home.ok(&sandboxed("chat --json -m 'What did we decide?'"));
    let is_same = stamps(&home.path()) == before;
    set_modes(&home.path(), (0o600, 0o700));
    assert!(is_same, "something has changed");
    assert_eq!(found(&run), outside, "{}", run.transcript());
    chat.stdout.holds("\"event\":\"recall\"");
    // What is newer than the index is told.
    home.note("2026-05-01", "- The harbour is closed\n");
    let run = home.ok(&sandboxed(search));
    run.stdout.holds("\"degraded\":\"not-writable\"");
    assert_eq!(found(&run), outside);
}

#[test]
fn i13_sandbox_chat_reports_stale_index_once() {
    let home = home();
    home.note("2026-05-01", "- The harbour is closed\n");
    let lines = "What did we decide?\nAnd what else?\nIs the harbour closed?\n";
    let run = home.run_with_input(&sandboxed("chat"), lines).with_code(0);
    let told = run.told();
    let told = told.matches("this reply may miss recent notes").count();
    assert_eq!(told, 1, "{}", run.transcript());
}

/// The index as a program left it that was killed: its last write is in the log of the store.
fn kill_while_indexing(home: &TestHome) {
    let index = home.path().join("index");
    let mut chat = home.spawn("chat --json");
    writeln!(chat.stdin.as_mut().unwrap(), "What did we decide?").unwrap();
    let mut lines = BufReader::new(chat.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("\"event\":\"reply\"")));
    assert!(index.join("store.sqlite-wal").exists());
    chat.kill().unwrap();
    chat.wait().unwrap();
}

#[test]
fn i13_read_commands_in_sandbox_change_nothing_after_crash() {
    let home = home();
    home.ok("dream --now");
    kill_while_indexing(&home);
    home.note("2026-05-02", "- The harbour is open again\n");
    let before = stamps(&home.path());
    for arguments in [
        "memory status",
        "memory search decide",
        "memory get memory/2026-05-02.md",
        "memory forget --list",
        "memory forget --dry-run memory/2026-05-02.md:1",
        "memory forget --dry-run decide",
        "dream list",
        "dream log",
        "dream --dry-run",
        "session list",
        "session show main",
        "session verify main",
        "doctor",
        "chat -m 'What did we decide?'",
    ] {
        let run = home.run(&sandboxed(arguments));
        run.stderr.lacks("not possible in a read-only sandbox");
        assert!(
            stamps(&home.path()) == before,
            "{arguments:?} changed something"
        );
    }
    let status = home.ok(&sandboxed("memory status --json")).json();
    assert_eq!(status["state"], "sound");
    let unread = status["notIndexed"].as_array().unwrap();
    assert!(unread.contains(&"memory/2026-05-02.md".into()), "{status}");
}

#[test]
fn i13_write_commands_in_sandbox_are_rejected() {
    let home = home();
    let before = stamps(&home.path());
    for arguments in [
        "memory add 'a note'",
        "memory index",
        "memory forget decide",
        "init",
        "backup /nonexistent/x.tar.gz",
        "session compact main",
        "session rewind main --epoch 0",
        "session fork main other",
        "session redact main --text fence --yes",
        "session delete main --yes",
        "config set timezone UTC",
    ] {
        let run = home.run(&sandboxed(arguments)).with_code(2);
        run.stderr.holds("read-only sandbox");
    }
    assert!(stamps(&home.path()) == before, "something has changed");
}

#[test]
fn sandbox_chat_creates_no_home() {
    let home = TestHome::new();
    assert!(!home.path().exists());
    home.ok(&sandboxed("chat -m Hello."));
    assert!(!home.path().exists(), "something was made");
}

#[test]
fn created_files_are_private_to_owner() {
    let home = home();
    for arguments in [
        "chat -m 'We decided to paint the fence green.'",
        "memory add 'The piano is sold'",
        "memory index",
        "memory forget --yes 'The piano is sold'",
        "session fork main other",
        "dream --now",
        "config set timezone Europe/Berlin",
    ] {
        home.ok(arguments);
    }
    let open: Vec<String> = stamps(&home.path())
        .into_iter()
        .filter(|(_, stamp)| {
            stamp.mode & 0o777 != if stamp.bytes.is_some() { 0o600 } else { 0o700 }
        })
        .map(|(path, stamp)| format!("{} {:o}", path.display(), stamp.mode))
        .collect();
    assert_eq!(open, [""; 0]);
}
