//! The file of vectors: what it says is what the store says, whatever happened since.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests damage files on purpose"
)]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile};

use super::*;
use crate::index::{Embedding, VectorScan};
use crate::notes_kit::Home;
use crate::rank::{SearchMode, SearchOptions, search};

/// A text lies where its bytes fall.
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
        write_pack(index, &index.store.embedder().unwrap().unwrap()).unwrap();
        let number = index.store.number(meta::PACK).unwrap();
        self.index_path().join(pack_name(number))
    }

    /// What each way of looking finds, told apart by nothing but the way.
    #[track_caller]
    fn check_same(&self, index: &Index, after: &str) {
        for question in ["ferry noon", "moonmoon", "quartz zoozoo"] {
            let options = SearchOptions {
                limit: 100,
                after: Some("2024-05-02".parse().unwrap()),
                ..SearchOptions::default()
            };
            let found = search(index, question, &options).unwrap();
            assert_eq!(found.mode, SearchMode::Hybrid);
            assert!(!found.results.is_empty());
            let exact = search(&self.open_to(VectorScan::Exact), question, &options).unwrap();
            assert_eq!(found, exact, "{after}: {question}");
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

#[test]
fn the_file_of_vectors_says_what_the_store_says() {
    let home = Home::new();
    for day in 1..=20 {
        home.write_day(day, &lines(day));
    }
    let index = home.open_to(VectorScan::Quick);
    home.sync_whole(&index);
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

    let whole = fs::read(&second).unwrap();
    fs::write(&second, &whole[..whole.len() - 1]).unwrap();
    home.check_same(&home.open_to(VectorScan::Quick), "damaged");
    fs::remove_file(&second).unwrap();
    home.check_same(&home.open_to(VectorScan::Quick), "gone");
}

#[test]
fn i7_a_rebuilt_index_with_many_vectors_finds_the_same() {
    let home = Home::new();
    for day in 1..=9 {
        home.write_day(day, &lines(day));
    }
    let mut index = home.open_to(VectorScan::Quick);
    home.sync_whole(&index);
    home.pack(&index);
    index.rebuild("a test".to_owned()).unwrap();
    home.sync_whole(&index);
    assert_eq!(index.store.number(meta::PACK).unwrap(), 0);
    home.check_same(&index, "rebuilt");
}
