//! Replays that begin, continue, or have nothing left to do.
//!
//! Compares whole files.

use std::path::Path;
use std::sync::Arc;

use agent::{Event, ReplayError, ReplayMode};
use base::disk::{DiskOperation, HookedDisk, MemoryDisk};
use base::{Message, Tz};
use import::Recording;
use insta::assert_snapshot;
use testkit::{TestHome, conversation, to_jsonl};

use crate::pipeline::{
    Home, MAIN, assert_exactly_once, cut_lines, main_session, matters, put, recording, recording_of,
};

const WINDOW: u64 = 2_300;

const TRANSCRIPT: &str = "sessions/main.jsonl";

#[test]
fn i11_resuming_a_finished_replay_changes_no_byte() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 6_000);
    let recording = recording(&conversation(3, 160));
    let (first, _) = home.replay(&recording, ReplayMode::Fresh);
    let before = Home::files(&disk);
    for _ in 0..2 {
        let (again, events) = home.replay(&recording, ReplayMode::Resume);
        assert_eq!(again.unwrap(), *first.as_ref().unwrap());
        assert_eq!(events, []);
        assert_eq!(Home::files(&disk), before);
    }
    assert!(home.transcript(MAIN).compactions().len() > 1);
}

#[test]
fn replay_resumes_after_any_message() {
    let said = conversation(5, 30);
    for n_before in [1, 2, 7, 15, 29] {
        let disk = MemoryDisk::new();
        let home = Home::new(disk.clone(), 6_000);
        // A recording that is still being written: what is there is replayed, the rest later.
        let begun = home.replay(&recording(&said[..n_before]), ReplayMode::Fresh);
        assert_eq!(begun.0.unwrap().n_messages, n_before as u64);
        let (whole, events) = home.replay(&recording(&said), ReplayMode::Resume);
        assert_eq!(whole.unwrap().n_messages, 30);
        let mut indexes = Vec::new();
        for event in events {
            if let Event::Message { index, .. } = event {
                indexes.push(index);
            }
        }
        assert_eq!(indexes, (n_before as u64..30).collect::<Vec<_>>());
        let transcript = home.transcript(MAIN);
        let expected: Vec<Message> = said.iter().map(|said| said.message.clone()).collect();
        let roles = |messages: &[Message]| -> Vec<(&'static str, String)> {
            messages.iter().map(|it| (it.role(), it.text())).collect()
        };
        assert_eq!(roles(&transcript.messages()), roles(&expected));
        assert_exactly_once(&transcript, &disk);
    }
}

#[test]
fn resume_rejects_other_recording_at_differing_message() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000);
    let said = conversation(5, 10);
    home.replayed(&recording(&said), ReplayMode::Fresh);
    let before = Home::files(&disk);
    let mut other = said.clone();
    other[6].message = Message::user("Something else.");
    // Another message, fewer messages than were replayed, another conversation.
    for (other, number) in [
        (other, 7),
        (said[..4].to_vec(), 5),
        (conversation(6, 10), 1),
    ] {
        let (result, _) = home.replay(&recording(&other), ReplayMode::Resume);
        assert_eq!(
            result.unwrap_err().to_string(),
            format!("session main does not match this recording: message {number} differs")
        );
    }
    assert_eq!(Home::files(&disk), before);
}

#[test]
fn replay_without_resume_rejects_existing_session() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000);
    home.say(MAIN, "2026-04-20T12:00:00Z", "Hello.");
    let before = Home::files(&disk);
    let exists = "session main already exists";
    let (result, _) = home.replay(&recording(&conversation(5, 4)), ReplayMode::Fresh);
    assert_eq!(result.unwrap_err().to_string(), exists);
    let (result, _) = home.replay(&recording(&conversation(5, 4)), ReplayMode::Resume);
    let differs = "session main does not match this recording: message 1 differs";
    assert_eq!(result.unwrap_err().to_string(), differs);
    assert_eq!(Home::files(&disk), before);

    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000);
    home.replayed(&recording(&conversation(5, 4)), ReplayMode::Fresh);
    for variant in [5, 6] {
        let (result, _) = home.replay(&recording(&conversation(variant, 4)), ReplayMode::Fresh);
        assert_eq!(result.unwrap_err().to_string(), exists);
    }
}

