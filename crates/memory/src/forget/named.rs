//! Checks whether a text contains the words of a question.
//!
//! Never matches by meaning: the owner has not given up text that only resembles the question.

use std::collections::BTreeSet;

use base::sentences;
use search::CommonWords;

use crate::tombstone::TextHash;

/// Whether the text contains at least half of the words of the question, compared by stem. Common words count only
/// if the question has no others.
pub(super) fn holds_most_of(question: &str, text: &str, common: CommonWords) -> bool {
    n_words_held(question, text, common).is_some()
}

/// Whether the text contains every word of another, compared by stem, except common words.
pub(super) fn holds_all_of(other: &str, text: &str, common: CommonWords) -> bool {
    let held = CommonWords::default().telling_stems(text);
    common.telling_stems(other).is_subset(&held)
}

/// Number of words of the question in the text; `None` if it contains less than half of them.
pub fn n_words_held(question: &str, text: &str, common: CommonWords) -> Option<usize> {
    let asked = common.telling_stems(question);
    let held = CommonWords::default().telling_stems(text);
    let n_held = asked.intersection(&held).count();
    (n_held > 0 && n_held * 2 >= asked.len()).then_some(n_held)
}

/// The hashes of the sentences of a message that state one of the wanted texts, judged by the words they share; none if
/// it is the whole message, or if no sentence by itself shares a word.
pub fn sentences_meant(message: &str, wanted: &[&str], common: CommonWords) -> Vec<TextHash> {
    let all: Vec<&str> = message.lines().flat_map(sentences).collect();
    let mut meant: BTreeSet<usize> = BTreeSet::new();
    for tells in [shares_most as Shares, shares_any] {
        for wanted in wanted {
            let shared: Vec<usize> = all.iter().map(|it| tells(wanted, it, common)).collect();
            let most = shared.iter().copied().max().unwrap_or(0);
            let is_best = |(_, n): &(usize, &usize)| most > 0 && **n == most;
            meant.extend(
                shared
                    .iter()
                    .enumerate()
                    .filter(is_best)
                    .map(|(idx, _)| idx),
            );
        }
        if !meant.is_empty() {
            break;
        }
    }
    let is_left = |idx: usize| !meant.contains(&idx);
    let mut words = all
        .iter()
        .enumerate()
        .filter(|(_, it)| TextHash::of(it).is_some());
    if !words.any(|(idx, _)| is_left(idx)) {
        return Vec::new();
    }
    let meant = meant.into_iter().filter_map(|idx| all.get(idx));
    meant
        .filter_map(|sentence| TextHash::of(sentence))
        .collect()
}

/// Whether a text shares a distinctive word with a wanted one.
pub fn shares_word(wanted: &str, text: &str, common: CommonWords) -> bool {
    shares_any(wanted, text, common) > 0
}

/// Whether a text cannot be what a question is about: they do not share a distinctive word, or the text has figures but
/// none of the question's figures.
pub(super) fn is_about_something_else(question: &str, text: &str, common: CommonWords) -> bool {
    // Runs of digits, so that `9th` and the day of `2026-03-09` are one figure.
    let figures = |of: &'_ str| -> BTreeSet<String> {
        let runs = of.split(|c: char| !c.is_numeric());
        let runs = runs.filter(|run| !run.is_empty());
        runs.map(|run| run.trim_start_matches('0').to_owned())
            .collect()
    };
    let (asked, own) = (figures(question), figures(text));
    let has_other_figures = !asked.is_empty() && !own.is_empty() && asked.is_disjoint(&own);
    has_other_figures || !shares_word(question, text, common)
}

/// The number of words that a sentence shares with a wanted text.
type Shares = fn(&str, &str, CommonWords) -> usize;

/// 0 if they are less than half of the words of both.
fn shares_most(wanted: &str, sentence: &str, common: CommonWords) -> usize {
    let held = n_words_held(wanted, sentence, common);
    held.or_else(|| n_words_held(sentence, wanted, common))
        .unwrap_or(0)
}

fn shares_any(wanted: &str, sentence: &str, common: CommonWords) -> usize {
    let held = CommonWords::default().telling_stems(sentence);
    common.telling_stems(wanted).intersection(&held).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The common words that a language file would name.
    fn common() -> CommonWords {
        CommonWords(|text| {
            let words = text.to_lowercase();
            let words = words.split_whitespace().map(str::to_owned);
            words
                .filter(|it| ["what", "does", "is", "my", "the"].contains(&it.as_str()))
                .collect()
        })
    }

    #[test]
    fn figures_of_one_day_are_compared_in_all_their_forms() {
        for (question, text, is_else) in [
            ("iron 14 mg", "The iron is 20 mg", true),
            ("iron 14 mg", "The iron is 14mg", false),
            ("Alma the 9th", "Alma, 2026-03-09", false),
            ("Jure 240 euros", "Alma sings", true),
            ("Jure 240 euros", "Jure owes money", false),
        ] {
            let found = is_about_something_else(question, text, common());
            assert_eq!(found, is_else, "{question}: {text}");
        }
    }

    #[test]
    fn holds_most_of_rejects_text_that_only_resembles_question() {
        for (question, text) in [
            ("bicycle", "Sold both bicycles in May."),
            ("what does Milo eat", "Milo the cat eats tuna."),
            ("my dentist appointment", "The dentist moved it to Friday."),
            (
                "\u{732b}\u{5b50}",
                "\u{5c0f}\u{732b}\u{5b50}\u{7761}\u{4e86}",
            ),
        ] {
            assert!(
                holds_most_of(question, text, common()),
                "{question}: {text}"
            );
        }
        for (question, text) in [
            ("bicycle", "The neighbour feeds the cat on Thursday."),
            ("Bluefin", "What is my dentist appointment?"),
            ("the old red bicycle pump", "The red car is gone."),
            ("", "The red car is gone."),
        ] {
            assert!(
                !holds_most_of(question, text, common()),
                "{question}: {text}"
            );
        }
    }
}
