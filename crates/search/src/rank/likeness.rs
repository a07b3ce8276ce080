//! Word-by-word similarity of passage and question.
//!
//! Reorders the best passages of notes; it finds nothing new.

use std::collections::HashMap;

use base::{WordVectors, dot};
use pulp::Arch;

use super::found_term::whole_words;
use super::gather::Gathered;
use super::score::{EvidenceKind, EvidenceWeights};
use super::texts::{Rows, Texts, best_of_notes};
use crate::index::{IndexError, StretchRow};

/// How many of the best pieces are compared.
const LOOKED_AT: usize = 64;

/// Weight of a word in a neighbouring piece.
const NEIGHBOUR: f64 = 0.6;

/// Initial capacity of the word table: about as many words as the compared pieces have.
const WORDS_USUAL: usize = 1_024;

/// A word of the question.
struct QuestionWord {
    word: String,
    vector: Vec<f32>,
    idf: f64,
}

/// Similarities of words to those of the question, cached by word.
struct WordLikeness<'w> {
    words: &'w dyn WordVectors,
    asked: Vec<QuestionWord>,
    known: HashMap<String, Vec<f64>>,
}

/// Sets [`EvidenceKind::Likeness`] for the best pieces.
pub(crate) fn add_likeness(
    texts: &mut Texts<'_>,
    (words, weights): (&dyn WordVectors, &EvidenceWeights),
    gathered: &Gathered,
    rows: &mut Rows,
) -> Result<(), IndexError> {
    let mut likeness = WordLikeness::of(words, gathered);
    if likeness.asked.is_empty() {
        return Ok(());
    }
    for (row_idx, piece_idx) in best_of_notes(rows, weights, LOOKED_AT) {
        let Some((row, parts)) = rows.get_mut(row_idx) else {
            continue;
        };
        let texts = texts.get(row.key)?;
        let like = likeness.of_piece(row, texts, piece_idx);
        if let Some(parts) = parts.get_mut(piece_idx) {
            parts.set(EvidenceKind::Likeness, like);
        }
    }
    Ok(())
}

impl<'w> WordLikeness<'w> {
    fn of(words: &'w dyn WordVectors, gathered: &Gathered) -> Self {
        let asked = whole_words(&gathered.terms).filter_map(|(_, word, idf)| {
            Some(QuestionWord {
                word: word.to_owned(),
                vector: words.word(word)?,
                idf,
            })
        });
        Self {
            words,
            asked: asked.collect(),
            known: HashMap::with_capacity(WORDS_USUAL),
        }
    }

    /// The IDF-weighted mean, over the words of the question, of the best similarity in the piece or its neighbours.
    fn of_piece(&mut self, row: &StretchRow, texts: &str, piece_idx: usize) -> f64 {
        let mut likest = vec![0.0_f64; self.asked.len()];
        let around = [
            (1.0, Some(piece_idx)),
            (NEIGHBOUR, piece_idx.checked_sub(1)),
            (NEIGHBOUR, Some(piece_idx + 1)),
        ];
        for (share, idx) in around {
            let Some(idx) = idx else { continue };
            for (likest, like) in likest.iter_mut().zip(self.of_text(row, texts, idx)) {
                *likest = likest.max(share * like);
            }
        }
        let weighted = self.asked.iter().zip(&likest);
        let sum: f64 = weighted.map(|(asked, like)| asked.idf * like).sum();
        let whole: f64 = self.asked.iter().map(|asked| asked.idf).sum();
        if whole > 0.0 { sum / whole } else { 0.0 }
    }

    /// For each word of the question, the best similarity of any word of the piece.
    fn of_text(&mut self, row: &StretchRow, texts: &str, piece_idx: usize) -> Vec<f64> {
        let piece = row.record.pieces.get(piece_idx);
        let text = piece.and_then(|piece| texts.get(piece.text.clone()));
        let text = text.unwrap_or("").to_lowercase();
        let mut likest = vec![0.0_f64; self.asked.len()];
        for word in base::words(&text) {
            let likes = if let Some(likes) = self.known.get(word) {
                likes
            } else {
                let likes = self.of_word(word);
                self.known.entry(word.to_owned()).or_insert(likes)
            };
            for (likest, like) in likest.iter_mut().zip(likes) {
                *likest = likest.max(*like);
            }
        }
        likest
    }

    /// The similarity of a word to each word of the question; empty if the word has no vector.
    fn of_word(&self, word: &str) -> Vec<f64> {
        let Some(vector) = self.words.word(word) else {
            return Vec::new();
        };
        let like = |asked: &QuestionWord| {
            if asked.word == word {
                return 1.0;
            }
            let cosine = dot(&asked.vector, &vector);
            f64::from(cosine).max(0.0)
        };
        Arch::new().dispatch(|| self.asked.iter().map(like).collect())
    }
}
