//! Tokenises text for the static model: words, then the longest known pieces of each.
//!
//! Treats English like the tokenizer that the model was trained with: lower case, no accents, punctuation separate.
//! Splits scripts without spaces into the longest known words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::weights::StaticWeights;

/// Maximum characters of a word.
const WORD_CHARS_MAX: usize = 100;

/// Maximum characters of a word in a script without spaces.
const UNSPACED_CHARS_MAX: usize = 8;

/// Passes each token of a text to `sink`.
pub(crate) fn tokens(weights: &StaticWeights, text: &str, sink: &mut dyn FnMut(usize)) {
    let mut room = PendingWord::default();
    if text.is_ascii() {
        for character in text.chars() {
            room.push(weights, character.to_ascii_lowercase(), sink);
        }
    } else {
        let plain = text.chars().flat_map(char::to_lowercase).nfd();
        for character in plain.filter(|character| !is_combining_mark(*character)) {
            room.push(weights, character, sink);
        }
    }
    room.end(weights, sink);
}

/// The current word; its buffers are reused for the next one.
#[derive(Default)]
struct PendingWord {
    word: String,
    piece: String,
    found: Vec<usize>,
    /// Whether the word is in a script without spaces.
    is_unspaced: bool,
}

impl PendingWord {
    fn push(&mut self, weights: &StaticWeights, character: char, sink: &mut dyn FnMut(usize)) {
        if character.is_alphanumeric() {
            let is_unspaced = is_unspaced(character);
            if is_unspaced != self.is_unspaced {
                self.end(weights, sink);
                self.is_unspaced = is_unspaced;
            }
            return self.word.push(character);
        }
        self.end(weights, sink);
        if !character.is_whitespace() && !character.is_control() {
            self.word.push(character);
            self.end(weights, sink);
        }
    }

    /// Emits the pieces of the word, or nothing if a part is unknown; in a script without spaces, skips only the
    /// unknown character.
    fn end(&mut self, weights: &StaticWeights, sink: &mut dyn FnMut(usize)) {
        self.found.clear();
        let mut start = 0;
        if !self.is_unspaced && self.word.chars().nth(WORD_CHARS_MAX).is_some() {
            start = self.word.len();
        }
        while start < self.word.len() {
            if let Some((token, end)) = self.longest(weights, start) {
                self.found.push(token);
                start = end;
            } else if self.is_unspaced {
                start += self.char_bytes(start);
            } else {
                self.found.clear();
                break;
            }
        }
        self.found.iter().for_each(|token| sink(*token));
        self.word.clear();
    }

    fn longest(&mut self, weights: &StaticWeights, start: usize) -> Option<(usize, usize)> {
        self.piece.clear();
        if start > 0 && !self.is_unspaced {
            self.piece.push_str("##");
        }
        let mark = self.piece.len();
        let rest = self.word.get(start..)?;
        if self.is_unspaced {
            self.piece.extend(rest.chars().take(UNSPACED_CHARS_MAX));
        } else {
            self.piece.push_str(rest);
        }
        while self.piece.len() > mark {
            if let Some(token) = weights.find(&self.piece) {
                return Some((token, start + self.piece.len() - mark));
            }
            self.piece.pop();
        }
        None
    }

    /// The length in bytes of the character at `start`; at least 1.
    fn char_bytes(&self, start: usize) -> usize {
        let rest = self.word.get(start..).unwrap_or_default();
        rest.chars().next().map_or(1, char::len_utf8)
    }
}

/// Ideographs and kana.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x3005 | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let weights = StaticWeights::bundled().unwrap();
        let mut found = Vec::new();
        tokens(&weights, text, &mut |token| found.push(weights.name(token)));
        assert_eq!(found, expected, "{text:?}");
    }

    /// Checks the tokens against those of the model's own tokenizer for the same texts.
    #[test]
    fn tokens_match_tokenizer_of_model() {
        check("", &[]);
        check("Hello, World!", &["hello", ",", "world", "!"]);
        check("unaffable", &["una", "##ffa", "##ble"]);
        check("Caf\u{e9} d\u{e9}j\u{e0}-vu", &["cafe", "deja", "-", "vu"]);
        check("Anna's $1,200", &["anna", "'", "s", "$", "1", ",", "200"]);
        check("snake_case", &["snake", "_", "case"]);
        check(&"a".repeat(101), &[]);
    }

    #[test]
    fn scripts_without_spaces_are_split_into_longest_known_words() {
        check("\u{6771}\u{4eac}tower", &["\u{6771}\u{4eac}", "tower"]);
        // An unknown character takes nothing else with it.
        check(
            "\u{6771}\u{4eac}\u{2_0000}\u{6771}\u{4eac}",
            &["\u{6771}\u{4eac}", "\u{6771}\u{4eac}"],
        );
    }
}
