//! A conversation with a real model behind a real server, where one is named: replies, tools, notes, a summary.
//!
//! Does not judge the model's words. If no server is named, the test prints that it was skipped.

use std::env;

use serde_json::Value;
use testkit::{ProgramRun, TestHome, Transcript};

/// The variable with the address of a server of the OpenAI protocol, such as `http://localhost:8080/v1`.
const URL: &str = "OPENCLAW_TEST_MODEL_URL";

/// A window that the smallest models have.
const WINDOW: u32 = 4_096;

/// A home with short prompts, because a small model reads slowly.
fn home(url: &str) -> TestHome {
    let home = TestHome::new();
    let config = format!(
        "model:\n  provider: openai-compatible\n  name: default\n  baseUrl: {url}\n  \
           contextWindow: {WINDOW}\n  concurrency: 1\n\
         compaction:\n  reserveTokensFloor: 200\n  softThresholdTokens: 100\n  keepRecentTokens: 50\n\
         timezone: UTC\n"
    );
    home.write("config.yaml", config);
    for (name, text) in [
        ("AGENTS.md", "Answer in one short sentence.\n"),
        ("SOUL.md", "You are kind.\n"),
        ("USER.md", "- Name: Ann\n"),
        ("MEMORY.md", "# Long-term memory\n"),
    ] {
        home.write(&format!("workspace/{name}"), text);
    }
    home
}

/// The events of a run of a chat, printed for the reader of the test's output.
fn events(run: &ProgramRun) -> Vec<Value> {
    let events = run.json_lines();
    let shown = events.iter().filter(|event| event["event"] != "delta");
    for event in shown {
        println!("{event}");
    }
    events
}

/// The events of this kind, in order.
fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    let found = events.iter().filter(|event| event["event"] == kind);
    found.collect()
}

/// A model this small may end its reply before the first word, so the test only checks that the reply ended.
#[track_caller]
fn assert_replied(events: &[Value]) {
    let replies = of_kind(events, "reply");
    for reply in &replies {
        assert_eq!(reply["offline"], false, "{reply}");
    }
    assert!(!replies.is_empty(), "{events:?}");
    // A call is never left without its result, in whatever words it is made.
    let calls = of_kind(events, "toolCall").len();
    assert_eq!(calls, of_kind(events, "toolResult").len());
}

#[test]
fn real_model_answers_takes_notes_and_compacts() {
    let Some(url) = env::var_os(URL) else {
        println!("skipped: {URL} names no server; CONTRIBUTING.md says how to have one");
        return;
    };
    let home = home(url.to_str().unwrap());
    // Enough that a summary of it is shorter.
    let facts = (1..40).map(|number| format!("Shelf {number} holds {} jars of plums.", number * 7));
    let facts: Vec<String> = facts.collect();
    let first = format!("My cat is called Milo. {}", facts.join(" "));
    assert_replied(&events(&home.ok(&["chat", "--json", "-m", &first])));

    // Whether a model so small calls the tool is its own affair.
    let asked = "Use the tool memory_search to look for the name of my cat, then say it.";
    assert_replied(&events(&home.ok(&["chat", "--json", "-m", asked])));

    let lines = "I decided to rent the small hall on 2026-05-31.\nThe key hangs in the shed.\n";
    let talk = home.run_with_input("chat --json", lines).with_code(0);
    let told = events(&talk);
    assert_replied(&told);
    let flushes = of_kind(&told, "flush");
    assert!(!flushes.is_empty(), "{told:?}");
    for flush in flushes {
        assert_eq!(flush["outcome"], "written");
    }

    let compact = home.ok("session compact main --json");
    println!("{}", compact.transcript());
    assert_eq!(
        Transcript::read(&home, "main")
            .markers_at_compactions()
            .len(),
        1
    );

    assert_replied(&events(&home.ok("chat --json -m 'What did I decide?'")));
    crate::held::i4_no_entry_in_two_blocks(&home, "main");
    crate::held::verify_is_clean(&home, "main");
}

#[test]
fn dense_large_messages_to_real_server_are_answered() {
    let Some(url) = env::var_os(URL) else {
        println!("skipped: {URL} names no server");
        return;
    };
    let home = home(url.to_str().unwrap());
    // Words that the estimate takes for fewer tokens than the model does.
    let dense = "zq-7f:Xk/9 ".repeat(240);
    for round in 0..2 {
        let message = format!("Keep this for me, part {round}: {dense}");
        let run = home.ok(&["chat", "--json", "-m", &message]);
        assert_replied(&events(&run));
    }
    crate::held::verify_is_clean(&home, "main");
}
