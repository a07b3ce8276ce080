//! The table of sessions, and numbers for people.
//!
//! Pins what people and scripts read.

use anstream::adapter::strip_str;

use super::*;

fn line(name: &str, parent: Option<&str>) -> SessionPart {
    SessionPart {
        name: name.to_owned(),
        id: SessionId::new("0198f3a0-1b2c-7d3e-8f40-aabbccddeeff"),
        parent: parent.map(SessionId::new),
        first_line: 1,
        title: Some("Which of the three offers for the roof?".to_owned()),
        messages: 1_234,
        last_activity_at: Some("2026-04-20T22:30:00Z".parse().unwrap()),
        epoch: 3,
        bytes: 1_300_000,
    }
}

fn shown(listing: &SessionListing, timezone: Tz) -> String {
    let listing = SessionListing {
        timezone,
        ..listing.clone()
    };
    strip_str(&listing.human(Stream::Terminal(80))).to_string()
}

#[test]
fn session_list_renders_as_table_and_json() {
    let mut empty = line("empty", None);
    empty.messages = 0;
    empty.last_activity_at = None;
    empty.epoch = 0;
    empty.bytes = 180;
    let mut listing = SessionListing {
        sessions: vec![empty, line("日記", None), line("main", None)],
        timezone: Tz::UTC,
    };
    insta::assert_snapshot!(
        "sessions",
        shown(&listing, Tz::named("Asia/Tokyo").unwrap())
    );
    listing
        .sessions
        .push(line("main", Some("0198f3a0-0000-7d3e-8f40-aabbccddeeff")));
    insta::assert_snapshot!("sessions_with_parents", shown(&listing, Tz::UTC));
    listing.sessions.drain(1..3);
    insta::assert_snapshot!("sessions_json", listing.json().to_string() + "\n");
    listing.sessions.clear();
    assert_eq!(shown(&listing, Tz::UTC), "no sessions yet\n");
}

#[test]
fn ids_of_repository_sessions_are_shown_without_scope() {
    let id = |rest: &str| format!("repo-bdcbad3a-0198f3a0-{rest}-7d3e-8f40-aabbccddeeff");
    let mut original = line("repo-bdcbad3a-talk", None);
    original.id = SessionId::new(id("1b2c"));
    let mut copy = line("repo-bdcbad3a-copy", Some(&id("1b2c")));
    copy.id = SessionId::new(id("9f9f"));
    let listing = SessionListing {
        sessions: vec![copy, original],
        timezone: Tz::UTC,
    };
    let text = shown(&listing, Tz::UTC);
    let ids = "ID             0198f3a0-9f9f\nCOPY OF        0198f3a0-1b2c\n";
    assert!(text.contains(ids), "{text}");
}

#[test]
fn bytes_are_shown_in_units() {
    for (bytes, expected) in [
        (0, "0 B"),
        (1_023, "1023 B"),
        (1_024, "1.0 kB"),
        (1_536, "1.5 kB"),
        (1_048_575, "1,023.9 kB"),
        (1_048_576, "1.0 MB"),
        (5_000_000_000, "4.6 GB"),
        (u64::MAX, "1,677,721.5 TB"),
    ] {
        assert_eq!(size(bytes), expected);
    }
}
