//! The visibility of text from a repository: programs in that repository and the owner see it, but programs in other
//! repositories do not.
//!
//! The same holds for notes, copies and memories that were made from it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::hook::{given, make_repository, told};
use memory::candidates::EvidenceRef;
use serde_json::json;
use testkit::mcp_client::{Client, call, connect_in};
use testkit::{TestHome, Words};

/// A clone of a repository with this remote.
fn clone_of(home: &TestHome, remote: &str) -> PathBuf {
    let path = home.folder().join(remote.replace('/', "-"));
    make_repository(&path, &format!("https://example.org/{remote}"));
    path
}

fn asked(home: &TestHome, directory: &Path, prompt: &str) -> String {
    given(home, "UserPromptSubmit", &told(directory, prompt))
}

/// Imports a transcript with these messages in a repository; returns the name of its session.
fn said_in(home: &TestHome, directory: &Path, said: &[String]) -> String {
    let before = home.list("sessions");
    let mut lines = String::new();
    for (number, text) in said.iter().enumerate() {
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        let line = json!({
            "type": "user", "uuid": format!("u{number}"), "parentUuid": parent,
            "sessionId": directory, "timestamp": "2026-03-02T08:00:00.000Z",
            "message": { "role": "user", "content": text },
        });
        writeln!(lines, "{line}").unwrap();
    }
    let file = home.input(&format!("{}.jsonl", before.len()), lines);
    let told = json!({ "cwd": directory, "transcript_path": file }).to_string();
    let run = home.run_with_input("hook claude-code Stop", &told);
    assert_eq!(run.with_code(0).stderr, "");
    let mut names = home.list("sessions").into_iter();
    let new = names.find(|it| !before.contains(it)).unwrap();
    new.strip_suffix(".jsonl").unwrap().to_owned()
}

#[test]
fn copy_of_an_exported_session_stays_in_its_repository() {
    let home = TestHome::init();
    let (ours, other) = (clone_of(&home, "acme/tools"), clone_of(&home, "acme/site"));
    let said = "Remember that the lantern release ships from pier seven.";
    let session = said_in(&home, &other, &[said.to_owned()]);
    let exported = home.ok(&["session", "export", &session, "--format", "jsonl"]);
    let lines = home.input("exported.jsonl", exported.stdout);
    let file = lines.to_str().unwrap();
    home.ok(&["session", "import", file]);
    home.ok(&["session", "import", file, "-s", "named"]);
    home.ok(&["replay", file, "-s", "again"]);
    let transcript = home.path().join(format!("sessions/{session}.jsonl"));
    home.ok(&["replay", transcript.to_str().unwrap(), "-s", "whole"]);
    let sessions = home.list("sessions");
    assert_eq!(sessions.len(), 5, "{sessions:?}");
    let (scope, _) = session.split_at("repo-00000000-".len());
    for name in &sessions {
        assert!(name.starts_with(scope), "{name}");
    }
    let question = "Where does the lantern release ship from?";
    let found = asked(&home, &ours, question);
    assert!(!found.contains("pier seven"), "{found}");
    let found = asked(&home, &other, question);
    assert!(found.contains("pier seven"), "{found}");
}

#[test]
fn transcript_copied_by_hand_stays_in_its_repository() {
    let home = TestHome::init();
    let (ours, other) = (clone_of(&home, "acme/tools"), clone_of(&home, "acme/site"));
    let said = "Remember that the lantern release ships from pier seven.";
    let session = said_in(&home, &other, &[said.to_owned()]);
    let transcript = home.read(&format!("sessions/{session}.jsonl"));
    home.write("sessions/handcopy.jsonl", transcript);
    let question = "Where does the lantern release ship from?";
    let found = asked(&home, &ours, question);
    assert!(!found.contains("pier seven"), "{found}");
    let ours = ours.to_str().unwrap();
    let listed = home.ok(&["session", "list", "--scope", ours]).stdout;
    assert!(!listed.contains("handcopy"), "{listed}");
    home.ok("dream --now --backfill");
    let memory = home.read("workspace/MEMORY.md");
    assert!(!memory.contains("pier seven"), "{memory}");
    let found = asked(&home, &other, question);
    assert!(found.contains("pier seven"), "{found}");

    let told = home.run("doctor").stdout;
    told.holds("its transcript is of a repository, but its name is not");
    let _mended = home.run("doctor --fix");
    let (scope, _) = session.split_at("repo-00000000-".len());
    let named = |name: &String| name.starts_with(scope);
    let sessions = home.list("sessions");
    assert!(sessions.iter().all(named), "{sessions:?}");
}

/// A made-up word.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    for _ in 0..4 {
        word.push_str(["ba", "ko", "ri", "tu", "me", "zo", "fa"][number % 7]);
        number = number / 7 + 3 * (number % 7);
    }
    word
}

