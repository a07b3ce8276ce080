//! The hooks of coding agents: memory at the start and at each prompt, and copies of their transcripts.
//!
//! No failure stops or delays the calling program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use testkit::{ProgramRun, TestHome, Transcript, Words};

const CLAUDE: &str = "claude-code";

fn hook(home: &TestHome, event: &str, told: &Value) -> ProgramRun {
    let run = home.run_with_input(&["hook", CLAUDE, event], told.to_string());
    run.with_code(0)
}

#[test]
fn hook_with_invalid_arguments_exits_0() {
    let home = TestHome::new();
    for wrong in [
        vec!["hook", CLAUDE, "UserPromptSubmit", "--bogus"],
        vec!["hook", "bogus", "UserPromptSubmit"],
        vec!["--json", "hook", CLAUDE],
    ] {
        let run = home.run_with_input(&wrong, "{}").with_code(0);
        assert_eq!(run.stdout, "");
        run.stderr.begins("warning: hook skipped: ");
        run.stderr
            .replace("\n  ", " ")
            .holds("`openclaw hook --help`");
    }
    home.run("memory --bogus").with_code(2);
}

/// The text that the program adds to its context; empty if nothing is known.
pub(crate) fn given(home: &TestHome, event: &str, told: &Value) -> String {
    let run = hook(home, event, told);
    assert_eq!(run.stderr, "");
    if run.stdout.is_empty() {
        return String::new();
    }
    let answer = run.json();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], event);
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
    text.unwrap().to_owned()
}

/// Lines of a transcript as Claude Code writes them.
fn line(n: usize, said: &str) -> String {
    let parent = n.checked_sub(1).map(|before| format!("u{before}"));
    let is_user = n.is_multiple_of(2);
    let message = if is_user {
        json!({ "role": "user", "content": said })
    } else {
        json!({ "id": format!("m{n}"), "role": "assistant", "content": [{ "type": "text", "text": said }] })
    };
    let line = json!({
        "type": if is_user { "user" } else { "assistant" },
        "uuid": format!("u{n}"), "parentUuid": parent, "sessionId": "s1",
        "timestamp": format!("2026-03-02T08:00:{n:02}.000Z"), "message": message,
    });
    format!("{line}\n")
}

/// A clone of a repository with this remote.
fn clone_of(home: &TestHome, name: &str, remote: &str) -> PathBuf {
    let path = home.folder().join(name);
    make_repository(&path, remote);
    path
}

pub(crate) fn make_repository(path: &Path, remote: &str) {
    let at = path.to_str().unwrap();
    for arguments in [
        vec!["init", "-q", at],
        vec!["-C", at, "remote", "add", "origin", remote],
    ] {
        let done = Command::new("git").args(arguments).status();
        assert!(done.unwrap().success());
    }
}

pub(crate) fn told(directory: &Path, prompt: &str) -> Value {
    json!({ "cwd": directory, "prompt": prompt })
}

/// The text of a line of an export, each block on a line of its own.
fn text_of(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    let content = &line["content"];
    let blocks = content.as_array().into_iter().flatten();
    let blocks: Vec<&str> = blocks.map(|it| it["text"].as_str().unwrap()).collect();
    content.as_str().map_or(blocks.join("\n"), str::to_owned)
}

/// The texts of the sessions that are not empty.
fn texts(home: &TestHome) -> Vec<Vec<String>> {
    let names = home.list("sessions").into_iter();
    let names = names.filter_map(|file| file.strip_suffix(".jsonl").map(str::to_owned));
    names
        .map(|name| {
            let messages = Transcript::read(home, &name).messages().into_iter();
            messages.map(|message| message.text).collect()
        })
        .collect()
}

#[test]
fn hook_gives_memory_at_start_and_recall_at_prompt() {
    let home = TestHome::init();
    let at = told(home.folder(), "When does the ferry leave?");
    assert_eq!(given(&home, "SessionStart", &at), "");
    assert_eq!(given(&home, "UserPromptSubmit", &at), "");
    home.write_memory(
        "# Long-term memory\n\n- I live in Graz. <!-- n:5c3dfe72 e:m1 h:00000000 o:owner -->\n",
    );
    home.note(
        "2026-03-02",
        "# 2026-03-02\n\n- The ferry leaves at noon.\n",
    );
    let start = given(&home, "SessionStart", &at);
    assert!(start.contains("- I live in Graz."), "{start}");
    assert!(!start.contains("<!--"), "{start}");
    let prompt = given(&home, "UserPromptSubmit", &at);
    prompt.holds("<recalled source=\"memory/2026-03-02.md:3\"");
    assert!(prompt.contains("The ferry leaves at noon."), "{prompt}");
    let unknown = told(home.folder(), "zxqv kwyjibo");
    assert_eq!(given(&home, "UserPromptSubmit", &unknown), "");
}

