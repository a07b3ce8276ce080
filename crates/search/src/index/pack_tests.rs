//! Tests of the pack: a search with a pack has the same results as one without, whatever has changed since.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests damage files on purpose"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base::disk::{DiskError, HookedDisk, OsDisk};
use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile};

use super::*;
use crate::index::{Embedding, VectorRow, VectorScan};
use crate::notes_kit::{Home, copy};
use crate::rank::{Bounds, Degraded, QuestionVector, SearchMode, SearchOptions, search};

/// The bytes of a text determine its direction.
#[derive(Debug)]
struct Bytes;

impl Embedder for Bytes {
    fn profile(&self) -> EmbedderProfile {
        EmbedderProfile {
            name: "bytes".into(),
            identity: "bytes:1".into(),
            dimensions: None,
            batch_max: 50,
        }
    }

    fn embed(&self, _: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &&str| {
            let mut vector = vec![0.01; 70];
            for (at, byte) in text.bytes().enumerate() {
                vector[(usize::from(byte) * 7 + at % 3) % 70] += 1.0;
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

impl Home {
    fn write_day(&self, day: u32, lines: &[String]) {
        self.write(&format!("memory/2024-05-{day:02}.md"), &lines.concat());
    }

    fn open_to(&self, scan: VectorScan) -> Index {
        let index = self.open().with_embedder(Some(Arc::new(Bytes)));
        index.with_scan(scan)
    }

    fn sync_whole(&self, index: &Index) {
        self.sync(index);
        let embedding = index.embedding().unwrap();
        assert!(matches!(embedding, Embedding::Complete(..)));
    }

    fn pack(&self, index: &Index) -> PathBuf {
        write_pack(index, &index.vectors().unwrap().unwrap()).unwrap();
        let number = index.store.number(meta::PACK).unwrap();
        self.index_path().join(pack_name(number))
    }

    /// Compares searches, and the sums of all vectors, with a new index of the same notes, which has no pack.
    #[track_caller]
    fn check_same(&self, index: &Index, after: &str) {
        let place = tempfile::tempdir().unwrap();
        let anew = Index::open(Arc::new(OsDisk), &place.path().join("index")).unwrap();
        let anew = anew.with_embedder(Some(Arc::new(Bytes)));
        self.sync_whole(&anew);
        assert!(anew.vectors().unwrap().unwrap().packed.is_none());
        let row = |index: &Index| index.store.embedder().unwrap();
        assert_eq!(row(index), row(&anew), "{after}");
        for question in ["ferry noon", "moonmoon", "quartz zoozoo"] {
            let options = SearchOptions {
                limit: 100,
                after: Some("2024-05-02".parse().unwrap()),
                ..SearchOptions::default()
            };
            let found = search(index, question, &options).unwrap();
            assert_eq!(found.mode, SearchMode::Hybrid);
            assert!(!found.results.is_empty());
            let expected = search(&anew, question, &options).unwrap();
            assert_eq!(found, expected, "{after}: {question}");
        }
    }
}

fn lines(seed: u32) -> Vec<String> {
    let word = |n: u32| {
        ["ferry", "noon", "zoo", "quartz", "moon"][n as usize % 5].repeat(1 + n as usize % 3)
    };
    let line = |n| format!("- {} {} {seed}\n", word(seed + n), word(seed * n));
    (0..9).map(line).collect()
}

/// A home with this many days of notes, and its index, which has no pack.
fn synced(n_days: u32) -> (Home, Index) {
    let home = Home::new();
    for day in 1..=n_days {
        home.write_day(day, &lines(day));
    }
    let index = home.open_to(VectorScan::Quick);
    home.sync_whole(&index);
    (home, index)
}

#[test]
fn index_with_pack_answers_like_index_without() {
    let (home, index) = synced(20);
    let path = home.pack(&index);
    assert!(path.exists());
    home.check_same(&index, "written");

    home.write_day(3, &lines(77));
    home.write_day(21, &lines(78));
    home.remove("memory/2024-05-05.md");
    home.sync_whole(&index);
    home.check_same(&index, "some changed");
    home.write_day(3, &lines(3));
    home.sync_whole(&index);
    home.check_same(&index, "changed back");

    let second = home.pack(&index);
    assert!(second.exists() && !path.exists());
    home.check_same(&index, "written anew");
    home.remove("memory/2024-05-21.md");
    home.write_day(5, &lines(5));
    home.sync_whole(&index);
    home.check_same(&index, "changed after that");
}

#[test]
fn store_holds_only_vectors_missing_from_pack() {
    let (home, index) = synced(20);
    let stored = || {
        let mut n_bytes = 0;
        let visit = |row: VectorRow| n_bytes += row.rows.len();
        index.store.each_vectors(visit).unwrap();
        n_bytes
    };
    assert_eq!(stored(), 20 * 9 * 70);
    home.pack(&index);
    assert_eq!(stored(), 0);
    let free: u64 = index
        .store
        .connection
        .pragma_query_value(None, "freelist_count", |row| row.get(0))
        .unwrap();
    assert_eq!(free, 0, "the pages of the vectors are given back");
    home.write_day(3, &lines(77));
    home.sync_whole(&index);
    assert_eq!(stored(), 9 * 70, "only what the pack lacks");
}

#[test]
fn i7_lost_pack_degrades_search_to_words_until_next_sync() {
    type Damage = fn(&PathBuf);
    let damages: [(&str, Damage); 2] = [
        ("gone", |path| fs::remove_file(path).unwrap()),
        ("cut", |path| {
            let whole = fs::read(path).unwrap();
            fs::write(path, &whole[..whole.len() - 1]).unwrap();
        }),
    ];
    for (name, damage) in damages {
        let (home, index) = synced(9);
        damage(&home.pack(&index));
        drop(index);

        let index = home.open_to(VectorScan::Quick);
        let found = search(&index, "ferry noon", &SearchOptions::default()).unwrap();
        assert_eq!(found.mode, SearchMode::Keyword, "{name}");
        assert_eq!(found.degraded, Some(Degraded::VectorsIncomplete), "{name}");
        assert!(!found.results.is_empty(), "{name}");
        // Changed notes must not spoil the sums.
        home.write_day(3, &lines(77));
        home.sync_whole(&index);
        home.check_same(&index, name);
    }
}

#[test]
fn lost_pack_is_not_reused_after_changes() {
    let (home, index) = synced(9);
    let path = home.pack(&index);
    drop(index);
    let aside = home.directory.path().join("aside");
    fs::rename(&path, &aside).unwrap();
    home.write_day(3, &lines(77));
    home.sync(&home.open());
    fs::rename(&aside, &path).unwrap();
    let index = home.open_to(VectorScan::Quick);
    home.sync_whole(&index);
    home.check_same(&index, "came back");
}

#[test]
fn pack_with_flipped_byte_is_not_copied() {
    let (home, index) = synced(1);
    let path = home.pack(&index);
    drop(index);
    let mut bytes = fs::read(&path).unwrap();
    // Of 9 pieces, 16 bytes of signs each: behind the header of 32.
    bytes[32 + 9 * 16] ^= 0x10;
    fs::write(&path, bytes).unwrap();
    let index = home.open_to(VectorScan::Quick);
    let written = write_pack(&index, &index.vectors().unwrap().unwrap());
    assert!(written.is_err_and(|error| error.is_damage()));
    assert!(path.exists());
}

#[test]
fn exact_scan_compares_vectors_that_quick_scan_skips() {
    let home = Home::new();
    let sections = (0..2_600).map(|n| format!("## Part {n}\n\n- {}\n\n", n * 7_919));
    home.write("memory/2024-05-01.md", &sections.collect::<String>());
    let index = home.open_to(VectorScan::Quick);
    home.sync_whole(&index);
    home.pack(&index);
    let n_compared = |scan| {
        let index = home.open_to(scan);
        let snapshot = index.snapshot().unwrap();
        let question = QuestionVector::of(&index, &snapshot, "noon")
            .unwrap()
            .unwrap();
        let options = SearchOptions {
            limit: 2_600,
            ..SearchOptions::default()
        };
        let bounds = Bounds::of(&options, &snapshot).unwrap();
        let sight = question.sight(&snapshot, &bounds).unwrap();
        sight.nearest().unwrap().len()
    };
    assert_eq!(n_compared(VectorScan::Exact), 2_600);
    assert!(n_compared(VectorScan::Quick) < 2_400);
}

#[test]
fn i7_pack_write_keeps_vectors_after_kill_or_failure_at_any_step() {
    let (home, index) = synced(9);
    home.pack(&index);
    home.write_day(3, &lines(77));
    home.remove("memory/2024-05-05.md");
    home.sync_whole(&index);
    drop(index);
    let (before, copies) = (
        home.directory.path().join("before"),
        home.directory.path().join("copies"),
    );
    copy(&home.index_path(), &before);
    let put_back = |from: &Path| {
        fs::remove_dir_all(home.index_path()).unwrap();
        copy(from, &home.index_path());
    };
    // At each write the index is copied aside, as a kill would leave it; one write fails.
    let pack_with = |at: Option<usize>| {
        put_back(&before);
        let n_writes = Arc::new(AtomicUsize::new(0));
        let (counted, from, to) = (Arc::clone(&n_writes), home.index_path(), copies.clone());
        let disk = HookedDisk::before(OsDisk, move |operation| {
            if !operation.is_change() {
                return Ok(());
            }
            let number = counted.fetch_add(1, Ordering::Relaxed);
            copy(&from, &to.join(number.to_string()));
            if at == Some(number) {
                return Err(DiskError::on("write", &from)(ErrorKind::StorageFull.into()));
            }
            Ok(())
        });
        let mut index = home.open_to(VectorScan::Quick);
        index.disk = Arc::new(disk);
        let written = write_pack(&index, &index.vectors().unwrap().unwrap());
        assert_eq!(written.is_err(), at.is_some(), "{at:?}: {written:?}");
        n_writes.load(Ordering::Relaxed)
    };
    let n_writes = pack_with(None);
    assert!(n_writes > 4, "{n_writes}");
    for number in 0..n_writes {
        put_back(&copies.join(number.to_string()));
        home.check_same(
            &home.open_to(VectorScan::Quick),
            &format!("killed at {number}"),
        );
    }
    for number in 0..n_writes {
        pack_with(Some(number));
        let index = home.open_to(VectorScan::Quick);
        home.check_same(&index, &format!("failed at {number}"));
        home.pack(&index);
        home.check_same(&index, &format!("written after {number}"));
    }
}

#[test]
fn readers_have_vectors_while_writer_replaces_pack() {
    let (home, writer) = synced(9);
    home.pack(&writer);
    // More readers than processors, so that some are interrupted between the start of a transaction and the pack.
    let n_readers = 4 * thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let read = || {
            for _ in 0..200 {
                let index = home.open_to(VectorScan::Quick);
                assert!(index.snapshot().unwrap().vectors.is_some());
            }
        };
        let readers: Vec<_> = (0..n_readers).map(|_| scope.spawn(read)).collect();
        while readers.iter().any(|reader| !reader.is_finished()) {
            home.pack(&writer);
        }
    });
}

#[test]
fn i7_rebuilt_index_with_pack_gives_same_answers() {
    let (home, mut index) = synced(9);
    home.pack(&index);
    index.rebuild().unwrap();
    home.sync_whole(&index);
    assert_eq!(index.store.number(meta::PACK).unwrap(), 0);
    home.check_same(&index, "rebuilt");
}
