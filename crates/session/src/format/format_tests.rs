//! Transcript lines as literal text, and their parsed form.
//!
//! Covers lines of this program, lines of OpenClaw, and damage.

use base::{Assistant, Block, EntryId, Message, Origin, SessionId, ToolCall, ToolCallId};
use insta::assert_debug_snapshot;
use proptest::prelude::*;

use super::*;
use crate::{Entry, EntryPlace, Epoch, Meta, Payload, StoredMessage};

fn entry(payload: Payload) -> Entry {
    Entry {
        id: EntryId::new("e2"),
        parent: Some(EntryId::new("e1")),
        at: "2026-04-20T14:23:05.678Z".parse().unwrap(),
        payload,
    }
}

fn stored(message: Message) -> StoredMessage {
    StoredMessage {
        origin: None,
        ..StoredMessage::new(message, Origin::System)
    }
}

/// Parses a line that must contain an entry.
#[track_caller]
fn read(line: &str) -> Entry {
    let LineContent::Entry(entry) = parse(line.as_bytes()) else {
        panic!("{line}");
    };
    entry
}

/// Parses a line of this program, and checks that rendering the entry gives the same line.
#[track_caller]
fn ours(entry_type: &str, rest: &str) -> Entry {
    let line = format!(
        r#"{{"type":"{entry_type}","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z",{rest}}}"#
    );
    let entry = read(&line);
    let rendered = String::from_utf8(render(&entry).unwrap()).unwrap();
    assert_eq!(rendered, format!("{line}\n"));
    entry
}

/// Parses a message line that another program wrote.
#[track_caller]
fn foreign(role_and_more: &str) -> Payload {
    let line = format!(
        r#"{{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-04-12T10:00:00.000Z","message":{{{role_and_more}}}}}"#
    );
    read(&line).payload
}

const META: &str = concat!(
    r#""compactionCount":3,"memoryFlushCompactionCount":2,"flushedThroughEntryId":"e9","#,
    r#""memoryFlushAt":"2026-04-20T14:00:00.000Z","lastCompactionAt":"2026-04-20T13:00:00.000Z","#,
    r#""flushFailures":1,"intent":{"logFile":"memory/2026-04-20.md","epoch":3,"#,
    r#""span":["e3","e9"],"beforeCompaction":true},"compactionFailures":2"#
);

#[test]
fn header_has_version_3() {
    let at = "2026-04-20T14:23:05.678Z".parse().unwrap();
    let line = render_header(&SessionId::new("s1"), at, None).unwrap();
    assert_eq!(
        String::from_utf8(line.clone()).unwrap(),
        "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-04-20T14:23:05.678Z\",\"cwd\":\".\"}\n"
    );
    let header = Header {
        version: 3,
        id: SessionId::new("s1"),
        at: Some(at),
        parent: None,
    };
    assert_eq!(parse(line.trim_ascii_end()), LineContent::Header(header));
}

#[test]
fn user_message_keeps_origin_source_and_name() {
    let line = concat!(
        r#""origin":"owner","source":{"hash":"ab","index":7},"copiedFrom":{"session":"s0","entry":"e0"},"#,
        r#""scopes":["repo-0a1b2c3d-"],"#,
        r#""message":{"role":"user","content":[{"type":"text","text":"café\n🙂 \"x\"\u0000"}],"#,
        r#""name":"Ana","timestamp":1776694985678}"#
    );
    assert_debug_snapshot!(ours("message", line));
}

#[test]
fn assistant_message_keeps_blocks_usage_and_stop_reason() {
    let line = concat!(
        r#""message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},"#,
        r#"{"type":"text","text":"I look"},"#,
        r#"{"type":"toolCall","id":"c1","name":"read","arguments":{"path": "a.txt", "n": 1.50}},"#,
        r#"{"type":"toolCall","id":"c1","name":"read","arguments":"{\"path\": "},"#,
        r#"{"type":"toolCall","id":"c1","name":"read","arguments":"[1]"},"#,
        r#"{"type":"image","mimeType":"image/png","reference":"inline:12"},"#,
        r#"{"type":"video","omittedBytes":99}],"#,
        r#""usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":10,"estimate":9},"#,
        r#""stopReason":"toolUse","timestamp":1776694985678}"#
    );
    assert_debug_snapshot!(ours("message", line));
}