#[test]
fn hook_omits_passages_shown_since_last_compaction() {
    let home = TestHome::init();
    home.write_memory("# Long-term memory\n\n- I live in Graz.\n");
    home.note("2026-03-02", "- The \"Aurora\" ferry leaves at noon.\n");
    let transcript = home.folder().join("s1.jsonl");
    let question = "When does the Aurora ferry leave?";
    let mut at = told(home.folder(), question);
    at["transcript_path"] = json!(transcript);
    let mut n_calls = 0;
    let mut both = |at: &Value| {
        // An event that a conversation repeats at once is answered by one hook alone.
        n_calls += 1;
        let mut at = at.clone();
        at["session_id"] = json!(format!("call-{n_calls}"));
        ["SessionStart", "UserPromptSubmit"].map(|event| given(&home, event, &at))
    };
    let [start, prompt] = both(&at);
    start.holds("I live in Graz.");
    prompt.holds("ferry leaves at noon");
    let shown = [&start, &prompt].map(|text| {
        json!({ "type": "attachment", "attachment": { "content": [text] } }).to_string()
    });
    let mut lines = shown.join("\n") + "\n";
    let _path = home.input("s1.jsonl", &lines);
    assert_eq!(both(&at), ["", ""].map(String::from));
    // A transcript that cannot be read is one that shows nothing.
    let mut other = at.clone();
    other["transcript_path"] = json!(home.folder().join("none.jsonl"));
    assert_eq!(both(&other), [start.clone(), prompt.clone()]);
    // The program may tell of the compaction before its transcript does.
    at["source"] = json!("compact");
    assert_eq!(both(&at), [start.clone(), prompt.clone()]);
    at["source"] = json!("resume");
    lines += "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"b1\"}\n";
    let _path = home.input("s1.jsonl", &lines);
    assert_eq!(both(&at), [start, prompt]);
}

#[test]
fn event_that_two_hooks_receive_is_answered_by_one() {
    let home = TestHome::init();
    home.write_memory("# Long-term memory\n\n- I live in Graz.\n");
    home.note("2026-03-02", "- The ferry leaves at noon.\n");
    let mut at = told(home.folder(), "When does the ferry leave?");
    at["session_id"] = json!("s1");
    let both = |at: &Value| {
        ["SessionStart", "UserPromptSubmit"].map(|event| given(&home, event, at).is_empty())
    };
    assert_eq!(both(&at), [false, false]);
    assert_eq!(both(&at), [true, true]);
    at["session_id"] = json!("s2");
    assert_eq!(both(&at), [false, false]);
}

#[test]
fn prompt_hook_answers_without_model_key() {
    let home = TestHome::init();
    home.write(
        "config.yaml",
        "model: { provider: anthropic, name: some }\n",
    );
    home.note("2026-03-02", "- The ferry leaves at noon.\n");
    let at = told(home.folder(), "When does the ferry leave?");
    let prompt = given(&home, "UserPromptSubmit", &at);
    assert!(prompt.contains("The ferry leaves at noon."), "{prompt}");
}

#[test]
fn session_start_hook_stays_within_token_budget() {
    let home = TestHome::init();
    let lines: Vec<String> = (0..2_000)
        .map(|n| format!("- Box {n} stands on shelf {n}."))
        .collect();
    let lines = lines.join(
        "
",
    );
    home.write_memory(format!("# Long-term memory\n\n{lines}\n"));
    let start = given(&home, "SessionStart", &told(home.folder(), ""));
    let tokens = base::estimate_text(&start).0;
    assert!((900..1_100).contains(&tokens), "{tokens}");
}

