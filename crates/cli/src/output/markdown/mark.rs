//! Style changes within a text, each encoded as one control character.
//!
//! Safe because the renderer escapes every control character in its input.

use unicode_width::UnicodeWidthStr;

/// A change of style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::output) enum Mark {
    BoldOn,
    BoldOff,
    CodeOn,
    CodeOff,
    ItalicOn,
    ItalicOff,
    LinkOn,
    LinkOff,
    /// The line is already laid out and must not be wrapped.
    LaidOut,
}

/// Each mark, its character, and its terminal escape sequence.
const MARKS: [(Mark, char, &str); 9] = [
    (Mark::BoldOn, '\u{1}', "\u{1b}[1m"),
    (Mark::BoldOff, '\u{2}', "\u{1b}[22m"),
    (Mark::CodeOn, '\u{3}', "\u{1b}[36m"),
    (Mark::CodeOff, '\u{4}', "\u{1b}[39m"),
    (Mark::ItalicOn, '\u{5}', "\u{1b}[3m"),
    (Mark::ItalicOff, '\u{6}', "\u{1b}[23m"),
    (Mark::LinkOn, '\u{7}', "\u{1b}[4m"),
    (Mark::LinkOff, '\u{8}', "\u{1b}[24m"),
    (Mark::LaidOut, '\u{e}', ""),
];

impl Mark {
    /// The character that encodes the mark.
    pub(super) fn character(self) -> char {
        let row = MARKS.iter().find(|(mark, ..)| *mark == self);
        row.map_or(char::REPLACEMENT_CHARACTER, |(_, character, _)| *character)
    }

    /// The mark that a character encodes.
    pub(in crate::output) fn of(character: char) -> Option<Self> {
        let mut rows = MARKS.iter();
        let row = rows.find(|(_, own, _)| *own == character)?;
        Some(row.0)
    }

    /// The terminal escape sequence.
    pub(in crate::output) fn sequence(self) -> &'static str {
        let row = MARKS.iter().find(|(mark, ..)| *mark == self);
        row.map_or("", |(_, _, sequence)| sequence)
    }

    /// The mark that ends this style; `None` if the mark begins none.
    pub(super) fn end(self) -> Option<Self> {
        match self {
            Self::BoldOn => Some(Self::BoldOff),
            Self::CodeOn => Some(Self::CodeOff),
            Self::ItalicOn => Some(Self::ItalicOff),
            Self::LinkOn => Some(Self::LinkOff),
            Self::BoldOff | Self::CodeOff | Self::ItalicOff | Self::LinkOff | Self::LaidOut => None,
        }
    }
}

/// The width of a text in columns, without its marks.
pub(super) fn width(marked: &str) -> usize {
    let shown: String = marked
        .chars()
        .filter(|it| Mark::of(*it).is_none())
        .collect();
    shown.width()
}
