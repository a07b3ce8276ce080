//! Conversations that are exported, redacted and deleted.
//!
//! The tests search every file of the home for text that must be gone.

use insta::assert_snapshot;
use serde_json::Value;
use testkit::{TestHome, Transcript, Words, each};

const CODE: &str = "4711-0815-code";

const TALK: &str = r#"{"role":"user","content":"I prefer tea over coffee. My locker has the code 4711-0815-code, remember it.","timestamp":"2026-03-02T08:04:17Z"}
{"role":"assistant","content":"Noted: the code is 4711-0815-code.","toolCalls":[{"id":"call_1","name":"read_file","arguments":{"path":"lockers.txt"}}],"timestamp":"2026-03-02T08:05:00Z"}
{"role":"tool","content":"```\nlocker 12: 4711-0815-code\n```","toolCallId":"call_1","name":"read_file","timestamp":"2026-03-02T08:05:01Z"}
{"role":"user","content":"We decided to move to Lisbon in May.","timestamp":"2026-03-03T09:00:00Z"}
{"role":"assistant","content":"Lisbon in May, good.","timestamp":"2026-03-03T09:00:30Z"}
"#;

/// A home whose memory contains a conversation and its copy.
fn home() -> TestHome {
    let home = TestHome::new();
    home.replay("talk", TALK);
    home.ok("memory index");
    home
}

/// The files of the home that contain these words, by their paths.
fn holding(home: &TestHome, words: &str) -> Vec<String> {
    let files = home.files().into_iter();
    let holding = files.filter(|(_, bytes)| {
        let mut parts = bytes.windows(words.len());
        parts.any(|part| part == words.as_bytes())
    });
    let root = home.path();
    holding
        .map(|(path, _)| path.strip_prefix(&root).unwrap().display().to_string())
        .collect()
}

/// The number of search results that contain a word.
fn found(home: &TestHome, question: &str, word: &str) -> usize {
    let answer = home.ok(&["memory", "search", question, "--json"]).json();
    let results = answer["results"].as_array().unwrap().iter();
    let texts = results.map(|result| result["text"].as_str().unwrap().to_owned());
    texts.filter(|text| text.contains(word)).count()
}

/// The id of the first message of the conversation.
fn first_message(home: &TestHome) -> String {
    let text = home.read("sessions/talk.jsonl");
    let mut lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line
    });
    let first = lines.find(|line| line["type"] == "message").unwrap();
    first["id"].as_str().unwrap().to_owned()
}

#[test]
fn session_export_is_readable_and_replays_identically() {
    let home = home();
    let page = home.ok("session export talk");
    assert_snapshot!("export_markdown", page.stdout);
    let arguments = "session export talk --format jsonl -o out.jsonl";
    home.ok(arguments);
    let refused = home.run(arguments).with_code(1);
    assert_snapshot!("export_refused", refused.transcript());
    home.ok("replay out.jsonl -s again");
    let told = |name| Transcript::told(&home, name);
    assert_eq!(told("again"), told("talk"));
    let printed = home.ok("session export talk --json");
    let again = home.ok("session export again --json");
    assert_eq!(printed.stdout, again.stdout);
}

#[test]
fn redact_text_is_previewed_and_then_removed_everywhere() {
    let home = home();
    assert!(holding(&home, CODE).contains(&"sessions/talk.jsonl".to_owned()));
    let before = home.files();
    let arguments = ["session", "redact", "talk", "--text", CODE];
    let shown = home.ok(&arguments);
    assert_snapshot!("redact_shown", shown.transcript());
    assert_eq!(home.files(), before);

    let done = home.run(&[&arguments[..], &["--yes", "--json"]].concat());
    assert_eq!(done.with_code(0).json_lines()[0]["isDone"], true);
    assert_eq!(holding(&home, CODE), [""; 0]);
    home.ok("session verify talk");
    assert_eq!(found(&home, "locker code", "locker"), 0);
    assert_ne!(found(&home, "Where do we move?", "Lisbon"), 0);
    assert_eq!(holding(&home, CODE), [""; 0]);

    let again = home.run(&arguments).with_code(1);
    assert_snapshot!("redact_nothing", again.transcript());
}

#[test]
fn redact_entry_keeps_session_usable() {
    let home = home();
    let first = first_message(&home);
    home.ok("session fork talk copy");
    let run = home.run(&["session", "redact", "talk", &first, "--yes"]);
    assert_snapshot!("redact_entry", run.with_code(0).transcript());
    assert_eq!(Transcript::told(&home, "talk")[0], "user: [redacted]");
    assert_eq!(holding(&home, "tea over coffee"), ["sessions/copy.jsonl"]);
    home.ok("chat -s talk -m 'Where do we move?'");
    home.ok("session verify talk");
    let nobody = home.run("session redact talk zzz --yes");
    assert_snapshot!("redact_no_entry", nobody.with_code(1).transcript());
}

