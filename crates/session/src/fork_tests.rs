//! The content of a fork, and its atomic creation.
//!
//! `history_tests` shows for all histories that a fork shows what its original showed.

use base::disk::{Crash, CrashDisk};

use super::*;
use crate::test_kit::{
    NO_LIMIT, at, compaction_line, entries, header_line, home_with, id, main, store, texts,
    user_line,
};
use crate::{EntrySelector, SessionName, SessionStore, Turn};

const DETAILS: &str =
    ",\"details\":{\"keepFirst\":[{\"id\":\"a\",\"offset\":90}],\"span\":[\"a\",\"a\"]}";

/// The texts in the view of the original and of its forks.
const SHOWN: [&str; 4] = ["a", "[sum k]", "b", "c"];

/// Two messages, of which the first is pinned, then a summary and a third message.
fn original() -> String {
    assert_eq!(header_line().len(), 90);
    header_line()
        + &user_line("a", "null")
        + &user_line("b", "a")
        + &compaction_line("k", "b", "b", DETAILS)
        + &user_line("c", "k")
}

fn copy() -> SessionName {
    "copy".parse().unwrap()
}

/// Forks a session at an entry, or at its leaf, into a new session.
fn fork_to(
    store: &SessionStore,
    name: &SessionName,
    at_entry: Option<&EntrySelector>,
) -> Result<Turn, Box<dyn std::error::Error>> {
    let fork = store.read_fork(&main(), at_entry, NO_LIMIT)?;
    let mut turn = store.begin_turn(name, NO_LIMIT)?;
    turn.begin_as_fork(at(9), &fork)?;
    Ok(turn)
}

#[test]
fn fork_records_source_of_each_entry() {
    let disk = home_with(original());
    let store = store(disk);
    let fork = store.read_fork(&main(), None, NO_LIMIT).unwrap();
    assert_eq!((fork.n_messages(), &fork.at_entry), (3, &id("c")));
    let turn = fork_to(&store, &copy(), None).unwrap();
    assert_eq!(texts(turn.view()), SHOWN);
    assert_eq!(turn.state().compaction_count, Epoch(1));
    assert_eq!(turn.state().memory_flush_compaction_count, None);
    let lineage = store.lineage(&copy()).unwrap();
    assert_eq!(lineage.parent, Some(SessionId::new("s1")));
    let from = |entry: &str| CopiedFrom {
        session: SessionId::new("s1"),
        entry: id(entry),
        first: None,
    };
    assert_eq!(copied_from(&store, &copy()), ["a", "b", "c", "k"].map(from));
}

fn copied_from(store: &SessionStore, name: &SessionName) -> Vec<CopiedFrom> {
    let entries = entries(store, name).into_iter();
    let copied = entries.filter_map(|entry| entry.payload.copied_from().cloned());
    copied.collect()
}

#[test]
fn fork_of_fork_records_first_source() {
    let disk = home_with(original());
    let store = store(disk);
    let mut from = main();
    for name in ["copy", "next", "last"] {
        let fork = store.read_fork(&from, None, NO_LIMIT).unwrap();
        from = name.parse().unwrap();
        let mut turn = store.begin_turn(&from, NO_LIMIT).unwrap();
        turn.begin_as_fork(at(9), &fork).unwrap();
    }
    let copied = copied_from(&store, &from).into_iter();
    let first: Vec<EntryId> = copied.filter_map(|from| from.first).collect();
    assert_eq!(first, ["a", "b", "c", "k"].map(id));
}

#[test]
fn fork_at_earlier_entry_has_its_view_and_epoch() {
    let store = store(home_with(original()));
    let spot = EntrySelector::EndOf(Epoch(0));
    let turn = fork_to(&store, &copy(), Some(&spot)).unwrap();
    assert_eq!(texts(turn.view()), ["a", "b"]);
    assert_eq!(turn.state().compaction_count, Epoch(0));
}

#[test]
fn i1_fork_is_whole_or_absent_after_crash() {
    let start = home_with(original());
    let fork = |disk: CrashDisk| fork_to(&store(disk), &copy(), None).is_ok();
    let crashes: Vec<Crash<bool>> = CrashDisk::crashes(&start, fork).collect();
    assert!(crashes.len() > 10);
    for Crash {
        done, found, when, ..
    } in crashes
    {
        let store = store(found);
        if store.exists(&copy()).unwrap() {
            let read = store.read(&copy(), NO_LIMIT).unwrap();
            assert_eq!(texts(&read.view), SHOWN, "{when}");
            assert_eq!(read.repairs, [], "{when}");
        } else {
            assert!(!done, "{when}");
            fork_to(&store, &copy(), None).unwrap();
        }
        let original = store.read(&main(), NO_LIMIT).unwrap();
        assert_eq!(texts(&original.view), SHOWN, "{when}");
    }
}
