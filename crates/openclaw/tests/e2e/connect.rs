//! This memory in the settings of other programs, and out of them again.
//!
//! The user's home directory is a temporary folder.

use std::path::Path;

use base::disk::{Disk, OsDisk, create_parent};
use serde_json::Value;
use testkit::{TestHome, Words};

const CLAUDE: &str = "{\n  // mine\n  \"theme\": \"dark\"\n}\n";

/// Runs `connect` with the folder of the test as the user's home; returns its exit code and its output.
pub(crate) fn connect(home: &TestHome, arguments: &[&str]) -> (Option<i32>, String) {
    let arguments = [&["connect"], arguments].concat();
    let mut command = home.command(&arguments);
    let output = command.env("HOME", home.folder()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// The settings files of Claude Code.
#[expect(
    clippy::disallowed_methods,
    reason = "looks at files as another program does"
)]
fn settings(home: &TestHome) -> [Option<String>; 4] {
    let path = home.folder();
    [
        ".claude.json",
        ".claude.json.before-openclaw",
        ".claude/settings.json",
        ".claude/settings.json.before-openclaw",
    ]
    .map(|file| std::fs::read_to_string(path.join(file)).ok())
}

#[test]
fn connect_shows_applies_and_undoes_settings_exactly() {
    let home = TestHome::new();
    let _file = home.input(".claude.json", CLAUDE);
    let before = settings(&home);
    let (code, shown) = connect(&home, &["claude-code", "--dry-run"]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("+  \"mcpServers\": {"), "{shown}");
    shown.holds("hook claude-code UserPromptSubmit");
    assert_eq!(settings(&home), before);

    // Nobody is there to say yes.
    let no = "nothing was changed: there is no terminal to confirm at, and no `--yes`";
    let (code, told) = connect(&home, &["claude-code"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("+  \"mcpServers\": {"), "{told}");
    told.replace("\n  ", " ").holds(no);
    let (code, told) = connect(&home, &["claude-code", "--json"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, &told["error"]["message"]), (Some(1), &no.into()));
    assert_eq!(settings(&home), before);

    let (code, told) = connect(&home, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let [servers, kept, hooks, none] = settings(&home);
    assert_eq!((kept.as_deref(), none), (Some(CLAUDE), None));
    servers.as_ref().unwrap().begins("{\n  // mine\n");
    let hooks: Value = serde_json::from_str(&hooks.unwrap()).unwrap();
    assert_eq!(hooks["hooks"].as_object().unwrap().len(), 5);
    let connected = settings(&home);
    let (_, told) = connect(&home, &["claude-code", "--yes"]);
    assert!(told.contains("nothing to change"), "{told}");
    assert_eq!(settings(&home), connected);

    let (code, told) = connect(&home, &["claude-code", "--undo", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(settings(&home), before);
}

#[test]
fn connect_creates_home_that_hooks_need() {
    let home = TestHome::new();
    for without_change in [&["--dry-run"][..], &["--undo", "--yes"], &[]] {
        connect(&home, &[&["claude-code"], without_change].concat());
        assert!(!home.path().exists(), "{without_change:?}");
    }
    let (code, told) = connect(&home, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let event = ["hook", "claude-code", "SessionStart"];
    let run = home.run_with_input(&event, "{}").with_code(0);
    assert_eq!(run.stderr, "");
    OsDisk.remove_tree(&home.path()).unwrap();
    let (_, told) = connect(&home, &["claude-code"]);
    assert!(told.contains("nothing to change"), "{told}");
    home.ok("about");
}

#[test]
fn connect_keeps_mode_of_settings_file() {
    use std::os::unix::fs::PermissionsExt;
    let home = TestHome::new();
    let file = home.input(".claude.json", CLAUDE);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    for end in [&["--yes"][..], &["--undo", "--yes"]] {
        let (code, told) = connect(&home, &[&["claude-code"], end].concat());
        assert_eq!((code, mode(&file)), (Some(0), 0o644), "{told}");
        let hooks = home.folder().join(".claude/settings.json");
        let is_connected = end == ["--yes"];
        assert_eq!(hooks.exists(), is_connected, "{told}");
        assert!(!is_connected || mode(&hooks) == 0o600);
    }
}

#[test]
fn connect_undo_after_second_home_restores_original() {
    let home = TestHome::new();
    let before = settings(&home);
    for arguments in [&["--home=a"][..], &["--home=b"], &["--home=b", "--undo"]] {
        let (code, told) = connect(&home, &[&["claude-code", "--yes"], arguments].concat());
        assert_eq!(code, Some(0), "{told}");
    }
    assert_eq!(settings(&home), before);
}

#[test]
fn connect_undo_restores_server_added_by_hand() {
    let home = TestHome::new();
    let by_hand = r#"{"mcpServers":{"openclaw":{"type":"stdio","command":"openclaw","args":["mcp"],"env":{}}}}"#;
    let _file = home.input(".claude.json", by_hand);
    let before = settings(&home);
    for arguments in [&["--yes"][..], &["--yes", "--undo"]] {
        let (code, told) = connect(&home, &[&["claude-code"], arguments].concat());
        assert_eq!(code, Some(0), "{told}");
    }
    assert_eq!(settings(&home), before);

    // Also if the file was edited since.
    let (code, told) = connect(&home, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let [connected, ..] = settings(&home);
    let edited = connected.unwrap().replacen('{', r#"{"theme":"dark","#, 1);
    let _edited = home.input(".claude.json", &edited);
    let (code, told) = connect(&home, &["claude-code", "--yes", "--undo"]);
    assert_eq!(code, Some(0), "{told}");
    let [undone, ..] = settings(&home);
    let undone: Value = serde_json::from_str(&undone.unwrap()).unwrap();
    let mut expected: Value = serde_json::from_str(by_hand).unwrap();
    expected["theme"] = "dark".into();
    assert_eq!(undone, expected);
}

#[test]
fn i9_concurrent_connects_keep_original_settings() {
    let home = TestHome::new();
    for _ in 0..8 {
        let _file = home.input(".claude.json", CLAUDE);
        let start = |name: &str| {
            let mut command = home.command(&["connect", "claude-code", "--yes", "--home", name]);
            command.env("HOME", home.folder());
            testkit::piped(command)
        };
        let children = ["a", "b", "c", "d"].map(start);
        for child in children {
            let output = child.wait_with_output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr).replace("\n  ", " ");
            let is_late = told.contains("changed in the meantime");
            assert!(output.status.success() || is_late, "{told}");
        }
        let [servers, kept, hooks, none] = settings(&home);
        assert_eq!((kept.as_deref(), none), (Some(CLAUDE), None));
        servers.unwrap().begins("{\n  // mine\n");
        let _hooks: Value = serde_json::from_str(&hooks.unwrap()).unwrap();
        for file in [".claude.json.before-openclaw", ".claude/settings.json"] {
            base::disk::remove(&OsDisk, &home.folder().join(file)).unwrap();
        }
    }
}

#[test]
fn connect_writes_absolute_path_of_home() {
    let home = TestHome::init();
    let (root, folder) = (home.path(), home.folder());
    let relative = root.strip_prefix(folder).unwrap().to_str().unwrap();
    let (code, told) = connect(&home, &["claude-code", "--yes", "--home", relative]);
    assert_eq!(code, Some(0), "{told}");
    let [servers, _, hooks, _] = settings(&home);
    let root = root.display();
    servers.unwrap().holds(&format!("\"{root}\""));
    hooks.unwrap().holds(&format!(" --home {root} hook "));
    let doctor = format!("doctor --json --home {relative}");
    assert_eq!(diagnosed(&home, &doctor), "");
}

#[test]
fn connect_undo_keeps_later_changes() {
    let home = TestHome::new();
    let _file = home.input(".claude.json", CLAUDE);
    let _made = connect(&home, &["claude-code", "--yes"]);
    let [servers, ..] = settings(&home);
    let changed = servers.unwrap().replace("dark", "light");
    let _file = home.input(".claude.json", changed);
    let (code, told) = connect(&home, &["claude-code", "--undo", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let [servers, ..] = settings(&home);
    let servers = servers.unwrap();
    servers.holds("\"theme\": \"light\"");
    servers.holds("// mine");
    assert!(!servers.contains("openclaw"), "{servers}");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "looks at files as another program does"
)]
fn connect_undo_and_doctor_ignore_foreign_server_of_same_name() {
    let home = TestHome::init();
    let json = |call: &str| format!("{{\"mcpServers\":{{\"openclaw\":{{{call}}}}}}}");
    for (program, file, text) in [
        ("cursor", ".cursor/mcp.json", json("\"command\":\"mine\"")),
        (
            "claude-code",
            ".claude.json",
            json("\"command\":\"openclaw\",\"args\":[\"mcp\",\"serve\"]"),
        ),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.openclaw]\ncommand = \"mine\"\nargs = [\"mcp\"]\n".to_owned(),
        ),
    ] {
        let path = home.folder().join(file);
        create_parent(&OsDisk, &path).unwrap();
        let _file = home.input(file, &text);
        assert_eq!(diagnosed(&home, "doctor --json"), "");
        for (arguments, end) in [
            (&[program, "--undo", "--yes"][..], "nothing to change"),
            (&[program, "--yes"], "done"),
            (&[program, "--undo", "--yes"], "done"),
            (&[program, "--undo", "--yes"], "nothing to change"),
        ] {
            let (code, told) = connect(&home, arguments);
            assert_eq!(code, Some(0), "{told}");
            told.holds(end);
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    }
}

#[test]
fn connect_leaves_unreadable_settings_unchanged() {
    for text in ["[1, 2]", "{ \"mcpServers\": 7 }", "{"] {
        let home = TestHome::new();
        let _file = home.input(".claude.json", text);
        let before = settings(&home);
        let (code, told) = connect(&home, &["claude-code", "--yes"]);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("settings left unchanged"), "{told}");
        assert_eq!(settings(&home), before);
    }
}

/// The report of `doctor` about connections.
fn diagnosed(home: &TestHome, doctor: &str) -> String {
    let mut command = home.command(doctor);
    let output = command.env("HOME", home.folder()).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = found["findings"].as_array().unwrap().iter();
    let of_connections = found.filter(|finding| finding["code"] == "connection");
    let told: Vec<String> = of_connections
        .map(|finding| {
            let [weight, message, next] = ["weight", "message", "hint"].map(|key| &finding[key]);
            format!("{weight} {message} {next}\n")
        })
        .collect();
    told.concat()
        .replace(&home.folder().display().to_string(), "~")
}

#[test]
fn doctor_reports_broken_connections() {
    let home = TestHome::init();
    assert_eq!(diagnosed(&home, "doctor --json"), "");
    for program in ["claude-code", "codex", "zed"] {
        let (code, told) = connect(&home, &[program, "--yes"]);
        assert_eq!(code, Some(0), "{told}");
    }
    assert_eq!(diagnosed(&home, "doctor --json"), "");
    let [servers, _, hooks, _] = settings(&home);
    let hooks = hooks.unwrap();
    let _gone = home.input(".claude/settings.json", "{}");
    let part = "its settings have only part of what `openclaw connect` writes";
    let next = "`openclaw connect claude-code`";
    assert_eq!(
        diagnosed(&home, "doctor --json"),
        format!("\"note\" \"claude-code: {part}\" \"{next}\"\n")
    );
    let root = home.path().display().to_string();
    let moved = hooks.replace(&root, "/elsewhere");
    let _moved = home.input(".claude/settings.json", moved);
    let other = "its settings name another home, /elsewhere";
    assert_eq!(
        diagnosed(&home, "doctor --json"),
        format!("\"note\" \"claude-code: {other}\" \"{next}\"\n")
    );
    let _mended = home.input(".claude/settings.json", hooks);
    let servers: Value = serde_json::from_str(&servers.unwrap()).unwrap();
    let binary = servers["mcpServers"]["openclaw"]["command"]
        .as_str()
        .unwrap();
    let lost = servers.to_string().replace(binary, "/gone/openclaw");
    let _lost = home.input(".claude.json", lost);
    let gone = "its settings name /gone/openclaw, which does not exist";
    assert_eq!(
        diagnosed(&home, "doctor --json"),
        format!("\"warning\" \"claude-code: {gone}\" \"{next}\"\n")
    );
}

#[test]
fn doctor_reports_duplicate_hooks_servers_and_plugins() {
    let home = TestHome::init();
    let (code, told) = connect(&home, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let [servers, _, hooks, _] = settings(&home);
    let mut servers: Value = serde_json::from_str(&servers.unwrap()).unwrap();
    servers["mcpServers"]["memory"] = servers["mcpServers"]["openclaw"].clone();
    let _servers = home.input(".claude.json", servers.to_string());
    let mut hooks: Value = serde_json::from_str(&hooks.unwrap()).unwrap();
    let stop = hooks["hooks"]["Stop"].as_array_mut().unwrap();
    stop.push(stop[0].clone());
    hooks["enabledPlugins"]["openclaw-memory@openclaw"] = true.into();
    let _hooks = home.input(".claude/settings.json", hooks.to_string());
    insta::assert_snapshot!(diagnosed(&home, "doctor --json"));
    hooks["enabledPlugins"]["openclaw-memory@openclaw"] = false.into();
    let _hooks = home.input(".claude/settings.json", hooks.to_string());
    diagnosed(&home, "doctor --json").lacks("plugin");
}

#[test]
fn connect_prints_trust_step_of_program() {
    let home = TestHome::new();
    let (_, told) = connect(&home, &["codex", "--yes"]);
    told.holds("type /hooks and trust those of openclaw");
    let (_, told) = connect(&home, &["codex", "--undo", "--yes"]);
    told.lacks("type /hooks");
    let (_, told) = connect(&home, &["claude-code", "--dry-run"]);
    told.holds("\"alwaysLoad\": true");
}

#[test]
fn unknown_program_error_lists_values_and_only_near_match() {
    let home = TestHome::new();
    let (code, told) = connect(&home, &["emacs"]);
    assert_eq!(code, Some(2), "{told}");
    told.holds("possible values: claude-code");
    told.lacks("a similar value exists");
    let (_, told) = connect(&home, &["claud-code"]);
    told.holds("hint: a similar value exists: 'claude-code'");
}

#[test]
fn connect_only_prints_steps_for_manually_configured_programs() {
    let home = TestHome::init();
    let before = home.files();
    for program in ["open-webui", "openai", "mcp"] {
        let (code, told) = connect(&home, &[program, "--undo"]);
        assert_eq!(code, Some(1), "{told}");
        told.holds("nothing to undo");
        for option in ["--dry-run", "--yes"] {
            let (code, told) = connect(&home, &[program, option]);
            assert_eq!(code, Some(0), "{told}");
            told.holds("http://127.0.0.1:18789/");
            told.holds("state/token");
        }
    }
    assert_eq!(home.files(), before);
}
