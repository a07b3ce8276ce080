//! A fact that was removed for good: the report of the program, and every byte of the home read again here.

use serde_json::{Value, json};
use testkit::TestHome;

const FACT: &str = "The safe in Zwenkau opens with the blue heron";
const WORDS: &str = "blue heron";

/// A home in which the fact was said, noted, kept, searched and typed.
fn planted() -> TestHome {
    let home = TestHome::init();
    let said = |role: &str, text: &str, minute: u32| {
        let at = format!("2026-03-02T08:{minute:02}:00Z");
        json!({ "role": role, "content": text, "timestamp": at }).to_string()
    };
    let lines = [
        said("user", &format!("{FACT}."), 0),
        said("assistant", "Noted.", 1),
        said("user", "The bins go out on Mondays.", 2),
        said("assistant", "I see.", 3),
    ];
    home.replay("main", lines.join("\n"));
    home.ok(&["memory", "add", "--lasting", FACT]);
    home.ok(&["memory", "add", "--lasting", "The bins go out on Mondays"]);
    home.ok(&["memory", "search", WORDS]);
    home.write("state/chat-history", format!("The bins\n{FACT}.\n"));
    home.write(
        "state/quarantine/main-1-0.jsonl",
        format!("{{\"text\":\"{FACT}"),
    );
    home
}

/// The files that have the words.
fn holding(home: &TestHome) -> Vec<String> {
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        text.contains(WORDS)
    };
    let files = home.all_files().into_iter();
    let mut held: Vec<String> = files
        .filter(|(_, bytes)| holds(bytes))
        .map(|(path, _)| path.display().to_string())
        .collect();
    held.sort();
    held
}

fn found(proof: &Value) -> Vec<&str> {
    let found = proof["found"].as_array().unwrap().iter();
    found.map(|own| own["path"].as_str().unwrap()).collect()
}

#[test]
fn forget_for_good_leaves_no_byte_in_any_file_of_home() {
    let home = planted();
    let before = holding(&home).join(" ");
    for place in [
        "main.jsonl",
        "MEMORY.md",
        "chat-history",
        "store.sqlite",
        "memory/",
    ] {
        assert!(before.contains(place), "{place}: {before}");
    }
    let done = home.ok(&[
        "memory", "forget", FACT, "--yes", "--now", "--prove", "--json",
    ]);
    let done = done.json();
    assert_eq!(found(&done["proof"]), [""; 0], "{done}");
    assert!(
        done["undo"].is_null() && done["proof"]["files"].as_u64() > Some(5),
        "{done}"
    );
    assert_eq!(holding(&home), [""; 0]);
    // The index is built again from what is left.
    home.ok(&["memory", "search", WORDS]);
    let bins = home.ok(&["memory", "search", "bins"]).stdout;
    assert!(bins.contains("Mondays"), "{bins}");
    assert_eq!(holding(&home), [""; 0]);
    assert!(
        home.read("sessions/main.jsonl")
            .contains("The bins go out on Mondays")
    );
    home.ok(&["session", "verify", "main"]);
}

#[test]
fn forget_with_proof_names_places_that_keep_the_text() {
    let home = planted();
    home.write("export/old.txt", format!("a\nb\n{FACT}\n"));
    let done = home
        .ok(&["memory", "forget", FACT, "--yes", "--prove", "--json"])
        .json();
    let found = found(&done["proof"]);
    for place in [
        "export/old.txt",
        "sessions/main.jsonl",
        "state/chat-history",
    ] {
        assert!(found.contains(&place), "{place}: {found:?}");
    }
    let held = holding(&home);
    assert_eq!(held.len(), found.len(), "{held:?} {found:?}");
    let human = home
        .ok(&["memory", "forget", "bins", "--yes", "--prove"])
        .stdout;
    assert!(
        human.contains("Proof: read ") && human.contains("not looked at: backups"),
        "{human}"
    );
}

#[test]
fn session_deleted_with_proof_leaves_no_byte_of_its_messages() {
    let home = planted();
    home.write("export/old.txt", format!("{FACT}\n"));
    let kept = [
        "session", "delete", "main", "--notes", "--yes", "--now", "--prove", "--json",
    ];
    let done = home.ok(&kept).json();
    // The owner has also added the fact in another way, so these lines and their record stay.
    let found = found(&done["proof"]);
    assert!(found.contains(&"export/old.txt"), "{found:?}");
    let is_owners = |path: &&str| {
        let mut folders = ["workspace/", "export/", "state/dreams/"].into_iter();
        folders.any(|folder| path.starts_with(folder))
    };
    assert!(found.iter().all(is_owners), "{found:?}");
    let held = holding(&home);
    assert_eq!(held.len(), found.len(), "{held:?} {found:?}");
}

#[test]
fn removal_after_plain_forget_leaves_no_byte_and_then_finds_nothing() {
    let home = planted();
    home.ok(&["memory", "forget", FACT, "--yes"]);
    assert!(holding(&home).join(" ").contains("main.jsonl"));
    let planned = home.ok(&["memory", "forget", FACT, "--now", "--dry-run"]);
    for part in [
        "remove  sessions/main.jsonl:2",
        "warning: removing it for good cannot be undone",
        "memory forget --now '",
    ] {
        assert!(planned.stdout.contains(part), "{part}: {}", planned.stdout);
    }
    let removes = ["memory", "forget", FACT, "--yes", "--now"];
    let done = home.ok(&removes);
    assert!(
        done.stderr
            .contains("removing it for good cannot be undone"),
        "{}",
        done.stderr
    );
    assert_eq!(holding(&home), [""; 0]);
    let again = home.run(&removes);
    assert!(
        again.stderr.contains("already forgotten"),
        "{}",
        again.stderr
    );
}

#[test]
fn proof_of_deleted_session_finds_no_phrase_of_program_in_others() {
    let home = TestHome::init();
    for (session, said) in [
        ("first", "The ferry leaves at noon"),
        ("second", "Anna likes tea"),
    ] {
        home.ok(&["chat", "-s", session, "-m", said]);
    }
    assert!(home.read("sessions/second.jsonl").contains("I am offline"));
    let planned = home.ok(&["session", "delete", "first", "--now"]).stdout;
    assert!(
        planned.contains("warning: it ends the undo of every earlier"),
        "{planned}"
    );
    let deletes = [
        "session", "delete", "first", "--notes", "--yes", "--now", "--prove", "--json",
    ];
    let done = home.ok(&deletes);
    assert!(done.stderr.contains("it ends the undo"), "{}", done.stderr);
    let done = done.json();
    assert_eq!(found(&done["proof"]), [""; 0], "{done}");
    assert_eq!(done["proof"]["pieces"], 1, "{done}");
}

#[test]
fn time_that_cannot_be_read_names_option_and_session_names_its_beginning() {
    let home = planted();
    let unread = home.run(&["about", "--as-of", "whenever"]).stderr;
    assert!(
        unread.contains("--as-of: ") && unread.contains("hint: name a time that has passed"),
        "{unread}"
    );
    let early = home.run(&["session", "show", "main", "--as-of", "2026-03-01"]);
    assert!(
        early
            .stderr
            .contains("conversation main did not exist then: it began on 2026-03-02 08:00"),
        "{}",
        early.stderr
    );
}