#[test]
fn i1_hook_imports_growing_transcript_once() {
    let home = TestHome::init();
    let at = json!({ "cwd": home.folder(), "transcript_path": home.input("s1.jsonl", "") });
    let said = ["The hall costs 900.", "Noted.", "We rent it.", "Good."];
    let lines: Vec<String> = said
        .iter()
        .enumerate()
        .map(|(n, said)| line(n, said))
        .collect();
    let (torn, _) = lines[2].split_at(40);
    for (written, event, n_expected) in [
        (format!("{}{}{torn}", lines[0], lines[1]), "Stop", 2),
        (lines[..3].concat(), "PreCompact", 3),
        // More of this reply may follow.
        (lines.concat(), "PreCompact", 3),
        (lines.concat(), "Stop", 4),
        (lines.concat(), "SessionEnd", 4),
    ] {
        let _written = home.input("s1.jsonl", written);
        let run = hook(&home, event, &at);
        assert_eq!((&*run.stdout, &*run.stderr), ("", ""), "{event}");
        assert_eq!(texts(&home), [said[..n_expected].to_vec()], "{event}");
    }
}

#[test]
fn i1_hook_follows_rewound_transcript_and_growing_reply() {
    let home = TestHome::init();
    let file = home.input("s1.jsonl", "");
    let at = json!({ "cwd": home.folder(), "transcript_path": file });
    let line = |id: &str, parent: &str, role: &str, text: &str| {
        let parent = Some(parent).filter(|parent| !parent.is_empty());
        let content = json!([{ "type": "text", "text": text }]);
        let line = json!({
            "type": role, "uuid": id, "parentUuid": parent, "sessionId": "s1",
            "timestamp": "2026-03-02T08:00:00.000Z",
            "message": { "id": "m", "role": role, "content": content },
        });
        format!("{line}\n")
    };
    let mut written = String::new();
    for (more, live) in [
        (line("a", "", "user", "Tea?"), vec!["Tea?"]),
        (line("b", "a", "assistant", "Green"), vec!["Tea?", "Green"]),
        // The same reply.
        (
            line("c", "b", "assistant", "or black."),
            vec!["Tea?", "Green\nor black."],
        ),
        (
            line("d", "c", "user", "Black."),
            vec!["Tea?", "Green\nor black.", "Black."],
        ),
        (
            line("e", "c", "user", "Rather green."),
            vec!["Tea?", "Green\nor black.", "Rather green."],
        ),
        (line("f", "", "user", "Coffee?"), vec!["Coffee?"]),
    ] {
        let (begun, _) = more.split_at(40);
        let _torn = home.input("s1.jsonl", format!("{written}{begun}"));
        let _waits = hook(&home, "Stop", &at);
        written.push_str(&more);
        let _whole = home.input("s1.jsonl", &written);
        for event in ["Stop", "PreCompact", "SessionEnd"] {
            let run = hook(&home, event, &at);
            assert_eq!((&*run.stdout, &*run.stderr), ("", ""), "{event}");
        }
        let name = home.list("sessions").pop().unwrap();
        let name = name.strip_suffix(".jsonl").unwrap();
        let view = ["session", "export", name, "--view", "--format", "jsonl"];
        let shown = home.ok(&view).stdout;
        let said: Vec<String> = shown.lines().map(text_of).collect();
        assert_eq!(said, live);
    }
}

#[test]
fn i1_concurrent_hooks_import_each_message_once() {
    let home = TestHome::init();
    let said: Vec<String> = (0..60).map(|n| format!("Message number {n}.")).collect();
    let lines: String = said
        .iter()
        .enumerate()
        .map(|(n, said)| line(n, said))
        .collect();
    let file = home.input("s1.jsonl", lines);
    let at = json!({ "cwd": home.folder(), "transcript_path": file }).to_string();
    let hooks: Vec<_> = ["Stop", "SessionEnd", "Stop", "PreCompact"]
        .iter()
        .map(|event| {
            let mut child = home.spawn(&["hook", CLAUDE, event]);
            testkit::send(&mut child, &at);
            child
        })
        .collect();
    for child in hooks {
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    }
    assert_eq!(texts(&home), [said]);
}

