//! Claims what is due: the records that it was told are on disk before anybody is told.
//!
//! The only place that decides who tells a promise.

use base::disk::FileStat;
use base::{Timestamp, Tz, short_hash};
use chrono::{NaiveDateTime, TimeDelta};

use super::occasion::PromiseTime;
use super::page::{Page, Promise, UnreadLine, open_time};
use super::plan::{Covered, DueNow, due_now};
use crate::ledger::{NoteRecord, ToldRecord};
use crate::tombstone::load_tombstones;
use crate::workspace::PROMISES_FILE;
use crate::workspace_file::WorkspaceFile;
use crate::{FileError, Workspace, WorkspacePath};

/// Size limit of the page in bytes.
const PAGE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// How local times are written in a record.
const LOCAL: &str = "%Y-%m-%dT%H:%M:%S";

/// A promise that this process must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldPromise {
    /// The times that the telling covers.
    pub(super) covered: Covered,
    /// The promise.
    pub promise: Promise,
    /// The time that it fell due.
    pub when: PromiseTime,
    /// The next time of a repetition.
    pub next: Option<PromiseTime>,
}

/// The promises of a home.
#[derive(Debug, Clone, Default)]
pub struct PromiseList {
    /// Each promise with the time at which it is open, `None` if it was told, in the order of the page.
    pub promises: Vec<(Promise, Option<PromiseTime>)>,
    /// Bullets that cannot be read.
    pub unread: Vec<UnreadLine>,
}

pub(super) fn local(now: Timestamp, timezone: Tz) -> NaiveDateTime {
    now.with_timezone(&timezone).naive_local()
}

impl Workspace {
    /// The path of the page of promises, whether it exists or not.
    pub fn promises_path(&self) -> WorkspacePath {
        WorkspacePath::known(PROMISES_FILE)
    }

    /// The state of the page, which changes when anybody saves it; `None` if there is none.
    pub fn promises_stat(&self) -> Option<FileStat> {
        let path = self.inside(PROMISES_FILE).ok()?.ok()?;
        self.disk().stat(&path).ok()?
    }

    pub(super) fn promises_file(&self) -> Result<WorkspaceFile<'_>, FileError> {
        match self.inside(PROMISES_FILE)? {
            Ok(path) => Ok(WorkspaceFile::new(self, path, PAGE_BYTES_MAX)),
            Err(target) => Err(FileError::Outside(PROMISES_FILE.to_owned(), target)),
        }
    }

    pub(super) fn promises_page(
        &self,
        found: &[u8],
        now: NaiveDateTime,
    ) -> Result<Page, FileError> {
        let text = str::from_utf8(found).map_err(|error| {
            let before = found.get(..error.valid_up_to()).unwrap_or_default();
            let line = 1 + memchr::memchr_iter(b'\n', before).count();
            FileError::NotUtf8(PROMISES_FILE.to_owned(), line)
        })?;
        Ok(Page::of(
            self.read_note(PROMISES_FILE, text).into_owned(),
            now,
        ))
    }

    /// The tellings of a promise.
    pub(super) fn told(&self, promise: &Promise) -> Vec<Covered> {
        let ledger = self.ledger();
        let told = ledger.told(PROMISES_FILE, &promise.id);
        let time = |text: &str| NaiveDateTime::parse_from_str(text, LOCAL).ok();
        let mut covered: Vec<Covered> = Vec::new();
        // Newest first; a telling that failed takes back the one before it.
        let mut failed: Vec<Covered> = Vec::new();
        for own in &told {
            let (Some(from), Some(through)) = (time(&own.from), time(&own.through)) else {
                continue;
            };
            let own_times = Covered { from, through };
            let place = failed.iter().position(|it| *it == own_times);
            match place {
                _ if own.failed => failed.push(own_times),
                Some(at) => drop(failed.remove(at)),
                None => covered.push(own_times),
            }
        }
        covered
    }

    pub(super) fn record_of(&self, promise: &Promise) -> NoteRecord {
        let known = self.ledger().in_file(PROMISES_FILE, &promise.id);
        let hash = short_hash(&promise.item());
        let record =
            known.unwrap_or_else(|| NoteRecord::assumed(PROMISES_FILE, &promise.id, String::new()));
        // A line that the owner edited is theirs.
        NoteRecord {
            origin: promise.origin,
            hash,
            told: None,
            ..record
        }
    }
}