#[test]
fn replay_into_unstarted_session_file_succeeds() {
    let header = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-04-20T08:00:00.000Z","cwd":"."}"#;
    for found in ["", base::head(header, 30), &format!("{header}\n")] {
        for mode in [ReplayMode::Fresh, ReplayMode::Resume] {
            let disk = MemoryDisk::new();
            put(&disk, TRANSCRIPT, found.as_bytes());
            let home = Home::new(disk.clone(), 20_000);
            let (result, _) = home.replay(&recording(&conversation(5, 4)), mode);
            assert_eq!(result.unwrap().n_messages, 4, "{found:?} {mode:?}");
            let transcript = home.transcript(MAIN);
            assert_eq!(transcript.messages().len(), 4);
            transcript.assert_no_errors();
        }
    }
}

#[test]
fn missing_time_follows_previous_and_earlier_time_is_kept() {
    let text = r#"{"role":"user","content":"a","timestamp":"2026-04-20T10:00:00Z"}
{"role":"user","content":"b"}
{"role":"user","content":"c","timestamp":"2026-04-19T23:30:00Z"}
{"role":"user","content":"d"}
"#;
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000);
    let events = home.replayed(&recording_of(text), ReplayMode::Fresh);
    let warnings: Vec<&Event> = events
        .iter()
        .filter(|it| matches!(it, Event::Warning(_)))
        .collect();
    let warning = "message 3 is from 2026-04-19T23:30:00+00:00 but follows one from 2026-04-20T10:00:00+00:00; its time is kept";
    assert_eq!(warnings, [&Event::Warning(warning.to_owned())]);
    let transcript = home.transcript(MAIN);
    let times: Vec<String> = transcript
        .stored()
        .into_iter()
        .map(|(entry, _)| entry.at.to_rfc3339())
        .collect();
    let (twentieth, nineteenth) = ("2026-04-20T10:00:00+00:00", "2026-04-19T23:30:00+00:00");
    assert_eq!(times, [twentieth, twentieth, nineteenth, nineteenth]);
    let mut spans: Vec<(String, (usize, usize))> = Home::blocks(&disk)
        .into_iter()
        .map(|(day, block)| (day.clone(), transcript.spans(&[(day, block)])[0]))
        .collect();
    spans.sort_unstable();
    let expected = [
        ("2026-04-19".to_owned(), (2, 3)),
        ("2026-04-20".to_owned(), (0, 1)),
    ];
    assert_eq!(spans, expected);
    assert_exactly_once(&transcript, &disk);
}

#[test]
fn missing_times_stay_same_after_resume() {
    let lines = r#"{"role":"user","content":"a","timestamp":"2026-04-20T10:00:00Z"}
{"role":"user","content":"b"}
{"role":"user","content":"c"}
"#;
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000);
    let start = lines.lines().next().unwrap();
    home.replayed(&recording_of(start), ReplayMode::Fresh);
    home.replayed(&recording_of(lines), ReplayMode::Resume);
    let times: Vec<String> = home
        .transcript(MAIN)
        .stored()
        .into_iter()
        .map(|(entry, _)| entry.at.to_rfc3339())
        .collect();
    assert_eq!(times, ["2026-04-20T10:00:00+00:00"; 3]);
}

#[test]
fn i12_timezone_decides_day_of_notes() {
    let text = r#"{"role":"user","content":"a","timestamp":"2026-04-20T14:59:00Z"}
{"role":"user","content":"b","timestamp":"2026-04-20T15:01:00Z"}
"#;
    let zones = [
        (Tz::UTC, vec!["2026-04-20"]),
        (
            Tz::named("Asia/Tokyo").unwrap(),
            vec!["2026-04-20", "2026-04-21"],
        ),
        (
            Tz::named("America/Los_Angeles").unwrap(),
            vec!["2026-04-20"],
        ),
    ];
    for (timezone, expected) in zones {
        let disk = MemoryDisk::new();
        let home = Home::new(disk.clone(), 20_000).in_timezone(timezone);
        home.replayed(&recording_of(text), ReplayMode::Fresh);
        let days: Vec<String> = Home::logs(&disk).into_keys().collect();
        assert_eq!(days, expected, "{timezone}");
    }
}

