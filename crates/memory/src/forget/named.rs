//! Checks whether a text contains the words of a question.
//!
//! Never matches by meaning: the owner has not given up text that only resembles the question.

use search::CommonWords;

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
