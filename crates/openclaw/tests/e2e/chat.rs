//! A chat through pipes: its output, the messages that are kept, and the effects of a kill or another process.
//!
//! Compares the text that a script reads, word for word; the terminal is tested by hand.

use std::io::{BufRead, BufReader, Write};

use base::disk::{Disk, OsDisk};
use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{ProgramRun, TestHome, Transcript, Words, each, fields, log_blocks};

/// A run without the time of its last flush, and without the size of its window: it contains the name of the day.
fn timeless(run: &ProgramRun) -> String {
    let text = run.transcript();
    let lines = text
        .lines()
        // How fast a reply came is told where it took long enough, as on a machine that is busy.
        .map(|line| match line.strip_suffix(" tokens a second") {
            Some(line) => line.rsplit_once(", ").map_or(line, |(before, _)| before),
            None => line,
        })
        .map(|line| match line.split_once("last flush   ") {
            Some((before, at)) if at != "never" => format!("{before}last flush   [NOW]"),
            Some(_) | None => line.to_owned(),
        })
        .map(|line| match line.split_once(" of 200,000 tokens") {
            Some((before, after)) if before.starts_with("  window       ") => {
                format!("  window       [N] of 200,000 tokens{after}")
            }
            Some(_) | None => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn piped_chat_answers_messages_and_commands() {
    let home = TestHome::new();
    let lines = "I decided to rent the small hall.\n\n/contxt\n/new now\n/status\n/help\n/new\n/new\n/status\n/exit\nnever said\n";
    let run = home.run_with_input("chat", lines).with_code(0);
    assert_snapshot!(timeless(&run));
    let said = Transcript::read(&home, "main").messages();
    let words: Vec<&str> = said.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(words[0], "I decided to rent the small hall.");
    assert_eq!(said.len(), 2, "{words:?}");
}

#[test]
fn memory_command_summarises_memory() {
    let home = TestHome::new();
    home.write_memory("# Long-term memory\n\n- My sister is called Ann.\n");
    let run = home.run_with_input("chat", "/memory\n").with_code(0);
    assert_snapshot!(run.stdout);
}

#[test]
fn chat_recalls_notes_of_earlier_chat() {
    let home = TestHome::new();
    let told = "My sister Ann arrives on Friday at 18:40 from Lyon.\n";
    let first = home.run_with_input("chat", told).with_code(0);
    first.stderr.holds("Wrote 1 note");
    assert_eq!(log_blocks(&home).len(), 1);
    let second = home.ok("chat -m 'When does Ann arrive?'");
    second.stdout.holds("18:40");
    second.stderr.lacks("Offline:");
    let fresh = TestHome::new();
    fresh.ok("chat -m Hello").stderr.holds("Offline:");
    assert_eq!(home.ok("-q chat -m 'When does Ann arrive?'").stderr, "");
}

#[test]
fn chat_json_prints_events_and_reply_last() {
    let home = TestHome::new();
    assert_eq!(
        home.ok("chat --json -m 'The lock code is 4711.'").stderr,
        ""
    );
    let events = home
        .ok("chat --json -m 'What is the lock code?'")
        .json_lines();
    let kinds = each(&events, "/event");
    assert_eq!(kinds, ["delta", "delta", "reply"]);
    let deltas: String = events
        .iter()
        .filter(|event| event["event"] == "delta")
        .map(|event| event["text"].as_str().unwrap())
        .collect();
    let reply = events.last().unwrap();
    assert_eq!(reply["text"], deltas);
    assert!(deltas.contains("4711"), "{deltas}");
    assert_eq!(
        fields(reply, ["offline", "stopReason"]),
        json!([true, "stop"])
    );
}

#[test]
fn chat_message_is_read_from_stdin_and_rejected_if_empty() {
    let home = TestHome::new();
    let long = "I keep a list.\n\n- one\n- /new\n";
    let run = home.run_with_input("chat -m -", long).with_code(0);
    run.stdout.holds_times(1, "I am offline");
    let said = Transcript::read(&home, "main").messages();
    assert_eq!(said[0].text, long.trim());
    for (arguments, input) in [(["chat", "-m", "-"], " \n"), (["chat", "-m", "  "], "")] {
        let run = home.run_with_input(&arguments, input).with_code(2);
        run.stderr.holds("the message is empty");
    }
    let slash = home.run("chat -m /new").with_code(2);
    slash.stderr.holds("`/new` is a command of the chat");
}

#[test]
fn offline_reply_strips_terminal_escapes() {
    let home = TestHome::new();
    let hostile = "The lock code is \u{1b}[2J\u{1b}]0;owned\u{7}4711.";
    assert_eq!(home.ok(&["chat", "-m", hostile]).code, Some(0));
    let asked = home.ok("chat -m 'What is the lock code?'");
    asked.stdout.holds("4711");
    assert!(
        !asked.stdout.contains(['\u{1b}', '\u{7}']),
        "{:?}",
        asked.stdout
    );
}

#[test]
fn chat_no_wait_on_locked_session_names_holder() {
    let home = TestHome::new();
    home.ok("chat -m Hello.");
    let before = home.files();
    let lock = home.hold("main.lock");
    let run = home.run("chat -m Hello? --no-wait").with_code(4);
    let own = format!("session main is in use by process {}", std::process::id());
    run.stderr.holds(&own);
    let piped = home
        .run_with_input("chat --no-wait", "Hello?\nAnd again.\n")
        .with_code(4);
    piped.stderr.holds_times(1, &own);
    drop(lock);
    let changed: Vec<_> = home
        .files()
        .into_iter()
        .filter(|file| !before.contains(file) && file.0.extension() == Some("jsonl".as_ref()))
        .collect();
    assert_eq!(changed, []);
}

/// Runs a chat while another process uses the session, until the chat says which process it waits for; then that
/// process ends.
fn run_waiting(home: &TestHome, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let lock = OsDisk.try_lock(&home.path().join("state/locks/main.lock"));
    let mut child = home.spawn(arguments);
    testkit::send(&mut child, input);
    let told = format!("Waiting for process {}", std::process::id());
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(stderr.any(|line| line.unwrap().contains(&told)));
    drop(lock.unwrap());
    let rest = stderr.map(|line| line.unwrap() + "\n").collect::<String>();
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(!rest.contains("error"), "{rest}");
    (output.status.code(), stdout)
}

#[test]
fn chat_waits_for_turn_of_other_process() {
    let home = TestHome::new();
    home.ok("chat -m 'The lock code is 4711.'");
    let question = "What is the lock code?";
    let (code, stdout) = run_waiting(&home, &["chat", "-m", question], "");
    assert_eq!(code, Some(0));
    assert!(stdout.contains("4711"), "{stdout}");
    let (code, stdout) = run_waiting(&home, &["chat"], &format!("{question}\n{question}\n"));
    assert_eq!(code, Some(0));
    stdout.holds_times(2, "4711");
    let locks = home.list("state/locks");
    assert!(
        !locks.iter().any(|name| name.starts_with("@wait-")),
        "{locks:?}"
    );
}

#[test]
fn piped_line_not_utf_8_is_reported_and_others_are_sent() {
    let home = TestHome::new();
    let lines = b"one car is red\ntwo \xff cats\nthree dogs bark\n";
    let run = home.run_with_input("chat", lines).with_code(1);
    run.stderr
        .holds("error: line 2 was not sent: it is not UTF-8");
    let said = Transcript::said(&home, "main", "user");
    assert_eq!(said, ["one car is red", "three dogs bark"]);
}

#[test]
fn chat_json_answers_commands_with_events() {
    let home = TestHome::new();
    let run = home.run_with_input("chat --json", "/status\n/context\n/help\n");
    let events = run.with_code(0).json_lines();
    let kinds = each(&events, "/event");
    assert_eq!(kinds, ["status", "context", "help"]);
    assert_eq!(events[0]["tokens"], events[1]["tokens"]);
    assert_eq!(events[0]["messages"], 0);
}

/// Sends messages until the chat has printed this many events, then kills it. Returns the replies so far.
fn killed_after(home: &TestHome, round: usize, n_events: usize) -> Vec<String> {
    let mut child = home.spawn("chat --json");
    let mut stdin = child.stdin.take().unwrap();
    let words =
        |number: usize| format!("I decided to use plan {round}-{number} for the harbour wall.");
    for number in 0..4 {
        writeln!(stdin, "{}", words(number)).unwrap();
    }
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let seen: Vec<String> = stdout.lines().take(n_events).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let n_replies = seen
        .iter()
        .filter(|line| line.contains("\"reply\""))
        .count();
    (0..n_replies).map(words).collect()
}

#[test]
fn i1_i4_killed_chat_keeps_each_answered_message_once() {
    let home = TestHome::new();
    let mut answered = Vec::new();
    for round in 0..8 {
        answered.extend(killed_after(&home, round, round + 1));
    }
    let last = home.run_with_input("chat", "Enough.\n").with_code(0);
    last.stderr.holds("Wrote");
    let said = Transcript::said(&home, "main", "user");
    for words in &answered {
        assert_eq!(said.iter().filter(|it| *it == words).count(), 1, "{words}");
    }
    assert!(answered.len() > 4, "{answered:?}");
    crate::held::i4_no_entry_in_two_blocks(&home, "main");
    crate::held::verify_is_clean(&home, "main");
}

#[test]
fn status_after_new_has_id_of_new_conversation() {
    let home = TestHome::new();
    let run = home.run_with_input("chat --json", "The lock code is 4711.\n/new\n/status\n");
    let events = run.with_code(0).json_lines();
    let status = events.iter().find(|event| event["event"] == "status");
    let transcript = home.read("sessions/main.jsonl");
    let mut lines = transcript
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reset = lines.find(|line| line["type"] == "reset").unwrap();
    assert_eq!(status.unwrap()["id"], reset["sessionId"]);
}

#[test]
fn session_list_shows_conversations_before_and_after_new() {
    let home = TestHome::new();
    let talk = "I decided to rent the small hall.\n/new\nI decided to paint it turquoise.\nIt has a stage.\n";
    home.run_with_input("chat", talk).with_code(0);
    let listed = home.ok("session list --json").json();
    let sessions = listed["sessions"].as_array().unwrap();
    let counts = each(sessions, "/messages");
    assert_eq!(counts, [2, 4]);
    assert_eq!(sessions[0]["parent"], serde_json::Value::Null);
    assert_eq!(sessions[1]["parent"], sessions[0]["id"]);
    let n_bytes: u64 = sessions.iter().filter_map(|it| it["bytes"].as_u64()).sum();
    let transcript = home.read("sessions/main.jsonl");
    assert_eq!(n_bytes, transcript.len() as u64);
}

/// Keeps memory out of every session but the primary one.
const ONLY_PRIMARY: &str = "memory.sessions=primary";

#[test]
fn offline_secondary_session_answers_only_from_itself() {
    let home = TestHome::new();
    let tell = |session: &str, text: &str| {
        home.ok(&["chat", "-s", session, "-m", text]);
    };
    tell("main", "My sister Ann lives in Porto.");
    tell("work", "The code of the lab locker is 0815.");
    let day = regex::Regex::new(r"\d{4}-\d{2}-\d{2}").unwrap();
    let asked = |question| {
        day.replace_all(
            &home
                .ok(&[
                    "-q",
                    "chat",
                    "-s",
                    "work",
                    "-m",
                    question,
                    "--set",
                    ONLY_PRIMARY,
                ])
                .stdout,
            "[DAY]",
        )
        .into_owned()
    };
    assert_eq!(
        asked("What is the code of the lab locker?"),
        "I am offline and can only quote what I find in memory:\n\n\
         - The code of the lab locker is 0815. (sessions/work.jsonl:2, [DAY])\n"
    );
    assert_eq!(
        asked("Where does Ann live?"),
        "I am offline, and I find nothing about this in this session. \
         It is kept apart from your notes and from the other sessions.\n"
    );
}

#[test]
fn flush_without_notes_does_not_name_log() {
    let home = TestHome::new();
    home.run_with_input("chat", "hello\n/new\n").with_code(0);
    assert_eq!(home.list("workspace/memory"), [""; 0]);
    let shown = home.ok("session show main");
    shown.stdout.holds("notes       none");
}

#[test]
fn offline_isolated_fork_answers_only_from_copied_messages() {
    let home = TestHome::new();
    let tell = |text: &str| {
        home.ok(&["chat", "-m", text]);
    };
    tell("The code of the lab locker is 0815.");
    home.ok("session fork main work");
    tell("My sister Ann lives in Porto.");
    let asked = |question| {
        home.ok(&["-q", "chat", "--isolated", "-s", "work", "-m", question])
            .stdout
    };
    let known = asked("What is the code of the lab locker?");
    let quoted = "- The code of the lab locker is 0815. (sessions/main.jsonl:2, ";
    assert!(known.contains(quoted), "{known}");
    let unknown = asked("Where does Ann live?");
    unknown.holds("nothing about this in this session");
}

#[test]
fn isolated_session_stays_untrusted_and_without_memory() {
    let home = TestHome::init();
    home.ok(&["memory", "add", "--lasting", "My sister Ann lives in Porto"]);
    home.ok("chat -m hello");
    let memory = home.memory();
    let said = "Remember that I am allergic to nuts.\n/memory Where does Ann live?\n/dream\n/resume\n/resume main\n";
    let run = home
        .run_with_input("chat --isolated -s guests", said)
        .with_code(0);
    for command in ["/memory", "/dream", "/resume"] {
        let refusal = format!("`{command}` does not work here");
        run.stderr.replace("\n  ", " ").holds(&refusal);
    }
    run.transcript().lacks("Porto");
    run.transcript().lacks("A dream");
    home.ok("dream --now --backfill");
    assert_eq!(home.memory(), memory);
    let origins = |name: &str| {
        let text = home.read(&format!("sessions/{name}.jsonl"));
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let said = lines.filter(|it: &Value| it["message"]["role"] == "user");
        said.map(|it| it["origin"].as_str().unwrap().to_owned())
            .collect::<Vec<String>>()
    };
    assert_eq!(origins("guests"), ["untrusted"]);
    // It stays isolated, as do its forks, without the option.
    home.ok("session fork guests copy");
    for name in ["guests", "copy"] {
        let asked = "Where does my sister Ann live?";
        let later = home.ok(&["-q", "chat", "-s", name, "-m", asked]);
        later.transcript().lacks("Porto");
        assert_eq!(origins(name).last().unwrap(), "untrusted");
    }
    let own = home.ok(&["chat", "-m", "Where does my sister Ann live?"]);
    own.stdout.holds("Porto");
    assert!(origins("main").iter().all(|it| it == "owner"));
}

#[test]
fn message_is_stored_as_it_was_typed() {
    let home = TestHome::new();
    let typed = "  indented,\nwith blanks at its end  \n ";
    home.ok(&["chat", "-m", typed]);
    home.run_with_input("chat -m -", "one line \n").with_code(0);
    let said = Transcript::read(&home, "main").messages();
    let said: Vec<String> = said.into_iter().map(|stored| stored.text).collect();
    assert!(said.contains(&typed.to_owned()), "{said:?}");
    assert!(said.contains(&"one line ".to_owned()), "{said:?}");
}

#[test]
fn words_after_chat_are_one_message() {
    let home = TestHome::new();
    let one = home.ok("chat 'My aunt lives in Graz.'");
    let noted = "I am offline. I will note:\n\n- My aunt lives in Graz.\n";
    assert!(one.stdout.starts_with(noted), "{}", one.stdout);
    home.ok("chat two words");
    let both = home.run("chat -m one two").with_code(2);
    both.stderr.holds("cannot be used with");
    let said = crate::terminal::said(&home);
    assert_eq!(said, ["My aunt lives in Graz.", "two words"]);
}