#[test]
fn recall_answers_from_own_repository_and_notes_only() {
    let home = TestHome::init();
    let (ours, other) = (clone_of(&home, "acme/tools"), clone_of(&home, "acme/site"));
    let names: Vec<String> = (0..50)
        .map(|number| format!("{}{number}", word(number)))
        .collect();
    let port = |name: &String, port: usize| format!("The {name} service listens on port {port}.");
    let here: Vec<String> = names
        .iter()
        .zip(4_000..)
        .map(|(it, at)| port(it, at))
        .collect();
    // Far more is said of the same things elsewhere, of some of them more than any answer holds.
    let mut there: Vec<String> = names
        .iter()
        .zip(7_000..)
        .map(|(it, at)| port(it, at))
        .collect();
    for (name, at) in names.iter().zip(7_000..).take(3) {
        let said =
            |build: u32| format!("On port {at} the {name} service listens, as of build {build}.");
        there.extend((0..150).map(said));
    }
    let _ours = said_in(&home, &ours, &here);
    let _other = said_in(&home, &other, &there);
    let mut own = String::from("# 2026-03-01\n\n");
    // A name that 150 other lines hold too is not rare enough for the bar of recall.
    let cousins: Vec<String> = (0..50)
        .map(|number| match number {
            0..3 => format!("{}{number}", word(number + 100)),
            _ => names[number].clone(),
        })
        .collect();
    for (number, name) in cousins.iter().enumerate() {
        writeln!(own, "- My cousin {name} lives in house {}.", 9_000 + number).unwrap();
    }
    home.note("2026-03-01", own);
    for (number, name) in names.iter().enumerate() {
        let question = format!("On which port does the {name} service listen?");
        let found = asked(&home, &ours, &question);
        assert!(found.contains(&here[number]), "{question}: {found}");
        assert!(!found.contains("port 7"), "{question}: {found}");
        let question = format!("In which house does my cousin {} live?", cousins[number]);
        let found = asked(&home, &ours, &question);
        let house = format!("house {}.", 9_000 + number);
        assert!(found.contains(&house), "{question}: {found}");
        assert!(!found.contains("port 7"), "{question}: {found}");
    }
}

/// Long-term memory with two lines that are known from a session, one by its words and one by a note of them.
fn remembered_of(home: &TestHome, session: &str) -> String {
    let noted = home.read("workspace/memory/2026-03-02.md");
    let mut lines = (1..).zip(noted.lines());
    let (line, note) = lines.find(|(_, it)| it.contains("pier seven")).unwrap();
    let (_, note) = note.split_once(" ^").unwrap();
    let promoted = |id: &str, text: &str, (path, key): (String, &str)| {
        let evidence = EvidenceRef {
            path,
            key: key.to_owned(),
            line,
            hash: "81ab03ff".to_owned(),
            scope: None,
        };
        // As version 1 wrote it.
        let hash = base::short_hash(text);
        format!("- {text} <!-- n:{id} e:{evidence} h:{hash} o:owner d:2026-03-02 -->")
    };
    let by_words = (format!("sessions/{session}.jsonl"), "key");
    let by_words = promoted("5c3dfe72", "Lanterns ship from pier seven.", by_words);
    let by_note = ("memory/2026-03-02.md".to_owned(), note);
    let by_note = promoted("5c3dfe73", "Lanterns leave pier seven.", by_note);
    format!("# Long-term memory\n\n{by_words}\n{by_note}\n- I like tea.\n")
}

/// A program in a directory is shown this many lines of long-term memory that come from the repository, and text from
/// elsewhere only if it is shown those lines.
#[track_caller]
fn check(home: &TestHome, (directory, scope): (&Path, &str), n_lines: usize) {
    let is_shown = n_lines > 0;
    let start = given(home, "SessionStart", &told(directory, ""));
    assert!(start.contains("I like tea."), "{start}");
    start.holds_times(n_lines, "pier seven");
    let question = "Where does the lantern release ship from?";
    let found = asked(home, directory, question);
    assert_eq!(found.contains("pier seven"), is_shown, "{found}");
    let server = asked(home, directory, "What do we call the server?");
    assert_eq!(server.contains("gerbil"), is_shown, "{server}");
    let shown = home.run(&["memory", "search", question, "--scope", scope]);
    let shown = shown.with_code(0).stdout;
    assert_eq!(shown.contains("pier seven"), is_shown, "{shown}");
    let listed = home.run(&["session", "list", "--scope", scope]);
    let listed = listed.with_code(0).stdout;
    assert_eq!(listed.contains("repo-"), is_shown, "{listed}");
}

