//! Homes that cannot be used as they are: each command reports this with a documented exit code, and nothing is lost.
//!
//! The program never overwrites the bad files.

use insta::assert_snapshot;
use testkit::{TestHome, Transcript, Words, conversation, to_jsonl};

use crate::held;

/// A home with one finished session, `talk`, and its recording next to it.
fn home_with_session() -> TestHome {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(1, 8)));
    let run = home.ok("replay talk.jsonl -s talk");
    assert!(run.code.is_some());
    home
}

#[test]
fn i1_replay_of_locked_session_exits_4_and_resumes_later() {
    let home = home_with_session();
    home.input("longer.jsonl", to_jsonl(&conversation(1, 12)));
    let before = home.files();
    let lock = home.hold("talk.lock");
    let arguments = "replay longer.jsonl -s talk --resume";
    let run = home.run(arguments).with_code(4);
    let pid = std::process::id().to_string();
    run.stderr.holds(&pid);
    assert_snapshot!(run.transcript().replace(&pid, "[PID]"));
    assert_eq!(home.files(), before);

    drop(lock);
    home.ok(arguments);
    held::all(&home, "talk", &conversation(1, 12));
}

#[test]
fn replay_into_unwritable_home_fails() {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(1, 4)));
    let run = home.run_read_only("replay talk.jsonl -s talk");
    assert_snapshot!(run.with_code(1).transcript());
}

#[test]
fn read_commands_work_in_read_only_home() {
    let home = home_with_session();
    let before = home.files();
    for arguments in [
        "session list",
        "session show talk",
        "session verify",
        "config show",
        "dream list",
        "dream log",
    ] {
        let run = home.run_read_only(arguments).with_code(0);
        assert_eq!(run.stderr, "", "{}", run.transcript());
    }
    assert_eq!(home.files(), before);
}

#[test]
fn i2_damaged_transcript_line_is_reported_and_kept() {
    let home = home_with_session();
    home.input("longer.jsonl", to_jsonl(&conversation(1, 12)));
    let whole = home.read("sessions/talk.jsonl");
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    lines.insert(5, "this is not JSON\n");
    let damaged = lines.concat();
    home.write("sessions/talk.jsonl", &damaged);
    let run = home.run("session verify talk");
    assert_snapshot!(run.with_code(5).transcript());
    home.ok("session fork talk intact");
    for command in ["session verify talk", "doctor"] {
        let run = home.run(command);
        run.stdout
            .holds("next: continue in its fork with `openclaw chat -s intact`");
    }
    home.ok("replay longer.jsonl -s talk --resume")
        .stderr
        .holds("was skipped");
    let after = home.read("sessions/talk.jsonl");
    assert!(after.starts_with(&damaged), "a line was changed");
    assert_eq!(after.matches("\"type\":\"message\"").count(), 12);
}

#[test]
fn i1_torn_last_line_is_quarantined_and_replayed_again() {
    let said = conversation(1, 12);
    let home = home_with_session();
    home.input("longer.jsonl", to_jsonl(&said));
    let torn = r#"{"type":"message","id":"0198"#;
    let whole = home.read("sessions/talk.jsonl");
    home.write("sessions/talk.jsonl", format!("{whole}{torn}"));
    home.ok("replay longer.jsonl -s talk --resume")
        .stderr
        .holds("incomplete");
    held::all(&home, "talk", &said);
    let kept = home.list("state/quarantine");
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(home.read(&format!("state/quarantine/{}", kept[0])), torn);
}

#[test]
fn bad_session_file_does_not_hide_other_sessions() {
    let home = home_with_session();
    home.write("sessions/empty.jsonl", "");
    home.write("sessions/torn.jsonl", "{\"type\":\"sess");
    home.write("sessions/folder.jsonl/inside", "");
    for (arguments, code) in [(["session", "list"], 0), (["session", "verify"], 1)] {
        let mut run = home.run(&arguments).with_code(code);
        // Where a line breaks depends on how long the path of the home is.
        run.stderr = run.stderr.replace("\n  ", " ");
        assert_snapshot!(run.transcript());
    }
    assert_snapshot!(home.ok("session verify empty").transcript());
    for act in ["show", "export", "fork", "expand", "delete"] {
        let new = (act == "fork").then_some("new");
        let line: Vec<&str> = ["session", act, "empty"].into_iter().chain(new).collect();
        let run = home.run(&line).with_code(1);
        run.stderr.holds("session empty has not started");
        run.stderr.lacks("did you mean");
    }
    let report = home.run("doctor --json").with_code(1).json();
    let findings = report["findings"].as_array().unwrap();
    let empty = findings
        .iter()
        .find(|it| it["place"] == "sessions/empty.jsonl:1");
    let message = &empty.unwrap()["message"];
    assert_eq!(message, "empty: the session has not started");
}

#[test]
fn incomplete_transcript_end_gives_one_warning_with_hint() {
    let home = home_with_session();
    let whole = home.read("sessions/talk.jsonl");
    home.write("sessions/talk.jsonl", format!("{whole}{{\"type\":"));
    let shown = home.ok("session show talk");
    assert_snapshot!(shown.stderr);
    assert_snapshot!(home.ok("session verify").transcript());
    let verified = home.ok("session verify --json");
    assert_snapshot!(verified.transcript());
    let report = home.run("doctor --json").with_code(1).json();
    let hint = &verified.json()["sessions"][0]["hints"][0];
    assert_eq!(&report["findings"][0]["hint"], hint);
}

