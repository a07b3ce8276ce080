//! The live branch, read forwards.

use base::TokenCount;

use super::*;
use crate::test_kit::{
    NO_LIMIT, at, header_line, home, home_with, line, main, said, store, store_on, user_line,
};
use crate::{LineContent, ReadError, ResumeLimit, SessionStore};

fn lines(store: &SessionStore, from: LineStart) -> Vec<(u64, String)> {
    let lines = store.live_lines(&main(), from).unwrap();
    let found = lines.map(|line| {
        let line = line.unwrap();
        let LineContent::Entry(entry) = &line.content else {
            panic!("{line:?}");
        };
        (line.number, entry.id.to_string())
    });
    found.collect()
}

fn offset_of(transcript: &str, number: usize) -> u64 {
    let before: usize = transcript
        .split_inclusive('\n')
        .take(number - 1)
        .map(str::len)
        .sum();
    before as u64
}

/// The entries a and b, then c as a second child of a; b is abandoned.
fn branched() -> String {
    [
        header_line(),
        user_line("a", "null"),
        user_line("b", "a"),
        "no json\n".to_owned(),
        user_line("c", "a"),
        line("custom", "d", "c", ",\"customType\":\"x\",\"data\":1"),
    ]
    .concat()
}

#[test]
fn live_lines_skip_abandoned_branch_and_keep_numbers() {
    let transcript = branched();
    let store = store(home_with(&transcript));
    let all = [(2, "a"), (5, "c"), (6, "d")].map(|(number, id)| (number, id.to_owned()));
    assert_eq!(lines(&store, LineStart::FIRST), all);
    let from = LineStart {
        number: 5,
        offset: offset_of(&transcript, 5),
    };
    assert_eq!(lines(&store, from), all[1..]);
}

#[test]
fn live_lines_reject_start_on_abandoned_branch() {
    let transcript = branched();
    let store = store(home_with(&transcript));
    for number in [3, 4] {
        let from = LineStart {
            number,
            offset: offset_of(&transcript, usize::try_from(number).unwrap()),
        };
        let found = store.live_lines(&main(), from);
        assert!(matches!(found, Err(ReadError::NotOnBranch(_, line)) if line == number));
    }
}

#[test]
fn live_branch_reads_lines_at_positions_with_their_numbers() {
    let transcript = branched() + &user_line("e", "d") + &user_line("f", "e");
    let store = store(home_with(&transcript));
    let numbers = |branch: &LiveBranch, at| -> Vec<u64> {
        let lines = branch.lines(at).unwrap();
        lines.map(|line| line.unwrap().number).collect()
    };
    let all = store.live_branch(&main(), None).unwrap();
    assert_eq!((all.n_lines(), all.is_cut()), (5, false));
    assert_eq!(numbers(&all, 0..5), [2, 5, 6, 7, 8]);
    assert_eq!(numbers(&all, 1..3), [5, 6]);
    assert_eq!(numbers(&all, 5..5), Vec::<u64>::new());
    assert_eq!(numbers(&all, 3..9), Vec::<u64>::new());
    for (line, position) in [(1, 0), (2, 0), (3, 1), (5, 1), (8, 4), (99, 5)] {
        assert_eq!(all.position_of(line).unwrap(), position, "line {line}");
    }
    let last = store.live_branch(&main(), Some(2)).unwrap();
    assert_eq!((last.n_lines(), last.is_cut()), (2, true));
    assert_eq!(numbers(&last, 0..2), [7, 8]);
    let exactly = store.live_branch(&main(), Some(5)).unwrap();
    assert_eq!((exactly.n_lines(), exactly.is_cut()), (5, false));
}

#[test]
fn damaged_message_of_branch_is_skipped() {
    let transcript = [
        header_line(),
        user_line("a", "null"),
        "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":7}\n".to_owned(),
        user_line("c", "b"),
    ]
    .concat();
    let store = store(home_with(&transcript));
    let all = [(2, "a"), (4, "c")].map(|(number, id)| (number, id.to_owned()));
    assert_eq!(lines(&store, LineStart::FIRST), all);
}

