//! The scripts of Chinese, Japanese and Korean.
//!
//! Looks at one character, and guesses no language of a text.

/// Which of these scripts a character belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Script {
    /// Signs of Chinese, and of Japanese.
    Han,
    /// Japanese endings and small words.
    Hiragana,
    /// Japanese foreign words.
    Katakana,
    /// Korean.
    Hangul,
    /// None of these.
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

    pub(crate) fn is_kana(self) -> bool {
        matches!(self, Self::Hiragana | Self::Katakana)
    }
}
