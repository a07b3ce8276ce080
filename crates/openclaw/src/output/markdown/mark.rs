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

impl Mark {
    const ALL: [Self; 9] = [
        Self::BoldOn,
        Self::BoldOff,
        Self::CodeOn,
        Self::CodeOff,
        Self::ItalicOn,
        Self::ItalicOff,
        Self::LinkOn,
        Self::LinkOff,
        Self::LaidOut,
    ];

    /// The character that stands for it.
    pub(super) fn character(self) -> char {
        match self {
            Self::BoldOn => '\u{1}',
            Self::BoldOff => '\u{2}',
            Self::CodeOn => '\u{3}',
            Self::CodeOff => '\u{4}',
            Self::ItalicOn => '\u{5}',
            Self::ItalicOff => '\u{6}',
            Self::LinkOn => '\u{7}',
            Self::LinkOff => '\u{8}',
            Self::LaidOut => '\u{e}',
        }
    }

    /// The mark that a character stands for.
    pub(in crate::output) fn of(character: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|mark| mark.character() == character)
    }

    /// What a terminal understands.
    pub(in crate::output) fn sequence(self) -> &'static str {
        match self {
            Self::BoldOn => "\u{1b}[1m",
            Self::BoldOff => "\u{1b}[22m",
            Self::CodeOn => "\u{1b}[36m",
            Self::CodeOff => "\u{1b}[39m",
            Self::ItalicOn => "\u{1b}[3m",
            Self::ItalicOff => "\u{1b}[23m",
            Self::LinkOn => "\u{1b}[4m",
            Self::LinkOff => "\u{1b}[24m",
            Self::LaidOut => "",
        }
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
