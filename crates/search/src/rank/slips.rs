//! Corrects misspelt words of a question.
//!
//! Never corrects a word in the vocabulary, however similar another one is.

use std::collections::BTreeSet;

use base::WordVectors;
use base::model::Spelling;

use super::found_term::{FoundTerm, whole_words};
use super::near_words::stem_of;
use super::query::TermRole;
use super::score::TermPlace;
use crate::index::{IndexError, IndexSnapshot};
use crate::passage_source::Source;
use crate::terms::Analyser;

/// Shorter words, in characters, are too similar to others to be corrected.
const LETTERS_MIN: usize = 5;

/// From this many characters on, two edits are as plausible as one in a shorter word.
const LETTERS_OF_TWO: usize = 8;

/// Maximum number of corrections per word of the question.
const MEANT_MAX: usize = 4;

/// Weight of a corrected word.
const SHARE: f64 = 0.8;

/// A word in more stretches is not a misspelling.
const STRETCHES_MAX: usize = 8;

/// Looks up corrections for words of a question that the index lacks, except in earlier questions.
pub(crate) fn slips(
    snapshot: &IndexSnapshot<'_>,
    words: Option<&dyn WordVectors>,
    terms: &[FoundTerm],
) -> Result<(Vec<FoundTerm>, Vec<Spelling>), IndexError> {
    let is_word = |word: &str| words.is_some_and(|words| words.is_whole(word));
    let mut analyser = Analyser::new();
    let (mut found, mut spellings) = (Vec::new(), Vec::new());
    for (idx, word, _) in whole_words(terms) {
        let n_letters = word.chars().count();
        let is_made_of_letters = word.chars().all(char::is_alphabetic);
        if n_letters < LETTERS_MIN || !is_made_of_letters || is_word(word) {
            continue;
        }
        if let Some(term) = terms.get(idx)
            && is_told(snapshot, term)?
        {
            continue;
        }
        let mut alike = snapshot.postings.spelt_like(word, 1)?;
        if alike.is_empty() && n_letters >= LETTERS_OF_TWO {
            alike = snapshot.postings.spelt_like(word, 2)?;
        }
        let mut stems = BTreeSet::new();
        for meant in alike {
            let stem = stem_of(&mut analyser, &meant);
            let Some(stem) = stem.filter(|stem| !stems.contains(stem)) else {
                continue;
            };
            let term = FoundTerm::instead(snapshot, stem.clone(), (TermRole::Meant(idx), SHARE))?;
            if term.is_found() {
                found.push(term);
                spellings.push(Spelling {
                    asked: word.to_owned(),
                    meant,
                });
                stems.insert(stem);
            }
            if stems.len() == MEANT_MAX {
                break;
            }
        }
    }
    Ok((found, spellings))
}

/// Whether a word occurs outside questions; the question itself is already in the transcript.
fn is_told(snapshot: &IndexSnapshot<'_>, term: &FoundTerm) -> Result<bool, IndexError> {
    if !term.is_found() {
        return Ok(false);
    }
    let Some(stretches) = term.stretches(snapshot.postings.n_segments(), STRETCHES_MAX) else {
        return Ok(true);
    };
    let found = term.places(snapshot, &stretches)?;
    for (stretch, hits) in stretches.into_iter().zip(found) {
        let row = snapshot.stretch(snapshot.postings.key(stretch))?;
        let pieces = &row.record.pieces;
        let is_asked = |place: TermPlace| match place {
            TermPlace::Piece(piece) => pieces.get(piece).is_some_and(|it| it.asks),
            TermPlace::Heading => false,
        };
        if row.source == Source::Memory || !hits.places().all(is_asked) {
            return Ok(true);
        }
    }
    Ok(false)
}
