//! Commands of dreams that must not write: a dry run does not write at all, and neither does a sandbox.
//!
//! Compares every file of the home, including lock files.

use insta::assert_snapshot;
use testkit::{ProgramRun, TestHome, Words};

use crate::dream::{REVIEW, SAID, said};

/// A home with waiting candidates, one of them accepted in an editor, and with new messages since.
fn edited() -> TestHome {
    let home = said(SAID);
    home.ok(REVIEW);
    home.ok(&["dream", "accept", &first_id(&home)]);
    let _said = home.run("chat -m 'Always book trains over planes when I ask for a trip.'");
    let dreams = home.read("workspace/DREAMS.md");
    let dreams = dreams.replacen("Status: pending", "Status: accepted", 1);
    home.write("workspace/DREAMS.md", dreams);
    // A lock that is taken would be made again.
    lose_locks(&home);
    home
}

fn lose_locks(home: &TestHome) {
    std::fs::remove_dir_all(home.path().join("state/locks")).unwrap();
}

fn first_id(home: &TestHome) -> String {
    let list = home.ok("dream list --json").json();
    list["candidates"][0]["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn writes_nothing(home: &TestHome, arguments: &str, code: i32) -> ProgramRun {
    let before = home.all_files();
    let run = home.run(arguments).with_code(code);
    assert!(home.all_files() == before, "{arguments:?}: {}", run.stderr);
    run
}

#[test]
fn dream_dry_runs_write_nothing_and_match_real_run() {
    let home = edited();
    for arguments in [
        "dream accept --all --dry-run",
        "dream reject --all --dry-run",
        "dream undo --dry-run",
        "dream --dry-run",
        "dream --now --dry-run",
    ] {
        let run = writes_nothing(&home, arguments, 0);
        assert!(!run.stdout.is_empty(), "{arguments:?}");
    }
    let rehearsed = "dream --now --backfill --dry-run --json";
    let rehearsed = writes_nothing(&home, rehearsed, 0);
    let dreamt = home.ok("dream --now --backfill --json");
    let told = |run: &ProgramRun, dry_run: bool| {
        let mut told = run.json();
        assert_eq!(told["dryRun"], dry_run);
        told["dryRun"].take();
        told["tookMs"].take();
        told
    };
    assert_eq!(told(&rehearsed, true), told(&dreamt, false));
    let promoted = told(&dreamt, false)["promoted"].to_string();
    // Said in a turn that wrote no notes: a rehearsal writes them in memory, too.
    assert!(promoted.contains("trains over planes"), "{promoted}");
}

#[test]
fn i13_sandbox_allows_dream_reads_and_rejects_dream_writes() {
    let home = edited();
    let sandboxed = |line: &str| format!("{line} --set sandbox.readOnly=true");
    let looked = writes_nothing(&home, &sandboxed("dream list"), 0);
    looked.stderr.holds("DREAMS.md: you accepted 1");
    let list = home.run(&sandboxed("dream list --json")).json();
    let id = list["candidates"][0]["id"].as_str().unwrap();
    for line in [
        "dream list --all",
        &format!("dream show {id} --explain"),
        "dream log",
        "dream --now --dry-run",
        &format!("dream reject {id} --dry-run"),
    ] {
        let run = writes_nothing(&home, &sandboxed(line), 0);
        assert!(!run.stdout.is_empty(), "{line}");
    }
    for line in [
        "dream",
        "dream --now",
        "dream --backfill",
        &format!("dream accept {id}"),
        "dream reject --all",
        "dream undo",
        "dream review",
    ] {
        let run = writes_nothing(&home, &sandboxed(line), 2);
        run.stderr.holds("read-only sandbox");
    }
}

#[test]
fn dream_suggests_backfill_for_replayed_old_session() {
    let home = TestHome::new();
    let line = |role, text, minute| {
        format!(
            "{{\"role\":\"{role}\",\"content\":\"{text}\",\"timestamp\":\"2024-03-02T08:{minute}:00Z\"}}\n"
        )
    };
    let recording = [
        line("user", "I prefer tea over coffee.", "00"),
        line("assistant", "Tea it is.", "01"),
    ];
    home.replay("old", recording.concat());
    let nothing = home.ok("dream --now");
    assert_snapshot!("nothing_new_but_a_backfill", nothing.transcript());
    let found = home.ok("dream --backfill");
    found.stdout.holds("waiting in DREAMS.md: 1");
    let nothing = home.ok("dream --now");
    assert_eq!(
        nothing.stdout,
        "nothing new since the last dream; nothing was written\n"
    );
    // The help says what the message says.
    let usage = home.run("dream --since 2024-01-01").with_code(2);
    usage.stderr.holds("--backfill");
}
