//! Another model and another session during a chat, and sessions by their titles.
//!
//! The server is on this machine and follows a script.

use testkit::{ChatServer, ReceivedRequest, ServerAnswer, TestHome, Transcript, Words, each};

use crate::chat_with_model::{home, posts, reply};
use crate::terminal::Terminal;

const MODELS: &str =
    r#"{"data":[{"id":"some-model","max_model_len":64000},{"id":"other","max_model_len":32000}]}"#;

fn server(answers: impl IntoIterator<Item = ServerAnswer>) -> ChatServer {
    ChatServer::start(answers).always("GET /v1/models", ServerAnswer::json(200, MODELS))
}

/// The offline engine makes the notes.
fn no_notes() -> ServerAnswer {
    ServerAnswer::json(400, "no")
}

fn says(home: &TestHome, arguments: &[&str], input: &str) {
    assert_eq!(home.run_with_input(arguments, input).code, Some(0));
}

/// The models that talked, in order.
fn talked(server: &ChatServer) -> Vec<String> {
    let model = |it: ReceivedRequest| it.body["model"].as_str().unwrap().to_owned();
    posts(server).into_iter().map(model).collect()
}

#[test]
fn model_command_switches_and_saves_only_on_confirmation() {
    let server = server([reply("yes"), reply("Hello."), reply("yes"), no_notes()]);
    let home = home(&server.url("/v1"));
    let before = home.read("config.yaml");
    let mut terminal = Terminal::chat(&home);
    terminal.answer("> ", "/model\r");
    let shown = terminal.until("in this chat.");
    assert!(shown.contains("  * some-model\r\n    other\r\n"), "{shown}");
    terminal.press("/model other\r");
    terminal.answer("in this chat only: ", "\r");
    terminal.press("Good morning\r");
    terminal.until("Hello.");
    assert_eq!(home.read("config.yaml"), before);
    terminal.press("/model some-model\r");
    terminal.answer("in this chat only: ", "record\r");
    terminal.answer("Saved some-model in", "\u{4}");
    terminal.end();
    let talked = talked(&server);
    assert_eq!(talked[..3], ["other", "other", "some-model"]);
    assert_eq!(home.read("config.yaml").matches("name:").count(), 1);
}

#[test]
fn model_command_keeps_current_model_if_new_one_fails() {
    let server = server([
        ServerAnswer::json(404, r#"{"error":"no such model"}"#),
        reply("Hello."),
        no_notes(),
    ]);
    let home = home(&server.url("/v1"));
    let run = home.run_with_input("chat", "/model wrong\nGood morning\n");
    let run = run.with_code(0);
    run.stderr.holds("still using some-model");
    assert_eq!(talked(&server)[..2], ["wrong", "some-model"]);
}

#[test]
fn model_command_keeps_current_model_if_window_is_small() {
    let models = MODELS.replace("32000", "8000");
    let server = ChatServer::start([reply("yes")]);
    let server = server.always("GET /v1/models", ServerAnswer::json(200, &models));
    let home = home(&server.url("/v1"));
    let run = home.run_with_input(&["chat"], "/model other\n/model\n");
    let run = run.with_code(0);
    assert_eq!(talked(&server), ["other"]);
    run.stdout.holds("Using some-model at");
}

#[test]
fn model_command_without_provider_suggests_init() {
    let home = TestHome::new();
    let run = home.run_with_input("chat", "/model\n/model other\n");
    run.stderr
        .holds_times(2, "run `openclaw init` to choose a model");
}

#[test]
fn resume_command_lists_sessions_and_switches_by_name() {
    let home = TestHome::new();
    says(&home, &["chat", "-s", "work"], "The release is on Friday.");
    says(&home, &["chat"], "The move is in May.");
    let lines = "/resume\n/resume work\nThe tests are green.\n/resume nowhere\n/resume main\nWe need boxes.\n";
    let run = home.run_with_input("chat --json", lines);
    let listed = run.json_lines().into_iter();
    let listed: Vec<_> = listed.filter(|it| it["event"] == "sessions").collect();
    let sessions = listed[0]["sessions"].as_array().unwrap();
    let titles: Vec<_> = sessions
        .iter()
        .map(|it| (it["name"].as_str().unwrap(), it["title"].as_str().unwrap()))
        .collect();
    assert_eq!(
        titles,
        [
            ("main", "The move is in May."),
            ("work", "The release is on Friday.")
        ]
    );
    run.stdout.holds("there is no session nowhere");
    let said = |name: &str| Transcript::said(&home, name, "user");
    assert_eq!(
        said("work"),
        ["The release is on Friday.", "The tests are green."]
    );
    assert_eq!(said("main"), ["The move is in May.", "We need boxes."]);
}

#[test]
fn title_command_is_stored_and_first_words_are_default_title() {
    let home = TestHome::new();
    says(&home, &["chat"], "The move is in May.");
    let before = home.read("sessions/main.jsonl");
    says(&home, &["chat"], "/title   Boxes and\tvans  \n");
    let after = home.read("sessions/main.jsonl");
    let added = after.strip_prefix(&before).unwrap();
    let added: Vec<&str> = added.lines().collect();
    let own = added
        .iter()
        .filter(|line| line.contains(r#""type":"session_info""#));
    let own: Vec<_> = own.collect();
    assert_eq!(own.len(), 1, "{after}");
    assert!(own[0].ends_with(r#""name":"Boxes and vans"}"#), "{after}");
    says(&home, &["chat"], "/new\nThe garden is wet.\n");
    let listed = home.run("session list --json").json();
    let titles = each(listed["sessions"].as_array().unwrap(), "/title");
    assert_eq!(titles, ["Boxes and vans", "The garden is wet."]);
    crate::held::verify_is_clean(&home, "main");
}

#[test]
fn forgotten_words_leave_session_title() {
    let home = TestHome::new();
    says(&home, &["chat"], "My sister lives in Graz.\nWe need boxes.");
    let titles = || -> Vec<String> {
        let listed = home.run("session list --json").json();
        let sessions = listed["sessions"].as_array().unwrap().iter();
        sessions.map(|it| it["title"].to_string()).collect()
    };
    assert_eq!(titles(), ["\"My sister lives in Graz.\""]);
    home.ok("memory forget 'sister lives in Graz' --yes");
    assert_eq!(titles(), ["\"We need boxes.\""]);
    let shown = home.run_with_input("chat", "/title\n/resume").with_code(0);
    shown.stdout.lacks("Graz");
    shown.stderr.lacks("Graz");
}
