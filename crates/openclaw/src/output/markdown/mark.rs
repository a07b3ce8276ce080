//! Changes of style in the midst of a text, each one character.
//!
//! No other control character is let through, so that none can be taken for one of these.

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
    /// The line is laid out already: it is not broken.
    LaidOut,
}

/// Each mark, the character that stands for it, and what a terminal understands.
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
    /// The character that stands for it.
    pub(super) fn character(self) -> char {
        let row = MARKS.iter().find(|(mark, ..)| *mark == self);
        row.map_or(char::REPLACEMENT_CHARACTER, |(_, character, _)| *character)
    }

    /// The mark that a character stands for.
    pub(in crate::output) fn of(character: char) -> Option<Self> {
        let mut rows = MARKS.iter();
        let row = rows.find(|(_, own, _)| *own == character)?;
        Some(row.0)
    }

    /// What a terminal understands.
    pub(in crate::output) fn sequence(self) -> &'static str {
        let row = MARKS.iter().find(|(mark, ..)| *mark == self);
        row.map_or("", |(_, _, sequence)| sequence)
    }

    /// What ends the style that this begins; `None` for what begins none.
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

/// Columns of a text whose marks take none.
pub(super) fn width(marked: &str) -> usize {
    let shown: String = marked
        .chars()
        .filter(|it| Mark::of(*it).is_none())
        .collect();
    shown.width()
}
