//! A session survives a crash at every byte that it writes.
//!
//! Runs a script once for each moment at which the power may fail, then reopens the session and continues.

use std::error::Error;
use std::path::PathBuf;

use base::disk::{Crash, CrashDisk, MemoryDisk, Unsynced};

use super::*;
use crate::test_kit::{
    NO_LIMIT, PATH, at, compaction, home, home_with, main, said, store, transcript,
};
use crate::{FlushIntent, LineContent};

/// The entries and bytes whose append had returned `Ok` before the crash.
#[derive(Debug, Default, Clone)]
struct Acknowledged {
    ids: Vec<EntryId>,
    bytes: Vec<u8>,
}

fn run(disk: &CrashDisk) -> Acknowledged {
    let mut acknowledged = Acknowledged::default();
    // An error here is the simulated crash, which the disk reports separately.
    let _crash = script(disk, &mut acknowledged);
    acknowledged
}

fn script(disk: &CrashDisk, acknowledged: &mut Acknowledged) -> Result<(), Box<dyn Error>> {
    let store = store(disk.clone());
    let begin = || store.begin_turn(&main(), NO_LIMIT);
    let mut turn = begin()?;
    let mut add = |ids: Result<Vec<EntryId>, AppendError>| -> Result<(), AppendError> {
        acknowledged.ids.extend(ids?);
        acknowledged.bytes = transcript(&disk.after_crash(Unsynced::Kept));
        Ok(())
    };
    let one = |id: Result<EntryId, AppendError>| id.map(|id| vec![id]);
    add(one(turn.append_message(at(1), said("caf\u{e9}"))))?;
    add(turn.append_messages(vec![(at(2), said("two")), (at(3), said("three"))]))?;
    let intent = Meta {
        intent: Some(FlushIntent {
            log_file: "memory/2026-04-12.md".into(),
            epoch: Epoch(0),
            span: (
                turn.view().items[0].entry.clone(),
                turn.view().items[2].entry.clone(),
            ),
            before_compaction: true,
        }),
        ..Meta::default()
    };
    add(one(turn.append_meta(at(4), intent)))?;
    let kept = turn.view().items[2].entry.clone();
    add(one(
        turn.append_compaction(at(5), compaction(0, kept.clone()))
    ))?;
    add(one(turn.append_rewind(at(5), &kept)))?;
    drop(turn);
    let mut turn = begin()?;
    Ok(add(one(turn.append_message(at(6), said("four"))))?)
}

/// The ids of all entries after reopening the session and appending to it.
fn reopened(disk: &MemoryDisk) -> Vec<EntryId> {
    let store = store(disk.clone());
    let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    let going_on = turn.append_message(at(9), said("going on")).unwrap();
    let ids = ids(disk);
    assert_eq!(ids.last(), Some(&going_on));
    ids
}

fn ids(disk: &MemoryDisk) -> Vec<EntryId> {
    let lines = store(disk.clone()).lines(&main()).unwrap();
    assert_eq!(lines.torn_tail(), None);
    lines
        .map(|line| match line.unwrap().content {
            LineContent::Entry(entry) => Some(entry.id),
            LineContent::Header(_) => None,
            LineContent::ShortMeta(_) | LineContent::Damaged { .. } => panic!("a broken line"),
        })
        .skip(1)
        .map(Option::unwrap)
        .collect()
}

#[test]
fn i1_i2_session_survives_crash_at_every_byte() {
    let start = home();
    assert_eq!(run(&CrashDisk::new(&start, u64::MAX)).ids.len(), 7);
    for Crash {
        done, found, when, ..
    } in CrashDisk::crashes(&start, |disk| run(&disk))
    {
        let is_kept = || transcript(&found).starts_with(&done.bytes);
        assert!(is_kept(), "i2 {when}");
        let ids = reopened(&found);
        let n_acknowledged = done.ids.len();
        assert_eq!(ids[..n_acknowledged], done.ids, "i1 {when}");
        // Entries of the interrupted append may be in the file although they were not acknowledged.
        assert!(ids.len() <= n_acknowledged + 2 + 1, "i1 {when}");
        assert!(is_kept(), "i2 {when}");
    }
}

#[test]
fn i1_i2_repair_survives_crash_at_every_byte() {
    // A header without a message, then a torn line.
    let header = crate::test_kit::header_line();
    let torn = format!("{header}{{\"type\":\"message\",\"id\":\"torn\"");
    let start = home_with(&torn);
    for Crash { found, when, .. } in CrashDisk::crashes(&start, |disk| run(&disk)) {
        let begun = store(found.clone()).begin_turn(&main(), NO_LIMIT).unwrap();
        drop(begun);
        assert!(transcript(&found).starts_with(header.as_bytes()));
        let kept = found.snapshot();
        let is_kept = |(path, bytes): (&PathBuf, &Vec<u8>)| {
            path.starts_with("/home/state/quarantine") && *bytes == torn.as_bytes()[header.len()..]
        };
        assert!(kept.iter().any(is_kept), "{when}");
    }
}

#[test]
fn i1_full_disk_loses_no_acknowledged_entry_and_is_reported() {
    let start = home();
    let whole = CrashDisk::new(&start, u64::MAX);
    run(&whole);
    for moment in 0..whole.n_moments() {
        let disk = CrashDisk::full(&start, moment);
        let acknowledged = run(&disk);
        let found = disk.after_crash(Unsynced::Kept);
        let ids = reopened(&found);
        assert_eq!(
            ids[..acknowledged.ids.len()],
            acknowledged.ids,
            "moment {moment}"
        );
        assert!(transcript(&found).starts_with(&acknowledged.bytes));
    }
    // Moment 1 is the creation of the lock directory.
    let disk = CrashDisk::full(&start, 1);
    let mut turn = store(disk).begin_turn(&main(), NO_LIMIT).unwrap();
    let error = turn.append_message(at(1), said("x")).unwrap_err();
    assert_eq!(error.to_string(), format!("nothing was added to {PATH}"));
}
