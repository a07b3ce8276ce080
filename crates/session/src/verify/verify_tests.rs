//! The findings of `verify`, each exactly once, in files written by hand.
//!
//! A genuine file of another program passes.

use base::{Clock, SessionId, SystemClock, ToolCallId};

use super::*;
use crate::test_kit::{
    NO_LIMIT, compaction_line, header_line, home_with, id, line, main, rewind_line, store, texts,
    user_line as user,
};
use crate::{Damage, Epoch};

fn report(transcript: impl AsRef<[u8]>) -> VerifyReport {
    let store = store(home_with(transcript));
    verify(store.lines(&main()).unwrap()).unwrap()
}

/// Checks the findings of a file that consists of a header and these lines: line number, entry and kind.
#[track_caller]
fn check(lines: &[String], expected: &[(u64, &str, FindingKind)]) -> VerifyReport {
    let report = report(header_line() + &lines.concat());
    let expected: Vec<VerifyFinding> = expected
        .iter()
        .map(|(line, entry, kind)| VerifyFinding {
            line: *line,
            entry: (!entry.is_empty()).then(|| id(entry)),
            kind: kind.clone(),
        })
        .collect();
    assert_eq!(report.findings, expected);
    report
}

fn calling(name: &str, parent: &str, stop: &str, calls: &[&str]) -> String {
    let calls: Vec<String> = calls
        .iter()
        .map(|call| {
            format!("{{\"type\":\"toolCall\",\"id\":\"{call}\",\"name\":\"n\",\"arguments\":{{}}}}")
        })
        .collect();
    let more = format!(
        ",\"message\":{{\"role\":\"assistant\",\"content\":[{}],\"stopReason\":\"{stop}\"}}",
        calls.join(",")
    );
    line("message", name, parent, &more)
}

fn result(name: &str, parent: &str, call: &str) -> String {
    let more = format!(
        ",\"message\":{{\"role\":\"toolResult\",\"toolCallId\":\"{call}\",\"toolName\":\"n\",\"content\":[]}}"
    );
    line("message", name, parent, &more)
}

/// A reply with this many calls, and their results.
fn many_calls(n_calls: usize) -> String {
    let calls: Vec<String> = (0..n_calls).map(|number| format!("c{number}")).collect();
    let names: Vec<&str> = calls.iter().map(String::as_str).collect();
    let mut lines = vec![user("u", "null"), calling("a", "u", "toolUse", &names)];
    let mut before = "a".to_owned();
    for call in &calls {
        let name = format!("r{call}");
        lines.push(result(&name, &before, call));
        before = name;
    }
    format!("{}{}", header_line(), lines.concat())
}

/// Four times as many calls must take about four times as long, and not sixteen times.
#[test]
fn verify_takes_linear_time_in_calls() {
    let clock = SystemClock::new();
    let least = |n_calls: usize| {
        let store = store(home_with(many_calls(n_calls)));
        let once = || {
            let begun = clock.monotonic();
            let report = verify(store.lines(&main()).unwrap()).unwrap();
            assert_eq!(report.findings, []);
            clock.monotonic().checked_sub(begun).unwrap()
        };
        (0..5).map(|_| once()).min().unwrap()
    };
    let (few, many) = (least(1_000), least(4_000));
    assert!(many < few * 10, "{few:?} became {many:?}");
}

#[test]
fn verify_pairs_calls_separately_on_each_branch() {
    let lines = [
        user("u", "null"),
        calling("a", "u", "toolUse", &["x", "y", "x"]),
        result("r1", "a", "x"),
        result("r2", "r1", "y"),
        result("s1", "a", "y"),
        result("s2", "s1", "y"),
        user("s3", "s2"),
        result("r3", "r2", "x"),
        result("r4", "r3", "x"),
        user("r5", "r3"),
    ];
    let unanswered = |call: &str| FindingKind::UnansweredCall(ToolCallId::new(call));
    let closed = |call: &str| FindingKind::ResultWithoutCall(ToolCallId::new(call));
    check(
        &lines,
        &[
            (7, "s2", closed("y")),
            (8, "s3", unanswered("x")),
            (8, "s3", unanswered("x")),
            (10, "r4", closed("x")),
        ],
    );
}

fn meta(name: &str, parent: &str, more: &str) -> String {
    line("meta", name, parent, more)
}

fn intent(name: &str, parent: &str, epoch: u64, span: (&str, &str)) -> String {
    let more = format!(
        ",\"compactionCount\":{epoch},\"intent\":{{\"logFile\":\"l\",\"epoch\":{epoch},\"span\":[\"{}\",\"{}\"],\"beforeCompaction\":true}}",
        span.0, span.1
    );
    meta(name, parent, &more)
}

fn success(name: &str, parent: &str, epoch: u64, through: &str) -> String {
    let more = format!(",\"compactionCount\":{epoch},\"flushedThroughEntryId\":\"{through}\"");
    meta(name, parent, &more)
}

