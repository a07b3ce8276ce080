//! The course of a session as people and scripts read it.
//!
//! Pins every kind of event.

use anstream::adapter::strip_str;
use base::{EntryId, Timestamp};
use session::timeline::{TimelineEvent, TranscriptTrouble};
use testkit::Words;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn event(when: &str, kind: TimelineEventKind) -> TimelineEvent {
    TimelineEvent { at: at(when), kind }
}

fn compaction(epoch: Option<u64>, after: Option<u64>) -> TimelineEventKind {
    TimelineEventKind::Compaction {
        entry: EntryId::new("0198f3b0"),
        epoch,
        tokens_before: TokenCount(176_012),
        tokens_after: after.map(TokenCount),
        ratio_percent: after.map(|_| 983),
        retention_percent: after.map(|_| 97),
        rung: after.map(|_| "offline".to_owned()),
    }
}

fn report() -> TimelineReply {
    let first = TimelineDay {
        day: "2026-04-20".parse().unwrap(),
        messages: MessageCounts {
            user: 1_030,
            assistant: 31,
            tool: 1,
        },
        events: vec![
            event(
                "2026-04-20T14:23:00Z",
                TimelineEventKind::Flush {
                    epoch: 0,
                    log_file: Some("memory/2026-04-20.md".into()),
                },
            ),
            event("2026-04-20T14:23:05Z", compaction(Some(0), Some(24_801))),
            event(
                "2026-04-20T21:59:00Z",
                TimelineEventKind::FlushFailed { epoch: 1 },
            ),
        ],
    };
    let second = TimelineDay {
        day: "2026-04-21".parse().unwrap(),
        messages: MessageCounts::default(),
        events: vec![
            event(
                "2026-04-21T08:00:00Z",
                TimelineEventKind::Flush {
                    epoch: 1,
                    log_file: None,
                },
            ),
            event("2026-04-21T08:01:00Z", compaction(None, None)),
            event(
                "2026-04-21T08:02:00Z",
                TimelineEventKind::Reset {
                    session: SessionId::new("0198f3b1"),
                },
            ),
            event(
                "2026-04-21T08:03:00Z",
                TimelineEventKind::Rewind {
                    target: EntryId::new("0198f3a7\u{1b}[2J"),
                },
            ),
        ],
    };
    let rising = (0..40_u64).map(|n| TokenCount(20_000 + n * 4_000));
    let timeline = Timeline {
        name: "main".into(),
        id: SessionId::new("0198f3a0-1b2c-7d3e-8f40-aabbccddeeff"),
        forked_from: None,
        parent: Some(SessionId::new("0198f000-1b2c-7d3e-8f40-aabbccddeeff")),
        created_at: Some(at("2026-04-20T08:15:00Z")),
        messages: 1_062,
        epoch: 2,
        rewinds: 0,
        flushes: 2,
        compactions: 2,
        bytes: 812_345,
        days: vec![first, second],
    };
    TimelineReply {
        timeline,
        context_tokens: rising.clone().chain(rising.clone()).chain(rising).collect(),
        moments: Vec::new(),
        as_of: None,
        trouble: TranscriptTrouble::default(),
    }
}

fn shown(reply: &TimelineReply, timezone: Tz, stdout: Stream) -> String {
    strip_str(&human(reply, timezone, stdout)).to_string()
}

#[test]
fn session_show_prints_headings_in_bold() {
    let shown = human(&report(), Tz::UTC, Stream::Terminal(80));
    assert!(shown.starts_with("\u{1b}[1mmain\u{1b}[0m\n"), "{shown}");
    shown.holds("\n\u{1b}[1m2026-04-20\u{1b}[0m  1,030 user");
}

#[test]
fn session_show_fits_80_columns() {
    let shown = shown(&report(), Tz::named("Europe/Berlin").unwrap(), Stream::File);
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    insta::assert_snapshot!("session_show", shown);
}

#[test]
fn session_show_wraps_on_narrow_terminal() {
    let shown = shown(
        &report(),
        Tz::named("Europe/Berlin").unwrap(),
        Stream::Terminal(38),
    );
    for line in shown.lines() {
        let is_id = line.contains("0198f");
        assert!(line.chars().count() <= 38 || is_id, "{line}");
    }
    insta::assert_snapshot!("session_show_narrow", shown);
}

#[test]
fn session_show_renders_as_json() {
    let json = json!(report()).to_string() + "\n";
    insta::assert_snapshot!("session_show_json", json);
}

#[test]
fn session_show_renders_unstarted_session() {
    let timeline = Timeline {
        parent: None,
        created_at: None,
        messages: 0,
        epoch: 0,
        flushes: 0,
        compactions: 0,
        bytes: 0,
        days: vec![],
        ..report().timeline
    };
    let empty = TimelineReply {
        timeline,
        context_tokens: Vec::new(),
        ..report()
    };
    insta::assert_snapshot!("session_show_empty", shown(&empty, Tz::UTC, Stream::File));
}

#[test]
fn token_change_is_shown_in_percent() {
    for (before, after, expected) in [
        (200_000, 15_000, " (-92%)"),
        (100, 100, " (-0%)"),
        (100, 150, " (+50%)"),
        (0, 5, " (+500%)"),
        (u64::MAX, 0, " (-100%)"),
    ] {
        assert_eq!(change(TokenCount(before), TokenCount(after)), expected);
    }
}
