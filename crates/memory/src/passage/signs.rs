//! What can be told of a piece of text at sight: that it asks, that it names a time or a name; who speaks.
//!
//! Never asks what the text means.

use crate::terms::{is_capitalised, time_word};

/// Signs of a piece, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Signs(u8);

impl Signs {
    /// It ends in a question.
    pub(crate) const ASKS: Self = Self(1);
    /// It names a time.
    pub(crate) const TIME: Self = Self(2);
    /// A word inside it is capitalised.
    pub(crate) const NAME: Self = Self(4);
    /// It says a number.
    pub(crate) const NUMBER: Self = Self(8);
    /// It says how things are to be from now on.
    pub(crate) const STANDING: Self = Self(16);

    /// The signs of a text whose speaker is left out.
    pub(crate) fn of(text: &str) -> Self {
        let mut bits = 0;
        let end = text.trim_end_matches(|c: char| c.is_whitespace() || "\"')]*_".contains(c));
        if end.ends_with(base::QUESTION_MARKS) {
            bits |= Self::ASKS.0;
        }
        let mut is_inside = false;
        for chunk in text.split_whitespace() {
            let word = chunk.trim_matches(|c: char| !c.is_alphanumeric());
            if word.is_empty() {
                continue;
            }
            if is_inside && is_capitalised(word) && !is_first_person(word) {
                bits |= Self::NAME.0;
            }
            if bits & Self::NUMBER.0 == 0 && says_number(word) {
                bits |= Self::NUMBER.0;
            }
            let lower = word.to_lowercase();
            if time_word(&lower) {
                bits |= Self::TIME.0;
            }
            if STANDING_WORDS.contains(&lower.as_str()) {
                bits |= Self::STANDING.0;
            }
            is_inside = !chunk.ends_with(['.', '!', '?', ':']);
        }
        Self(bits)
    }

    pub(crate) fn has(self, sign: Self) -> bool {
        self.0 & sign.0 != 0
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

/// Words that say how many, sorted.
const NUMBER_WORDS: [&str; 22] = [
    "couple", "dozen", "eight", "eleven", "few", "fifteen", "fifty", "five", "four", "hundred",
    "nine", "once", "one", "second", "seven", "several", "six", "ten", "third", "three", "twice",
    "two",
];

/// Words by which people say how they want things, whatever the matter.
const STANDING_WORDS: [&str; 5] = ["always", "never", "prefer", "prefers", "whenever"];

fn says_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
        || NUMBER_WORDS
            .binary_search(&word.to_ascii_lowercase().as_str())
            .is_ok()
}

fn is_first_person(word: &str) -> bool {
    word == "I" || word.starts_with("I'") || word.starts_with("I\u{2019}")
}

/// Longest name before a colon, in characters.
const SPEAKER_CHARS_MAX: usize = 40;

/// Who speaks in a line such as `Anna: we leave at noon`, and what is said.
pub(crate) fn speaker(text: &str) -> Option<(&str, &str)> {
    let (name, said) = text.split_once(':')?;
    let name = name.trim().trim_matches('*').trim();
    let is_name = is_capitalised(name)
        && name.chars().count() <= SPEAKER_CHARS_MAX
        && name.split_whitespace().count() <= 3
        && name
            .chars()
            .all(|c| c.is_alphabetic() || " .'-\u{2019}".contains(c));
    let said = said.trim_start_matches('*');
    (is_name && said.starts_with(char::is_whitespace)).then_some((name, said.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_seen() {
        let cases = [
            ("When do we leave?", 1),
            ("We leave tomorrow.", 2),
            ("I met Bob. He sang", 4),
            ("He sang. We danced and I'd go", 0),
            ("Since 2019 in Rome, \"really?\"", 15),
            ("Twice.", 8),
            ("I'd prefer short answers", 16),
            ("Always show the units.", 16),
        ];
        for (text, bits) in cases {
            assert_eq!(Signs::of(text).bits(), bits, "{text}");
        }
    }

    #[test]
    fn a_speaker_stands_before_a_colon() {
        assert_eq!(speaker("Anna: hi"), Some(("Anna", "hi")));
        assert_eq!(speaker("**Anna Lee:** hi"), Some(("Anna Lee", "hi")));
        for text in [
            "at 10:30 we left",
            "anna: hi",
            "https://a.example",
            "no colon",
            "A b c d: hi",
        ] {
            assert_eq!(speaker(text), None, "{text}");
        }
    }
}
