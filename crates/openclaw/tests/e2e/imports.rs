//! Conversations and homes of other programs.
//!
//! A second import leaves the home byte-for-byte unchanged.

use base::disk::{Disk, OsDisk, replace};
use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{TestHome, Transcript, Words, each, fields};

const OPENCLAW: &str = r#"{"type":"session","version":3,"id":"6f9b2c1e","timestamp":"2026-04-12T10:00:00.000Z","cwd":"/home/ada"}
{"type":"model_change","id":"00000001","parentId":null,"timestamp":"2026-04-12T10:00:00.000Z","provider":"x","modelId":"y"}
{"type":"message","id":"a1b2c3d4","parentId":"00000001","timestamp":"2026-04-12T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"I prefer tea over coffee."}],"timestamp":1776000000000}}
{"type":"message","id":"a1b2c3d5","parentId":"a1b2c3d4","timestamp":"2026-04-12T10:00:30.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Noted."}],"api":"x","provider":"x","model":"y","usage":{"input":3,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":4,"cost":{"total":0}},"stopReason":"stop","timestamp":1776000030000}}
"#;

const CLAUDE_CODE: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-03-02T08:00:00.000Z","message":{"role":"user","content":"Look at tea.txt"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-03-02T08:00:02.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"path":"tea.txt"}}]}}
{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s","timestamp":"2026-03-02T08:00:05.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"green"}]}}
{"type":"novelty","uuid":"u3","parentUuid":"u2","sessionId":"s","timestamp":"2026-03-02T08:00:06.000Z"}
"#;

const CHATGPT: &str = r#"[{"conversation_id":"g1","title":"Which tea?","current_node":"n2","mapping":{
"n1":{"id":"n1","parent":null,"message":{"author":{"role":"user"},"create_time":1772438400,"content":{"content_type":"text","parts":["Which tea?"]}}},
"n2":{"id":"n2","parent":"n1","message":{"author":{"role":"assistant"},"create_time":1772438401,"content":{"content_type":"text","parts":["Green."]}}}}}]"#;

fn with_inputs() -> TestHome {
    let home = TestHome::new();
    for (path, text) in [
        ("in/6f9b2c1e.jsonl", OPENCLAW),
        ("in/deep/5f.jsonl", CLAUDE_CODE),
        ("in/conversations.json", CHATGPT),
        ("in/notes.txt", "no conversation"),
        ("in/bad.jsonl", "not json\n"),
    ] {
        home.write(&format!("../{path}"), text);
    }
    home
}

#[test]
fn directory_import_is_idempotent() {
    let home = with_inputs();
    let looked = home.run("session import in --dry-run").with_code(1);
    assert_snapshot!("import_dry_run", looked.transcript());
    assert_eq!(home.list("sessions"), [""; 0]);
    let run = home.run("session import in").with_code(1);
    assert_snapshot!("import", run.transcript());
    let before = home.files();
    let again = home.run("session import in --json").with_code(1);
    assert_eq!(home.files(), before);
    let again = again.json();
    let states = each(again["conversations"].as_array().unwrap(), "/state");
    assert_eq!(states, ["unchanged", "failed", "unchanged", "unchanged"]);
    home.ok("session verify");
    let found = home.ok("memory search 'tea or coffee' --json");
    found.stdout.holds("I prefer tea over coffee.");
}

#[test]
fn link_out_of_directory_or_into_itself_is_skipped_by_import() {
    let home = TestHome::new();
    home.write("../in/sub/own.jsonl", CLAUDE_CODE);
    home.write("../out/other.jsonl", OPENCLAW);
    for (target, link) in [
        (".", "loop"),
        ("../out", "outside"),
        ("../out/other.jsonl", "other.jsonl"),
    ] {
        let link = home.folder().join("in").join(link);
        std::os::unix::fs::symlink(target, link).unwrap();
    }
    let run = home.run("session import in").with_code(0);
    run.stdout.holds("from in/sub/own.jsonl");
    assert_eq!(run.stdout.matches("from in/").count(), 1, "{}", run.stdout);
    for link in ["in/other.jsonl", "in/outside"] {
        run.stderr
            .holds(&format!("{link} is a link out of the given directory"));
    }
    assert_eq!(home.list("sessions").len(), 1);
}

