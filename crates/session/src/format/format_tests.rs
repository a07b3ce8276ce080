//! Lines of a transcript, written literally, and what they read as.
//!
//! Covers ours, those of OpenClaw, and damage.

use base::{
    Assistant, Block, EntryId, Image, Message, Origin, SessionId, StopReason, TokenCount, ToolCall,
    ToolCallId, ToolOutcome, ToolResult, Usage,
};
use proptest::prelude::*;

use super::*;
use crate::{
    ArtifactFile, ArtifactIdentifier, Artifacts, BranchSummary, Compaction, CompactionDetails,
    CopiedFrom, CustomMessage, Entry, EntryPlace, EntryPointer, Epoch, FileState, FlushIntent,
    Meta, Payload, ReplaySource, Reset, ResetReason, Rewind, SessionInfo, StoredMessage,
};

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

/// The entry makes this line, and this line makes the entry.
#[track_caller]
fn check(entry: &Entry, line: &str) {
    let rendered = String::from_utf8(render(entry).unwrap()).unwrap();
    assert_eq!(rendered, format!("{line}\n"));
    assert_eq!(parse(line.as_bytes()), LineContent::Entry(entry.clone()));
}

/// The line makes an entry that says this.
#[track_caller]
fn check_reads(line: &str, expected: &Payload) {
    let content = parse(line.as_bytes());
    let LineContent::Entry(entry) = &content else {
        panic!("{content:?}");
    };
    assert_eq!(&entry.payload, expected);
}

fn foreign(role_and_more: &str) -> String {
    format!(
        r#"{{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-04-12T10:00:00.000Z","message":{{{role_and_more}}}}}"#
    )
}

fn meta() -> Meta {
    Meta {
        compaction_count: Epoch(3),
        memory_flush_compaction_count: Some(Epoch(2)),
        flushed_through: Some(EntryId::new("e9")),
        memory_flush_at: Some("2026-04-20T14:00:00Z".parse().unwrap()),
        last_compaction_at: Some("2026-04-20T13:00:00Z".parse().unwrap()),
        flush_failures: 1,
        intent: Some(FlushIntent {
            log_file: "memory/2026-04-20.md".into(),
            epoch: Epoch(3),
            span: (EntryId::new("e3"), EntryId::new("e9")),
            before_compaction: true,
        }),
        rewind_count: 0,
        compaction_failures: 2,
    }
}

