//! Whole runs of the program against a disk in memory: exit code, stdout and stderr.
//!
//! Pins what people and scripts read.

use std::path::Path;

use cli::environment::Stream;
use cli::world::World;
use testkit::Words;

use super::*;

#[test]
fn init_creates_home_once() {
    let world = World::of(run);
    insta::assert_snapshot!("init_first", world.run("openclaw init"));
    insta::assert_snapshot!("init_again", world.run("openclaw init --json"));
    let config = Path::new("/home/ada/.openclaw/config.yaml");
    assert!(world.host.disk.stat(config).unwrap().is_some());
}

#[test]
fn init_from_rejects_own_home_unless_it_holds_foreign_sessions() {
    let world = World::of(run).with_file("workspace/MEMORY.md", "- I sing\n");
    let refused = world.run(&format!("openclaw init --from {HOME}"));
    assert!(refused.starts_with("exit 2\n"), "{refused}");
    assert!(refused.contains("is this home itself"), "{refused}");
    let new = world.run(&format!("openclaw --home /new init --from {HOME}"));
    assert!(new.starts_with("exit 0\n"), "{new}");
    // Sessions of OpenClaw may stand in the same directory.
    let session = concat!(
        r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T08:04:17.000Z","cwd":"."}"#,
        "\n",
        r#"{"type":"message","id":"m1","parentId":null,"timestamp":"2026-03-02T08:04:17.000Z","#,
        r#""message":{"role":"user","content":"I sing in a choir"}}"#,
        "\n"
    );
    let world = World::of(run).with_file("agents/main/sessions/choir.jsonl", session);
    let moved = world.run(&format!("openclaw init --from {HOME}"));
    assert!(
        moved.starts_with("exit 0\n") && moved.contains("choir"),
        "{moved}"
    );
}

#[test]
fn init_config_file_leaves_settings_unchanged() {
    let world = World::of(run);
    let before = world.run("openclaw config show");
    let made = world.run("openclaw init");
    assert!(made.starts_with("exit 0"), "{made}");
    assert_eq!(world.run("openclaw config show"), before);
}

#[test]
fn config_show_names_origin_of_each_value() {
    let world = World::of(run)
        .with_file(
            "config.yaml",
            "compaction:\n  contextWindow: 100000\n  reserveTokensFloor: 15000\ntimezone: UTC\n",
        )
        .with_file("workspace/config.yaml", "# ours\ntimezone: Asia/Tokyo\n")
        .with_variable("OPENCLAW_COMPACTION__KEEP_RECENT_TOKENS", "5000");
    let command = "openclaw --set compaction.softThresholdTokens=3000 config show \
                   --set compaction.pruneAfterRounds=4";
    insta::assert_snapshot!("config_show", world.run(command));
    insta::assert_snapshot!("config_show_json", world.run(&format!("{command} --json")));
    insta::assert_snapshot!("config_show_verbose", world.run("openclaw config show -v"));
}

#[test]
fn global_options_are_accepted_before_and_after_command() {
    let shown = World::of(run).run(
        "openclaw --set timezone=UTC --set compaction.contextWindow=50000 config \
         --set compaction.contextWindow=60000 show --set timezone=Asia/Tokyo --home /elsewhere",
    );
    assert!(shown.contains("contextWindow: 60000"), "{shown}");
    assert!(shown.contains("timezone: Asia/Tokyo"), "{shown}");
}

#[test]
fn invalid_settings_are_explained() {
    let in_file = |content: &str| World::of(run).with_file("config.yaml", content);
    let show = "openclaw config show";
    let runs = [
        in_file("compaction:\n  # a slip\n  contextWindw: 5\n").run(show),
        in_file("contextWindow: 5\n").run(show),
        in_file("colour: blue\n").run(show),
        in_file("compaction: 5\n").run(show),
        in_file("compaction:\n  contextWindow: many\n").run(show),
        in_file("compaction:\n  contextWindow: {tokens: 5}\n").run(show),
        in_file("compaction:\n  contextWindow: 1e5\n").run(show),
        in_file("compaction:\n  contextWindow: \"32000\"\n").run(show),
        in_file("compaction:\n  contextWindow: 0\n").run(show),
        in_file("timezone: berlin\n").run(show),
        in_file("timezone: +02:00\n").run(show),
        in_file("compaction:\n  contextWindow: 5\n  contextWindow: 6\n").run(show),
        in_file("compaction: [5\n").run(show),
        in_file("compaction: {}\n---\ncompaction: {}\n").run(show),
        in_file("just words\n").run(show),
        World::of(run)
            .with_file("config.yaml", b"\xff\xfet\0")
            .run(show),
        World::of(run)
            .with_file("config.yaml", vec![b'#'; 2 << 20])
            .run(show),
        World::of(run)
            .with_variable("OPENCLAW_COMPACTION_CONTEXT_WINDOW", "5")
            .run(show),
        World::of(run)
            .with_variable("OPENCLAW_COLOUR", "blue")
            .run(show),
        World::of(run)
            .with_variable("OPENCLAW_TIMEZONE", "[")
            .run(show),
        World::of(run)
            .with_variable("OPENCLAW_TIMEZONE", "Mars/Base")
            .run(show),
        World::of(run).run("openclaw config show --set compaction.contextWindow=-1"),
        World::of(run).run("openclaw config show --set compaction.window=5 --json"),
    ];
    insta::assert_snapshot!("wrong_settings", runs.join("\n"));
}

#[test]
fn invalid_value_hidden_by_higher_layer_is_reported() {
    let world = World::of(run).with_file("config.yaml", "timezone: 5\n");
    let run = world.run("openclaw config show --set timezone=UTC");
    assert!(run.starts_with("exit 1"), "{run}");
    run.holds("line 1 of /home/ada/.openclaw/config.yaml");
}

