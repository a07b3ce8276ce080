//! Tests of the choice of stretches: a stretch that is left out unread is never among the best.

use std::path::Path;
use std::sync::Arc;

use base::Timestamp;
use base::disk::{Disk, MemoryDisk, OsDisk};

use super::*;
use crate::index::Index;
use crate::notes_kit::FolderNotes;
use crate::rank::SearchOptions;
use crate::rank::query::Question;
use crate::rank::score::idf;
use crate::sync::{Corpus, sync};
use crate::terms::CommonWords;

const WORDS: [&str; 8] = [
    "ferry", "noon", "boat", "dentist", "garden", "lamp", "roof", "May",
];

/// Notes of many small sections whose words, headings and days are drawn from a few.
fn notes(disk: &MemoryDisk, n_sections: usize) {
    let mut state = 7_usize;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for day in 1..=9 {
        let mut text = String::new();
        for _ in 0..n_sections / 9 {
            text.push_str("\n## about ");
            text.push_str(WORDS[below(WORDS.len())]);
            text.push('\n');
            for _ in 0..=below(5) {
                text.push('-');
                for _ in 0..=below(6) {
                    // Few words are said often, and most seldom.
                    let bound = below(WORDS.len()) + 1;
                    text.push(' ');
                    text.push_str(WORDS[below(bound)]);
                }
                text.push('\n');
            }
        }
        let path = format!("/w/memory/2023-05-0{day}.md");
        disk.append(Path::new(&path), text.as_bytes()).unwrap();
    }
}

#[test]
fn best_stretches_agree_with_exhaustive_reading() {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/w/memory")).unwrap();
    notes(&disk, 9 * 120);
    let workspace = FolderNotes::new(Arc::new(disk), "/w".into());
    let corpus = Corpus {
        notes: &workspace,
        sessions: None,
    };
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(Arc::new(OsDisk), &directory.path().join("index")).unwrap();
    sync(&index, &corpus, Timestamp::MAX_UTC, &mut |_| ()).unwrap();
    let snapshot = index.snapshot().unwrap();
    let options = SearchOptions::default();
    let bounds = Bounds::of(&options, &snapshot).unwrap();
    for text in [
        "dentist",
        "roof lamp",
        "ferry boat in May",
        "the garden, the lamp and the roof at noon",
    ] {
        let question = Question::parse(text, None, CommonWords::default());
        let terms: Vec<FoundTerm> = question
            .terms
            .iter()
            .map(|term| {
                let postings = snapshot.postings.of_term(&term.term).unwrap();
                FoundTerm {
                    term: term.clone(),
                    idf: idf(postings.n_pieces, snapshot.totals.n_pieces),
                    section_idf: 0.0,
                    postings,
                }
            })
            .collect();
        let all = at_most(&terms, snapshot.postings.n_segments());
        let mut stretches: Vec<StretchId> = all.iter().map(|it| it.stretch).collect();
        stretches.sort_unstable();
        let read = hits_in(&snapshot, scored(&terms), &stretches).unwrap();
        let read: BTreeMap<StretchId, _> = stretches.into_iter().zip(read).collect();
        assert!(
            read.values().all(|found| !found.is_empty()) && all.len() > ROUND_FIRST,
            "{text}: {}",
            all.len()
        );
        let mut best = Vec::new();
        let mut scratch = Scratch::default();
        for it in &all {
            let score = scratch.best_piece(&terms, &read[&it.stretch]);
            assert!(
                score <= it.score,
                "{text}: {score} is more than {}",
                it.score
            );
            let key = snapshot.postings.key(it.stretch);
            best.push((-score, key, it.stretch));
        }
        best.sort_by(|left, right| left.partial_cmp(right).unwrap());
        let found = best_stretches(&snapshot, &terms, &bounds).unwrap();
        let expected = best.iter().take(SHORTLIST_MIN);
        let expected = expected.map(|(.., it)| (*it, read[it].clone())).collect();
        assert_eq!(found, expected, "{text}");
    }
}
