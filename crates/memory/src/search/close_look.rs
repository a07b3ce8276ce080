//! What the texts of the best pieces say that no index tells: things of a kind that is asked for, and who speaks of whom.
//!
//! Puts what was found in order and finds nothing.

use std::collections::HashMap;

use super::gather::{Gathered, whole_words};
use super::literal::quoted;
use super::named::Named;
use super::parts::Parts;
use super::query::{Asked, Question};
use super::score::{Evidence, Place, Weights};
use crate::index::{IndexError, Snapshot, StretchRow};
use crate::kinds::{Kinds, Meaning};
use crate::passage_source::Source;
use crate::terms::is_stop_word;

/// So many of the best pieces are looked at.
const LOOKED_AT: usize = 128;

/// Words by which somebody speaks of themselves.
const OF_SELF: [&str; 9] = ["i", "me", "mine", "my", "myself", "our", "ours", "us", "we"];

/// Stretches with what speaks for each of their pieces.
pub(crate) type Rows = [(StretchRow, Vec<Parts>)];

/// The texts of stretches, each read once.
pub(crate) struct Texts<'s> {
    snapshot: &'s Snapshot<'s>,
    known: HashMap<i64, String>,
}

impl<'s> Texts<'s> {
    pub(crate) fn of(snapshot: &'s Snapshot<'s>) -> Self {
        Self {
            snapshot,
            known: HashMap::new(),
        }
    }

    /// The texts of a stretch, one after the other.
    pub(crate) fn get(&mut self, key: i64) -> Result<&str, IndexError> {
        Ok(match self.known.entry(key) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(self.snapshot.texts(key)?)
            }
        })
    }
}

/// The best pieces by what is known so far, by row and piece; of one source where it is named.
pub(crate) fn best_pieces(
    rows: &Rows,
    weights: &Weights,
    (n_max, source): (usize, Option<Source>),
) -> Vec<(usize, usize)> {
    let mut best: Vec<(f64, (usize, usize))> = Vec::new();
    for (row_idx, (row, parts)) in rows.iter().enumerate() {
        if source.is_some_and(|source| row.source != source) {
            continue;
        }
        let relevant = parts.iter().enumerate();
        let relevant = relevant.filter(|(_, parts)| parts.is_relevant());
        best.extend(relevant.map(|(idx, parts)| (parts.total(weights), (row_idx, idx))));
    }
    let order = |left: &(f64, (usize, usize)), right: &(f64, (usize, usize))| {
        right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
    };
    if best.len() > n_max {
        best.select_nth_unstable_by(n_max, order);
        best.truncate(n_max);
    }
    best.sort_by(order);
    best.into_iter().map(|(_, place)| place).collect()
}

/// A word of the question that names a kind of things.
struct Class {
    /// The number of its term.
    term: usize,
    idf: f64,
    meanings: Vec<Meaning>,
}

/// What is known of words: of which of the kinds that are asked for each is, one bit each.
struct Classes {
    kinds: Option<Kinds>,
    asked: Vec<Class>,
    /// How much all words of the question tell.
    whole: f64,
    known: HashMap<String, u64>,
}

impl Classes {
    fn of(gathered: &Gathered) -> Self {
        let kinds = Kinds::carried();
        let class = |(term, word, idf)| Class {
            term,
            idf,
            meanings: kinds.map_or(Vec::new(), |kinds| kinds.classes(word)),
        };
        let words = || whole_words(&gathered.terms);
        let asked = words().map(class).filter(|it| !it.meanings.is_empty());
        Self {
            kinds,
            asked: asked.collect(),
            whole: words().map(|(_, _, idf)| idf).sum(),
            known: HashMap::new(),
        }
    }

    /// Of which kinds a word is.
    fn of_word(&mut self, word: &str) -> u64 {
        if let Some(known) = self.known.get(word) {
            return *known;
        }
        let mut bits = 0;
        if let Some(kinds) = self.kinds.filter(|_| !is_stop_word(word)) {
            let above = kinds.above(word);
            for (class, bit) in self.asked.iter().zip(0..u64::BITS) {
                let is_kind = above.iter().any(|it| class.meanings.contains(it));
                bits |= u64::from(is_kind) << bit;
            }
        }
        self.known.insert(word.to_owned(), bits);
        bits
    }

    /// The share of the question that asks for kinds of which some of the words are; `stands` tells of a term
    /// whether it stands there itself, for then nothing has to be told.
    fn share<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        stands: &dyn Fn(usize) -> bool,
    ) -> f64 {
        if self.asked.is_empty() || self.whole <= 0.0 {
            return 0.0;
        }
        let bits = words.fold(0, |bits, word| bits | self.of_word(word));
        let asked = self.asked.iter().zip(0..u64::BITS);
        let found = asked.filter(|(class, bit)| (bits >> bit) & 1 == 1 && !stands(class.term));
        found.map(|(class, _)| class.idf).sum::<f64>() / self.whole
    }
}

/// Says of the best pieces what only their texts tell.
pub(crate) fn look_closely(
    texts: &mut Texts<'_>,
    (question, named, gathered): (&Question, &Named, &Gathered),
    weights: &Weights,
    rows: &mut Rows,
) -> Result<(), IndexError> {
    let mut classes = Classes::of(gathered);
    for (row_idx, piece_idx) in best_pieces(rows, weights, (LOOKED_AT, None)) {
        let Some((row, parts)) = rows.get_mut(row_idx) else {
            continue;
        };
        let piece = row.record.pieces.get(piece_idx);
        let Some((piece, parts)) = piece.zip(parts.get_mut(piece_idx)) else {
            continue;
        };
        let text = texts.get(row.key)?.get(piece.text.clone()).unwrap_or("");
        let lower = text.to_lowercase();
        let words = || {
            let words = lower.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| !word.is_empty())
        };
        if row.source == Source::Memory && words().any(|word| OF_SELF.contains(&word)) {
            let passage = row.record.passage_of(piece);
            let speaker = passage.and_then(|passage| row.record.speaker_of(passage));
            parts.set(Evidence::OfSelf, named.asks_of_self(speaker));
        }
        let is_title = |it: &str| it.starts_with(char::is_uppercase);
        if question.asks_for(Asked::Thing) && quoted(text).any(is_title) {
            parts.set(Evidence::Title, 1.0);
        }
        let found = gathered.shortlist.get(row_idx);
        let stands = |term: usize| {
            let hits = found.and_then(|(_, found)| found.iter().find(|(idx, _)| *idx == term));
            hits.is_some_and(|(_, hits)| hits.places().any(|it| it == Place::Piece(piece_idx)))
        };
        parts.set(Evidence::Kinds, classes.share(words(), &stands));
    }
    Ok(())
}