#[test]
fn session_delete_removes_session_and_its_notes() {
    let home = home();
    home.ok("session fork talk copy");
    let before = home.files();
    let shown = home.ok("session delete talk");
    assert_snapshot!("delete_shown", shown.transcript());
    assert_eq!(home.files(), before);
    home.ok("session delete copy --yes");
    home.ok("session delete talk --notes --yes");
    assert_eq!(holding(&home, CODE), [""; 0]);
    assert_eq!(holding(&home, "Lisbon in May"), [""; 0]);
    let gone = home.run("session delete talk").with_code(1);
    assert_snapshot!("delete_gone", gone.transcript());
}

#[test]
fn forget_undo_after_redaction_says_text_stays_removed() {
    let home = home();
    home.ok(&["session", "redact", "talk", "--text", CODE, "--yes"]);
    let listed = home.ok("memory forget --list --json");
    let id = listed.json_lines()[0]["forgotten"][0]["id"].clone();
    let id = id.as_str().unwrap();
    let undone = home.ok(&["memory", "forget", "--undo", id]);
    let told = undone.stdout.replace(id, "ID");
    told.begins("ID no longer hides anything: search finds what is still in files, but what was removed for good does not come back.");
    assert_eq!(holding(&home, CODE), [""; 0]);
}

/// A home in which a fact of a conversation is noted, promoted, and proposed, and was forgotten once before.
fn home_that_dreamt() -> TestHome {
    let home = home();
    home.ok("dream --now --backfill");
    home
}