fn call(name: &str) -> ToolCallId {
    ToolCallId::new(name)
}

const FOREIGN: &[u8] = include_bytes!("../../../../tests/fixtures/v1/openclaw_v3.jsonl");

#[test]
fn foreign_file_of_version_3_is_clean_and_opens_unchanged() {
    let report = report(FOREIGN);
    let expected = VerifyReport {
        n_lines: 28,
        n_entries: 27,
        n_messages: 17,
        epoch: Epoch(2),
        findings: Vec::new(),
    };
    assert_eq!(report, expected);
    assert!(report.is_clean());

    let store = store(home_with(FOREIGN));
    let turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    assert_eq!(turn.repairs(), []);
    assert_eq!(
        turn.session_id(),
        &SessionId::new("5d0f7a52-9c1e-4a3b-8f51-2f6f0f6f9b10")
    );
    assert_eq!(
        texts(turn.view()),
        [
            "[## Decisions\n- Order 1041 leaves on 2026-04-15.]",
            "What did they answer?",
            "[The answer of the shop was asked for once already.]",
            "Mail from pedidos@semillas.example: sale el 15 de abril.",
            "They say that order 1041 leaves on 15 April.",
            "Good. Remind me on the 16th.",
        ]
    );
    assert_eq!(turn.state().compaction_count, Epoch(2));
    assert_eq!(turn.state().memory_flush_compaction_count, None);
    // Everything said on this branch, including messages that programs inserted; the reply on the other branch is
    // left out.
    assert_eq!(turn.unflushed().unwrap().n_entries(), 17);
    assert_eq!(crate::test_kit::transcript(&home_with(FOREIGN)), FOREIGN);
}

#[test]
fn verify_reports_unreadable_lines() {
    let no_time = "{\"type\":\"label\",\"id\":\"b\",\"parentId\":\"a\"}\n".to_owned();
    let lines = [user("a", "null"), "\n".into(), no_time, header_line()];
    let expected = [
        (3, "", FindingKind::Damaged(Damage::Blank)),
        (4, "b", FindingKind::Damaged(Damage::NoTimestamp)),
        (5, "", FindingKind::SecondHeader),
    ];
    let report = check(&lines, &expected);
    assert_eq!((report.n_lines, report.n_entries), (5, 1));
    let severities: Vec<Severity> = report
        .findings
        .iter()
        .map(|finding| finding.kind.severity())
        .collect();
    assert_eq!(
        severities,
        [Severity::Note, Severity::Error, Severity::Error]
    );
    assert!(!report.is_clean());
}

#[test]
fn verify_reports_missing_header_torn_tail_and_newer_version() {
    let kinds = |transcript: String| -> Vec<(u64, FindingKind)> {
        let found = report(transcript).findings.into_iter();
        found.map(|finding| (finding.line, finding.kind)).collect()
    };
    assert_eq!(
        kinds(user("a", "null") + "torn"),
        [(1, FindingKind::NoHeader), (2, FindingKind::TornTail(4))]
    );
    let newer = header_line().replace("\"version\":3", "\"version\":9");
    assert_eq!(kinds(newer), [(1, FindingKind::NewerVersion(9))]);
    assert_eq!(kinds(String::new()), [(1, FindingKind::NotBegun)]);
}

#[test]
fn verify_reports_duplicate_ids_and_bad_parents() {
    let unstated = "{\"type\":\"label\",\"id\":\"u\",\"timestamp\":\"2026-04-12T10:00:00Z\"}\n";
    let lines = [
        user("a", "null"),
        user("a", "a"),
        user("b", "lost"),
        user("c", "d"),
        user("d", "c"),
        unstated.into(),
    ];
    let expected = [
        (3, "a", FindingKind::DuplicateId),
        (4, "b", FindingKind::MissingParent(id("lost"))),
        (5, "c", FindingKind::ParentAfterChild(id("d"))),
        (7, "u", FindingKind::MissingParent(id(""))),
    ];
    check(&lines, &expected);
}

#[test]
fn i3_verify_pairs_calls_and_results_on_their_branch() {
    let paired = [
        user("a", "null"),
        calling("b", "a", "toolUse", &["1", "2"]),
        result("c", "b", "2"),
        line("custom", "d", "c", ""),
        result("e", "d", "1"),
        user("f", "e"),
        // A result on another branch, and calls in an interrupted reply.
        result("g", "b", "1"),
        calling("h", "f", "aborted", &["3"]),
        user("i", "h"),
        calling("j", "i", "toolUse", &["4"]),
    ];
    check(&paired, &[]);
    let lines = [
        user("a", "null"),
        calling("b", "a", "toolUse", &["1", "2"]),
        result("c", "b", "1"),
        user("d", "c"),
        result("e", "d", "2"),
    ];
    let expected = [
        (5, "d", FindingKind::UnansweredCall(call("2"))),
        (6, "e", FindingKind::ResultWithoutCall(call("2"))),
    ];
    check(&lines, &expected);
}

