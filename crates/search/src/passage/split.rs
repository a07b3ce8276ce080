//! Splits a long text at sentence ends.
//!
//! Never splits a character, and never returns a piece above the maximum.

use std::ops::Range;

/// Maximum number of characters of a piece.
pub(crate) const PIECE_CHARS_MAX: usize = 450;

/// The pieces of a text in order, trimmed; none for blank text.
///
/// Pieces have about the same length, so that no short remainder is left.
pub(crate) fn split(text: &str, chars_max: usize) -> Vec<Range<usize>> {
    let whole = trimmed(text, 0..text.len());
    let n_chars = slice(text, &whole).chars().count();
    if n_chars == 0 {
        return Vec::new();
    }
    if n_chars <= chars_max {
        return vec![whole];
    }
    let goal = n_chars.div_ceil(n_chars.div_ceil(chars_max));
    let mut pieces = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let sentences = sentences(text, &whole).into_iter();
    for sentence in sentences.flat_map(|range| fitting(text, range, chars_max)) {
        let n_new = slice(text, &sentence).chars().count();
        open = match open {
            Some((range, n)) if n + n_new <= chars_max && n + n_new / 2 <= goal => {
                Some((range.start..sentence.end, n + n_new))
            }
            Some((range, _)) => {
                pieces.push(range);
                Some((sentence, n_new))
            }
            None => Some((sentence, n_new)),
        };
    }
    pieces.extend(open.map(|(range, _)| range));
    let pieces = pieces.into_iter().map(|range| trimmed(text, range));
    pieces.filter(|range| !range.is_empty()).collect()
}

fn slice<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or("")
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = slice(text, &range);
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    start..end
}

/// Sentences with their trailing space; a newline ends a sentence too.
fn sentences(text: &str, whole: &Range<usize>) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = whole.start;
    let mut is_ended = false;
    for (offset, character) in slice(text, whole).char_indices() {
        let position = whole.start + offset;
        let is_break = match character {
            '\n' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}' => true,
            '.' | '!' | '?' | ':' | ';' => {
                is_ended = true;
                false
            }
            '"' | '\'' | ')' | ']' | '\u{201d}' | '\u{2019}' | '*' => false,
            space if space.is_whitespace() => is_ended,
            _ => {
                is_ended = false;
                false
            }
        };
        if is_break {
            let end = position + character.len_utf8();
            sentences.push(start..end);
            start = end;
            is_ended = false;
        }
    }
    if start < whole.end {
        sentences.push(start..whole.end);
    }
    sentences
}

/// Splits a sentence into parts that fit, between words if possible.
fn fitting(text: &str, sentence: Range<usize>, chars_max: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = sentence.start;
    loop {
        let rest = slice(text, &(start..sentence.end));
        let Some((offset, _)) = rest.char_indices().nth(chars_max) else {
            break;
        };
        let window = slice(text, &(start..start + offset));
        let end = match window.rfind(char::is_whitespace) {
            Some(space) if space > window.len() / 2 => {
                let space_on = window.get(space..).and_then(|rest| rest.chars().next());
                start + space + space_on.map_or(1, char::len_utf8)
            }
            _ => start + offset,
        };
        parts.push(start..end);
        start = end;
    }
    parts.push(start..sentence.end);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn split_cuts_long_text_at_sentence_ends() {
        let text = "One is here. Two is here! Is three (3.5) here? Four.";
        let pieces = split(text, 26).into_iter().map(|range| slice(text, &range));
        let expected = ["One is here. Two is here!", "Is three (3.5) here? Four."];
        assert_eq!(pieces.collect::<Vec<_>>(), expected);
        assert!(split("  \n ", 10).is_empty());
        assert_eq!(split(" a ", 10), vec![1_usize..2]);
    }

    proptest! {
        #[test]
        fn split_pieces_keep_every_word_and_fit(text in "[a-c.\u{65e5}\u{1f642} \n]{0,300}", chars_max in 1..60_usize) {
            let pieces = split(&text, chars_max);
            let mut last = 0;
            let mut kept = String::new();
            for piece in &pieces {
                prop_assert!(piece.start >= last && !piece.is_empty());
                prop_assert!(slice(&text, piece).chars().count() <= chars_max);
                last = piece.end;
                kept.push_str(slice(&text, piece));
            }
            let solid = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(solid(&kept), solid(&text));
        }
    }
}
