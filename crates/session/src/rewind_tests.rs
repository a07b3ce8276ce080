//! Rewind plans for files that are damaged or that other programs wrote.
//!
//! `history_tests` shows for all histories that a rewind does what its plan says.

use super::*;
use crate::test_kit::{
    NO_LIMIT, at, chain, compaction_line, header_line, home_with, id, line, main, said, store,
    texts, user_line,
};
use crate::{EntrySelector, Epoch, ReadError, Repair};

fn started(ids: &[&str]) -> String {
    header_line() + &chain(ids).concat()
}

fn stretch(first: &str, last: &str, n_messages: usize) -> MessageRange {
    MessageRange {
        first: id(first),
        last: id(last),
        n_messages,
    }
}

fn to(entry: &str) -> EntrySelector {
    EntrySelector::Entry(entry.to_owned())
}

#[test]
fn plan_rewind_reports_messages_left_and_brought_back() {
    let disk = home_with(started(&["a", "b", "c", "d"]));
    let store = store(disk);
    let plan = |spot: &EntrySelector| store.plan_rewind(&main(), spot, NO_LIMIT).unwrap();
    let there = plan(&to("d"));
    assert_eq!((there.is_there, there.left, there.back), (true, None, None));
    let back = plan(&to("b"));
    assert_eq!(
        (back.is_there, back.left),
        (false, Some(stretch("c", "d", 2)))
    );
    assert_eq!(texts(&back.view), ["a", "b"]);
    let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    turn.append_rewind(at(1), &id("b")).unwrap();
    assert!(plan(&to("b")).is_there);
    turn.append_message(at(2), said("e")).unwrap();
    let e = turn.leaf().unwrap().to_string();
    let again = plan(&to("d"));
    assert_eq!(again.left, Some(stretch(&e, &e, 1)));
    assert_eq!(again.back, Some(stretch("c", "d", 2)));
    assert_eq!(texts(&again.view), ["a", "b", "c", "d"]);
}

#[test]
fn plan_rewind_ignores_torn_tail_that_turn_cuts() {
    let disk = home_with(started(&["a", "b"]) + "{\"type\":\"mess");
    let store = store(disk);
    let plan = store.plan_rewind(&main(), &to("a"), NO_LIMIT).unwrap();
    assert_eq!(plan.left, Some(stretch("b", "b", 1)));
    let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    assert!(matches!(turn.repairs(), [Repair::TornTail { .. }]));
    turn.append_rewind(at(1), &plan.target.id).unwrap();
    assert_eq!(turn.view(), &plan.view);
}

#[test]
fn plan_rewind_reaches_behind_reset_and_compaction() {
    let text = started(&["a", "b"])
        + &compaction_line("k", "b", "b", "")
        + &user_line("c", "k")
        + &line("reset", "r", "c", ",\"sessionId\":\"s2\"")
        + &user_line("d", "r");
    let store = store(home_with(text));
    let plan = |spot: &EntrySelector| store.plan_rewind(&main(), spot, NO_LIMIT).unwrap();
    assert_eq!(texts(&plan(&to("c")).view), ["[sum k]", "b", "c"]);
    let ended = plan(&EntrySelector::EndOf(Epoch(0)));
    assert_eq!(texts(&ended.view), ["a", "b"]);
    assert_eq!(ended.left, Some(stretch("c", "d", 2)));
    let error = store.plan_rewind(&main(), &EntrySelector::EndOf(Epoch(1)), NO_LIMIT);
    assert!(matches!(
        error,
        Err(ReadError::NotEnded {
            epoch: Epoch(1),
            current: Epoch(1),
            ..
        })
    ));
}
