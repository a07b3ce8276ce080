//! The scripts of Chinese, Japanese and Korean, and Latin letters without their accents.
//!
//! Looks at single characters; never guesses the language of a text.

/// The script of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Script {
    /// Chinese characters, used in Japanese as well.
    Han,
    /// Japanese syllables for endings and particles.
    Hiragana,
    /// Japanese syllables for foreign words.
    Katakana,
    /// Korean syllables.
    Hangul,
    /// Any other script.
    Other,
}

impl Script {
    /// The script of a character.
    ///
    /// # Examples
    ///
    /// ```
    /// use base::Script;
    ///
    /// assert_eq!(["\u{8eca}", "\u{306f}", "x"].map(|it| it.chars().map(Script::of).next()), [
    ///     Some(Script::Han),
    ///     Some(Script::Hiragana),
    ///     Some(Script::Other),
    /// ]);
    /// ```
    pub fn of(character: char) -> Self {
        match character {
            '\u{3040}'..='\u{309f}' => Self::Hiragana,
            '\u{30a0}'..='\u{30ff}' => Self::Katakana,
            '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{2ebef}' => {
                Self::Han
            }
            '\u{ac00}'..='\u{d7a3}' => Self::Hangul,
            _ => Self::Other,
        }
    }
}

/// Whether words in this script are compared by pairs of characters, because they have no spaces between them or, as
/// in Korean, have endings.
pub fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF      // Thai, Lao
        | 0x1000..=0x109F    // Burmese
        | 0x1780..=0x17FF    // Khmer
        | 0x3005..=0x3007    // ideographic iteration mark and zero
        | 0x3040..=0x30FF    // Hiragana, Katakana
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF // Han
        | 0xAC00..=0xD7AF    // Hangul
        | 0xFF66..=0xFF9D    // halfwidth Katakana
        | 0x2_0000..=0x3_FFFF) // Han, further planes
}

/// Removes the accent from a Latin letter; returns other characters unchanged.
pub fn plain_letter(character: char) -> char {
    match character {
        '\u{e0}'..='\u{e5}' | '\u{101}' | '\u{103}' | '\u{105}' => 'a',
        '\u{e7}' | '\u{107}' | '\u{10d}' => 'c',
        '\u{10f}' | '\u{111}' => 'd',
        '\u{e8}'..='\u{eb}' | '\u{113}' | '\u{117}' | '\u{119}' | '\u{11b}' => 'e',
        '\u{11f}' => 'g',
        '\u{ec}'..='\u{ef}' | '\u{12b}' | '\u{131}' => 'i',
        '\u{142}' => 'l',
        '\u{f1}' | '\u{144}' | '\u{148}' => 'n',
        '\u{f2}'..='\u{f6}' | '\u{f8}' | '\u{14d}' | '\u{151}' => 'o',
        '\u{159}' => 'r',
        '\u{15b}' | '\u{15f}' | '\u{161}' | '\u{219}' => 's',
        '\u{163}' | '\u{165}' | '\u{21b}' => 't',
        '\u{f9}'..='\u{fc}' | '\u{16b}' | '\u{16f}' | '\u{171}' => 'u',
        '\u{fd}' | '\u{ff}' => 'y',
        '\u{17a}' | '\u{17c}' | '\u{17e}' => 'z',
        other => other,
    }
}
