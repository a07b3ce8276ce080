//! The cost of resuming depends on the window and not on the size of the file.
//!
//! Counts bytes, never time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::disk::ReadAt;
use base::{EntryId, TokenCount};

use super::*;
use crate::test_kit::{
    PATH, at, compaction, compaction_line, header_line, home, home_with, id, main, said, store,
    transcript, user_line,
};
use crate::{Epoch, Meta, StateCache, Unflushed};

/// A file that counts the bytes read from it.
#[derive(Debug)]
struct Counted {
    bytes: Vec<u8>,
    n_read: Arc<AtomicU64>,
}

impl ReadAt for Counted {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let start = usize::try_from(offset).unwrap();
        let available = self.bytes.get(start..).unwrap_or_default();
        let n_read = available.len().min(buffer.len());
        buffer[..n_read].copy_from_slice(&available[..n_read]);
        self.n_read.fetch_add(n_read as u64, Ordering::SeqCst);
        Ok(n_read)
    }
}

const WINDOW: ResumeLimit = ResumeLimit {
    tokens: TokenCount(1_000),
};

/// A transcript, and the counter of the bytes read from it.
fn counted(bytes: Vec<u8>) -> (TranscriptFile, Arc<AtomicU64>) {
    let n_read = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        bytes,
        n_read: Arc::clone(&n_read),
    };
    let file = TranscriptFile::new(Box::new(counted), Path::new(PATH)).unwrap();
    (file, n_read)
}

fn resumed(bytes: Vec<u8>) -> (SessionSnapshot, u64) {
    let (file, n_read) = counted(bytes);
    let resumed = resume(&file, &main(), WINDOW).unwrap();
    (resumed, n_read.load(Ordering::SeqCst))
}

/// A session of this program in which nothing was ever flushed or compacted.
fn written(n_mebibytes: usize) -> Vec<u8> {
    let disk = home();
    let mut turn = store(disk.clone()).begin_turn(&main(), WINDOW).unwrap();
    let text = "x".repeat(512 * 1024);
    for _ in 0..2 * n_mebibytes {
        turn.append_message(at(1), said(&text)).unwrap();
    }
    transcript(&disk)
}

#[test]
fn resume_of_long_session_reads_bounded_bytes() {
    for n_mebibytes in [12, 36] {
        let (resumed, n_read) = resumed(written(n_mebibytes));
        assert!(resumed.view.is_cut);
        assert!(n_read < 6 * 1024 * 1024, "{n_read} bytes were read");
    }
}

#[test]
fn backlog_of_long_file_is_walked_once_for_all_parts() {
    let disk = home();
    let mut turn = store(disk.clone()).begin_turn(&main(), WINDOW).unwrap();
    let text = "x".repeat(8 * 1024);
    let said = (0..200).map(|_| (at(1), said(&text)));
    let ids = turn.append_messages(said.collect()).unwrap();
    let bytes = transcript(&disk);
    let states = StateCache::default();
    let find = |bytes: &[u8], through: Option<&EntryId>| {
        let (file, n_read) = counted(bytes.to_vec());
        let file = file.knowing(&states);
        n_read.store(0, Ordering::SeqCst);
        let unflushed = Unflushed::find(file, through, usize::MAX).unwrap().unwrap();
        let n_walked = n_read.load(Ordering::SeqCst);
        let ids = unflushed.map(|entry| entry.unwrap().id);
        let is_walked = n_walked * 2 > bytes.len() as u64;
        (ids.collect::<Vec<EntryId>>(), is_walked)
    };
    assert_eq!(find(&bytes, None), (ids.clone(), true));
    assert_eq!(find(&bytes, Some(&ids[2])), (ids[3..].to_vec(), false));
    let next = user_line("next", ids[199].as_str());
    let longer = [&bytes, next.as_bytes()].concat();
    let with_next = [&ids[5..], &[id("next")]].concat();
    assert_eq!(find(&longer, Some(&ids[4])), (with_next, false));
    // Other bytes, such as those of a transcript whose texts were removed, are walked again.
    let moved = String::from_utf8(bytes).unwrap().replacen("xxxx", "", 1);
    assert_eq!(
        find(moved.as_bytes(), Some(&ids[4])),
        (ids[5..].to_vec(), true)
    );
}

/// A session with this many compactions. Before each one come a few messages and a flush.
fn compacted(n_compactions: u64) -> Vec<u8> {
    let disk = home();
    let mut turn = store(disk.clone()).begin_turn(&main(), WINDOW).unwrap();
    let text = "x".repeat(4 * 1024);
    for epoch in 0..n_compactions {
        let seconds = i64::try_from(epoch).unwrap();
        let said = (0..6).map(|_| (at(seconds), said(&text)));
        let entries = turn.append_messages(said.collect()).unwrap();
        let flushed = Meta {
            memory_flush_compaction_count: Some(Epoch(epoch)),
            flushed_through: entries.last().cloned(),
            ..turn.state().clone()
        };
        turn.append_meta(at(seconds), flushed).unwrap();
        let kept = entries[4].clone();
        turn.append_compaction(at(seconds), compaction(epoch, kept))
            .unwrap();
    }
    turn.append_message(at(9_000), said("the last one"))
        .unwrap();
    transcript(&disk)
}

#[test]
fn resume_after_thousand_compactions_reads_as_much_as_after_ten() {
    let [few, many] = [10, 1_000].map(|n_compactions| {
        let bytes = compacted(n_compactions);
        let (resumed, mut n_read) = resumed(bytes.clone());
        assert_eq!(resumed.state.compaction_count, Epoch(n_compactions));
        let (file, n_of_flush) = counted(bytes);
        let through = resumed.state.flushed_through.as_ref();
        let unflushed = Unflushed::find(file, through, usize::MAX).unwrap().unwrap();
        assert_eq!(unflushed.n_entries(), 1);
        n_read += n_of_flush.load(Ordering::SeqCst);
        n_read
    });
    assert!(many <= 2 * few, "{few} bytes were read, then {many}");
}

#[test]
fn first_append_to_long_foreign_file_stores_counted_state() {
    let compaction = compaction_line("k", "null", "k", "");
    let long = user_line(&"b".repeat(1024), "null").repeat(4096);
    let disk = home_with([header_line(), compaction, long].concat());
    let mut turn = store(disk.clone()).begin_turn(&main(), WINDOW).unwrap();
    assert_eq!(turn.state().compaction_count, Epoch(1));
    let message = turn.append_message(at(1), said("hi")).unwrap();
    assert_ne!(turn.leaf(), Some(&message));
    let state = turn.state().clone();
    drop(turn);

    let (resumed, n_read) = resumed(transcript(&disk));
    assert_eq!(resumed.state, state);
    assert!(n_read < 1024 * 1024, "{n_read} bytes were read");

    let mut turn = store(disk.clone()).begin_turn(&main(), WINDOW).unwrap();
    let message = turn.append_message(at(2), said("again")).unwrap();
    assert_eq!(turn.leaf(), Some(&message), "the state is near enough");
}
