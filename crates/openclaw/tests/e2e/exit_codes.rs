//! Every exit code that is documented, each by a command that ends with it.
//!
//! 70 is a bug, which no command produces on request: a test of the binary covers it.

use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;

use base::disk::{Disk, OsDisk};
use testkit::{TestHome, conversation, to_jsonl};

use crate::chat_with_model::{begun, home as home_with_model, server};

/// The codes of a page, by the table under its heading.
fn documented(page: &str) -> Vec<i32> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(page);
    let text = String::from_utf8(base::disk::read_all(&OsDisk, &path, u64::MAX).unwrap()).unwrap();
    let (_, table) = text.split_once("## Exit codes").unwrap();
    let section = table.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| "));
    cells
        .filter_map(|line| line.split(" |").next()?.parse().ok())
        .collect()
}

/// A home with a session `talk`, an index, and files of the owner.
fn home() -> TestHome {
    let home = TestHome::new();
    home.replay("talk", to_jsonl(&conversation(1, 8)));
    home.ok("memory add 'The piano is tuned in May'");
    home.ok("memory index");
    home
}

/// The files that a command must not change if it reports that nothing was written; the index is built from them.
fn kept(home: &TestHome) -> Vec<(PathBuf, Vec<u8>)> {
    let root = home.path();
    let is_derived = |path: &PathBuf| {
        ["index", "state/locks"]
            .iter()
            .any(|directory| path.starts_with(root.join(directory)))
    };
    let files = home.files().into_iter();
    files.filter(|(path, _)| !is_derived(path)).collect()
}

#[test]
fn cli_page_lists_each_exit_code() {
    let all = [0, 1, 2, 3, 4, 5, 6, 70, 130];
    assert_eq!(documented("docs/cli.md"), all);
}

#[test]
fn exit_codes_0_1_2_and_6_match_documentation() {
    let home = home();
    let offline = |code: i32, arguments: &[&str]| {
        let run = home.run(arguments).with_code(code);
        assert_eq!(
            run.stderr.contains("error:"),
            code != 0,
            "{}",
            run.transcript()
        );
    };
    offline(0, &["memory", "search", "piano"]);
    offline(0, &["memory", "search", "zeppelin"]);
    offline(0, &["memory", "search", "piano", "--strict"]);
    offline(0, &["session", "verify"]);
    offline(1, &["session", "show", "tlk"]);
    offline(1, &["memory", "search", "?"]);
    offline(1, &["replay", "missing.jsonl"]);
    offline(1, &["config", "set", "compaction.contextWindow", "many"]);
    offline(1, &["memory", "get", "memory/2020-01-01.md"]);
    offline(2, &["frobnicate"]);
    // The help is the answer to a command that is none by itself.
    home.run("").with_code(2);
    home.run("session").with_code(2);
    offline(2, &["memory", "search", "piano", "--limit", "no"]);
    offline(2, &["memory", "search"]);
    let model = "--set=model.provider=openai-compatible";
    let name = "--set=model.name=some-model";
    let nobody = "--set=model.baseUrl=http://127.0.0.1:9/v1";
    let reason = home.run(&[
        "chat",
        "-m",
        "hello",
        "--set=model.provider=anthropic",
        name,
    ]);
    assert!(has_next(&reason.with_code(6).stderr));
    let run = home.run(&["chat", "-s", "other", "-m", "hello", model, name, nobody]);
    assert!(has_next(&run.with_code(6).stderr));
}

/// Whether it says what to type or do next.
fn has_next(stderr: &str) -> bool {
    stderr.contains("hint: ") || stderr.contains("--help")
}

#[test]
fn resource_locked_by_other_process_exits_4() {
    let home = home();
    for (lock, arguments) in [
        (
            "talk.lock",
            &["chat", "-s", "talk", "-m", "hello", "--no-wait"][..],
        ),
        ("talk.lock", &["session", "delete", "talk", "--yes"]),
        ("@dream.lock", &["dream", "--now"]),
        ("@tombstones.lock", &["memory", "forget", "--yes", "piano"]),
    ] {
        let path = home.path().join("state/locks").join(lock);
        let held = OsDisk.try_lock(&path).unwrap();
        let before = kept(&home);
        let run = home.run(arguments).with_code(4);
        assert!(has_next(&run.stderr), "{}", run.transcript());
        assert_eq!(kept(&home), before, "{arguments:?}");
        drop(held);
    }
}

/// Damages the content of a file so that the program cannot use it.
type Break<'b> = &'b dyn Fn(String) -> String;

#[test]
fn damaged_or_newer_data_exits_5_and_is_not_written() {
    let newer = |text: String| text.replacen("\"version\":3", "\"version\":9", 1);
    let garbled = |text: String| text.replacen("{\"type\":\"message\"", "{garbled", 1);
    let appended = |text: String| text + "garbage\n";
    let cases: [(&str, Break<'_>, &[&[&str]]); 4] = [
        (
            "sessions/talk.jsonl",
            &newer,
            &[
                &["chat", "-s", "talk", "-m", "hello"],
                &["session", "compact", "talk"],
                &["session", "fork", "talk", "other"],
                &["session", "delete", "talk", "--yes"],
                &["session", "verify"],
            ],
        ),
        ("sessions/talk.jsonl", &garbled, &[&["session", "verify"]]),
        (
            "state/tombstones.jsonl",
            &appended,
            &[
                &["memory", "search", "piano"],
                &["memory", "add", "The cello is old"],
                &["memory", "forget", "--yes", "talk"],
                &["chat", "-m", "hello"],
                &["chat", "-s", "talk", "-m", "hello"],
                &["dream", "--now"],
                &["replay", "talk.jsonl", "-s", "again"],
            ],
        ),
        (
            "state/tombstones.jsonl",
            &|text| text.replacen("\"version\":1", "\"version\":9", 1),
            &[&["memory", "search", "piano"], &["chat", "-m", "hello"]],
        ),
    ];
    for (file, broken, commands) in cases {
        let home = home();
        home.ok("memory forget --yes piano");
        home.write(file, broken(home.read(file)));
        let before = kept(&home);
        for arguments in commands {
            let run = home.run(*arguments).with_code(5);
            let has_next = has_next(&run.stderr) || run.stdout.contains("next: ");
            assert!(has_next, "{}", run.transcript());
            assert_eq!(kept(&home), before, "{arguments:?} after {file}");
        }
    }
}

#[test]
fn ctrl_c_exits_130() {
    let server = server([begun()]);
    let home = home_with_model(&server.url("/v1"));
    let mut child = home.spawn("chat -m 'Tell me a story.'");
    let mut seen = [0; 4];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut seen).unwrap();
    testkit::signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn closed_stdout_exits_0() {
    let home = home();
    for arguments in [
        "memory search piano",
        "memory search piano --json",
        "session list",
        "session show talk",
        "session export talk",
        "config show",
        "man",
        "--help",
        "chat -m 'When is the piano tuned?'",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = home.command(arguments);
        let status = command.stdout(writer).stderr(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(0), "{arguments:?}");
    }
}
