//! Cuts a text into the tokens of the static model: words, then the longest known pieces of each.
//!
//! The same as the tokenizer that the model was made with: lower case, no accents, punctuation by itself.

use unicode_normalization::UnicodeNormalization;

use super::weights::Weights;

/// Longest word in characters that is cut; what is longer is no word.
const WORD_CHARS_MAX: usize = 100;

/// Gives each token of a text to `sink`.
pub(crate) fn tokens(weights: &Weights, text: &str, sink: &mut dyn FnMut(usize)) {
    let mut room = Room::default();
    if text.is_ascii() {
        for character in text.chars() {
            room.push(weights, character.to_ascii_lowercase(), sink);
        }
    } else {
        let plain = text.chars().flat_map(char::to_lowercase).nfd();
        for character in plain.filter(|character| !is_accent(*character)) {
            room.push(weights, character, sink);
        }
    }
    room.end(weights, sink);
}

/// The word that is being read, kept from one to the next.
#[derive(Default)]
struct Room {
    word: String,
    piece: String,
    found: Vec<usize>,
}

impl Room {
    fn push(&mut self, weights: &Weights, character: char, sink: &mut dyn FnMut(usize)) {
        if character.is_alphanumeric() && !is_ideograph(character) {
            return self.word.push(character);
        }
        self.end(weights, sink);
        if !character.is_whitespace() && !character.is_control() {
            self.word.push(character);
            self.end(weights, sink);
        }
    }

    /// Ends the word: its pieces, or nothing where a part of it is unknown.
    fn end(&mut self, weights: &Weights, sink: &mut dyn FnMut(usize)) {
        self.found.clear();
        let mut start = 0;
        if self.word.chars().nth(WORD_CHARS_MAX).is_some() {
            start = self.word.len();
        }
        while start < self.word.len() {
            let Some((token, end)) = self.longest(weights, start) else {
                self.found.clear();
                break;
            };
            self.found.push(token);
            start = end;
        }
        self.found.iter().for_each(|token| sink(*token));
        self.word.clear();
    }

    fn longest(&mut self, weights: &Weights, start: usize) -> Option<(usize, usize)> {
        self.piece.clear();
        if start > 0 {
            self.piece.push_str("##");
        }
        let mark = self.piece.len();
        self.piece.push_str(self.word.get(start..)?);
        while self.piece.len() > mark {
            if let Some(token) = weights.find(&self.piece) {
                return Some((token, start + self.piece.len() - mark));
            }
            self.piece.pop();
        }
        None
    }
}

fn is_accent(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character),
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let weights = Weights::bundled().unwrap();
        let mut found = Vec::new();
        tokens(&weights, text, &mut |token| found.push(weights.name(token)));
        assert_eq!(found, expected, "{text:?}");
    }

    /// What the tokenizer of the model gives for the same texts.
    #[test]
    fn tokens_are_those_of_the_model() {
        check("", &[]);
        check("Hello, World!", &["hello", ",", "world", "!"]);
        check("unaffable", &["una", "##ffa", "##ble"]);
        check(
            "Caf\u{e9} d\u{e9}j\u{e0}-vu",
            &["cafe", "de", "##ja", "-", "vu"],
        );
        check("Anna's $1,200", &["anna", "'", "s", "$", "1", ",", "200"]);
        check("snake_case", &["snake", "_", "case"]);
        check("\u{6771}\u{4eac} tower", &["\u{6771}", "\u{4eac}", "tower"]);
        check(&"a".repeat(101), &[]);
    }
}
