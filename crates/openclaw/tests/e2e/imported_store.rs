//! Sessions of OpenClaw in the database that holds them since August 2026.
//!
//! The database is made here, with the tables and the forms that the program of that time was seen to write.

use rusqlite::{Connection, params};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use testkit::{TestHome, Transcript};

const STORE: &str = "../old/agents/main/agent/openclaw-agent.sqlite";

const TABLES: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE session_nodes (
      session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE session_windows (
      session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE transcript_events (
      session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
      event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq)
    ) STRICT;
";

/// A database on the disk, with the data that OpenClaw has not yet written into it in a file next to it.
struct Store {
    connection: Connection,
    n_events: i64,
}

impl Store {
    fn new(home: &TestHome) -> Self {
        home.write(&format!("{STORE}.reindex-lock"), "");
        let connection = Connection::open(home.path().join(STORE)).unwrap();
        connection.execute_batch(TABLES).unwrap();
        Self {
            connection,
            n_events: 0,
        }
    }

    /// A session that continues under its key, with its events.
    fn current(&mut self, (id, key): (&str, &str), events: &[Value]) {
        self.session((id, key), events);
        let node = "INSERT INTO session_nodes VALUES (?1, ?2, '{}', 0)";
        self.connection.execute(node, params![key, id]).unwrap();
    }

    /// A session with its events.
    fn session(&mut self, (id, key): (&str, &str), events: &[Value]) {
        let header = json!({"type": "session", "version": 4, "id": id, "timestamp": "2026-03-02T08:00:00.000Z", "cwd": "/home/ann/.openclaw/workspace"});
        let connection = &self.connection;
        connection
            .execute(
                "INSERT INTO session_windows VALUES (?1, ?2, ?3)",
                params![id, key, self.n_events],
            )
            .unwrap();
        for event in std::iter::once(&header).chain(events) {
            self.n_events += 1;
            let text = event.to_string();
            // It packs what is longer than a kilobyte.
            let packed = (text.len() > 1_024)
                .then(|| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest));
            let plain = packed.is_none().then_some(&text);
            connection
                .execute(
                    "INSERT INTO transcript_events VALUES (?1, ?2, ?3, 0, ?4, ?5, NULL)",
                    params![
                        id,
                        self.n_events,
                        plain,
                        packed,
                        i64::try_from(text.len()).unwrap()
                    ],
                )
                .unwrap();
        }
    }
}

fn event(id: &str, parent: Option<&str>, message: &Value) -> Value {
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-03-02T08:00:01.000Z", "message": message})
}

fn said(id: &str, parent: Option<&str>, (text, sender): (&str, &Value)) -> Value {
    let message = json!({"role": "user", "content": text, "timestamp": 1_772_438_401_000_i64, "__openclaw": sender, "idempotencyKey": id});
    event(id, parent, &message)
}

fn reply(id: &str, parent: &str, content: &Value) -> Value {
    let message = json!({"role": "assistant", "content": content, "api": "openai-completions", "provider": "local", "model": "m", "usage": {"input": 9, "output": 2, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 11}, "stopReason": "stop", "timestamp": 1_772_438_402_000_i64, "responseId": "c1", "__openclaw": {"runId": "r"}});
    event(id, Some(parent), &message)
}

/// OpenClaw's record of whoever sent a message.
fn owner(is_it: impl Into<Value>) -> Value {
    json!({"senderIsOwner": is_it.into()})
}

/// A conversation with a pair of calls, a long reply, and a compaction.
fn talk() -> Vec<Value> {
    let ann = owner(true);
    let long = "A long reply. ".repeat(400);
    let calls = json!([
        {"type": "toolCall", "id": "call_1", "name": "read", "arguments": {"path": "notes.txt"}},
        {"type": "toolCall", "id": "call_2", "name": "exec", "arguments": {"command": "false"}}
    ]);
    let result = |id: &str, parent: &str, call: &str, text: &str, is_error: bool| {
        event(
            id,
            Some(parent),
            &json!({"role": "toolResult", "toolCallId": call, "toolName": "read", "content": [{"type": "text", "text": text}], "isError": is_error, "timestamp": 1_772_438_403_000_i64}),
        )
    };
    vec![
        json!({"type": "model_change", "provider": "local", "modelId": "m", "id": "x1", "parentId": null, "timestamp": "2026-03-02T08:00:00.500Z"}),
        said("u1", Some("x1"), ("Read my notes, please.", &ann)),
        reply("a1", "u1", &calls),
        result("t1", "a1", "call_1", "the code of the shed is 12", false),
        result("t2", "t1", "call_2", "exit code 1", true),
        reply("a2", "t2", &json!([{"type": "text", "text": long}])),
        json!({"type": "compaction", "id": "c1", "parentId": "a2", "timestamp": "2026-03-02T08:00:05.000Z", "summary": "## Decisions\n- none", "firstKeptEntryId": "u1", "tokensBefore": 30_000, "details": {"readFiles": ["notes.txt"], "modifiedFiles": []}, "fromHook": true}),
        said("u2", Some("c1"), ("And after that?", &ann)),
        reply("a3", "u2", &json!([{"type": "text", "text": "Tea."}])),
    ]
}