#[test]
fn repository_transcript_is_not_recalled_elsewhere() {
    let home = TestHome::init();
    home.note(
        "2026-03-01",
        "# 2026-03-01\n\n- My badge opens door four.\n",
    );
    let ours = clone_of(&home, "a", "git@example.org:acme/tools.git");
    let same = clone_of(&home, "b", "https://example.org/acme/tools");
    let other = clone_of(&home, "c", "https://example.org/acme/site");
    let file = home.input(
        "s1.jsonl",
        line(0, "The staging server of tools is called gerbil."),
    );
    let _taken = hook(
        &home,
        "Stop",
        &json!({ "cwd": ours, "transcript_path": file }),
    );
    let question = "What is the staging server called?";
    let nowhere = home.folder().to_owned();
    for (directory, is_seen) in [
        (&ours, true),
        (&same, true),
        (&other, false),
        (&nowhere, false),
    ] {
        let found = given(&home, "UserPromptSubmit", &told(directory, question));
        assert_eq!(
            found.contains("gerbil"),
            is_seen,
            "{}: {found}",
            directory.display()
        );
        let own = given(
            &home,
            "UserPromptSubmit",
            &told(directory, "Which door does my badge open?"),
        );
        assert!(own.contains("door four"), "{}: {own}", directory.display());
    }
    // The owner, at their own command line, sees all; a dream makes no memory of it that others would see.
    let all = home.ok(&["memory", "search", question]);
    all.stdout.holds("gerbil");
    home.ok("dream --now --backfill");
    for file in home.list("workspace/memory") {
        home.read(&format!("workspace/memory/{file}"))
            .lacks("gerbil");
    }
    assert!(!home.memory().contains("gerbil"));
}

#[test]
fn i16_hook_with_bad_input_warns_and_exits_0() {
    let home = TestHome::init();
    let missing = json!({ "transcript_path": home.folder().join("gone.jsonl") }).to_string();
    for (event, input) in [
        ("SessionStart", ""),
        ("UserPromptSubmit", "no json"),
        ("UserPromptSubmit", "7"),
        ("Stop", "{}"),
        ("Stop", &missing),
        ("Unheard", "{}"),
    ] {
        let run = home
            .run_with_input(&["hook", CLAUDE, event], input)
            .with_code(0);
        assert_eq!(run.stdout, "", "{event} {input}");
        run.stderr.begins("warning: hook skipped: ");
        assert_eq!(
            run.stderr
                .trim_end()
                .lines()
                .filter(|line| line.starts_with("warning"))
                .count(),
            1
        );
    }
    for input in ["", "no json", "7"] {
        let run = home.run_with_input(&["hook", CLAUDE, "Stop"], input);
        let said = run.with_code(0).stderr.replace("\n  ", " ");
        said.begins("warning: hook skipped: standard input is not the JSON of a hook: ");
        said.holds("`openclaw connect PROGRAM` sets that up");
    }
    // Nobody has a home yet.
    let nobody = TestHome::new();
    let run = nobody
        .run_with_input(&["hook", CLAUDE, "SessionStart"], "{}")
        .with_code(0);
    assert_eq!(run.stdout, "");
    run.stderr.holds("there is no home");
}

#[test]
fn hook_times_out_on_open_stdin() {
    let home = TestHome::init();
    let mut child = home.spawn(&["hook", CLAUDE, "UserPromptSubmit"]);
    // Held open until the program has ended.
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8_lossy(&output.stderr).replace("\n  ", " ");
    stderr.holds("standard input did not end within 2 s");
}

#[test]
fn hook_exits_0_if_stdout_is_full() {
    let home = TestHome::init();
    home.ok("memory add 'The ferry leaves at 8 from pier 4'");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let mut child = home
        .command(&["hook", CLAUDE, "UserPromptSubmit"])
        .stdin(Stdio::piped())
        .stdout(full.unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let told = told(home.folder(), "When does the ferry leave?").to_string();
    testkit::send(&mut child, told);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr);
    stderr.holds("hook skipped");
}

#[test]
fn hook_times_out_on_held_lock() {
    let home = TestHome::init();
    // The workspace is made under a lock that another process keeps.
    let workspace = home.path().join("workspace");
    let removed = Command::new("rm").arg("-r").arg(workspace).status();
    assert!(removed.unwrap().success());
    let _held = home.hold("@workspace.lock");
    let mut child = testkit::piped(home.command(&["hook", CLAUDE, "UserPromptSubmit"]));
    let told = told(home.folder(), "When does the ferry leave?").to_string();
    testkit::send(&mut child, told);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).replace("\n  ", " ");
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]));
    assert!(stderr.contains("no answer within 5 s"), "{stderr}");
}
