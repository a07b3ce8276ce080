//! An API key.
//!
//! Revealed only to the request that needs it.

use std::fmt;

/// A key; its debug form and errors hide it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A text that cannot be sent as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoKey {
    /// It has several lines.
    #[error("it has {0} lines, but a key is a single line")]
    Lines(usize),
    /// It has a character that HTTP headers do not allow.
    #[error("character {0} of the line is not allowed in a key")]
    Character(usize),
}

impl ApiKey {
    /// Parses a key from a variable or a file; `None` if it is blank.
    pub fn new(text: &str) -> Result<Option<Self>, NoKey> {
        let text = text.trim();
        let n_lines = text.lines().count();
        if n_lines > 1 {
            return Err(NoKey::Lines(n_lines));
        }
        if let Some(place) = text.chars().position(|it| !it.is_ascii_graphic()) {
            return Err(NoKey::Character(place + 1));
        }
        Ok((!text.is_empty()).then(|| Self(text.to_owned())))
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Redacts this key in a text, whatever form it has.
    fn strike_from(&self, text: &str) -> String {
        text.replace(&self.0, "[REDACTED:api-key]")
    }
}

/// Redacts a server's words: it may repeat the key that it refuses.
pub(crate) fn clean(key: Option<&ApiKey>, reason: &str) -> String {
    let reason = base::redact(reason);
    match key {
        Some(key) => key.strike_from(&reason),
        None => reason.into_owned(),
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey([REDACTED])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i14_api_key_is_hidden_in_debug_and_struck_from_text() {
        let key = ApiKey::new(" hunter2-no-known-form \n").unwrap().unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey([REDACTED])");
        assert_eq!(
            key.strike_from("wrong key hunter2-no-known-form, sorry"),
            "wrong key [REDACTED:api-key], sorry"
        );
        assert_eq!(ApiKey::new(" \n"), Ok(None));
    }

    #[test]
    fn key_with_invalid_header_characters_is_rejected() {
        assert_eq!(ApiKey::new("one\r\ntwo\n"), Err(NoKey::Lines(2)));
        assert_eq!(ApiKey::new("k\u{e9}y"), Err(NoKey::Character(2)));
        assert_eq!(ApiKey::new("a b"), Err(NoKey::Character(2)));
    }
}
