//! Puts what the owner only asked behind what may answer it: a question holds no answer.
//!
//! Weighs nothing: what states something keeps its place among its like.

use std::collections::BTreeSet;

use base::{Asks, QUESTION_MARKS, asks};

use crate::terms::{Analyser, TermKind};

/// Words of who looks for a question, not for its answer.
const ASKING: [&str; 5] = ["ask", "asked", "asking", "question", "questions"];

/// Longer texts say more than a question.
pub(crate) const QUESTION_BYTES_MAX: usize = 600;

/// What scores less than this share of a question is about something else.
const ANSWERS_SHARE: f64 = 0.5;

/// What the owner said, by whether it tells anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// It tells something.
    Statement,
    /// It only asks for what is known of whoever asks. What else is asked tells what is on one's mind.
    AsksOfSelf,
    /// It only asks, and nothing but what is asked now.
    Echo,
}

/// Whether whoever says `words` looks for what was asked; its words in lower case.
pub(crate) fn seeks_questions(words: &[String]) -> bool {
    words.iter().any(|word| ASKING.contains(&word.as_str()))
}

/// What a text is to a question of these stems.
pub(crate) fn said(text: &str, asked: &BTreeSet<String>) -> Said {
    let text = text.trim();
    if !only_asks(text) {
        return Said::Statement;
    }
    let mut is_known = true;
    Analyser::new().each(text, &mut |kind, term| {
        is_known &= kind != TermKind::Stem || asked.contains(term);
    });
    if is_known {
        Said::Echo
    } else if only_asks_of_self(text) {
        Said::AsksOfSelf
    } else {
        Said::Statement
    }
}

/// Whether a text holds one of these stems.
pub(crate) fn holds_one_of(text: &str, stems: &BTreeSet<String>) -> bool {
    let mut holds = false;
    Analyser::new().each(text, &mut |_, term| holds |= stems.contains(term));
    holds
}

/// The order of results, each with its score and the share of the question that it holds: a question behind
/// the next statement that holds as much, an echo behind all.
pub(crate) fn questions_behind(results: &[(Said, f64, f64)]) -> Vec<usize> {
    let of = |kind: Said, same: bool| {
        let places = results.iter().zip(0..);
        places.filter_map(move |((said, ..), at)| ((*said == kind) == same).then_some(at))
    };
    let mut order: Vec<usize> = of(Said::Echo, false).collect();
    for at in of(Said::AsksOfSelf, true)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        let Some((_, score, coverage)) = results.get(at) else {
            continue;
        };
        let answers = |other: &usize| {
            results.get(*other).is_some_and(|(said, other, covers)| {
                *said == Said::Statement && *other >= ANSWERS_SHARE * score && covers >= coverage
            })
        };
        let Some(place) = order.iter().position(|other| *other == at) else {
            continue;
        };
        let behind = order.iter().skip(place).position(answers);
        if let Some(moved) = behind.and_then(|n| order.get_mut(place..=place + n)) {
            moved.rotate_left(1);
        }
    }
    order.extend(of(Said::Echo, true));
    order
}

/// Words with which somebody asks for what is known of themselves, so that the question itself tells nothing.
const KNOWN_OF_SELF: [&str; 12] = [
    "do i",
    "did i",
    "am i",
    "was i",
    "have i",
    "is my",
    "is our",
    "are my",
    "are our",
    "was my",
    "do you know",
    "do you remember",
];

/// How such a question begins.
const OF_SELF_OPENINGS: [&str; 6] = ["what", "when", "where", "which", "who", "whose"];

/// A longer one tells something.
const OF_SELF_WORDS_MAX: usize = 8;

/// Whether a text only asks for what is known of whoever asks: `What car do I drive?`.
fn only_asks_of_self(text: &str) -> bool {
    let lower = text
        .to_lowercase()
        .replace('\u{2019}', "'")
        .replace("'s", " is");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let flat = words.join(" ");
    let opens = words
        .first()
        .is_some_and(|first| OF_SELF_OPENINGS.contains(first));
    let is_of_self = KNOWN_OF_SELF
        .iter()
        .any(|phrase| format!(" {flat} ").contains(&format!(" {phrase} ")));
    let has_figure = flat.contains(|c: char| c.is_ascii_digit());
    let is_short = words.len() <= OF_SELF_WORDS_MAX;
    opens && is_of_self && is_short && !has_figure
}

/// Whether a text is one sentence that asks.
fn only_asks(text: &str) -> bool {
    let body = text.trim_end_matches(QUESTION_MARKS);
    let is_one = base::sentences(text).len() <= 1 && !body.contains(['\n', '.', '!']);
    is_one && (body.len() < text.len() || asks(text) >= Asks::Perhaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_what_is_known_of_them_tells_nothing() {
        for text in [
            "What car do I drive?",
            "what's my name",
            "What\u{2019}s my name?",
            "Who is my boss?",
            "What do you know about me?",
        ] {
            assert_eq!(said(text, &BTreeSet::new()), Said::AsksOfSelf, "{text}");
        }
        for text in [
            "What should I cook?",
            "Where is the ferry?",
            "How do I mend my bike?",
            "What do I do with the 12 eggs of my hens?",
            "What I do is my job.",
            "I work at Bosch. Where do I work?",
        ] {
            assert_eq!(said(text, &BTreeSet::new()), Said::Statement, "{text}");
        }
    }

    #[test]
    fn a_question_stands_behind_the_next_statement_that_holds_as_much() {
        use Said::{AsksOfSelf, Echo, Statement};
        let order = questions_behind(&[
            (AsksOfSelf, 2.0, 0.5),
            (Echo, 1.9, 1.0),
            (Statement, 1.8, 0.4),
            (AsksOfSelf, 1.7, 0.9),
            (Statement, 1.6, 0.5),
            (Statement, 0.8, 1.0),
            (AsksOfSelf, 0.7, 0.1),
        ]);
        // The second question has no statement that holds as much and scores half as much.
        assert_eq!(order, [2, 3, 4, 0, 5, 6, 1]);
        assert_eq!(questions_behind(&[]), [0; 0]);
    }

    #[test]
    fn an_echo_asks_and_names_nothing_else() {
        let asked: BTreeSet<String> = ["live".to_owned(), "bern".to_owned()].into();
        for text in ["Where do I live?", "where do I live", "Do I live in Bern?"] {
            assert_eq!(said(text, &asked), Said::Echo, "{text}");
        }
        for text in [
            "I live in Bern.",
            "Where does Ann live?",
            "I live in Bern. Where do you live?",
            "live in Bern",
        ] {
            assert_eq!(said(text, &asked), Said::Statement, "{text}");
        }
    }
}
