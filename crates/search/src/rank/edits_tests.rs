//! An index that lived through thousands of edits.
//!
//! Compares with an index made from scratch; contains no scores.

use std::fs;
use std::sync::Arc;

use base::disk::OsDisk;

use super::tests::{Home, said};
use super::*;
use crate::rank::{SearchAnswer, search_remembered};

/// Scores of the same passages may differ by rounding alone.
const SCORE_MAX: f64 = 1e-3;

const N_EDITS: usize = 2_000;
const N_FILES: u32 = 14;
const N_SESSIONS: u32 = 3;

const WORDS: [&str; 12] = [
    "boat",
    "ferry",
    "anna",
    "lisbon",
    "tuna",
    "7:30",
    "fence",
    "paint",
    "meeting",
    "moved",
    "never",
    "\u{6e2f}\u{53e3}",
];

/// The same edits in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap() % bound
    }

    fn text(&mut self) -> String {
        let n_words = 1 + self.below(7);
        let words = (0..n_words).map(|_| WORDS[self.below(12) as usize]);
        let words: Vec<&str> = words.collect();
        words.join(" ")
    }

    fn lines(&mut self) -> String {
        let n_lines = 1 + self.below(6);
        let lines = (0..n_lines).map(|_| match self.below(6) {
            0 => format!("\n## {}\n", self.text()),
            1 => format!("Anna: {}?\n", self.text()),
            _ => format!("- {}\n", self.text()),
        });
        lines.collect()
    }
}

/// A home and the text of its notes.
struct Edited {
    home: Home,
    notes: Vec<Option<String>>,
    dice: Dice,
}

impl Edited {
    fn path(file: usize) -> String {
        format!("memory/2024-05-{:02}.md", file + 1)
    }

    fn put(&mut self, file: usize, text: Option<String>) {
        match &text {
            Some(text) => self.home.write(&Self::path(file), text),
            None => self.home.remove(&format!("/w/{}", Self::path(file))),
        }
        self.notes[file] = text;
    }

    fn edit(&mut self) {
        let file = self.dice.below(N_FILES) as usize;
        match self.dice.below(100) {
            0..25 => {
                let text = self.dice.lines();
                self.put(file, Some(text));
            }
            25..60 => {
                let text = self.notes[file].clone().unwrap_or_default() + &self.dice.lines();
                self.put(file, Some(text));
            }
            60..70 => self.put(file, None),
            70..80 => {
                let to = self.dice.below(N_FILES) as usize;
                let text = self.notes[file].take();
                self.put(file, None);
                self.put(to, text);
            }
            80..82 => self.forget_a_line(file),
            82..97 => self.speak(),
            _ => {
                let gone = format!("sessions/{}.jsonl", self.dice.below(N_SESSIONS));
                self.home
                    .sessions
                    .documents
                    .retain(|(path, _)| *path != gone);
            }
        }
    }

    /// Hides one line forever, wherever it comes back.
    fn forget_a_line(&mut self, file: usize) {
        // Long lines alone, or there would soon be nothing left to say.
        let mut text = self.notes[file].iter().flat_map(|text| text.lines());
        let line = text.find(|line| line.len() > 40);
        line.inspect(|line| self.home.workspace.forget(line));
    }

    fn speak(&mut self) {
        let name = format!("sessions/{}.jsonl", self.dice.below(N_SESSIONS));
        let text = self.dice.text();
        let documents = &mut self.home.sessions.documents;
        if documents.iter().all(|(path, _)| *path != name) {
            documents.push((name.clone(), Vec::new()));
        }
        let found = documents.iter_mut().find(|(path, _)| *path == name);
        let messages = &mut found.unwrap().1;
        let speaker = ["user", "assistant"][messages.len() % 2];
        messages.push(said(messages.len() + 2, speaker, &text));
    }

    fn reopen(&mut self) {
        let path = self.home.directory.path().join("index");
        self.home.index = Index::open(Arc::new(OsDisk), &path).unwrap();
    }

    fn assert_as_if_built_anew(&self, n_edits: usize) {
        let path = self.home.directory.path().join("anew");
        let anew = Index::open(Arc::new(OsDisk), &path).unwrap();
        self.home.sync_into(&anew);
        for question in [
            "boat",
            "When did Anna move to Lisbon?",
            "never paint the fence at 7:30",
            "\u{6e2f}\u{53e3} ferry 2024-05-03",
        ] {
            let [grown, fresh] = [&self.home.index, &anew].map(|index| {
                let options = SearchOptions {
                    limit: 60,
                    ..SearchOptions::default()
                };
                search_remembered(index, (question, &options), &self.home.workspace).unwrap()
            });
            assert!(!fresh.results.is_empty(), "{question}");
            assert_same(grown, &fresh, &format!("{question} after {n_edits} edits"));
        }
        drop(anew);
        fs::remove_dir_all(path).unwrap();
    }
}

/// The same passages in the same order, with scores that differ by rounding at most.
fn assert_same(mut grown: SearchAnswer, fresh: &SearchAnswer, when: &str) {
    for (grown, fresh) in grown.results.iter_mut().zip(&fresh.results) {
        let difference = (grown.score - fresh.score).abs();
        assert!(difference <= SCORE_MAX, "{when}: {grown:?} {fresh:?}");
        grown.score = fresh.score;
    }
    assert_eq!(&grown, fresh, "{when}");
}

#[test]
fn i7_index_after_thousands_of_edits_answers_like_new_one() {
    let mut edited = Edited {
        home: Home::new(&[]),
        notes: vec![None; N_FILES as usize],
        dice: Dice(7),
    };
    let (mut n_edits, mut n_syncs) = (0, 0);
    while n_edits < N_EDITS {
        let n_batch = 1 + edited.dice.below(24) as usize;
        for _ in 0..n_batch {
            edited.edit();
        }
        edited.home.sync();
        n_edits += n_batch;
        n_syncs += 1;
        if n_syncs % 20 == 0 {
            edited.reopen();
        }
        if n_syncs % 40 == 0 {
            edited.assert_as_if_built_anew(n_edits);
        }
    }
    edited.assert_as_if_built_anew(n_edits);
    // Segments were merged on the way.
    let snapshot = edited.home.index.snapshot().unwrap();
    assert!(snapshot.searcher.segment_readers().len() < n_syncs / 4);
}
