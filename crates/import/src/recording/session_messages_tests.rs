//! Session files as recordings: those of this program, those of others, and broken ones.

use std::path::Path;

use base::disk::MemoryDisk;

use super::*;
use crate::recording::Recording;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-04-20T08:00:00.000Z","cwd":"/"}"#;

/// A message line of another program.
fn line(id: &str, parent: Option<&str>, message: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("{parent:?}"));
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-04-20T08:00:01.000Z","message":{message}}}"#
    )
}

fn user(text: &str) -> String {
    format!(r#"{{"role":"user","content":"{text}"}}"#)
}

/// A message whose text is its id.
fn said(id: &str, parent: Option<&str>) -> String {
    line(id, parent, &user(id))
}

fn open(lines: &[&str], tail: &str) -> Result<Recording, String> {
    let disk = MemoryDisk::new();
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    let path = Path::new("main.jsonl");
    let text = format!("{text}{tail}");
    disk.append(path, text.as_bytes()).unwrap();
    Recording::open(Arc::new(disk), path).map_err(|error| error.to_string())
}

#[track_caller]
fn check(lines: &[&str], expected: &[&str]) -> Recording {
    let recording = open(lines, "").unwrap();
    let messages = recording.messages().unwrap();
    let texts: Vec<String> = messages.map(|it| it.unwrap().message.text()).collect();
    assert_eq!(texts, expected);
    recording
}

#[test]
fn messages_are_read_with_their_time_origin_and_hash() {
    let reply = r#"{"role":"assistant","content":[{"type":"text","text":"Hi."},{"type":"toolCall","id":"c","name":"ls","arguments":{}}]}"#;
    let result = r#"{"role":"toolResult","toolCallId":"c","toolName":"ls","content":[{"type":"text","text":"bin"}],"isError":false}"#;
    let system = line("d", Some("c"), &user("Rules."));
    let system = system.replacen(r#""message":"#, r#""origin":"system","message":"#, 1);
    let lines = [
        line("a", None, &user("gr\u{fc}\u{df} dich")),
        line("b", Some("a"), reply),
        line("c", Some("b"), result),
        system,
    ];
    let [a, b, c, d] = &lines;
    let texts = ["gr\u{fc}\u{df} dich", "Hi.", "bin", "Rules."];
    let recording = check(&[HEADER, a, b, c, d], &texts);
    let hashes = lines.each_ref().map(|line| content_hash(line.as_bytes()));
    assert_eq!(recording.hashes(), hashes);
    let origins = ["owner", "agent", "untrusted", "system"];
    let read = recording.messages().unwrap().map(Result::unwrap);
    for (((it, index), hash), origin) in read.zip(0..).zip(hashes).zip(origins) {
        assert_eq!((it.index, it.hash), (index, hash));
        assert_eq!(it.at.unwrap().to_rfc3339(), "2026-04-20T08:00:01+00:00");
        assert_eq!(it.origin.as_str(), origin);
    }
    assert_eq!(recording.n_messages(), 4);
    assert_eq!(recording.warnings(), [""; 0]);
}

#[test]
fn session_replay_follows_path_to_newest_entry() {
    let compaction = r#"{"type":"compaction","id":"z","parentId":"b","timestamp":"2026-04-20T08:00:01.000Z","summary":"So far.","firstKeptEntryId":"b","tokensBefore":9}"#;
    let label =
        r#"{"type":"label","id":"l","parentId":"z","timestamp":"2026-04-20T08:00:01.000Z"}"#;
    let (a, b) = (said("a", None), said("b", Some("a")));
    let dead = said("x", Some("l"));
    let rewind = r#"{"type":"rewind","id":"r","parentId":"l","timestamp":"2026-04-20T08:00:01.000Z","targetId":"l","targetOffset":0,"state":{"compactionCount":1}}"#;
    let c = said("c", Some("r"));
    let lines = [HEADER, &a, &b, compaction, label, &dead, rewind, &c];
    check(&lines, &["a", "b", "c"]);
    // The newest entry is not a message.
    check(&lines[..7], &["a", "b"]);
}

/// The warnings, each without its reason.
fn told(recording: &Recording) -> Vec<&str> {
    let warnings = recording.warnings().iter();
    let places = warnings.filter_map(|it| Some(it.split_once(':')?.0));
    places.collect()
}

#[test]
fn i16_broken_session_lines_are_skipped_and_reported() {
    let (a, c) = (said("a", None), said("c", Some("b")));
    let no_body =
        r#"{"type":"message","id":"b","parentId":"a","timestamp":"2026-04-20T08:00:01.000Z"}"#;
    let recording = check(&[HEADER, &a, "{oops", "", no_body, &c], &["a", "c"]);
    assert_eq!(told(&recording), ["2 lines are skipped, first line 3"]);
    let recording = check(&[HEADER, &a, "", no_body, &c], &["a", "c"]);
    assert_eq!(told(&recording), ["line 4 is skipped"]);

    // If the parent does not exist, the previous entry takes its place.
    check(&[HEADER, &a, &said("d", Some("gone"))], &["a", "d"]);
    // A parent that comes later, or is the entry itself, must not cause a cycle.
    let (x, y) = (said("x", Some("y")), said("y", Some("x")));
    check(&[HEADER, &a, &x, &y], &["a", "x", "y"]);
    check(&[HEADER, &said("a", Some("a"))], &["a"]);
    // A header without an id or version.
    let recording = check(&[r#"{"type":"session"}"#, &a], &["a"]);
    assert_eq!(recording.warnings().len(), 1);

    let recording = open(&[HEADER, &a], r#"{"type":"mess"#).unwrap();
    let torn = "the last 13 bytes are an incomplete line, which is skipped";
    assert_eq!(recording.warnings(), [torn]);
    assert_eq!(recording.n_messages(), 1);
}

#[test]
fn byte_order_mark_before_header_is_ignored() {
    let header = format!("\u{feff}{HEADER}");
    check(&[&header, &said("a", None)], &["a"]);
}

#[test]
fn newer_or_empty_session_is_rejected_with_reason() {
    let newer = HEADER.replace(r#""version":3"#, r#""version":4"#);
    let a = said("a", None);
    let newer = open(&[&newer, &a], "").unwrap_err();
    let expected = "main.jsonl is a session of format 4; this version reads 3";
    assert_eq!(newer, expected);
    for (lines, tail) in [(&[HEADER][..], ""), (&[HEADER, "{oops"], ""), (&[], HEADER)] {
        let empty = open(lines, tail).unwrap_err();
        assert_eq!(empty, "main.jsonl contains no messages");
    }
}

#[test]
fn file_that_shrinks_during_reading_is_reported() {
    let disk = MemoryDisk::new();
    let path = Path::new("main.jsonl");
    let (a, b) = (said("a", None), said("b", Some("a")));
    let (kept, gone) = (format!("{HEADER}\n{a}\n"), format!("{b}\n"));
    disk.append(path, [&*kept, &gone].concat().as_bytes())
        .unwrap();
    let recording = Recording::open(Arc::new(disk.clone()), path).unwrap();
    disk.truncate(path, kept.len() as u64).unwrap();
    let mut read = recording.messages().unwrap();
    assert_eq!(read.next().unwrap().unwrap().message.text(), "a");
    let changed = "line 3 of main.jsonl is not a message: it changed while being read";
    assert_eq!(read.next().unwrap().unwrap_err().to_string(), changed);
    assert!(read.next().is_none());
}