#[test]
fn window_too_small_for_prompt_error_names_shortfall() {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(1, 4)));
    let run = home.run("replay talk.jsonl -s talk --set compaction.contextWindow=1000");
    assert_snapshot!(run.with_code(1).transcript());
    assert_eq!(home.list("sessions"), [""; 0]);
}

#[test]
fn i2_openclaw_session_opens_unchanged() {
    let home = TestHome::new();
    let foreign = concat!(
        r#"{"type":"session","version":3,"id":"b7f0","timestamp":"2026-04-12T10:00:00.000Z","cwd":"/home/user"}"#,
        "\n",
        r#"{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-04-12T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"hi"}],"timestamp":1776000000000}}"#,
        "\n",
        r#"{"type":"model_change","id":"11223344","parentId":"a1b2c3d4","timestamp":"2026-04-12T10:00:01.000Z","provider":"x","modelId":"y"}"#,
        "\n",
        r#"{"type":"message","id":"55667788","parentId":"11223344","timestamp":"2026-04-12T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hello"}],"usage":{"input":10,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":12},"stopReason":"stop","timestamp":1776000002000}}"#,
        "\n",
        r#"{"type":"compaction","id":"99aabbcc","parentId":"55667788","timestamp":"2026-04-12T10:00:03.000Z","summary":"They said hello.","firstKeptEntryId":"11223344","tokensBefore":181234,"details":{"readFiles":[],"modifiedFiles":[]},"fromHook":true}"#,
        "\n",
    );
    home.write("sessions/old.jsonl", foreign);
    held::verify_is_clean(&home, "old");
    assert_snapshot!(home.ok("session show old").transcript());
    assert_eq!(Transcript::read(&home, "old").messages().len(), 2);
    assert_eq!(home.read("sessions/old.jsonl"), foreign);
}

#[test]
fn i2_newer_session_format_fails_verify_and_is_never_written() {
    let home = TestHome::new();
    home.replay("talk", to_jsonl(&conversation(2, 4)));
    let text = home.read("sessions/talk.jsonl");
    let newer = text.replacen("\"version\":3", "\"version\":9", 1);
    home.write("sessions/talk.jsonl", &newer);
    let entry = newer.lines().nth(1).unwrap();
    let entry: serde_json::Value = serde_json::from_str(entry).unwrap();
    let entry = entry["id"].as_str().unwrap();
    let verified = home.run("session verify talk").with_code(5);
    let told = "the file has format 9, but this version knows 3";
    verified.stdout.holds(told);
    home.ok("session list --json").stdout.holds("talk");
    for arguments in [
        &["chat", "-s", "talk", "-m", "hello"][..],
        &["replay", "talk.jsonl", "-s", "talk", "--resume"],
        &["session", "compact", "talk"],
        &["session", "compact", "talk", "--dry-run"],
        &["session", "fork", "talk", "copy"],
        &["session", "rewind", "talk", "--to", entry],
        &["session", "rewind", "talk", "--to", entry, "--dry-run"],
        &["session", "redact", "talk", entry],
        &["session", "redact", "talk", entry, "--yes"],
        &["session", "delete", "talk"],
        &["session", "delete", "talk", "--yes"],
    ] {
        let run = home.run(arguments).with_code(5);
        run.stderr.holds("format 9");
        assert_eq!(home.read("sessions/talk.jsonl"), newer, "{arguments:?}");
        assert_eq!(home.list("sessions"), ["talk.jsonl"], "{arguments:?}");
    }
}

#[test]
fn read_only_home_error_names_sandbox_option_that_works() {
    let home = home_with_session();
    home.ok("memory add 'The piano is tuned in May'");
    home.ok("memory index");
    let before = home.files();
    let ask = ["chat", "-m", "When is the piano tuned?"];
    let refused = home.run_read_only(&ask).with_code(1);
    let way = "--set sandbox.readOnly=true";
    refused.stderr.holds(way);
    let mut arguments: Vec<&str> = way.split(' ').collect();
    arguments.extend(ask);
    let answered = home.run_read_only(&arguments).with_code(0);
    answered.stdout.holds("The piano is tuned in May");
    assert_eq!(home.files(), before);
}

#[test]
fn i7_leftover_index_files_are_reported_and_fixed() {
    let home = TestHome::init();
    home.note("a", "- the ferry leaves at noon\n");
    home.note("b", "- the ferry is green\n");
    home.ok("memory index");
    // The next writer would make this very file, and refuse to write over it.
    let names = home.list("index/lexical");
    let segment = names.iter().find_map(|name| name.strip_suffix(".term"));
    let left = |stamp: u32| format!("index/lexical/{}.{stamp}.del", segment.unwrap());
    for stamp in 1..100 {
        home.write(&left(stamp), "half");
    }
    let status = home.ok("memory status");
    status.stdout.holds("unhealed");
    let doctor = home.run("doctor").with_code(1);
    doctor.stdout.holds("half-written");
    home.note("a", "- the ferry leaves at one\n");
    let fixed = home.ok("doctor --fix");
    fixed.stdout.holds("fixed");
    let status = home.ok("memory status");
    status.stdout.holds("index        ok");
    let found = home.ok("memory search 'ferry leaves'");
    found.stdout.holds("leaves at one");
}
