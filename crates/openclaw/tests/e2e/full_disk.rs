//! A disk that fills up: the errors, the content that is kept, and how work continues when there is room again.
//!
//! Fills the disk at each operation, for the whole home or only for the logs.

use std::error::Error;

use agent::{Event, ReplayMode};
use base::Message;
use base::disk::{CrashDisk, Disk, MemoryDisk, OsDisk, Unsynced};
use testkit::{TestHome, TimedMessage, Words, conversation, to_jsonl};

use crate::crash::prompt_tokens;
use crate::pipeline::{Home, MAIN, assert_exactly_once, matters, recording};

/// The room of the window next to the prompt: so small that twelve messages are compacted more than once.
const ROOM: u64 = 2_000;

fn window() -> u64 {
    prompt_tokens() + ROOM
}

fn talk() -> Vec<TimedMessage> {
    matters(12, 45, 33)
}

/// An error with its causes, as people see it.
fn told(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let words: Vec<String> = causes.map(ToString::to_string).collect();
    words.join(": ")
}

#[test]
fn i1_replay_on_full_disk_reports_it_and_resumes_without_loss() {
    let said = talk();
    let recording = recording(&said);
    let texts: Vec<Message> = said.iter().map(|said| said.message.clone()).collect();
    let whole = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    let home = Home::new(whole.clone(), window());
    home.replayed(&recording, ReplayMode::Fresh);
    for full_at in whole.boundaries() {
        let full = CrashDisk::full(&MemoryDisk::new(), full_at);
        let (result, events) =
            Home::new(full.clone(), window()).replay(&recording, ReplayMode::Fresh);
        let error = result.expect_err("the disk was full");
        let told = told(&error);
        assert!(told.ends_with("the disk is full"), "{full_at}: {told}");
        let found = full.after_crash(Unsynced::Kept);
        let home = Home::new(found.clone(), window());
        let n_acknowledged = events
            .iter()
            .filter(|it| matches!(it, Event::Message { .. }))
            .count();
        if n_acknowledged > 0 {
            let stored = home.transcript(MAIN).messages();
            assert!(stored.len() >= n_acknowledged);
            assert_eq!(stored, texts[..stored.len()]);
        }
        home.replayed(&recording, ReplayMode::Resume);
        let transcript = home.transcript(MAIN);
        assert_eq!(transcript.messages(), texts, "{full_at}");
        assert_exactly_once(&transcript, &found);
    }
}

/// The messages that the blocks of the logs cover.
fn covered(home: &Home, logs: &MemoryDisk) -> Vec<usize> {
    let spans = home.transcript(MAIN).spans(&Home::blocks(logs));
    spans
        .into_iter()
        .flat_map(|(first, last)| first..=last)
        .collect()
}

#[test]
fn i4_replay_continues_on_full_log_and_next_flush_catches_up() {
    let said = talk();
    let recording = recording(&said);
    let logs = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    let home = Home::new(MemoryDisk::new(), window()).with_workspace(logs.clone());
    home.replayed(&recording, ReplayMode::Fresh);
    let n_compactions = home.transcript(MAIN).compactions().len();
    for full_at in logs.boundaries() {
        let (disk, full) = (
            MemoryDisk::new(),
            CrashDisk::full(&MemoryDisk::new(), full_at),
        );
        let home = Home::new(disk.clone(), window()).with_workspace(full.clone());
        let (result, events) = home.replay(&recording, ReplayMode::Fresh);
        assert_eq!(result.unwrap().n_messages, 12, "{full_at}");
        assert_eq!(home.transcript(MAIN).compactions().len(), n_compactions);
        let told = |event: &Event| matches!(event, Event::Warning(text) if text.starts_with("no notes were written to memory/2026-04-2") && text.contains("the disk is full"));
        assert!(events.iter().any(told), "{full_at}: {events:?}");

        let found = full.after_crash(Unsynced::Kept);
        let home = Home::new(disk, window()).with_workspace(found.clone());
        home.replayed(&recording, ReplayMode::Resume);
        assert_exactly_once(&home.transcript(MAIN), &found);
        assert_eq!(
            covered(&home, &found),
            (0..12).collect::<Vec<_>>(),
            "{full_at}"
        );
    }
}

