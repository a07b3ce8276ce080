//! An import is undone as a whole, and edited notes and continued sessions stay.

#![expect(
    clippy::disallowed_methods,
    reason = "edits a log as its owner does, beside the program"
)]

use std::fs;

use serde_json::{Value, json};
use testkit::{TestHome, Words};

use crate::terminal::Terminal;

/// Writes a file next to the home, as another program does.
fn put(home: &TestHome, name: &str, text: impl AsRef<str>) {
    let path = home.folder().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text.as_ref()).unwrap();
}

fn talk(home: &TestHome, name: &str, subject: &str) {
    let line = |role: &str, content: String, minute: u32| json!({ "role": role, "content": content, "timestamp": format!("2026-03-02T09:0{minute}:00Z") });
    let said = line("user", format!("My {subject} is in Whitby."), 0);
    let answered = line("assistant", format!("The {subject} is noted."), 1);
    put(home, name, format!("{said}\n{answered}\n"));
}

/// A transcript of Claude Code.
fn transcript(home: &TestHome, id: &str) {
    let line = json!({ "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": id,
        "timestamp": "2026-03-02T08:00:00.000Z", "message": { "role": "user", "content": format!("My {id} is blue.") } });
    let file = format!("user/.claude/projects/-tmp-tools/{id}.jsonl");
    put(home, &file, format!("{line}\n"));
}

fn first(home: &TestHome, arguments: &[&str]) -> Value {
    home.ok(arguments).json_lines().remove(0)
}

/// The id at the end of the command that undoes an import.
fn id_of(report: &Value) -> String {
    let command = report["undo"].as_str().unwrap_or_default();
    let id = command.rsplit(' ').next().unwrap_or_default();
    id.to_owned()
}

fn n_found(home: &TestHome, words: &str) -> usize {
    let answer = first(home, &["memory", "search", "--json", words]);
    let results = answer["results"].as_array().unwrap().iter();
    results
        .filter(|it| it["text"].as_str().unwrap().contains(words))
        .count()
}

#[test]
fn undo_of_session_import_deletes_its_sessions_and_keeps_continued_sessions() {
    let home = TestHome::init();
    let folder = home.folder().join("talks");
    talk(&home, "talks/boat.jsonl", "boat");
    talk(&home, "talks/kettle.jsonl", "kettle");
    let before = home.files();
    let folder = folder.to_str().unwrap();
    let dry = first(&home, &["session", "import", folder, "--dry-run", "--json"]);
    assert_eq!(dry.get("undo"), None);
    assert_eq!(home.files(), before);
    let report = first(&home, &["session", "import", folder, "--json"]);
    let made = report["conversations"].as_array().unwrap();
    let session = |of: &str| {
        let own = made
            .iter()
            .find(|it| it["path"].as_str().unwrap().contains(of));
        own.unwrap()["session"].as_str().unwrap().to_owned()
    };
    let (boat, kettle) = (session("boat"), session("kettle"));
    assert_eq!((n_found(&home, "boat"), n_found(&home, "kettle")), (2, 2));
    home.ok(&["chat", "-s", &kettle, "-m", "Thanks for the news."]);
    // An import that brings nothing has nothing to undo.
    let again = first(&home, &["session", "import", folder, "--json"]);
    assert_eq!(again.get("undo"), None);
    let undone = first(
        &home,
        &["session", "import", "--undo", &id_of(&report), "--json"],
    );
    assert_eq!(
        [&undone["deletedSessions"], &undone["keptSessions"]],
        [&json!([boat]), &json!([kettle])]
    );
    assert_eq!(n_found(&home, "boat"), 0);
    assert!(n_found(&home, "kettle") >= 2);
    let told = home.ok(&["session", "import", folder]);
    told.stdout.holds(&format!("{boat}  imported 2 messages"));
    told.stderr.holds("session import --undo ");
    let failed = home.run(&["session", "import", "--undo", "nothing"]);
    assert_eq!(failed.code, Some(1));
    failed.stderr.holds("no import has the id nothing");
}

