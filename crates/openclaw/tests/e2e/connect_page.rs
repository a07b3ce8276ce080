//! `docs/connect.md` and the pages of programs: the tests run their commands as they are, and compare the output.
//!
//! Scripts that do nothing take the place of the connected programs.

use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use testkit::TestHome;

const PAGE: &str = include_str!("../../../../docs/connect.md");

macro_rules! program_pages {
    ($($name:literal),+) => {
        [$(($name, include_str!(concat!("../../../../docs/connect/", $name, ".md")))),+]
    };
}

/// The pages of single programs, by name.
const PROGRAM_PAGES: [(&str, &str); 10] = program_pages![
    "claude-code",
    "claude-desktop",
    "codex",
    "gemini-cli",
    "lm-studio",
    "mcp",
    "obsidian",
    "open-webui",
    "openai",
    "opencode"
];

/// A block of the page, its language, and the heading above it.
struct Fenced<'p> {
    section: &'p str,
    language: &'p str,
    text: String,
}

fn blocks(page: &'static str) -> Vec<Fenced<'static>> {
    let mut blocks: Vec<Fenced<'_>> = Vec::new();
    let mut is_inside = false;
    let mut section = "";
    for line in page.lines() {
        section = line
            .strip_prefix("## ")
            .filter(|_| !is_inside)
            .unwrap_or(section);
        match (line.strip_prefix("```"), blocks.last_mut()) {
            (Some(language), _) if !is_inside => {
                is_inside = true;
                blocks.push(Fenced {
                    section,
                    language,
                    text: String::new(),
                });
            }
            (Some(_), _) => is_inside = false,
            (None, Some(block)) if is_inside => writeln!(block.text, "{line}").unwrap(),
            (None, _) => {}
        }
    }
    blocks
}

/// The folder of a user who has the programs, with their memories, and with openclaw on the path.
#[expect(clippy::disallowed_methods, reason = "makes what other programs left")]
fn user(home: &TestHome) {
    let user = home.folder().join("user");
    let put = |path: &str, text: &str| {
        let path = user.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    let _project = put(
        ".claude/projects/-home-ada-tools/memory/build.md",
        "---\nname: build\ntype: project\n---\n\nThe build needs 8 GB.\n",
    );
    let _rules = put(".claude/CLAUDE.md", "- Answer briefly.\n");
    let _codex = put(".codex/AGENTS.md", "- Prefer ripgrep.\n");
    let _soul = put(".openclaw/workspace/SOUL.md", "Be kind.\n");
    let _openclaw = put(
        ".openclaw/workspace/MEMORY.md",
        "- Prefers the window seat.\n",
    );
    let _hermes = put(".hermes/memories/USER.md", "Likes oolong tea\n");
    let _vault = put("vault/.obsidian/app.json", "{}");
    let _note = put("vault/2026-02-04.md", "Met Bea at the harbour.\n");
    let _graph = put(
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"Ann\",\"entityType\":\"person\",\"observations\":[\"plays the cello\"]}\n",
    );
    for program in ["claude", "codex"] {
        let script = put(&format!("bin/{program}"), "#!/bin/sh\nexit 0\n");
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink(testkit::binary(), user.join("bin/openclaw")).unwrap();
}

/// Runs a block as a shell does; returns its output.
fn shown(home: &TestHome, block: &str) -> String {
    let user = home.folder().join("user");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-euc", block])
        .current_dir(&user)
        .stdin(Stdio::null())
        .env_clear()
        .env("PATH", format!("{}/bin:{}", user.display(), path.display()))
        .env("HOME", &user)
        .env("OPENCLAW_HOME", home.path())
        .env("TZ", "UTC")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{block}{stderr}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout
        .replace(&home.path().display().to_string(), "~/.openclaw")
        .replace("openclaw --home ~/.openclaw ", "openclaw ")
        .replace(&user.display().to_string(), "~")
}

#[test]
fn connect_page_commands_run_and_print_shown_output() {
    let home = TestHome::new();
    user(&home);
    home.ok("init");
    home.write_memory("# Long-term memory\n\n- Bea is my sister.\n");
    let blocks = blocks(PAGE);
    let (mut n_run, mut n_shown) = (0, 0);
    for (at, block) in blocks.iter().enumerate() {
        if block.language != "sh" {
            continue;
        }
        n_run += 1;
        // The first command asks, but the page is read here without a terminal.
        let text = block.text.replace("code    #", "code --dry-run    #");
        let shown = shown(&home, &text);
        if let Some(below) = blocks.get(at + 1).filter(|below| below.language == "text") {
            n_shown += 1;
            assert_eq!(shown, below.text, "{}", block.text);
        }
    }
    assert!(n_run > 5 && n_shown > 2, "{n_run} {n_shown}");
    for [title, ..] in PROGRAMS {
        let mut of_program = blocks.iter().filter(|it| it.section == title);
        let is_shown = of_program.any(|it| it.language == "text");
        assert!(is_shown, "{title} has no first minute");
    }
}

/// The programs that are connected: heading, name, settings, and their language.
const PROGRAMS: [[&str; 4]; 10] = [
    [
        "Claude Code",
        "claude-code",
        ".claude/settings.json",
        "json",
    ],
    ["Codex", "codex", ".codex/config.toml", "toml"],
    ["OpenClaw", "openclaw", ".openclaw/openclaw.json", "json"],
    ["VS Code", "vscode", ".config/Code/User/mcp.json", "json"],
    ["Cursor", "cursor", ".cursor/mcp.json", "json"],
    ["Zed", "zed", ".config/zed/settings.json", "json"],
    [
        "Claude Desktop",
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
        "json",
    ],
    ["Gemini CLI", "gemini-cli", ".gemini/settings.json", "json"],
    [
        "opencode",
        "opencode",
        ".config/opencode/opencode.json",
        "json",
    ],
    ["LM Studio", "lm-studio", ".lmstudio/mcp.json", "json"],
];

/// The settings of a program after `connect`, if the program is on the path.
#[expect(clippy::disallowed_methods, reason = "reads as another program does")]
fn connected(home: &TestHome, program: &str, file: &str) -> String {
    let user = home.folder().join("user");
    let mut command = home.command(&["connect", program, "--yes"]);
    let output = command.env("HOME", &user).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(user.join(file)).unwrap();
    let binary = testkit::binary().display().to_string();
    let home = Path::new(&home.path()).display().to_string();
    text.replace(&format!("{binary} --home {home}"), "openclaw")
        .replace(&format!("\"--home\", \"{home}\", "), "")
        .replace(&binary, "openclaw")
}

#[test]
fn program_page_commands_run_and_print_shown_output() {
    for (name, page) in PROGRAM_PAGES {
        let home = TestHome::new();
        user(&home);
        home.ok("init");
        let blocks = blocks(page);
        let mut n_run = 0;
        for (at, block) in blocks.iter().enumerate() {
            if block.language != "sh" {
                continue;
            }
            n_run += 1;
            let shown = shown(&home, &block.text);
            if let Some(below) = blocks.get(at + 1).filter(|below| below.language == "text") {
                assert_eq!(shown, below.text, "{name}: {}", block.text);
            }
            assert_ne!(shown, "", "{name}: {}", block.text);
        }
        assert!(n_run > 0, "{name}");
        let picture = format!("../images/connect-{name}.svg");
        assert!(page.contains(&picture), "{name} has no picture");
    }
}

#[test]
fn connect_page_settings_match_written_ones() {
    let home = TestHome::new();
    user(&home);
    let blocks = blocks(PAGE);
    for [title, name, file, language] in PROGRAMS {
        let mut by_hand = blocks
            .iter()
            .filter(|it| (it.section, it.language) == (title, language));
        let by_hand = by_hand.next().unwrap();
        let text = by_hand.text.replace("/path/to/this/openclaw", "openclaw");
        let written = connected(&home, name, file);
        if language == "toml" {
            assert!(written.ends_with(&text), "{written}");
            continue;
        }
        let [written, shown] = [&written, &text].map(|it| serde_json::from_str::<Value>(it));
        assert_eq!(written.unwrap(), shown.unwrap(), "{title}");
    }
}
