//! Decides which characters belong to words.
//!
//! Looks at one character at a time.

/// Whether a character belongs to a word, combining marks included: without them, words of many scripts would fall
/// apart.
pub(crate) fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(u32::from(character),
        0x0300..=0x036F | 0x0591..=0x05C7 | 0x064B..=0x065F | 0x0670
        | 0x0900..=0x0903 | 0x093A..=0x094F | 0x0E31 | 0x0E34..=0x0E3A | 0x0E47..=0x0E4E)
}
