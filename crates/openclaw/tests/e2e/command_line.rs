//! The texts for a person who types a command: help, listings and errors.
//!
//! Compares every text whole, so that any change of wording is noticed.

use base::disk::{Disk, OsDisk};
use insta::assert_snapshot;
use std::fmt::Write;
use testkit::{TestHome, Words, conversation, one_line, to_jsonl};

use crate::dream::{REVIEW, said};

const PAGE: &str = include_str!("../../../../docs/cli.md");

#[test]
fn help_of_each_command_matches_cli_page() {
    let home = TestHome::new();
    let (mut n_commands, mut long) = (0, String::new());
    for section in PAGE.split("\n## `openclaw").skip(1) {
        let (command, rest) = section.split_once("`\n\n```text\n").unwrap();
        let (help, _) = rest.split_once("\n```").unwrap();
        let run = home.ok(&format!("{command} -h"));
        assert_eq!(words(&run.stdout), words(help), "{command}");
        if help.contains("(see more with '--help')") {
            let help = home.ok(&format!("{command} --help")).stdout;
            let (own, _) = help.split_once("\n\nGlobal options:").unwrap();
            write!(long, "# {command}\n\n{own}\n\n").unwrap();
        }
        n_commands += 1;
    }
    assert!(n_commands > 30, "{n_commands}");
    assert_snapshot!("long_help", long);
    assert_eq!(home.list(""), [""; 0], "help made a home");
}

/// The text of a help page, without the options that every command has.
fn words(help: &str) -> String {
    let sections = help.split("\n\n");
    let own = sections.filter(|it| !it.starts_with("Global options:"));
    one_line(&own.collect::<Vec<_>>().join("\n"))
}

#[test]
fn repeated_init_changes_no_file() {
    let home = TestHome::init();
    home.write("workspace/SOUL.md", "mine\n");
    let before = home.files();
    home.ok("init");
    assert_eq!(home.files(), before);
}

#[test]
fn session_commands_print_text_and_json() {
    let home = TestHome::new();
    for command in [
        "list",
        "show talk",
        "compact talk",
        "rewind talk --epoch 1",
        "fork talk copy",
        "expand talk",
        "export talk",
        "verify",
        "redact talk e1",
        "delete talk",
    ] {
        let nowhere = home.run(&format!("session {command}")).with_code(1);
        nowhere.stderr.holds("there is no home at ");
    }
    OsDisk.create_dir(&home.path()).unwrap();
    assert_snapshot!("no_sessions", home.ok("session list").transcript());
    home.input("talk.jsonl", to_jsonl(&conversation(6, 40)));
    assert_snapshot!("replay", home.ok("replay talk.jsonl -s talk").transcript());
    for (name, arguments) in [
        ("session_list_json", &["session", "list", "--json"][..]),
        ("session_show_json", &["session", "show", "talk", "--json"]),
        ("session_verify", &["session", "verify"]),
        (
            "session_verify_json",
            &["session", "verify", "talk", "--json"],
        ),
    ] {
        assert_snapshot!(name, home.ok(arguments).transcript());
    }
}

#[test]
fn missing_session_is_reported_as_text_and_json() {
    let home = TestHome::init();
    for (name, arguments) in [
        ("missing_session_show", &["session", "show", "tlak"][..]),
        ("missing_session_verify", &["session", "verify", "tlak"]),
        (
            "missing_session_json",
            &["session", "show", "tlak", "--json"],
        ),
    ] {
        assert_snapshot!(name, home.run(arguments).with_code(1).transcript());
    }
}

#[test]
fn help_word_equals_help_option() {
    let home = TestHome::new();
    for command in [&[][..], &["memory"], &["memory", "search"]] {
        let [asked, expected] = [
            [&["help"], command].concat(),
            [command, &["--help"]].concat(),
        ]
        .map(|arguments| {
            let output = std::process::Command::new(testkit::binary())
                .args(arguments)
                .output();
            output.unwrap()
        });
        assert_eq!(asked, expected);
    }
    let unknown = home.run("memory help");
    assert_eq!(unknown.code, Some(2));
}

#[test]
fn commands_in_hints_repeat_home_option() {
    let home = TestHome::new();
    let at = |arguments: &[&str]| home.run(&[&["--home", "my home"], arguments].concat());
    let none = at(&["doctor"]).with_code(1);
    let init = "`openclaw --home 'my home' init`";
    assert!(none.stderr.contains(init), "{}", none.transcript());
    let _made = at(&["init"]).with_code(0);
    let ill = at(&["doctor", "--set", "model.provider=anthropic"]).with_code(1);
    let set = "next: `openclaw --home 'my home' config set model.name claude-sonnet-4-5`\n";
    assert!(ill.stdout.contains(set), "{}", ill.transcript());
}

