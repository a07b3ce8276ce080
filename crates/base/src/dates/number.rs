//! Parses numbers in words from the parts of a language: `neunhundertfuenfzig`, `two hundred and one`.
//!
//! Reads digits as well; does not read units.

use super::table::{DateWords, same_first_letter};
use super::words::DateWord;

/// Maximum words of one number.
const NUMBER_WORDS_MAX: usize = 5;

/// A number of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u64,
    pub(super) is_digits: bool,
}

/// Maximum count of a distance; also the last year.
const COUNT_MAX: i32 = 9_999;

impl Number {
    /// The number, if small enough to count days, months or years.
    pub(super) fn count(self) -> Option<i32> {
        let count = i32::try_from(self.value).ok();
        count.filter(|count| *count <= COUNT_MAX)
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

impl DateWords {
    /// The number that starts at word `at`, and how many words it takes.
    pub(super) fn number_at(&self, words: &[DateWord], at: usize) -> Option<(Number, usize)> {
        self.part(&words.get(at)?.lower)?;
        (1..=NUMBER_WORDS_MAX).rev().find_map(|n_words| {
            let own = words.get(at..at + n_words)?;
            let joined: String = own.iter().map(|word| word.lower.as_str()).collect();
            let value = self.number(&joined)?;
            let is_digits = is_digits(&own.first()?.lower);
            Some((Number { value, is_digits }, n_words))
        })
    }

    /// The number at the start of a text without spaces, and the rest.
    pub(super) fn leading_number<'t>(&self, text: &'t str) -> Option<(Number, &'t str)> {
        let end = text.find(|c| !self.is_number_part(c));
        let (run, after) = text.split_at_checked(end.unwrap_or(text.len()))?;
        let value = self.number(run)?;
        let is_digits = is_digits(run);
        Some((Number { value, is_digits }, after))
    }

    /// Whether a character is part of a number in a script without spaces.
    pub(super) fn is_number_part(&self, sign: char) -> bool {
        let is_named = |word: &str| self.numbers.contains_key(word);
        sign.is_ascii_digit() || is_named(sign.encode_utf8(&mut [0; 4]))
    }

    /// Parses a number from a word, or from several joined words.
    fn number(&self, word: &str) -> Option<u64> {
        let mut value = None;
        let mut rest = word;
        while !rest.is_empty() {
            if value.is_some() && self.endings.iter().any(|ending| ending == rest) {
                break;
            }
            if let Some((part, after)) = self.part(rest) {
                let before = value.unwrap_or(0);
                let is_multiplier = self.is_multiplier(part);
                let grown = if is_multiplier { multiplied } else { joined };
                value = Some(grown(before, part)?);
                rest = after;
            } else {
                let mut joints = self.joints.iter();
                let joint = joints.find_map(|joint| rest.strip_prefix(joint.as_str()));
                rest = joint.filter(|after| value.is_some() && !after.is_empty())?;
            }
        }
        value
    }

    /// The longest number part at the start of a word, and the rest.
    pub(super) fn part<'a>(&self, word: &'a str) -> Option<(u64, &'a str)> {
        let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = word.strip_suffix(after)?;
        if !digits.is_empty() {
            return Some((digits.parse().ok()?, after));
        }
        let parts = same_first_letter(&self.numbers, word);
        let begins = parts.filter_map(|(name, value)| {
            Some((name.len(), *value, word.strip_prefix(name.as_str())?))
        });
        let longest = begins.max_by_key(|(length, ..)| *length);
        longest.map(|(_, value, after)| (value, after))
    }

    fn is_multiplier(&self, part: u64) -> bool {
        matches!(part, 100 | 1_000 | 10_000 | 1_000_000 | 100_000_000)
            || part == 10 && self.unspaced
    }
}

/// Multiplies the low end of a number, as in `zwei` `hundert`.
fn multiplied(value: u64, by: u64) -> Option<u64> {
    let low = value % by;
    (value - low).checked_add(low.max(1).checked_mul(by)?)
}

/// Adds a further part, as in `zwanzig` `zwei`; `None` if the digits of both overlap.
fn joined(value: u64, part: u64) -> Option<u64> {
    let n_digits = part.checked_ilog10().unwrap_or(0);
    let (mut left, mut right) = (value, part);
    for _ in 0..=n_digits {
        if left % 10 != 0 && right % 10 != 0 {
            return None;
        }
        (left, right) = (left / 10, right / 10);
    }
    value.checked_add(part)
}
