//! The state of a file is that of its newest line that says it, and no epoch is ever taken back.
//!
//! Covers files of other programs, which number nothing.

use super::*;
use crate::test_kit::{header_line, id, line, open, user_line};

#[track_caller]
fn check(lines: &[String], expected: &Meta) {
    let file = open(format!("{}{}", header_line(), lines.concat()));
    assert_eq!(&read_state(&file).unwrap().state, expected);
}

fn foreign_compaction(id: &str) -> String {
    line(
        "compaction",
        id,
        "null",
        ",\"summary\":\"s\",\"firstKeptEntryId\":\"x\",\"tokensBefore\":1",
    )
}

fn own_compaction(id: &str, epoch: u64) -> String {
    let more = format!(
        ",\"summary\":\"s\",\"firstKeptEntryId\":\"x\",\"tokensBefore\":1,\"epoch\":{epoch}"
    );
    line("compaction", id, "null", &more)
}

fn meta_line(count: u64) -> String {
    let more = format!(
        ",\"compactionCount\":{count},\"memoryFlushCompactionCount\":1,\"flushedThroughEntryId\":\"f\",\"flushFailures\":2"
    );
    line("meta", "m", "null", &more)
}

/// The time of every line here.
fn compacted(count: u64) -> Meta {
    Meta {
        compaction_count: Epoch(count),
        last_compaction_at: Some("2026-04-12T10:00:00Z".parse().unwrap()),
        ..Meta::default()
    }
}

fn after_meta(count: u64) -> Meta {
    Meta {
        compaction_count: Epoch(count),
        memory_flush_compaction_count: Some(Epoch(1)),
        flushed_through: Some(id("f")),
        flush_failures: 2,
        ..Meta::default()
    }
}

#[test]
fn compactions_of_others_are_counted() {
    check(&[user_line("a", "null")], &Meta::default());
    check(
        &[
            foreign_compaction("a"),
            user_line("b", "null"),
            foreign_compaction("c"),
        ],
        &compacted(2),
    );
    check(
        &[foreign_compaction("a"), own_compaction("b", 1)],
        &compacted(2),
    );
}

#[test]
fn the_newest_meta_says_all_and_compactions_since_are_added() {
    check(&[foreign_compaction("a"), meta_line(7)], &after_meta(7));
    let since = Meta {
        flush_failures: 0,
        last_compaction_at: compacted(0).last_compaction_at,
        ..after_meta(9)
    };
    check(
        &[
            meta_line(7),
            foreign_compaction("a"),
            own_compaction("b", 8),
        ],
        &since,
    );
}

#[test]
fn a_rewind_carries_the_state() {
    let more = ",\"targetId\":\"a\",\"targetOffset\":0,\"state\":{\"compactionCount\":4,\"memoryFlushCompactionCount\":4}";
    let rewound = Meta {
        compaction_count: Epoch(4),
        memory_flush_compaction_count: Some(Epoch(4)),
        ..Meta::default()
    };
    check(
        &[meta_line(4), line("rewind", "r", "\"a\"", more)],
        &rewound,
    );
}

#[test]
fn an_epoch_is_never_taken_back() {
    let since = Meta {
        flush_failures: 0,
        last_compaction_at: compacted(0).last_compaction_at,
        ..after_meta(8)
    };
    check(&[meta_line(7), own_compaction("a", 2)], &since);
}

#[test]
fn the_shorter_meta_gives_the_marker() {
    let short = "{\"type\":\"meta\",\"memoryFlushCompactionCount\":3,\"lastCompactionAt\":\"2026-04-26T14:23:00Z\"}\n";
    let expected = Meta {
        compaction_count: Epoch(3),
        memory_flush_compaction_count: Some(Epoch(3)),
        last_compaction_at: Some("2026-04-26T14:23:00Z".parse().unwrap()),
        ..Meta::default()
    };
    check(&[foreign_compaction("a"), short.into()], &expected);
    check(
        &[short.into(), foreign_compaction("a")],
        &Meta {
            compaction_count: Epoch(4),
            last_compaction_at: compacted(0).last_compaction_at,
            ..expected
        },
    );
}
