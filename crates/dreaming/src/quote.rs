//! Finds quoted words in a text.
//!
//! Ignores case, punctuation and spacing; works in any language.

use crate::wording::is_dense;

/// The letters and digits of a text in lower case, and where each of them is.
pub(crate) fn letters_at(text: &str) -> (Vec<usize>, Vec<char>) {
    let letters = text
        .char_indices()
        .filter(|(_, character)| character.is_alphanumeric())
        .flat_map(|(at, character)| character.to_lowercase().map(move |it| (at, it)));
    letters.unzip()
}

/// Whether a text contains whole words, ignoring case, punctuation and spacing.
pub fn holds_words(text: &str, quote: &str) -> bool {
    let (places, letters) = letters_at(text);
    let (_, wanted) = letters_at(quote);
    let is_cut = |left: Option<char>, right: Option<char>| {
        let is_of_word =
            |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() && !is_dense(it));
        is_of_word(left) && is_of_word(right)
    };
    let is_whole = |first: usize| {
        let last = (first + wanted.len()).checked_sub(1);
        let start = places.get(first).and_then(|at| text.split_at_checked(*at));
        let end = last.and_then(|last| text.split_at_checked(*places.get(last)?));
        start.zip(end).is_some_and(|((before, from), (_, behind))| {
            let mut behind = behind.chars();
            let last = behind.next();
            !is_cut(before.chars().next_back(), from.chars().next()) && !is_cut(last, behind.next())
        })
    };
    let mut runs = letters.windows(wanted.len().max(1)).enumerate();
    runs.any(|(first, run)| run == wanted && is_whole(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quote_is_found_only_as_whole_words() {
        let text = "I have e-mail from Ann, a cat\u{2026} \u{6211}\u{4f4f}\u{5728}\u{91cc}\u{65af}\u{672c}";
        for (quote, is_held) in [
            ("email from ann", true),
            ("a cat", true),
            ("A", true),
            ("at", false),
            ("mail", true),
            ("ave e-mail", false),
            ("from An", false),
            ("\u{4f4f}\u{5728}", true),
            ("", false),
            ("?", false),
        ] {
            assert_eq!(holds_words(text, quote), is_held, "{quote}");
        }
    }
}
