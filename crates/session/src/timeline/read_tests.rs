//! The list of sessions agrees with the timeline, although it skips messages.

use base::Tz;

use super::*;
use crate::test_kit::{header_line, home_with, line, main, rewind_line, store, user_line};

#[test]
fn last_part_agrees_with_timeline_after_every_line() {
    let titled = |id: &str, parent: &str, title: &str| {
        line(
            "session_info",
            id,
            parent,
            &format!(",\"name\":\"{title}\""),
        )
    };
    let reset = |id: &str, parent: &str, more: &str| {
        line(
            "reset",
            id,
            parent,
            &format!(",\"sessionId\":\"{id}\"{more}"),
        )
    };
    let lines = [
        header_line(),
        user_line("a", "null"),
        user_line("b", "a"),
        user_line("c", "b"),
        titled("t", "c", "Renamed"),
        user_line("d", "t"),
        reset("s2", "d", ""),
        user_line("e", "s2"),
        user_line("f", "e"),
        reset("s3", "f", ",\"reason\":\"compaction\""),
        user_line("g", "s3"),
        user_line("k", "g"),
        rewind_line("w", "a", 99),
        user_line("h", "w"),
        titled("u", "h", "Again"),
        user_line("i", "u"),
        "{\"type\":\"meta\",\"memoryFlushCompactionCount\":1}\n".to_owned(),
        user_line("j", "i"),
        "no JSON\n".to_owned(),
    ];
    let mut text = String::new();
    for (second, line) in (10..).zip(lines) {
        text.push_str(&line.replace("10:00:00", &format!("10:00:{second}")));
        let store = store(home_with(&text));
        for forgotten in ["", "a"] {
            let is_forgotten = |entry: &Entry| entry.id.as_str() == forgotten;
            let mut read = timeline(&store, &main(), Tz::UTC, &is_forgotten).unwrap();
            let part = last_part(&store, &main(), &is_forgotten).unwrap();
            assert_eq!(part, read.parts.pop(), "{text}");
        }
    }
}

#[test]
fn title_prefers_owner_and_skips_program_text() {
    let said = |id: &str, origin: &str, text: &str| {
        format!(
            "{{\"type\":\"message\",\"id\":\"{id}\",\"timestamp\":\"2026-03-02T10:00:00.000Z\",\"origin\":\"{origin}\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let program = said("a", "system", "## Skills");
    let page = said("b", "untrusted", "A page says so");
    let owner = said("c", "owner", "Which tea?");
    for (lines, expected) in [
        (vec![&program], None),
        (vec![&program, &page], Some("A page says so")),
        (vec![&program, &page, &owner], Some("Which tea?")),
        (vec![&owner, &page], Some("Which tea?")),
    ] {
        let mut text = header_line();
        text.extend(lines.into_iter().map(String::as_str));
        let store = store(home_with(&text));
        let mut read = timeline(&store, &main(), Tz::UTC, &|_| false).unwrap();
        let title = read.parts.pop().unwrap().title;
        assert_eq!(title.as_deref(), expected, "{text}");
        let last = last_part(&store, &main(), &|_| false).unwrap().unwrap();
        assert_eq!(last.title.as_deref(), expected, "{text}");
    }
}
