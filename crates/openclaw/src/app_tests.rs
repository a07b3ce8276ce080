//! Whole runs of the program against a disk in memory: exit code, stdout and stderr.
//!
//! Pins what people and scripts read.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use base::disk::{
    DiskError, DiskOperation, Hook, HookedDisk, MemoryDisk, create_dir, read_all, replace,
};
use base::{Disk, FixedClock};
use testkit::Words;

use super::*;
use crate::environment::Variable;

/// A world with a home at `/home/ada/.openclaw` and nothing else.
struct World {
    host: Host,
}

impl World {
    fn new() -> Self {
        let environment = Environment {
            user_home: Some("/home/ada".into()),
            machine_timezone: Some("Europe/Berlin".into()),
            ..Environment::default()
        };
        Self {
            host: Host {
                environment,
                disk: Arc::new(MemoryDisk::default()),
                clock: Arc::new(FixedClock::new("2026-04-20T12:00:00Z".parse().unwrap())),
            },
        }
    }

    fn with_file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = Path::new("/home/ada/.openclaw").join(path);
        self.host.disk.create_dir(path.parent().unwrap()).unwrap();
        replace(self.host.disk.as_ref(), &path, content.as_ref()).unwrap();
        self
    }

    fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.host.environment.settings.push(Variable {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        });
        self
    }

    /// Runs a command line and shows all that can be seen of it.
    #[must_use]
    fn run(&self, command_line: &str) -> String {
        let arguments: Vec<OsString> = command_line.split_whitespace().map(Into::into).collect();
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut output = Output::new(&mut stdout, &mut stderr);
        let exit = run(&arguments, &self.host, &mut output);
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        format!(
            "exit {}\n--- stdout\n{stdout}--- stderr\n{stderr}",
            exit.code()
        )
    }
}

#[test]
fn init_makes_a_home_once() {
    let world = World::new();
    insta::assert_snapshot!("init_first", world.run("openclaw init"));
    insta::assert_snapshot!("init_again", world.run("openclaw init --json"));
    let config = Path::new("/home/ada/.openclaw/config.yaml");
    assert!(world.host.disk.stat(config).unwrap().is_some());
}

#[test]
fn a_home_is_not_imported_into_itself() {
    let world = World::new().with_file("workspace/MEMORY.md", "- I sing\n");
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
    let world = World::new().with_file("agents/main/sessions/choir.jsonl", session);
    let moved = world.run(&format!("openclaw init --from {HOME}"));
    assert!(
        moved.starts_with("exit 0\n") && moved.contains("choir"),
        "{moved}"
    );
}

#[test]
fn a_new_config_file_changes_nothing() {
    let world = World::new();
    let before = world.run("openclaw config show");
    let made = world.run("openclaw init");
    assert!(made.starts_with("exit 0"), "{made}");
    assert_eq!(world.run("openclaw config show"), before);
}

#[test]
fn every_value_names_its_origin() {
    let world = World::new()
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
fn options_count_before_and_after_the_command() {
    let shown = World::new().run(
        "openclaw --set timezone=UTC --set compaction.contextWindow=50000 config \
         --set compaction.contextWindow=60000 show --set timezone=Asia/Tokyo --home /elsewhere",
    );
    assert!(shown.contains("contextWindow: 60000"), "{shown}");
    assert!(shown.contains("timezone: Asia/Tokyo"), "{shown}");
}

#[test]
fn wrong_settings_are_explained() {
    let in_file = |content: &str| World::new().with_file("config.yaml", content);
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
        World::new()
            .with_file("config.yaml", b"\xff\xfet\0")
            .run(show),
        World::new()
            .with_file("config.yaml", vec![b'#'; 2 << 20])
            .run(show),
        World::new()
            .with_variable("OPENCLAW_COMPACTION_CONTEXT_WINDOW", "5")
            .run(show),
        World::new()
            .with_variable("OPENCLAW_COLOUR", "blue")
            .run(show),
        World::new()
            .with_variable("OPENCLAW_TIMEZONE", "[")
            .run(show),
        World::new()
            .with_variable("OPENCLAW_TIMEZONE", "Mars/Base")
            .run(show),
        World::new().run("openclaw config show --set compaction.contextWindow=-1"),
        World::new().run("openclaw config show --set compaction.window=5 --json"),
    ];
    insta::assert_snapshot!("wrong_settings", runs.join("\n"));
}

