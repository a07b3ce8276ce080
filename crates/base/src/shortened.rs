//! Shortens a text without cutting a word or a number.
//!
//! Adds only the mark of the cut.

use std::borrow::Cow;

use crate::script::is_unspaced;
use crate::sentence::sentences;
use crate::text::{head, tail};

/// The mark of a cut.
const CUT_MARK: &str = " \u{2026}";

/// Punctuation with which a shortened text must not end.
const OPEN_MARKS: [char; 8] = [' ', ',', ';', ':', '-', '\u{2013}', '\u{2014}', '('];

/// A text of at most `n_chars` characters: the whole, or its beginning and an ellipsis. The cut is after a sentence if
/// that keeps half of the room, otherwise after a word; a longer word is cut where the room ends.
///
/// # Examples
///
/// ```
/// let text = "The form is signed. It moved to 2026-03-10, in the hall.";
/// assert_eq!(base::shortened(text, 30), "The form is signed. \u{2026}");
/// assert_eq!(base::shortened(text, 41), "The form is signed. It moved to \u{2026}");
/// assert_eq!(base::shortened(text, 56), text);
/// ```
pub fn shortened(text: &str, n_chars: usize) -> Cow<'_, str> {
    if head(text, n_chars).len() == text.len() {
        return Cow::Borrowed(text);
    }
    let end = head(text, n_chars.saturating_sub(CUT_MARK.chars().count())).len();
    let sentences = end_of_sentence(text, end, n_chars);
    let kept = sentences.or_else(|| end_of_word(text, end)).unwrap_or(end);
    let kept = text.get(..kept).unwrap_or_default();
    Cow::Owned(kept.trim_end_matches(OPEN_MARKS).to_owned() + CUT_MARK)
}

/// Like [`shortened`], but keeps the end of the text, beginning at a word.
pub fn shortened_before(text: &str, n_chars: usize) -> Cow<'_, str> {
    if tail(text, n_chars).len() == text.len() {
        return Cow::Borrowed(text);
    }
    let kept = tail(text, n_chars.saturating_sub(CUT_MARK.chars().count()));
    let before = text.strip_suffix(kept).unwrap_or_default();
    let is_at_word = before.ends_with(char::is_whitespace) || kept.starts_with(char::is_whitespace);
    let words = kept.split_once(' ').map_or(kept, |(_, words)| words);
    let kept = if is_at_word { kept } else { words };
    Cow::Owned(format!("\u{2026} {}", kept.trim_start()))
}

/// The end of the last sentence before `end`, if it keeps more than half of `n_chars`.
fn end_of_sentence(text: &str, end: usize, n_chars: usize) -> Option<usize> {
    // The last sentence of this part may be cut, but it ends after `end`.
    let part = head(text, n_chars.saturating_mul(2));
    let mut behind = 0;
    let ends = sentences(part).into_iter().map_while(|sentence| {
        let at = part.get(behind..)?.find(sentence)?;
        behind += at + sentence.len();
        Some(behind)
    });
    let last = ends.take_while(|it| *it <= end).last()?;
    let n_kept = text.get(..last)?.chars().count();
    (n_kept * 2 > n_chars).then_some(last)
}

/// The end of the last word before `end`; `None` if no word ends in the last three quarters.
fn end_of_word(text: &str, end: usize) -> Option<usize> {
    let is_boundary = |at: &usize| {
        let (before, after) = text.split_at_checked(*at)?;
        let (last, next) = (before.chars().next_back()?, after.chars().next()?);
        let are_apart = last.is_whitespace()
            || next.is_whitespace()
            || is_unspaced(last) && !next.is_ascii_punctuation()
            || is_unspaced(next);
        are_apart.then_some(())
    };
    (end / 4..=end).rev().find(|at| is_boundary(at).is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shortened_cuts_between_words_and_figures() {
        for (text, n_chars, expected) in [
            (
                "moved to Tuesday 2026-03-10, at nine",
                26,
                "moved to Tuesday \u{2026}",
            ),
            ("costs 1,250.50 euros a year", 12, "costs \u{2026}"),
            ("it is at example.org/a/b now", 18, "it is at \u{2026}"),
            (
                "See Dr. Ames on 5 May. Then rest, please.",
                40,
                "See Dr. Ames on 5 May. \u{2026}",
            ),
            (
                "am 10. M\u{e4}rz im B\u{fc}ro mit Anna",
                14,
                "am 10. M\u{e4}rz \u{2026}",
            ),
            (
                "\u{4f1a}\u{8bae}\u{5728}12\u{6708}3\u{65e5}\u{4e0a}\u{5348}",
                6,
                "\u{4f1a}\u{8bae}\u{5728} \u{2026}",
            ),
            ("abcdefghij", 6, "abcd \u{2026}"),
            ("short", 5, "short"),
        ] {
            assert_eq!(shortened(text, n_chars), expected, "{text}");
        }
    }

    #[test]
    fn shortened_before_starts_at_word() {
        for (n_chars, expected) in [
            (5, "\u{2026} "),
            (6, "\u{2026} two "),
            (7, "\u{2026} two "),
            (8, "one two "),
        ] {
            assert_eq!(shortened_before("one two ", n_chars), expected, "{n_chars}");
        }
        assert_eq!(shortened_before("abcdefgh", 5), "\u{2026} fgh");
    }

    proptest! {
        #[test]
        fn shortened_text_fits_and_starts_like_original(text in "\\PC{0,80}", n_chars in 3_usize..60) {
            let short = shortened(&text, n_chars);
            prop_assert!(short.chars().count() <= n_chars);
            let kept = short.strip_suffix(CUT_MARK).unwrap_or(&short);
            prop_assert!(text.starts_with(kept));
        }
    }
}
