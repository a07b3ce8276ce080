//! Parts of a conversation.

use std::fmt::Write as _;
use std::path::Path;

use super::*;
use crate::knowledge::scope::Viewer;
use crate::test_kit::{Home, offline_home};
use crate::turn::recall::RECALL_TYPE;

/// A conversation of 20 messages, with a line of another kind after each: the nth message stands in line 2n.
fn home_with_talk() -> Home {
    let home = offline_home();
    let mut talk = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00Z\"}\n".to_owned();
    let mut parent = "null".to_owned();
    for n in 1..=20 {
        let (own, next) = (format!("\"m{n}\""), format!("\"c{n}\""));
        let role = if n % 2 == 0 { "assistant" } else { "user" };
        let at = format!("2026-01-01T00:{n:02}:00Z");
        writeln!(talk, "{{\"type\":\"message\",\"id\":{own},\"parentId\":{parent},\"timestamp\":\"{at}\",\"origin\":\"owner\",\"message\":{{\"role\":\"{role}\",\"content\":\"number {n}\"}}}}").unwrap();
        writeln!(talk, "{{\"type\":\"custom\",\"id\":{next},\"parentId\":{own},\"timestamp\":\"{at}\",\"customType\":\"{RECALL_TYPE}\",\"data\":[{{\"path\":\"MEMORY.md\",\"startLine\":{n},\"endLine\":{n}}}]}}").unwrap();
        parent = next;
    }
    let sessions = Path::new("/home/sessions");
    base::disk::create_dir(&*home.disk, sessions).unwrap();
    base::disk::replace(&*home.disk, &sessions.join("talk.jsonl"), talk.as_bytes()).unwrap();
    home
}

fn read(home: &Home, wanted: &ReadSession) -> ReadSessionReply {
    let access = &home.runtime.home;
    let at = OpContext::new(access, &home.runtime.engine.settings, None, &Viewer::Owner);
    let wanted = ReadSession {
        name: "talk".to_owned(),
        ..wanted.clone()
    };
    wanted.run(&at).unwrap()
}

#[test]
fn session_part_is_newest_messages_or_starts_at_position_or_surrounds_line() {
    let home = home_with_talk();
    let part = |from, before, line| -> Vec<u64> {
        let wanted = ReadSession {
            from,
            before,
            line,
            limit: Some(6),
            ..ReadSession::default()
        };
        let reply = read(&home, &wanted);
        reply.items.iter().map(|item| item.line / 2).collect()
    };
    assert_eq!(part(None, None, None), [15, 16, 17, 18, 19, 20]);
    assert_eq!(part(Some(7), None, None), [4, 5, 6, 7, 8, 9]);
    assert_eq!(part(Some(37), None, None), [19, 20]);
    assert_eq!(part(Some(99), None, None), Vec::<u64>::new());
    assert_eq!(part(None, Some(7), None), [1, 2, 3]);
    assert_eq!(part(None, Some(29), None), [9, 10, 11, 12, 13, 14]);
    assert_eq!(part(None, None, Some(19)), [8, 9, 10, 11, 12, 13]);
    assert_eq!(part(None, None, Some(1)), [1, 2, 3, 4, 5, 6]);
    assert_eq!(part(None, None, Some(900)), [15, 16, 17, 18, 19, 20]);
}

#[test]
fn end_of_conversation_is_read_without_measuring_the_whole() {
    let home = home_with_talk();
    let end = |limit, is_measured| {
        let wanted = ReadSession {
            limit: Some(limit),
            is_measured,
            ..ReadSession::default()
        };
        let reply = read(&home, &wanted);
        let texts = reply.items.iter().map(|item| item.text.clone());
        let texts: Vec<String> = texts.collect();
        (
            texts.len(),
            texts.last().cloned(),
            reply.lines,
            reply.has_earlier,
        )
    };
    let last = Some("number 20".to_owned());
    assert_eq!(end(3, false), (3, last.clone(), None, true));
    assert_eq!(end(3, true), (3, last.clone(), Some(40), true));
    assert_eq!(end(50, false), (20, last, Some(40), false));
}

#[test]
fn recall_before_part_belongs_to_its_first_reply() {
    let home = home_with_talk();
    let wanted = ReadSession {
        from: Some(3),
        limit: Some(2),
        ..ReadSession::default()
    };
    let reply = read(&home, &wanted);
    let recalled: Vec<Vec<String>> = reply
        .items
        .iter()
        .map(|item| item.recalled.iter().map(ToString::to_string).collect())
        .collect();
    assert_eq!(recalled, [vec!["MEMORY.md:1".to_owned()], vec![]]);
}