/// The id of the candidate whose finding contains a word.
fn waiting(home: &TestHome, word: &str) -> String {
    let run = home.ok("dream list --json");
    let list = run.json();
    let mut all = list["candidates"].as_array().unwrap().iter();
    let found = all.find(|it| it["finding"].as_str().unwrap().contains(word));
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

#[test]
fn redact_names_other_files_with_same_words() {
    let home = home();
    home.replay("other", TALK);
    home.write("workspace/USER.md", "The code is 4711-0815-code.\n");
    home.write("workspace/plans/list.txt", "4711-0815-code\n");
    let words = [
        "session", "redact", "talk", "--text", CODE, "--yes", "--json",
    ];
    let done = home.ok(&words).json();
    let named = each(done["stillIn"].as_array().unwrap(), "");
    assert_eq!(
        named,
        [
            "sessions/other.jsonl",
            "workspace/USER.md",
            "workspace/plans/list.txt"
        ]
    );
    let mut holding = holding(&home, CODE);
    holding.sort();
    assert_eq!(holding, named);
}

#[test]
fn dream_undo_is_rejected_after_forget_or_redaction() {
    let home = home_that_dreamt();
    home.ok(&["dream", "accept", &waiting(&home, "tea")]);
    assert!(home.memory().contains("tea over coffee"));
    let question = "memory forget 'tea over coffee' --yes --json";
    let forgotten = home.ok(question).json();
    let refused = home.run("dream undo").with_code(1);
    let id = forgotten["id"].as_str().unwrap();
    let told = refused.told();
    told.holds("lines of MEMORY.md were forgotten since");
    refused.stderr.holds(&format!("--undo {id}"));
    home.ok(&["memory", "forget", "--undo", id]);
    home.ok("session redact talk --text 'tea over coffee' --yes");
    let refused = home.run("dream undo").with_code(1);
    let told = refused.told();
    told.holds("words of MEMORY.md were redacted since");
    assert_eq!(holding(&home, "tea over coffee"), [""; 0]);
}

#[test]
fn forget_removes_waiting_candidate_and_undo_restores_it() {
    let home = home_that_dreamt();
    let before = home.read("workspace/DREAMS.md");
    before.holds("Finding: I prefer tea over coffee");
    let shown = home.ok("memory forget 'tea over coffee' --dry-run");
    shown.stdout.holds("remove  DREAMS.md:");
    assert_eq!(home.read("workspace/DREAMS.md"), before);
    let done = home
        .ok("memory forget 'tea over coffee' --yes --json")
        .json();
    let tea = |path: &str| home.read(path).contains("tea over coffee");
    assert!(!tea("workspace/DREAMS.md"));
    home.ok("dream list --json").stdout.lacks("tea over coffee");
    let id = done["id"].as_str().unwrap();
    let undone = home.ok(&["memory", "forget", "--undo", id]);
    undone.stdout.holds("DREAMS.md: 1 candidate waits again");
    assert!(tea("workspace/DREAMS.md"));
}

/// Forgets the first entry of the conversation, with what was noted of it.
fn forget_first(home: &TestHome) -> String {
    let line = {
        let text = home.read("sessions/talk.jsonl");
        let id = first_message(home);
        1 + text.lines().position(|line| line.contains(&id)).unwrap()
    };
    let place = format!("sessions/talk.jsonl:{line}");
    let done = home
        .ok(&["memory", "forget", &place, "--yes", "--json"])
        .json();
    done["id"].as_str().unwrap().to_owned()
}

#[test]
fn redact_and_delete_remove_copies_of_forgotten_text() {
    let entry = |home: &TestHome| first_message(home);
    for delete in [None, Some(&["--yes"][..]), Some(&["--notes", "--yes"])] {
        let home = home_that_dreamt();
        let id = forget_first(&home);
        let kept = |home: &TestHome| {
            let names = home.list("state/forgotten").into_iter();
            names.filter(|name| name.starts_with(&id)).count()
        };
        assert!(kept(&home) > 0, "{:?}", home.list("state/forgotten"));
        let entry = entry(&home);
        let arguments = match delete {
            None => vec!["session", "redact", "talk", &entry, "--yes"],
            Some(more) => [&["session", "delete", "talk"], more].concat(),
        };
        home.ok(&arguments);
        assert_eq!(kept(&home), 0, "{:?}", home.list("state/forgotten"));
        assert_eq!(
            holding(&home, "My locker has the code"),
            [""; 0],
            "{arguments:?}"
        );
    }
}

/// Candidates as a newer version of the program writes them.
const NEWER: &str = "{\"version\": 99}";

#[test]
fn forget_redact_and_delete_work_with_unreadable_candidates() {
    let entry = |home: &TestHome| first_message(home);
    for kind in ["forget", "redact", "delete"] {
        let home = home_that_dreamt();
        home.write("state/dreams/state.json", NEWER);
        let entry = entry(&home);
        let arguments = match kind {
            "forget" => vec!["memory", "forget", "sessions/talk.jsonl:2", "--yes"],
            "redact" => vec!["session", "redact", "talk", &entry, "--yes"],
            _ => vec!["session", "delete", "talk", "--notes", "--yes"],
        };
        let run = home.ok(&arguments);
        let told = run.told();
        let newer = "state/dreams/state.json has the newer version 99; nothing was written; update openclaw";
        assert!(told.contains(newer), "{kind}: {told}");
        assert_eq!(home.read("state/dreams/state.json"), NEWER);
        let tea = "tea over coffee";
        assert_eq!(found(&home, tea, tea), 0, "{kind}");
        assert!(!home.list("workspace/memory").is_empty());
        for (path, bytes) in home.files() {
            let is_note = path.starts_with(home.path().join("workspace/memory"));
            let text = String::from_utf8_lossy(&bytes);
            assert!(!is_note || !text.contains(tea), "{kind}: {text}");
        }
    }
}

#[test]
fn redact_deletes_copy_that_is_too_large_to_search() {
    let home = home();
    home.write("state/quarantine/talk.torn", "");
    let path = home.path().join("state/quarantine/talk.torn");
    let torn = std::fs::File::options().write(true).open(&path).unwrap();
    torn.set_len(300 * 1024 * 1024).unwrap();
    let words = [
        "session", "redact", "talk", "--text", CODE, "--yes", "--json",
    ];
    let done = home.ok(&words).json();
    assert_eq!(done["stillIn"], serde_json::json!([]));
    assert!(!path.exists());
    assert_eq!(holding(&home, CODE), [""; 0]);
}

#[test]
fn session_export_ids_name_entries_for_redaction() {
    let home = home();
    let run = home.ok("session export talk --ids");
    let page = &run.stdout;
    let first = first_message(&home);
    let heading = format!("### 08:04 user {first}\n\nI prefer tea over coffee.");
    assert!(page.contains(&heading), "{page}");
    let named = page.lines().filter(|line| line.starts_with("### ")).count();
    let unnamed = home.ok("session export talk");
    assert_eq!(named, 5);
    unnamed.stdout.lacks(&first);
    home.ok(&["session", "redact", "talk", &first]);
    let refused = "session export talk --ids --format jsonl";
    home.run(refused).with_code(2);
    let unknown = home.run("session redact talk zzz").with_code(1);
    let hint = "`openclaw session export talk --ids` prints the entries";
    unknown.stderr.holds(hint);
}

#[test]
fn deleted_session_leaves_no_typed_lines() {
    let home = TestHome::new();
    home.run_with_input("chat -s talk", "My locker is on the third floor.\n")
        .with_code(0);
    home.ok(&[
        "chat",
        "-s",
        "talk",
        "-m",
        "My bike is blue.\nIt has a \\ on it.",
    ]);
    let typed = "My locker is on the third floor.\nMy bike is blue.\\nIt has a \\\\ on it.\n";
    home.write(
        "state/chat-history",
        format!("#V2\n{typed}What is left to do?\n"),
    );
    home.ok("session delete talk --yes");
    assert_eq!(
        home.read("state/chat-history"),
        "#V2\nWhat is left to do?\n"
    );
}

#[test]
fn failed_delete_keeps_transcript_for_typed_history() {
    let home = TestHome::init();
    home.ok(&["chat", "-m", "The locker opens with the green key."]);
    // A folder cannot be read as the history of what was typed.
    home.write("state/chat-history/in-the-way", "");
    let failed = home.run("session delete main --yes");
    assert_ne!(failed.code, Some(0));
    home.read("sessions/main.jsonl").holds("green key");
    remove_folder(&home, "state/chat-history");
    home.write(
        "state/chat-history",
        "The locker opens with the green key.\n",
    );
    home.ok("session delete main --yes");
    assert_eq!(home.list("sessions"), [""; 0]);
    assert_eq!(home.read("state/chat-history"), "");
}

fn remove_folder(home: &TestHome, relative: &str) {
    std::fs::remove_dir_all(home.path().join(relative)).unwrap();
}
