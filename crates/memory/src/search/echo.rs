//! Knows an earlier question that says nothing but what is asked now: it holds no answer.
//!
//! Weighs nothing: what is no echo keeps its place.

use std::collections::BTreeSet;

use crate::terms::{Analyser, TermKind};

/// How a question begins that has no mark.
const OPENINGS: [&str; 31] = [
    "am", "are", "can", "could", "did", "do", "does", "has", "have", "how", "is", "was", "were",
    "what", "what's", "when", "where", "where's", "which", "who", "who's", "whose", "why", "wo",
    "wann", "wer", "wie", "wieviel", "warum", "welche", "welcher",
];

/// Words that ask in languages that are written without blanks, and in Korean.
const ASKING_SIGNS: [&str; 18] = [
    "什么",
    "什麼",
    "哪",
    "谁",
    "誰",
    "怎么",
    "怎麼",
    "多少",
    "几点",
    "吗",
    "嗎",
    "どこ",
    "何",
    "ですか",
    "ますか",
    "무슨",
    "어디",
    "누구",
];

/// Words of who looks for a question, not for its answer.
const ASKING: [&str; 5] = ["ask", "asked", "asking", "question", "questions"];

/// Longer texts say more than a question.
pub(crate) const ECHO_BYTES_MAX: usize = 600;

/// Whether whoever says `words` looks for what was asked; its words in lower case.
pub(crate) fn seeks_questions(words: &[String]) -> bool {
    words.iter().any(|word| ASKING.contains(&word.as_str()))
}

/// Whether a text only asks, and of nothing but what these stems name.
pub(crate) fn is_echo(text: &str, asked: &BTreeSet<String>) -> bool {
    let text = text.trim();
    if text.len() > ECHO_BYTES_MAX || !only_asks(text) {
        return false;
    }
    let mut is_known = true;
    Analyser::new().each(text, &mut |kind, term| {
        is_known &= kind != TermKind::Stem || asked.contains(term);
    });
    is_known
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
const RECALLING: [&str; 6] = ["what", "when", "where", "which", "who", "whose"];

/// A longer one tells something.
const RECALLING_WORDS_MAX: usize = 8;

/// Whether a text only asks for what is known of whoever asks: `What car do I drive?`.
pub(crate) fn only_recalls(text: &str) -> bool {
    let lower = text
        .to_lowercase()
        .replace("'s", " is")
        .replace('\u{2019}', "'");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let flat = words.join(" ");
    let opens = words.first().is_some_and(|first| RECALLING.contains(first));
    let is_of_self = KNOWN_OF_SELF
        .iter()
        .any(|phrase| format!(" {flat} ").contains(&format!(" {phrase} ")));
    let has_figure = flat.contains(|c: char| c.is_ascii_digit());
    let is_short = words.len() <= RECALLING_WORDS_MAX;
    opens && is_of_self && is_short && !has_figure && only_asks(text.trim())
}

/// Whether a text is one sentence that asks.
fn only_asks(text: &str) -> bool {
    let marks = ['?', '\u{ff1f}', '\u{61f}'];
    let body = text.trim_end_matches(marks);
    let is_one = base::sentences(text).len() <= 1 && !body.contains(['\n', '.', '!']);
    let first = text.split_whitespace().next().unwrap_or_default();
    let opens = OPENINGS.contains(&first.to_lowercase().as_str());
    let has_sign = ASKING_SIGNS.iter().any(|sign| text.contains(sign));
    is_one && (body.len() < text.len() || opens || has_sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_what_is_known_of_them_tells_nothing() {
        for text in [
            "What car do I drive?",
            "what's my name",
            "Who is my boss?",
            "What do you know about me?",
        ] {
            assert!(only_recalls(text), "{text}");
        }
        for text in [
            "What should I cook?",
            "Where is the ferry?",
            "How do I mend my bike?",
            "What do I do with the 12 eggs of my hens?",
            "What I do is my job.",
            "I work at Bosch. Where do I work?",
        ] {
            assert!(!only_recalls(text), "{text}");
        }
    }

    #[test]
    fn an_echo_asks_and_names_nothing_else() {
        let asked: BTreeSet<String> = ["live".to_owned(), "bern".to_owned()].into();
        for text in ["Where do I live?", "where do I live", "Do I live in Bern?"] {
            assert!(is_echo(text, &asked), "{text}");
        }
        for text in [
            "I live in Bern.",
            "Where does Ann live?",
            "I live in Bern. Where do you live?",
            "live in Bern",
        ] {
            assert!(!is_echo(text, &asked), "{text}");
        }
    }
}
