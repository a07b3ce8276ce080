//! The first model of a home: `init` at a terminal, alongside an Ollama that follows a script.
//!
//! No server of another machine is asked.

use testkit::{ChatServer, ServerAnswer, TestHome, Words};

use crate::terminal::Terminal;

const TAGS: &str = "GET /api/tags";
const CHAT: &str = "POST /api/chat";
const PULL: &str = "POST /api/pull";

fn ollama(models: &[&str]) -> ChatServer {
    let models: Vec<_> = models
        .iter()
        .map(|name| serde_json::json!({ "name": name }))
        .collect();
    let tags = serde_json::json!({ "models": models }).to_string();
    ChatServer::start([]).always(TAGS, ServerAnswer::json(200, &tags))
}

fn yes() -> ServerAnswer {
    ServerAnswer::lines([
        r#"{"model":"m","message":{"role":"assistant","content":"Yes."},"done":false}"#,
        r#"{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":2,"eval_count":1}"#,
    ])
}

fn init(home: &TestHome, server: &ChatServer) -> Terminal {
    let mut command = home.command("init");
    command.env("OLLAMA_HOST", server.url("").trim_start_matches("http://"));
    let mut terminal = Terminal::run(command);
    skip_questions_about_the_owner(&mut terminal, home);
    terminal
}

/// Skips the questions of `init` about the owner; it does not ask for fields that the form already has.
fn skip_questions_about_the_owner(terminal: &mut Terminal, home: &TestHome) {
    let is_filled = |(path, bytes): &(std::path::PathBuf, Vec<u8>)| {
        let text = String::from_utf8_lossy(bytes);
        path.ends_with("USER.md") && text.contains("- Name: ")
    };
    if !home.files().iter().any(is_filled) {
        terminal.answer("What is your name? ", "\r");
        terminal.answer("with it? ", "\r");
    }
}

/// The requests to it, in order.
fn asked(server: &ChatServer) -> Vec<String> {
    server.asked().into_iter().map(|it| it.line).collect()
}

fn has_model(home: &TestHome) -> bool {
    home.read("config.yaml")
        .lines()
        .any(|line| line.starts_with("model:"))
}

#[test]
fn init_downloads_chosen_model_to_empty_ollama() {
    let layer = |digest: &str, done: u64| {
        format!(
            r#"{{"status":"pulling {digest}","digest":"{digest}","total":1048576,"completed":{done}}}"#
        )
    };
    let lines = [
        r#"{"status":"pulling manifest"}"#.to_owned(),
        layer("one", 524_288),
        layer("two", 1_048_576),
        layer("one", 1_048_576),
        r#"{"status":"verifying sha256 digest"}"#.to_owned(),
        r#"{"status":"success"}"#.to_owned(),
    ];
    let server = ollama(&[])
        .always(PULL, ServerAnswer::lines(lines))
        .always(CHAT, yes());
    let home = TestHome::new();
    let mut terminal = init(&home, &server);
    let shown = terminal.until("Number [0]: ");
    shown.holds("no models yet, but it can download one");
    terminal.press("1\r");
    terminal.answer("[qwen3:4b]: ", "\r");
    let shown = terminal.until("`openclaw chat`.");
    assert!(shown.contains("Saved qwen3:4b in"), "{shown}");
    terminal.end();
    assert_eq!(asked(&server), [TAGS, PULL, CHAT]);
    let pulled = &server.asked()[1].body;
    assert_eq!(
        *pulled,
        serde_json::json!({ "model": "qwen3:4b", "stream": true })
    );
    let config = home.read("config.yaml");
    let (_, model) = config.split_once("model:\n").unwrap();
    let expected = format!(
        "  provider: ollama\n  name: \"qwen3:4b\"\n  baseUrl: \"{}\"\n  concurrency: 1\n",
        server.url("/")
    );
    assert_eq!(model, expected);
}

