//! Session files as recordings: ours, those of others, broken ones.

use std::path::Path;

use base::disk::MemoryDisk;

use super::*;
use crate::recording::Recording;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-04-20T08:00:00.000Z","cwd":"/"}"#;

/// A message line of a foreign program.
fn line(id: &str, parent: Option<&str>, message: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("{parent:?}"));
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-04-20T08:00:01.000Z","message":{message}}}"#
    )
}

fn user(text: &str) -> String {
    format!(r#"{{"role":"user","content":"{text}"}}"#)
}

fn open(lines: &[&str], tail: &str) -> Result<Recording, String> {
    let disk = MemoryDisk::new();
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    let path = Path::new("main.jsonl");
    disk.append(path, format!("{text}{tail}").as_bytes())
        .unwrap();
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
    let system = line("d", Some("c"), &user("Rules.")).replacen(
        r#""message":"#,
        r#""origin":"system","message":"#,
        1,
    );
    let lines = [
        line("a", None, &user("gr\u{fc}\u{df} dich")),
        line("b", Some("a"), reply),
        line("c", Some("b"), result),
        system,
    ];
    let [a, b, c, d] = &lines;
    let recording = check(
        &[HEADER, a, b, c, d],
        &["gr\u{fc}\u{df} dich", "Hi.", "bin", "Rules."],
    );
    let read: Vec<_> = recording
        .messages()
        .unwrap()
        .map(Result::unwrap)
        .map(|it| {
            (
                it.index,
                it.hash,
                it.at.map(|at| at.to_rfc3339()),
                it.origin,
            )
        })
        .collect();
    let origins = [
        Origin::Owner,
        Origin::Agent,
        Origin::Untrusted,
        Origin::System,
    ];
    let expected: Vec<_> = (0..)
        .zip(&lines)
        .zip(origins)
        .map(|((index, line), origin)| {
            let at = Some("2026-04-20T08:00:01+00:00".to_owned());
            (index, content_hash(line.as_bytes()), at, origin)
        })
        .collect();
    assert_eq!(read, expected);
    let hashes: Vec<&String> = expected.iter().map(|it| &it.1).collect();
    assert_eq!(recording.hashes().iter().collect::<Vec<_>>(), hashes);
    assert_eq!(
        (recording.n_messages(), recording.warnings()),
        (4, [].as_slice())
    );
}

#[test]
fn only_what_lies_on_the_way_to_the_newest_entry_is_replayed() {
    let compaction = r#"{"type":"compaction","id":"z","parentId":"b","timestamp":"2026-04-20T08:00:01.000Z","summary":"So far.","firstKeptEntryId":"b","tokensBefore":9}"#;
    let label =
        r#"{"type":"label","id":"l","parentId":"z","timestamp":"2026-04-20T08:00:01.000Z"}"#;
    let (a, b) = (
        line("a", None, &user("a")),
        line("b", Some("a"), &user("b")),
    );
    let dead = line("x", Some("l"), &user("dead"));
    let rewind = r#"{"type":"rewind","id":"r","parentId":"l","timestamp":"2026-04-20T08:00:01.000Z","targetId":"l","targetOffset":0,"state":{"compactionCount":1}}"#;
    let c = line("c", Some("r"), &user("c"));
    check(
        &[HEADER, &a, &b, compaction, label, &dead, rewind, &c],
        &["a", "b", "c"],
    );
    // The newest entry need be no message.
    check(
        &[HEADER, &a, &b, compaction, label, &dead, rewind],
        &["a", "b"],
    );
}

/// The warnings without their reasons.
fn told(recording: &Recording) -> Vec<&str> {
    let warnings = recording.warnings().iter();
    warnings
        .filter_map(|it| it.split_once(':').map(|(place, _)| place))
        .collect()
}

#[test]
fn i16_what_is_broken_is_left_out_and_reported() {
    let (a, c) = (
        line("a", None, &user("a")),
        line("c", Some("b"), &user("c")),
    );
    let no_body =
        r#"{"type":"message","id":"b","parentId":"a","timestamp":"2026-04-20T08:00:01.000Z"}"#;
    let recording = check(&[HEADER, &a, "{oops", "", no_body, &c], &["a", "c"]);
    assert_eq!(told(&recording), ["2 lines are skipped, first line 3"]);
    let recording = check(&[HEADER, &a, "", no_body, &c], &["a", "c"]);
    assert_eq!(told(&recording), ["line 4 is skipped"]);

    // A parent that is nowhere: the entry before is meant.
    check(
        &[HEADER, &a, &line("d", Some("gone"), &user("d"))],
        &["a", "d"],
    );
    // One that stands later, or is the entry itself, leads into no circle.
    let (x, y) = (
        line("x", Some("y"), &user("x")),
        line("y", Some("x"), &user("y")),
    );
    check(&[HEADER, &a, &x, &y], &["a", "x", "y"]);
    check(&[HEADER, &line("a", Some("a"), &user("a"))], &["a"]);
    // A header that says too little.
    let recording = check(&[r#"{"type":"session"}"#, &a], &["a"]);
    assert_eq!(recording.warnings().len(), 1);

    let recording = open(&[HEADER, &a], r#"{"type":"mess"#).unwrap();
    assert_eq!(
        recording.warnings(),
        ["the last 13 bytes are a torn line, which is skipped"]
    );
    assert_eq!(recording.n_messages(), 1);
}

#[test]
fn a_mark_before_the_header_hides_nothing() {
    let header = format!("\u{feff}{HEADER}");
    check(&[&header, &line("a", None, &user("a"))], &["a"]);
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let newer = HEADER.replace(r#""version":3"#, r#""version":4"#);
    let a = line("a", None, &user("a"));
    assert_eq!(
        open(&[&newer, &a], "").unwrap_err(),
        "main.jsonl is a session of format 4; this version reads 3"
    );
    for lines in [vec![HEADER], vec![HEADER, "{oops"]] {
        assert_eq!(
            open(&lines, "").unwrap_err(),
            "main.jsonl contains no messages"
        );
    }
    assert_eq!(
        open(&[], HEADER).unwrap_err(),
        "main.jsonl contains no messages"
    );
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_reported() {
    let disk = MemoryDisk::new();
    let path = Path::new("main.jsonl");
    let (a, b) = (
        line("a", None, &user("a")),
        line("b", Some("a"), &user("b")),
    );
    disk.append(path, format!("{HEADER}\n{a}\n{b}\n").as_bytes())
        .unwrap();
    let recording = Recording::open(Arc::new(disk.clone()), path).unwrap();
    disk.truncate(path, (HEADER.len() + a.len() + 2) as u64)
        .unwrap();
    let read: Vec<Result<String, String>> = recording
        .messages()
        .unwrap()
        .map(|it| it.map(|it| it.message.text()).map_err(|it| it.to_string()))
        .collect();
    let changed = "line 3 of main.jsonl is not a message: it changed while being read";
    assert_eq!(read, [Ok("a".to_owned()), Err(changed.to_owned())]);
}