#[test]
fn undo_of_session_import_removes_its_notes_and_candidates() {
    let home = TestHome::init();
    talk(&home, "talks/boat.jsonl", "boat");
    talk(&home, "talks/kettle.jsonl", "kettle");
    let folder = home.folder().join("talks");
    let report = first(
        &home,
        &["session", "import", folder.to_str().unwrap(), "--json"],
    );
    home.ok("dream --now --backfill");
    let list = home.ok("dream list --json").json();
    let waiting = list["candidates"].as_array().unwrap();
    assert_eq!(waiting.len(), 2, "{list}");
    let accepted = waiting[0]["finding"].as_str().unwrap().to_owned();
    home.ok(&["dream", "accept", waiting[0]["id"].as_str().unwrap()]);
    let undone = home.ok(&["session", "import", "--undo", &id_of(&report)]);
    undone
        .stdout
        .holds("2 notes that were made from them removed");
    undone.stdout.holds("1 candidate made from them removed");
    // The owner accepted it, so it stays and is named.
    undone.stdout.holds(&format!("kept: {accepted}\n"));
    undone.stdout.holds("memory forget MEMORY.md:");
    home.memory().holds(&accepted);
    let other = waiting[1]["finding"].as_str().unwrap();
    for (path, bytes) in home.files() {
        if path.extension().is_some_and(|it| it == "md") && !path.ends_with("MEMORY.md") {
            let text = String::from_utf8(bytes).unwrap();
            text.lacks(other);
            text.lacks("is in Whitby");
        }
    }
    home.run("doctor").stdout.lacks("sessionGone");
    // Nothing of it is hidden, so that it can be imported and noted again.
    home.ok(&["session", "import", folder.to_str().unwrap()]);
    home.ok("dream --now --backfill");
    home.ok("dream list --json").stdout.holds(other);
}

#[test]
fn second_undo_of_import_fails_and_names_remaining_import() {
    let home = TestHome::init();
    talk(&home, "boat.jsonl", "boat");
    put(&home, "CLAUDE.md", "- I keep bees in Whitby.\n");
    let at = |name: &str| home.folder().join(name).to_str().unwrap().to_owned();
    let notes = first(&home, &["memory", "import", &at("CLAUDE.md"), "--json"]);
    let talks = first(&home, &["session", "import", &at("boat.jsonl"), "--json"]);
    let undo = ["session", "import", "--undo", &id_of(&talks)];
    home.ok(&undo);
    let failed = home.run(&undo).with_code(1);
    failed.stderr.holds("was already undone at 20");
    let left = format!(
        "memory import --undo {}` undoes the last import",
        id_of(&notes)
    );
    failed.stderr.holds(&left);
    home.ok(&["memory", "import", "--undo", &id_of(&notes)]);
    home.run(&undo)
        .with_code(1)
        .stderr
        .holds("no import is left to undo");
}

#[test]
fn doctor_names_notes_of_deleted_sessions_and_copied_sessions() {
    let home = TestHome::init();
    talk(&home, "boat.jsonl", "boat");
    let file = home.folder().join("boat.jsonl");
    home.ok(&["session", "import", file.to_str().unwrap(), "-s", "boat"]);
    home.ok("dream --now --backfill");
    assert_eq!(home.ok("doctor").stdout.matches("session").count(), 0);
    let transcript = home.read("sessions/boat.jsonl");
    home.write("sessions/copied.jsonl", transcript);
    let doctor = home.run("doctor").with_code(1);
    doctor.stdout.holds("sessions/copied.jsonl");
    doctor.stdout.holds("it has the id of session boat");
    home.ok("session delete copied --yes");
    home.ok("session delete boat --yes");
    let doctor = home.ok("doctor --json").json();
    let found = doctor["findings"].as_array().unwrap().iter();
    let found: Vec<String> = found
        .filter(|it| it["code"] == "sessionGone")
        .map(|it| format!("{} {}", it["place"], it["hint"]))
        .collect();
    assert_eq!(found.len(), 2, "{doctor}");
    found[0].holds("workspace/memory/");
    found[0].holds("openclaw memory forget memory/");
    found[1].holds("workspace/DREAMS.md:");
    found[1].holds("openclaw dream reject ");
}