#[test]
fn commands_in_replies_repeat_home_option() {
    let home = TestHome::new();
    let at = |arguments: &[&str]| {
        let mut command = home.command(&[&["--home", "mine"], arguments].concat());
        command
            .env_remove("OPENCLAW_HOME")
            .env("HOME", home.folder());
        home.finish(command)
    };
    let undo = "`openclaw --home mine dream undo ";
    let add = ["memory", "add", "--lasting", "Tom lives in Rome"];
    at(&add).with_code(0).stdout.holds(undo);
    let correct = ["memory", "correct", "Tom lives", "Tom lives in Paris"];
    at(&[&correct[..], &["--dry-run"]].concat())
        .with_code(0)
        .stdout
        .holds(undo);
    at(&["chat", "--json", "-m", "Remember that Zoe plays the cello."])
        .with_code(0)
        .stdout
        .holds(undo);
    at(&["memory", "add", "--lasting", "Tom lives in Rome"])
        .with_code(1)
        .stderr
        .holds("`openclaw --home mine about`");
    let folder = home.folder().join("mine");
    let serve = format!("`openclaw --home {} serve`", folder.display());
    for program in ["openai", "mcp", "open-webui"] {
        at(&["connect", program]).with_code(0).stdout.holds(&serve);
    }
}

#[test]
fn commands_in_owner_text_are_printed_unchanged() {
    let home = said("I prefer `openclaw chat` over any other window.\n");
    home.ok(REVIEW);
    home.write_memory("- I type `openclaw chat` in the morning\n");
    let at = |arguments: &str| home.ok(&format!("--home home {arguments}")).stdout;
    let listed = at("dream list");
    listed.holds("I prefer `openclaw chat` over any other window");
    listed.holds("`openclaw --home home dream review`");
    let forgotten = at("memory forget MEMORY.md:1 --yes");
    forgotten.holds("I type `openclaw chat` in the morning");
    forgotten.holds("`openclaw --home home memory forget --undo ");
}

#[test]
fn errors_name_next_command_to_type() {
    let home = TestHome::init();
    home.write("config.yaml", "modle: {}\n");
    let settings = home.path().join("config.yaml");
    let settings = settings.display();
    let folder = home.path();
    let folder = folder.display();
    for (typed, expected) in [
        ("agenda --days x", "--days <N>': it is not a whole number"),
        (
            "dream accept",
            "hint: `openclaw dream list` lists what is waiting",
        ),
        (
            "dream --since 2026-01-01",
            "hint: type `openclaw dream --backfill --since 2026-01-01`",
        ),
        (
            "memory forget --undo",
            "hint: `openclaw memory forget --list` lists",
        ),
        (
            "--home h memory forget --undo",
            "hint: `openclaw --home h memory forget --list` lists",
        ),
        (
            "about",
            &format!("hint: `${{EDITOR:-nano}} {settings}` opens the settings"),
        ),
        (
            &format!("--home {settings} about"),
            &format!("hint: did you mean `--home {folder}`?"),
        ),
        (
            &format!("--home {settings} init"),
            &format!("hint: did you mean `--home {folder}`?"),
        ),
    ] {
        let run = home.run(typed);
        assert_ne!(run.code, Some(0), "{typed}");
        run.stderr.holds(expected);
    }
    home.write("config.yaml", "");
    let missing = home.run("memory get /etc/passwd").with_code(1);
    missing
        .stderr
        .holds("hint: `openclaw memory search QUESTION` shows");
    for (program, removed) in [
        ("mcp", "remove the server `openclaw`"),
        ("openai", "remove the connection with the base URL"),
        (
            "open-webui",
            "Admin Panel > Settings > Connections, and remove",
        ),
    ] {
        let mut command = home.command(&["connect", program, "--undo"]);
        command.env("HOME", home.folder());
        home.finish(command).with_code(1).stderr.holds(removed);
    }
}

#[test]
fn error_as_json_names_file_that_could_not_be_read() {
    let home = TestHome::init();
    let settings = home.folder().join(".gemini/settings.json");
    let path = settings.display().to_string();
    OsDisk.create_dir(settings.parent().unwrap()).unwrap();
    home.input(".gemini/settings.json", "{");
    let mut command = home.command("connect gemini-cli --json --yes");
    command.env("HOME", home.folder());
    let failed = home.finish(command).with_code(1);
    failed.stdout.holds("\"while\":[\"settings in ");
    failed.stdout.holds(&path);
}