#[test]
fn notes_copies_and_memories_of_a_repository_stay_there() {
    let home = TestHome::init();
    let (ours, other) = (clone_of(&home, "acme/tools"), clone_of(&home, "acme/site"));
    let said = [
        "Remember that the lantern release ships from pier seven.",
        "We decided to call the server gerbil.",
    ];
    let name = said_in(&home, &ours, &said.map(str::to_owned));
    // What the original holds is written down before it is copied.
    let copy = home.run(&["session", "fork", &name, "copy", "--json"]);
    let copy = copy.with_code(0).json();
    let (scope, _) = name.split_at("repo-01234567-".len());
    assert_eq!(copy["name"], format!("{scope}copy"));
    home.write_memory(remembered_of(&home, &name));
    check(&home, (&ours, ours.to_str().unwrap()), 2);
    check(&home, (&ours, "git@example.org:acme/tools.git"), 2);
    check(&home, (&other, other.to_str().unwrap()), 0);
    check(&home, (home.folder(), "none"), 0);
    let all = home.run("memory search 'Where does the lantern release ship from?'");
    all.stdout.holds("pier seven");
}

#[test]
fn compaction_notes_and_candidates_stay_in_repository() {
    let home = TestHome::init();
    let (ours, other) = (clone_of(&home, "acme/tools"), clone_of(&home, "acme/site"));
    let mut said = vec!["Remember that the lantern release ships from pier seven.".to_owned()];
    let long = "the crew paints one more plank of the old boathouse, ".repeat(20);
    said.extend((0..60).map(|day| format!("On day {day} {long}and rests.")));
    let name = said_in(&home, &ours, &said);
    let copy = home.run(&["session", "fork", &name, "copy", "--json"]);
    let copy = copy.with_code(0).json();
    for session in [name.as_str(), copy["name"].as_str().unwrap()] {
        let few = "compaction.keepRecentTokens=1000";
        let compacted = home.run(&["session", "compact", session, "--json", "--set", few]);
        let compacted = compacted.with_code(0).json();
        assert_eq!(compacted["outcome"], "compacted");
    }
    let names = home.list("workspace/memory").into_iter();
    let logs = names.map(|name| home.read(&format!("workspace/memory/{name}")));
    let logs: Vec<String> = logs.collect();
    assert!(logs.concat().contains("pier seven"), "{logs:?}");
    home.ok("dream --now --backfill");
    let question = "Where does the lantern release ship from?";
    for (directory, scope, is_shown) in [
        (ours.as_path(), ours.to_str().unwrap(), true),
        (&other, other.to_str().unwrap(), false),
        (home.folder(), "none", false),
    ] {
        let found = asked(&home, directory, question);
        let start = given(&home, "SessionStart", &told(directory, ""));
        // What stands in MEMORY.md is given at the start of the session, and not again.
        let is_given = format!("{start}{found}").matches("pier seven").count() > 0;
        assert_eq!(is_given, is_shown, "{start}{found}");
        let waiting = home.ok(&["dream", "list", "--scope", scope]);
        let is_waiting = waiting.stdout.contains("pier seven");
        assert!(is_shown || !is_waiting, "{}", waiting.stdout);
    }
}

#[tokio::test]
async fn mcp_note_is_scoped_to_repository_unless_everywhere() {
    let home = TestHome::init();
    let (ours, other) = (clone_of(&home, "acme/tools"), clone_of(&home, "acme/site"));
    let server = connect_in(&home, (&ours, &[]), Client::default()).await;
    for (text, everywhere) in [
        ("The lantern release ships from pier seven.", false),
        ("I sail from pier nine on Sundays.", true),
    ] {
        let asked = json!({ "text": text, "everywhere": everywhere });
        let noted = call(&server, "remember", asked).await;
        assert!(noted.starts_with("Noted in memory/"), "{noted}");
    }
    let owners = "memory add 'The gate is green.' --scope example.org/acme/tools";
    home.ok(owners);
    for (directory, is_shown) in [
        (&ours, true),
        (&other, false),
        (&home.folder().into(), false),
    ] {
        let server = connect_in(&home, (directory, &[]), Client::default()).await;
        let found = async |question: &str| {
            call(&server, "memory_search", json!({ "query": question })).await
        };
        let release = found("Where does the lantern release ship from?").await;
        assert_eq!(release.contains("pier seven"), is_shown, "{release}");
        let gate = found("Which colour has the gate?").await;
        assert_eq!(gate.contains("green"), is_shown, "{gate}");
        let sailing = found("From which pier do I sail?").await;
        assert!(sailing.contains("pier nine"), "{sailing}");
    }
    // In no repository it would be for all.
    let nowhere = home.folder().to_str().unwrap();
    let unheard = home.run(&["memory", "add", "The gate is red.", "--scope", nowhere]);
    let unheard = unheard.with_code(1);
    unheard.stderr.holds("is not in a repository");
    let all = home.run("memory search 'Where does the lantern release ship from?'");
    all.stdout.holds("pier seven");
}

#[test]
fn scope_neither_directory_nor_remote_is_rejected() {
    let home = TestHome::new();
    for scope in ["", "tools", "/none/tools", "./tools", "../tools", "~/tools"] {
        let run = home.run(&["memory", "add", "--scope", scope, "a note"]);
        run.with_code(2).stderr.holds("--scope");
    }
    assert_eq!(home.list("workspace/memory"), [""; 0]);
    // A search may name a directory that is gone by now.
    home.ok("init");
    home.ok("memory search --scope /none/tools note");
}