fn home() -> (TestHome, Store) {
    let home = TestHome::new();
    home.write("../old/workspace/MEMORY.md", "- Lives in Lisbon\n");
    let mut store = Store::new(&home);
    let (ann, other) = (owner(true), owner(false));
    let old = [said("o1", None, ("Before the reset.", &ann))];
    store.session(("old", "agent:main:main"), &old);
    store.current(("now", "agent:main:main"), &talk());
    let group = [
        said("g1", None, ("I am Bob.", &other)),
        said("g2", Some("g1"), ("And I am Ann.", &ann)),
    ];
    store.current(("group", "agent:main:telegram:group:7"), &group);
    (home, store)
}

#[test]
fn i1_database_import_keeps_order_and_leaves_database() {
    let (home, store) = home();
    let files = || {
        let names = home.list("../old/agents/main/agent");
        let read = |name: &String| home.read_lossy(&format!("../old/agents/main/agent/{name}"));
        names
            .iter()
            .map(|name| (name.clone(), read(name)))
            .collect::<Vec<_>>()
    };
    let before = files();
    assert!(
        before
            .iter()
            .any(|(name, log)| name.ends_with("-wal") && log.len() > 1_000)
    );
    let run = home.ok("init --from old --json");
    assert_eq!(files(), before);
    assert_eq!(home.memory(), "- Lives in Lisbon\n");
    let report = run.json();
    let sessions = report["taken"]["conversations"].as_array().unwrap();
    let told: Vec<_> = sessions
        .iter()
        .map(|it| {
            (
                it["state"].as_str().unwrap(),
                it["messages"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("new", 1), ("new", 7), ("new", 2)], "{report}");

    let long = "A long reply. ".repeat(400);
    let expected = [
        "user: Read my notes, please.",
        "assistant: ",
        "toolResult: the code of the shed is 12",
        "toolResult: exit code 1",
        &format!("assistant: {long}"),
        "user: And after that?",
        "assistant: Tea.",
    ];
    assert_eq!(Transcript::told(&home, "main"), expected);
    let names = home.list("sessions");
    let group = names.iter().find(|name| name.contains("group")).unwrap();
    let group = home.read(&format!("sessions/{group}"));
    let whose = |words: &str| {
        let line = group.lines().find(|line| line.contains(words)).unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        line["origin"].as_str().unwrap().to_owned()
    };
    assert_eq!([whose("Bob"), whose("Ann")], ["untrusted", "owner"]);
    assert_eq!(names.len(), 3);
    home.ok("session verify");

    let taken = home.files();
    home.ok("init --from old");
    assert_eq!(home.files(), taken);
    // The other command gives each of them the same name.
    home.ok("session import old");
    assert_eq!(home.files(), taken);
    drop(store);
}

#[test]
fn session_import_reads_database_and_rejects_invalid_one() {
    let (home, _store) = home();
    let run = home.ok("session import old --json --dry-run");
    let report = run.json();
    assert_eq!(
        report["conversations"].as_array().unwrap().len(),
        3,
        "{report}"
    );
    home.write("../bad/openclaw-agent.sqlite", "no database");
    let run = home.run("session import bad").with_code(1);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("it is not an OpenClaw database"), "{told}");
}

#[test]
fn i1_bad_database_session_does_not_hide_others() {
    let bad_header = "UPDATE transcript_events SET event_json = replace(event_json, '\"version\":4', '\"version\":5') WHERE session_id = 'now' AND event_json LIKE '%\"version\":4%'";
    let no_header = "DELETE FROM transcript_events WHERE session_id = 'now' AND event_json LIKE '%\"version\":4%'";
    let not_utf8 = "UPDATE transcript_events SET event_json = CAST(x'ff22' AS TEXT) WHERE session_id = 'now' AND seq = 3";
    let no_text = "CREATE TABLE copied AS SELECT * FROM transcript_events; DROP TABLE transcript_events; ALTER TABLE copied RENAME TO transcript_events; UPDATE transcript_events SET event_json = x'ff22' WHERE session_id = 'now' AND seq = 3";
    for damage in [bad_header, no_header, not_utf8, no_text] {
        let (home, store) = home();
        store.connection.execute_batch(damage).unwrap();
        let run = home.run("session import old --json").with_code(1);
        let report = run.json();
        let told: Vec<_> = report["conversations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["state"].as_str().unwrap(), it["messages"].as_u64()))
            .collect();
        assert_eq!(
            told,
            [("new", Some(1)), ("failed", Some(0)), ("new", Some(2))],
            "{damage}: {report}"
        );
        let failure = report["conversations"][1].to_string();
        assert!(failure.contains("agent:main:main"), "{failure}");
        assert_eq!(home.list("sessions").len(), 2);
    }
}
