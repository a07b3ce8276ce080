//! Classifies characters: word characters, and scripts written without spaces.
//!
//! Looks at one character at a time.

/// Whether this script has no spaces between words, so that its terms are pairs of characters.
pub(crate) fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF      // Thai, Lao
        | 0x1000..=0x109F    // Burmese
        | 0x1780..=0x17FF    // Khmer
        | 0x3005..=0x3007    // ideographic iteration mark and zero
        | 0x3040..=0x30FF    // Hiragana, Katakana
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF // Han
        | 0xAC00..=0xD7AF    // Hangul: spaced, but words carry endings
        | 0xFF66..=0xFF9D    // halfwidth Katakana
        | 0x2_0000..=0x3_FFFF) // Han, further planes
}

/// Whether a character belongs to a word, combining marks included: without them, words of many scripts would fall
/// apart.
pub(crate) fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(u32::from(character),
        0x0300..=0x036F | 0x0591..=0x05C7 | 0x064B..=0x065F | 0x0670
        | 0x0900..=0x0903 | 0x093A..=0x094F | 0x0E31 | 0x0E34..=0x0E3A | 0x0E47..=0x0E4E)
}