#[test]
fn undo_of_memory_import_removes_its_notes_and_keeps_edited_notes() {
    let home = TestHome::init();
    put(
        &home,
        "CLAUDE.md",
        "# Mine\n\n- I keep bees in Whitby.\n- My boat is called Heron.\n",
    );
    let file = home.folder().join("CLAUDE.md");
    let import = ["memory", "import", file.to_str().unwrap(), "--json"];
    let report = first(&home, &import);
    assert_eq!(report["files"][0]["taken"], json!(2), "{report}");
    assert_eq!(n_found(&home, "bees"), 1);
    let logs = home.path().join("workspace/memory");
    let log = fs::read_dir(&logs).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        text.contains("Heron").then_some((path, text))
    });
    let (log, text) = log.unwrap();
    fs::write(&log, text.replace("Heron", "Bittern")).unwrap();
    let undo = ["memory", "import", "--undo", &id_of(&report), "--json"];
    let undone = first(&home, &undo);
    assert_eq!(
        [&undone["removedNotes"], &undone["keptNotes"]],
        [&json!(1), &json!(1)]
    );
    assert_eq!((n_found(&home, "bees"), n_found(&home, "Bittern")), (0, 1));
    // What was taken back can be imported again, and what the owner edited does not come back beside itself.
    let report = first(&home, &import);
    let file = &report["files"][0];
    assert_eq!([&file["taken"], &file["known"]], [&json!(1), &json!(1)]);
    assert_eq!((n_found(&home, "bees"), n_found(&home, "Heron")), (1, 0));
}