#[test]
fn long_run_of_damaged_messages_is_skipped() {
    let damaged = |id: usize| {
        let parent = match id {
            0 => "a".to_owned(),
            id => format!("d{}", id - 1),
        };
        line("message", &format!("d{id}"), &parent, ",\"message\":7")
    };
    // Far more than a stack has room for, if each needed a frame.
    let n_damaged = 20_000;
    let last = format!("d{}", n_damaged - 1);
    let damaged: String = (0..n_damaged).map(damaged).collect();
    let transcript = header_line() + &user_line("a", "null") + &damaged + &user_line("c", &last);
    let store = store(home_with(&transcript));
    let found = lines(&store, LineStart::FIRST).into_iter();
    let ids: Vec<String> = found.map(|(_, id)| id).collect();
    assert_eq!(ids, ["a", "c"]);
}

#[test]
fn lineage_changes_with_rewind_but_not_with_append() {
    let store = store_on(std::sync::Arc::new(home()));
    let limit = ResumeLimit {
        tokens: TokenCount(1_000),
    };
    let mut turn = store.begin_turn(&main(), limit).unwrap();
    let first = turn.append_message(at(1), said("a")).unwrap();
    let lineage = || store.lineage(&main()).unwrap();
    let begun = lineage();
    assert_eq!(begun.rewind_count, 0);
    turn.append_message(at(2), said("b")).unwrap();
    assert_eq!(lineage(), begun);
    turn.append_rewind(at(3), &first).unwrap();
    assert_eq!(lineage().rewind_count, 1);
    let state = turn.state().clone();
    turn.append_meta(at(4), state).unwrap();
    turn.append_message(at(5), said("c")).unwrap();
    turn.append_rewind(at(6), &first).unwrap();
    assert_eq!(lineage().rewind_count, 2);
    let read = store.read(&main(), NO_LIMIT).unwrap();
    assert_eq!(read.state.rewind_count, 2);
}

#[test]
fn custom_entry_is_stored_but_not_in_view() {
    let store = store_on(std::sync::Arc::new(home()));
    let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    turn.append_message(at(1), said("a")).unwrap();
    let view = turn.view().clone();
    let data = "[{\"path\": \"a\\nb\",\r\n \"n\": 1.50}]".to_owned();
    turn.append_custom(at(2), "openclaw:test", data).unwrap();
    assert_eq!(*turn.view(), view);
    assert_eq!(store.read(&main(), NO_LIMIT).unwrap().view, view);
    assert_eq!(turn.unflushed().unwrap().n_entries(), 1);
    let last = store.lines(&main()).unwrap().last().unwrap().unwrap();
    let LineContent::Entry(entry) = last.content else {
        panic!("{:?}", last.content);
    };
    let custom = crate::Custom {
        custom_type: "openclaw:test".into(),
        data: "[{\"path\": \"a\\nb\",   \"n\": 1.50}]".into(),
    };
    assert_eq!(entry.payload, crate::Payload::Custom(custom));
    let refused = turn.append_custom(at(3), "x", "{".into());
    assert!(matches!(refused, Err(crate::AppendError::Refused(..))));
}

#[test]
fn turn_containing_byte_starts_at_its_question() {
    let transcript = [
        header_line(),
        user_line("a", "null"),
        line(
            "message",
            "b",
            "a",
            ",\"message\":{\"role\":\"assistant\",\"content\":\"yes\"}",
        ),
        "no json\n".to_owned(),
        user_line("c", "b"),
        line("custom", "d", "c", ",\"customType\":\"x\",\"data\":1"),
    ]
    .concat();
    let store = store(home_with(&transcript));
    let from = |number: usize| {
        let lines = store.turns_from(&main(), offset_of(&transcript, number));
        let found = lines.unwrap().map(|line| line.unwrap().number);
        found.collect::<Vec<u64>>()
    };
    assert_eq!(from(1), [2, 3, 5, 6]);
    assert_eq!(from(3), [2, 3, 5, 6]);
    assert_eq!(from(5), [5, 6]);
    assert_eq!(from(6), [5, 6]);
}

#[test]
fn look_back_stops_at_entry_that_ends_it_or_at_limit() {
    let transcript = branched();
    let store = store(home_with(&transcript));
    let look = |n_entries_max: usize, end: &str| {
        let mut seen = Vec::new();
        let offset = store.look_back(&main(), n_entries_max, &mut |entry| {
            seen.push(entry.id.to_string());
            entry.id.as_str() == end
        });
        (offset.unwrap(), seen.concat())
    };
    assert_eq!(look(9, "c"), (offset_of(&transcript, 5), "dc".to_owned()));
    assert_eq!(look(1, "c"), (offset_of(&transcript, 6), "d".to_owned()));
    assert_eq!(look(9, ""), (offset_of(&transcript, 2), "dca".to_owned()));
}
