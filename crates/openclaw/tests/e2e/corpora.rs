//! Replays the corpora of the fuzz targets: every input, every beginning of it, and each with bytes that flipped.
//!
//! Never checks what an input means; other tests do.

use std::path::{Path, PathBuf};

use base::disk::{OsDisk, read_all};
use testkit::TestHome;

#[path = "../../../../fuzz/targets/readers.rs"]
mod readers;

/// Longest input.
const BYTES_MAX: u64 = 1 << 20;

/// Beginnings and flips of one input.
const N_VARIANTS: usize = 24;

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let paths = std::fs::read_dir(root.join(name)).unwrap();
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "the corpus {name} is empty");
    let with_bytes = |path: PathBuf| {
        let bytes = read_all(&OsDisk, &path, BYTES_MAX).unwrap();
        (path, bytes)
    };
    paths.into_iter().map(with_bytes).collect()
}

/// The input, its beginnings, and copies of it with one byte flipped, spread over its length.
fn variants(bytes: &[u8]) -> Vec<Vec<u8>> {
    let places = (0..N_VARIANTS).map(|n| bytes.len() * n / N_VARIANTS);
    let changed = places.flat_map(|at| {
        let mut flipped = bytes.to_vec();
        if let Some(byte) = flipped.get_mut(at) {
            *byte ^= 0x55;
        }
        [bytes[..at].to_vec(), flipped]
    });
    std::iter::once(bytes.to_vec()).chain(changed).collect()
}

#[test]
fn i16_readers_accept_every_input_of_their_corpus() {
    for (name, read) in readers::READERS {
        for (_, bytes) in corpus(name) {
            for bytes in variants(&bytes) {
                read(&bytes);
            }
        }
    }
}

#[test]
fn i16_config_corpus_is_read_or_rejected() {
    for (path, bytes) in corpus("config") {
        let home = TestHome::new();
        home.write("config.yaml", bytes);
        let run = home.run("config show --json");
        let ends_well = matches!(run.code, Some(0..=2));
        assert!(ends_well, "{}\n{}", path.display(), run.transcript());
    }
}

/// An archive that names a place outside the home, contains links, or is cut short leaves nothing behind.
#[test]
fn i16_backup_corpus_is_rejected_and_leaves_nothing() {
    for (path, bytes) in corpus("backup") {
        let home = TestHome::new();
        home.input("kept.tar.gz", bytes);
        let run = home.run("restore kept.tar.gz");
        let is_refused = matches!(run.code, Some(1 | 5));
        assert!(is_refused, "{}\n{}", path.display(), run.transcript());
        let left = std::fs::read_dir(home.folder()).unwrap();
        let names: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["kept.tar.gz"], "{}", path.display());
    }
}
