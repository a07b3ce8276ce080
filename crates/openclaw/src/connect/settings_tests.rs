//! The settings of other programs, with this memory connected and without it.

use clap::ValueEnum;
use insta::assert_snapshot;

use super::super::program::Program;
use super::*;

/// The settings files of all programs.
fn all_files() -> Vec<SettingsFile> {
    let programs = Program::value_variants().iter();
    let files = programs.flat_map(|program| program.files(Path::new("/home/ada")));
    files.collect()
}

fn invocation() -> Vec<String> {
    ["/usr/bin/openclaw", "--home", "/home/ada/my home"]
        .map(str::to_owned)
        .to_vec()
}

#[test]
fn connected_settings_are_idempotent_and_removable() {
    let mut shown = String::new();
    for file in all_files() {
        let connected = file.connected("", &invocation()).unwrap();
        add_line!(shown, "== {}\n{connected}", file.path.display());
        assert_eq!(
            file.connected(&connected, &invocation()).unwrap(),
            connected
        );
        let moved = file
            .connected(&connected, &["/opt/openclaw".to_owned()])
            .unwrap();
        assert_eq!(
            moved.matches("/opt/openclaw").count(),
            connected.matches("/usr/bin/openclaw").count()
        );
        assert!(!moved.contains("/usr/bin"), "{moved}");
        assert!(
            !file
                .disconnected(&connected, "", &invocation())
                .unwrap()
                .contains("openclaw")
        );
    }
    assert_snapshot!(shown);
}

#[test]
fn connected_keeps_users_settings_and_comments() {
    let json = "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": { \"other\": { \"command\": \"x\" } },\n  \
                \"hooks\": { \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"beep\" }] }] },\n}\n";
    let toml = "# mine\nmodel = \"o9\"   # fast\n\n[mcp_servers.other]\ncommand = \"x\"\n";
    for file in all_files() {
        let text = match file.syntax {
            SettingsSyntax::Json => json,
            SettingsSyntax::Toml => toml,
        };
        let connected = file.connected(text, &invocation()).unwrap();
        for line in text
            .lines()
            .filter(|line| line.contains("mine") || line.contains("fast"))
        {
            assert!(connected.contains(line), "{connected}");
        }
        for own in ["\"x\"", "other"] {
            assert!(connected.contains(own), "{connected}");
        }
        let gone = file.disconnected(&connected, "", &invocation()).unwrap();
        assert!(!gone.contains("openclaw"), "{gone}");
        let again = file.connected(&gone, &invocation()).unwrap();
        let words = |text: &str| -> String { text.split_whitespace().collect() };
        assert_eq!(words(&again), words(&connected));
    }
}

#[test]
fn settings_of_an_unknown_shape_are_refused() {
    for file in all_files() {
        let bad = match file.syntax {
            SettingsSyntax::Json => [
                "[1]",
                "{\"a\"",
                "{\"hooks\": 7, \"mcp\": 7, \"mcpServers\": 7, \"servers\": 7, \"context_servers\": 7}",
            ],
            SettingsSyntax::Toml => ["a = ", "mcp_servers = 7", "[["],
        };
        for text in bad {
            assert!(file.connected(text, &invocation()).is_err(), "{text}");
        }
    }
}

#[test]
fn byte_order_mark_in_settings_is_named() {
    let mut json = all_files()
        .into_iter()
        .filter(|file| file.syntax == SettingsSyntax::Json);
    let file = json.next().unwrap();
    let refused = file.connected("\u{feff}{}", &invocation()).unwrap_err();
    assert!(refused.contains("byte order mark"), "{refused}");
}

#[test]
fn calls_reads_invocation_from_connected_settings() {
    for file in all_files() {
        let none = file.calls("", &invocation()).unwrap();
        assert!(none.iter().all(Option::is_none), "{none:?}");
        let connected = file.connected("", &invocation()).unwrap();
        let calls = file.calls(&connected, &invocation()).unwrap();
        assert_eq!(calls.len(), file.entries.len());
        for call in calls {
            assert_eq!(call.unwrap().get(..3), Some(&*invocation()));
        }
    }
}

/// The files of the plugin and what belongs into them: the settings that `connect` writes, for any home.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the plugin is part of the sources"
)]
fn plugin_files_match_settings_written_by_connect() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin");
    let home = Path::new("");
    let files = |program: Program| program.files(home);
    let wanted = [
        // Codex reads this file too, and ignores that a server is loaded always.
        (".mcp.json", &files(Program::ClaudeCode)[0]),
        ("hooks/claude-code.json", &files(Program::ClaudeCode)[1]),
        ("hooks/codex.json", &files(Program::Codex)[1]),
    ];
    for (path, file) in wanted {
        let found = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let wanted = file.connected("", &[NAME.to_owned()]).unwrap();
        assert_eq!(found, wanted, "{path}");
    }
    for (path, hooks) in [
        (".claude-plugin", "claude-code"),
        (".codex-plugin", "codex"),
    ] {
        let found = std::fs::read_to_string(root.join(path).join("plugin.json")).unwrap();
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["name"], "openclaw-memory");
        assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(found["hooks"], format!("./hooks/{hooks}.json"));
    }
}

#[test]
fn connect_and_disconnect_keep_other_hooks_of_group() {
    let files = Program::ClaudeCode.files(Path::new("/home/ada"));
    let stop = |text: &str| {
        let hooks: Value = serde_json::from_str(text).unwrap();
        hooks["hooks"]["Stop"].clone()
    };
    let own = files[1].connected("", &invocation()).unwrap();
    let own = &stop(&own)[0]["hooks"][0];
    let beep = json!({ "type": "command", "command": "beep" });
    let other = json!({ "type": "command", "command": "other hook claude-code Stop" });
    let shared = json!({ "hooks": { "Stop": [{ "hooks": [beep, other, own] }] } }).to_string();
    let left = json!({ "hooks": [beep, other] });
    let gone = files[1].disconnected(&shared, "", &invocation()).unwrap();
    assert_eq!(stop(&gone), json!([left]));
    let moved = ["/opt/openclaw".to_owned()];
    let moved = stop(&files[1].connected(&shared, &moved).unwrap());
    assert_eq!(moved[0], left);
    let command = "/opt/openclaw hook claude-code Stop";
    assert_eq!(moved[1]["hooks"][0]["command"], command);
}

#[test]
fn is_ours_accepts_other_options_but_not_other_commands() {
    for (call, expected) in [
        ("openclaw mcp", true),
        ("/opt/openclaw --home /h mcp --read-only", true),
        ("openclaw hook codex Stop", true),
        ("openclaw mcp serve", false),
        ("openclaw", false),
        ("mine mcp", false),
        ("", false),
    ] {
        let words: Vec<String> = call.split_whitespace().map(str::to_owned).collect();
        assert_eq!(is_ours(&words, &invocation()), expected, "{call}");
    }
}
