//! Produces the terms of a stretch and their positions for the postings.
//!
//! Independent of how postings are stored.

use std::collections::HashMap;
use std::str::Lines;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::schema::HEADING_POSITION;
use super::store::WholeStretch;
use crate::terms::{Analyser, Term, TermKind, key};

/// The terms of a stretch, and the word count of each piece.
#[derive(Debug, Default)]
pub(crate) struct StretchWords {
    /// One term per line, each group below a line with its position.
    pub(super) text: String,
    /// The number of words of each piece.
    pub(crate) counts: Vec<u32>,
}

/// Prefix of a position line; no term contains white space.
const POSITION_MARK: char = '\t';

/// Where in a stretch a term occurs. Each way has its own postings list, so that the frequency in the list of
/// [`TermField::Piece`] is the number of pieces with the term, known without reading positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TermField {
    /// In a piece, the first occurrence there.
    Piece,
    /// In a piece, a further occurrence.
    Again,
    /// In a heading.
    Heading,
}

impl TermField {
    /// Every way.
    pub(super) const ALL: [Self; 3] = [Self::Piece, Self::Again, Self::Heading];

    /// The key of a term in this list. Lists never collide: no term kind uses these letters.
    pub(super) fn key(self, term: &Term) -> String {
        let mark = self.mark().into_iter();
        mark.chain(term.key().chars()).collect()
    }

    fn mark(self) -> Option<char> {
        match self {
            Self::Piece => None,
            Self::Again => Some('r'),
            Self::Heading => Some('h'),
        }
    }
}

/// Computes the terms of a stretch from its stored form.
pub(crate) fn words(whole: &WholeStretch, analyser: &mut Analyser) -> StretchWords {
    let mut words = StretchWords::default();
    let mut known = HashMap::new();
    for (piece_idx, piece) in whole.record.pieces.iter().enumerate() {
        let text = whole.texts.get(piece.text.clone()).unwrap_or("");
        let n_words = words.add_piece(text, (piece_idx, &mut known), analyser);
        if piece.wish {
            words.push(TermField::Piece, &Term::wish().key());
        }
        words.counts.push(n_words);
    }
    let heading = &whole.heading;
    // The title is the first of the names and the first line of the path.
    let others = heading.names.split_once('\n').map_or("", |(_, it)| it);
    let texts = [&*heading.path, others, &*heading.topics].join("\n");
    words.add_heading(&texts, analyser);
    for name in heading.names.lines() {
        if let Some(term) = Term::name(&analyser.forms(name)) {
            words.push(TermField::Heading, &term.key());
        }
    }
    words
}

impl StretchWords {
    /// Adds the terms of a piece; returns its number of words. `known` maps each term to the last piece that contains
    /// it.
    fn add_piece(
        &mut self,
        text: &str,
        (piece_idx, known): (usize, &mut HashMap<String, usize>),
        analyser: &mut Analyser,
    ) -> u32 {
        let mut n_words = 0;
        self.begin(piece_idx);
        analyser.each(text, &mut |kind, term| {
            n_words += u32::from(kind == TermKind::Stem);
            let key = key(kind, term);
            let way = match known.get_mut(&key) {
                Some(last) if *last == piece_idx => TermField::Again,
                Some(last) => {
                    *last = piece_idx;
                    TermField::Piece
                }
                None => {
                    known.insert(key.clone(), piece_idx);
                    TermField::Piece
                }
            };
            self.push(way, &key);
        });
        n_words
    }

    fn add_heading(&mut self, text: &str, analyser: &mut Analyser) {
        self.begin(HEADING_POSITION as usize);
        analyser.each(text, &mut |kind, term| {
            self.push(TermField::Heading, &key(kind, term));
        });
    }

    fn begin(&mut self, position: usize) {
        self.text.push(POSITION_MARK);
        self.text.push_str(&position.to_string());
        self.text.push('\n');
    }

    fn push(&mut self, way: TermField, key: &str) {
        self.text.extend(way.mark());
        self.text.push_str(key);
        self.text.push('\n');
    }
}

/// Tokenizer that reads the terms of [`StretchWords`] back.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordsReader;

/// The terms of one stretch.
pub(super) struct TermStream<'w> {
    lines: Lines<'w>,
    token: Token,
}

impl Tokenizer for WordsReader {
    type TokenStream<'w> = TermStream<'w>;

    fn token_stream<'w>(&'w mut self, text: &'w str) -> TermStream<'w> {
        let token = Token {
            position: 0,
            ..Token::default()
        };
        TermStream {
            lines: text.lines(),
            token,
        }
    }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        for line in self.lines.by_ref() {
            if let Some(position) = line.strip_prefix(POSITION_MARK) {
                self.token.position = position.parse().unwrap_or(0);
                continue;
            }
            self.token.text.clear();
            self.token.text.push_str(line);
            return true;
        }
        false
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::record::{PieceRecord, StretchRecord};
    use crate::passage::Heading;
    use crate::passage_source::Source;

    #[test]
    fn index_words_mark_form_stem_repeat_and_heading() {
        let texts = "ferry to ferry".to_owned();
        let piece = |text| PieceRecord {
            passage: 0,
            text,
            n_words: 0,
            asks: false,
            wish: false,
        };
        let whole = WholeStretch {
            key: 1,
            source: Source::Memory,
            heading: Heading {
                path: "the ferry".to_owned(),
                day: "2023-05-07".parse().ok(),
                names: "the ferry\nOld Boat".to_owned(),
                topics: "sea".to_owned(),
            },
            record: StretchRecord {
                pieces: vec![piece(0..14), piece(9..14)],
                ..StretchRecord::default()
            },
            texts,
        };
        let words = words(&whole, &mut Analyser::new());
        assert_eq!(words.counts, [3, 1]);
        let mut reader = WordsReader;
        let mut stream = reader.token_stream(&words.text);
        let mut found = Vec::new();
        while stream.advance() {
            let token = stream.token();
            found.push(format!("{}:{}", token.position, token.text));
        }
        let expected = "0:eferry 0:sferri 0:eto 0:sto 0:referry 0:rsferri 1:eferry 1:sferri \
            4095:hethe 4095:hsthe 4095:heferry 4095:hsferri 4095:heold 4095:hsold \
            4095:heboat 4095:hsboat 4095:hesea 4095:hssea 4095:hw=the_ferry 4095:hw=old_boat";
        assert_eq!(found.join(" "), expected);
    }
}
