//! A chat with an owner at the terminal: the questions to the owner, the notices about waiting, and the width of lines.
//!
//! Does not measure time; slow operations report themselves.

use serde_json::json;
use testkit::{ChatServer, ServerAnswer, TestHome, Words, tool_server};

use crate::chat_with_model::{calls, home, posts, reply, server};
use crate::terminal::{Terminal, said};

/// The model calls the tool of the server twice, each call after a message.
fn home_of_a_caller(model: &ChatServer) -> TestHome {
    let home = home(&model.url("/v1"));
    let box_ = tool_server(&home, "well", ", allow: [weather]");
    let config = home.read("config.yaml") + &format!("mcp:\n  servers: [{box_}]\n");
    home.write("config.yaml", config);
    home
}

fn calls_weather(id: &str) -> ServerAnswer {
    calls(id, "box__weather", &json!({}))
}

fn told(model: &ChatServer, place: usize) -> String {
    posts(model)[place].body["messages"].to_string()
}

#[test]
fn server_tool_runs_only_after_owner_confirms() {
    let model = server([
        calls_weather("c1"),
        reply("It rains."),
        calls_weather("c2"),
        reply("I do not know."),
        reply("A letter."),
    ]);
    let home = home_of_a_caller(&model);
    let mut terminal = Terminal::chat(&home);
    terminal.answer("> ", "How is the weather?\r");
    terminal.answer("Enter refuses: ", "call\r");
    terminal.until("It rains.");
    told(&model, 1).holds("It rains.");
    terminal.press("And now?\r");
    terminal.until("Enter refuses: ");
    // It may have been typed before the question was there, and is said.
    terminal.press("y\r");
    terminal.until("A letter.");
    told(&model, 3).holds("said no");
    terminal.leave();
    assert_eq!(said(&home), ["How is the weather?", "And now?", "y"]);
}

#[test]
fn reply_wraps_at_current_terminal_width() {
    let words = "one two three four five six seven eight nine ten eleven twelve";
    let model = server([reply(words), reply(words)]);
    let home = home(&model.url("/v1"));
    let mut terminal = Terminal::chat(&home);
    terminal.until("> ");
    terminal.resize(70);
    terminal.press("Count.\r");
    let shown = terminal.until("twelve");
    assert!(shown.contains(words), "{shown:?}");
    terminal.resize(30);
    terminal.press("Again.\r");
    let shown = terminal.until("twelve");
    shown.holds("one two three four five six\r\nseven");
    terminal.leave();
}

#[test]
fn waiting_notice_names_server_and_model() {
    let mute = ChatServer::start([])
        .always("GET /v1/models", ServerAnswer::silence())
        .always("POST /v1/chat/completions", ServerAnswer::silence());
    let home = home(&mute.url("/v1"));
    let mut terminal = Terminal::chat(&home);
    let asking = format!("Asking {} for", mute.url("/v1"));
    terminal.until(&asking);
    terminal.answer("> ", "Are you there?\r");
    terminal.until("Waiting for some-model... Ctrl-C cancels.");
    testkit::signal(&terminal.child, "-INT");
    terminal.until("> ");
    terminal.child.kill().unwrap();
    terminal.child.wait().unwrap();
    assert_eq!(said(&home), ["Are you there?"]);
}

#[test]
fn waiting_notice_names_model_after_retry_warning() {
    let mute = ChatServer::start([ServerAnswer::json(503, "{}"), ServerAnswer::silence()])
        .always("GET /v1/models", ServerAnswer::json(404, "{}"));
    let home = home(&mute.url("/v1"));
    let mut terminal = Terminal::chat(&home);
    terminal.answer("> ", "Are you there?\r");
    terminal.until("retrying in");
    terminal.until("Waiting for some-model... Ctrl-C cancels.");
    terminal.child.kill().unwrap();
    terminal.child.wait().unwrap();
}

