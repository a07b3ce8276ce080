//! Selecting entries by id, prefix or epoch.

use super::*;
use crate::test_kit::{chain, compaction_line, header_line, id, main, open_lines, user_line};

#[test]
fn id_prefix_finds_entry_if_unambiguous() {
    let file = open_lines(&chain(&["0198-aa1", "0198-aa2", "0198-b", "0198-bc"]));
    let found = |wanted: &str| by_id(&file, &main(), wanted);
    let one = |wanted: &str| found(wanted).unwrap().id;
    let nearest = |wanted: &str| match found(wanted) {
        Err(ReadError::NoEntry { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(one("0198-aa1"), id("0198-aa1"));
    assert_eq!(one("0198-bc"), id("0198-bc"));
    // A complete id matches its entry, even if other ids begin with it.
    assert_eq!(one("0198-b"), id("0198-b"));
    let Err(ReadError::Ambiguous { candidates, .. }) = found("0198-a") else {
        panic!("one entry is named");
    };
    assert_eq!(candidates, [id("0198-aa2"), id("0198-aa1")]);
    assert_eq!(nearest("0198-bd"), Some(id("0198-bc")));
    assert_eq!(nearest("\u{65e5}\u{8a18}"), None);
    assert_eq!(nearest(""), None);
}

#[test]
fn duplicate_id_finds_newest_entry() {
    let first = user_line("a", "null");
    let offset = (header_line().len() + first.len()) as u64;
    let file = open_lines(&[first, user_line("a", "null")]);
    let pointer = EntryPointer {
        id: id("a"),
        offset,
    };
    assert_eq!(by_id(&file, &main(), "a").unwrap(), pointer);
}

#[test]
fn compaction_lookup_counts_epochs_like_state() {
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

#[test]
fn entries_are_found_at_their_offsets_or_wherever_they_moved() {
    let lines = chain(&["a", "b", "c"]);
    let file = open_lines(&lines);
    let offset = |n_before: usize| {
        let before: usize = lines.iter().take(n_before).map(String::len).sum();
        Some((header_line().len() + before) as u64)
    };
    let found = |wanted: &[(&str, Option<u64>)]| {
        let wanted: Vec<_> = wanted.iter().map(|(own, at)| (id(own), *at)).collect();
        let found = entries(&file, &wanted).unwrap().into_iter();
        found.map(|entry| entry.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[("b", offset(1))]), ["b"]);
    assert_eq!(found(&[("b", offset(2)), ("c", None)]), ["b", "c"]);
    assert_eq!(found(&[("c", offset(2)), ("a", Some(7))]), ["c", "a"]);
    assert_eq!(found(&[("x", None)]), Vec::<String>::new());
}