#[test]
fn context_window_below_32000_warns() {
    let world = World::of(run).with_file("config.yaml", "compaction:\n  contextWindow: 31999\n");
    insta::assert_snapshot!("small_window", world.run("openclaw config show"));
    let large = world.run("openclaw config show --set compaction.contextWindow=32000");
    assert!(large.ends_with("--- stderr\n"), "{large}");
}

#[test]
fn i12_unknown_machine_timezone_is_reported() {
    let mut world = World::of(run);
    world.host.environment.machine_timezone = None;
    insta::assert_snapshot!("unknown_zone", world.run("openclaw config show"));
}

#[test]
fn usage_error_is_explained_as_text_and_json() {
    let world = World::of(run);
    let runs = [
        "openclaw config shw",
        "openclaw config shw --json",
        "openclaw --json",
        "openclaw init --colour=blue --json",
        "openclaw config show --set timezone",
        "openclaw config show -q -v",
        "openclaw completions --json",
        "openclaw memory correct",
        "openclaw memory correct --json",
        "openclaw dream undo",
        "openclaw about extra",
        "openclaw connect emacs",
        "openclaw session",
        "openclaw session --json",
        "openclaw --home session memory get",
        "openclaw hook claude-code --json",
    ]
    .map(|command_line| format!("$ {command_line}\n{}", world.run(command_line)));
    insta::assert_snapshot!("wrong_usage", runs.join("\n"));
}

#[test]
fn usage_error_of_each_command_names_usage_and_help() {
    fn paths(command: &clap::Command, above: &str, all: &mut Vec<String>) {
        let path = format!("{above}{}", command.get_name());
        for inner in command.get_subcommands() {
            paths(inner, &format!("{path} "), all);
        }
        all.push(path);
    }
    let mut all = Vec::new();
    paths(&tree(), "", &mut all);
    let world = World::of(run);
    for path in all.iter().filter(|path| *path != "openclaw hook") {
        let help = format!("`{path} --help`");
        let human = world.run(&format!("{path} --no-such-option"));
        assert!(human.starts_with("exit 2\n"), "{path}: {human}");
        let joined = human.replace("\n    ", " ");
        assert!(
            joined.contains(&format!("hint: type `{path} ")),
            "{path}: {human}"
        );
        assert!(joined.contains(&format!("hint: {help}")), "{path}: {human}");
        let object = world.run(&format!("{path} --json --no-such-option"));
        assert!(object.contains(&help), "{path}: {object}");
    }
}

#[test]
fn wrong_value_error_names_valid_values_and_help() {
    let world = World::of(run);
    let runs = [
        "openclaw agenda --days x",
        "openclaw agenda --days -3 --json",
        "openclaw memory search tea --limit -1",
        "openclaw dream --backfill --since May",
    ]
    .map(|command_line| format!("$ {command_line}\n{}", world.run(command_line)));
    insta::assert_snapshot!("wrong_numbers", runs.join("\n"));
}

#[test]
fn wrong_set_value_fails_commands_that_read_no_settings() {
    let world = World::of(run);
    for command in ["about", "man", "session list", "memory add tea"] {
        let run = world.run(&format!(
            "openclaw --set memory.recall.budgetTokens=lots {command}"
        ));
        assert!(run.starts_with("exit 1\n"), "{command}: {run}");
        let expected = "invalid value for memory.recall.budgetTokens";
        assert!(run.contains(expected), "{command}: {run}");
    }
}

#[test]
fn completions_run_without_user_home_and_init_reports_it() {
    let mut world = World::of(run);
    world.host.environment.user_home = None;
    for shell in ["bash", "zsh", "fish"] {
        let run = world.run(&format!("openclaw completions {shell}"));
        assert!(run.starts_with("exit 0"), "{run}");
        assert!(run.contains("openclaw"), "{run}");
    }
    insta::assert_snapshot!("no_home", world.run("openclaw init"));
}

#[test]
fn coloured_error_has_same_text_as_plain() {
    let run = |options: &str| World::of(run).run(&format!("openclaw config show {options}"));
    let wrong = "--set timezone=5";
    let plain = run(wrong);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let coloured = run(&format!("{wrong} --color=always"));
    assert!(coloured.contains('\u{1b}'), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

/// A stream whose reader has gone.
struct Closed;

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn closed_stdout_pipe_exits_0_without_error() {
    for command_line in [
        "openclaw config show",
        "openclaw --help",
        "openclaw completions zsh",
    ] {
        let arguments: Vec<OsString> = command_line.split_whitespace().map(Into::into).collect();
        let (mut stdout, mut stderr) = (Closed, Vec::new());
        let mut output = Output::new(&mut stdout, &mut stderr);
        let exit = run(&arguments, &World::of(run).host, &mut output);
        assert_eq!((exit, stderr), (Exit::Done, Vec::new()), "{command_line}");
    }
}

#[test]
fn wrong_usage_wraps_at_terminal_width() {
    let mut world = World::of(run);
    world.host.environment.stderr = Stream::Terminal(40);
    let told = world.run("openclaw --color never session redact main --text");
    let (_, stderr) = told.split_once("--- stderr\n").unwrap();
    // A command stays whole, so that it can be copied.
    let is_command = |line: &&str| line.trim_start().starts_with('`');
    let long = stderr
        .lines()
        .filter(|line| line.len() > 40 && !is_command(line));
    assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(stderr.contains("a value is required for"), "{stderr}");
}

/// The home of the world.
const HOME: &str = "/home/ada/.openclaw";
