//! The state of a file comes from the newest line that records it, and the epoch never decreases.
//!
//! Covers files of other programs, whose compactions have no epoch.

use super::*;
use crate::test_kit::{compaction_line, id, line, open_lines, user_line};

#[track_caller]
fn check(lines: &[String], expected: &Meta) {
    let state = read_state(&open_lines(lines)).unwrap().state;
    assert_eq!(&state, expected);
}

fn foreign_compaction(id: &str) -> String {
    compaction_line(id, "null", "x", "")
}

fn own_compaction(id: &str, epoch: u64) -> String {
    compaction_line(id, "null", "x", &format!(",\"epoch\":{epoch}"))
}

fn meta_line(count: u64) -> String {
    let more = format!(
        ",\"compactionCount\":{count},\"memoryFlushCompactionCount\":1,\"flushedThroughEntryId\":\"f\",\"flushFailures\":2"
    );
    line("meta", "m", "null", &more)
}

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

fn compacted_since_meta(count: u64) -> Meta {
    Meta {
        flush_failures: 0,
        last_compaction_at: compacted(0).last_compaction_at,
        ..after_meta(count)
    }
}

#[test]
fn foreign_compactions_count_towards_epoch() {
    let (first, said) = (foreign_compaction("a"), user_line("b", "null"));
    check(std::slice::from_ref(&said), &Meta::default());
    check(
        &[first.clone(), said, foreign_compaction("c")],
        &compacted(2),
    );
    check(&[first, own_compaction("b", 1)], &compacted(2));
}

#[test]
fn newest_meta_gives_state_and_later_compactions_are_added() {
    check(&[foreign_compaction("a"), meta_line(7)], &after_meta(7));
    let two_more = [
        meta_line(7),
        foreign_compaction("a"),
        own_compaction("b", 8),
    ];
    check(&two_more, &compacted_since_meta(9));
    // A compaction with a lower epoch does not lower the file's epoch.
    check(
        &[meta_line(7), own_compaction("a", 2)],
        &compacted_since_meta(8),
    );
}

#[test]
fn rewind_restores_its_recorded_state() {
    let more = ",\"targetId\":\"a\",\"targetOffset\":0,\"state\":{\"compactionCount\":4,\"memoryFlushCompactionCount\":4}";
    let rewound = Meta {
        compaction_count: Epoch(4),
        memory_flush_compaction_count: Some(Epoch(4)),
        ..Meta::default()
    };
    check(&[meta_line(4), line("rewind", "r", "a", more)], &rewound);
}

#[test]
fn short_meta_gives_flush_marker() {
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
