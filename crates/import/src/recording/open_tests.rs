//! Recordings in every state in which people hand them over.

use base::disk::MemoryDisk;
use base::{Block, Message, Origin, ToolCallId, ToolOutcome};

use super::*;
use crate::recording::line_messages::LineError;

fn open(bytes: &[u8]) -> Result<Vec<Recorded>, String> {
    let disk = MemoryDisk::new();
    disk.append(Path::new("chat.jsonl"), bytes).unwrap();
    let recording = Recording::open(Arc::new(disk), Path::new("chat.jsonl"));
    let recording = recording.map_err(|error| error.to_string())?;
    let messages: Result<_, _> = recording.messages().unwrap().collect();
    messages.map_err(|error: RecordingError| error.to_string())
}

#[track_caller]
fn refused(bytes: &[u8], expected: &str) {
    assert_eq!(open(bytes).unwrap_err(), expected);
}

#[test]
fn plain_messages_are_read_in_order() {
    let text = "\u{feff}{\"role\":\"user\",\"content\":\"grüß dich\",\"timestamp\":\"2026-04-20T10:00:00+02:00\",\"extra\":1}\r\n\n{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"timestamp\":1776000000000}";
    let read = open(text.as_bytes()).unwrap();
    let expected = [
        (Origin::Owner, "grüß dich", "2026-04-20T08:00:00+00:00"),
        (Origin::Agent, "hi", "2026-04-12T13:20:00+00:00"),
    ];
    assert_eq!(read.len(), expected.len());
    for ((it, index), (origin, text, at)) in read.iter().zip(0..).zip(expected) {
        assert_eq!((it.index, it.origin), (index, origin));
        assert_eq!(it.message.text(), text);
        assert_eq!(it.at.unwrap().to_rfc3339(), at);
    }
}

#[test]
fn tool_calls_are_read_in_both_forms() {
    let text = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"path\":\"/\"}"}}]}
{"role":"assistant","content":"","toolCalls":[{"id":"b","name":"cat","arguments":{"path": "x"}}]}
{"role":"tool","toolCallId":"a","name":"ls","content":"bin","isError":true}"#;
    let read = open(text.as_bytes()).unwrap();
    let calls = read.iter().flat_map(|it| it.message.tool_calls());
    let calls = calls.map(|it| format!("{} {} {}", it.id, it.name, it.arguments));
    let expected = [r#"a ls {"path":"/"}"#, r#"b cat {"path": "x"}"#];
    assert_eq!(calls.collect::<Vec<_>>(), expected);
    let result = base::ToolResult {
        call_id: ToolCallId::new("a"),
        tool_name: "ls".to_owned(),
        content: vec![Block::Text("bin".to_owned())],
        outcome: ToolOutcome::Failure,
    };
    assert_eq!(read[2].message, Message::ToolResult(result));
}