#[test]
fn init_does_not_save_model_after_failed_download() {
    let refusals = [
        ServerAnswer::lines([r#"{"error":"pull model manifest: file does not exist"}"#]),
        ServerAnswer::json(400, r#"{"error":"invalid model name"}"#),
        ServerAnswer::lines([r#"{"status":"pulling manifest"}"#]),
    ];
    let reasons = [
        "file does not exist",
        "invalid model name",
        "Ollama did not confirm that it is complete",
    ];
    for (refusal, reason) in refusals.into_iter().zip(reasons) {
        let server = ollama(&["qwen3:8b", "gemma3"]).always(PULL, refusal);
        let home = TestHome::new();
        let mut terminal = init(&home, &server);
        terminal.answer("Number [1]: ", "1\r");
        terminal.answer("Number or name [qwen3:8b]: ", "mistral\r");
        terminal.answer("Download it? [y/N]: ", "y\r");
        terminal.until(reason);
        terminal.until("try again");
        terminal.end();
        assert_eq!(asked(&server), [TAGS, PULL], "{reason}");
        assert!(!has_model(&home), "{reason}");
    }
}

#[test]
fn ctrl_c_stops_download_without_saving_model() {
    let news = r#"{"status":"pulling a","digest":"a","total":1048576,"completed":1}"#;
    let server = ollama(&[]).always(PULL, ServerAnswer::lines([news]).then_silence());
    let home = TestHome::new();
    let mut terminal = init(&home, &server);
    terminal.answer("Number [0]: ", "1\r");
    terminal.answer("[qwen3:4b]: ", "\r");
    terminal.until("downloading");
    testkit::signal(&terminal.child, "-INT");
    terminal.until("interrupted");
    terminal.until("try again");
    terminal.end();
    assert_eq!(asked(&server), [TAGS, PULL]);
    assert!(!has_model(&home));
}

#[test]
fn init_does_not_save_model_that_fails_to_answer() {
    let refusal = ServerAnswer::json(500, r#"{"error":"no room for the model"}"#);
    let server = ollama(&["qwen3:8b", "gemma3"]).always(CHAT, refusal);
    let home = TestHome::new();
    let mut terminal = init(&home, &server);
    terminal.answer("Number [1]: ", "4\r");
    terminal.until("`4` is not a number in the list.");
    terminal.answer("Number [1]: ", "\r");
    terminal.answer("Number or name [qwen3:8b]: ", "2\r");
    terminal.until("no room for the");
    terminal.until("try again");
    terminal.end();
    assert_eq!(server.asked()[1].body["model"], "gemma3");
    assert_eq!(asked(&server), [TAGS, CHAT]);
    assert!(!has_model(&home));
}

#[test]
fn init_offers_model_only_at_terminal_and_only_once() {
    let server = ollama(&["gemma3"]).always(CHAT, yes());
    let home = TestHome::new();
    let mut command = home.command("init");
    let output = command.env("OLLAMA_HOST", server.url("")).output().unwrap();
    assert!(output.status.success());
    assert_eq!(asked(&server), [""; 0]);
    let mut terminal = init(&home, &server);
    terminal.answer("Number [1]: ", "\r");
    terminal.until("`openclaw chat`.");
    terminal.end();
    assert_eq!(asked(&server), [TAGS, CHAT]);
    let mut again = init(&home, &server);
    let shown = again.until("model.name NAME");
    assert!(shown.contains("Your settings use gemma3."), "{shown}");
    again.end();
    assert_eq!(asked(&server), [TAGS, CHAT]);
}

#[test]
fn i14_init_offers_provider_without_showing_key() {
    let home = TestHome::new();
    let mut command = home.command("init");
    // No port of this machine: Ollama is not looked for.
    command
        .env("OLLAMA_HOST", "http://192.0.2.1")
        .env("OPENAI_API_KEY", "hunter2-and-more");
    let mut terminal = Terminal::run(command);
    skip_questions_about_the_owner(&mut terminal, &home);
    let shown = terminal.until("]: ");
    shown.holds("openai, with the key in OPENAI_API_KEY");
    assert!(!shown.contains("hunter2"), "{shown}");
    terminal.press("\u{4}");
    terminal.until("Offline:");
    terminal.end();
    assert!(!has_model(&home));
}

#[test]
fn i14_rejected_key_is_named_by_variable_and_never_stored() {
    let refusal = r#"{"error":{"message":"invalid x-api-key"}}"#;
    // One for the models that it lists, one for the first message.
    let server = ChatServer::start([(); 2].map(|()| ServerAnswer::json(401, refusal)));
    let home = TestHome::new();
    let mut command = home.command("init");
    command
        .env("OLLAMA_HOST", "http://192.0.2.1")
        .env("ANTHROPIC_API_KEY", "hunter2-and-more")
        .env("OPENCLAW_MODEL__API_KEY_ENV", "ANTHROPIC_API_KEY")
        .env("OPENCLAW_MODEL__BASE_URL", server.url("/v1"));
    let mut terminal = Terminal::run(command);
    skip_questions_about_the_owner(&mut terminal, &home);
    terminal.answer("]: ", "1\r");
    terminal.answer("[claude-sonnet-4-5]: ", "\r");
    let shown = terminal.until("variable ANTHROPIC_API_KEY");
    terminal.end();
    let shown: Vec<&str> = shown.split_whitespace().collect();
    assert!(shown.join(" ").contains("rejected the key"), "{shown:?}");
    assert!(!has_model(&home));
    for (path, bytes) in home.files() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("hunter2"), "{}", path.display());
    }
}

#[test]
fn name_and_languages_are_asked_once_and_written_into_the_form() {
    let server = ollama(&["gemma3"]).always(CHAT, yes());
    let home = TestHome::new();
    let mut command = home.command("init");
    command.env("OLLAMA_HOST", server.url("").trim_start_matches("http://"));
    let mut terminal = Terminal::run(command);
    terminal.answer("What is your name? ", "Kim Berg\r");
    terminal.answer("with it? ", "German and English\r");
    terminal.until("Saved in USER.md");
    terminal.answer("Number [1]: ", "0\r");
    terminal.until("Offline:");
    terminal.end();
    let form = home.read("workspace/USER.md");
    form.holds("- Name: Kim Berg\n");
    form.holds("- Languages: German and English\n");
    let mut again = init(&home, &server);
    again.answer("Number [1]: ", "0\r");
    again.until("Offline:");
    again.end();
    assert_eq!(home.read("workspace/USER.md"), form);
}
