//! The views of files written by hand.
//!
//! `turn_tests` shows that a view survives reopening.

use super::*;
use crate::Repair;
use crate::test_kit::{
    NO_LIMIT, chain, compaction_line, header_line, id, line, open_lines, texts, user_line,
};

#[track_caller]
fn check(lines: &[String], limit: ResumeLimit, expected: &[&str]) -> ReadView {
    let read = read_view(&open_lines(lines), limit).unwrap();
    assert_eq!(texts(&read.view), expected);
    read
}

fn reset_line(id: &str, parent: &str) -> String {
    line("reset", id, parent, ",\"sessionId\":\"s2\"")
}

fn missing_kept(entry: &str) -> Repair {
    Repair::MissingKept {
        compaction: id("k"),
        entry: id(entry),
    }
}

#[test]
fn view_shows_everything_before_first_compaction() {
    let read = check(&chain(&["a", "b", "c"]), NO_LIMIT, &["a", "b", "c"]);
    assert_eq!((read.leaf, read.view.is_cut), (Some(id("c")), false));
    check(&[], NO_LIMIT, &[]);
}

#[test]
fn view_keeps_entries_named_by_newest_compaction() {
    let mut lines = chain(&["a", "b", "c"]);
    lines.push(compaction_line("k", "c", "b", ""));
    lines.push(user_line("d", "k"));
    check(&lines, NO_LIMIT, &["[sum k]", "b", "c", "d"]);
    lines.push(compaction_line("l", "d", "c", ""));
    check(&lines, NO_LIMIT, &["[sum l]", "c", "d"]);
    lines.push(compaction_line("m", "l", "m", ""));
    check(&lines, NO_LIMIT, &["[sum m]"]);
}

#[test]
fn first_kept_entry_may_be_of_any_type() {
    let mut lines = chain(&["a", "b"]);
    lines.push(line("model_change", "t", "b", ""));
    lines.push(user_line("c", "t"));
    lines.push(compaction_line("k", "c", "t", ""));
    let read = check(&lines, NO_LIMIT, &["[sum k]", "c"]);
    assert_eq!(read.repairs, []);
}

#[test]
fn missing_first_kept_entry_keeps_none_and_is_reported() {
    let mut lines = chain(&["a", "b"]);
    lines.push(compaction_line("k", "b", "lost", ""));
    lines.push(user_line("c", "k"));
    let read = check(&lines, NO_LIMIT, &["[sum k]", "c"]);
    assert_eq!(read.repairs, [missing_kept("lost")]);
}

#[test]
fn pinned_entries_precede_summary_without_repetition() {
    let mut lines = chain(&["a", "b", "c"]);
    let b = header_line().len() + lines[0].len();
    let c = b + lines[1].len();
    let details = format!(
        ",\"details\":{{\"keepFirst\":[{{\"id\":\"a\",\"offset\":{}}},{{\"id\":\"c\",\"offset\":{c}}},{{\"id\":\"b\",\"offset\":3}}]}}",
        header_line().len()
    );
    lines.push(compaction_line("k", "c", "c", &details));
    let read = check(&lines, NO_LIMIT, &["a", "[sum k]", "c"]);
    assert_eq!(read.repairs, [missing_kept("b")]);
}

#[test]
fn reset_empties_view() {
    let mut lines = chain(&["a", "b"]);
    lines.push(reset_line("r", "b"));
    check(&lines, NO_LIMIT, &[]);
    lines.push(compaction_line("k", "r", "k", ""));
    lines.push(user_line("c", "k"));
    check(&lines, NO_LIMIT, &["[sum k]", "c"]);
    lines.push(reset_line("r2", "c"));
    lines.push(user_line("d", "r2"));
    check(&lines, NO_LIMIT, &["d"]);
    lines.push(compaction_line("l", "d", "r2", ""));
    check(&lines, NO_LIMIT, &["[sum l]", "d"]);
}

#[test]
fn view_shows_program_messages_and_branch_summaries() {
    let lines = [
        line(
            "custom_message",
            "a",
            "null",
            ",\"customType\":\"n\",\"content\":\"noted\"",
        ),
        line(
            "branch_summary",
            "b",
            "a",
            ",\"summary\":\"left\",\"fromId\":\"a\"",
        ),
        line("custom", "c", "b", ",\"data\":1"),
        line("meta", "d", "c", ",\"compactionCount\":0"),
        line(
            "message",
            "e",
            "d",
            ",\"message\":{\"role\":\"assistant\",\"content\":\"hi\"}",
        ),
    ];
    let read = check(&lines, NO_LIMIT, &["noted", "[left]", "hi"]);
    let origins: Vec<Origin> = read.view.items.iter().map(|item| item.origin).collect();
    assert_eq!(origins, [Origin::Untrusted, Origin::System, Origin::Agent]);
}

#[test]
fn view_budget_stops_after_message_that_exceeds_it() {
    // Each of these messages counts as five tokens.
    let limit = |tokens| ResumeLimit {
        tokens: TokenCount(tokens),
    };
    let mut lines = chain(&["a", "b", "c"]);
    let check_cut = |lines: &[String], tokens: u64, expected: &[&str], is_cut: bool| {
        let read = check(lines, limit(tokens), expected);
        assert_eq!(read.view.is_cut, is_cut, "{tokens}");
    };
    check_cut(&lines, 0, &["c"], true);
    check_cut(&lines, 5, &["b", "c"], true);
    check_cut(&lines, 10, &["a", "b", "c"], false);
    lines.push(compaction_line("k", "c", "a", ""));
    lines.push(user_line("d", "k"));
    // The summary is shown even if the limit leaves room for nothing else.
    check_cut(&lines, 0, &["[sum k]", "d"], true);
    check_cut(&lines, 7, &["[sum k]", "c", "d"], true);
    check_cut(&lines, 99, &["[sum k]", "a", "b", "c", "d"], false);
}
