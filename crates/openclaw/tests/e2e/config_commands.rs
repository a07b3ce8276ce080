//! Settings that are read and set by command, and the manual.
//!
//! Every change is compared with the whole file.

use insta::assert_snapshot;
use serde_json::json;
use testkit::{ProgramRun, TestHome, Words, each};

const OWNERS: &str = "\
# My assistant.
compaction:
  # The machine is small.
  contextWindow: 32000 # tokens

timezone: Europe/Lisbon # until summer
";

fn home() -> TestHome {
    let home = TestHome::new();
    home.write("config.yaml", OWNERS);
    home
}

fn with_variable(home: &TestHome, arguments: &[&str], (name, value): (&str, &str)) -> ProgramRun {
    let mut command = home.command(arguments);
    command.env(name, value);
    home.finish(command)
}

#[test]
fn config_set_changes_one_value_and_keeps_rest_of_file() {
    let home = home();
    let run = home.run("config set compaction.contextWindow 64000");
    assert_snapshot!("config_set", run.with_code(0).transcript());
    let changed = OWNERS.replace("32000", "64000");
    assert_eq!(home.read("config.yaml"), changed);

    let arguments = "config set memory.embedding.provider none --json";
    let run = home.ok(arguments);
    assert_snapshot!("config_set_json", run.transcript());
    let added = format!("{changed}memory:\n  embedding:\n    provider: none\n");
    assert_eq!(home.read("config.yaml"), added);
    assert_eq!(
        home.ok("config get memory.embedding.provider").stdout,
        "none\n"
    );

    let again = home.ok(arguments).json_lines();
    assert_eq!(again[0]["changed"], json!(false));
    assert_eq!(home.read("config.yaml"), added);
}

#[test]
fn config_unset_removes_value_and_restores_default() {
    let home = home();
    let unset = ["config", "unset", "compaction.contextWindow"];
    let dry = home.ok(&[&unset[..], &["--dry-run"]].concat());
    assert_eq!(home.read("config.yaml"), OWNERS);
    let done = home.ok(&unset);
    let again = home.ok(&[&unset[..], &["--json"]].concat());
    let unknown = home
        .run("config unset compaction.contextWindw")
        .with_code(1);
    let all = [dry, done, again, unknown].map(|run| run.transcript());
    assert_snapshot!("config_unset", all.join("\n"));
    assert!(!home.read("config.yaml").contains("contextWindow"));
    assert_eq!(
        home.ok("config get compaction.contextWindow").stdout,
        "200000\n"
    );
}

#[test]
fn config_set_appends_below_comments_of_new_home() {
    let home = TestHome::init();
    let before = home.read("config.yaml");
    home.ok("config set timezone Asia/Tokyo");
    assert_eq!(
        home.read("config.yaml"),
        format!("{before}timezone: Asia/Tokyo\n")
    );

    let bare = TestHome::new();
    bare.ok("config set timezone Asia/Tokyo");
    assert_eq!(bare.read("config.yaml"), "timezone: Asia/Tokyo\n");
}

#[test]
fn config_set_rejects_invalid_values_and_writes_nothing() {
    let home = home();
    for (name, arguments) in [
        ("config_set_unknown", ["compaction.contextWindw", "1"]),
        ("config_set_group", ["compaction", "{contextWindow: 5}"]),
        ("config_set_wrong", ["compaction.contextWindow", "many"]),
        ("config_set_no_variant", ["model.provider", "bogus"]),
        ("config_set_no_address", ["model.baseUrl", "localhost:8080"]),
        ("config_set_no_zone", ["timezone", "Mars/Base"]),
        ("config_set_no_yaml", ["compaction.pruneAllow", "[a"]),
    ] {
        let arguments = [&["config", "set"][..], &arguments].concat();
        assert_snapshot!(name, home.run(&arguments).with_code(1).transcript());
    }
    let run = home.run("config set timezone UTC --dry-run");
    assert_snapshot!("config_set_dry_run", run.with_code(0).transcript());
    assert_eq!(home.read("config.yaml"), OWNERS);
}

#[test]
fn unknown_timezone_warns_once_per_command() {
    let home = TestHome::init();
    for arguments in ["chat -m hello", "session compact main", "dream --now"] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let run = with_variable(&home, &words, ("TZ", "CET-1CEST"));
        run.with_code(0).stderr.holds_times(1, "CET-1CEST");
    }
}

#[test]
fn config_set_and_unset_repair_invalid_file() {
    let home = TestHome::new();
    home.write("config.yaml", "timezone: Europe/Lissabon\n");
    home.run("config set compaction.contextWindow 64000")
        .with_code(1);
    home.ok("config set timezone Europe/Lisbon");
    assert_eq!(home.read("config.yaml"), "timezone: Europe/Lisbon\n");

    home.write("config.yaml", "timezone: Mars/Phobos\n");
    let ill = home.run("doctor").with_code(1);
    ill.stdout
        .holds("next: correct it, or restore the default with `openclaw config unset timezone`\n");
    home.ok("config unset timezone");
    home.read("config.yaml").lacks("timezone");
}