#[test]
fn i16_what_cannot_be_replayed_says_what_and_where() {
    let whole = &br#"{"role":"user","content":"a"}"#[..];
    for (end, problem) in [
        (&b"\x00\x01"[..], "is not text: line 2 contains a NUL byte"),
        (br#"{"role":"us"#, "is cut off in line 2"),
        (b"{\"role\":\"us\xc3", "is cut off in line 2"),
    ] {
        let bytes = [whole, b"\n", end].concat();
        refused(&bytes, &format!("chat.jsonl {problem}"));
    }
    let latin = b"{\"role\":\"user\",\"content\":\"gr\xfc\xdfe\"}\n";
    let array = [&b"["[..], whole, b"]"].concat();
    for (bytes, problem) in [
        (&b""[..], "contains no messages"),
        (b"\n  \n", "contains no messages"),
        (
            b"\xff\xfe{\x00",
            "is not UTF-8 but looks like UTF-16LE (line 1)",
        ),
        (latin, "is not UTF-8 but looks like windows-1252 (line 1)"),
        (&array, "is one JSON array, not one message per line"),
    ] {
        refused(bytes, &format!("chat.jsonl {problem}"));
    }
    for (message, reason) in [
        (
            r#""robot","content":"a""#,
            "role \"robot\" is not one of user, assistant, tool, system",
        ),
        (
            r#""user","content":"a","timestamp":"noon""#,
            "timestamp \"noon\" is not of the form 2026-04-20T14:23:00Z",
        ),
        (
            r#""user","content":"a","timestamp":"2026-04-20T10:00:00""#,
            "timestamp \"2026-04-20T10:00:00\" has no offset; add Z for UTC, or an offset such as +02:00",
        ),
        (
            r#""user","content":"a","timestamp":1e300"#,
            &format!("timestamp {} is out of range", 1e300),
        ),
        (r#""tool","content":"a""#, "a tool message needs toolCallId"),
    ] {
        let line = format!("{{\"role\":{message}}}\n");
        let expected = format!("line 1 of chat.jsonl is not a message: {reason}");
        refused(line.as_bytes(), &expected);
    }
}

/// A file of endless `a`, as large as anyone likes, that takes no memory.
#[derive(Debug)]
struct Endless;

impl base::disk::ReadAt for Endless {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(u64::MAX)
    }

    fn read_at(&self, _offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        buffer.fill(b'a');
        Ok(buffer.len())
    }
}

#[test]
fn a_line_without_an_end_is_given_up_within_bounds() {
    let mut lines = LineSource::new(Box::new(Endless));
    assert!(matches!(lines.next_line(), Err(LineError::TooLong(1))));
}

#[test]
fn what_is_no_message_is_reported_in_words_of_a_recording() {
    let reasons = [
        (
            r#"{"role":"user","content":5}"#,
            "content is neither text nor a list of blocks such as {\"type\":\"text\",\"text\":\"hello\"} (column 27)",
        ),
        (
            r#"{"role":"user","content":"a","timestamp":[1]}"#,
            "timestamp is neither text nor a number (column 45)",
        ),
        (
            "5",
            "invalid type: integer `5`, expected an object with role and content (column 1)",
        ),
        (
            r#"{"role":"assistant","content":"","toolCalls":[5]}"#,
            "invalid type: integer `5`, expected a tool call with id, name and arguments (column 47)",
        ),
        (
            r#"{"role":"assistant","toolCalls":[{"function":5}]}"#,
            "invalid type: integer `5`, expected an object with name and arguments (column 46)",
        ),
        (r#"{"content":"a"}"#, "missing field `role` (column 15)"),
        ("hello", "expected value (column 1)"),
    ];
    for (line, reason) in reasons {
        refused(
            format!("{{\"role\":\"user\",\"content\":\"a\"}}\n{line}\n").as_bytes(),
            &format!("line 2 of chat.jsonl is not a message: {reason}"),
        );
    }
}

#[test]
fn a_time_is_seconds_or_milliseconds_by_its_size() {
    for (written, expected) in [
        ("1776000000", "2026-04-12T13:20:00+00:00"),
        ("1776000000.25", "2026-04-12T13:20:00.250+00:00"),
        ("1776000000000", "2026-04-12T13:20:00+00:00"),
        ("1.776e12", "2026-04-12T13:20:00+00:00"),
        ("99999999999", "5138-11-16T09:46:39+00:00"),
        ("100000000000", "1973-03-03T09:46:40+00:00"),
        ("0", "1970-01-01T00:00:00+00:00"),
        ("-86400", "1969-12-31T00:00:00+00:00"),
        ("\"2026-04-12 15:20:00+02:00\"", "2026-04-12T13:20:00+00:00"),
    ] {
        let line = format!("{{\"role\":\"user\",\"content\":\"a\",\"timestamp\":{written}}}\n");
        let read = open(line.as_bytes()).unwrap();
        assert_eq!(read[0].at.unwrap().to_rfc3339(), expected, "{written}");
    }
}

#[track_caller]
fn warned(hours: &[u32], expected: &[&str]) {
    let line = |hour: &u32| {
        format!(
            "{{\"role\":\"user\",\"content\":\"a\",\"timestamp\":\"2026-04-20T{hour:02}:00:00Z\"}}\n"
        )
    };
    let text: String = hours.iter().map(line).collect();
    let disk = MemoryDisk::new();
    let path = Path::new("chat.jsonl");
    disk.append(path, text.as_bytes()).unwrap();
    let recording = Recording::open(Arc::new(disk), path).unwrap();
    assert_eq!(recording.warnings(), expected);
}

#[test]
fn times_that_go_back_are_kept_and_warned_about_once() {
    warned(&[10, 10, 11], &[]);
    warned(
        &[10, 9, 11],
        &[
            "message 2 is from 2026-04-20T09:00:00+00:00 but follows one from 2026-04-20T10:00:00+00:00; its time is kept",
        ],
    );
    warned(
        &[12, 11, 10, 13, 2],
        &[
            "3 messages go back in time, first: message 2 is from 2026-04-20T11:00:00+00:00 but follows one from 2026-04-20T12:00:00+00:00; all times are kept",
        ],
    );
}
