//! The pages of the manual that a newcomer follows: their commands are run in order and print what the page shows.
//!
//! `connect.md` has tests of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use regex::Regex;
use testkit::TestHome;

/// A fenced block: its language and its text.
type Fenced<'p> = (&'p str, &'p str);

fn blocks(page: &str) -> Vec<Fenced<'_>> {
    page.split("\n```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| block.split_once('\n'))
        .collect()
}

/// The folder of a user who has this program on the path, the sample, and a home of OpenClaw.
#[expect(clippy::disallowed_methods, reason = "makes what other programs left")]
fn user(home: &TestHome) {
    let put = |path: &str, text: &str| {
        let path = home.folder().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("bin/README", "");
    put(".claude.json", "{}");
    put(".openclaw/openclaw.json", "{}");
    put(".openclaw/workspace/SOUL.md", "Be kind.\n");
    put(
        ".openclaw/workspace/MEMORY.md",
        "- Prefers the window seat.\n",
    );
    put(
        "examples/sample.jsonl",
        include_str!("../../../../examples/sample.jsonl"),
    );
    std::os::unix::fs::symlink(testkit::binary(), home.folder().join("bin/openclaw")).unwrap();
}

/// The output of a block, in a folder without a terminal.
fn printed(folder: &Path, block: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-euc", block])
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_clear()
        .env(
            "PATH",
            format!("{}/bin:{}", folder.display(), path.display()),
        )
        .env("HOME", folder)
        .env("TZ", "UTC")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{block}{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// The text without ids, which differ between runs.
fn without_ids(text: &str) -> String {
    let id = Regex::new(r"(?m)^  [0-9a-f]{4}  | \^[0-9a-f]{8}").unwrap();
    id.replace_all(text, " ").into_owned()
}

/// Runs the `sh` blocks of a page in order; each line of an output that follows is printed by the block.
#[track_caller]
fn check(page: &str, n_run_min: usize) {
    let home = TestHome::new();
    user(&home);
    // Nobody can be asked here.
    let asked = Regex::new(r"(?m)^openclaw connect \S+").unwrap();
    let mut n_run = 0;
    let mut said = String::new();
    for (language, text) in blocks(page) {
        match language {
            // Builds the program, which is built already.
            "sh" if text.starts_with("cargo install") => {}
            "sh" => {
                n_run += 1;
                let agreed = asked.replace_all(text, "$0 --yes");
                said = without_ids(&printed(home.folder(), &agreed));
            }
            "text" | "markdown" if !said.is_empty() => {
                let shown = without_ids(text);
                for line in shown.lines().filter(|it| !it.is_empty()) {
                    assert!(said.contains(line), "{line:?} is not in:\n{said}");
                }
            }
            _ => {}
        }
    }
    assert!(n_run >= n_run_min, "{n_run}");
}

#[test]
fn tour_commands_run_and_print_shown_output() {
    check(include_str!("../../../../docs/tour.md"), 8);
}

#[test]
fn coming_from_openclaw_commands_run() {
    check(include_str!("../../../../docs/coming-from-openclaw.md"), 2);
}

#[test]
fn dream_commands_run() {
    let page = include_str!("../../../../docs/dreams.md");
    // The last command undoes a change, so there must be one.
    let before = "\n```sh\nopenclaw chat -m 'Remember that I live in Graz.'\n```\n";
    check(&format!("{before}{page}"), 2);
}

#[test]
fn quick_start_commands_run() {
    let page = include_str!("../../../../docs/quick-start.md");
    // The block that shows what to say in a chat is no output.
    check(&page.replace("```text\n> ", "```chat\n> "), 3);
}
