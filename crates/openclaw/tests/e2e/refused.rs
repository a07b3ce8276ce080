//! Refusals of the system: files that may not be read, a home that may not be written, and a full disk.
//!
//! Commands answer whatever they still can, and name what is missing.

use std::fs;

use serde_json::Value;
use testkit::{ProgramRun, TestHome, Words};

const LOG: &str = "# 2026-04-20\n\n- The tax form is due on 2026-05-31.\n";
const NOTE: &str = "workspace/memory/2026-04-20.md";

fn home() -> TestHome {
    let home = TestHome::init();
    home.write(NOTE, LOG);
    home
}

/// Why the answer is degraded, and what was found.
fn answer(run: &ProgramRun) -> (Value, Vec<String>) {
    let answer = run.json();
    let results = answer["results"].as_array().unwrap().iter();
    let texts = results.map(|result| result["text"].as_str().unwrap().to_owned());
    (answer["degraded"].clone(), texts.collect())
}

#[test]
fn unreadable_files_are_named_and_left_out_of_search() {
    let home = home();
    home.ok("chat -m 'The lock code is 4711.'");
    fs::remove_dir_all(home.path().join("index")).unwrap();
    let hidden = [NOTE, "sessions/main.jsonl"];
    let search = ["memory", "search", "--json", "tax form"];
    let run = home.run_without_reading(&hidden, &search).with_code(0);
    assert_eq!(answer(&run), ("unreadable".into(), Vec::new()));
    for path in ["memory/2026-04-20.md", "sessions/main.jsonl"] {
        run.stderr.holds(path);
    }
    let strict = ["memory", "search", "--strict", "tax form"];
    let strict = home.run_without_reading(&hidden, &strict).with_code(3);
    strict.stderr.holds("`openclaw memory status` says");
    let status = home.run_without_reading(&hidden, "memory status");
    for path in ["memory/2026-04-20.md", "sessions/main.jsonl"] {
        let line = format!("unreadable   {path}: ");
        status.stdout.holds(&line);
    }
    let asked = ["chat", "-s", "main", "-m", "When is the tax form due?"];
    let asked = home.run_without_reading(&[NOTE], &asked).with_code(0);
    asked.stderr.holds("memory/2026-04-20.md");
    let found = home.run_without_reading(&[], &search).with_code(0);
    let expected = "- The tax form is due on 2026-05-31.".to_owned();
    assert!(answer(&found).1.contains(&expected), "{}", found.stdout);
    assert_eq!(answer(&found).0, Value::Null);
}

#[test]
fn i13_read_only_home_is_searched_from_existing_index() {
    let home = home();
    let search = ["memory", "search", "--json", "tax form"];
    let before = answer(&home.ok(&search));
    assert_eq!(before.0, Value::Null);
    let files = home.files();
    let read_only = home.run_read_only(&search).with_code(0);
    assert_eq!(answer(&read_only), before);
    let status = home.run_read_only("memory status").with_code(0);
    status.stdout.holds("index        ok");
    assert_eq!(home.files(), files);

    home.note("2026-04-21", "- The tax office has moved.\n");
    let behind = home.run_read_only(&search).with_code(0);
    assert_eq!(answer(&behind), ("not-writable".into(), before.1));
    let strict = home.run_read_only("memory search --strict 'tax form'");
    strict.with_code(3).stdout.holds("2026-05-31");
    let index = home.run_read_only("memory index").with_code(1);
    index.stderr.holds("writable");
}

#[test]
fn search_on_full_disk_keeps_existing_index() {
    let home = home();
    let search = "memory search --json 'tax form'";
    let before = answer(&home.ok(search));
    let many = "- A line about the garden fence and its paint.\n".repeat(10_000);
    home.note("2026-04-21", many);
    let full = home.run_on_full_disk(100, search).with_code(0);
    assert_eq!(answer(&full), ("not-writable".into(), before.1.clone()));
    assert_eq!(answer(&home.ok(search)), before);
}

#[test]
fn unreadable_file_error_suggests_making_it_readable() {
    let home = home();
    home.ok("chat -m 'The lock code is 4711.'");
    let cases = [
        ("config.yaml", &["config", "show"][..]),
        ("workspace/USER.md", &["chat", "-m", "Hello."]),
        ("sessions/main.jsonl", &["session", "show", "main"]),
    ];
    for (path, arguments) in cases {
        let run = home.run_without_reading(&[path], arguments);
        run.stderr.holds(path);
        let told = run.stderr.contains("make it readable");
        assert!(told, "{}", run.transcript());
    }
}
