//! What a fork holds, and that a crash leaves it whole or not at all.
//!
//! That it shows what its original showed is proven for all histories in `history_tests`.

use base::disk::{CrashDisk, Unsynced};

use super::*;
use crate::test_kit::{
    NO_LIMIT, at, header_line, home_with, id, line, main, store, texts, user_line,
};
use crate::{EntrySelector, LineContent, SessionName};

const DETAILS: &str = ",\"summary\":\"sum\",\"firstKeptEntryId\":\"b\",\"tokensBefore\":9,\
     \"details\":{\"keepFirst\":[{\"id\":\"a\",\"offset\":90}],\"span\":[\"a\",\"a\"]}";

/// Two messages, the first of them pinned, a summary, and a third message.
fn original() -> String {
    assert_eq!(header_line().len(), 90);
    header_line()
        + &user_line("a", "null")
        + &user_line("b", "\"a\"")
        + &line("compaction", "k", "\"b\"", DETAILS)
        + &user_line("c", "\"k\"")
}

fn copy() -> SessionName {
    "copy".parse().unwrap()
}

#[test]
fn a_fork_names_where_each_entry_was_copied_from() {
    let disk = home_with(original());
    let store = store(disk);
    let fork = store.read_fork(&main(), None, NO_LIMIT).unwrap();
    assert_eq!((fork.n_messages(), &fork.at_entry), (3, &id("c")));
    let mut turn = store.begin_turn(&copy(), NO_LIMIT).unwrap();
    turn.begin_as_fork(at(9), &fork).unwrap();
    assert_eq!(texts(turn.view()), ["a", "[sum]", "b", "c"]);
    assert_eq!(turn.state().compaction_count, Epoch(1));
    assert_eq!(turn.state().memory_flush_compaction_count, None);
    let lineage = store.lineage(&copy()).unwrap();
    assert_eq!(lineage.parent, Some(SessionId::new("s1")));
    let mut copied = Vec::new();
    for line in store.lines(&copy()).unwrap() {
        let LineContent::Entry(entry) = line.unwrap().content else {
            continue;
        };
        if let Payload::Message(stored) = entry.payload {
            copied.extend(stored.copied_from);
        } else if let Payload::Compaction(compaction) = entry.payload {
            copied.extend(compaction.details.copied_from.map(|from| *from));
        }
    }
    let from = |entry: &str| CopiedFrom {
        session: SessionId::new("s1"),
        entry: id(entry),
        first: None,
    };
    assert_eq!(copied, [from("a"), from("b"), from("c"), from("k")]);
}

#[test]
fn a_copy_of_a_copy_names_where_it_was_said_first() {
    let disk = home_with(original());
    let store = store(disk);
    let mut from = main();
    for name in ["copy", "next", "last"] {
        let fork = store.read_fork(&from, None, NO_LIMIT).unwrap();
        from = name.parse().unwrap();
        let mut turn = store.begin_turn(&from, NO_LIMIT).unwrap();
        turn.begin_as_fork(at(9), &fork).unwrap();
    }
    let mut first = Vec::new();
    for line in store.lines(&from).unwrap() {
        if let LineContent::Entry(entry) = line.unwrap().content
            && let Some(from) = entry.payload.copied_from()
        {
            first.extend(from.first.clone());
        }
    }
    assert_eq!(first, [id("a"), id("b"), id("c"), id("k")]);
}

#[test]
fn a_fork_of_an_earlier_entry_knows_nothing_of_what_came_after() {
    let store = store(home_with(original()));
    let spot = EntrySelector::EndOf(Epoch(0));
    let fork = store.read_fork(&main(), Some(&spot), NO_LIMIT).unwrap();
    let mut turn = store.begin_turn(&copy(), NO_LIMIT).unwrap();
    turn.begin_as_fork(at(9), &fork).unwrap();
    assert_eq!(texts(turn.view()), ["a", "b"]);
    assert_eq!(turn.state().compaction_count, Epoch(0));
}

#[test]
fn i1_a_crash_leaves_a_fork_whole_or_not_at_all() {
    let start = home_with(original());
    let run = |disk: &CrashDisk| {
        let store = store(disk.clone());
        let fork = store.read_fork(&main(), None, NO_LIMIT)?;
        let mut turn = store.begin_turn(&copy(), NO_LIMIT)?;
        turn.begin_as_fork(at(9), &fork)?;
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    let whole = CrashDisk::new(&start, u64::MAX);
    run(&whole).unwrap();
    assert!(whole.n_moments() > 5);
    for moment in 0..whole.n_moments() {
        let disk = CrashDisk::new(&start, moment);
        let is_done = run(&disk).is_ok();
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let store = store(disk.after_crash(unsynced));
            let context = format!("moment {moment}, {unsynced:?}");
            if store.exists(&copy()).unwrap() {
                let read = store.read(&copy(), NO_LIMIT).unwrap();
                assert_eq!(texts(&read.view), ["a", "[sum]", "b", "c"], "{context}");
                assert_eq!(read.repairs, [], "{context}");
            } else {
                assert!(!is_done, "{context}");
                let fork = store.read_fork(&main(), None, NO_LIMIT).unwrap();
                let mut turn = store.begin_turn(&copy(), NO_LIMIT).unwrap();
                turn.begin_as_fork(at(9), &fork).unwrap();
            }
            let original = store.read(&main(), NO_LIMIT).unwrap();
            assert_eq!(texts(&original.view), ["a", "[sum]", "b", "c"], "{context}");
        }
    }
}