/// Reads the promises.
///
/// # Errors
///
/// [`FileError`] if the page cannot be read.
pub fn promises(
    workspace: &Workspace,
    now: Timestamp,
    timezone: Tz,
) -> Result<PromiseList, FileError> {
    let Some(found) = workspace.promises_file()?.read()? else {
        return Ok(PromiseList::default());
    };
    let page = workspace.promises_page(&found, local(now, timezone))?;
    let tombstones = load_tombstones(workspace)?;
    let shown = page.promises.into_iter();
    let shown = shown.filter(|own| !own.is_hidden(&tombstones));
    Ok(PromiseList {
        promises: shown
            .map(|own| {
                let open = open_time(&own, &workspace.told(&own));
                (own, open)
            })
            .collect(),
        unread: page.unread,
    })
}

/// Claims the promises that are due and that `may_tell` accepts by their scope: nobody else will tell them. The caller tells
/// them at once, and then calls [`settle`].
///
/// Durability: that they were told is on disk once this returns. The page is written later; until it is, the records say
/// which repetition is next.
///
/// # Errors
///
/// [`FileError`]; a promise that was not claimed is still due.
pub fn claim_due(
    workspace: &Workspace,
    (now, timezone): (Timestamp, Tz),
    place: &str,
    may_tell: &dyn Fn(Option<&str>) -> bool,
) -> Result<Vec<ToldPromise>, FileError> {
    let file = workspace.promises_file()?;
    let there = local(now, timezone);
    let Some(found) = file.read()? else {
        return Ok(Vec::new());
    };
    if workspace.is_poisoned() {
        // A record whose sync failed may be gone after a crash, so it is no proof.
        return Err(FileError::Poisoned(PROMISES_FILE.to_owned()));
    }
    // Most turns find nothing due, and take no lock.
    let page = workspace.promises_page(&found, there)?;
    let is_due = |own: &Promise| {
        may_tell(own.scope.as_deref()) && due_now(own, &workspace.told(own), there).is_some()
    };
    if !page.promises.iter().any(is_due) {
        if !page.by_hand.is_empty() {
            settle(workspace, (now, timezone))?;
        }
        return Ok(Vec::new());
    }
    let _lock = workspace.lock_curated()?;
    let Some(found) = file.read()? else {
        return Ok(Vec::new());
    };
    let page = workspace.promises_page(&found, there)?;
    let due = due_of(workspace, &page, there, may_tell)?;
    let mut records: Vec<NoteRecord> = Vec::new();
    let mut told = Vec::new();
    for (id, due) in due {
        let Some(promise) = page.promises.iter().find(|own| own.id == id) else {
            continue;
        };
        let written = match due.next {
            Some(next) => promise.clone().moved_to(next),
            None => promise.clone(),
        };
        records.push(NoteRecord {
            told: Some(told_record(due.covered, now, place)),
            ..workspace.record_of(&written)
        });
        told.push(ToldPromise {
            covered: due.covered,
            promise: promise.clone(),
            when: due.when,
            next: due.next,
        });
    }
    if !records.is_empty() {
        workspace.commit_records(&records)?;
    }
    Ok(told)
}

pub(super) fn told_record(covered: Covered, now: Timestamp, place: &str) -> ToldRecord {
    ToldRecord {
        from: covered.from.format(LOCAL).to_string(),
        through: covered.through.format(LOCAL).to_string(),
        at: now.to_rfc3339(),
        place: place.to_owned(),
        failed: false,
    }
}

