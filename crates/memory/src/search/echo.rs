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
