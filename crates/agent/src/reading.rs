//! What a text says, by whom, in figures, dates and denials, by the data of the offline engine.
//!
//! Judges nothing; dreams and flushes ask it when they check what a model wrote.

use std::collections::BTreeSet;

use base::Day;
use dreaming::Reading;

/// The readers that are part of the program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfflineReading;

impl Reading for OfflineReading {
    fn in_person(&self, message: &str) -> String {
        extract::own_words(message)
    }

    fn said(&self, text: &str, said_on: Day) -> BTreeSet<u64> {
        base::dates::figures_said(text, said_on)
    }

    fn claimed(&self, text: &str) -> Vec<BTreeSet<u64>> {
        extract::figures_claimed(text)
    }

    fn is_calendar_word(&self, word: &str) -> bool {
        base::dates::is_calendar_word(word)
    }

    fn denies(&self, text: &str) -> bool {
        extract::denies(text)
    }

    fn knows_denials(&self, text: &str) -> bool {
        extract::knows_language(text)
    }

    fn capitalises_nouns(&self, text: &str) -> bool {
        extract::capitalises_nouns(text)
    }

    fn common_words(&self, text: &str) -> BTreeSet<String> {
        extract::common_words(text)
    }
}
