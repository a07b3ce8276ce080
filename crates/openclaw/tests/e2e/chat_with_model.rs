//! A chat with a model at the other end of a connection: interrupted, unreachable, and told to forget.
//!
//! The server is on this machine and follows a script.

use std::io::Read;

use serde_json::{Value, json};
use testkit::{ChatServer, ReceivedRequest, ServerAnswer, TestHome, Transcript, Words, fields};

pub(crate) fn event(delta: &str, reason: &str) -> String {
    format!(r#"data: {{"choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#)
}

pub(crate) fn reply(text: &str) -> ServerAnswer {
    ended(&json!({ "content": text }), r#""stop""#)
}

/// A reply that calls a tool.
pub(crate) fn calls(id: &str, tool: &str, arguments: &Value) -> ServerAnswer {
    let function = json!({ "name": tool, "arguments": arguments.to_string() });
    let call = json!({ "index": 0, "id": id, "type": "function", "function": function });
    ended(&json!({ "tool_calls": [call] }), r#""tool_calls""#)
}

/// A reply that ends for this reason, all in one piece.
pub(crate) fn ended(delta: &Value, reason: &str) -> ServerAnswer {
    let events = [
        event(&delta.to_string(), "null"),
        event("{}", reason),
        "data: [DONE]".to_owned(),
    ];
    ServerAnswer::events(events)
}

/// A reply that begins a story and then hangs.
pub(crate) fn begun() -> ServerAnswer {
    let begun = event(r#"{"content":"Once upon a time "}"#, "null");
    ServerAnswer::events([begun]).then_silence()
}

/// The requests for a reply, in the order of arrival.
pub(crate) fn posts(server: &ChatServer) -> Vec<ReceivedRequest> {
    let asked = server.asked().into_iter();
    asked.filter(|it| it.line.starts_with("POST")).collect()
}

pub(crate) fn server(answers: impl IntoIterator<Item = ServerAnswer>) -> ChatServer {
    let models = r#"{"data":[{"id":"some-model","max_model_len":64000}]}"#;
    ChatServer::start(answers).always("GET /v1/models", ServerAnswer::json(200, models))
}

pub(crate) fn home(url: &str) -> TestHome {
    let home = TestHome::new();
    let config =
        format!("model:\n  provider: openai-compatible\n  name: some-model\n  baseUrl: {url}\n");
    home.write("config.yaml", config);
    home
}

#[test]
fn ctrl_c_keeps_partial_reply() {
    let server = server([begun()]);
    let home = home(&server.url("/v1"));
    let mut child = home.spawn("chat -m 'Tell me a story.'");
    let mut stdout = child.stdout.take().unwrap();
    let mut seen = [0; 4];
    stdout.read_exact(&mut seen).unwrap();
    assert_eq!(&seen, b"Once");
    testkit::signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    String::from_utf8_lossy(&output.stderr).holds("the partial reply was kept");
    let told = ["user: Tell me a story.", "assistant: Once upon a time "];
    assert_eq!(Transcript::told(&home, "main"), told);
    crate::held::verify_is_clean(&home, "main");
}

#[test]
fn i1_kill_during_reply_leaves_transcript_that_continues() {
    let server = server([begun(), reply("And they lived happily.")]);
    let home = home(&server.url("/v1"));
    let arguments = "chat -m 'Tell me a story.'";
    let mut child = home.spawn(arguments);
    let mut seen = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut seen).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    crate::held::verify_is_clean(&home, "main");
    let run = home.ok(arguments);
    assert_eq!(run.stdout, "And they lived happily.\n");
    crate::held::verify_is_clean(&home, "main");
    let told = [
        "user: Tell me a story.",
        "assistant: And they lived happily.",
    ];
    assert_eq!(Transcript::told(&home, "main"), told);
}

#[test]
fn unreachable_model_keeps_message_and_stops_piped_chat() {
    let server = server([]);
    let url = server.url("/v1");
    drop(server);
    let home = home(&url);
    let arguments = "chat --set model.contextWindow=64000 -m 'Are you there?'";
    let run = home.run(arguments).with_code(6);
    run.stderr.holds("model.provider=offline");
    // A port of this machine that refuses keeps refusing.
    run.stderr.lacks("retrying in");
    run.stderr.holds("rerun the command");
    // As the hint says; the line that follows in a pipe was never said.
    assert_eq!(home.run(arguments).with_code(6).stdout, "");
    let lines = "Are you there?\n/status\n\nAnd now?\n";
    let pipe = "chat --set model.contextWindow=64000";
    let run = home.run_with_input(pipe, lines).with_code(6);
    let told = "warning: the chat stopped at line 1; 2 later lines were not sent";
    run.stderr.holds(told);
    assert_eq!(Transcript::told(&home, "main"), ["user: Are you there?"]);
}

#[test]
fn fallback_model_answers_and_failure_is_reported() {
    let unknown = r#"{"error":{"message":"no such model","code":"model_not_found"}}"#;
    let server = server([ServerAnswer::json(400, unknown), reply("Here I am.")]);
    let home = home(&server.url("/v1"));
    let fallback = "model.fallbacks={name: second, contextWindow: 64000}";
    let run = home.ok(&["chat", "-m", "Are you there?", "--set", fallback, "--json"]);
    let events = run.json_lines();
    let of = |kind: &str| events.iter().find(|event| event["event"] == kind).unwrap();
    let told = of("warning")["message"].as_str().unwrap();
    told.holds("no such model");
    told.ends("trying second");
    let whole = of("reply");
    assert_eq!(
        fields(whole, ["text", "model", "offline"]),
        json!(["Here I am.", "second", false])
    );
}

#[test]
fn write_file_writes_workspace_files_but_not_memory() {
    let writes = |id: &str, path: &str| {
        calls(
            id,
            "write_file",
            &json!({ "path": path, "text": "- tea\n" }),
        )
    };
    let server = server([
        writes("c1", "MEMORY.md"),
        writes("c2", "files/list.md"),
        reply("It is written."),
    ]);
    let home = home(&server.url("/v1"));
    let run = home.ok("chat -m 'Write a list.'");
    assert_eq!(run.stdout, "It is written.\n");
    assert_eq!(home.read("workspace/files/list.md"), "- tea\n");
    let last = server.asked().pop().unwrap().body.to_string();
    last.holds("MEMORY.md is read-only for tools");
    home.memory().lacks("tea");
}

#[test]
fn request_to_forget_takes_effect_in_a_one_shot_chat_and_undo_restores_it() {
    let forget = json!({ "what": "lock code", "quote": "Forget the lock code" });
    let server = server([calls("c1", "forget", &forget), reply("It is forgotten.")]);
    let home = home(&server.url("/v1"));
    home.note("2026-03-02", "- The lock code is 4711\n");
    let run = home.ok("chat -m 'Forget the lock code.'");
    assert_eq!(run.stdout, "It is forgotten.\n");
    run.stderr
        .holds("Forgotten: 1 passage (`openclaw memory forget --undo ");
    let asked = server.asked();
    let told = asked.last().unwrap().body.to_string();
    told.holds("1 passage was forgotten.");
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), "");
    let id = run.stderr.split("--undo ").nth(1).unwrap();
    let id = id.split('`').next().unwrap();
    home.ok(&format!("memory forget --undo {id}"));
    let note = home.read("workspace/memory/2026-03-02.md");
    assert_eq!(note, "- The lock code is 4711\n");
}

#[test]
fn chat_warns_once_of_small_window() {
    let models = r#"{"data":[{"id":"some-model","max_model_len":20000}]}"#;
    let server = ChatServer::start([reply("Tea.")]);
    let server = server.always("GET /v1/models", ServerAnswer::json(200, models));
    let home = home(&server.url("/v1"));
    let window = "compaction.contextWindow=20000";
    let run = home.ok(&["chat", "-m", "Which tea?", "--set", window]);
    run.stderr.holds_times(1, "below 32,000");
}
