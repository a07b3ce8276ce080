//! What cannot be read is set aside: nothing is lost, nothing that can be read changes, and what follows
//! is whole.
//!
//! After a crash at any moment the file is as it was or as it is to be.

use std::path::Path;

use base::disk::{CrashDisk, Disk, MemoryDisk, Unsynced};

use super::*;
use crate::test_kit::{
    NO_LIMIT, PATH, at, header_line, home_with, line, main, said, store, texts, transcript,
    user_line,
};
use crate::{Severity, verify};

/// A talk of four messages, each on its line, the header first.
fn talk() -> Vec<Vec<u8>> {
    let lines = [
        header_line(),
        user_line("a", "null"),
        user_line("b", "\"a\""),
        user_line("c", "\"b\""),
        user_line("d", "\"c\""),
    ];
    lines.map(String::into_bytes).into()
}

/// The talk with other bytes in the place of one line; its line end stays.
fn with(number: usize, bytes: &[u8]) -> Vec<u8> {
    let mut lines = talk();
    lines[number - 1] = [bytes, b"\n"].concat();
    lines.concat()
}

fn set_aside(disk: &MemoryDisk) -> Vec<PathBuf> {
    let turn = store(disk.clone()).begin_turn(&main(), NO_LIMIT).unwrap();
    turn.set_aside().unwrap()
}

fn shown(disk: &MemoryDisk) -> Vec<String> {
    texts(&store(disk.clone()).read(&main(), NO_LIMIT).unwrap().view)
}

/// What `verify` finds that is more than a note, and what reading warns of.
fn told(disk: &MemoryDisk) -> Vec<String> {
    let store = store(disk.clone());
    let findings = verify(store.lines(&main()).unwrap()).unwrap().findings;
    let findings = findings
        .iter()
        .filter(|it| it.severity() != Severity::Note)
        .map(|it| it.kind.to_string());
    let repairs = store.read(&main(), NO_LIMIT).unwrap().repairs;
    findings
        .chain(repairs.iter().map(ToString::to_string))
        .collect()
}

fn in_quarantine(disk: &MemoryDisk) -> Vec<Vec<u8>> {
    let files = disk.snapshot().into_iter();
    files
        .filter(|(path, _)| path.starts_with("/home/quarantine"))
        .map(|(_, bytes)| bytes)
        .collect()
}

fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(position, _)| position).collect()
}

#[test]
fn any_line_of_any_garbage_is_kept_beside_and_what_is_left_is_whole() {
    for number in 1..=5 {
        for garbage in [
            b"garbage".as_slice(),
            b"x",
            b"{\"type\":\"message\",\"id\":\"b\",\"pare",
            b"\xff\xfe not text",
            b"\0\0\0\0\0\0\0\0",
            b"garbage of another system\r",
        ] {
            let context = format!("{garbage:?} in line {number}");
            let broken = with(number, garbage);
            let disk = home_with(&broken);
            assert_ne!(told(&disk), [] as [&str; 0], "{context}");
            let before = shown(&disk);
            assert_eq!(set_aside(&disk).len(), 1, "{context}");
            let lost = "the first line was set aside, and the id of the session with it";
            let still_told = (number == 1).then_some(lost).into_iter();
            assert_eq!(told(&disk), still_told.collect::<Vec<_>>(), "{context}");
            assert_eq!(shown(&disk), before, "{context}");
            assert_eq!(
                in_quarantine(&disk),
                [[garbage, b"\n"].concat()],
                "{context}"
            );
            let after = transcript(&disk);
            assert_eq!(line_ends(&after), line_ends(&broken), "{context}");
            let ends_alike = |bytes: &[u8]| bytes.windows(2).any(|it| it == b"\r\n");
            assert_eq!(ends_alike(&after), ends_alike(&broken), "{context}");
            // Again there is nothing to do, and nothing is done.
            assert_eq!(set_aside(&disk), [] as [&Path; 0], "{context}");
            assert_eq!(transcript(&disk), after, "{context}");
        }
    }
}

