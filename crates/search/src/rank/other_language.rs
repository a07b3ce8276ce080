//! Detects a question in another language than that of the corpus.
//!
//! Independent of languages: the caller of the index supplies the common words.

use crate::index::{IndexError, IndexSnapshot};
use crate::terms::CommonWords;

/// If the index holds less than this share of the question's common words, nothing is written in its language.
const KNOWN_SHARE_MIN: f64 = 0.5;

/// Whether nothing is written in the language of a question, so that missing words prove nothing. False for a question
/// without common words.
pub(super) fn is_in_other_language(
    snapshot: &IndexSnapshot<'_>,
    common: CommonWords,
    question: &str,
) -> Result<bool, IndexError> {
    let (mut n_known, mut n_all) = (0.0, 0.0);
    for term in common.terms(question) {
        n_all += 1.0;
        n_known += f64::from(snapshot.postings.is_in_more_than(&term, 0)?);
    }
    Ok(n_known < KNOWN_SHARE_MIN * n_all)
}
