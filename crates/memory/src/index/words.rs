//! Makes the terms of a stretch: what stands in the postings, and at which position.
//!
//! Knows nothing of how postings are kept.

use std::collections::HashSet;

use base::Day;
use tantivy::tokenizer::Token;

use super::schema::{DAY_POSITION, HEADING_POSITION};
use super::store::WholeStretch;
use crate::terms::{Analyser, Term, TermKind, key};

/// The words that count for a stretch as a whole, and the words of each piece.
pub(crate) struct Words {
    pub(super) tokens: Vec<Token>,
    /// How many words each piece counts for.
    pub(crate) counts: Vec<u32>,
}

/// In which way a term stands in a stretch. Each way has postings of its own, so that how often a term
/// stands in the ordinary way is the number of pieces with it, which is told without reading positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In a piece, the first time there.
    Piece,
    /// In the same piece once more.
    Again,
    /// In a heading.
    Heading,
    /// In the written-out day.
    Day,
}

impl Way {
    /// Every way, in the order in which they are counted: a day counts for the pieces without the term.
    pub(super) const ALL: [Self; 4] = [Self::Piece, Self::Day, Self::Again, Self::Heading];

    /// The bytes of a term in the index that stands in this way; ways never meet, for no kind of term
    /// begins with these letters.
    pub(super) fn key(self, term: &Term) -> String {
        self.marked(term.key())
    }

    fn marked(self, mut key: String) -> String {
        match self {
            Self::Piece => {}
            Self::Again => key.insert(0, 'r'),
            Self::Heading => key.insert(0, 'h'),
            Self::Day => key.insert(0, 'd'),
        }
        key
    }
}

/// The words of a stretch, made from what the store holds.
pub(crate) fn words(whole: &WholeStretch, analyser: &mut Analyser) -> Words {
    let mut words = Words {
        tokens: Vec::new(),
        counts: Vec::new(),
    };
    let mut known = HashSet::new();
    for (piece_idx, piece) in whole.record.pieces.iter().enumerate() {
        let text = whole.texts.get(piece.text.clone()).unwrap_or("");
        let n_words = words.add_piece(text, (piece_idx, &mut known), analyser);
        words.counts.push(n_words);
    }
    if let Some(day) = whole.day {
        words.add(&written_out(day), (Way::Day, DAY_POSITION), analyser);
    }
    words.add(&whole.heading, (Way::Heading, HEADING_POSITION), analyser);
    words
}

impl Words {
    /// Adds the terms of a piece; gives the number of its words. `known` is room for the terms seen in it.
    fn add_piece(
        &mut self,
        text: &str,
        (piece_idx, known): (usize, &mut HashSet<String>),
        analyser: &mut Analyser,
    ) -> u32 {
        let mut n_words = 0;
        known.clear();
        analyser.each(text, &mut |kind, term| {
            n_words += u32::from(kind == TermKind::Stem);
            let key = key(kind, term);
            let text = if known.contains(&key) {
                Way::Again.marked(key)
            } else {
                known.insert(key.clone());
                key
            };
            self.tokens.push(token(text, piece_idx));
        });
        n_words
    }

    /// Adds the terms of what stands beside the pieces.
    fn add(&mut self, text: &str, (way, position): (Way, u32), analyser: &mut Analyser) {
        analyser.each(text, &mut |kind, term| {
            let text = way.marked(key(kind, term));
            self.tokens.push(token(text, position as usize));
        });
    }
}

fn token(text: String, position: usize) -> Token {
    Token {
        position,
        text,
        position_length: 1,
        ..Token::default()
    }
}

/// A day as people write it: `7 May 2023`.
fn written_out(day: Day) -> String {
    day.date().format("%-d %B %Y").to_string()
}