#[test]
fn message_with_lone_surrogate_or_unusual_year_is_imported() {
    let home = TestHome::new();
    let line = |id: &str, parent: &str, at: &str, text: &str| {
        format!(
            r#"{{"type":"user","uuid":"{id}","parentUuid":{parent},"sessionId":"s","timestamp":"{at}","message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let transcript = [
        line(
            "a",
            "null",
            "2026-03-02T08:00:00.000Z",
            r"My cat is Tom \ud83d and well",
        ),
        line(
            "b",
            r#""a""#,
            "-9999-03-02T08:00:01.000Z",
            r"My dog \ud83d\ude00 is Bello",
        ),
        line(
            "c",
            r#""b""#,
            "2026-03-02T08:00:02.000Z",
            r"A path: C:\\ud83d",
        ),
    ];
    home.input("cut.jsonl", transcript.join("\n"));
    let run = home.run("session import cut.jsonl").with_code(0);
    run.stdout.holds("imported 3 messages");
    let session = home.read(&format!("sessions/{}", home.list("sessions")[0]));
    for text in [
        "My cat is Tom \u{fffd} and well",
        "My dog \u{1f600} is Bello",
        r"C:\\ud83d",
    ] {
        session.holds(text);
    }
}

#[test]
fn import_extends_grown_conversation_but_not_continued_session() {
    let home = TestHome::new();
    let lines: Vec<&str> = CLAUDE_CODE.split_inclusive('\n').collect();
    let import = |code| {
        let run = home.run("session import talk.jsonl -s talk --json");
        run.with_code(code).json_lines()[0]["conversations"][0].clone()
    };
    home.input("talk.jsonl", lines[..1].concat());
    assert_eq!(import(0)["state"], "new");
    home.input("talk.jsonl", lines[..3].concat());
    let grown = import(0);
    assert_eq!(fields(&grown, ["state", "added"]), json!(["grown", 2]));
    let expected = ["user: Look at tea.txt", "assistant: ", "toolResult: green"];
    assert_eq!(Transcript::told(&home, "talk"), expected);

    home.ok("chat -s talk -m 'And now?'");
    assert_eq!(import(0)["state"], "unchanged");
    let more = r#"{"type":"user","uuid":"u4","parentUuid":"u2","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"More"}}"#;
    home.input("talk.jsonl", lines[..3].concat() + more);
    let before = home.files();
    assert_eq!(import(1)["state"], "wentOn");
    assert_eq!(home.files(), before);
}

#[test]
fn import_untrusted_demotes_owner() {
    let home = TestHome::new();
    home.input("talk.jsonl", OPENCLAW);
    for (name, flags, expected) in [
        ("mine", &[][..], "\"origin\":\"owner\""),
        ("theirs", &["--untrusted"], "\"origin\":\"untrusted\""),
    ] {
        let arguments = [&["session", "import", "talk.jsonl", "-s", name][..], flags].concat();
        home.ok(&arguments);
        let text = home.read(&format!("sessions/{name}.jsonl"));
        let said = text
            .lines()
            .find(|line| line.contains("I prefer tea"))
            .unwrap();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn init_from_imports_openclaw_home_once() {
    let home = beside_old_home(&[
        ("workspace/MEMORY.md", "- Lives in Lisbon\n"),
        ("workspace/DREAMS.md", "# Dream Diary\n"),
        ("workspace/memory/2026-04-10.md", "- bought tea\n"),
        ("workspace/memory/.dreams/phase-signals.json", "{}"),
        ("workspace/projects/README.md", "not a note\n"),
        ("agents/main/sessions/6f9b2c1e.jsonl", OPENCLAW),
        (
            "agents/main/sessions/sessions.json",
            r#"{"agent:main:main":{"sessionId":"6f9b2c1e"}}"#,
        ),
    ]);
    let old = home.list("../old");
    let run = home.ok("init --from old");
    assert_snapshot!("init_from", run.transcript());
    assert_eq!(home.list("../old"), old);
    assert_eq!(home.memory(), "- Lives in Lisbon\n");
    assert_eq!(
        home.read("workspace/memory/2026-04-10.md"),
        "- bought tea\n"
    );
    assert_eq!(home.list("sessions"), ["main.jsonl"]);
    let before = home.files();
    home.ok("init --from old");
    assert_eq!(home.files(), before);
    // The other command gives it the same name, and takes nothing a second time.
    home.ok("session import old");
    assert_eq!(home.files(), before);
    let nothing = home.run("init --from nowhere");
    assert_snapshot!("init_from_nothing", nothing.with_code(1).transcript());
    let other = TestHome::new();
    other.input("talk.jsonl", OPENCLAW);
    OsDisk.create_dir(&other.folder().join("empty")).unwrap();
    let file = other.run("init --from talk.jsonl").with_code(1);
    assert_snapshot!("init_from_a_file", file.transcript());
    let empty = other.run("init --from empty").with_code(1);
    assert_snapshot!("init_from_no_home", empty.transcript());
    // Nothing is made before it is known what is taken over.
    assert!(!other.path().exists());
}

const IMPORT: [&str; 3] = ["session", "import", "old"];
const INIT: [&str; 3] = ["init", "--from", "old"];
/// The name that the main session of [`with_old_home`] gets.
const OWN_NAME: &str = "openclaw-agent-main-main-6a44b002";

/// A home next to one that holds these files.
fn beside_old_home(files: &[(&str, &str)]) -> TestHome {
    let home = TestHome::new();
    for (path, text) in files {
        home.write(&format!("../old/{path}"), text);
    }
    home
}

/// A home of OpenClaw next to ours, with its main session.
fn with_old_home() -> TestHome {
    let listing = r#"{"agent:main:main":{"sessionId":"6f9b2c1e"}}"#;
    beside_old_home(&[
        ("agents/main/sessions/6f9b2c1e.jsonl", OPENCLAW),
        ("agents/main/sessions/sessions.json", listing),
    ])
}

#[test]
fn openclaw_main_session_is_imported_once_beside_used_main() {
    for (first, second) in [(IMPORT, INIT), (INIT, IMPORT)] {
        let home = with_old_home();
        home.ok("chat -m 'I live in Bern'");
        let main = home.read("sessions/main.jsonl");
        home.ok(&first);
        assert_eq!(home.read("sessions/main.jsonl"), main);
        let own = format!("{OWN_NAME}.jsonl");
        assert_eq!(home.list("sessions"), ["main.jsonl", &own]);
        home.ok(&INIT);
        let before = home.files();
        for again in [second, first, second] {
            home.ok(&again);
            assert_eq!(home.files(), before);
        }
    }
}

#[test]
fn import_dry_run_names_same_sessions_as_import() {
    let home = with_old_home();
    let other = OPENCLAW
        .replace("6f9b2c1e", "7a0c3d2f")
        .replace("tea", "coffee");
    home.write("../old/agents/work/sessions/7a0c3d2f.jsonl", &other);
    let listing = r#"{"agent:main:main":{"sessionId":"7a0c3d2f"}}"#;
    home.write("../old/agents/work/sessions/sessions.json", listing);
    let names = |flags: &[&str]| -> Vec<Value> {
        let report = home.ok(&[&IMPORT[..], &["--json"], flags].concat());
        each(
            report.json()["conversations"].as_array().unwrap(),
            "/session",
        )
    };
    let planned = names(&["--dry-run"]);
    assert_eq!(planned.len(), 2);
    assert_ne!(planned[0], planned[1]);
    assert_eq!(names(&[]), planned);
}

#[test]
fn import_reports_times_that_go_back() {
    let home = TestHome::new();
    let said = |at: &str, text: &str| {
        format!(r#"{{"role":"user","content":"{text}","timestamp":"2026-04-12T{at}:00Z"}}"#)
    };
    let lines = [
        said("10:00", "one"),
        said("09:00", "two"),
        said("09:30", "three"),
    ];
    home.input("back.jsonl", &(lines.join("\n") + "\n"));
    let run = home.run("session import back.jsonl -s back");
    assert_snapshot!("times_that_go_back", run.with_code(0).transcript());
}

#[test]
fn import_extends_session_imported_under_own_name() {
    for command in [IMPORT, INIT] {
        let home = with_old_home();
        let file = "old/agents/main/sessions/6f9b2c1e.jsonl";
        let named = ["session", "import", file, "-s", OWN_NAME];
        home.ok(&named);
        let said = || Transcript::read(&home, OWN_NAME).messages().len();
        assert_eq!(said(), 2);
        let more = r#"{"type":"message","id":"a1b2c3d6","parentId":"a1b2c3d5","timestamp":"2026-04-12T10:01:00.000Z","message":{"role":"user","content":[{"type":"text","text":"Green tea."}],"timestamp":1776000060000}}"#;
        home.write(&format!("../{file}"), format!("{OPENCLAW}{more}\n"));
        home.ok(&command);
        assert_eq!(home.list("sessions"), [format!("{OWN_NAME}.jsonl")]);
        assert_eq!(said(), 3);
    }
}

#[test]
fn next_command_quotes_path_with_blanks() {
    let home = TestHome::new();
    home.write("../old home/agents/main/sessions/bad.jsonl", "not json\n");
    home.input("a talk.jsonl", OPENCLAW);
    OsDisk
        .create_dir(&home.folder().join("Ann's home"))
        .unwrap();
    let mut told = String::new();
    for from in ["a talk.jsonl", "Ann's home", "old home"] {
        let run = home.run(&["init", "--from", from]).with_code(1);
        told.push_str(&run.transcript());
    }
    assert_snapshot!("init_from_paths_with_blanks", told);
}

#[test]
fn init_from_reports_bad_session_and_imports_others() {
    let home = beside_old_home(&[
        ("workspace/MEMORY.md", "- Lives in Lisbon\n"),
        ("agents/main/sessions/0bad.jsonl", "not json\n"),
        ("agents/main/sessions/6f9b2c1e.jsonl", OPENCLAW),
    ]);
    let run = home.run("init --from old").with_code(1);
    assert_snapshot!("init_from_with_a_bad_session", run.transcript());
    assert_eq!(home.memory(), "- Lives in Lisbon\n");
    assert_eq!(home.list("sessions").len(), 1);
}

#[test]
fn binary_file_is_rejected_with_readable_formats() {
    let home = TestHome::new();
    let photo = home.folder().join("photo.jsonl");
    replace(&OsDisk, &photo, b"\x89PNG\r\n\x1a\n\xff\xfe").unwrap();
    let run = home.run("session import photo.jsonl").with_code(1);
    assert_snapshot!("import_of_no_text", run.transcript());
}

const CLAUDE_IMAGE: &str = r#"[{"uuid":"c1","name":"Boats","chat_messages":[{"uuid":"m1","sender":"human","text":"","content":[{"type":"text","text":"What is on this photo?"}],"created_at":"2026-03-02T08:00:00Z","attachments":[{"file_name":"plan.pdf"}],"files":[{"file_kind":"image","file_name":"boat.png"}]},{"uuid":"m2","sender":"assistant","content":[{"type":"text","text":"A boat."}],"created_at":"2026-03-02T08:00:05Z"}]}]"#;

const CHATGPT_IMAGE: &str = r#"{"id":"g2","title":"Cats","current_node":"b","mapping":{
"a":{"message":{"author":{"role":"user"},"create_time":1772438400,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://file-abc"},"Which cat is it?"]},"metadata":{"attachments":[{"name":"cat.jpg","id":"file-abc","mimeType":"image/jpeg"}]}},"parent":null},
"b":{"message":{"author":{"role":"assistant"},"create_time":1772438401,"content":{"content_type":"text","parts":["A tabby."]}},"parent":"a"}}}"#;

const OPENCLAW_IMAGE: &str = r#"{"type":"session","version":3,"id":"0a1b2c3d","timestamp":"2026-03-02T08:00:00.000Z","cwd":"/x"}
{"type":"message","id":"a0000001","parentId":null,"timestamp":"2026-03-02T08:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"See the plan"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"timestamp":1772438401000}}
"#;

#[test]
fn imported_image_keeps_metadata_and_is_reported() {
    let home = TestHome::new();
    home.input("claude.json", CLAUDE_IMAGE);
    home.input("chatgpt.json", CHATGPT_IMAGE);
    home.input("openclaw.jsonl", OPENCLAW_IMAGE);
    let mut told = String::new();
    for (file, name) in [
        ("claude.json", "boats"),
        ("chatgpt.json", "cats"),
        ("openclaw.jsonl", "plan"),
    ] {
        let run = home.ok(&["session", "import", file, "-s", name]);
        told.push_str(&run.transcript());
        let run = home.ok(&["session", "export", name]);
        told.push_str(&run.transcript());
    }
    assert_snapshot!("import_images", told);
    home.ok("session verify");
}

#[test]
fn directory_import_reads_single_exports_and_reports_skipped() {
    let home = TestHome::new();
    for (name, text) in [
        ("a photo.json", CLAUDE_IMAGE),
        ("settings.json", r#"{"theme":"dark"}"#),
        ("list.json", "[1, 2]"),
        ("notes.txt", "no conversation"),
    ] {
        home.write(&format!("../in/{name}"), text);
    }
    let run = home.ok("session import in");
    assert_snapshot!("import_passed_over", run.transcript());
    assert_eq!(home.list("sessions").len(), 1);
}

#[test]
fn init_from_copies_own_home_with_sessions() {
    let old = TestHome::new();
    old.ok("chat -m 'I decided to rent the small hall.'");
    old.ok("chat -s work -m 'The lab code is 0815.'");
    old.run_with_input("chat", "/new\n").with_code(0);
    let from = old.path().display().to_string();
    let before = old.files();
    let home = TestHome::new();
    let run = home.ok(&["init", "--from", &from]);
    run.stdout.holds("sessions/main.jsonl  imported");
    assert_eq!(old.files(), before);
    for name in ["sessions/main.jsonl", "sessions/work.jsonl"] {
        assert_eq!(home.read(name), old.read(name));
    }
    home.ok("session verify");
    // What was noted there is not noted again.
    home.run_with_input("chat", "/new\n").with_code(0);
    let log = format!("workspace/memory/{}", home.list("workspace/memory")[0]);
    assert_eq!(home.read(&log).matches("rent the small hall").count(), 1);
    let again = home.ok(&["init", "--from", &from]);
    again.stdout.holds("sessions/work.jsonl  already there");
}

/// If a list, a name or an element is missing, the conversation is nevertheless imported.
#[test]
fn import_survives_null_attachments_and_names() {
    let home = TestHome::new();
    let nulls = r#"[{"id":"g2","title":"Cats","current_node":"b","mapping":{
"a":{"message":{"author":{"role":"user"},"create_time":1772438400,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://file-abc"},"Which cat is it?"]},"metadata":{"is_visually_hidden_from_conversation":null,"attachments":[{"id":null,"name":"x"},7,{"name":"cat.jpg","id":"file-abc","mime_type":"image/jpeg"}]}},"parent":null},
"b":{"message":{"author":{"role":"assistant"},"create_time":1772438401,"content":{"content_type":"text","parts":["A tabby."]},"metadata":{"attachments":null}},"parent":"a"}}}]"#;
    home.input("chatgpt.json", nulls);
    let claude = CLAUDE_IMAGE.replace(
        r#""text":"","content""#,
        r#""text":"","files":null,"attachments":[null,{"file_name":"a.png"}],"content""#,
    );
    let claude = claude.replace(
        r#","attachments":[{"file_name":"plan.pdf"}],"files":[{"file_kind":"image","file_name":"boat.png"}]"#,
        "",
    );
    home.input("claude.json", claude);
    let mut told = String::new();
    for (file, name) in [("chatgpt.json", "cats"), ("claude.json", "boats")] {
        told.push_str(
            &home
                .ok(&["session", "import", file, "-s", name])
                .transcript(),
        );
        told.push_str(&home.ok(&["session", "export", name]).transcript());
    }
    assert_snapshot!("import_bad_files", told);
}

#[test]
fn i8_init_from_carries_tombstones_over() {
    let old = TestHome::new();
    for said in ["The gate code is 4711.", "The gate is green."] {
        old.ok(&["chat", "-m", said]);
    }
    old.ok("memory forget 'gate code 4711' --yes");
    let from = old.path().display().to_string();
    let home = TestHome::new();
    home.ok("chat -s work -m 'The lab code is 0815.'");
    home.ok("memory forget 'lab code 0815' --yes");
    let own = home.read("state/tombstones.jsonl");
    home.ok(&["init", "--from", &from]);
    assert!(home.read("state/tombstones.jsonl").starts_with(&own));
    for secret in ["gate code 4711", "lab code 0815"] {
        let found = home.run(&["memory", "search", secret]);
        for code in ["4711", "0815"] {
            let stdout = found.stdout.replace(secret, "");
            assert!(!stdout.contains(code), "{stdout}");
        }
    }
    let found = home.ok("memory search gate");
    found.stdout.holds("The gate is green.");
    let before = home.files();
    home.ok(&["init", "--from", &from]);
    assert_eq!(
        home.read("state/tombstones.jsonl").into_bytes(),
        before
            .into_iter()
            .find(|(name, _)| name.ends_with("state/tombstones.jsonl"))
            .unwrap()
            .1
    );
}

#[test]
fn init_from_keeps_rejected_and_waiting_candidates() {
    let old = TestHome::init();
    let review = "--set=dreaming.promotion=review";
    for note in ["I prefer tea to coffee, always", "I live in Lisbon"] {
        old.ok(&["memory", "add", note]);
    }
    old.ok(&["dream", "--now", review]);
    let ids = |home: &TestHome| {
        let listed = home.ok("dream list --json");
        let found = listed.json_lines()[0]["candidates"]
            .as_array()
            .unwrap()
            .clone();
        let of = |it: &serde_json::Value| {
            let [id, finding] = ["id", "finding"].map(|name| it[name].as_str().unwrap().to_owned());
            (finding, id)
        };
        found.iter().map(of).collect::<Vec<_>>()
    };
    let waiting = ids(&old);
    let tea = waiting.iter().find(|(it, _)| it.contains("tea")).unwrap();
    old.ok(&["dream", "reject", &tea.1]);
    let from = old.path().display().to_string();
    let left = ids(&old);
    assert_eq!(left.len(), 1);

    let empty = TestHome::new();
    empty.ok(&["init", "--from", &from]);
    assert_eq!(ids(&empty), left);
    assert_eq!(
        empty.read("workspace/DREAMS.md"),
        old.read("workspace/DREAMS.md")
    );
    // A home that decided something itself learns what was turned down.
    let other = TestHome::init();
    other.ok("memory add 'I am left-handed'");
    other.ok(&["dream", "--now", review]);
    let own = ids(&other);
    other.ok(&["init", "--from", &from]);
    assert_eq!(ids(&other), own);
    for home in [&empty, &other] {
        home.ok("memory add 'I prefer tea to coffee, always'");
        home.ok("dream --now");
        let waits = ids(home).iter().any(|(it, _)| it.contains("tea"));
        let lasts = home
            .list("workspace")
            .iter()
            .any(|name| name == "MEMORY.md")
            && home.memory().contains("tea");
        assert_eq!((waits, lasts), (false, false));
    }
}

#[test]
fn import_reports_contentless_and_other_branch_messages_once() {
    let home = TestHome::new();
    let line = |id: &str, parent: &str, message: &str| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2026-03-02T08:00:00Z","message":{message}}}"#
        )
    };
    let said =
        |text: &str| format!(r#"{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}"#);
    let lines = [
        r#"{"type":"session","version":3,"id":"abc","timestamp":"2026-03-02T08:00:00Z","cwd":"/"}"#
            .to_owned(),
        line("a1", "", &said("Hello.")),
        line("a2", "a1", r#"{"role":"assistant"}"#),
        line("b1", "a1", &said("Left behind.")),
        line("a3", "a2", &said("My boat is Estrela.")),
    ];
    home.input("talk.jsonl", lines.join("\n") + "\n");
    let run = home.ok("session import talk.jsonl");
    let left_out: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| line.contains("left out: "))
        .collect();
    assert_eq!(
        left_out,
        [
            "  left out: a message on another branch, line 3 is skipped: the message cannot be read: it has no content",
        ]
    );
    run.stdout.holds("imported 2 messages");
}

#[test]
fn init_from_copies_note_records_of_own_home() {
    let text = "The hall has forty chairs";
    let (file, hash) = ("memory/2026-04-20.md", base::short_hash(text));
    let record =
        format!(r#"{{"id":"0a0a0a0a","file":"{file}","hash":"{hash}","origin":"untrusted"}}"#);
    let home = beside_old_home(&[
        (
            "workspace/memory/2026-04-20.md",
            &format!("- {text} ^0a0a0a0a\n"),
        ),
        ("state/notes.jsonl", &format!("{record}\n")),
    ]);
    for _ in 0..2 {
        home.ok("init --from old");
        let found = home.ok("memory search --json 'how many chairs?'").stdout;
        found.holds("\"origin\":\"untrusted\"");
        assert_eq!(home.read("state/notes.jsonl").lines().count(), 1);
    }
}

#[test]
fn init_from_copies_graph_of_own_home() {
    let graph = "{\"type\":\"entity\",\"name\":\"Ann\",\"entityType\":\"person\",\"observations\":[\"plays the cello\"]}\n";
    let home = beside_old_home(&[
        ("workspace/memory/graph.md", "- mine\n"),
        ("state/graph.jsonl", graph),
    ]);
    for _ in 0..2 {
        home.ok("init --from old");
        assert_eq!(home.read("state/graph.jsonl"), graph);
        let page = home.read("workspace/memory/graph.md");
        assert_eq!(
            page.matches("- Ann: plays the cello ^").count(),
            1,
            "{page}"
        );
        assert_eq!(page.matches("- mine\n").count(), 1, "{page}");
    }
}