#[test]
fn init_without_terminal_prints_command_for_each_program_found() {
    let home = TestHome::new();
    let user = home.folder().join("user");
    transcript(&home, "boat");
    transcript(&home, "kettle");
    talk(&home, "user/Downloads/chatgpt/conversations.json", "book");
    put(&home, "user/.claude/CLAUDE.md", "- Answer briefly.\n");
    put(&home, "user/Notes/Clara.md", "Clara lives in Graz.\n");
    let vaults = json!({ "vaults": { "1": { "path": user.join("Notes") } } });
    put(
        &home,
        "user/.config/obsidian/obsidian.json",
        vaults.to_string(),
    );
    let mut init = home.command(&["init", "--json"]);
    let output = init.env("HOME", &user).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = report["found"].as_array().unwrap().iter();
    let whats: Vec<&str> = found
        .clone()
        .map(|it| it["what"].as_str().unwrap())
        .collect();
    assert_eq!(
        whats,
        [
            "2 conversations of Claude Code in ~/.claude/projects",
            "1 memory file of Claude Code in ~/.claude",
            "1 note in the Obsidian vault Notes",
            "an export of conversations, ~/Downloads/chatgpt/conversations.json",
        ]
    );
    for it in found {
        let command = it["command"].as_str().unwrap();
        told.holds(&format!("`{command}`"));
    }
    // Nothing was taken in.
    assert_eq!(n_found(&home, "boat") + n_found(&home, "Graz"), 0);
    let folder = user.join(".claude/projects");
    home.ok(&["session", "import", folder.to_str().unwrap()]);
    assert_eq!(n_found(&home, "boat"), 1);
    // What was imported is not offered again, until it grows.
    let offered = || {
        let mut init = home.command(&["init", "--json"]);
        let output = init.env("HOME", &user).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    offered().lacks("of Claude Code in ~/.claude/projects");
    offered().holds("1 memory file of Claude Code in ~/.claude");
    let boat = folder.join("-tmp-tools/boat.jsonl");
    let boat = fs::File::options().append(true).open(boat).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_mins(1);
    boat.set_modified(later).unwrap();
    offered().holds("1 conversation of Claude Code in ~/.claude/projects");
}

#[test]
fn init_does_not_offer_own_home_for_import() {
    let home = TestHome::init();
    let user = home.folder().join("user");
    let mut init = home.command(&["init"]);
    init.env("HOME", &user).env_remove("OPENCLAW_HOME");
    home.finish(init).with_code(0);
    put(
        &home,
        "user/.openclaw/workspace/memory/2026-03-02.md",
        "- I keep bees.\n",
    );
    let mut init = home.command(&["init"]);
    init.env("HOME", &user)
        .env("OPENCLAW_HOME", home.folder().join("other"));
    let made = home.finish(init).with_code(0);
    made.stderr.lacks("OpenClaw");
    fs::remove_file(user.join(".openclaw/config.yaml")).unwrap();
    let mut init = home.command(&["init"]);
    init.env("HOME", &user)
        .env("OPENCLAW_HOME", home.folder().join("other"));
    let made = home.finish(init).with_code(0);
    made.stderr.holds("of OpenClaw in ~/.openclaw/workspace");
}

#[test]
fn undo_of_init_from_openclaw_home_removes_sessions_and_unchanged_files() {
    let home = TestHome::init();
    put(
        &home,
        "old/workspace/memory/2026-03-02.md",
        "- I keep bees in Whitby.\n",
    );
    put(
        &home,
        "old/workspace/memory/2026-03-03.md",
        "- My boat is called Heron.\n",
    );
    let header = json!({ "type": "session", "version": 3, "id": "6f9b2c1e", "timestamp": "2026-04-12T10:00:00.000Z" });
    let said = json!({ "type": "message", "id": "a1b2c3d4", "parentId": null, "timestamp": "2026-04-12T10:00:00.000Z",
        "message": { "role": "user", "content": "I prefer tea.", "timestamp": 1_776_000_000_000_u64 } });
    put(
        &home,
        "old/agents/main/sessions/6f9b2c1e.jsonl",
        format!("{header}\n{said}\n"),
    );
    let from = home.folder().join("old");
    let report = first(&home, &["init", "--from", from.to_str().unwrap(), "--json"]);
    let boat = home.path().join("workspace/memory/2026-03-03.md");
    fs::write(&boat, "- My boat is called Bittern.\n").unwrap();
    let undo = [
        "session",
        "import",
        "--undo",
        &id_of(&report["taken"]),
        "--json",
    ];
    let undone = first(&home, &undo);
    assert_eq!(
        [&undone["removedFiles"], &undone["keptFiles"]],
        [&json!(1), &json!(1)],
        "{undone}"
    );
    assert_eq!(undone["deletedSessions"].as_array().unwrap().len(), 1);
    let found = ["bees", "tea", "Bittern"].map(|words| n_found(&home, words));
    assert_eq!(found, [0, 0, 1]);
}

#[test]
fn interrupted_init_keeps_answers_given_before() {
    let home = TestHome::new();
    let mut terminal = Terminal::run(home.command("init"));
    terminal.answer("What is your name? ", "Jo\r");
    terminal.until("with it? ");
    terminal.kill();
    home.read("workspace/USER.md").holds("- Name: Jo\n");
}

/// An export of ChatGPT with one conversation.
fn export(title: &str) -> String {
    let message = |role: &str, at: u64, text: &str| json!({ "author": { "role": role }, "create_time": at, "content": { "content_type": "text", "parts": [text] } });
    let said = message("user", 1_772_438_400, "I travel by train.");
    let answered = message("assistant", 1_772_438_401, "Have a good trip.");
    json!([{ "conversation_id": "g1", "title": title, "current_node": "b", "mapping": {
        "a": { "id": "a", "parent": null, "message": said },
        "b": { "id": "b", "parent": "a", "message": answered },
    } }])
    .to_string()
}

#[test]
fn session_name_keeps_title_letters_and_renamed_conversation_is_not_duplicated() {
    let home = TestHome::init();
    put(
        &home,
        "conversations.json",
        export("Wyjazd: \u{141}\u{f3}d\u{17a}"),
    );
    let import = ["session", "import", "conversations.json", "--json"];
    let report = first(&home, &import);
    let name = report["conversations"][0]["session"].as_str().unwrap();
    name.holds("chatgpt-wyjazd-\u{142}\u{f3}d\u{17a}-");
    put(&home, "conversations.json", export("By train"));
    let again = first(&home, &import);
    let again = &again["conversations"][0];
    assert_eq!(
        [&again["state"], &again["session"]],
        [&json!("unchanged"), &json!(name)]
    );
}

#[test]
fn import_of_damaged_export_fails_with_reason_and_hint() {
    let home = TestHome::init();
    put(
        &home,
        "conversations.json",
        r#"[{"title": "x", "mapping": {"#,
    );
    let failed = home.run("session import conversations.json").with_code(1);
    assert_eq!(failed.stdout, "");
    failed.stderr.holds("error: ");
    failed.stderr.holds("it is damaged JSON: EOF while parsing");
    failed.stderr.holds("hint: ");
}

#[test]
fn memory_import_dry_run_counts_items_to_import() {
    let home = TestHome::init();
    put(&home, "CLAUDE.md", "- I keep bees in Whitby.\n");
    let run = home.ok("memory import CLAUDE.md --dry-run");
    run.stdout.holds("  would import 1\n");
    home.ok("memory import CLAUDE.md")
        .stdout
        .holds("  1 imported\n");
}

#[test]
fn connect_with_import_takes_conversations_and_memories_of_program() {
    let home = TestHome::new();
    let user = home.folder().join("user");
    transcript(&home, "boat");
    put(&home, "user/.claude/CLAUDE.md", "- Answer briefly.\n");
    let connect = |program: &str| {
        let mut connect = home.command(&["connect", program, "--import", "--yes"]);
        connect.env("HOME", &user);
        home.finish(connect)
    };
    let done = connect("claude-code").with_code(0);
    done.stdout.holds("imported 1 message");
    done.stdout.holds("1 imported");
    assert_eq!((n_found(&home, "boat"), n_found(&home, "briefly")), (1, 1));
    let again = connect("claude-code").with_code(0);
    again
        .stderr
        .holds("keeps nothing on this machine that is not here already");
    let failed = connect("cursor").with_code(2);
    failed
        .stderr
        .holds("`--import` reads conversations of claude-code, codex and openclaw only");
}

#[test]
fn doctor_names_page_written_by_tool_of_earlier_version() {
    let home = TestHome::init();
    let header = json!({ "type": "session", "version": 3, "id": "6f9b2c1e", "timestamp": "2026-04-12T10:00:00.000Z" });
    let call = |path: &str| json!({ "type": "toolCall", "id": path, "name": "write_file", "arguments": { "path": path, "text": "x" } });
    let calls = [
        call("Plans/trip.md"),
        call("Plans/gone.md"),
        call("files/list.md"),
    ];
    let said = json!({ "type": "message", "id": "a1b2c3d4", "parentId": null, "timestamp": "2026-04-12T10:00:00.000Z",
        "message": { "role": "assistant", "content": calls, "timestamp": 1_776_000_000_000_u64 } });
    home.write("sessions/main.jsonl", format!("{header}\n{said}\n"));
    for page in ["Plans/trip.md", "Plans/own.md", "files/list.md"] {
        home.write(&format!("workspace/{page}"), "I sail in May.\n");
    }
    let doctor = home.run("doctor --json").json();
    let found = doctor["findings"].as_array().unwrap().iter();
    let found = found.filter(|it| it["code"] == "toolPage");
    let found: Vec<String> = found.map(|it| it["place"].to_string()).collect();
    assert_eq!(found, [r#""workspace/Plans/trip.md""#], "{doctor}");
}
