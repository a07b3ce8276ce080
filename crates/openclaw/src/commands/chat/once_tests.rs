//! One message after another, with pauses on a clock that the test sets.
//!
//! Uses a real disk, because the index needs one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::FixedClock;
use base::disk::{OsDisk, read_all};
use cli::environment::Environment;
use cli::host::Host;
use cli::output::Output;

use super::super::opening::open;
use super::*;

/// Says something after a pause; the log of the day after that.
fn said_after(clock: &Arc<FixedClock>, home: &Path, pause: Duration, words: &str) -> String {
    clock.advance(pause);
    let _reply = say(clock, home, words);
    let log = home.join("workspace/memory/2026-03-02.md");
    String::from_utf8(read_all(&OsDisk, &log, 1 << 20).unwrap_or_default()).unwrap()
}

/// Sends a message and returns the reply.
fn say(clock: &Arc<FixedClock>, home: &Path, words: &str) -> String {
    let host = Host {
        environment: Environment {
            machine_timezone: Some("Europe/Berlin".into()),
            ..Environment::default()
        },
        disk: Arc::new(OsDisk),
        clock: Arc::clone(clock) as _,
        states: session::StateCache::default(),
    };
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut output = Output::new(&mut stdout, &mut stderr);
    let mut context = Context {
        host: &host,
        home_option: Some(home.to_owned()),
        assignments: Vec::new(),
        output: &mut output,
        known: None,
        known_timezone: None,
    };
    let opened = open(
        &"main".parse().unwrap(),
        (models::ModelLoad::FromFirstText, false),
        &mut context,
    )
    .unwrap();
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let ran = executor.block_on(run(opened, words.to_owned(), &mut context));
    assert_eq!(ran, Ok(Exit::Done));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn large_unindexed_message_is_found_by_next_question() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let clock = Arc::new(FixedClock::new("2026-03-02T08:00:00Z".parse().unwrap()));
    let _new = say(&clock, &home, "Hello!");
    let long = "The vault number is 9911.\n\n".to_owned() + &"- lorem ipsum dolor\n".repeat(60_000);
    let _noted = say(&clock, &home, &long);
    let reply = say(&clock, &home, "What is the vault number?");
    assert!(reply.contains("The vault number is 9911."), "{reply}");
}

#[test]
fn one_shot_message_writes_notes_only_after_30_idle_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let clock = Arc::new(FixedClock::new("2026-03-02T08:00:00Z".parse().unwrap()));
    let minute = Duration::from_mins(1);
    let decided = "I decided to rent the small hall.";
    assert_eq!(said_after(&clock, &home, minute, decided), "");
    assert_eq!(said_after(&clock, &home, 29 * minute, "Hello!"), "");
    let log = said_after(&clock, &home, 30 * minute, "Hello again!");
    assert!(log.contains("rent the small hall"), "{log}");
    let later = said_after(&clock, &home, minute, "I prefer tea.");
    assert_eq!(later, log);
}

#[test]
fn once_rejects_chat_commands_and_sends_paths() {
    for command in ["/new", "/clear", "/memory what is due?", "/help\n", "/nwe"] {
        let error = super::words(command).unwrap_err();
        assert!(
            error.message.contains("is a command of the chat"),
            "{command}: {error:?}"
        );
        assert!(
            error
                .hints
                .iter()
                .any(|hint| hint.contains("`openclaw chat`")),
            "{error:?}"
        );
    }
    for message in [" /new", "/etc is full", "/var/log fills up", "new", "1/2"] {
        assert_eq!(super::words(message).as_deref(), Ok(message));
    }
}
