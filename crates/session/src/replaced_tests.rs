//! The messages behind a summary, in files written by hand.
//!
//! `history_tests` shows for all histories that these are the messages that left the view.

use super::*;
use crate::test_kit::{
    NO_LIMIT, compaction_line, header_line, home_with, line, main, store, texts, user_line,
};
use crate::{EntrySelector, ReadError};

#[track_caller]
fn check(text: &str, by: Option<&EntrySelector>, expected: &[&str]) {
    let store = store(home_with(text));
    let ReplacedItems { items, is_cut, .. } = store.replaced(&main(), by, NO_LIMIT).unwrap();
    assert_eq!(texts(&View { items, is_cut }), expected);
}

#[test]
fn replaced_returns_messages_behind_summary_and_previous_summary() {
    let text = header_line()
        + &user_line("a", "null")
        + &user_line("b", "a")
        + &compaction_line("k", "b", "b", "")
        + &user_line("c", "k")
        + &compaction_line("l", "c", "l", "");
    check(&text, Some(&EntrySelector::EndOf(Epoch(0))), &["a"]);
    check(
        &text,
        Some(&EntrySelector::EndOf(Epoch(1))),
        &["[sum k]", "b", "c"],
    );
    check(&text, None, &["[sum k]", "b", "c"]);
    check(&text, Some(&EntrySelector::Entry("k".into())), &["a"]);
    check(&text, Some(&EntrySelector::Entry("c".into())), &["c"]);
}

#[test]
fn replaced_rejects_other_entries_and_uncompacted_sessions() {
    let text = header_line() + &user_line("a", "null") + &line("label", "t", "a", "");
    let store = store(home_with(text));
    let replaced = |by: Option<EntrySelector>| {
        let error = store.replaced(&main(), by.as_ref(), NO_LIMIT);
        error.unwrap_err().to_string()
    };
    assert_eq!(
        [
            replaced(None),
            replaced(Some(EntrySelector::Entry("t".into()))),
            replaced(Some(EntrySelector::EndOf(Epoch(3)))),
            replaced(Some(EntrySelector::Entry("zz".into()))),
        ],
        [
            "nothing was replaced in session main: everything since its beginning is still in view",
            "entry t of session main is neither a message nor a summary",
            "session main has no compaction of epoch 3; its current epoch is 0",
            "session main has no entry zz",
        ]
    );
    assert!(matches!(
        store.replaced(&"none".parse().unwrap(), None, NO_LIMIT),
        Err(ReadError::NotFound(..))
    ));
}

#[test]
fn i16_replaced_by_first_compaction_is_empty() {
    let text = header_line() + &line("compaction", "k", "null", ",\"summary\":\"s\"");
    check(&text, None, &[]);
}