#[test]
fn tool_result_keeps_outcome() {
    let line = concat!(
        r#""message":{"role":"toolResult","toolCallId":"c1","toolName":"read","#,
        r#""content":[{"type":"text","text":"no such file"}],"isError":true,"timestamp":1776694985678}"#
    );
    assert_debug_snapshot!(ours("message", line));
}

#[test]
fn compaction_keeps_fields_needed_by_view() {
    let line = concat!(
        r###""summary":"## Goal","firstKeptEntryId":"e8","tokensBefore":176000,"epoch":3,"###,
        r#""details":{"readFiles":["a"],"modifiedFiles":["b"],"keepFirst":[{"id":"e1","offset":90}],"#,
        r#""span":["e1","e7"],"tokensAfter":15000,"ratioPercent":820,"retentionPercent":97,"contextWindow":200000,"#,
        r#""strategy":"handoff","rung":"offline","failedRungs":["model"],"artifacts":{"files":[{"path":"b","state":"written","entryId":"e3"}],"#,
        r#""identifiers":[{"text":"2.3.1","entryIds":["e2","e5"]}]},"copiedFrom":{"session":"s0","entry":"e0","first":"e9"}}"#
    );
    assert_debug_snapshot!(ours("compaction", line));
}

#[test]
fn meta_keeps_whole_state_and_first_one_has_no_marker() {
    assert_debug_snapshot!(ours("meta", META));
    let first = ours("meta", r#""compactionCount":0,"flushFailures":0"#);
    assert_eq!(first, entry(Payload::Meta(Meta::default())));
}

#[test]
fn reset_and_rewind_keep_their_references() {
    assert_debug_snapshot!([
        ours("reset", r#""sessionId":"s2","parentSession":"s1""#),
        ours(
            "reset",
            r#""sessionId":"s2","parentSession":"s1","reason":"compaction""#
        ),
        ours(
            "rewind",
            r#""targetId":"e1","targetOffset":90,"state":{"compactionCount":1,"flushFailures":0}"#
        ),
    ]);
}

#[test]
fn tool_arguments_never_break_line() {
    let call = |arguments: &str| {
        Payload::Message(stored(Message::Assistant(Assistant {
            content: vec![Block::ToolCall(ToolCall {
                id: ToolCallId::new("c"),
                name: "t".into(),
                arguments: arguments.into(),
            })],
            ..Assistant::default()
        })))
    };
    for (written, read) in [
        (
            "{\n \"a b\": \"x \\\" y\",\r\n \"n\": 1e400\n}",
            r#"{"a b":"x \" y","n":1e400}"#,
        ),
        // This is not JSON, and removing the line end must not turn it into JSON.
        ("{\"a\": 1\n2}", "{\"a\": 1\n2}"),
        (" {} ", "{}"),
        ("", ""),
        ("null", "null"),
        ("\"text\"", "\"text\""),
    ] {
        let line = render(&entry(call(written))).unwrap();
        assert_eq!(memchr::memchr_iter(b'\n', &line).count(), 1, "{written}");
        assert_eq!(
            parse(line.trim_ascii_end()),
            LineContent::Entry(entry(call(read))),
            "{written}"
        );
    }
}

#[test]
fn short_meta_without_id_is_readable() {
    let line =
        br#"{"type":"meta","memoryFlushCompactionCount":3,"lastCompactionAt":"2026-04-26T14:23:00Z"}"#;
    let expected = ShortMeta {
        memory_flush_compaction_count: Some(Epoch(3)),
        last_compaction_at: Some("2026-04-26T14:23:00Z".parse().unwrap()),
    };
    assert_eq!(parse(line), LineContent::ShortMeta(expected));
    assert_eq!(parse_place(line), None);
}

#[test]
fn user_content_may_be_string_and_time_may_have_offset() {
    let line = r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-04-12T12:00:00+02:00","message":{"role":"user","content":"hi","timestamp":1}}"#;
    assert_debug_snapshot!(read(line));
}

#[test]
fn foreign_messages_keep_what_conversation_needs() {
    let messages = [
        r#""role":"assistant","content":[{"type":"image","data":"QUJD","mimeType":"image/png"},{"type":"toolCall","id":"c","name":"n"},{"type":"hologram","x":[1,2]},7],"api":"x","provider":"y","model":"z","usage":{"input":5,"output":1,"cost":{"total":0.1}},"stopReason":"aborted","errorMessage":"e""#,
        r#""role":"bashExecution","command":"ls","output":"a.txt\n","exitCode":1"#,
        r#""role":"bashExecution","command":"ls","output":"a","excludeFromContext":true"#,
        r#""role":"custom","customType":"note","content":"n","display":true"#,
        r#""role":"branchSummary","summary":"left","fromId":"x""#,
        r#""role":"oracle","content":5"#,
    ];
    assert_debug_snapshot!(messages.map(foreign));
}

#[test]
fn details_of_tool_result_are_not_read() {
    let result = r#""role":"toolResult","toolCallId":"c","toolName":"n","content":[{"type":"text","text":"ok"}],"details":{"stdout":"never sent"},"isError":false"#;
    assert_debug_snapshot!(foreign(result));
}

#[test]
fn foreign_lines_of_other_types_are_readable() {
    let compaction = r###"{"type":"compaction","id":"0f0e0d0c","parentId":"99aa88bb","timestamp":"2026-04-12T10:00:00.000Z","summary":"## Decisions","firstKeptEntryId":"77665544","tokensBefore":181234,"details":{"anything":1},"fromHook":true}"###;
    let info = r#"{"type":"session_info","id":"b","parentId":"a","timestamp":"2026-04-12T10:00:00.000Z","name":"The move"}"#;
    assert_debug_snapshot!([compaction, info].map(|line| read(line).payload));
    for entry_type in [
        "custom",
        "label",
        "session_info",
        "model_change",
        "tomorrow",
    ] {
        let line = format!(
            r#"{{"type":"{entry_type}","id":"b","parentId":"a","timestamp":"2026-04-12T10:00:00.000Z","data":{{"deep":[[[]]]}}}}"#
        );
        assert_eq!(read(&line).payload, Payload::Other(entry_type.into()));
    }
}

#[test]
fn lone_surrogate_becomes_replacement_character() {
    let said = foreign(r#""role":"user","content":[{"type":"text","text":"cut \ud83d"}]"#);
    assert_eq!(
        said,
        Payload::Message(stored(Message::user("cut \u{fffd}")))
    );
}

#[test]
fn i16_damaged_line_is_reported_and_keeps_its_id() {
    let place = Some(EntryPlace {
        id: EntryId::new("b"),
        parent: Some(EntryId::new("a")),
    });
    let line = |rest: &str| format!(r#"{{"type":"message","id":"b","parentId":"a"{rest}}}"#);
    let time = r#","timestamp":"2026-04-12T10:00:00.000Z""#;
    let check = |bytes: &[u8], expected: Option<EntryPlace>| {
        let text = String::from_utf8_lossy(bytes);
        let content = parse(bytes);
        let LineContent::Damaged { place, damage } = &content else {
            panic!("{text} {content:?}");
        };
        assert_eq!(place, &expected, "{text}");
        assert_ne!(damage.to_string(), "", "{text}");
        assert_eq!(parse_place(bytes), expected, "{text}");
    };
    for bytes in [
        &b""[..],
        b" \r",
        b"\xff\xfe{",
        b"\0\0\0\0",
        b"[1]",
        br#"{"type":"message""#,
        br#"{"type":5,"id":"b"}"#,
        br#"{"type":"message","id":""}"#,
        br#"{"type":"session","version":"x","id":"b"}"#,
    ] {
        check(bytes, None);
    }
    for rest in [
        r#","timestamp":"yesterday","message":{"role":"user"}"#,
        r#","timestamp":"2026-13-45T10:00:00Z","message":{"role":"user"}"#,
        "",
    ] {
        check(line(rest).as_bytes(), place.clone());
    }
    for message in [
        "",
        r#","message":{"role":"user","content":5}"#,
        r#","message":{"content":"hi"}"#,
        r#","message":{"role":"user"}"#,
        r#","message":{"role":"assistant","content":null}"#,
        r#","message":{"role":"toolResult","toolCallId":"c"}"#,
    ] {
        check(line(&format!("{time}{message}")).as_bytes(), place.clone());
    }
}

#[test]
fn missing_parent_field_reads_as_empty_parent() {
    let line = br#"{"type":"label","id":"b","timestamp":"2026-04-12T10:00:00Z"}"#;
    let expected = EntryPlace {
        id: EntryId::new("b"),
        parent: Some(EntryId::new("")),
    };
    assert_eq!(parse_place(line), Some(expected));
}

#[test]
fn render_rejects_entries_that_cannot_be_read_back() {
    let late = Entry {
        at: "+12026-01-01T00:00:00Z".parse().unwrap(),
        ..entry(Payload::Meta(Meta::default()))
    };
    let n_chars = usize::try_from(LINE_BYTES_MAX).unwrap();
    let long = entry(Payload::Message(stored(Message::user("x".repeat(n_chars)))));
    let foreign = entry(Payload::Other("label".into()));
    assert_eq!(
        [late, foreign, long].map(|entry| render(&entry).unwrap_err().to_string()),
        [
            "the year of +12026-01-01 00:00:00 UTC does not have four digits",
            "entries of type label can be read but not written",
            "the entry takes 67109037 bytes; the limit per line is 67108864",
        ]
    );
}

proptest! {
    #[test]
    fn i16_parse_never_panics_and_agrees_with_parse_place(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let place = match parse(&bytes) {
            LineContent::Entry(entry) => Some(entry.id),
            LineContent::Damaged { place, .. } => place.map(|place| place.id),
            LineContent::Header(_) | LineContent::ShortMeta(_) => None,
        };
        prop_assert_eq!(parse_place(&bytes).map(|place| place.id), place);
    }

    #[test]
    fn i16_parse_and_parse_place_agree_on_broken_line(cut in 0_usize..500, byte in any::<u8>()) {
        let mut line = render(&ours("meta", META)).unwrap();
        line.pop();
        if let Some(broken) = line.get_mut(cut) {
            *broken = byte;
        }
        let place = match parse(&line) {
            LineContent::Entry(entry) => Some(EntryPlace { id: entry.id, parent: entry.parent }),
            LineContent::Damaged { place, .. } => place,
            LineContent::Header(_) | LineContent::ShortMeta(_) => None,
        };
        prop_assert_eq!(parse_place(&line), place);
    }

    #[test]
    fn i1_message_with_any_text_reads_back(text in "\\PC*|(.|\n|\r){0,40}", arguments in ".{0,30}") {
        let message = Payload::Message(stored(Message::Assistant(Assistant {
            content: vec![
                Block::Text(text),
                Block::ToolCall(ToolCall {
                    id: ToolCallId::new("c"),
                    name: "n".into(),
                    arguments,
                }),
            ],
            ..Assistant::default()
        })));
        let line = render(&entry(message.clone())).unwrap();
        prop_assert_eq!(parse(line.trim_ascii_end()), LineContent::Entry(entry(message)));
    }
}

#[test]
fn plain_place_agrees_with_parsed_place_or_is_absent() {
    let rest = r#""timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"a"}}"#;
    let plain = [
        (r#"{"type":"message","id":"b","parentId":"a","#, true),
        (r#"{"type":"message","id":"b","parentId":null,"#, true),
        (r#"{"type":"message","id":"\u0062","parentId":"a","#, false),
        (r#"{"type":"message","id":"b","parentId":"\"a","#, false),
        (r#"{"type":"message","id":"","parentId":"a","#, false),
        (r#"{"type":"message","id":"b","parentId":7,"#, false),
        (r#"{"type":"message","parentId":"a","id":"b","#, false),
        (r#"{"type":"custom","id":"b","parentId":"a","#, false),
    ];
    for (head, is_plain) in plain {
        let line = format!("{head}{rest}");
        let found = plain_place(line.as_bytes());
        assert_eq!(found.is_some(), is_plain, "{line}");
        if is_plain {
            assert_eq!(found, parse_place(line.as_bytes()), "{line}");
        }
    }
    assert_eq!(
        plain_place(br#"{"type":"message","id":"b","parentId":"a""#),
        None
    );
}
