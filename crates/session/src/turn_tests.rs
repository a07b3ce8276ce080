//! Entries that a turn rejects, its errors after a failure, and the state that it finds when it begins.
//!
//! `history_tests` covers the histories of whole sessions, `crash_tests` covers crashes.

use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use base::disk::{Disk, DiskOperation, Hook, HookedDisk, MemoryDisk};

use super::*;
use crate::test_kit::{
    NO_LIMIT, PATH, at, compaction, header_line, home, home_with, id, main, said, store, store_on,
    texts, transcript, user_line,
};
use crate::{BeginTurnError, ReadError, SessionStore};

fn begin(store: &SessionStore) -> Turn {
    store.begin_turn(&main(), NO_LIMIT).unwrap()
}

#[test]
fn turn_writes_nothing_before_first_append() {
    let disk = MemoryDisk::new();
    let store = store(disk.clone());
    let turn = begin(&store);
    assert_eq!((turn.leaf(), turn.repairs()), (None, &[] as &[Repair]));
    drop(turn);
    assert_eq!(transcript(&disk), b"");
    assert!(!store.exists(&main()).unwrap());
    let error = store.read(&main(), NO_LIMIT).unwrap_err();
    assert_eq!(error.to_string(), "there is no session main");

    let mut turn = begin(&store);
    turn.append_message(at(1), said("hi")).unwrap();
    assert!(store.exists(&main()).unwrap());
    assert_eq!(store.names().unwrap(), [main()]);
    assert_eq!(store.path(&main()), PathBuf::from(PATH));
}

#[test]
fn session_has_one_turn_at_a_time() {
    let disk = home();
    let store = store(disk.clone());
    let first = begin(&store);
    let error = store.begin_turn(&main(), NO_LIMIT).unwrap_err();
    let pid = std::process::id();
    assert_eq!(
        error.to_string(),
        format!("session main is in use by process {pid}")
    );
    let other = "other".parse().unwrap();
    drop(store.begin_turn(&other, NO_LIMIT).unwrap());
    drop(first);
    begin(&store);
}

#[test]
fn torn_line_is_quarantined_even_if_only_newline_is_missing() {
    let whole = format!("{}{}", header_line(), user_line("a", "null"));
    let tail = user_line("b", "a").trim_end().to_owned();
    let disk = home_with(format!("{whole}{tail}"));
    let turn = begin(&store(disk.clone()));
    assert_eq!(texts(turn.view()), ["a"]);
    let [
        Repair::TornTail {
            offset,
            n_bytes,
            quarantine,
        },
    ] = turn.repairs()
    else {
        panic!("{:?}", turn.repairs());
    };
    assert_eq!((*offset, *n_bytes), (whole.len() as u64, tail.len() as u64));
    assert_eq!(disk.snapshot()[quarantine], tail.as_bytes());
    assert_eq!(transcript(&disk), whole.as_bytes());
}

#[test]
fn file_with_only_torn_line_counts_as_not_begun() {
    for bytes in [&b""[..], b"\0\x01binary", b"{\"type\":\"session\""] {
        let disk = home_with(bytes);
        let store = store(disk.clone());
        assert!(matches!(
            store.read(&main(), NO_LIMIT),
            Err(ReadError::NotBegun(..))
        ));
        let mut turn = begin(&store);
        assert_eq!(turn.repairs().len(), usize::from(!bytes.is_empty()));
        let first = turn.append_message(at(1), said("hi")).unwrap();
        let expected = format!("{}\n", header_of(turn.session_id()));
        assert!(transcript(&disk).starts_with(expected.as_bytes()));
        assert_eq!(store.read(&main(), NO_LIMIT).unwrap().leaf, Some(first));
    }
}

fn header_of(session: &SessionId) -> String {
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{session}\",\"timestamp\":\"2026-04-12T13:20:00.000Z\",\"cwd\":\".\"}}"
    )
}

#[test]
fn i2_damaged_header_is_reported_and_kept() {
    let bytes = format!("garbage\n{}", user_line("a", "null"));
    let disk = home_with(&bytes);
    let mut turn = begin(&store(disk.clone()));
    assert_eq!(turn.repairs(), [Repair::NoHeader]);
    assert_eq!(turn.session_id(), &SessionId::new("main"));
    turn.append_message(at(1), said("b")).unwrap();
    assert_eq!(texts(turn.view()), ["a", "b"]);
    assert!(transcript(&disk).starts_with(bytes.as_bytes()));
}

#[test]
fn session_of_other_format_is_readable_but_not_writable() {
    for (version, expected) in [
        (
            4,
            "/home/sessions/main.jsonl has format 4; this version writes 3",
        ),
        (
            2,
            "/home/sessions/main.jsonl has format 2; this version writes 3",
        ),
    ] {
        let header = header_line().replace("\"version\":3", &format!("\"version\":{version}"));
        let bytes = format!("{header}{}torn", user_line("a", "null"));
        let disk = home_with(&bytes);
        let store = store(disk.clone());
        let error = store.begin_turn(&main(), NO_LIMIT).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let is_new = matches!(error, BeginTurnError::TooNew(_, 4));
        assert_eq!(is_new, version == 4);
        assert_eq!(transcript(&disk), bytes.as_bytes());
        let snapshot = store.read(&main(), NO_LIMIT).unwrap();
        assert_eq!(texts(&snapshot.view), ["a"]);
    }
}

