//! What a person reads who types a command: help, listings, errors.
//!
//! Holds every text whole, so that a change of wording is seen.

use insta::assert_snapshot;
use testkit::{TestHome, conversation, to_jsonl};

#[test]
fn help_of_every_command() {
    let home = TestHome::new();
    for arguments in [
        &["--help"][..],
        &["init", "--help"],
        &["replay", "--help"],
        &["session", "--help"],
        &["session", "list", "--help"],
        &["session", "show", "--help"],
        &["session", "verify", "--help"],
        &["config", "--help"],
        &["config", "show", "--help"],
        &["config", "get", "--help"],
        &["config", "set", "--help"],
        &["completions", "--help"],
        &["man", "--help"],
    ] {
        let name = format!("help_{}", arguments[..arguments.len() - 1].join("_"));
        assert_snapshot!(name, home.run(arguments).with_code(0).transcript());
    }
    assert_eq!(home.list(""), [""; 0], "help made a home");
}

#[test]
fn wrong_usage() {
    let home = TestHome::new();
    for (name, arguments) in [
        ("usage_no_command", &["--quiet"][..]),
        ("usage_unknown_command", &["sesion", "list"]),
        ("usage_unknown_option", &["session", "list", "--jsn"]),
        (
            "usage_set_without_value",
            &["config", "show", "--set", "timezone"],
        ),
    ] {
        assert_snapshot!(name, home.run(arguments).with_code(2).transcript());
    }
}

#[test]
fn init_makes_a_home_and_is_harmless_to_repeat() {
    let home = TestHome::new();
    assert_snapshot!("init_first", home.run(&["init"]).with_code(0).transcript());
    home.write("workspace/SOUL.md", "mine\n");
    let before = home.files();
    assert_snapshot!("init_again", home.run(&["init"]).with_code(0).transcript());
    assert_eq!(home.files(), before);
}

#[test]
fn settings_with_the_origin_of_each() {
    let home = TestHome::new();
    home.write("config.yaml", "compaction:\n  contextWindow: 32000\n");
    let run = home.run(&["config", "show", "--set", "timezone=Europe/Lisbon"]);
    assert_snapshot!("config_show", run.with_code(0).transcript());
    let run = home.run(&["config", "show", "--json"]);
    assert_snapshot!("config_show_json", run.with_code(0).transcript());
}

#[test]
fn sessions_in_words_and_as_json() {
    let home = TestHome::new();
    assert_snapshot!(
        "no_sessions",
        home.run(&["session", "list"]).with_code(0).transcript()
    );
    home.input("talk.jsonl", to_jsonl(&conversation(6, 40)));
    let run = home.run(&["replay", "talk.jsonl", "-s", "talk"]);
    assert_snapshot!("replay", run.with_code(0).transcript());
    for (name, arguments) in [
        ("session_list_json", &["session", "list", "--json"][..]),
        ("session_show_json", &["session", "show", "talk", "--json"]),
        ("session_verify", &["session", "verify"]),
        (
            "session_verify_json",
            &["session", "verify", "talk", "--json"],
        ),
    ] {
        assert_snapshot!(name, home.run(arguments).with_code(0).transcript());
    }
}

#[test]
fn a_session_that_is_not_there() {
    let home = TestHome::new();
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
fn completions_of_every_shell_name_the_commands() {
    let home = TestHome::new();
    for shell in ["bash", "zsh", "fish"] {
        let run = home.run(&["completions", shell]).with_code(0);
        assert!(run.stdout.contains("replay"), "{shell}");
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn help_may_be_asked_for_in_words() {
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
    let unknown = home.run(&["memory", "help"]);
    assert_eq!(unknown.code, Some(2));
}

#[test]
fn commands_in_hints_name_the_home_that_the_user_named() {
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