#[test]
fn the_header_is_version_3() {
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
fn a_user_message_keeps_origin_source_and_name() {
    let message = Message::User {
        content: vec![Block::Text("caf\u{e9}\n\u{1f642} \"x\"\0".into())],
        name: Some("Ana".into()),
    };
    let stored = StoredMessage {
        origin: Some(Origin::Owner),
        source: Some(ReplaySource {
            hash: "ab".into(),
            index: 7,
        }),
        copied_from: Some(CopiedFrom {
            session: SessionId::new("s0"),
            entry: EntryId::new("e0"),
            first: None,
        }),
        ..stored(message)
    };
    check(
        &entry(Payload::Message(stored)),
        concat!(
            r#"{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","#,
            r#""origin":"owner","source":{"hash":"ab","index":7},"copiedFrom":{"session":"s0","entry":"e0"},"#,
            r#""message":{"role":"user","content":[{"type":"text","text":"café\n🙂 \"x\"\u0000"}],"#,
            r#""name":"Ana","timestamp":1776694985678}}"#
        ),
    );
}

#[test]
fn an_assistant_message_keeps_its_blocks_usage_and_stop() {
    let call = |arguments: &str| {
        Block::ToolCall(ToolCall {
            id: ToolCallId::new("c1"),
            name: "read".into(),
            arguments: arguments.into(),
        })
    };
    let assistant = Assistant {
        content: vec![
            Block::Thinking("hm".into()),
            Block::Text("I look".into()),
            call(r#"{"path": "a.txt", "n": 1.50}"#),
            call(r#"{"path": "#),
            call("[1]"),
            Block::Image(Image {
                mime_type: "image/png".into(),
                reference: "inline:12".into(),
            }),
            Block::Unknown {
                kind: "video".into(),
                n_bytes: 99,
            },
        ],
        usage: Some(Usage {
            input: TokenCount(1),
            output: TokenCount(2),
            cache_read: TokenCount(3),
            cache_write: TokenCount(4),
            estimate: Some(TokenCount(9)),
        }),
        stop: StopReason::ToolUse,
    };
    check(
        &entry(Payload::Message(stored(Message::Assistant(assistant)))),
        concat!(
            r#"{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","#,
            r#""message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},"#,
            r#"{"type":"text","text":"I look"},"#,
            r#"{"type":"toolCall","id":"c1","name":"read","arguments":{"path": "a.txt", "n": 1.50}},"#,
            r#"{"type":"toolCall","id":"c1","name":"read","arguments":"{\"path\": "},"#,
            r#"{"type":"toolCall","id":"c1","name":"read","arguments":"[1]"},"#,
            r#"{"type":"image","mimeType":"image/png","reference":"inline:12"},"#,
            r#"{"type":"video","omittedBytes":99}],"#,
            r#""usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":10,"estimate":9},"#,
            r#""stopReason":"toolUse","timestamp":1776694985678}}"#
        ),
    );
}

#[test]
fn a_tool_result_keeps_its_outcome() {
    let result = ToolResult {
        call_id: ToolCallId::new("c1"),
        tool_name: "read".into(),
        content: vec![Block::Text("no such file".into())],
        outcome: ToolOutcome::Failure,
    };
    check(
        &entry(Payload::Message(stored(Message::ToolResult(result)))),
        concat!(
            r#"{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","#,
            r#""message":{"role":"toolResult","toolCallId":"c1","toolName":"read","#,
            r#""content":[{"type":"text","text":"no such file"}],"isError":true,"timestamp":1776694985678}}"#
        ),
    );
}

#[test]
fn a_compaction_keeps_all_that_the_view_needs() {
    let compaction = Compaction {
        epoch: Some(Epoch(3)),
        summary: "## Goal".into(),
        first_kept: EntryId::new("e8"),
        tokens_before: TokenCount(176_000),
        details: CompactionDetails {
            keep_first: vec![EntryPointer {
                id: EntryId::new("e1"),
                offset: 90,
            }],
            span: Some((EntryId::new("e1"), EntryId::new("e7"))),
            tokens_after: Some(TokenCount(15_000)),
            ratio_percent: Some(820),
            retention_percent: Some(97),
            context_window: Some(TokenCount(200_000)),
            strategy: Some("handoff".into()),
            rung: Some("offline".into()),
            failed_rungs: vec!["model".into()],
            copied_from: Some(Box::new(CopiedFrom {
                session: SessionId::new("s0"),
                entry: EntryId::new("e0"),
                first: Some(EntryId::new("e9")),
            })),
            read_files: vec!["a".into()],
            modified_files: vec!["b".into()],
            artifacts: Artifacts {
                files: vec![ArtifactFile {
                    path: "b".into(),
                    state: FileState::Written,
                    entry: EntryId::new("e3"),
                }],
                identifiers: vec![ArtifactIdentifier {
                    text: "2.3.1".into(),
                    entries: vec![EntryId::new("e2"), EntryId::new("e5")],
                }],
            },
        },
    };
    check(
        &entry(Payload::Compaction(compaction)),
        concat!(
            r###"{"type":"compaction","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","###,
            r###""summary":"## Goal","firstKeptEntryId":"e8","tokensBefore":176000,"epoch":3,"###,
            r###""details":{"readFiles":["a"],"modifiedFiles":["b"],"keepFirst":[{"id":"e1","offset":90}],"###,
            r###""span":["e1","e7"],"tokensAfter":15000,"ratioPercent":820,"retentionPercent":97,"contextWindow":200000,"###,
            r###""strategy":"handoff","rung":"offline","failedRungs":["model"],"artifacts":{"files":[{"path":"b","state":"written","entryId":"e3"}],"###,
            r###""identifiers":[{"text":"2.3.1","entryIds":["e2","e5"]}]},"copiedFrom":{"session":"s0","entry":"e0","first":"e9"}}}"###
        ),
    );
}

#[test]
fn a_meta_says_the_whole_state_and_a_first_one_has_no_marker() {
    check(
        &entry(Payload::Meta(meta())),
        concat!(
            r#"{"type":"meta","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","#,
            r#""compactionCount":3,"memoryFlushCompactionCount":2,"flushedThroughEntryId":"e9","#,
            r#""memoryFlushAt":"2026-04-20T14:00:00.000Z","lastCompactionAt":"2026-04-20T13:00:00.000Z","#,
            r#""flushFailures":1,"intent":{"logFile":"memory/2026-04-20.md","epoch":3,"#,
            r#""span":["e3","e9"],"beforeCompaction":true},"compactionFailures":2}"#
        ),
    );
    check(
        &entry(Payload::Meta(Meta::default())),
        concat!(
            r#"{"type":"meta","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","#,
            r#""compactionCount":0,"flushFailures":0}"#
        ),
    );
}

#[test]
fn reset_and_rewind_name_what_they_go_back_to() {
    let reset = Reset {
        session: SessionId::new("s2"),
        parent: Some(SessionId::new("s1")),
        reason: ResetReason::Asked,
    };
    check(
        &entry(Payload::Reset(reset.clone())),
        r#"{"type":"reset","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","sessionId":"s2","parentSession":"s1"}"#,
    );
    let replaced = Reset {
        reason: ResetReason::Replaced,
        ..reset
    };
    check(
        &entry(Payload::Reset(replaced)),
        r#"{"type":"reset","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","sessionId":"s2","parentSession":"s1","reason":"compaction"}"#,
    );
    let rewind = Rewind {
        target: EntryPointer {
            id: EntryId::new("e1"),
            offset: 90,
        },
        state: Meta {
            compaction_count: Epoch(1),
            ..Meta::default()
        },
    };
    check(
        &entry(Payload::Rewind(rewind)),
        concat!(
            r#"{"type":"rewind","id":"e2","parentId":"e1","timestamp":"2026-04-20T14:23:05.678Z","#,
            r#""targetId":"e1","targetOffset":90,"state":{"compactionCount":1,"flushFailures":0}}"#
        ),
    );
}

#[test]
fn arguments_never_break_a_line() {
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
        // Not JSON with the line end, and no JSON may be made of it by leaving the line end out.
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
fn a_shorter_meta_without_a_place_is_readable() {
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
fn user_content_may_be_a_string_and_time_may_have_an_offset() {
    let line = r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-04-12T12:00:00+02:00","message":{"role":"user","content":"hi","timestamp":1}}"#;
    let expected = Entry {
        id: EntryId::new("a"),
        parent: None,
        at: "2026-04-12T10:00:00Z".parse().unwrap(),
        payload: Payload::Message(stored(Message::user("hi"))),
    };
    assert_eq!(parse(line.as_bytes()), LineContent::Entry(expected));
}

#[test]
fn messages_of_openclaw_keep_what_the_conversation_needs() {
    check_reads(
        &foreign(
            r#""role":"assistant","content":[{"type":"image","data":"QUJD","mimeType":"image/png"},{"type":"toolCall","id":"c","name":"n"},{"type":"hologram","x":[1,2]},7],"api":"x","provider":"y","model":"z","usage":{"input":5,"output":1,"cost":{"total":0.1}},"stopReason":"aborted","errorMessage":"e""#,
        ),
        &Payload::Message(stored(Message::Assistant(Assistant {
            content: vec![
                Block::Image(Image {
                    mime_type: "image/png".into(),
                    reference: "inline:4".into(),
                }),
                Block::ToolCall(ToolCall {
                    id: ToolCallId::new("c"),
                    name: "n".into(),
                    arguments: String::new(),
                }),
                Block::Unknown {
                    kind: "hologram".into(),
                    n_bytes: 29,
                },
                Block::Unknown {
                    kind: String::new(),
                    n_bytes: 1,
                },
            ],
            usage: Some(Usage {
                input: TokenCount(5),
                output: TokenCount(1),
                ..Usage::default()
            }),
            stop: StopReason::Aborted,
        }))),
    );
    check_reads(
        &foreign(r#""role":"bashExecution","command":"ls","output":"a.txt\n","exitCode":1"#),
        &Payload::Message(StoredMessage {
            origin: Some(Origin::Untrusted),
            ..stored(Message::user("$ ls\na.txt\n(exit code 1)"))
        }),
    );
    check_reads(
        &foreign(r#""role":"bashExecution","command":"ls","output":"a","excludeFromContext":true"#),
        &Payload::Other("message".into()),
    );
    check_reads(
        &foreign(r#""role":"custom","customType":"note","content":"n","display":true"#),
        &Payload::CustomMessage(CustomMessage {
            custom_type: "note".into(),
            content: vec![Block::Text("n".into())],
        }),
    );
    check_reads(
        &foreign(r#""role":"branchSummary","summary":"left","fromId":"x""#),
        &Payload::BranchSummary(BranchSummary {
            summary: "left".into(),
        }),
    );
    check_reads(
        &foreign(r#""role":"oracle","content":5"#),
        &Payload::Other("message".into()),
    );
}

#[test]
fn what_a_tool_says_to_its_own_program_is_not_for_a_model() {
    check_reads(
        &foreign(
            r#""role":"toolResult","toolCallId":"c","toolName":"n","content":[{"type":"text","text":"ok"}],"details":{"stdout":"never sent"},"isError":false"#,
        ),
        &Payload::Message(stored(Message::ToolResult(ToolResult {
            call_id: ToolCallId::new("c"),
            tool_name: "n".into(),
            content: vec![Block::Text("ok".into())],
            outcome: ToolOutcome::Success,
        }))),
    );
}

#[test]
fn other_lines_of_openclaw_are_readable() {
    check_reads(
        r###"{"type":"compaction","id":"0f0e0d0c","parentId":"99aa88bb","timestamp":"2026-04-12T10:00:00.000Z","summary":"## Decisions","firstKeptEntryId":"77665544","tokensBefore":181234,"details":{"anything":1},"fromHook":true}"###,
        &Payload::Compaction(Compaction {
            epoch: None,
            summary: "## Decisions".into(),
            first_kept: EntryId::new("77665544"),
            tokens_before: TokenCount(181_234),
            details: CompactionDetails::default(),
        }),
    );
    check_reads(
        r#"{"type":"session_info","id":"b","parentId":"a","timestamp":"2026-04-12T10:00:00.000Z","name":"The move"}"#,
        &Payload::SessionInfo(SessionInfo {
            name: "The move".into(),
        }),
    );
    for entry_type in [
        "custom",
        "label",
        "session_info",
        "model_change",
        "tomorrow",
    ] {
        check_reads(
            &format!(
                r#"{{"type":"{entry_type}","id":"b","parentId":"a","timestamp":"2026-04-12T10:00:00.000Z","data":{{"deep":[[[]]]}}}}"#
            ),
            &Payload::Other(entry_type.into()),
        );
    }
}

#[test]
fn half_an_emoji_becomes_the_replacement_character() {
    check_reads(
        &foreign(r#""role":"user","content":[{"type":"text","text":"cut \ud83d"}]"#),
        &Payload::Message(stored(Message::user("cut \u{fffd}"))),
    );
}

#[test]
fn i16_damage_is_reported_and_a_place_is_kept() {
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
fn an_unstated_parent_names_nothing() {
    let line = br#"{"type":"label","id":"b","timestamp":"2026-04-12T10:00:00Z"}"#;
    let expected = EntryPlace {
        id: EntryId::new("b"),
        parent: Some(EntryId::new("")),
    };
    assert_eq!(parse_place(line), Some(expected));
}

#[test]
fn only_what_can_be_read_again_is_written() {
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
    fn i16_no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let place = match parse(&bytes) {
            LineContent::Entry(entry) => Some(entry.id),
            LineContent::Damaged { place, .. } => place.map(|place| place.id),
            LineContent::Header(_) | LineContent::ShortMeta(_) => None,
        };
        prop_assert_eq!(parse_place(&bytes).map(|place| place.id), place);
    }

    #[test]
    fn i16_a_broken_line_keeps_its_place_or_none(cut in 0_usize..500, byte in any::<u8>()) {
        let mut line = render(&entry(Payload::Meta(meta()))).unwrap();
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
    fn i1_every_text_reads_back(text in "\\PC*|(.|\n|\r){0,40}", arguments in ".{0,30}") {
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