#[test]
fn an_entry_of_which_the_place_is_known_keeps_it() {
    let no_time = br#"{"type":"message","id":"b","parentId":"a","message":{"role":"user"}}"#;
    let bad_body = line("message", "b", "\"a\"", ",\"message\":{\"role\":7}");
    let without_parent = br#"{"type":"message","id":"b","message":{"role":"user","content":""}}"#;
    for (broken, expected) in [
        (
            no_time.as_slice(),
            r#"{"type":"aside","id":"b","parentId":"a"}"#,
        ),
        (
            bad_body.trim_ascii_end().as_bytes(),
            r#"{"type":"aside","id":"b","parentId":"a"}"#,
        ),
        (without_parent, r#"{"type":"aside","id":"b"}"#),
    ] {
        // Two branches go on from it, and the newer one is shown.
        let mut file = with(3, broken);
        file.extend(user_line("e", "\"b\"").into_bytes());
        let disk = home_with(&file);
        let before = shown(&disk);
        set_aside(&disk);
        assert_eq!(shown(&disk), before);
        let after = String::from_utf8(transcript(&disk)).unwrap();
        assert_eq!(after.lines().nth(2).unwrap().trim_end(), expected);
        // A line that names no parent goes on naming none.
        assert_eq!(
            told(&disk).len(),
            usize::from(!expected.contains("parentId")) * 2
        );
    }
}

#[test]
fn a_line_too_short_for_its_place_is_blank() {
    let disk = home_with(with(3, br#"{"type":"x","id":"b","parentId":"a"}"#));
    let before = shown(&disk);
    set_aside(&disk);
    assert_eq!(shown(&disk), before);
    let after = String::from_utf8(transcript(&disk)).unwrap();
    assert_eq!(after.lines().nth(2).unwrap().trim(), "");
    assert_eq!(told(&disk), [] as [&str; 0]);
}

#[test]
fn lines_that_follow_one_another_are_one_file_and_a_torn_end_is_another() {
    let mut file = with(3, b"first");
    file = [&file[..], b"{\"type\":\"mess"].concat();
    let file = String::from_utf8(file)
        .unwrap()
        .replace(&user_line("c", "\"b\""), "second\n");
    let disk = home_with(&file);
    let found = store(disk.clone()).unreadable(&main()).unwrap();
    let numbers: Vec<u64> = found.lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [3, 4]);
    assert_eq!(found.torn_tail.map(|tail| tail.n_bytes), Some(13));
    let kept = set_aside(&disk);
    let offset = header_line().len() + user_line("a", "null").len();
    let name = kept[0].file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("main-{offset}-")), "{name}");
    assert_eq!(disk.snapshot()[&kept[0]], b"first\nsecond\n");
    let mut all = in_quarantine(&disk);
    all.sort();
    assert_eq!(
        all,
        [b"first\nsecond\n".to_vec(), b"{\"type\":\"mess".to_vec()]
    );
}

#[test]
fn one_line_that_was_set_aside_explains_one_missing_entry() {
    let mut lines = talk();
    lines[2] = b"garbage\n".to_vec();
    lines.push(user_line("e", "\"b\"").into_bytes());
    lines.push(user_line("f", "\"never there\"").into_bytes());
    let disk = home_with(lines.concat());
    set_aside(&disk);
    let findings = verify(store(disk.clone()).lines(&main()).unwrap()).unwrap();
    let told: Vec<(u64, String)> = findings
        .findings
        .iter()
        .map(|it| (it.line, format!("{}: {}", it.severity().as_str(), it.kind)))
        .collect();
    let after = "a line before it was set aside";
    assert_eq!(
        told,
        [
            (3, "note: the line is blank".to_owned()),
            (4, format!("note: its parent \"b\" is not there: {after}")),
            (6, format!("note: its parent \"b\" is not there: {after}")),
            (
                7,
                "error: its parent \"never there\" is not there".to_owned()
            ),
        ]
    );
}

#[test]
fn a_summary_and_the_target_of_a_rewind_may_be_what_is_gone() {
    let disk = home_with("");
    let sessions = store(disk.clone());
    let mut turn = sessions.begin_turn(&main(), NO_LIMIT).unwrap();
    let first = turn.append_message(at(1), said("one")).unwrap();
    turn.append_message(at(2), said("two")).unwrap();
    turn.append_rewind(at(3), &first).unwrap();
    let kept = turn.append_message(at(4), said("three")).unwrap();
    for epoch in 0..2 {
        turn.append_compaction(at(5), crate::test_kit::compaction(epoch, kept.clone()))
            .unwrap();
    }
    drop(turn);
    let whole = transcript(&disk);
    for (needle, expected) in [
        ("\"text\":\"one\"", "it goes back to"),
        ("summary 0", "the compaction ends epoch 1, expected 0"),
    ] {
        let text = String::from_utf8(whole.clone()).unwrap();
        let lines = text.lines().map(|line| {
            let garbled = line.replace("{\"type\"", "{\"type");
            if line.contains(needle) {
                garbled
            } else {
                line.to_owned()
            }
        });
        let broken: String = lines.map(|line| line + "\n").collect();
        assert_ne!(broken, text, "{needle}");
        let disk = home_with(&broken);
        assert!(
            told(&disk).iter().any(|it| it.starts_with(expected)),
            "{:?}",
            told(&disk)
        );
        set_aside(&disk);
        assert_eq!(told(&disk), [] as [&str; 0], "{needle}");
    }
}

