//! The file of vectors: what it says is what the store says, whatever happened since.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests damage files on purpose"
)]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use base::disk::OsDisk;
use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile};
use tempfile::TempDir;

use super::*;
use crate::index::{Embedding, VectorScan};
use crate::notes_kit::FolderNotes;
use crate::rank::{SearchMode, SearchOptions, search};
use crate::sync::{Corpus, sync};

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

struct Home {
    directory: TempDir,
    workspace: FolderNotes,
}

impl Home {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let workspace = FolderNotes::new(Arc::new(OsDisk), at("workspace"));
        fs::create_dir_all(at("workspace/memory")).unwrap();
        Self {
            directory,
            workspace,
        }
    }

    fn write(&self, day: u32, lines: &[String]) {
        let path = format!("memory/2024-05-{day:02}.md");
        fs::write(self.workspace.root().join(path), lines.concat()).unwrap();
    }

    fn open(&self, scan: VectorScan) -> Index {
        let index = Index::open(Arc::new(OsDisk), &self.directory.path().join("index")).unwrap();
        index.with_embedder(Some(Arc::new(Bytes))).with_scan(scan)
    }

    fn sync(&self, index: &Index) {
        let corpus = Corpus {
            notes: &self.workspace,
            sessions: None,
        };
        let now = "2100-01-01T00:00:00Z".parse().unwrap();
        sync(index, &corpus, now, &mut |_| ()).unwrap();
        assert!(matches!(
            index.embedding().unwrap(),
            Embedding::Complete(..)
        ));
    }

    fn pack(&self, index: &Index) -> PathBuf {
        write_pack(index, &index.store.embedder().unwrap().unwrap()).unwrap();
        let number = index.store.number(meta::PACK).unwrap();
        self.directory.path().join("index").join(pack_name(number))
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
            let exact = search(&self.open(VectorScan::Exact), question, &options).unwrap();
            assert_eq!(found, exact, "{after}: {question}");
        }
    }
}

fn lines(seed: u32) -> Vec<String> {
    let word = |n: u32| {
        ["ferry", "noon", "zoo", "quartz", "moon"][n as usize % 5].repeat(1 + n as usize % 3)
    };
    (0..9)
        .map(|n| format!("- {} {} {seed}\n", word(seed + n), word(seed * n)))
        .collect()
}

#[test]
fn the_file_of_vectors_says_what_the_store_says() {
    let home = Home::new();
    for day in 1..=20 {
        home.write(day, &lines(day));
    }
    let index = home.open(VectorScan::Quick);
    home.sync(&index);
    let path = home.pack(&index);
    assert!(path.exists());
    home.check_same(&index, "written");

    home.write(3, &lines(77));
    home.write(21, &lines(78));
    fs::remove_file(home.workspace.root().join("memory/2024-05-05.md")).unwrap();
    home.sync(&index);
    home.check_same(&index, "some changed");
    home.write(3, &lines(3));
    home.sync(&index);
    home.check_same(&index, "changed back");

    let second = home.pack(&index);
    assert!(second.exists() && !path.exists());
    home.check_same(&index, "written anew");

    let whole = fs::read(&second).unwrap();
    fs::write(&second, &whole[..whole.len() - 1]).unwrap();
    home.check_same(&home.open(VectorScan::Quick), "damaged");
    fs::remove_file(&second).unwrap();
    home.check_same(&home.open(VectorScan::Quick), "gone");
}

#[test]
fn i7_a_rebuilt_index_with_many_vectors_finds_the_same() {
    let home = Home::new();
    for day in 1..=9 {
        home.write(day, &lines(day));
    }
    let mut index = home.open(VectorScan::Quick);
    home.sync(&index);
    home.pack(&index);
    index.rebuild("a test".to_owned()).unwrap();
    home.sync(&index);
    assert_eq!(index.store.number(meta::PACK).unwrap(), 0);
    home.check_same(&index, "rebuilt");
}
