//! Whether a text itself holds what a question names.
//!
//! Knows no meaning and no neighbours: what only resembles the question is not what the owner gives up.

use std::collections::BTreeSet;

use crate::terms::{Analyser, TermKind, is_unspaced};

/// A shorter stem is mostly one of the small words that every text holds.
const STEM_CHARS_MIN: usize = 4;

/// Whether at least half of the words of a question stand in the text, in any form; small words count only where
/// there are no others.
pub(super) fn holds_most_of(question: &str, text: &str) -> bool {
    n_words_held(question, text).is_some()
}

/// How many words of a question stand in the text; `None` where it holds less than half of them.
pub fn n_words_held(question: &str, text: &str) -> Option<usize> {
    let mut analyser = Analyser::new();
    let asked = telling(stems(&mut analyser, question));
    let held = stems(&mut analyser, text);
    let n_held = asked.intersection(&held).count();
    (n_held > 0 && n_held * 2 >= asked.len()).then_some(n_held)
}

fn stems(analyser: &mut Analyser, text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    analyser.each(text, &mut |kind, term| {
        if kind == TermKind::Stem {
            stems.insert(term.to_owned());
        }
    });
    stems
}

/// The stems that tell something, as far as their length shows.
fn telling(stems: BTreeSet<String>) -> BTreeSet<String> {
    let tells = |stem: &String| {
        let is_plain = stem
            .chars()
            .all(|it| it.is_alphabetic() && !is_unspaced(it));
        !is_plain || stem.chars().count() >= STEM_CHARS_MIN
    };
    if stems.iter().any(tells) {
        stems.into_iter().filter(tells).collect()
    } else {
        stems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_resembles_a_question_does_not_hold_it() {
        for (question, text) in [
            ("bicycle", "Sold both bicycles in May."),
            ("what does Milo eat", "Milo the cat eats tuna."),
            ("my dentist appointment", "The dentist moved it to Friday."),
            (
                "\u{732b}\u{5b50}",
                "\u{5c0f}\u{732b}\u{5b50}\u{7761}\u{4e86}",
            ),
        ] {
            assert!(holds_most_of(question, text), "{question}: {text}");
        }
        for (question, text) in [
            ("bicycle", "The neighbour feeds the cat on Thursday."),
            ("Bluefin", "What is my dentist appointment?"),
            ("the old red bicycle pump", "The red car is gone."),
            ("", "The red car is gone."),
        ] {
            assert!(!holds_most_of(question, text), "{question}: {text}");
        }
    }
}
