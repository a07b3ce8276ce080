//! Claims a promise whose subject came up: the record that it was told is on disk before anybody is told.
//!
//! Decides nothing about what a conversation is about.

use base::{Timestamp, Tz};
use chrono::{DateTime, NaiveDateTime, TimeDelta};

use super::claim::{local, told_record};
use super::page::{Page, Promise};
use super::plan::Covered;
use crate::ledger::NoteRecord;
use crate::tombstone::load_tombstones;
use crate::workspace::PROMISES_FILE;
use crate::{FileError, Workspace};

/// A promise of a subject is not told again within this time.
const REST: TimeDelta = TimeDelta::days(1);

/// Claims one promise whose subject came up, if it was not told within a day: the first for which `has_come_up` gives the
/// smallest number. `has_come_up` is not called for a promise that rests.
///
/// Durability: that it was told is on disk once this returns.
///
/// # Errors
///
/// [`FileError`]; nothing was claimed.
pub fn claim_subject(
    workspace: &Workspace,
    (now, timezone): (Timestamp, Tz),
    place: &str,
    has_come_up: &dyn Fn(&Promise) -> Option<usize>,
) -> Result<Option<Promise>, FileError> {
    let file = workspace.promises_file()?;
    let there = local(now, timezone);
    let find = || -> Result<Option<Promise>, FileError> {
        let Some(found) = file.read()? else {
            return Ok(None);
        };
        let page = workspace.promises_page(&found, there)?;
        come_up(workspace, &page, now, has_come_up)
    };
    // Most turns bring nothing up, and take no lock.
    if find()?.is_none() {
        return Ok(None);
    }
    if workspace.is_poisoned() {
        return Err(FileError::Poisoned(PROMISES_FILE.to_owned()));
    }
    let _lock = workspace.lock_curated()?;
    let Some(own) = find()? else {
        return Ok(None);
    };
    workspace.commit_records(&[NoteRecord {
        told: Some(told_record(at_once(there), now, place)),
        ..workspace.record_of(&own)
    }])?;
    Ok(Some(own))
}

fn at_once(there: NaiveDateTime) -> Covered {
    Covered {
        from: there,
        through: there,
    }
}

fn come_up(
    workspace: &Workspace,
    page: &Page,
    now: Timestamp,
    has_come_up: &dyn Fn(&Promise) -> Option<usize>,
) -> Result<Option<Promise>, FileError> {
    let subjects = page.promises.iter();
    let subjects = subjects.filter(|own| own.occasion.subject().is_some() && !own.is_done);
    let awake = subjects.filter(|own| !rests(workspace, own, now));
    let found = awake.filter_map(|own| Some((has_come_up(own)?, own)));
    let mut found: Vec<(usize, &Promise)> = found.collect();
    if found.is_empty() {
        return Ok(None);
    }
    found.sort_by_key(|(place, _)| *place);
    let tombstones = load_tombstones(workspace)?;
    let mut found = found.into_iter().map(|(_, own)| own);
    let own = found.find(|own| !own.is_hidden(&tombstones));
    Ok(own.cloned())
}

/// Whether a promise was told within a day, before or after `now`: clocks are set back too.
fn rests(workspace: &Workspace, own: &Promise, now: Timestamp) -> bool {
    let told = workspace.ledger().told(PROMISES_FILE, &own.id);
    let mut times = told.iter().filter(|it| !it.failed);
    times.any(|it| {
        let at = DateTime::parse_from_rfc3339(&it.at);
        at.is_ok_and(|at| (now - at.to_utc()).abs() < REST)
    })
}