#[test]
fn a_wrong_value_is_told_even_where_a_higher_layer_hides_it() {
    let world = World::new().with_file("config.yaml", "timezone: 5\n");
    let run = world.run("openclaw config show --set timezone=UTC");
    assert!(run.starts_with("exit 1"), "{run}");
    run.holds("line 1 of /home/ada/.openclaw/config.yaml");
}

#[test]
fn a_small_window_is_warned_about() {
    let world = World::new().with_file("config.yaml", "compaction:\n  contextWindow: 31999\n");
    insta::assert_snapshot!("small_window", world.run("openclaw config show"));
    let large = world.run("openclaw config show --set compaction.contextWindow=32000");
    assert!(large.ends_with("--- stderr\n"), "{large}");
}

#[test]
fn i12_an_unknown_zone_of_the_machine_is_told() {
    let mut world = World::new();
    world.host.environment.machine_timezone = None;
    insta::assert_snapshot!("unknown_zone", world.run("openclaw config show"));
}

#[test]
fn wrong_usage_is_explained_to_people_and_programs() {
    let world = World::new();
    let runs = [
        "openclaw config shw",
        "openclaw config shw --json",
        "openclaw --json",
        "openclaw init --colour=blue --json",
        "openclaw config show --set timezone",
        "openclaw config show -q -v",
        "openclaw completions --json",
    ]
    .map(|command_line| format!("$ {command_line}\n{}", world.run(command_line)));
    insta::assert_snapshot!("wrong_usage", runs.join("\n"));
}

#[test]
fn number_out_of_range_names_the_range_and_the_help_of_its_command() {
    let world = World::new();
    let runs = [
        "openclaw agenda --days x",
        "openclaw agenda --days -3 --json",
        "openclaw memory search tea --limit -1",
    ]
    .map(|command_line| format!("$ {command_line}\n{}", world.run(command_line)));
    insta::assert_snapshot!("wrong_numbers", runs.join("\n"));
}

#[test]
fn wrong_set_value_fails_commands_that_read_no_settings() {
    let world = World::new();
    for command in [
        "about",
        "man",
        "session list",
        "memory add tea",
        "homes list file:///srv",
    ] {
        let run = world.run(&format!(
            "openclaw --set memory.recall.budgetTokens=lots {command}"
        ));
        assert!(run.starts_with("exit 1\n"), "{command}: {run}");
        let expected = "invalid value for memory.recall.budgetTokens";
        assert!(run.contains(expected), "{command}: {run}");
    }
}

#[test]
fn a_command_that_needs_no_home_runs_without_one() {
    let mut world = World::new();
    world.host.environment.user_home = None;
    for shell in ["bash", "zsh", "fish"] {
        let run = world.run(&format!("openclaw completions {shell}"));
        assert!(run.starts_with("exit 0"), "{run}");
        assert!(run.contains("openclaw"), "{run}");
    }
    insta::assert_snapshot!("no_home", world.run("openclaw init"));
}

