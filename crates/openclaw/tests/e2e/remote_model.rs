//! The program with a model at the other end of a connection.
//!
//! The server is on this machine and follows a script.

use testkit::{
    ChatServer, ProgramRun, ServerAnswer, TestHome, Words, conversation, noted, to_jsonl,
};

use crate::chat_with_model::reply;

const KEY: &str = "hunter2-and-more";

fn config(server: &ChatServer, more: &str) -> String {
    let url = server.url("/v1");
    format!("model:\n  provider: openai-compatible\n  name: some-model\n  baseUrl: {url}\n{more}")
}

/// A server that reports a window and answers from a script.
fn server_of(window: u32, answers: impl IntoIterator<Item = ServerAnswer>) -> ChatServer {
    let models = format!(r#"{{"data":[{{"id":"some-model","max_model_len":{window}}}]}}"#);
    ChatServer::start(answers).always("GET /v1/models", ServerAnswer::json(200, &models))
}

/// A replay of a short talk of one day.
fn replay(home: &TestHome, config: &str) -> ProgramRun {
    home.write("config.yaml", config);
    home.input("talk.jsonl", to_jsonl(&conversation(4, 4)));
    let mut command = home.command("replay talk.jsonl");
    command.env("SOME_KEY", KEY);
    home.finish(command)
}

/// A note as a model writes it, with the beginning of the first message as its quote.
fn note_on_first_message(text: &str) -> String {
    let said = conversation(4, 4)[0].message.text();
    let quote: Vec<&str> = said.split_whitespace().take(5).collect();
    noted("Important Decisions", &[(text, "e1", &quote.join(" "))])
}

fn tea() -> String {
    note_on_first_message("Tea it is.")
}

fn shown(run: &ProgramRun, server: &ChatServer) -> String {
    run.transcript().replace(&server.url(""), "URL")
}

#[test]
fn notes_are_written_by_configured_model() {
    let server = server_of(64_000, [reply(&tea())]);
    let home = TestHome::new();
    replay(&home, &config(&server, "")).with_code(0);
    home.notes().holds("- Tea it is.");
    let asked: Vec<String> = server.asked().into_iter().map(|it| it.line).collect();
    assert_eq!(asked, ["GET /v1/models", "POST /v1/chat/completions"]);
}

#[test]
fn purpose_models_use_same_server_and_key_in_turn() {
    let models = r#"{"data":[{"id":"some-model","max_model_len":64000},{"id":"small","max_model_len":20000}]}"#;
    // It is asked by schema, as a tool and in words before the next model is.
    let refusal = || ServerAnswer::json(400, "no such luck");
    let server = ChatServer::start([refusal(), refusal(), refusal(), reply(&tea())])
        .always("GET /v1/models", ServerAnswer::json(200, models));
    let home = TestHome::new();
    let more = "  apiKeyEnv: SOME_KEY\n  purposes:\n    flush:\n      - name: small\n      - name: some-model\n";
    replay(&home, &config(&server, more)).with_code(0);
    home.notes().holds("- Tea it is.");
    let asked = server.asked();
    let asked: Vec<_> = asked
        .iter()
        .filter(|it| it.line.starts_with("POST"))
        .collect();
    let models: Vec<&str> = asked
        .iter()
        .filter_map(|it| it.body["model"].as_str())
        .collect();
    assert_eq!(models, ["small", "small", "small", "some-model"]);
    let key = format!("Bearer {KEY}");
    assert!(
        asked
            .iter()
            .all(|it| it.header("authorization") == Some(&key))
    );
}

#[test]
fn failed_model_leaves_notes_to_offline_engine() {
    let server = server_of(64_000, [ServerAnswer::json(400, "no")]);
    let home = TestHome::new();
    replay(&home, &config(&server, "")).with_code(0);
    home.notes().holds("Session Notes");
}

#[test]
fn dream_compact_and_fork_ask_configured_model() {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(4, 40)));
    home.ok("replay talk.jsonl");
    for command in [
        &["dream", "--now"][..],
        &["session", "compact", "main"],
        &["session", "fork", "main", "copy"],
    ] {
        let note = ["memory", "add", "I decided to paint the hall", command[0]];
        home.ok(&note);
        let server = server_of(64_000, [ServerAnswer::json(400, "no")]);
        let short = "compaction:\n  keepRecentTokens: 500\n";
        home.write("config.yaml", config(&server, short));
        let run = home.ok(command);
        let asked: Vec<String> = server.asked().into_iter().map(|it| it.line).collect();
        let expected = "POST /v1/chat/completions".to_owned();
        assert!(asked.contains(&expected), "{asked:?}: {}", run.transcript());
        home.write("config.yaml", "");
        home.ok("chat -m 'I decided to rent the small hall.'");
    }
}

#[test]
fn unusable_model_settings_fail_before_any_session_is_written() {
    let small = server_of(8_192, []);
    let home = TestHome::new();
    let no_key = "model:\n  provider: anthropic\n  name: some-model\n";
    let no_name = "model:\n  provider: ollama\n";
    let no_server = "model:\n  provider: openai-compatible\n  name: some-model\n";
    let runs = [
        replay(&home, no_key).with_code(6),
        replay(&home, no_name).with_code(1),
        replay(&home, no_server).with_code(1),
        replay(&home, &config(&small, "")).with_code(1),
    ];
    let shown: Vec<String> = runs.iter().map(|run| shown(run, &small)).collect();
    insta::assert_snapshot!(shown.join("\n"));
    assert_eq!(home.list("sessions"), Vec::<String>::new());
}

#[test]
fn i14_api_key_appears_only_in_request() {
    let echo = format!(r#"{{"error":{{"message":"wrong key {KEY}","code":"invalid_api_key"}}}}"#);
    let server = server_of(64_000, [ServerAnswer::json(401, &echo)]);
    let home = TestHome::new();
    let run = replay(&home, &config(&server, "  apiKeyEnv: SOME_KEY\n")).with_code(0);
    let asked = server.asked();
    let expected = format!("Bearer {KEY}");
    assert!(
        asked
            .iter()
            .all(|it| it.header("authorization") == Some(&expected))
    );
    assert_eq!(asked.len(), 2);
    assert!(!run.transcript().contains(KEY), "{}", run.transcript());
    for (path, bytes) in home.files() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY), "{}", path.display());
    }
}

#[test]
fn web_page_or_redirect_error_names_base_url() {
    let path = "POST /v1/chat/completions";
    let page = ServerAnswer::pieces(["<!DOCTYPE html><title>Wi-Fi</title>"])
        .with_header("content-type", "text/html; charset=utf-8");
    let portal = ServerAnswer::json(302, "").with_header("location", "http://portal.invalid/login");
    for (answer, told) in [
        (page, "returned a web page (text/html), not a model reply"),
        (
            portal,
            "redirects (302 Found to http://portal.invalid/login)",
        ),
    ] {
        let server = server_of(64_000, []).always(path, answer);
        let home = TestHome::new();
        home.write("config.yaml", config(&server, ""));
        let run = home.run("chat -m hello").with_code(6);
        let stderr = run.told();
        stderr.holds(told);
        stderr.holds("`model.baseUrl`");
        // What cannot be repaired by asking again is not asked again.
        let asked = server.asked().into_iter().filter(|it| it.line == path);
        assert!(asked.count() <= 2);
    }
}
