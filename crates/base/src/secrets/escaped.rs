//! Decodes JSON escapes in a text, so that secrets in it are found, and maps positions back to the original.
//!
//! Decodes `\u00f1`, `\"` and `\n`, escaped any number of times.

use std::borrow::Cow;
use std::ops::Range;

/// A text without escapes, with the position of each of its pieces in the original.
pub(super) struct Unescaped {
    pub(super) text: String,
    /// The beginning of each piece in this text and in the original, in order.
    places: Vec<(usize, usize)>,
    /// The escapes of letters in the original, in order.
    letters: Vec<Range<usize>>,
    n_original: usize,
}

/// The text without its escapes; `None` if it contains no escapes of JSON.
pub(super) fn unescaped(text: &str) -> Option<Unescaped> {
    if !has_escapes(text) {
        return None;
    }
    let mut plain = Unescaped {
        text: String::with_capacity(text.len()),
        places: vec![(0, 0)],
        letters: Vec::new(),
        n_original: text.len(),
    };
    let mut at = 0;
    while let Some((before, _)) = text.get(at..).and_then(|rest| rest.split_once('\\')) {
        plain.text.push_str(before);
        let escape = at + before.len();
        let rest = text.get(escape..).unwrap_or_default();
        let n_marks = rest.len() - rest.trim_start_matches('\\').len();
        let behind = rest.get(n_marks..).unwrap_or_default();
        let (read, n_read) = escape_at(behind);
        let read = read.unwrap_or_else(|| Cow::Borrowed(rest.get(..n_marks).unwrap_or_default()));
        at = escape + n_marks + n_read;
        if n_read > 1 && read.chars().all(char::is_alphabetic) {
            plain.letters.push(escape..at);
        }
        plain.places.push((plain.text.len(), escape));
        plain.text.push_str(&read);
        plain.places.push((plain.text.len(), at));
    }
    plain.text.push_str(text.get(at..).unwrap_or_default());
    Some(plain)
}

/// Whether a text contains an escape that occurs only in JSON, or between quotation marks one that also occurs in
/// paths, such as `C:\new`.
fn has_escapes(text: &str) -> bool {
    let quoted = || {
        let (_, rest) = text.split_once('"')?;
        rest.rsplit_once('"').map(|(quoted, _)| quoted)
    };
    let has = |text: &str, escapes: &[&str]| escapes.iter().any(|escape| text.contains(escape));
    has(text, &["\\\"", "\\u"]) || quoted().is_some_and(|it| has(it, &["\\n", "\\r", "\\t"]))
}

/// Decodes the escape after the backslashes; also returns its length in bytes. `None` if it is not an escape.
fn escape_at(behind: &str) -> (Option<Cow<'static, str>>, usize) {
    match behind.chars().next() {
        Some('"') => (Some("\"".into()), 1),
        Some('n') => (Some("\n".into()), 1),
        Some('t') => (Some("\t".into()), 1),
        Some('r') => (Some("\r".into()), 1),
        Some('u') => match unit(behind) {
            // A surrogate pair makes one character.
            Some(high @ 0xd800..=0xdbff) => {
                let low = behind.get(5..).and_then(|rest| {
                    let rest = rest.trim_start_matches('\\');
                    Some((unit(rest)?, behind.len() - rest.len()))
                });
                low.map_or((None, 0), |(low, at)| {
                    let pair = char::decode_utf16([high, low]).next();
                    let read = pair.and_then(Result::ok).map(|it| it.to_string().into());
                    let n_read = if read.is_some() { at + 5 } else { 0 };
                    (read, n_read)
                })
            }
            Some(unit) => {
                let read = char::from_u32(u32::from(unit)).map(|it| it.to_string().into());
                let n_read = if read.is_some() { 5 } else { 0 };
                (read, n_read)
            }
            None => (None, 0),
        },
        _ => (None, 0),
    }
}

/// The UTF-16 unit in an escape such as `u00f1`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix('u')?.get(..4)?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| u16::from_str_radix(digits, 16).ok())?
}

impl Unescaped {
    /// The range in the original that corresponds to a range of this text.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.place(range.start)..self.place(range.end).min(self.n_original)
    }

    /// Whether a range of the original contains the escape of a letter.
    pub(super) fn has_letter_in(&self, range: &Range<usize>) -> bool {
        let before = self.letters.partition_point(|it| it.end <= range.start);
        let next = self.letters.get(before);
        next.is_some_and(|it| it.start < range.end)
    }

    fn place(&self, at: usize) -> usize {
        let after = self.places.partition_point(|(here, _)| *here <= at);
        let before = after.checked_sub(1).and_then(|it| self.places.get(it));
        before.map_or(at, |(here, there)| there + (at - here))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str, pieces: &[(&str, &str)]) {
        let plain = unescaped(text).unwrap();
        assert_eq!(plain.text, expected);
        for (piece, original) in pieces {
            let start = plain.text.find(piece).unwrap();
            let range = plain.original(&(start..start + piece.len()));
            assert_eq!(text.get(range), Some(*original), "{piece}");
        }
    }

    #[test]
    fn unescaped_reads_escapes_at_any_depth_and_maps_offsets() {
        check(
            r#"{"a": "contrase\u00f1a: \"perro\" \ud83d\ude00\nend"}"#,
            "{\"a\": \"contraseña: \"perro\" \u{1f600}\nend\"}",
            &[
                ("perro", "perro"),
                ("señ", r"se\u00f1"),
                ("\u{1f600}", r"\ud83d\ude00"),
                ("end", "end"),
            ],
        );
        check(
            r#"{\\\"key\\\": \\\"va\\u00f1lue\\\"} C:\temp \\server \u12"#,
            "{\"key\": \"vañlue\"} C:\temp \\\\server \\u12",
            &[("vañlue", r"va\\u00f1lue"), ("server", "server")],
        );
    }

    #[test]
    fn unescaped_ignores_text_without_json_escapes() {
        assert!(unescaped(r"C:\new\table").is_none());
        assert!(unescaped("plain").is_none());
        let broken = unescaped(r"\ud83d alone \u00zz \").unwrap();
        assert_eq!(broken.text, r"\ud83d alone \u00zz \");
    }
}
