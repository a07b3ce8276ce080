//! Common words, and the terms of a text without them.
//!
//! Independent of languages: the caller of the index supplies the word lists.

use std::collections::BTreeSet;
use std::ptr;

use base::is_unspaced;

use super::{Analyser, Term, TermKind};

/// Finds the common words of a text in its language, in lower case.
///
/// The default finds none; document frequencies then decide which words are common.
#[derive(Debug, Clone, Copy)]
pub struct CommonWords(pub fn(&str) -> BTreeSet<String>);

impl Default for CommonWords {
    fn default() -> Self {
        Self(|_| BTreeSet::new())
    }
}

impl PartialEq for CommonWords {
    fn eq(&self, other: &Self) -> bool {
        ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for CommonWords {}

impl CommonWords {
    /// Passes each term of a text to `sink` in order, without those of common words, unless there are no others.
    pub(crate) fn each_telling(self, text: &str, sink: &mut dyn FnMut(TermKind, &str)) {
        let common = self.terms(text);
        let common: BTreeSet<&str> = common.iter().map(|term| term.text.as_str()).collect();
        let mut analyser = Analyser::new();
        let (mut is_common, mut tells) = (false, false);
        analyser.each(text, &mut |kind, term| {
            // A stem follows its form and shares its verdict.
            if kind != TermKind::Stem || is_pair(term) {
                is_common = common.contains(term);
            }
            if !is_common {
                tells = true;
                sink(kind, term);
            }
        });
        if !tells {
            analyser.each(text, sink);
        }
    }

    /// Whether a text has a word that is not common.
    pub fn tells(self, text: &str) -> bool {
        let common = self.terms(text);
        let common: BTreeSet<&str> = common.iter().map(|term| term.text.as_str()).collect();
        let mut tells = false;
        Analyser::new().each(text, &mut |kind, term| {
            let is_word = kind != TermKind::Stem || is_pair(term);
            tells |= is_word && !common.contains(term);
        });
        tells
    }

    /// The terms of the common words of a text.
    pub(crate) fn terms(self, text: &str) -> BTreeSet<Term> {
        let (mut analyser, mut common) = (Analyser::new(), BTreeSet::new());
        for word in (self.0)(text) {
            analyser.each(&word, &mut |kind, term| {
                if kind != TermKind::Stem || is_pair(term) {
                    let text = term.to_owned();
                    common.insert(Term { kind, text });
                }
            });
        }
        common
    }

    /// The stems of a text without those of common words, unless there are no others.
    pub fn telling_stems(self, text: &str) -> BTreeSet<String> {
        let mut stems = BTreeSet::new();
        self.each_telling(text, &mut |kind, term| {
            if kind == TermKind::Stem {
                stems.insert(term.to_owned());
            }
        });
        stems
    }
}

/// Whether a stem is a pair of characters of a script without spaces.
fn is_pair(stem: &str) -> bool {
    stem.chars().all(is_unspaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: CommonWords = CommonWords(|_| {
        ["what", "what's", "did", "i", "mine", "\u{4ec0}\u{4e48}"]
            .map(str::to_owned)
            .into()
    });

    #[test]
    fn telling_stems_omit_common_words_if_others_remain() {
        for (text, expected) in [
            ("What did I plant?", &["plant"][..]),
            ("What's this", &["this"]),
            // A stem that a common word shares is not common itself.
            ("mining", &["mine"]),
            ("What did I?", &["did", "i", "what"]),
            ("\u{732b}\u{4ec0}\u{4e48}", &["\u{732b}\u{4ec0}"]),
        ] {
            let stems: Vec<String> = KNOWN.telling_stems(text).into_iter().collect();
            assert_eq!(stems, expected, "{text}");
        }
    }
}
