//! Rewinding a session, forking it, and expanding its summary, as people type it.
//!
//! The tests of the writing code check the files; these tests check the output.

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{ProgramRun, TestHome, Words, each, fields};

/// A conversation that is compacted twice.
fn home() -> TestHome {
    let home = TestHome::new();
    let mut lines = String::new();
    for day in 0..9 {
        let matters = [
            "the roof of the barn has to be sealed before the rain",
            "\u{30b5}\u{30fc}\u{30d0}\u{30fc}\u{306e}\u{8a2d}\u{5b9a}",
            "la f\u{ea}te commence \u{e0} huit heures",
        ];
        let matter = matters[day % 3];
        let price = 1_250 + day * 111;
        let told = format!("I decided on offer {day}: {matter}, for {price} euros. ");
        let detail = format!("Detail {day} of the offer is plain. ").repeat(60);
        for (minute, role, text) in [
            (0, "user", format!("{told}{detail}")),
            (
                1,
                "assistant",
                format!("Noted: offer {day}, {price} euros."),
            ),
        ] {
            let line = serde_json::json!({
                "role": role,
                "content": text,
                "timestamp": format!("2026-04-2{day}T09:0{minute}:00Z"),
            });
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
    }
    home.input("talk.jsonl", lines);
    let window = ["--set", "compaction.contextWindow=4000"];
    let replay = [["replay", "talk.jsonl"], window].concat();
    let replayed = home.ok(&replay);
    assert!(replayed.transcript().matches("Compaction complete").count() >= 2);
    home
}

fn json(run: &ProgramRun) -> Value {
    let mut lines = run.json_lines();
    assert_eq!(lines.len(), 1, "{}", run.transcript());
    lines.remove(0)
}

/// The session without its dead branches, as a window shows it.
fn expand(home: &TestHome, arguments: &[&str]) -> Value {
    let all = [&["session", "expand", "--json"], arguments].concat();
    json(&home.ok(&all))
}

#[test]
fn session_expand_prints_summarised_messages() {
    let home = home();
    let budget = "session expand main --epoch 0 --budget 400";
    assert_snapshot!(home.ok(budget).transcript());
}

#[test]
fn session_expand_selects_by_entry_and_query_and_writes_nothing() {
    let home = home();
    let before = home.files();
    let all = expand(&home, &["main", "--epoch", "0", "--budget", "100000"]);
    let items = all["items"].as_array().unwrap();
    assert!(items.len() > 2 && items.iter().all(|item| item["hiddenTokens"] == 0));
    assert_eq!(all["messages"], items.len());
    let entry = items[0]["entry"].as_str().unwrap();
    let one = expand(
        &home,
        &[
            "main",
            base::head(entry, entry.len() - 1),
            "--budget",
            "100000",
        ],
    );
    assert_eq!(one["items"].as_array().unwrap(), &items[..1]);
    let chosen = expand(&home, &["main", "--epoch", "0", "--query", "noted"]);
    let chosen = chosen["items"].as_array().unwrap();
    assert!(chosen.iter().any(|item| item["speaker"] == "assistant"));
    assert!(!chosen.iter().any(|item| item["speaker"] == "user"));
    assert_eq!(home.files(), before);
}

#[test]
fn rewind_is_planned_by_dry_run_and_only_appends() {
    let home = home();
    let before = home.files();
    let dry = ["session", "rewind", "main", "--epoch", "0", "--dry-run"];
    let planned = home.ok(&dry);
    assert_eq!(home.files(), before);
    let done = home.ok(&dry[..5]);
    let again = home.ok(&dry[..5]);
    let text = [planned, done, again]
        .map(|run| run.transcript())
        .join("\n");
    assert_snapshot!(text);
    let shown = json(&home.ok("session show main --json"));
    assert_eq!(
        fields(&shown, ["rewinds", "epoch"]),
        json!([1, shown["compactions"]])
    );
    home.ok("session verify main");
    // The transcript of before is the beginning of the one after.
    let (path, old) = before
        .iter()
        .find(|(path, _)| path.ends_with("main.jsonl"))
        .unwrap();
    let now = home.files();
    let (_, new) = now.iter().find(|(found, _)| found == path).unwrap();
    assert!(new.starts_with(old));
}

#[test]
fn fork_starts_with_view_and_expands_from_original() {
    let home = home();
    let forked = home.ok("session fork main plan-b");
    assert_snapshot!(forked.transcript());
    let show = |name: &str| json(&home.ok(&["session", "show", name, "--json"]));
    let (main, fork) = (show("main"), show("plan-b"));
    assert_eq!(
        fields(&fork, ["forkedFrom", "parent"]),
        json!([main["id"], main["id"]])
    );
    let counts = ["epoch", "compactions", "flushes"].map(|count| fork[count].clone());
    assert_eq!(counts, [1, 0, 0]);
    let listed = json(&home.ok("session list --json"));
    let parents = each(listed["sessions"].as_array().unwrap(), "/parent");
    assert_eq!(parents, [Value::Null, main["id"].clone()]);
    home.ok("session show plan-b").stdout.holds("  fork of  ");
    home.ok("session verify plan-b");
    let (fork, original) = (expand(&home, &["plan-b"]), expand(&home, &["main"]));
    assert_eq!(fork, original);
    assert_eq!(original["session"], "main");
}

#[test]
fn session_commands_report_missing_names_with_suggestions() {
    let home = home();
    home.ok("session fork main plan-b");
    let runs = [
        home.run("session rewind mian --epoch 0").with_code(1),
        home.run("session rewind main --epoch 77").with_code(1),
        home.run("session rewind main --to zz").with_code(1),
        home.run("session rewind main").with_code(2),
        home.run("session fork main plan-b").with_code(1),
        home.run("session fork main ../x").with_code(2),
        home.run("session expand plan-c").with_code(1),
        home.run("session show plan-c").with_code(1),
        home.run("session verify plan-c").with_code(1),
    ];
    assert_snapshot!(runs.map(|run| run.transcript()).join("\n"));
}

#[test]
fn compact_dry_run_matches_compaction_and_needs_no_lock() {
    let home = home();
    let before = home.files();
    let compact = ["session", "compact", "main", "--dry-run"];
    let planned = home.ok(&compact);
    let dry = json(&home.ok(&[&compact[..], &["--json"]].concat()));
    assert_eq!(dry["outcome"], "nothing");
    let window = ["--set", "compaction.contextWindow=3000"];
    let dry = json(&home.ok(&[&compact[..], &window, &["--json"]].concat()));
    let dry_text = home.ok(&[&compact[..], &window].concat());
    let held = home.hold("main.lock");
    // A plan needs no lock.
    home.ok(&[&compact[..], &window].concat());
    home.run(&[&compact[..3], &window].concat()).with_code(4);
    drop(held);
    assert_eq!(home.files(), before);
    let done = json(&home.ok(&[&compact[..3], &window, &["--json"]].concat()));
    assert_eq!(done["plan"], dry["plan"]);
    let wishes = ["--instructions", "keep the prices"];
    let nothing = home.ok(&[&compact[..3], &wishes].concat());
    let unknown = home.run("session compact mian").with_code(1);
    let text = [planned, dry_text, nothing, unknown]
        .map(|run| run.transcript())
        .join("\n");
    assert_snapshot!(text);
    home.ok("session verify main");
}