#[test]
fn verify_requires_consecutive_epochs() {
    let clean = [
        user("a", "null"),
        compaction_line("b", "a", "a", ""),
        compaction_line("c", "b", "c", ",\"epoch\":1"),
        meta("d", "c", ",\"compactionCount\":2"),
        compaction_line("e", "d", "d", ",\"epoch\":2"),
    ];
    assert_eq!(check(&clean, &[]).epoch, Epoch(3));
    let lines = [
        user("a", "null"),
        compaction_line("b", "a", "a", ",\"epoch\":0"),
        compaction_line("c", "b", "lost", ",\"epoch\":0"),
        meta("d", "c", ",\"compactionCount\":1"),
    ];
    let not_consecutive = FindingKind::EpochNotConsecutive {
        expected: Epoch(1),
        found: Epoch(0),
    };
    let decreased = FindingKind::EpochDecreased {
        expected: Epoch(2),
        found: Epoch(1),
    };
    let expected = [
        (4, "c", not_consecutive),
        (4, "c", FindingKind::MissingKept(id("lost"))),
        (5, "d", decreased),
    ];
    check(&lines, &expected);
}

#[test]
fn i4_verify_reports_overlapping_flushes() {
    let flushed_once = [
        user("a", "null"),
        user("b", "a"),
        intent("i", "b", 0, ("a", "b")),
        success("s", "i", 0, "b"),
    ];
    check(&flushed_once, &[]);
    let mut again = flushed_once.to_vec();
    again.extend([
        user("c", "s"),
        intent("i2", "c", 0, ("b", "c")),
        success("s2", "i2", 0, "c"),
    ]);
    let overlap = FindingKind::FlushOverlap {
        from: id("b"),
        to: id("c"),
    };
    let second = FindingKind::SecondFlush(Epoch(0));
    check(&again, &[(8, "s2", second), (8, "s2", overlap)]);
}

#[test]
fn i1_verify_reports_repeated_source_message() {
    let replayed = |name: &str, parent: &str, index: u64| {
        let source = format!(
            ",\"source\":{{\"hash\":\"h\",\"index\":{index}}},\"message\":{{\"role\":\"user\",\"content\":\"x\"}}"
        );
        line("message", name, parent, &source)
    };
    let first = user("e0", "null");
    let once = [
        first.clone(),
        replayed("e1", "e0", 0),
        replayed("e2", "e1", 1),
    ];
    check(&once, &[]);
    let twice = [first, replayed("e1", "e0", 1), replayed("e2", "e1", 1)];
    check(&twice, &[(4, "e2", FindingKind::SourceRepeated(1))]);
    let reset = line("reset", "r", "e2", ",\"sessionId\":\"s2\"");
    let anew = [&once[..], &[reset, replayed("e3", "r", 0)]].concat();
    check(&anew, &[]);
}

#[test]
fn i4_verify_accepts_retry_of_failed_flush() {
    let lines = [
        user("a", "null"),
        intent("i", "a", 0, ("a", "a")),
        meta("f", "i", ",\"compactionCount\":0,\"flushFailures\":1"),
        intent("i2", "f", 0, ("a", "a")),
        // A newer intent replaces one that never ended.
        intent("i3", "i2", 0, ("a", "a")),
        success("s", "i3", 0, "a"),
    ];
    check(&lines, &[]);
    let nowhere = [
        user("a", "null"),
        user("b", "a"),
        intent("i", "b", 0, ("b", "a")),
        success("s", "i", 0, "a"),
    ];
    let unknown = FindingKind::FlushSpanUnknown {
        from: id("b"),
        to: id("a"),
    };
    check(&nowhere, &[(5, "s", unknown)]);
}

#[test]
fn verify_checks_byte_offset_of_rewind_target() {
    let a = header_line().len();
    for offset in [a, a + 1, 0] {
        let lines = [
            user("a", "null"),
            user("b", "a"),
            rewind_line("r", "a", offset),
        ];
        let wrong = FindingKind::RewindTarget {
            target: id("a"),
            offset: offset as u64,
        };
        let expected = [(4, "r", wrong)];
        check(&lines, &expected[usize::from(offset == a)..]);
    }
}

#[test]
fn verify_notes_decreasing_time_without_error() {
    let earlier = user("b", "a").replace("2026-04-12", "2026-04-11");
    let report = check(
        &[user("a", "null"), earlier],
        &[(3, "b", FindingKind::TimeDecreased)],
    );
    assert!(report.is_clean());
}

#[test]
fn finding_describes_problem_in_words() {
    let overlap = FindingKind::FlushOverlap {
        from: id("a"),
        to: id("b"),
    };
    assert_eq!(
        overlap.to_string(),
        "the flush from a to b overlaps an earlier one"
    );
    assert_eq!(
        FindingKind::Damaged(Damage::NoId).to_string(),
        "the line has no id"
    );
    assert_eq!(Severity::Warning.as_str(), "warning");
}
