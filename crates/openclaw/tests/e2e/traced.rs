//! A recorded talk with a model answers the program again: a tool call, its result, a streamed reply.
//!
//! `UPDATE_TRACE=1 cargo test --workspace --test e2e -- traced` records it anew, from a server on this
//! machine that follows a script.

use std::path::{Path, PathBuf};

use base::disk::{OsDisk, read_all, replace};
use insta::assert_snapshot;
use testkit::{ChatServer, ProgramRun, ServerAnswer, TestHome, Transcript, Words};

use crate::chat_with_model::{calls, event, server};

const QUESTION: &str = "When does the ferry to Olh\u{e3}o leave?";

fn trace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/traces/one_tool_call.jsonl")
}

/// A home with a note, and a server that calls a tool before it answers in pieces.
fn home() -> TestHome {
    let home = TestHome::init();
    home.note(
        "2026-03-02",
        "# 2026-03-02\n\n- The ferry to Olh\u{e3}o leaves at 7:40 from pier 3\n",
    );
    home
}

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

fn ask(home: &TestHome, more: &[&str], variable: (&str, &Path)) -> ProgramRun {
    let arguments = [&["chat", "-m", QUESTION], more].concat();
    let mut command = home.command(&arguments);
    command.env(variable.0, variable.1);
    home.finish(command)
}

fn record(home: &TestHome, path: &Path) {
    let server = scripted();
    let url = format!("model.baseUrl={}", server.url("/v1"));
    let (provider, name) = ("model.provider=openai-compatible", "model.name=some-model");
    let more = ["--set", provider, "--set", name, "--set", &url];
    ask(home, &more, ("OPENCLAW_RECORD", path)).with_code(0);
}

#[test]
fn replayed_trace_answers_chat() {
    if std::env::var_os("UPDATE_TRACE").is_some() {
        let recorded = home();
        let path = recorded.folder().join("trace.jsonl");
        record(&recorded, &path);
        let bytes = read_all(&OsDisk, &path, 1 << 20).unwrap();
        replace(&OsDisk, &trace(), &bytes).unwrap();
    }
    let home = home();
    let run = ask(&home, &[], ("OPENCLAW_REPLAY", &trace()));
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
    let recorded = home();
    let path = recorded.folder().join("trace.jsonl");
    record(&recorded, &path);
    let replayed = home();
    ask(&replayed, &[], ("OPENCLAW_REPLAY", &path)).with_code(0);
    let told = |home| Transcript::told(home, "main");
    assert_eq!(told(&replayed), told(&recorded));
}

#[test]
fn changed_request_is_rejected_with_place_in_trace() {
    let changed = home();
    changed.write("workspace/USER.md", "The owner lives in Faro.\n");
    let run = ask(&changed, &[], ("OPENCLAW_REPLAY", &trace()));
    assert_snapshot!("traced_otherwise", run.with_code(6).transcript());
    let none = changed.folder().join("none.jsonl");
    let run = ask(&changed, &[], ("OPENCLAW_REPLAY", &none));
    assert_snapshot!("traced_nothing", run.with_code(1).transcript());
}

#[test]
fn record_and_replay_together_are_rejected() {
    let home = home();
    let into = home.path().join("trace.jsonl");
    let mut command = home.command(&["chat", "-m", QUESTION]);
    command
        .env("OPENCLAW_REPLAY", trace())
        .env("OPENCLAW_RECORD", &into);
    let run = home.finish(command).with_code(2);
    run.stderr.holds("unset one of the two");
    assert!(!into.exists());
}
