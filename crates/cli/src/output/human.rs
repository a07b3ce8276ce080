//! Messages for people.
//!
//! Colour never carries information that the words do not.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::modes::Paint;
use super::wrap::wrap;
use crate::error::CliError;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();
const HEADING: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const PROMPT: Style = AnsiColor::Cyan.on_default().bold();
const REPLY: Style = AnsiColor::Green.on_default().bold();

/// The mark before a reply.
const REPLY_MARK: &str = "\u{25cf} ";

/// Formats an error with its context, causes and hints, wrapped at `columns`.
pub(super) fn error(error: &CliError, columns: usize) -> String {
    let mut text = labelled(ERROR, "error", &error.message);
    for (style, label, lines) in [
        (DIM, "while", &error.whiles),
        (DIM, "caused by", &error.causes),
        (HINT, "hint", &error.hints),
    ] {
        for line in lines {
            text.push_str("  ");
            text.push_str(&labelled(style, label, line));
        }
    }
    wrap(&text, columns, "    ")
}

/// Formats a warning, wrapped at `columns`.
pub(super) fn warning(warning: &str, columns: usize) -> String {
    wrap(&labelled(WARNING, "warning", warning), columns, "  ")
}

pub fn painted_prompt(prompt: &str) -> String {
    format!("{PROMPT}{prompt}{PROMPT:#}")
}

/// The mark before a reply at a terminal.
pub fn reply_mark(paint: Paint) -> String {
    match paint {
        Paint::Coloured => format!("{REPLY}{REPLY_MARK}{REPLY:#}"),
        Paint::Plain => REPLY_MARK.to_owned(),
    }
}

/// A hint shown after a command while the user types it.
pub fn painted_hint(hint: &str) -> String {
    format!("{DIM}{hint}{DIM:#}")
}

/// Formats a heading.
pub fn heading(text: &str) -> String {
    format!("{HEADING}{text}{HEADING:#}")
}

/// A message in addition to a conversation, dimmed and wrapped at `columns`.
pub(super) fn aside(text: &str, columns: usize) -> String {
    let lines = wrap(&printable(text), columns, "");
    format!("{DIM}{lines}{DIM:#}\n")
}

pub(super) fn note(note: &str) -> String {
    labelled(DIM, "note", note)
}

fn labelled(style: Style, label: &str, text: &str) -> String {
    let mut line = String::new();
    // Writing to a `String` cannot fail.
    writeln!(line, "{style}{label}:{style:#} {}", printable(text)).unwrap_or_default();
    line
}

/// Escapes control and bidirectional characters, except line breaks.
///
/// Names and messages may come from untrusted files, and a terminal must not interpret them.
pub fn printable(text: &str) -> String {
    escaped(text, |character, shown| {
        shown.extend(character.escape_default());
    })
}

fn escaped(text: &str, escape: impl Fn(char, &mut String)) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_control(character) {
            escape(character, &mut shown);
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Whether a terminal interprets the character instead of showing it.
fn is_control(character: char) -> bool {
    (character.is_control() && character != '\n') || is_reordering(character)
}

/// Whether a character changes the order in which others are displayed, which could disguise a line.
pub(super) fn is_reordering(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A document for a terminal: like [`printable`], but with tabs.
pub fn shown_page(page: &str) -> String {
    let parts: Vec<String> = page.split('\t').map(printable).collect();
    parts.join("\t")
}

/// Lines of JSON for a terminal, with the same meaning.
///
/// JSON itself escapes only ASCII control characters; this escapes the others too.
pub fn shown_json(lines: &str) -> String {
    escaped(lines, |character, shown| {
        // Writing to a `String` cannot fail. All of these characters are below U+10000, so four digits suffice.
        write!(shown, "\\u{:04x}", u32::from(character)).unwrap_or_default();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBEYED: &str = "a\u{1b}[2J\u{1b}]0;title\u{7}\u{7f}\u{9b}2J\tb\u{202e}c\n\u{65e5}";

    #[test]
    fn shown_page_escapes_control_characters_except_lines_and_tabs() {
        let expected = "a\\u{1b}[2J\\u{1b}]0;title\\u{7}\\u{7f}\\u{9b}2J\tb\\u{202e}c\n\u{65e5}";
        assert_eq!(shown_page(OBEYED), expected);
    }

    #[test]
    fn shown_json_escapes_control_characters_and_keeps_value() {
        let line = serde_json::to_string(OBEYED).unwrap() + "\n";
        let shown = shown_json(&line);
        assert!(!shown.contains(is_control), "{shown:?}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), OBEYED);
    }

    #[test]
    fn printable_escapes_control_characters() {
        let foreign = "a\u{1b}[2J\tb\u{202e}c\u{2066}d\ne \u{65e5}";
        let expected = "a\\u{1b}[2J\\tb\\u{202e}c\\u{2066}d\ne \u{65e5}";
        assert_eq!(printable(foreign), expected);
    }
}
