//! Copies of the page: those that cannot be read are skipped, and the last change is found in the others.

use std::path::Path;

use base::{Origin, Timestamp, Tz};

use super::*;
use crate::Workspace;
use crate::workspace_kit::{ROOT, text_at, workspace_with};

const NOW: (&str, &str) = ("2026-11-30T08:00:00Z", "2026-12-04 09:00");

fn now() -> (Timestamp, Tz) {
    (NOW.0.parse().unwrap(), Tz::UTC)
}

fn added(workspace: &Workspace, text: &str) -> String {
    let read = base::dates::time_ahead(NOW.1, now().0.naive_utc());
    let new = NewPromise::reminder(read.when.unwrap().unwrap(), text.to_owned());
    add_promise(workspace, new, now().0, now().1)
        .unwrap()
        .promise
        .id
}

fn changed(workspace: &Workspace, id: &str, change: &PromiseChange) {
    change_promise(workspace, (id, change), now(), &|_| true).unwrap();
}

/// The newest copy of the page becomes bytes that are no text.
fn break_newest_copy(workspace: &Workspace) {
    let folder = workspace.layout().overwritten();
    let names = workspace.disk().list(&folder).unwrap();
    let newest = names.iter().max().unwrap();
    base::disk::replace(workspace.disk(), &folder.join(newest), b"\xff\xfe").unwrap();
}

#[test]
fn copy_that_cannot_be_read_is_skipped_and_reported() {
    let workspace = workspace_with(&[]);
    let id = added(&workspace, "one");
    changed(&workspace, &id, &PromiseChange::Drop);
    let other = added(&workspace, "two");
    break_newest_copy(&workspace);
    let earlier = earlier_promises(&workspace, now().0, now().1).unwrap();
    let texts: Vec<&str> = earlier.iter().map(|own| own.text.as_str()).collect();
    assert_eq!(texts, ["one"]);
    let unread = unread_copies(&workspace, now().0, now().1).unwrap();
    assert_eq!(unread.len(), 1);
    let undone = undo_promise(&workspace, &id, now(), &|_| true).unwrap();
    assert_eq!(undone.after.unwrap().text, "one");
    let page = text_at(workspace.disk(), Path::new(ROOT).join("PROMISES.md"));
    assert!(page.contains(&other), "{page}");
}

#[test]
fn last_change_is_that_of_the_newest_command_that_took_effect() {
    let workspace = workspace_with(&[]);
    let last = || last_changed(&workspace, now(), &|_| true).unwrap();
    assert_eq!(last(), Vec::<String>::new());
    let first = added(&workspace, "one");
    let second = added(&workspace, "two");
    assert_eq!(last(), std::slice::from_ref(&second));
    changed(&workspace, &first, &PromiseChange::Done);
    assert_eq!(last(), std::slice::from_ref(&first));
    // It is done already, so this changes nothing.
    changed(&workspace, &first, &PromiseChange::Done);
    let failed = change_promise(&workspace, ("ffff", &PromiseChange::Done), now(), &|_| true);
    failed.unwrap_err();
    assert_eq!(last(), [first]);
}

#[test]
fn assistants_promise_of_a_sentence_is_not_made_again_after_it_was_dropped() {
    let workspace = workspace_with(&[]);
    let entry = base::EntryId::new("e1");
    let promise = |text: &str| {
        let read = base::dates::time_ahead(NOW.1, now().0.naive_utc());
        let new = NewPromise {
            kind: PromiseKind::Promised,
            origin: Origin::Agent,
            evidence: vec![entry.clone()],
            ..NewPromise::reminder(read.when.unwrap().unwrap(), text.to_owned())
        };
        add_promise(&workspace, new, now().0, now().1).unwrap()
    };
    let made = promise("I will look on Friday.");
    assert!(made.is_new);
    assert!(!promise("I will look at it on Friday.").is_new);
    changed(&workspace, &made.promise.id, &PromiseChange::Drop);
    assert!(!promise("I will look on Friday.").is_new);
}
