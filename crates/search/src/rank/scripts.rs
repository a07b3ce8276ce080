//! Tells whether two texts share a script.
//!
//! Looks at letters alone, and guesses no language.

use std::collections::BTreeSet;

use base::Script;

/// Letters up to here are Latin.
const LATIN_MAX: char = '\u{24f}';

/// So many characters lie in what counts as one script besides.
const BLOCK: u32 = 256;

/// Whether two texts are written in different scripts; one without letters is written in none.
pub(crate) fn share_no_script(left: &str, right: &str) -> bool {
    let (left, right) = (scripts(left), scripts(right));
    !left.is_empty() && !right.is_empty() && left.is_disjoint(&right)
}

fn scripts(text: &str) -> BTreeSet<u32> {
    let letters = text.chars().filter(|character| character.is_alphabetic());
    letters
        .map(|letter| match Script::of(letter) {
            // Japanese is written in three of them.
            Script::Han | Script::Hiragana | Script::Katakana => u32::MAX,
            Script::Hangul => u32::MAX - 1,
            Script::Other if letter <= LATIN_MAX => 0,
            Script::Other => u32::from(letter) / BLOCK,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_different_scripts_share_none() {
        for (left, right) in [
            ("bicycle", "\u{6211}\u{7684}\u{8f66}"),
            (
                "bicycle",
                "\u{432}\u{435}\u{43b}\u{43e}\u{441}\u{438}\u{43f}\u{435}\u{434}",
            ),
            ("\u{c790}\u{c804}\u{ac70}", "\u{81ea}\u{8ee2}\u{8eca}"),
        ] {
            assert!(share_no_script(left, right), "{left} {right}");
        }
        for (left, right) in [
            ("bicycle", "f\u{fc}r 12 \u{20ac}"),
            ("\u{6211}", "\u{3053}\u{308c}"),
            ("bicycle", "12.5 \u{1f6b2}"),
            ("Rust \u{6211}", "bicycle"),
        ] {
            assert!(!share_no_script(left, right), "{left} {right}");
        }
    }
}
