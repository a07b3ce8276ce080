//! Tells a question that is asked in another language than what was written.
//!
//! Knows no language: whoever opens the index brings the common words of the question.

use crate::index::{IndexError, Snapshot};
use crate::terms::CommonWords;

/// Where less than this share of the common words of a question stands anywhere, nothing is written in its language.
const KNOWN_SHARE_MIN: f64 = 0.5;

/// Whether nothing is written in the language of a question, so that words that are missing prove nothing; never for
/// a question without common words.
pub(super) fn is_in_other_language(
    snapshot: &Snapshot<'_>,
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
