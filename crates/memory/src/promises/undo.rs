//! Takes back the last change of a promise, from the copies that each change keeps of the page.
//!
//! Never takes back that a promise was told: the page then only holds its next time.

use std::collections::BTreeSet;

use base::{Timestamp, Tz};

use super::change::{ChangedPromise, dropped_record, keep_copy, meant};
use super::claim::local;
use super::earlier::page_copies;
use super::occasion::Occasion;
use super::page::{Page, Promise, open_time};
use super::plan::PromiseError;
use crate::Workspace;
use crate::tombstone::load_tombstones;
use crate::workspace::PROMISES_FILE;

/// Takes back the last change of the promise whose id begins with `id`: its line becomes that of the newest copy of the
/// page in which it was another one. A second call takes back the first.
///
/// # Errors
///
/// [`PromiseError`]; nothing was written.
pub fn undo_promise(
    workspace: &Workspace,
    id: &str,
    (now, timezone): (Timestamp, Tz),
    may_change: &dyn Fn(Option<&str>) -> bool,
) -> Result<ChangedPromise, PromiseError> {
    let _lock = workspace.lock_curated()?;
    let file = workspace.promises_file()?;
    let there = local(now, timezone);
    let copies = page_copies(workspace, there)?.pages;
    let tombstones = load_tombstones(workspace)?;
    let mut changed = None;
    file.edit::<PromiseError>(|found| {
        let mut page = workspace.promises_page(found.unwrap_or_default(), there)?;
        let id = whole_id(&page, &copies, id, may_change)?;
        let now_is = promise_of(&page, &id);
        let changed_then = copies.iter().find_map(|copy| {
            let then = promise_of(copy, &id);
            let is_changed = !is_same(workspace, (&then, &now_is));
            is_changed.then_some((then, copy))
        });
        let nothing = || PromiseError::NothingToUndo(id.clone());
        let (then, page_then) = changed_then.ok_or_else(nothing)?;
        let then = then.map(|own| untold(workspace, own));
        if then.as_ref().is_some_and(|own| own.is_hidden(&tombstones)) {
            return Err(PromiseError::Forgotten);
        }
        match (&now_is, &then) {
            (Some(now_is), Some(then)) => {
                let line = now_is.line;
                workspace.commit_records(&[workspace.record_of(then)])?;
                page.put(&Promise {
                    line,
                    ..then.clone()
                });
            }
            (None, Some(then)) => {
                // What went otherwise was deleted by hand, or forgotten.
                if !is_dropped(workspace, &then.id) {
                    return Err(nothing());
                }
                workspace.commit_records(&[workspace.record_of(then)])?;
                page.restore(then, page_then);
            }
            (Some(now_is), None) => {
                workspace.commit_records(&[dropped_record(workspace, now_is)])?;
                page.text.lines.remove(now_is.line - 1);
            }
            (None, None) => {}
        }
        keep_copy(workspace, found, now)?;
        changed = Some(ChangedPromise {
            before: now_is,
            after: then,
        });
        Ok(Some(page.bytes()))
    })?;
    changed.ok_or_else(|| PromiseError::NotFound(id.to_owned()))
}

/// The ids of the promises that the last change of the page changed, by command or by hand; empty if no copy of the page
/// says otherwise than the page.
///
/// # Errors
///
/// [`PromiseError`] if the page or the folder of its copies cannot be read.
pub fn last_changed(
    workspace: &Workspace,
    (now, timezone): (Timestamp, Tz),
    may_change: &dyn Fn(Option<&str>) -> bool,
) -> Result<Vec<String>, PromiseError> {
    let there = local(now, timezone);
    let found = workspace.promises_file()?.read()?;
    let page = workspace.promises_page(&found.unwrap_or_default(), there)?;
    let copies = page_copies(workspace, there)?.pages;
    let changed = |copy: &Page| {
        let all = page.promises.iter().chain(&copy.promises);
        let all = all.filter(|own| may_change(own.scope.as_deref()));
        let ids: BTreeSet<&String> = all.map(|own| &own.id).collect();
        let ids = ids.into_iter().filter(|id| {
            let (then, now_is) = (promise_of(copy, id), promise_of(&page, id));
            !is_same(workspace, (&then, &now_is))
        });
        ids.cloned().collect::<Vec<String>>()
    };
    let mut all = copies.iter().map(changed);
    Ok(all.find(|ids| !ids.is_empty()).unwrap_or_default())
}

/// The id that begins with `id`: in the page, or else in the newest copy that has one.
fn whole_id(
    page: &Page,
    copies: &[Page],
    id: &str,
    may_change: &dyn Fn(Option<&str>) -> bool,
) -> Result<String, PromiseError> {
    let pages = std::iter::once(page).chain(copies);
    let found = pages.map(|it| meant(it, id, may_change));
    let mut known = found.filter(|it| !matches!(it, Err(PromiseError::NotFound(_))));
    let first = known.next();
    first.map_or_else(
        || Err(PromiseError::NothingToUndo(id.to_owned())),
        |own| Ok(own?.id),
    )
}

fn promise_of(page: &Page, id: &str) -> Option<Promise> {
    page.promises.iter().find(|own| own.id == id).cloned()
}

/// Whether a promise is in an earlier page as it is now.
fn is_same(workspace: &Workspace, pages: (&Option<Promise>, &Option<Promise>)) -> bool {
    match pages {
        (Some(then), Some(now_is)) => says_same(workspace, then, now_is),
        (then, now_is) => then.is_none() && now_is.is_none(),
    }
}

/// Whether a line of an earlier page means what a line means now: a repetition that was told has only moved on.
fn says_same(workspace: &Workspace, then: &Promise, now_is: &Promise) -> bool {
    let item = |own: &Promise| untold(workspace, own.clone()).item();
    then.item() == now_is.item() || item(then) == item(now_is)
}

/// A promise with the first time of its repetition after all that were told: one before a later telling was moved to that.
fn untold(workspace: &Workspace, promise: Promise) -> Promise {
    let Occasion::Time {
        when,
        repeats: Some(repeats),
    } = promise.occasion.clone()
    else {
        return promise;
    };
    let told = workspace.told(&promise);
    let mut when = open_time(&promise, &told).unwrap_or(when);
    while repeats.has(when)
        && told.iter().any(|own| own.through >= when.local())
        && let Some(next) = repeats.next_after(when.day)
    {
        when = next;
    }
    promise.moved_to(when)
}

fn is_dropped(workspace: &Workspace, id: &str) -> bool {
    let newest = workspace.ledger().in_file(PROMISES_FILE, id);
    newest.is_some_and(|own| own.hash.is_empty())
}