#[test]
fn colour_repeats_what_a_word_says() {
    let run = |options: &str| World::new().run(&format!("openclaw config show {options}"));
    let wrong = "--set timezone=5";
    let plain = run(wrong);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let coloured = run(&format!("{wrong} --color=always"));
    assert!(coloured.contains('\u{1b}'), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn colour_follows_the_option_then_the_environment_then_the_stream() {
    use ColorChoice::{Always, Auto, Never};
    use Paint::{Coloured, Plain};
    let paint = |color, stream, is_plain| {
        let environment = Environment {
            stderr: stream,
            is_plain,
            ..Environment::default()
        };
        paints(color, &environment).stderr
    };
    let terminal = Stream::Terminal(80);
    for (color, stream, is_plain, expected) in [
        (Auto, terminal, false, Coloured),
        (Auto, terminal, true, Plain),
        (Auto, Stream::File, false, Plain),
        (Always, Stream::File, true, Coloured),
        (Never, terminal, false, Plain),
    ] {
        assert_eq!(paint(color, stream, is_plain), expected, "{color:?}");
    }
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
fn a_closed_pipe_is_a_polite_stop() {
    for command_line in [
        "openclaw config show",
        "openclaw --help",
        "openclaw completions zsh",
    ] {
        let arguments: Vec<OsString> = command_line.split_whitespace().map(Into::into).collect();
        let (mut stdout, mut stderr) = (Closed, Vec::new());
        let mut output = Output::new(&mut stdout, &mut stderr);
        let exit = run(&arguments, &World::new().host, &mut output);
        assert_eq!((exit, stderr), (Exit::Done, Vec::new()), "{command_line}");
    }
}

#[test]
fn wrong_usage_is_told_in_lines_as_wide_as_the_terminal() {
    let mut world = World::new();
    world.host.environment.stderr = Stream::Terminal(40);
    let told = world.run("openclaw --color never session redact main --text");
    let (_, stderr) = told.split_once("--- stderr\n").unwrap();
    let long: Vec<&str> = stderr.lines().filter(|line| line.len() > 40).collect();
    assert!(long.is_empty(), "{long:?}");
    assert!(stderr.contains("a value is required for"), "{stderr}");
}

/// The other end of an exchange.
const ANNA: &str = "/srv/homes/anna";

/// The local end.
const HOME: &str = "/home/ada/.openclaw";

fn text(disk: &dyn Disk, path: &str) -> String {
    let bytes = read_all(disk, Path::new(path), 1 << 20).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A home that was pushed to `ANNA`.
fn pushed() -> World {
    let world = World::new()
        .with_file("workspace/a.md", "old")
        .with_file("workspace/b.md", "old");
    let pushed = world.run("openclaw homes push file:///srv/homes anna");
    assert!(pushed.contains("wrote 2 files"), "{pushed}");
    world
}

fn save(disk: &dyn Disk, path: &str, text: &str) {
    replace(disk, Path::new(path), text.as_bytes()).unwrap();
}

#[test]
fn a_dry_run_of_an_exchange_fails_as_the_exchange_would() {
    let world = pushed();
    let disk = &*world.host.disk;
    save(disk, &format!("{ANNA}/workspace/a.md"), "there");
    let told =
        "error: the target home has changes that would be lost: 1 file, such as workspace/a.md";
    let planned = world.run("openclaw homes push file:///srv/homes anna --dry-run");
    planned.begins("exit 1\n--- stdout\n  ! workspace/a.md\n");
    assert!(planned.contains(told), "{planned}");
    let listed = world.run("openclaw homes push file:///srv/homes anna --dry-run --json");
    assert!(listed.contains(r#""lost":["workspace/a.md"]"#), "{listed}");
    let refused = world.run("openclaw homes push file:///srv/homes anna");
    refused.begins("exit 1\n");
    refused.holds(told);
    let planned = world.run("openclaw homes push file:///srv/homes anna --dry-run --overwrite");
    planned.begins("exit 0\n--- stdout\n  + workspace/a.md\n");

    // Only what changed here since the last exchange would be lost.
    save(disk, &format!("{HOME}/workspace/b.md"), "here");
    let planned = world.run("openclaw homes pull file:///srv/homes anna --dry-run");
    planned.begins("exit 1\n--- stdout\n  ! workspace/b.md\n  + workspace/a.md\n");
    let refused = world.run("openclaw homes pull file:///srv/homes anna");
    refused.holds("1 file, such as workspace/b.md");
}

#[test]
fn a_folder_that_is_no_home_is_neither_pushed_nor_replaced() {
    let world = World::new();
    let disk = &*world.host.disk;
    disk.create_dir(Path::new(HOME)).unwrap();
    let empty = world.run("openclaw homes push file:///srv/homes anna");
    empty.holds("error: /home/ada/.openclaw is not a home");
    assert!(disk.stat(Path::new("/srv")).unwrap().is_none());

    let world = pushed();
    let disk = &*world.host.disk;
    create_dir(disk, Path::new("/srv/homes/letters")).unwrap();
    save(disk, "/srv/homes/letters/letter.txt", "dear");
    for act in [
        "push",
        "pull",
        "push --dry-run",
        "pull --dry-run",
        "push --overwrite",
        "pull --overwrite",
    ] {
        let told = world.run(&format!("openclaw homes {act} file:///srv/homes letters"));
        assert!(told.starts_with("exit 1\n"), "{told}");
        told.holds("error: /srv/homes/letters is not a home");
    }
    let told = world
        .run("openclaw --home /srv/homes/letters homes pull file:///srv/homes anna --overwrite");
    told.holds("error: /srv/homes/letters is not a home");
    assert_eq!(disk.list(Path::new("/srv/homes/letters")).unwrap().len(), 1);
    let listed = world.run("openclaw homes list file:///srv/homes");
    assert_eq!(
        listed,
        "exit 0\n--- stdout\nanna  2 files, 6 bytes\n--- stderr\n"
    );
}

#[test]
fn a_folder_in_use_is_listed_with_its_holder() {
    let world = pushed();
    let lock = Path::new(ANNA).join("state/locks/main.lock");
    let _held = world.host.disk.try_lock(&lock).unwrap();
    let listed = world.run("openclaw homes list file:///srv/homes");
    let own = format!(
        "anna  2 files, 6 bytes; held by process {}\n",
        std::process::id()
    );
    assert!(listed.contains(&own), "{listed}");
}

/// An owner who saves a file once a copy into `below` has begun; a push leaves the notes unlocked.
#[derive(Debug)]
struct Editor {
    disk: MemoryDisk,
    below: &'static str,
    saves: &'static str,
    has_saved: AtomicBool,
}

impl Hook for Editor {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        let is_copy = matches!(operation, DiskOperation::Append(path, _)
            if path.starts_with(Path::new(self.below).join("workspace")));
        if is_copy && !self.has_saved.swap(true, Ordering::SeqCst) {
            if self.below == ANNA {
                let notes = Path::new(HOME).join("state/locks/@daily-log.lock");
                self.disk.try_lock(&notes).unwrap();
            }
            save(
                &self.disk,
                &format!("{HOME}/{}", self.saves),
                "saved meanwhile",
            );
        }
        Ok(())
    }
}

/// The world with that owner, and its disk without.
fn edited(mut world: World, below: &'static str, saves: &'static str) -> (World, MemoryDisk) {
    let disk = MemoryDisk::above(Arc::clone(&world.host.disk));
    world.host.disk = Arc::new(HookedDisk {
        below: disk.clone(),
        hook: Editor {
            disk: disk.clone(),
            below,
            saves,
            has_saved: false.into(),
        },
    });
    (world, disk)
}

#[test]
fn a_push_locks_no_notes_while_it_copies_and_sends_what_was_saved_meanwhile() {
    let world = pushed();
    save(&*world.host.disk, &format!("{HOME}/workspace/a.md"), "new");
    save(&*world.host.disk, &format!("{HOME}/workspace/b.md"), "new");
    let (world, disk) = edited(world, ANNA, "workspace/b.md");
    let told = world.run("openclaw homes push file:///srv/homes anna");
    assert!(told.contains("wrote 2 files, 18 bytes"), "{told}");
    assert_eq!(text(&disk, &format!("{ANNA}/workspace/a.md")), "new");
    assert_eq!(
        text(&disk, &format!("{ANNA}/workspace/b.md")),
        "saved meanwhile"
    );
}

#[test]
fn an_edit_that_was_saved_during_a_pull_stays() {
    let world = pushed();
    for name in ["a", "b"] {
        save(
            &*world.host.disk,
            &format!("{ANNA}/workspace/{name}.md"),
            "theirs",
        );
    }
    let (world, disk) = edited(world, HOME, "workspace/b.md");
    let told = world.run("openclaw homes pull file:///srv/homes anna");
    told.holds("error: cannot replace /home/ada/.openclaw/workspace/b.md\n");
    assert_eq!(text(&disk, &format!("{HOME}/workspace/a.md")), "theirs");
    assert_eq!(
        text(&disk, &format!("{HOME}/workspace/b.md")),
        "saved meanwhile"
    );
    // The next pull knows what is left, and what would be lost: not what this one read, even if it has changed there.
    save(&disk, &format!("{ANNA}/workspace/a.md"), "theirs, too");
    let told = world.run("openclaw homes pull file:///srv/homes anna");
    assert!(told.contains("1 file, such as workspace/b.md"), "{told}");
    save(&disk, &format!("{HOME}/workspace/b.md"), "old");
    let told = world.run("openclaw homes pull file:///srv/homes anna");
    assert!(told.contains("wrote 2 files"), "{told}");
}

#[test]
fn a_rekey_of_a_folder_does_not_advise_to_omit_the_key_that_it_needs() {
    let told = World::new()
        .run("openclaw homes rekey file:///srv/homes anna --identity old --new-identity new");
    assert!(told.contains("is a folder"), "{told}");
    assert!(!told.contains("omit the key"), "{told}");
}

#[test]
fn a_bucket_without_credentials_is_told_with_the_variables_to_set() {
    let world = pushed();
    for act in ["push", "pull", "rekey --new-identity new"] {
        let told = world.run(&format!("openclaw homes {act} s3://claw/homes anna"));
        let expected = "error: cannot reach the homes at s3://claw/homes: there are no credentials\n  \
                        hint: `export AWS_ACCESS_KEY_ID=ID ";
        assert!(told.contains(expected), "{told}");
        assert!(told.contains("AWS_ALLOW_HTTP=true"), "{told}");
    }
}

#[test]
fn a_folder_of_homes_that_does_not_exist_is_told() {
    let told = World::new().run("openclaw homes list file:///srv/homes");
    assert!(
        told.contains("error: the directory /srv/homes does not exist\n"),
        "{told}"
    );
}