#[test]
fn config_set_reports_variable_that_hides_value() {
    let home = home();
    let run = with_variable(
        &home,
        &["config", "set", "timezone", "UTC"],
        ("OPENCLAW_TIMEZONE", "Asia/Tokyo"),
    );
    assert_snapshot!("config_set_hidden", run.with_code(0).transcript());
    assert_eq!(
        home.read("config.yaml"),
        OWNERS.replace("Europe/Lisbon", "UTC")
    );
}

#[test]
fn config_get_prints_values_for_scripts() {
    let home = home();
    let print = |key: &str| home.ok(&["config", "get", key]).stdout;
    assert_eq!(print("timezone"), "Europe/Lisbon\n");
    assert_eq!(print("compaction.contextWindow"), "32000\n");
    assert_eq!(print("compaction.pruneAllow"), "[]\n");
    let group = "sandbox.compaction.pruneAfterRounds: 3\n\
         sandbox.compaction.warnAtTokenThreshold: null\n";
    assert_eq!(print("sandbox.compaction"), group);
    for (name, arguments, code) in [
        (
            "config_get_json",
            ["config", "get", "timezone", "--json"],
            0,
        ),
        (
            "config_get_unknown",
            ["config", "get", "timezon", "--json"],
            1,
        ),
    ] {
        assert_snapshot!(name, home.run(&arguments).with_code(code).transcript());
    }
    let path = home.ok("config path").stdout;
    assert_eq!(
        path,
        format!("{}\n", home.path().join("config.yaml").display())
    );
}

#[test]
fn config_schema_matches_project_schema() {
    let home = TestHome::new();
    let printed = home.ok("config schema").stdout;
    assert_eq!(printed, include_str!("../../../../config/schema.json"));
    let object = home.ok("config schema --json");
    assert_eq!(object.stdout.lines().count(), 1);
    assert_eq!(home.list(""), [""; 0], "a question made a home");
}

#[test]
fn man_prints_page_and_writes_pages_of_commands() {
    let home = TestHome::new();
    let page = home.ok("man").stdout;
    assert!(page.contains(".TH openclaw 1"), "{page}");
    let written = home.ok("man home/pages --json").json();
    let pages = each(written["pages"].as_array().unwrap(), "");
    for page in ["openclaw.1", "openclaw-config-set.1"] {
        assert!(
            pages.contains(&format!("home/pages/{page}").into()),
            "{pages:?}"
        );
    }
    for path in pages {
        let text = home.read(path.as_str().unwrap().strip_prefix("home/").unwrap());
        assert!(text.contains(".SH SYNOPSIS"), "{path}: {text}");
    }
}

#[test]
fn config_set_rejects_impossible_window_and_reports_small_one() {
    let home = TestHome::init();
    let before = home.read("config.yaml");
    let set = |value: &str| home.run(&["config", "set", "compaction.contextWindow", value]);
    for (value, told) in [
        ("0", "expected a whole number from 1 to 10,000,000"),
        ("10000001", "expected a whole number from 1 to 10,000,000"),
        ("100", "the window of 100 tokens is too small by 2,"),
    ] {
        let run = set(value).with_code(1);
        run.stderr.holds(told);
        assert_eq!(home.read("config.yaml"), before);
    }
    let run = set("20000").with_code(0);
    assert_eq!(
        run.stdout
            .matches("compaction.contextWindow is 20000")
            .count(),
        1
    );
}

#[test]
fn misspelt_settings_group_suggests_nearest_name() {
    let home = TestHome::init();
    let meant = "did you mean compaction.contextWindow?";
    for arguments in [
        "config set compactoin.contextWindow 64000",
        "config get compactoin.contextWindow",
        "config unset compactoin.contextWindow",
    ] {
        let run = home.run(arguments).with_code(1);
        run.stderr.holds(meant);
    }
    let set = "session list --set compactoin.contextWindow=64000";
    let by_option = home.run(set).with_code(1);
    home.write("config.yaml", "compactoin:\n  contextWindow: 64000\n");
    let by_file = home.run("session list").with_code(1);
    for run in [by_option, by_file] {
        let meant = "did you mean compaction?";
        run.stderr.holds(meant);
    }
}

#[test]
fn provider_without_name_or_key_suggests_next_commands() {
    let home = TestHome::new();
    let set = |key: &str, value: &str| home.ok(&["config", "set", key, value]).stderr;
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = words(set("model.provider", "anthropic"));
    let command = "`openclaw config set model.name claude-sonnet-4-5`";
    assert!(first.contains(command), "{first}");
    assert!(first.contains("ANTHROPIC_API_KEY"), "{first}");
    let second = words(set("model.name", "some-model"));
    assert!(!second.contains("no model is set"), "{second}");
    assert!(second.contains("there is no key yet"), "{second}");
    let local = words(set("model.provider", "openai-compatible"));
    local.holds("`openclaw config set model.baseUrl ");
    assert_eq!(set("model.baseUrl", "http://localhost:8080/v1"), "");
    assert_eq!(set("timezone", "UTC"), "");
}
