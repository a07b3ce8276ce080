//! A recorded conversation with a model is replayed to the program: a tool call, its result, a streamed reply.
//!
//! `UPDATE_TRACE=1 cargo test --workspace --test e2e -- traced` records it again, from a server on this
//! machine that follows a script.

use std::path::{Path, PathBuf};

use base::disk::{OsDisk, read_all, replace};
use insta::assert_snapshot;
use testkit::{
    ChatServer, ProgramRun, ServerAnswer, TestHome, Transcript, Words, record_trace, replay_trace,
};

use crate::chat_with_model::{calls, event, server};

const QUESTION: &str = "When does the ferry to Olh\u{e3}o leave?";

fn trace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/traces/one_tool_call.jsonl")
}

/// A home with a note, whose model is at this server.
fn home(server: &ChatServer) -> TestHome {
    let home = TestHome::init();
    home.note(
        "2026-03-02",
        "# 2026-03-02\n\n- The ferry to Olh\u{e3}o leaves at 7:40 from pier 3\n",
    );
    let url = server.url("/v1");
    let config =
        format!("model:\n  provider: openai-compatible\n  name: some-model\n  baseUrl: {url}\n");
    home.write("config.yaml", config);
    home
}

/// A server that calls a tool before it answers in pieces.
fn scripted() -> ChatServer {
    let question = serde_json::json!({ "question": "ferry Olh\u{e3}o" });
    let call = calls("call_7f", "memory_search", &question);
    let answer = [
        event(r#"{"content":"At 7:40, "}"#, "null"),
        event(r#"{"content":"from pier 3."}"#, "null"),
        event("{}", r#""stop""#),
        r#"data: {"choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":9,"total_tokens":1209}}"#.to_owned(),
        "data: [DONE]".to_owned(),
    ];
    server([call, ServerAnswer::events(answer)])
}

fn ask(home: &TestHome) -> ProgramRun {
    home.run(&["chat", "-m", QUESTION])
}

/// The conversation that is recorded in the file.
fn record(path: &Path) -> Vec<String> {
    let server = scripted();
    let proxy = record_trace(server.url("").trim_start_matches("http://"), path);
    let home = home(&proxy);
    ask(&home).with_code(0);
    Transcript::told(&home, "main")
}

#[test]
fn replayed_trace_answers_chat() {
    if std::env::var_os("UPDATE_TRACE").is_some() {
        let recorded = TestHome::new();
        let path = recorded.folder().join("trace.jsonl");
        record(&path);
        let bytes = read_all(&OsDisk, &path, 1 << 20).unwrap();
        replace(&OsDisk, &trace(), &bytes).unwrap();
    }
    let proxy = replay_trace(&trace());
    let home = home(&proxy);
    let run = ask(&home);
    assert_eq!(
        run.code,
        Some(0),
        "{}\nwhat the model sees has changed: read the difference, then record anew with \
         `UPDATE_TRACE=1 cargo test --workspace --test e2e -- traced`",
        run.transcript()
    );
    assert_snapshot!("traced_talk", run.transcript());
    let said = Transcript::read(&home, "main").messages();
    let roles: Vec<&str> = said.iter().map(|it| it.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "assistant"]);
    crate::held::verify_is_clean(&home, "main");
}

#[test]
fn replayed_trace_reproduces_recorded_chat() {
    let folder = TestHome::new();
    let path = folder.folder().join("trace.jsonl");
    let recorded = record(&path);
    let proxy = replay_trace(&path);
    let replayed = home(&proxy);
    ask(&replayed).with_code(0);
    assert_eq!(Transcript::told(&replayed, "main"), recorded);
}

#[test]
fn changed_request_is_rejected_with_place_in_trace() {
    let proxy = replay_trace(&trace());
    let changed = home(&proxy);
    changed.write("workspace/USER.md", "The owner lives in Faro.\n");
    let run = ask(&changed).with_code(6);
    run.stderr
        .holds("it differs from line 2 of the trace: it has ");
    run.stderr.holds("USER.md");
}