#[test]
fn append_rejects_wrong_epoch_and_unknown_rewind_target() {
    let mut turn = begin(&store(home()));
    turn.append_message(at(1), said("a")).unwrap();
    let error = turn
        .append_compaction(at(2), compaction(1, id("x")))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the compaction count of session main is 0, but this entry was made for 1; run the command again"
    );
    turn.append_compaction(at(2), compaction(0, id("x")))
        .unwrap();
    let error = turn.append_meta(at(3), Meta::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the compaction count of session main is 1, but this entry was made for 0; run the command again"
    );
    let error = turn.append_rewind(at(3), &id("lost")).unwrap_err();
    assert_eq!(error.to_string(), "session main has no entry lost");
}

#[test]
fn rewind_keeps_epoch() {
    let mut turn = begin(&store(home()));
    let first = turn.append_message(at(1), said("a")).unwrap();
    turn.append_compaction(at(2), compaction(0, first.clone()))
        .unwrap();
    turn.append_message(at(3), said("b")).unwrap();
    assert_eq!(texts(turn.view()), ["[summary 0]", "a", "b"]);
    turn.append_rewind(at(4), &first).unwrap();
    assert_eq!(texts(turn.view()), ["a"]);
    assert_eq!(turn.state().compaction_count, Epoch(1));
}

#[test]
fn i4_rewind_restores_flushed_mark_of_its_target() {
    let mut turn = begin(&store(home()));
    let first = turn.append_message(at(1), said("a")).unwrap();
    let second = turn.append_message(at(2), said("b")).unwrap();
    let third = turn.append_message(at(3), said("c")).unwrap();
    let flushed = Meta {
        flushed_through: Some(second.clone()),
        ..Meta::default()
    };
    turn.append_meta(at(4), flushed).unwrap();
    for (target, covered) in [(&third, &second), (&first, &first), (&third, &second)] {
        turn.append_rewind(at(5), target).unwrap();
        assert_eq!(turn.state().flushed_through.as_ref(), Some(covered));
    }
}

#[test]
fn resets_are_chained_by_parent() {
    let disk = home();
    let mut turn = begin(&store(disk));
    let early = turn.append_message(at(1), said("a")).unwrap();
    let first = turn.append_reset(at(2)).unwrap();
    assert_eq!(first.parent.as_ref(), Some(turn.session_id()));
    let second = turn.append_reset(at(3)).unwrap();
    assert_eq!(second.parent, Some(first.session));
    turn.append_rewind(at(4), &early).unwrap();
    let third = turn.append_reset(at(5)).unwrap();
    assert_eq!(third.parent.as_ref(), Some(turn.session_id()));
}

#[test]
fn append_includes_lines_added_by_other_program() {
    let disk = home();
    let mut turn = begin(&store(disk.clone()));
    let first = turn.append_message(at(1), said("a")).unwrap();
    let added = user_line("b", first.as_str());
    disk.append(FilePath::new(PATH), added.as_bytes()).unwrap();
    let third = turn.append_message(at(2), said("c")).unwrap();
    assert_eq!(texts(turn.view()), ["a", "b", "c"]);
    let n_bytes = added.len() as u64;
    assert_eq!(turn.repairs(), [Repair::AppendedElsewhere(n_bytes)]);

    disk.truncate(FilePath::new(PATH), 10).unwrap();
    let error = turn.append_message(at(3), said("d")).unwrap_err();
    assert!(
        matches!(error, AppendError::CutElsewhere { found: 10, .. }),
        "{error}"
    );
    assert_eq!(turn.leaf(), Some(&third));
}

#[test]
fn i4_branch_by_other_program_is_not_flushed_twice() {
    let message = |name: &str, parent: &str| user_line(name, parent);
    let flushed = |name: &str, parent: &str, through: &str| {
        let more = format!(",\"compactionCount\":0,\"flushedThroughEntryId\":\"{through}\"");
        crate::test_kit::line("meta", name, parent, &more)
    };
    let rewind = ",\"targetId\":\"a\",\"targetOffset\":0,\"state\":{\"compactionCount\":0,\"flushedThroughEntryId\":\"a\"}";
    let before = [
        header_line(),
        user_line("a", "null"),
        message("b", "a"),
        message("c", "b"),
        flushed("m", "c", "c"),
        message("d", "m"),
        crate::test_kit::line("rewind", "r", "a", rewind),
        message("e", "r"),
    ];
    let unflushed = |lines: &[String]| -> Vec<String> {
        let turn = begin(&store(home_with(lines.concat())));
        let entries = turn.unflushed().unwrap();
        entries.map(|entry| entry.unwrap().id.to_string()).collect()
    };
    assert_eq!(unflushed(&before), ["e"]);
    let back = [&before[..], &[message("f", "d")]].concat();
    assert_eq!(unflushed(&back), ["d", "f"]);
    let beside = [&before[..], &[message("f", "b")]].concat();
    assert_eq!(unflushed(&beside), ["f"]);
    // Even if the line of the covered entry is damaged, the entry after it still names its id.
    let mut damaged = before[..6].to_vec();
    damaged[3] = "damage\n".into();
    assert_eq!(unflushed(&damaged), ["d"]);
}

