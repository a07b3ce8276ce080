//! The name of a home, and its encoding in keys and directory names.
//!
//! The encoding is unique: different names have different keys.

use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::NameError;

/// Characters to percent-encode in a key: all except ASCII letters and digits and these four.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'@')
    .remove(b'+');

/// Longest encoded name in bytes. File systems allow little more.
const KEY_BYTES_MAX: usize = 200;

/// The name of a home: one line without `/`, a leading dot, or spaces at either end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HomeName(String);

impl HomeName {
    /// The name as the owner wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name encoded for keys and directories, in ASCII and without dots.
    pub fn key(&self) -> String {
        utf8_percent_encode(&self.0, KEPT).to_string()
    }

    /// Decodes a key; `None` if [`Self::key`] never returns it.
    pub fn of_key(key: &str) -> Option<Self> {
        let name: Self = percent_decode_str(key).decode_utf8().ok()?.parse().ok()?;
        (name.key() == key).then_some(name)
    }
}

impl FromStr for HomeName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let reason = if text.is_empty() {
            "it is empty"
        } else if text.chars().any(|it| it == '/' || it.is_control()) {
            "it contains `/` or an invisible character"
        } else if text.trim() != text {
            "it starts or ends with a space"
        } else if text.starts_with('.') {
            "it starts with a dot"
        } else if utf8_percent_encode(text, KEPT).to_string().len() > KEY_BYTES_MAX {
            "it is too long"
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(NameError {
            name: text.to_owned(),
            reason,
        })
    }
}

impl fmt::Display for HomeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_names_and_keys_convert_both_ways() {
        for (text, key) in [
            ("anna", "anna"),
            ("Zo\u{eb} \u{5c0f}\u{660e}", "Zo%C3%AB%20%E5%B0%8F%E6%98%8E"),
            ("a.b%2F", "a%2Eb%252F"),
        ] {
            let name: HomeName = text.parse().unwrap();
            assert_eq!(name.key(), key);
            assert_eq!(HomeName::of_key(key), Some(name));
        }
        // Only the canonical encoding is accepted as a key.
        assert_eq!(HomeName::of_key("%61nna"), None);
        assert_eq!(HomeName::of_key("%FF"), None);
    }

    #[test]
    fn home_name_rejects_paths_dots_and_control_characters() {
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "../a",
            " a",
            "a\n",
            ".a",
            &"\u{5c0f}".repeat(30),
        ] {
            assert!(bad.parse::<HomeName>().is_err(), "{bad:?}");
        }
    }
}
