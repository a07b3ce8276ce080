//! The effects that files and servers of others can have on the program.
//!
//! In each test, an owner imports something, or asks a server that misbehaves.

use std::os::unix::fs::symlink;
use std::process::Command;

use rusqlite::Connection;
use testkit::{ChatServer, ProgramRun, ServerAnswer, TestHome, Words};

const KEY: &str = "hunter2-and-more";

/// The settings of a server that speaks like OpenAI.
fn settings(url: &str, more: &str) -> String {
    format!(
        "model:\n  provider: openai-compatible\n  name: some-model\n  baseUrl: {url}/v1\n{more}"
    )
}

fn say(home: &TestHome) -> ProgramRun {
    let mut command = home.command("chat -m Hello");
    command.env("SOME_KEY", KEY);
    home.finish(command)
}

/// The words of its output, whatever the width of its lines.
fn words(run: &ProgramRun) -> String {
    let words: Vec<&str> = run.stderr.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn workspace_settings_cannot_choose_model_server() {
    let server = ChatServer::start([]);
    for more in ["  apiKeyEnv: SOME_KEY\n", "  apiKeyFile: /etc/hostname\n"] {
        let home = TestHome::new();
        home.write("workspace/config.yaml", settings(&server.url(""), more));
        let run = say(&home).with_code(1);
        run.stderr
            .holds("model.provider cannot be set by a workspace");
        run.stderr.holds("line 2 of");
        run.stderr.holds("openclaw config set model.provider");
    }
    assert_eq!(server.asked(), []);
}

#[test]
fn closed_local_server_is_reported_without_retry() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let home = TestHome::new();
    home.write("config.yaml", settings(&format!("http://{closed}"), ""));
    let told = words(&say(&home));
    told.holds("cannot be reached, so some-model cannot answer");
    assert!(!told.contains("does not report the window"), "{told}");
    assert!(!told.contains("retrying in"), "{told}");
}

#[test]
fn multi_line_key_file_is_rejected_before_any_request() {
    let server = ChatServer::start([]);
    let home = TestHome::new();
    home.write(
        "config.yaml",
        settings(&server.url(""), "  apiKeyFile: key\n"),
    );
    home.write("key", "one\ntwo\n");
    let run = say(&home).with_code(1);
    let told = run.stderr;
    told.holds("it has 2 lines, but a key is a single line");
    assert!(told.contains("put only the key in the file"), "{told}");
    assert_eq!(server.asked(), []);
}

#[test]
fn endless_reply_is_cut_at_8_mib_and_kept() {
    let piece = "tea ".repeat(256 * 1024);
    let event = format!(r#"data: {{"choices":[{{"index":0,"delta":{{"content":"{piece}"}}}}]}}"#);
    let answer = ServerAnswer::events(std::iter::repeat_n(event.as_str(), 9)).then_silence();
    let server = ChatServer::start([answer]);
    let home = TestHome::new();
    let window = "  contextWindow: 64000\n";
    home.write("config.yaml", settings(&server.url(""), window));
    let run = say(&home).with_code(6);
    let told = &run.stderr;
    assert!(told.contains("it is longer than 8388608 bytes"), "{told}");
    let kept = home.read("sessions/main.jsonl");
    kept.holds_times(8, &piece);
}

#[test]
fn endless_call_arguments_end_reply_at_8_mib() {
    let piece = "tea ".repeat(256 * 1024);
    let call = |name: &str| {
        let arguments = format!(r#""arguments":"{name}{piece}""#);
        format!(
            r#"data: {{"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"c","function":{{"name":"memory_search",{arguments}}}}}]}}}}]}}"#
        )
    };
    let begin = call(r#"{\"query\":\""#);
    let more = call("");
    let events = std::iter::once(begin.as_str()).chain(std::iter::repeat_n(more.as_str(), 8));
    let server = ChatServer::start([ServerAnswer::events(events).then_silence()]);
    let home = TestHome::new();
    let window = "  contextWindow: 64000\n";
    home.write("config.yaml", settings(&server.url(""), window));
    let told = words(&say(&home).with_code(6));
    assert!(told.contains("it is longer than 8388608 bytes"), "{told}");
}

#[test]
fn init_from_skips_and_names_outside_links_and_non_files() {
    let home = TestHome::new();
    home.write("../private/secret.md", "- my secret\n");
    home.write("../old/workspace/AGENTS.md", "Be kind.\n");
    home.write("../old/workspace/memory/2026-04-10.md", "- bought tea\n");
    home.write("../old/agents/main/sessions/sessions.json", "{}");
    let old = home.folder().join("old");
    let private = home.folder().join("private");
    let workspace = old.join("workspace");
    symlink(private.join("secret.md"), workspace.join("USER.md")).unwrap();
    symlink(&private, workspace.join("memory/sub")).unwrap();
    symlink("circle.md", workspace.join("memory/circle.md")).unwrap();
    symlink(
        workspace.join("AGENTS.md"),
        workspace.join("memory/inside.md"),
    )
    .unwrap();
    symlink(
        private.join("secret.md"),
        old.join("agents/main/sessions/x.jsonl"),
    )
    .unwrap();
    let pipe = workspace.join("memory/pipe.md");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let run = home.ok("init --from old");
    insta::assert_snapshot!(run.transcript());
    let is_secret = |(_, bytes): &(_, Vec<u8>)| bytes.windows(6).any(|it| it == b"secret");
    assert!(!home.files().iter().any(is_secret));
    assert_eq!(home.read("workspace/memory/inside.md"), "Be kind.\n");
}

#[test]
fn init_from_rejects_database_view_in_place_of_table() {
    let home = TestHome::new();
    home.write("../old/agents/main/agent/openclaw-agent.sqlite.lock", "");
    let path = home
        .folder()
        .join("old/agents/main/agent/openclaw-agent.sqlite");
    let store = Connection::open(path).unwrap();
    let schema = "
        CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT);
        CREATE TABLE session_windows (session_id TEXT, session_key TEXT, created_at INTEGER);
        INSERT INTO session_windows VALUES ('s', 'agent:main:main', 0);
        CREATE VIEW transcript_events AS WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
          SELECT 's' AS session_id, n AS seq, '{}' AS event_json, NULL AS event_zstd FROM endless;
    ";
    store.execute_batch(schema).unwrap();
    let run = home.run("init --from old").with_code(1);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("transcript_events is not a table"), "{told}");
}
