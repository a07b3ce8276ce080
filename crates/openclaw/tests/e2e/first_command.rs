//! The first command of the README, and the state that a person sees afterwards.
//!
//! Runs the command as the README has it, but for the window in which cargo would build it.

use insta::assert_snapshot;
use serde_json::Value;
use testkit::{ProgramRun, TestHome, Transcript, log_blocks};

use crate::held;

const README: &str = include_str!("../../../../README.md");
const SAMPLE: &str = include_str!("../../../../examples/sample.jsonl");

/// The window of the command.
const WINDOW_TOKENS: u64 = 16_000;

/// The arguments of the first command that follow `--home ./demo-home`.
fn arguments_of_readme() -> Vec<&'static str> {
    let begin = "cargo run --locked -- --home ./demo-home ";
    let command = README
        .lines()
        .find_map(|line| line.strip_prefix(begin))
        .unwrap();
    command.split(' ').collect()
}

/// A home after the first command with these arguments besides, and what was printed.
fn first_command(further: &[&str]) -> (TestHome, ProgramRun) {
    let home = TestHome::new();
    home.input("sample.jsonl", SAMPLE);
    let mut arguments = arguments_of_readme();
    for argument in &mut arguments {
        if *argument == "examples/sample.jsonl" {
            *argument = "sample.jsonl";
        }
    }
    arguments.extend(further);
    let run = home.ok(&arguments);
    (home, run)
}

fn demo() -> (TestHome, Vec<Value>) {
    let (home, run) = first_command(&["--json"]);
    let events = run.json_lines();
    (home, events)
}

fn numbers(events: &[Value], event: &str, key: &str) -> Vec<u64> {
    events
        .iter()
        .filter(|found| found["event"] == event)
        .map(|found| found[key].as_u64().unwrap())
        .collect()
}

#[test]
fn sample_replay_stays_within_window() {
    let (home, events) = demo();
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let hashes: Vec<String> = lines
        .iter()
        .map(|line| base::content_hash(line.as_bytes()))
        .collect();
    let stored = Transcript::read(&home, "demo").messages();
    let found: Vec<String> = stored
        .into_iter()
        .filter_map(|message| message.hash)
        .collect();
    assert_eq!(found, hashes);

    let indexes: Vec<u64> = (0..).take(lines.len()).collect();
    assert_eq!(numbers(&events, "message", "index"), indexes);
    let largest = numbers(&events, "message", "contextTokens")
        .into_iter()
        .max();
    assert!(largest.unwrap() <= WINDOW_TOKENS, "{largest:?}");
    let epochs = numbers(&events, "compaction", "epoch");
    assert_eq!(epochs, Transcript::read(&home, "demo").compaction_epochs());
    assert!(epochs.len() >= 3, "{epochs:?}");
    assert_eq!(events.last().unwrap()["messages"], lines.len());
    held::i4_no_entry_in_two_blocks(&home, "demo");
    held::every_compaction_was_flushed(&home, "demo");
    held::verify_is_clean(&home, "demo");
}

#[test]
fn i12_notes_are_logged_on_days_of_messages() {
    let (home, _) = demo();
    let mut days: Vec<String> = log_blocks(&home)
        .into_iter()
        .map(|block| block.log)
        .collect();
    days.dedup();
    let expected = ["02", "03", "04", "05", "06"].map(|day| format!("2026-03-{day}.md"));
    assert_eq!(days, expected);
}

#[test]
fn first_command_output_matches_readme() {
    let (home, run) = first_command(&[]);
    let shown = format!("```\n{}{}```\n", run.stderr, run.stdout);
    assert!(
        README.contains(&shown),
        "the README shows otherwise: {shown}"
    );
    assert_snapshot!("session_list", home.run("session list").transcript());
    assert_snapshot!("session_show", home.run("session show demo").transcript());
    let log = home.read("workspace/memory/2026-03-02.md");
    let bare: Vec<&str> = log
        .lines()
        .filter(|line| !line.starts_with("<!--"))
        .map(|line| line.split(" ^").next().unwrap_or(line))
        .collect();
    assert_snapshot!("first_daily_log", bare.join("\n"));
}

#[test]
fn i2_same_replay_gives_same_notes_and_token_counts() {
    let ((one, events_of_one), (other, events_of_other)) = (demo(), demo());
    let without_ids = |home: &TestHome| {
        let log = |name: &String| {
            let text = home.read(&format!("workspace/memory/{name}"));
            let bare = |line: &str| {
                let line = line.split("<!--").next().unwrap_or(line);
                line.split(" ^").next().unwrap_or(line).to_owned()
            };
            text.lines().map(bare).collect::<Vec<String>>()
        };
        home.list("workspace/memory")
            .iter()
            .map(log)
            .collect::<Vec<_>>()
    };
    assert_eq!(without_ids(&one), without_ids(&other));
    let tokens = |events: &[Value]| numbers(events, "message", "contextTokens");
    assert_eq!(tokens(&events_of_one), tokens(&events_of_other));
}