#[test]
fn i1_resume_makes_compaction_after_completed_flush() {
    // Six messages are the fewest that do not fit.
    let talk = recording(&matters(6, 10, 35));
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), WINDOW);
    home.replayed(&talk, ReplayMode::Fresh);
    let transcript = home.transcript(MAIN);
    let course = transcript.course();
    assert_eq!(
        course[course.len() - 4..],
        ["intent", "meta", "compaction", "meta"]
    );

    // The power went after the success of the flush and before the compaction.
    cut_lines(&disk, 2);
    home.replayed(&talk, ReplayMode::Resume);
    let transcript = home.transcript(MAIN);
    assert_eq!(transcript.course(), course);
    assert_exactly_once(&transcript, &disk);
    let before = Home::files(&disk);
    home.replayed(&talk, ReplayMode::Resume);
    assert_eq!(Home::files(&disk), before, "I11");
}

#[test]
fn i1_concurrent_replays_store_messages_once() {
    let talk = conversation(5, 6);
    for mode in [ReplayMode::Fresh, ReplayMode::Resume] {
        let disk = MemoryDisk::new();
        // Another replay comes in between: just before a lock is taken, it has run.
        let (below, other) = (disk.clone(), recording(&talk));
        let overtaken = HookedDisk::before(disk.clone(), move |operation| {
            let is_lock =
                matches!(operation, DiskOperation::Lock(path) if path.ends_with("main.lock"));
            let is_begun = || below.snapshot().keys().any(|it| it.ends_with(TRANSCRIPT));
            if is_lock && !is_begun() {
                Home::new(below.clone(), 20_000).replayed(&other, ReplayMode::Fresh);
            }
            Ok(())
        });
        let (result, _) = Home::new(overtaken, 20_000).replay(&recording(&talk), mode);
        match (mode, result) {
            (ReplayMode::Fresh, Err(ReplayError::Exists { name })) => {
                assert_eq!(name, main_session());
            }
            (ReplayMode::Resume, Ok(report)) => assert_eq!(report.n_messages, 6),
            (_, other) => panic!("{mode:?}: {other:?}"),
        }
        let home = Home::new(disk.clone(), 20_000);
        assert_eq!(home.transcript(MAIN).messages().len(), 6);
    }
}

#[test]
fn i1_session_file_replays_to_same_messages() {
    let said = conversation(5, 120);
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 6_000);
    home.replayed(&recording(&said), ReplayMode::Fresh);
    let original = home.transcript(MAIN);
    assert!(original.compactions().len() > 1);

    let file = disk.clone();
    let session_file =
        Recording::open(Arc::new(file), Path::new("/home/sessions/main.jsonl")).unwrap();
    let other = MemoryDisk::new();
    let copy = Home::new(other.clone(), 6_000);
    copy.replayed(&session_file, ReplayMode::Fresh);
    let replayed = copy.transcript(MAIN);
    let told = |transcript: &crate::pipeline::Transcript| -> Vec<_> {
        let stored = transcript.stored().into_iter();
        stored
            .map(|(entry, stored)| (entry.at, stored.origin, stored.message.clone()))
            .collect()
    };
    assert_eq!(told(&replayed), told(&original));
    assert_exactly_once(&replayed, &other);
    // Each message keeps the hash of the line from which it was replayed.
    let text = String::from_utf8(Home::files(&disk)[Path::new(TRANSCRIPT)].clone()).unwrap();
    let lines = text
        .lines()
        .filter(|line| line.starts_with(r#"{"type":"message""#));
    let hashes: Vec<String> = lines
        .map(|line| base::content_hash(line.as_bytes()))
        .collect();
    let kept: Vec<String> = replayed
        .stored()
        .into_iter()
        .filter_map(|(_, stored)| Some(stored.source.clone()?.hash))
        .collect();
    assert_eq!(kept, hashes);
    let before = Home::files(&other);
    copy.replayed(&session_file, ReplayMode::Resume);
    assert_eq!(Home::files(&other), before);
    assert_eq!(to_jsonl(&said).lines().count(), hashes.len());
}

#[test]
fn replay_command_copies_session_file_and_rejects_newer_format() {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(5, 12)));
    assert_eq!(home.ok("replay talk.jsonl").stderr, "");
    let copied = home.ok("replay home/sessions/main.jsonl -s copy");
    assert_eq!(copied.stderr, "");
    let told = |session| testkit::Transcript::told(&home, session);
    assert_eq!(told("copy"), told(MAIN));

    let newer = home
        .read(TRANSCRIPT)
        .replacen(r#""version":3"#, r#""version":4"#, 1);
    home.input("newer.jsonl", newer);
    let run = home.run("replay newer.jsonl -s newer");
    assert_snapshot!(run.with_code(5).transcript());
}
