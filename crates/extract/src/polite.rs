//! Removes the polite words around a question that ask for nothing, such as "can you tell me".
//!
//! Knows no words: they are in the language files.

use std::borrow::Cow;
use std::sync::OnceLock;

use base::Script;

use crate::language::{Language, languages, likely_by_stop_words};

/// The polite phrases of a language, the longest first: words with spaces between them, or characters.
struct Polite {
    language: &'static Language,
    phrases: Vec<Vec<String>>,
}

fn polite() -> &'static [Polite] {
    static POLITE: OnceLock<Vec<Polite>> = OnceLock::new();
    POLITE.get_or_init(|| {
        let of = |language: &'static Language| {
            let phrases = language.search.polite.iter().map(|phrase| {
                if language.spaced {
                    words(phrase).map(|(_, word)| word.to_lowercase()).collect()
                } else {
                    vec![phrase.clone()]
                }
            });
            let mut phrases: Vec<Vec<String>> = phrases.collect();
            phrases.sort_by_key(|it| std::cmp::Reverse((it.len(), it.concat().len())));
            Polite { language, phrases }
        };
        languages().iter().map(of).collect()
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

/// A question without the polite words of its language before and after it; unchanged if the rest has no content.
#[must_use]
pub fn without_courtesy(question: &str) -> Cow<'_, str> {
    let (_, likely) = likely_by_stop_words(question);
    let is_likely = |own: &&Polite| likely.iter().any(|it| it.code == own.language.code);
    let found = polite().iter().filter(is_likely);
    let bodies = found.filter_map(|own| {
        let body = if own.language.spaced {
            within_words(question, &own.phrases)
        } else {
            within_characters(question, &own.phrases)
        };
        body.filter(|body| !has_only_stop_words(own.language, &own.language.plain(body)))
    });
    let Some(body) = bodies.min_by_key(|body| body.len()) else {
        return Cow::Borrowed(question);
    };
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

/// Whether a plain text has no words but stop words; in a language without spaces, none but these and endings in
/// hiragana.
pub(crate) fn has_only_stop_words(language: &Language, plain: &str) -> bool {
    if language.spaced {
        return plain.split_whitespace().all(|it| language.is_stop(it));
    }
    language.telling_runs(plain).is_empty()
}

impl Language {
    /// The runs of characters of a text without spaces that are neither stop words nor endings in hiragana.
    pub(crate) fn telling_runs(&self, plain: &str) -> Vec<String> {
        let mut stop: Vec<String> = self.stop_words_of(plain).into_iter().collect();
        stop.sort_by_key(|it| std::cmp::Reverse(it.len()));
        let whole = plain.to_owned();
        let rest = stop
            .iter()
            .fold(whole, |rest, word| rest.replace(word, " "));
        let is_between = |c: char| !c.is_alphanumeric() || Script::of(c) == Script::Hiragana;
        let runs = rest.split(is_between).filter(|run| !run.is_empty());
        runs.map(str::to_owned).collect()
    }
}

/// The part between polite words; `None` if it has none, or nothing else.
fn within_words<'q>(question: &'q str, phrases: &[Vec<String>]) -> Option<&'q str> {
    let words: Vec<(usize, &str)> = words(question).collect();
    let lower: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase()).collect();
    let (mut first, mut last) = (0, lower.len());
    loop {
        let rest = lower.get(first..last).unwrap_or_default();
        let before = phrases.iter().find(|it| rest.starts_with(it));
        let after = phrases.iter().find(|it| rest.ends_with(it));
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
fn within_characters<'q>(question: &'q str, phrases: &[Vec<String>]) -> Option<&'q str> {
    let is_beside = |it: char| !it.is_alphanumeric();
    let mut body = question.trim_matches(is_beside);
    let phrases = || phrases.iter().flatten();
    loop {
        let before = phrases().find_map(|it| body.strip_prefix(it.as_str()));
        let after = phrases().find_map(|it| body.strip_suffix(it.as_str()));
        match before.or(after) {
            Some(rest) => body = rest.trim_matches(is_beside),
            None => break,
        }
    }
    (body.len() < question.len() && !body.is_empty()).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesy_around_question_is_removed_in_every_language() {
        for (question, expected) in [
            ("Can you tell me where I live?", "where I live?"),
            (
                "Could you please tell me, where is the key?",
                "where is the key?",
            ),
            ("Where is the key, please?", "Where is the key?"),
            ("Can you look up where the key is?", "where the key is?"),
            ("Tell me about Sai", "about Sai"),
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
            // The mark at the end of a statement tells nothing.
            (
                "\u{5bb6}\u{306f}\u{3069}\u{3053}\u{304b}\u{3002}",
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
    fn question_without_courtesy_stays_unchanged() {
        for text in [
            "Where do I live?",
            "The can you opened is empty",
            "Please!",
            "Can you please?",
            "Tell me, who is it?",
            "I want to call Sai",
            "Who is Sai?",
            "What did Ben find out?",
            "?!",
            "",
        ] {
            assert_eq!(without_courtesy(text), text);
        }
    }
}
