//! Text that was forgotten is hidden in earlier summaries too.
//!
//! Checks every way in which a summary leaves the session.

use serde_json::{Value, json};
use testkit::mcp_client::{Client, call, connect};
use testkit::{TestHome, Words};

use crate::chat_with_model::{calls, home, posts, reply, server};

const SAID: &str = "Remember that the vault opens with the blue heron.";
const WORDS: &str = "blue heron";

/// Says what will be forgotten and much else, until the end of this day.
fn talk(home: &TestHome, n_days: usize) {
    let long = "the crew paints one more plank of the old boathouse, ".repeat(20);
    let mut lines = Vec::new();
    for number in 0..60 * n_days {
        let text = match number {
            0 => SAID.to_owned(),
            _ => format!("For plank {number} {long}and rests."),
        };
        let role = ["user", "assistant"][number % 2];
        let at = format!("2026-03-02T{:02}:{:02}:00Z", 8 + number / 60, number % 60);
        lines.push(json!({ "role": role, "content": text, "timestamp": at }).to_string());
    }
    let _input = home.input("talk.jsonl", lines.join("\n"));
    let mut arguments = vec!["replay", "talk.jsonl", "-s", "main"];
    arguments.extend((n_days > 1).then_some("--resume"));
    home.ok(&arguments);
}

fn compact(home: &TestHome) {
    let few = "compaction.keepRecentTokens=1000";
    let done = home.ok(&["session", "compact", "main", "--json", "--set", few]);
    assert_eq!(done.json()["outcome"], "compacted");
}

/// The summaries in the transcript, oldest first.
fn summaries(home: &TestHome) -> Vec<String> {
    let text = home.read("sessions/main.jsonl");
    let entries = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let compactions = entries.filter(|entry| entry["type"] == "compaction");
    compactions
        .map(|entry| entry["summary"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn forgotten_sentence_leaves_expanded_copied_and_later_summaries() {
    let home = TestHome::init();
    talk(&home, 1);
    compact(&home);
    let before = summaries(&home);
    before.last().unwrap().holds(WORDS);
    home.ok(&["memory", "forget", WORDS, "--yes"]);
    talk(&home, 2);
    compact(&home);
    let after = summaries(&home);
    assert!(after.len() > before.len());
    for summary in &after[before.len()..] {
        summary.lacks(WORDS);
    }
    let server = connect(&home, &[], Client::default()).await;
    for epoch in 0..after.len() {
        let shown = call(&server, "session_expand", json!({ "epoch": epoch })).await;
        assert!(!shown.contains(WORDS), "{epoch}: {shown}");
        let query = json!({ "epoch": epoch, "query": "vault heron" });
        let shown = call(&server, "session_expand", query).await;
        assert!(!shown.contains(WORDS), "{epoch}: {shown}");
    }
    home.ok("session fork main copy");
    home.read("sessions/copy.jsonl").lacks(WORDS);
    home.ok("session expand main").stdout.lacks(WORDS);
}

/// The last request of a conversation in which the owner says something, has it forgotten and goes on.
fn request_after_forget(last: &str) -> String {
    let server = server([(); 2].map(|()| reply("Noted.")));
    let home = home(&server.url("/v1"));
    home.ok(&[
        "chat",
        "-m",
        "Tea is at four. The vault opens with the blue heron.",
    ]);
    home.ok(&["memory", "forget", WORDS, "--yes"]);
    home.ok(&["chat", "-m", last]);
    posts(&server)[1].body["messages"].to_string()
}

#[test]
fn request_after_forget_lacks_forgotten_sentence_and_keeps_the_rest() {
    let request = request_after_forget("And when is the tea?");
    request.lacks(WORDS);
    request.holds("Tea is at four.");
    request.holds("And when is the tea?");
}

#[test]
fn request_after_forget_contains_restated_sentence() {
    request_after_forget("The vault opens with the blue heron.").holds_times(1, WORDS);
}

#[test]
fn request_after_forget_lacks_forgotten_words_in_calls() {
    let arguments = json!({ "text": "The vault opens with the blue heron.", "day": "2026-03-02" });
    let call = calls("c1", "remember", &arguments);
    let server = server([call, reply("Noted."), reply("At four.")]);
    let home = home(&server.url("/v1"));
    let said = "Tea is at four. The vault opens with the blue heron.";
    home.ok(&["chat", "-m", said]);
    posts(&server)[1].body["messages"].to_string().holds(WORDS);
    home.ok(&["memory", "forget", WORDS, "--yes"]);
    home.ok(&["chat", "-m", "And when is the tea?"]);
    let request = &posts(&server)[2].body["messages"];
    request.to_string().lacks(WORDS);
    let messages = request.as_array().unwrap().iter();
    let mut calls = messages.filter_map(|it| it["tool_calls"][0]["function"]["arguments"].as_str());
    let left: Value = serde_json::from_str(calls.next().unwrap()).unwrap();
    assert_eq!(left["day"], "2026-03-02");
}

#[test]
fn fork_request_lacks_sentence_forgotten_in_original() {
    let server = server([reply("Noted."), reply("At four.")]);
    let home = home(&server.url("/v1"));
    let said = "Tea is at four. The vault opens with the blue heron.";
    home.ok(&["chat", "-m", said]);
    // The notes that a fork makes of the original need no model.
    home.ok("session fork main copy --set model.provider=offline");
    home.ok(&["memory", "forget", WORDS, "--yes"]);
    home.ok(&["chat", "-s", "copy", "-m", "And when is the tea?"]);
    let request = posts(&server)[1].body["messages"].to_string();
    request.lacks(WORDS);
    request.holds("Tea is at four.");
}

#[test]
fn repeated_forget_completes_killed_forget() {
    let home = TestHome::init();
    let (log, records) = ("workspace/memory/2026-03-02.md", "state/tombstones.jsonl");
    let text = "- The bicycle code is 4711\n- Tea is at four\n";
    home.write(log, text);
    let forget = ["memory", "forget", "--yes", "bicycle code"];
    home.ok(&forget);
    // As a kill leaves it: the tombstone is written, and the sweep has not begun.
    let begun = home
        .read(records)
        .replace(r#"progress":"done"#, r#"progress":"begun"#);
    home.write(records, begun);
    home.write(log, text);
    home.ok(&forget);
    assert_eq!(home.read(log), "- Tea is at four\n");
    let again = home.run(&forget).with_code(1);
    again.stderr.holds("already forgotten");
}
