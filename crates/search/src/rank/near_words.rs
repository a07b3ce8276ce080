//! Near words: words near in meaning to those of a question, to find paraphrases.
//!
//! They weigh less than the question's own words, in the score and in the test for an answer.

use std::collections::BTreeSet;

use base::WordVectors;
use base::model::Spelling;

use super::found_term::{FoundTerm, whole_words};
use super::query::TermRole;
use crate::index::{IndexError, IndexSnapshot};
use crate::terms::{Analyser, Term, TermKind};

/// Maximum number of near words found in the index per word of the question.
const NEAR_MAX: usize = 4;

/// Weight of a near word with a cosine of 1.
const SHARE: f64 = 0.3;

/// Words in more stretches carry little information and are slow to look up.
const STRETCHES_MAX: u64 = 2_048;

/// Looks up near words that the index holds. Misspelt words are skipped: their subwords carry no meaning.
pub(crate) fn near_words(
    snapshot: &IndexSnapshot<'_>,
    words: &dyn WordVectors,
    terms: &[FoundTerm],
    misspelt: &[Spelling],
) -> Result<Vec<FoundTerm>, IndexError> {
    let asked: BTreeSet<&str> = terms
        .iter()
        .map(|term| term.term.term.text.as_str())
        .collect();
    let mut analyser = Analyser::new();
    let mut found = Vec::new();
    for (idx, word, _) in whole_words(terms) {
        if misspelt.iter().any(|it| it.asked == word) {
            continue;
        }
        let (mut known, mut n_found) = (BTreeSet::new(), 0);
        for (word, cosine) in words.near(word) {
            if n_found == NEAR_MAX {
                break;
            }
            let stem = stem_of(&mut analyser, &word);
            let Some(term) = stem.filter(|stem| !asked.contains(stem.text.as_str())) else {
                continue;
            };
            if !known.insert(term.clone())
                || snapshot.postings.is_in_more_than(&term, STRETCHES_MAX)?
            {
                continue;
            }
            let near = FoundTerm::instead(
                snapshot,
                term,
                (TermRole::Near(idx), SHARE * f64::from(cosine)),
            )?;
            if near.is_found() {
                n_found += 1;
                found.push(near);
            }
        }
    }
    Ok(found)
}

pub(crate) fn stem_of(analyser: &mut Analyser, word: &str) -> Option<Term> {
    let mut stem = None;
    analyser.each(word, &mut |kind, text| {
        if kind == TermKind::Stem {
            let text = text.to_owned();
            stem = Some(Term { kind, text });
        }
    });
    stem
}
