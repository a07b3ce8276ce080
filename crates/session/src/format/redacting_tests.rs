//! Redacted lines.
//!
//! Each line keeps its length and reads back as the same entry at the same offset.

use proptest::prelude::*;

use super::*;
use crate::format::{LineContent, parse, parse_place};

#[track_caller]
fn check(line: &str, goes: RedactionScope<'_>, expected: Option<&str>) {
    let redacted = redact(line.as_bytes(), goes);
    let text = redacted
        .as_ref()
        .map(|bytes| String::from_utf8_lossy(bytes));
    // Comparing parsed values ignores the order of keys.
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    assert_eq!(text.as_deref().map(read), expected.map(read), "{text:?}");
    if expected == Some("") {
        assert_eq!(text.as_deref().map(str::trim_end), expected);
    }
    if let Some(bytes) = &redacted {
        assert_eq!(bytes.len(), line.len());
        assert_eq!(parse_place(bytes), parse_place(line.as_bytes()));
    }
}

const HEAD: &str = r#""id":"a","parentId":null,"timestamp":"2026-03-02T08:04:17.000Z""#;

fn message(body: &str) -> String {
    format!(r#"{{"type":"message",{HEAD},"message":{body}}}"#)
}

fn anywhere(text: &str) -> RedactedText<'_> {
    RedactedText {
        text,
        extent: Extent::Anywhere,
    }
}

#[test]
fn sentence_is_redacted_only_where_no_letter_or_digit_continues_it() {
    let texts = [RedactedText {
        text: "I like tea",
        extent: Extent::WholeWords,
    }];
    for (said, expected) in [
        (
            "I like tea. I like team sports.",
            Some("[redacted]. I like team sports."),
        ),
        ("(I like tea)", Some("([redacted])")),
        ("I like teas, and ALI like tea", None),
        ("I like tea\u{e4}", None),
        ("I like teaI like tea", None),
        ("I like team, I like tea", Some("I like team, [redacted]")),
    ] {
        let line = |text: &str| message(&json!({"role": "user", "content": text}).to_string());
        let expected = expected.map(line);
        check(
            &line(said),
            RedactionScope::Texts(&texts),
            expected.as_deref(),
        );
    }
    check("{broken I like team", RedactionScope::Texts(&texts), None);
    check(
        "{broken I like tea",
        RedactionScope::Texts(&texts),
        Some(""),
    );
}

#[test]
fn redact_removes_words_from_text_arguments_and_summaries() {
    let texts = [anywhere("4711-PIN")];
    check(
        &message(r#"{"content":"my pin is 4711-PIN, really 4711-PIN","role":"user"}"#),
        RedactionScope::Texts(&texts),
        Some(&message(
            r#"{"content":"my pin is *, really *","role":"user"}"#,
        )),
    );
    check(
        &message(r#"{"content":"my pin","role":"user"}"#),
        RedactionScope::Texts(&texts),
        None,
    );
    check(
        &message(
            r#"{"content":[{"arguments":{"pin":["4711-PIN"]},"id":"4711-PIN","name":"x","type":"toolCall"}],"role":"assistant"}"#,
        ),
        RedactionScope::Texts(&texts),
        Some(&message(
            r#"{"content":[{"arguments":{"pin":["*"]},"id":"4711-PIN","name":"x","type":"toolCall"}],"role":"assistant"}"#,
        )),
    );
    check(
        &format!(
            r#"{{"type":"compaction",{HEAD},"firstKeptEntryId":"4711-PIN","summary":"the pin is 4711-PIN"}}"#
        ),
        RedactionScope::Texts(&texts),
        Some(&format!(
            r#"{{"type":"compaction",{HEAD},"firstKeptEntryId":"4711-PIN","summary":"the pin is *"}}"#
        )),
    );
    check("{broken 4711-PIN", RedactionScope::Texts(&texts), Some(""));
    check("{broken", RedactionScope::Texts(&texts), None);
}

#[test]
fn redact_all_removes_text_and_keeps_calls() {
    check(
        &message(r#"{"content":"hi","role":"user","x":"more"}"#),
        RedactionScope::All,
        Some(&message(r#"{"content":"[redacted]","role":"user"}"#)),
    );
    check(
        &message(r#"{"content":"hi","role":"user"}"#),
        RedactionScope::All,
        Some(&message(r#"{"content":"*","role":"user"}"#)),
    );
    check(
        &message(
            r#"{"content":[{"thinking":"about it","type":"thinking"},{"arguments":{"pin":4711},"id":"c","name":"x","type":"toolCall"}],"role":"assistant"}"#,
        ),
        RedactionScope::All,
        Some(&message(
            r#"{"content":[{"text":"[redacted]","type":"text"},{"arguments":{},"id":"c","name":"x","type":"toolCall"}],"role":"assistant"}"#,
        )),
    );
    check(
        &message(
            r#"{"content":[{"data":"aGVsbG8gdGhlcmUsIHRoaXM=","mimeType":"image/png","type":"image"}],"isError":false,"role":"toolResult","toolCallId":"c"}"#,
        ),
        RedactionScope::All,
        Some(&message(
            r#"{"content":[{"text":"[redacted]","type":"text"}],"isError":false,"role":"toolResult","toolCallId":"c"}"#,
        )),
    );
}

proptest! {
    #[test]
    fn i16_redact_keeps_line_length_and_readability(text in "\\PC{1,60}", word in "\\PC{1,6}") {
        let line = message(&json!({"role": "user", "content": text}).to_string());
        let texts = [anywhere(&word)];
        for goes in [RedactionScope::All, RedactionScope::Texts(&texts)] {
            let Some(redacted) = redact(line.as_bytes(), goes) else {
                prop_assert!(matches!(goes, RedactionScope::All) || !text.contains(&word));
                continue;
            };
            prop_assert_eq!(redacted.len(), line.len());
            prop_assert!(matches!(parse(&redacted), LineContent::Entry(_)));
            if matches!(goes, RedactionScope::Texts(_)) {
                let read: Value = serde_json::from_slice(&redacted).unwrap();
                let said = read["message"]["content"].as_str().unwrap().to_owned();
                prop_assert!(!said.contains(&word), "{said}");
            }
        }
        redact(text.as_bytes(), RedactionScope::Texts(&texts));
    }
}
