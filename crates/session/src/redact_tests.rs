//! Redaction of transcripts.
//!
//! After a crash at any moment the file is entirely old or entirely new.

use std::path::PathBuf;

use base::disk::{Crash, CrashDisk, Disk, MemoryDisk};

use super::*;
use crate::test_kit::{NO_LIMIT, at, home, main, said, store, transcript};

/// Appends three messages and returns the ids of their entries.
fn talk(disk: &MemoryDisk) -> Vec<EntryId> {
    let mut turn = store(disk.clone()).begin_turn(&main(), NO_LIMIT).unwrap();
    let texts = [
        "my pin is 4711-0815",
        "what is my pin?",
        "it was 4711-0815, thanks",
    ];
    let messages = texts.iter().map(|text| (at(1), said(text))).collect();
    turn.append_messages(messages).unwrap()
}

fn texts(disk: &MemoryDisk) -> Vec<String> {
    let read = store(disk.clone()).read(&main(), NO_LIMIT).unwrap();
    assert_eq!(read.repairs, []);
    crate::test_kit::texts(&read.view)
}

fn words(word: &str) -> Redaction {
    Redaction {
        words: vec![word.to_owned()],
        ..Redaction::default()
    }
}

#[test]
fn redact_removes_words_and_entries_and_keeps_line_places() {
    let disk = home();
    let ids = talk(&disk);
    let before = transcript(&disk);
    let redaction = Redaction {
        entries: [ids[1].clone()].into(),
        ..words("4711-0815")
    };
    let sessions = store(disk.clone());
    let planned = sessions.plan_redaction(&main(), &redaction).unwrap();
    let numbers: Vec<u64> = planned.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [2, 3, 4]);
    assert_eq!(planned[1].entry.as_ref(), Some(&ids[1]));
    assert_eq!(planned[1].text, "user: what is my pin?");

    let turn = sessions.begin_turn(&main(), NO_LIMIT).unwrap();
    turn.redact(&redaction).unwrap();
    assert_eq!(
        texts(&disk),
        ["my pin is *", "[redacted]", "it was *, thanks"]
    );
    let ends = |bytes: &[u8]| {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        ends.map(|(position, _)| position).collect::<Vec<_>>()
    };
    assert_eq!(ends(&transcript(&disk)), ends(&before));
    let again = sessions.plan_redaction(&main(), &redaction).unwrap();
    assert_eq!(again, []);
}

#[test]
fn part_leaves_its_entry_alone_and_longest_goes_first() {
    let disk = home();
    let ids = talk(&disk);
    let sessions = store(disk.clone());
    let parts = ["pin".to_owned(), "my pin is".to_owned()].to_vec();
    let redaction = Redaction {
        parts: [(ids[0].clone(), parts)].into(),
        ..Redaction::default()
    };
    let turn = sessions.begin_turn(&main(), NO_LIMIT).unwrap();
    turn.redact(&redaction).unwrap();
    assert_eq!(
        texts(&disk),
        ["* 4711-0815", "what is my pin?", "it was 4711-0815, thanks"]
    );
}

#[test]
fn redact_removes_entry_text_from_summary() {
    let disk = home();
    let ids = talk(&disk);
    let sessions = store(disk.clone());
    let mut turn = sessions.begin_turn(&main(), NO_LIMIT).unwrap();
    let summary = crate::Compaction {
        summary: "Asked: what is my pin?".to_owned(),
        ..crate::test_kit::compaction(0, ids[2].clone())
    };
    turn.append_compaction(at(2), summary).unwrap();
    let redaction = Redaction {
        entries: [ids[1].clone()].into(),
        ..Redaction::default()
    };
    turn.redact(&redaction).unwrap();
    assert_eq!(
        texts(&disk),
        ["[Asked: [redacted]]", "it was 4711-0815, thanks"]
    );
}

#[test]
fn delete_removes_session_with_its_torn_ends_only() {
    let disk = home();
    talk(&disk);
    let quarantine = PathBuf::from("/home/state/quarantine");
    for ending in ["main-12-0a.jsonl", "main-two-12-0a.jsonl", "main.jsonl"] {
        disk.append(&quarantine.join(ending), b"x").unwrap();
    }
    let sessions = store(disk.clone());
    let turn = sessions.begin_turn(&main(), NO_LIMIT).unwrap();
    turn.delete().unwrap();
    assert!(!sessions.exists(&main()).unwrap());
    let left = disk.list(&quarantine).unwrap();
    assert_eq!(
        left,
        ["main-two-12-0a.jsonl", "main.jsonl"].map(PathBuf::from)
    );
}

#[test]
fn copied_by_names_sessions_with_copies() {
    let disk = home();
    let ids = talk(&disk);
    let sessions = store(disk.clone());
    let fork = sessions.read_fork(&main(), None, NO_LIMIT).unwrap();
    let (copy, other) = ("copy".parse().unwrap(), "other".parse().unwrap());
    let mut turn = sessions.begin_turn(&copy, NO_LIMIT).unwrap();
    turn.begin_as_fork(at(3), &fork).unwrap();
    let mut turn = sessions.begin_turn(&other, NO_LIMIT).unwrap();
    turn.append_message(at(3), said("hello")).unwrap();

    let copies = [copy];
    assert_eq!(sessions.copied_by(&main(), None).unwrap(), copies);
    let chosen = [ids[0].clone()].into();
    assert_eq!(sessions.copied_by(&main(), Some(&chosen)).unwrap(), copies);
    let elsewhere = [EntryId::new("elsewhere")].into();
    assert_eq!(sessions.copied_by(&main(), Some(&elsewhere)).unwrap(), []);
}

#[test]
fn i2_redacted_file_is_old_or_new_after_crash() {
    let start = home();
    talk(&start);
    let before = transcript(&start);
    let redact = |disk: CrashDisk| {
        let turn = store(disk).begin_turn(&main(), NO_LIMIT);
        // An error here is the simulated crash, which the disk reports separately.
        turn.is_ok_and(|turn| turn.redact(&words("4711-0815")).is_ok())
    };
    let mut seen = BTreeSet::new();
    for Crash { found, when, .. } in CrashDisk::crashes(&start, redact) {
        let found = transcript(&found);
        let is_new = found != before;
        assert_eq!(found.windows(9).any(|part| part == b"4711-0815"), !is_new);
        assert_eq!(found.len(), before.len(), "{when}");
        seen.insert(is_new);
    }
    assert_eq!(seen, [false, true].into());
}
