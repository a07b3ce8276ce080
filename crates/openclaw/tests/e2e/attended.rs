//! A chat whose owner looks on: what is asked of them, who is waited for, how wide the lines are.
//!
//! Measures no time; what takes long here says so by itself.

use std::process::Command;

use rustix::termios::{Winsize, tcsetwinsize};
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
fn a_tool_of_a_server_is_called_at_the_owners_word_alone() {
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
fn lines_are_as_wide_as_the_terminal_is_when_they_come() {
    let words = "one two three four five six seven eight nine ten eleven twelve";
    let model = server([reply(words), reply(words)]);
    let home = home(&model.url("/v1"));
    let mut terminal = Terminal::chat(&home);
    let resize = |terminal: &Terminal, columns| {
        let size = Winsize {
            ws_row: 24,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal.keys, size).unwrap();
    };
    terminal.until("> ");
    resize(&terminal, 70);
    terminal.press("Count.\r");
    let shown = terminal.until("twelve");
    assert!(shown.contains(words), "{shown:?}");
    resize(&terminal, 30);
    terminal.press("Again.\r");
    let shown = terminal.until("twelve");
    shown.holds("one two three four five six\r\nseven");
    terminal.leave();
}

#[test]
fn who_is_waited_for_is_named() {
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
fn who_is_waited_for_is_named_after_a_warning_too() {
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
fn a_chat_for_programs_is_json_and_nothing_else() {
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

/// A note of the assistant, and below it a line of the owner.
const OURS: &str = "The bicycle code is 4711";
const OWNERS: &str = "- The bicycle code was 4712";

/// The same forgetting by place and by question.
fn bicycle_forgettings(log: &str, line: usize) -> [Vec<String>; 2] {
    let place = format!("{log}:{line}");
    [
        &[place.as_str()][..],
        &["--limit", "1", "bicycle code 4711"],
    ]
    .map(|what| what.iter().map(|word| (*word).to_owned()).collect())
}

fn forget(home: &TestHome, options: &[&str], what: &[String]) -> Command {
    let words = what.iter().map(String::as_str);
    let command = ["memory", "forget"].into_iter();
    let all: Vec<&str> = command
        .chain(options.iter().copied())
        .chain(words)
        .collect();
    home.command(&all)
}

#[test]
fn yes_after_a_forget_at_a_terminal_takes_out_no_other_line() {
    for by in 0..2 {
        let home = TestHome::new();
        home.ok("init");
        let log = "memory/2026-03-02.md";
        let file = format!("workspace/{log}");
        let marks = format!("n:0a0a0a0a e:x h:{} o:agent", base::short_hash(OURS));
        let ours = format!("- {OURS} <!-- {marks} -->");
        home.write(&file, format!("# 2026-03-02\n\n{ours}\n{OWNERS}\n"));
        let what = &bicycle_forgettings(log, 3)[by];
        let mut terminal = Terminal::run(forget(&home, &[], what));
        if by == 1 {
            terminal.answer("Forget this? [y/N] ", "y\r");
        }
        terminal.end();
        let left = home.read(&file);
        assert!(left.contains(OWNERS) && !left.contains(OURS), "{left}");
        let again = forget(&home, &["--yes"], what).output().unwrap();
        assert_eq!(home.read(&file), left);
        assert_eq!(again.status.code(), Some(1));
        let told = String::from_utf8_lossy(&again.stdout);
        assert!(told.contains("--after"), "{told}");
    }
}

#[test]
fn yes_takes_out_the_owners_lines_that_a_forget_at_a_terminal_left() {
    for by in 0..2 {
        let home = TestHome::new();
        home.ok("init");
        let log = "memory/2026-03-02.md";
        let file = format!("workspace/{log}");
        home.write(&file, format!("# 2026-03-02\n\n- {OURS}\n{OWNERS}\n"));
        let what = &bicycle_forgettings(log, 3)[by];
        let mut terminal = Terminal::run(forget(&home, &[], what));
        if by == 1 {
            terminal.answer("Forget this? [y/N] ", "y\r");
        }
        terminal.answer("Otherwise they are only hidden. [y/N] ", "n\r");
        terminal.end();
        // It stands in another line by now.
        let moved = home.read(&file).replacen("# 2026", "- Tea\n# 2026", 1);
        home.write(&file, &moved);
        moved.holds_times(2, "bicycle");
        let found = home.ok("memory search 'bicycle code'");
        let shown = if found.stdout.contains("4711") {
            "4711"
        } else {
            "4712"
        };
        let again = forget(&home, &["--yes"], what).output().unwrap();
        assert_eq!(again.status.code(), Some(0));
        let left = home.read(&file);
        let bicycles: Vec<&str> = left.lines().filter(|it| it.contains("bicycle")).collect();
        assert!(bicycles.len() == 1 && bicycles[0].contains(shown), "{left}");
    }
}
