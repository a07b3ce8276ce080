//! Takes from a question the polite words around it, which ask for nothing, such as "can you tell me".
//!
//! Knows no words: they are in the language files.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::language::languages;

/// The polite phrases of all languages.
struct Polite {
    /// As words, the longest first.
    spaced: Vec<Vec<String>>,
    /// As characters, of languages without spaces, the longest first.
    unspaced: Vec<String>,
}

fn polite() -> &'static Polite {
    static POLITE: OnceLock<Polite> = OnceLock::new();
    POLITE.get_or_init(|| {
        let (mut spaced, mut unspaced) = (Vec::new(), Vec::new());
        for language in languages() {
            for phrase in &language.search.polite {
                if language.spaced {
                    spaced.push(words(phrase).map(|(_, word)| word.to_lowercase()).collect());
                } else {
                    unspaced.push(phrase.clone());
                }
            }
        }
        spaced.sort_by_key(|it: &Vec<String>| std::cmp::Reverse(it.len()));
        unspaced.sort_by_key(|it| std::cmp::Reverse(it.len()));
        Polite { spaced, unspaced }
    })
}

/// The words of a text, each with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let from = rest + text.get(rest..)?.find(char::is_alphanumeric)?;
        let tail = text.get(from..)?;
        let n = tail
            .find(|it: char| !it.is_alphanumeric())
            .unwrap_or(tail.len());
        rest = from + n;
        Some((from, text.get(from..rest)?))
    })
}

/// A question without the polite words before and after it; unchanged if it says nothing else.
#[must_use]
pub fn without_courtesy(question: &str) -> Cow<'_, str> {
    let body = within_words(question).unwrap_or(question);
    let body = within_characters(body).unwrap_or(body);
    if body.len() == question.len() {
        return Cow::Borrowed(question);
    }
    // The mark at the end says that it asks.
    let end = question.trim_end();
    let mark = end
        .chars()
        .next_back()
        .filter(|it| base::QUESTION_MARKS.contains(it));
    match mark.filter(|mark| !body.ends_with(*mark)) {
        Some(mark) => Cow::Owned(format!("{body}{mark}")),
        None => Cow::Borrowed(body),
    }
}

/// The part between polite words; `None` if it has none, or nothing else.
fn within_words(question: &str) -> Option<&str> {
    let words: Vec<(usize, &str)> = words(question).collect();
    let lower: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase()).collect();
    let (mut first, mut last) = (0, lower.len());
    loop {
        let rest = lower.get(first..last).unwrap_or_default();
        let before = polite().spaced.iter().find(|it| rest.starts_with(it));
        let after = polite().spaced.iter().find(|it| rest.ends_with(it));
        match (before, after) {
            (Some(phrase), _) => first += phrase.len(),
            (None, Some(phrase)) => last -= phrase.len(),
            (None, None) => break,
        }
    }
    if (first, last) == (0, words.len()) || first >= last {
        return None;
    }
    let (from, _) = words.get(first)?;
    let to = match words.get(last) {
        Some(_) => words.get(last - 1).map(|(at, word)| at + word.len())?,
        None => question.trim_end().len(),
    };
    question.get(*from..to)
}

/// The same for a language without spaces.
fn within_characters(question: &str) -> Option<&str> {
    let is_beside = |it: char| !it.is_alphanumeric();
    let mut body = question.trim_matches(is_beside);
    let whole = body;
    loop {
        let phrases = &polite().unspaced;
        let before = phrases.iter().find_map(|it| body.strip_prefix(it.as_str()));
        let after = phrases.iter().find_map(|it| body.strip_suffix(it.as_str()));
        match before.or(after) {
            Some(rest) => body = rest.trim_matches(is_beside),
            None => break,
        }
    }
    (body.len() < whole.len() && !body.is_empty()).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesy_before_and_after_a_question_is_taken_off_in_every_language() {
        for (question, expected) in [
            ("Can you tell me where I live?", "where I live?"),
            (
                "Could you please tell me, where is the key?",
                "where is the key?",
            ),
            ("Where is the key, please?", "Where is the key?"),
            ("Kannst du mir bitte sagen, wo ich wohne?", "wo ich wohne?"),
            (
                "\u{bf}Me puedes decir d\u{f3}nde vivo, por favor?",
                "d\u{f3}nde vivo?",
            ),
            (
                "Peux-tu me dire o\u{f9} j'habite, s'il te pla\u{ee}t ?",
                "o\u{f9} j'habite?",
            ),
            ("Puoi dirmi dove abito, per favore?", "dove abito?"),
            ("Kun je me zeggen waar ik woon?", "waar ik woon?"),
            ("Voc\u{ea} pode me dizer onde moro?", "onde moro?"),
            (
                "\u{5bb6}\u{306f}\u{3069}\u{3053}\u{304b}\u{6559}\u{3048}\u{3066}\u{304f}\u{3060}\u{3055}\u{3044}",
                "\u{5bb6}\u{306f}\u{3069}\u{3053}\u{304b}",
            ),
            (
                "\u{8bf7}\u{544a}\u{8bc9}\u{6211}\u{6211}\u{4f4f}\u{5728}\u{54ea}\u{91cc}\u{ff1f}",
                "\u{6211}\u{4f4f}\u{5728}\u{54ea}\u{91cc}\u{ff1f}",
            ),
        ] {
            assert_eq!(without_courtesy(question), expected, "{question}");
        }
    }

    #[test]
    fn question_without_courtesy_and_courtesy_alone_stay_as_they_are() {
        for text in [
            "Where do I live?",
            "The can you opened is empty",
            "Please!",
            "Can you please?",
            "?!",
            "",
        ] {
            assert_eq!(without_courtesy(text), text);
        }
    }
}