#[test]
fn chat_json_prints_only_json() {
    let home = TestHome::new();
    let mut lines = "I decided to rent the small hall. ".repeat(200);
    lines.push_str("\nAnd the hall is paid.\n/compact\n/status\n/context\n/memory\n/memory hall\n");
    lines.push_str("/dream\n/help\n/new\n/new\n/compact\n/nothing\n/exit\n");
    let run = home.run_with_input("chat --json", &lines).with_code(0);
    let printed = run.json_lines();
    assert!(printed.len() > 12, "{}", run.transcript());
    for line in run.stderr.lines() {
        assert!(line.starts_with('{'), "{}", run.transcript());
    }
}

/// A note of the assistant, followed by a line of the owner.
const OURS: &str = "The bicycle code is 4711";
const OWNERS: &str = "- The bicycle code was 4712";

/// The same facts forgotten by place and by question.
const BICYCLES: [&str; 2] = ["memory/2026-03-02.md:3", "--limit 1 'bicycle code 4711'"];

/// Forgets at a terminal, which must show this action, and answers yes to questions.
fn forget(home: &TestHome, what: &str, action: &str) -> Terminal {
    let mut terminal = Terminal::run(home.command(&format!("memory forget {what}")));
    terminal.until(&format!("{action}  memory/"));
    // A named place is asked about only if it has lines of the owner, which are hidden and not removed.
    if what.starts_with("--limit") || action == "hide" {
        terminal.answer("Forget this? [y/N] ", "y\r");
    }
    terminal
}

#[test]
fn forget_yes_repeating_terminal_forget_changes_nothing() {
    for what in BICYCLES {
        let home = TestHome::init();
        let marks = format!("n:0a0a0a0a e:x h:{} o:agent", base::short_hash(OURS));
        let ours = format!("- {OURS} <!-- {marks} -->");
        home.note("2026-03-02", format!("# 2026-03-02\n\n{ours}\n{OWNERS}\n"));
        forget(&home, what, "remove").end();
        let left = home.notes();
        left.holds(OWNERS);
        left.lacks(OURS);
        let again = home.run(&format!("memory forget --yes {what}"));
        assert_eq!(home.notes(), left);
        again.with_code(1).stderr.holds("already forgotten");
    }
}

#[test]
fn forget_yes_removes_owner_lines_left_at_terminal() {
    for what in BICYCLES {
        let home = TestHome::init();
        home.note(
            "2026-03-02",
            format!("# 2026-03-02\n\n- {OURS}\n{OWNERS}\n"),
        );
        let mut terminal = forget(&home, what, "hide");
        let asked = terminal.until("Otherwise they are only hidden. [y/N] ");
        asked.lacks("Your own lines stay");
        terminal.press("n\r");
        terminal.until("Your own lines stay");
        terminal.end();
        // It stands in another line by now.
        let moved = home.notes().replacen("# 2026", "- Tea\n# 2026", 1);
        home.note("2026-03-02", &moved);
        moved.holds_times(2, "bicycle");
        let found = home.ok("memory search 'bicycle code'").stdout;
        let shown = ["4711", "4712"].into_iter().find(|it| found.contains(it));
        home.ok(&format!("memory forget --yes {what}"));
        let left = home.notes();
        let bicycles: Vec<&str> = left.lines().filter(|it| it.contains("bicycle")).collect();
        assert_eq!(bicycles.len(), 1, "{left}");
        bicycles[0].holds(shown.unwrap());
    }
}

#[test]
fn forget_of_place_in_chat_keeps_line_unless_owner_agrees() {
    let home = TestHome::init();
    home.ok(&["memory", "add", "--lasting", "I live in Connewitz"]);
    let memory = home.memory();
    let number = memory
        .lines()
        .position(|it| it.contains("Connewitz"))
        .unwrap()
        + 1;
    let typed = format!("/forget MEMORY.md:{number}\r");
    let mut terminal = Terminal::run(home.command("chat"));
    terminal.answer("> ", &typed);
    terminal.answer("Type `forget` to forget this; Enter keeps it: ", "n\r");
    terminal.until("nothing was forgotten");
    assert_eq!(home.memory(), memory);
    terminal.answer("> ", &typed);
    terminal.answer("Type `forget` to forget this; Enter keeps it: ", "forget\r");
    terminal.answer("Enter only hides them: ", "remove\r");
    terminal.until("Forgotten.");
    terminal.answer("> ", "\u{4}");
    terminal.end();
    home.memory().lacks("Connewitz");
}