#[test]
fn i4_flush_covers_all_once_log_has_room_again() {
    let disk = MemoryDisk::new();
    let full = CrashDisk::full(&MemoryDisk::new(), 700);
    let home = Home::new(disk.clone(), window()).with_workspace(full.clone());
    for said in &talk()[..6] {
        home.say(MAIN, "2026-04-20T12:00:00Z", &said.message.text());
    }
    let found = full.after_crash(Unsynced::Kept);
    let home = Home::new(disk, window()).with_workspace(found.clone());
    home.say(MAIN, "2026-04-21T12:00:00Z", "Good morning.");
    assert_exactly_once(&home.transcript(MAIN), &found);
    assert_eq!(covered(&home, &found), (0..12).collect::<Vec<_>>());
}

#[test]
fn export_on_full_disk_leaves_no_partial_file() {
    let home = TestHome::new();
    home.replay("talk", to_jsonl(&conversation(3, 30)));
    // A kilobyte has room, the conversation has not.
    let run = home.run_on_full_disk(2, "session export talk -o out.md");
    let run = run.with_code(1);
    assert!(run.stderr.contains("cannot write out.md"), "{}", run.stderr);
    let left: Vec<_> = OsDisk.list(home.folder()).unwrap();
    let left: Vec<_> = left
        .iter()
        .filter(|name| name.to_string_lossy().contains("out.md"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn file_size_limit_is_reported_without_crash() {
    let home = TestHome::init();
    let long = format!(
        "I decided to rent the hall. {}",
        "It is large. ".repeat(2_000)
    );
    // In units of 512 bytes.
    let run = home
        .run_limited("-f 16", &["chat", "-m", &long])
        .with_code(1);
    run.stderr.holds("larger than the system allows");
    run.stderr.holds("ulimit -f");
    for arguments in ["memory index", "memory search hall", "dream --now"] {
        let run = home.run_limited("-f 16", arguments);
        // A signal would leave no code.
        assert!(
            run.code.is_some_and(|code| code <= 6),
            "{arguments:?}: {:?}",
            run.code
        );
    }
    home.ok("memory search hall");
}

#[test]
fn open_file_limit_is_reported_with_ulimit_hint() {
    let home = TestHome::init();
    let run = home.run_limited("-n 10", "chat -m Hello.").with_code(1);
    run.stderr.holds("ulimit -n 256");
    home.ok("chat -m Hello.");
}

#[test]
fn file_size_limit_during_indexing_leaves_index_undamaged() {
    let home = TestHome::init();
    home.ok("memory add 'The bicycle stands in the cellar'");
    // In units of 512 bytes: more than a note, and less than the store.
    for limit in ["-f 8", "-f 16", "-f 64"] {
        let run = home.run_limited(limit, "memory index").with_code(1);
        assert!(
            run.stderr.contains("larger than the system allows")
                && run.stderr.contains("ulimit -f"),
            "{limit}: {}",
            run.stderr
        );
        let doctor = home.ok("doctor");
        doctor.stdout.lacks("damaged");
    }
    home.ok("memory search bicycle");
}

#[test]
fn open_file_limit_is_not_reported_as_index_damage() {
    let home = TestHome::new();
    home.ok("memory add 'The bicycle stands in the cellar'");
    home.ok("memory index");
    let index = || home.list("index/lexical");
    let before = index();
    // How many are enough for what depends on how many the test passes on.
    let mut n_told = (0, 0);
    for n_files in 6..=12 {
        let limit = format!("-n {n_files}");
        let run = home.run_limited(&limit, "doctor");
        run.stdout.lacks("damaged");
        n_told.0 += usize::from(run.stdout.contains("Too many open files"));
        let run = home.run_limited(&limit, "memory search bicycle");
        let is_told = run.stderr.contains("ulimit -n 256");
        assert!(is_told || run.code == Some(0), "{}", run.transcript());
        n_told.1 += usize::from(is_told);
    }
    assert!(n_told.0 > 0 && n_told.1 > 0, "{n_told:?}");
    assert_eq!(index(), before);
}

#[test]
fn restore_without_room_does_not_blame_backup() {
    let home = TestHome::new();
    home.replay("talk", to_jsonl(&conversation(3, 60)));
    let backup = home.folder().join("b.tar.gz");
    let backup = backup.to_str().unwrap();
    home.ok(&["backup", backup]);
    let other = TestHome::new();
    let run = other.run_on_full_disk(8, &["restore", backup]).with_code(1);
    run.stderr.holds("larger than the system allows");
    run.stderr.lacks("not an intact backup");
    other.ok(&["restore", backup]);
}
