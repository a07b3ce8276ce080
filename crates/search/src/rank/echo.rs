//! Finds echoes: earlier questions of the owner that contain only what is asked now, and so do not answer it.
//!
//! Recognises a question by its punctuation and terms only.

use std::collections::BTreeSet;

use base::only_asks;

use crate::terms::CommonWords;

/// Longer texts hold more than a question.
pub(crate) const ECHO_BYTES_MAX: usize = 600;

/// Whether a text only asks, and every stem that carries meaning is among those of the question.
pub(crate) fn is_echo(text: &str, asked: &BTreeSet<String>, common: CommonWords) -> bool {
    only_asks(text) && common.telling_stems(text).is_subset(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_echo_requires_question_about_same_words_only() {
        let asked: BTreeSet<String> = ["do", "i", "live", "in", "bern", "where"]
            .map(str::to_owned)
            .into();
        for text in ["Where do I live?", "Do I live in Bern?"] {
            assert!(is_echo(text, &asked, CommonWords::default()), "{text}");
        }
        for text in [
            "I live in Bern.",
            "Where does Ann live?",
            "I live in Bern. Where do I live?",
            "where do i live",
            "",
        ] {
            assert!(!is_echo(text, &asked, CommonWords::default()), "{text}");
        }
    }
}