#[test]
fn i1_a_crash_at_any_moment_leaves_the_file_as_it_was_or_as_it_is_to_be() {
    let broken = with(3, b"garbage \xff");
    let start = home_with(&broken);
    let run = |disk: &CrashDisk| {
        // The error is the crash, which the disk tells of itself.
        let begun = store(disk.clone()).begin_turn(&main(), NO_LIMIT);
        begun.is_ok_and(|turn| turn.set_aside().is_ok())
    };
    let whole = CrashDisk::new(&start, u64::MAX);
    assert!(run(&whole));
    let mended = transcript(&whole.after_crash(Unsynced::Kept));
    for moment in 0..whole.n_moments() {
        for disk in [
            CrashDisk::new(&start, moment),
            CrashDisk::full(&start, moment),
        ] {
            run(&disk);
            for unsynced in [Unsynced::Kept, Unsynced::Lost] {
                let found = disk.after_crash(unsynced);
                let context = format!("moment {moment}, {unsynced:?}");
                let now = transcript(&found);
                assert!(now == broken || now == mended, "{context}");
                if now == mended {
                    assert_eq!(in_quarantine(&found), [b"garbage \xff\n"], "{context}");
                }
                set_aside(&found);
                assert_eq!(transcript(&found), mended, "{context}");
                assert_eq!(in_quarantine(&found), [b"garbage \xff\n"], "{context}");
            }
        }
    }
}

#[test]
fn what_is_written_meanwhile_is_not_lost() {
    let disk = home_with(with(3, b"garbage"));
    let turn = store(disk.clone()).begin_turn(&main(), NO_LIMIT).unwrap();
    // A program that takes no lock is in the middle of a line.
    disk.append(Path::new(PATH), b"{\"type\":").unwrap();
    let before = transcript(&disk);
    let error = turn.set_aside().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("another program wrote into {PATH} meanwhile; nothing was changed")
    );
    assert_eq!(transcript(&disk), before);
}

#[test]
fn what_else_is_missing_for_it_is_explained() {
    let calling = ",\"message\":{\"role\":\"assistant\",\"stopReason\":\"toolUse\",\"content\":\
                   [{\"type\":\"toolCall\",\"id\":\"c1\",\"name\":\"n\",\"arguments\":{}}]}";
    let result = ",\"message\":{\"role\":\"toolResult\",\"toolCallId\":\"c1\",\"toolName\":\"n\",\
                  \"content\":[]}";
    let lines = [
        header_line(),
        user_line("a", "null"),
        line("message", "b", "\"a\"", calling),
        line("message", "c", "\"b\"", result),
        user_line("d", "\"c\""),
        line(
            "meta",
            "e",
            "\"d\"",
            ",\"intent\":{\"logFile\":\"l\",\"epoch\":0,\"span\":[\"a\",\"d\"],\"beforeCompaction\":false}",
        ),
        line("meta", "f", "\"e\"", ",\"flushedThroughEntryId\":\"d\""),
        line(
            "compaction",
            "g",
            "\"f\"",
            ",\"summary\":\"s\",\"firstKeptEntryId\":\"d\",\"tokensBefore\":1",
        ),
        user_line("h", "\"g\""),
    ];
    assert_eq!(told(&home_with(lines.concat())), [] as [&str; 0]);
    for number in 2..=9 {
        let mut lines = lines.clone();
        lines[number - 1] = "garbage\n".to_owned();
        let disk = home_with(lines.concat());
        set_aside(&disk);
        let left = told(&disk);
        // Reading goes on to say that what a summary kept is not shown.
        let expected = if number == 5 {
            vec!["compaction g keeps d, which is not there"]
        } else {
            Vec::new()
        };
        assert_eq!(left, expected, "line {number}");
    }
}
