//! A home in a vault used by commands, as `--home vault://DIRECTORY/NAME`.

use std::path::{Path, PathBuf};

use base::disk::{Disk, OsDisk};
use insta::assert_snapshot;
use testkit::{ProgramRun, TestHome, Words};

use crate::encrypted::{OTHER_SECRET, SECRET};
use crate::odd_files::files_below;
use crate::vault::holds_nowhere;

/// A machine with a key, and a home `anna` in a vault there.
struct Machine {
    home: TestHome,
    key: PathBuf,
    anna: String,
}

impl Machine {
    fn new() -> Self {
        let home = TestHome::init();
        let key = home.input("key.txt", SECRET);
        let vault = format!("vault://{}", home.folder().join("vault").display());
        let anna = format!("{vault}/anna");
        Self { home, key, anna }
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self
            .home
            .command(&[&["--home", &self.anna], arguments].concat());
        command
            .env("OPENCLAW_HOMES__IDENTITY_FILE", &self.key)
            .env("XDG_RUNTIME_DIR", self.home.folder().join("run"));
        command
    }

    fn run(&self, arguments: &[&str]) -> ProgramRun {
        self.home.finish(self.command(arguments))
    }

    /// What each command prints.
    fn transcripts(&self, commands: &[&[&str]]) -> String {
        let ran = commands.iter().map(|it| self.run(it).transcript());
        ran.collect()
    }
}

#[test]
fn i14_a_home_in_a_vault_is_used_like_any_other_and_leaves_no_clear_text() {
    let machine = Machine::new();
    let mut all = machine.transcripts(&[&["memory", "search", "dentist"], &["init"]]);
    let _chat = machine
        .run(&["chat", "-m", "My dentist is Dr. Okafor."])
        .with_code(0);
    let note = ["memory", "add", "The plumber is Dr. Lindqvist."];
    let _added = machine.run(&note).with_code(0);
    for (question, answer) in [("dentist", "Dr. Okafor."), ("plumber", "Dr. Lindqvist.")] {
        let found = machine.run(&["memory", "search", question]).with_code(0);
        found.stdout.holds(answer);
    }
    all += &machine.transcripts(&[
        &["config", "set", "model.provider", "offline"],
        &["session", "verify"],
        &["doctor"],
        &["mcp"],
        &["hook", "claude-code", "session-start"],
        &["homes", "push", "file:///tmp/x", "anna"],
    ]);
    assert_snapshot!(all);
    let vault = machine.home.folder().join("vault");
    for text in ["Okafor", "Lindqvist", "provider: offline"] {
        holds_nowhere(&vault, text);
    }
    let left = files_below(&machine.home.folder().join("run"));
    for (name, _) in left {
        assert!(name.ends_with("/id") || name.ends_with("/lock"), "{name}");
    }
}

#[test]
fn i1_a_killed_command_leaves_what_it_acknowledged_to_the_next_at_once() {
    let machine = Machine::new();
    let _made = machine.run(&["init"]).with_code(0);
    let mut chat = testkit::piped(machine.command(&["chat"]));
    let mut stdin = chat.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"My dentist is Dr. Okafor.\n").unwrap();
    let mut stdout = std::io::BufReader::new(chat.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("Okafor") {
        line.clear();
        let n_read = std::io::BufRead::read_line(&mut stdout, &mut line).unwrap();
        assert!(n_read > 0);
    }
    let busy = machine.run(&["memory", "search", "dentist"]).with_code(4);
    busy.stderr.holds("home anna is in use by process");
    chat.kill().unwrap();
    chat.wait().unwrap();
    let found = machine.run(&["memory", "search", "dentist"]).with_code(0);
    found.stdout.holds("Dr. Okafor");
    let _verified = machine.run(&["session", "verify"]).with_code(0);
}

#[test]
fn a_home_in_a_vault_needs_its_key() {
    let machine = Machine::new();
    let _made = machine.run(&["init"]).with_code(0);
    let other = machine.home.input("other.txt", OTHER_SECRET);
    let with = |name: &str, value: &Path| {
        let mut command = machine.command(&["memory", "search", "dentist"]);
        command.env_remove("OPENCLAW_HOMES__IDENTITY_FILE");
        command.env(name, value);
        machine.home.finish(command)
    };
    let identity = "OPENCLAW_HOMES__IDENTITY_FILE";
    with(identity, &other)
        .with_code(1)
        .stderr
        .holds("does not open home anna");
    with("NONE", Path::new(""))
        .with_code(2)
        .stderr
        .holds(identity);
    with(identity, Path::new("key.txt"))
        .with_code(2)
        .stderr
        .holds("relative");
    let run = machine.home.folder().join("vault/run");
    let mut command = machine.command(&["memory", "search", "dentist"]);
    command.env("XDG_RUNTIME_DIR", &run);
    let refused = machine.home.finish(command).with_code(2);
    refused.stderr.holds("are not apart");
    assert!(!run.exists());
    let _opened = with(identity, &machine.key).with_code(0);
    for wrong in [
        "VAULT:///x/anna",
        "s3://claw/anna",
        "file:///x/anna",
        "vault:/x/anna",
        "vault:///x/",
        "vault://x/anna",
        "vault://",
    ] {
        let run = machine
            .home
            .run(&["--home", wrong, "session", "list"])
            .with_code(2);
        run.stderr.holds("vault:///DIRECTORY/NAME");
    }
    assert!(
        !OsDisk
            .list(machine.home.folder())
            .unwrap()
            .iter()
            .any(|it| it.starts_with("vault:"))
    );
}
