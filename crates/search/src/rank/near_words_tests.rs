//! Tests of words that are near to those of a question.
//!
//! This embedder has no vectors for texts, so that only its word vectors count.

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile, NEAR_COSINE_MIN, WordVectors, dot};

use super::super::model::NothingFound;
use super::tests::Home;
use super::*;
use crate::terms::{Term, TermKind};

/// Word vectors in which a ferry is near a boat, and a bus is near neither.
#[derive(Debug)]
struct Words;

const KNOWN: [(&str, [f32; 2]); 3] = [
    ("ferry", [1.0, 0.0]),
    ("boat", [0.8, 0.6]),
    ("bus", [0.0, 1.0]),
];

impl Embedder for Words {
    fn profile(&self) -> EmbedderProfile {
        EmbedderProfile {
            name: "words".into(),
            identity: "words:1".into(),
            dimensions: Some(2),
            batch_max: 8,
        }
    }

    fn embed(&self, _: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|_| vec![0.0; 2]).collect())
    }

    fn words(&self) -> Option<&dyn WordVectors> {
        Some(self)
    }
}

impl WordVectors for Words {
    fn word(&self, word: &str) -> Option<Vec<f32>> {
        let found = KNOWN.iter().find(|(known, _)| *known == word);
        found.map(|(_, vector)| vector.to_vec())
    }

    fn near(&self, word: &str) -> Vec<(String, f32)> {
        let Some(vector) = self.word(word) else {
            return Vec::new();
        };
        let mut near: Vec<_> = KNOWN
            .iter()
            .map(|(word, known)| ((*word).to_owned(), dot(&vector, known)))
            .filter(|(_, cosine)| *cosine >= NEAR_COSINE_MIN)
            .collect();
        near.sort_by(|left, right| right.1.total_cmp(&left.1));
        near
    }
}

/// Notes of one file, and an embedder that has three words.
pub(super) fn home(notes: &str) -> Home {
    let home = Home::new(&[("MEMORY.md", notes)]).embedding(Words);
    home.sync();
    home
}

fn lines(home: &Home, question: &str) -> (Vec<usize>, Option<NothingFound>) {
    let answer = search(&home.index, question, &SearchOptions::default()).unwrap();
    let lines = answer.results.iter().map(|result| result.start_line);
    (lines.collect(), answer.nothing)
}

#[test]
fn line_with_near_word_ranks_before_unrelated_line() {
    let home = home("- took a bus\n\n## B\n- crossed by boat\n\n## C\n- crossed by ferry\n");
    // The line of neither comes first in the file.
    let (found, _) = lines(&home, "crossed ferry");
    assert!(found.starts_with(&[7, 4]), "{found:?}");
}

#[test]
fn near_words_add_share_of_likelihood() {
    let question = "ferry arrived harbour island voyage";
    let of = |what: &str| lines(&home(&format!("## {what}\n- a {what} arrived\n")), question);
    // A fifth of the question stands there, and of another fifth two near words, each for a quarter.
    assert_eq!(of("boat"), (vec![2], Some(NothingFound::Unlikely)));
    assert_eq!(of("bus"), (Vec::new(), Some(NothingFound::NothingRelevant)));
}

#[test]
fn near_word_alone_is_not_relevant() {
    let home = home("- a boat came\n\n## B\n- a bus came\n");
    assert_eq!(
        lines(&home, "ferry"),
        (Vec::new(), Some(NothingFound::NothingRelevant))
    );
}

#[test]
fn removed_terms_are_not_counted() {
    let home = home("- ferry\n\n## B\n- the ferry came\n\n## C\n- a ferry left\n");
    let is_in_more_than = |n_max| {
        let term = Term {
            kind: TermKind::Stem,
            text: "ferri".to_owned(),
        };
        let snapshot = home.index.snapshot().unwrap();
        snapshot.postings.is_in_more_than(&term, n_max).unwrap()
    };
    assert!(is_in_more_than(2) && !is_in_more_than(3));
    home.write(
        "MEMORY.md",
        "- ferry\n\n## B\n- the ferry came\n\n## C\n- a bus left\n",
    );
    home.sync();
    assert!(is_in_more_than(1) && !is_in_more_than(2));
}
