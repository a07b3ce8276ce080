//! Recordings in every form in which users supply them.

use base::disk::MemoryDisk;
use base::{Block, Message, Origin, ToolCallId, ToolOutcome};
use insta::assert_snapshot;

use super::*;

fn open(bytes: &[u8]) -> Result<Vec<Recorded>, String> {
    let disk = MemoryDisk::new();
    disk.append(Path::new("chat.jsonl"), bytes).unwrap();
    let recording = Recording::open(Arc::new(disk), Path::new("chat.jsonl"));
    let recording = recording.map_err(|error| error.to_string())?;
    let messages: Result<_, _> = recording.messages().unwrap().collect();
    messages.map_err(|error: RecordingError| error.to_string())
}

#[track_caller]
fn refused(bytes: impl AsRef<[u8]>) -> String {
    open(bytes.as_ref()).unwrap_err()
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
fn i16_unreadable_recording_is_rejected_with_line_and_reason() {
    let whole = &br#"{"role":"user","content":"a"}"#[..];
    let bytes = [
        &[whole, b"\n\x00\x01"].concat()[..],
        &[whole, b"\n{\"role\":\"us"].concat(),
        &[whole, b"\n{\"role\":\"us\xc3"].concat(),
        b"",
        b"\n  \n",
        b"\xff\xfe{\x00",
        b"{\"role\":\"user\",\"content\":\"gr\xfc\xdfe\"}\n",
        &[b"[", whole, b"]"].concat(),
    ];
    let messages = [
        r#""robot","content":"a""#,
        r#""user","content":"a","timestamp":"noon""#,
        r#""user","content":"a","timestamp":"2026-04-20T10:00:00""#,
        r#""user","content":"a","timestamp":1e300"#,
        r#""tool","content":"a""#,
    ];
    let lines = messages.map(|message| refused(format!("{{\"role\":{message}}}\n")));
    assert_snapshot!([&bytes.map(refused)[..], &lines].concat().join("\n"));
}

/// A file of any size that consists of the letter `a` and uses no memory.
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
fn endless_line_is_rejected_within_bounds() {
    let mut lines = LineMessages::new(Box::new(Endless), "r".into());
    let error = lines.next_line().unwrap_err();
    assert!(matches!(error, RecordingError::TooLong(_, 1)), "{error}");
}

#[test]
fn line_without_message_is_rejected_with_field_names() {
    let lines = [
        r#"{"role":"user","content":5}"#,
        r#"{"role":"user","content":"a","timestamp":[1]}"#,
        "5",
        r#"{"role":"assistant","content":"","toolCalls":[5]}"#,
        r#"{"role":"assistant","toolCalls":[{"function":5}]}"#,
        r#"{"content":"a"}"#,
        "hello",
    ];
    let whole = r#"{"role":"user","content":"a"}"#;
    let reasons = lines.map(|line| format!("{line}\n  {}", refused(format!("{whole}\n{line}\n"))));
    assert_snapshot!(reasons.join("\n"));
}

#[test]
fn numeric_time_is_seconds_or_milliseconds_by_size() {
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
fn decreasing_times_are_kept_with_one_warning() {
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
            "3 messages are older than an earlier message, first: message 2 is from 2026-04-20T11:00:00+00:00 but follows one from 2026-04-20T12:00:00+00:00; all times are kept",
        ],
    );
}
