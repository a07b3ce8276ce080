//! Tests of what is read of a term: counts, pieces and places, with what was taken out.

use std::path::Path;

use base::Timestamp;
use base::disk::{Disk, MemoryDisk, OsDisk};

use super::*;
use crate::index::Index;
use crate::notes_kit::FolderNotes;
use crate::sync::{Corpus, sync};
use crate::terms::TermKind;

/// What is read of a term: its pieces, and its places in each stretch.
fn read(index: &Index, kind: TermKind, text: &str) -> (u64, Vec<Vec<TermPlace>>) {
    let snapshot = index.snapshot().unwrap();
    let term = Term {
        kind,
        text: text.into(),
    };
    let of_term = snapshot.postings.of_term(&term).unwrap();
    let mut stretches = Vec::new();
    let mut counts = Vec::new();
    for segment in 0..snapshot.postings.n_segments() {
        for (doc, count) in of_term.counts(segment) {
            stretches.push(StretchId::new(segment, doc));
            counts.push(count as usize);
        }
    }
    assert_eq!(of_term.n_stretches(), stretches.len() as u64);
    let found = snapshot.postings.places(&of_term, &stretches).unwrap();
    let places: Vec<Vec<TermPlace>> = found.iter().map(|hits| hits.places().collect()).collect();
    assert_eq!(places.iter().map(Vec::len).collect::<Vec<_>>(), counts);
    for stretch in &stretches {
        let key = snapshot.postings.key(*stretch);
        assert_eq!(snapshot.postings.find(key).unwrap(), Some(*stretch));
    }
    (of_term.n_pieces, places)
}

#[test]
fn a_term_is_counted_once_for_each_piece_and_found_at_each_place() {
    let disk = Arc::new(MemoryDisk::new());
    disk.create_dir(Path::new("/w/memory")).unwrap();
    let write = |day: &str, text: &str| {
        let path = format!("/w/memory/2023-05-{day}.md");
        let path = Path::new(&path);
        if disk.stat(path).unwrap().is_some() {
            disk.truncate(path, 0).unwrap();
        }
        disk.append(path, text.as_bytes()).unwrap();
    };
    let workspace = FolderNotes::new(disk.clone(), "/w".into());
    let corpus = Corpus {
        notes: &workspace,
        sessions: None,
    };
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(Arc::new(OsDisk), &directory.path().join("index")).unwrap();
    let put = || sync(&index, &corpus, Timestamp::MAX_UTC, &mut |_| ()).unwrap();
    write(
        "07",
        "## The ferry in May\n- a ferry, a ferry\n- no boat\n- in May a ferry\n",
    );
    put();
    let (piece, heading, day) = (TermPlace::Piece, TermPlace::Heading, TermPlace::Day);
    assert_eq!(
        read(&index, TermKind::Stem, "ferri"),
        (2, vec![vec![piece(0), piece(0), piece(2), heading]])
    );
    // The day counts for each piece.
    assert_eq!(
        read(&index, TermKind::Stem, "may"),
        (3, vec![vec![piece(2), day, heading]])
    );
    write("08", "- the ferry came\n");
    put();
    assert_eq!(read(&index, TermKind::Stem, "ferri").0, 3);
    write("07", "- nothing at all\n");
    put();
    assert_eq!(
        read(&index, TermKind::Stem, "ferri"),
        (1, vec![vec![piece(0)]])
    );
    assert_eq!(
        read(&index, TermKind::Stem, "may"),
        (2, vec![vec![day], vec![day]])
    );
    assert_eq!(read(&index, TermKind::Stem, "boat"), (0, vec![]));
}