/// A disk that fails once, when the test asks for it.
#[derive(Debug, Clone)]
struct Fault {
    disk: MemoryDisk,
    next: Arc<AtomicU8>,
}

type FaultyDisk = HookedDisk<MemoryDisk, Fault>;

const NO_FAULT: u8 = 0;
const HALF_AN_APPEND: u8 = 1;
const NO_SYNC: u8 = 2;
const NO_DIRECTORY_SYNC: u8 = 3;

impl Fault {
    fn takes(&self, fault: u8) -> bool {
        let taken = self
            .next
            .compare_exchange(fault, NO_FAULT, Ordering::SeqCst, Ordering::SeqCst);
        taken.is_ok()
    }
}

fn fault(act: &'static str, path: &FilePath) -> DiskError {
    DiskError::on(act, path)(io::ErrorKind::StorageFull.into())
}

impl Hook for Fault {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        if let DiskOperation::Append(path, bytes) = operation
            && self.takes(HALF_AN_APPEND)
        {
            self.disk.append(path, &bytes[..bytes.len() / 2])?;
            return Err(fault("append to", path));
        }
        if let DiskOperation::Sync(path) = operation
            && self.takes(NO_SYNC)
        {
            return Err(fault("sync", path));
        }
        if let DiskOperation::SyncDir(directory) = operation
            && self.takes(NO_DIRECTORY_SYNC)
        {
            return Err(fault("sync directory", directory));
        }
        Ok(())
    }
}

fn failing(disk: MemoryDisk, fault: u8) -> FaultyDisk {
    HookedDisk {
        below: disk.clone(),
        hook: Fault {
            disk,
            next: Arc::new(AtomicU8::new(fault)),
        },
    }
}

fn faulty() -> (FaultyDisk, Turn) {
    let disk = failing(home(), NO_FAULT);
    let mut turn = begin(&store_on(Arc::new(disk.clone())));
    turn.append_message(at(1), said("a")).unwrap();
    (disk, turn)
}

#[test]
fn i1_failed_write_is_undone_and_can_be_retried() {
    let (disk, mut turn) = faulty();
    let before = transcript(&disk.below);
    disk.hook.next.store(HALF_AN_APPEND, Ordering::SeqCst);
    let error = turn.append_message(at(2), said("b")).unwrap_err();
    assert_eq!(error.to_string(), format!("nothing was added to {PATH}"));
    assert_eq!(transcript(&disk.below), before);
    assert_eq!(texts(turn.view()), ["a"]);
    turn.append_message(at(3), said("c")).unwrap();
    assert_eq!(texts(turn.view()), ["a", "c"]);
    assert_eq!(turn.repairs(), []);
}

#[test]
fn i1_turn_writes_nothing_after_failed_sync() {
    let (disk, mut turn) = faulty();
    disk.hook.next.store(NO_SYNC, Ordering::SeqCst);
    let error = turn.append_message(at(2), said("b")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the end of {PATH} is in an unknown state; this turn writes nothing more")
    );
    let before = transcript(&disk.below);
    let error = turn.append_message(at(3), said("c")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("an earlier write to {PATH} failed; begin a new turn")
    );
    assert_eq!(transcript(&disk.below), before);
}

#[test]
fn i1_existing_file_name_is_synced_before_first_message() {
    let disk = failing(home_with(header_line()), NO_DIRECTORY_SYNC);
    let mut turn = begin(&store_on(Arc::new(disk.clone())));
    let error = turn.append_message(at(1), said("a")).unwrap_err();
    assert_eq!(error.to_string(), format!("nothing was added to {PATH}"));
    assert_eq!(transcript(&disk.below), header_line().as_bytes());
    turn.append_message(at(2), said("b")).unwrap();
    disk.hook.next.store(NO_DIRECTORY_SYNC, Ordering::SeqCst);
    turn.append_message(at(3), said("c")).unwrap();
}

#[test]
fn oversized_message_is_rejected_before_any_write() {
    let disk = home();
    let mut turn = begin(&store(disk.clone()));
    let text = "x".repeat(usize::try_from(crate::LINE_BYTES_MAX).unwrap());
    let messages = vec![(at(1), said("short")), (at(1), said(&text))];
    let error = turn.append_messages(messages).unwrap_err();
    assert_eq!(error.to_string(), "cannot append the entry to session main");
    assert_eq!(transcript(&disk), b"");
}