/// Writes into the page what its records say: the next time of each repetition, and for each line that was written by hand
/// its mark and the day that its words mean.
///
/// # Errors
///
/// [`FileError`]; the next call does it.
pub fn settle(workspace: &Workspace, (now, timezone): (Timestamp, Tz)) -> Result<(), FileError> {
    let file = workspace.promises_file()?;
    let _lock = workspace.lock_curated()?;
    let Some(found) = file.read()? else {
        return Ok(());
    };
    let mut page = workspace.promises_page(&found, local(now, timezone))?;
    let mut records: Vec<NoteRecord> = Vec::new();
    for promise in page.promises.clone() {
        let open = open_time(&promise, &workspace.told(&promise));
        let next = open.filter(|_| promise.occasion.repeats().is_some() && !promise.is_done);
        let is_by_hand = page.by_hand.contains(&promise.line);
        let written = match next {
            Some(next) => promise.clone().moved_to(next),
            None => promise.clone(),
        };
        if is_by_hand || written.occasion != promise.occasion {
            records.push(workspace.record_of(&written));
            page.put(&written);
        }
    }
    if !records.is_empty() {
        workspace.commit_records(&records)?;
        let bytes = page.bytes();
        if bytes != found {
            // What an editor saved meanwhile stays; the next claim takes it in.
            let _outcome = file.replace(Some(&found), &bytes)?;
        }
    }
    Ok(())
}

/// Gives back a claim whose telling failed: the promise is due again, for whoever claims next.
///
/// # Errors
///
/// [`FileError`]; the promise then counts as told.
pub fn release_claim(
    workspace: &Workspace,
    told: &ToldPromise,
    (now, timezone): (Timestamp, Tz),
    place: &str,
) -> Result<(), FileError> {
    let file = workspace.promises_file()?;
    let _lock = workspace.lock_curated()?;
    let found = file.read()?.unwrap_or_default();
    let mut page = workspace.promises_page(&found, local(now, timezone))?;
    let mut all = page.promises.iter();
    let Some(own) = all.find(|own| own.id == told.promise.id).cloned() else {
        return Ok(());
    };
    // A repetition goes on from the time that was not told, unless the owner moved it.
    let is_unmoved = told.next.is_some() && told.next == own.occasion.when();
    let restored = if is_unmoved {
        own.moved_to(told.when)
    } else {
        own
    };
    workspace.commit_records(&[NoteRecord {
        told: Some(ToldRecord {
            failed: true,
            ..told_record(told.covered, now, place)
        }),
        ..workspace.record_of(&restored)
    }])?;
    page.put(&restored);
    let bytes = page.bytes();
    if bytes != found {
        // What an editor saved meanwhile stays.
        let _outcome = file.replace(Some(&found), &bytes)?;
    }
    Ok(())
}

fn due_of(
    workspace: &Workspace,
    page: &Page,
    now: NaiveDateTime,
    may_tell: &dyn Fn(Option<&str>) -> bool,
) -> Result<Vec<(String, DueNow)>, FileError> {
    let tombstones = load_tombstones(workspace)?;
    let own = page.promises.iter();
    let own = own.filter(|it| may_tell(it.scope.as_deref()) && !it.is_hidden(&tombstones));
    let due = own.filter_map(|it| Some((it.id.clone(), due_now(it, &workspace.told(it), now)?)));
    Ok(due.collect())
}

/// The instant at which the next promise falls due that may be told, if any is open; in the past if it is due.
///
/// # Errors
///
/// [`FileError`] if the page cannot be read.
pub fn next_due(
    workspace: &Workspace,
    (now, timezone): (Timestamp, Tz),
    may_tell: &dyn Fn(Option<&str>) -> bool,
) -> Result<Option<Timestamp>, FileError> {
    let list = promises(workspace, now, timezone)?;
    let open = list.promises.into_iter();
    let open = open
        .filter(|(own, _)| !own.is_done && !own.is_proposed() && may_tell(own.scope.as_deref()));
    let open = open.filter_map(|(_, when)| instant_of(when?.local(), timezone));
    Ok(open.min())
}

/// The first instant whose local time is not before `local`: a time that the clock skips means the moment of the
/// change.
fn instant_of(local: NaiveDateTime, timezone: Tz) -> Option<Timestamp> {
    // No clock skips more than a day.
    let steps = (0..=96).filter_map(|n| local.checked_add_signed(TimeDelta::minutes(15 * n)));
    let mut found = steps.filter_map(|it| it.and_local_timezone(timezone).earliest());
    found.next().map(|it| it.to_utc())
}
