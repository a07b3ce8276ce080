//! Detects by wording whether a line may state a standing wish, whether a question asks for advice, and its subject.
//!
//! Matches the words of all languages at once: it runs on every indexed line, so it does not detect the language.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::language::{Language, languages};

/// Longer lines, in bytes, say more than a wish.
const WISH_BYTES_MAX: usize = 400;

/// Longer messages, in bytes, are tasks rather than questions.
const QUESTION_BYTES_MAX: usize = 1_000;

/// Matchers for the words of standing wishes, in languages with spaces between words and without.
struct WishWords {
    spaced: Option<AhoCorasick>,
    unspaced: Option<AhoCorasick>,
}

impl WishWords {
    fn new() -> Self {
        let built = |spaced: bool| {
            let languages = languages().iter().filter(|it| it.spaced == spaced);
            let all = languages.flat_map(|language| {
                let words = language.search.standing.iter();
                words.map(|word| bounded(word, language))
            });
            AhoCorasick::new(all).ok()
        };
        Self {
            spaced: built(true),
            unspaced: built(false),
        }
    }

    fn stand_in(&self, text: &str) -> bool {
        let plain = plain(text);
        let holds =
            |words: &Option<AhoCorasick>| words.as_ref().is_some_and(|it| it.is_match(&plain));
        holds(&self.spaced) || !plain.is_ascii() && holds(&self.unspaced)
    }
}

/// Whether a line may state a standing wish: how somebody wants things for good, likes and dislikes.
pub fn may_be_wish(line: &str) -> bool {
    static WORDS: OnceLock<WishWords> = OnceLock::new();
    let words = || WORDS.get_or_init(WishWords::new);
    line.len() <= WISH_BYTES_MAX && !base::only_asks(line) && words().stand_in(line)
}

/// Whether a question asks for advice or for a task, so that known wishes may shape the answer.
///
/// Most processes ask one question: searching word by word is cheaper than building an automaton.
pub fn asks_for_advice(question: &str) -> bool {
    if question.len() > QUESTION_BYTES_MAX {
        return false;
    }
    let plain = plain(question);
    languages().iter().any(|language| {
        let mut words = language.search.advice.iter();
        words.any(|word| plain.contains(&bounded(word, language)))
    })
}

/// A question in lower case, without phrases such as how often, how much, and when first or last.
pub fn subject_of(question: &str) -> String {
    if question.len() > QUESTION_BYTES_MAX {
        return question.to_owned();
    }
    let mut subject = plain(question);
    for language in languages() {
        for word in &language.search.counting {
            subject = subject.replace(&bounded(word, language), " ");
        }
    }
    subject
}

/// A word as it appears in a plain text.
fn bounded(word: &str, language: &Language) -> String {
    if language.spaced {
        format!(" {word} ")
    } else {
        word.to_owned()
    }
}

/// A text in lower case, with one space around each word.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len() + 2);
    plain.push(' ');
    for character in text.chars().flat_map(char::to_lowercase) {
        match character {
            '\'' | '\u{2019}' => plain.push('\''),
            '-' => plain.push('-'),
            it if it.is_alphanumeric() => plain.push(it),
            _ if plain.ends_with(' ') => {}
            _ => plain.push(' '),
        }
    }
    if !plain.ends_with(' ') {
        plain.push(' ');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_and_advice_questions_are_recognised_in_every_language() {
        for wish in [
            "I can\u{2019}t stand open-plan offices.",
            "Ich mag keinen Koriander",
            "No soporto el ruido",
            "Je n'aime pas la foule",
            "Non sopporto il freddo",
            "Ik eet geen vlees",
            "N\u{e3}o suporto o calor",
            "\u{30d1}\u{30af}\u{30c1}\u{30fc}\u{304c}\u{5acc}\u{3044}\u{3067}\u{3059}",
            "\u{6211}\u{4e0d}\u{5403}\u{9999}\u{83dc}",
        ] {
            assert!(may_be_wish(wish), "{wish}");
        }
        for request in [
            "Where could I work from, any ideas?",
            "Was soll ich heute kochen?",
            "\u{bf}Qu\u{e9} hotel me recomiendas?",
            "Peux-tu me proposer une sortie ?",
            "Dove potrei andare in vacanza?",
            "Wat kun je me aanraden?",
            "Qual \u{e9} o melhor passeio?",
            "\u{304a}\u{3059}\u{3059}\u{3081}\u{306f}\u{ff1f}",
            "\u{63a8}\u{8350}\u{4e00}\u{9053}\u{83dc}",
        ] {
            assert!(asks_for_advice(request), "{request}");
        }
        for text in [
            "The boiler was serviced on Monday",
            "Do you hate open-plan offices?",
        ] {
            assert!(!may_be_wish(text), "{text}");
        }
        assert!(!asks_for_advice("When was the boiler serviced?"));
    }

    #[test]
    fn subject_of_question_omits_counting_words() {
        for (question, subject) in [
            ("How many times did I swim?", "did i swim"),
            ("When did I last feed the cat?", "when did i feed the cat"),
            ("Wie oft war ich schwimmen?", "war ich schwimmen"),
            (
                "When was the boiler serviced?",
                "when was the boiler serviced",
            ),
        ] {
            let found = subject_of(question);
            let words: Vec<&str> = found.split_whitespace().collect();
            assert_eq!(words.join(" "), subject);
        }
    }
}
