//! Draws a text as a QR code for a terminal.
//!
//! Black on white whatever the colours of the terminal are, because readers expect a bright margin.

use qrcodegen::{QrCode, QrCodeEcc};

/// The bright margin that the standard asks for, in modules.
const MARGIN: i32 = 4;

const BLACK_ON_WHITE: &str = "\x1b[30;107m";
const PLAIN: &str = "\x1b[0m";

/// The code of a text, two rows of modules to a line; `None` if the text is too long for one.
pub(crate) fn drawn(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let end = code.size() + MARGIN;
    let mut drawn = String::new();
    for row in (-MARGIN..end).step_by(2) {
        drawn.push_str(BLACK_ON_WHITE);
        for column in -MARGIN..end {
            let is_dark = |row| code.get_module(column, row);
            drawn.push(match (is_dark(row), is_dark(row + 1)) {
                (true, true) => '\u{2588}',
                (true, false) => '\u{2580}',
                (false, true) => '\u{2584}',
                (false, false) => ' ',
            });
        }
        drawn.push_str(PLAIN);
        drawn.push('\n');
    }
    Some(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_code_of_link_has_margin_and_corner_marks() {
        let link = format!("http://192.168.1.20:18789/sign-in#{}", "a1".repeat(32));
        let drawn = drawn(&link).unwrap();
        let lines: Vec<&str> = drawn.lines().collect();
        let rows = lines.iter().map(|line| {
            let row = line.strip_prefix(BLACK_ON_WHITE).unwrap();
            row.strip_suffix(PLAIN).unwrap().chars().collect::<Vec<_>>()
        });
        let rows: Vec<Vec<char>> = rows.collect();
        let width = rows[0].len();
        assert!(width < 80, "{width} columns do not fit a terminal");
        assert_eq!(rows.len(), width.div_ceil(2));
        assert!(rows.iter().all(|row| row.len() == width));
        assert!(rows[..2].concat().iter().all(|module| *module == ' '));
        // The first two rows of the upper corner marks: a line, and its ends below it.
        let mark = "\u{2588}\u{2580}\u{2580}\u{2580}\u{2580}\u{2580}\u{2588}";
        let first: String = rows[2].iter().collect();
        assert_eq!(first.matches(mark).count(), 2, "{first}");
        assert_eq!(first.find(mark), Some(4));
        assert_eq!(super::drawn(&"x".repeat(5_000)), None);
    }
}
