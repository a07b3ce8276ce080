//! Entries as people name them.

use super::*;
use crate::test_kit::{chain, compaction_line, header_line, id, open_lines, user_line};

#[test]
fn a_beginning_names_an_entry_where_no_other_begins_so() {
    let file = open_lines(&chain(&["0198-aa1", "0198-aa2", "0198-b", "0198-bc"]));
    let found = |wanted: &str| by_id(&file, wanted).unwrap();
    let one = |wanted: &str| {
        let IdMatch::One(pointer) = found(wanted) else {
            panic!("{wanted} names no entry");
        };
        pointer.id
    };
    assert_eq!(one("0198-aa1"), id("0198-aa1"));
    assert_eq!(one("0198-bc"), id("0198-bc"));
    // A whole id is meant even where others begin with it.
    assert_eq!(one("0198-b"), id("0198-b"));
    assert_eq!(
        found("0198-a"),
        IdMatch::Several(vec![id("0198-aa2"), id("0198-aa1")])
    );
    assert_eq!(found("0198-bd"), IdMatch::None(Some(id("0198-bc"))));
    assert_eq!(found("\u{65e5}\u{8a18}"), IdMatch::None(None));
    assert_eq!(found(""), IdMatch::None(None));
}

#[test]
fn of_two_entries_with_one_id_the_newest_is_meant() {
    let first = user_line("a", "null");
    let offset = (header_line().len() + first.len()) as u64;
    let file = open_lines(&[first, user_line("a", "null")]);
    let pointer = EntryPointer {
        id: id("a"),
        offset,
    };
    assert_eq!(by_id(&file, "a").unwrap(), IdMatch::One(pointer));
}

#[test]
fn compactions_are_counted_as_the_epoch_is() {
    let file = open_lines(&[
        user_line("a", "null"),
        compaction_line("foreign", "a", "a", ""),
        "{\"type\":\"meta\",\"memoryFlushCompactionCount\":4}\n".to_owned(),
        compaction_line("ours", "a", "a", ",\"epoch\":4"),
        compaction_line("low", "a", "a", ",\"epoch\":1"),
    ]);
    let ended = |epoch: u64| {
        let found = compaction(&file, |found| found.epoch == Epoch(epoch)).unwrap();
        found.map(|found| found.pointer.id)
    };
    assert_eq!(ended(0), Some(id("foreign")));
    assert_eq!(ended(1), None);
    assert_eq!(ended(4), Some(id("ours")));
    assert_eq!(ended(5), Some(id("low")));
    assert_eq!(ended(6), None);
}
