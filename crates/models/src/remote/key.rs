//! The key with which a provider knows its customer.
//!
//! Shows itself to nobody but the request that needs it.

use std::fmt;

/// A key; neither its debug form nor an error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as it stands in a variable or a file; `None` where there is nothing but white space.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes this very key out of a text, whatever it looks like.
    pub(crate) fn strike_from(&self, text: &str) -> String {
        text.replace(&self.0, "[REDACTED:api-key]")
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
    fn i14_a_key_shows_itself_nowhere() {
        let key = ApiKey::new(" hunter2-no-known-form \n").unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey([REDACTED])");
        assert_eq!(
            key.strike_from("wrong key hunter2-no-known-form, sorry"),
            "wrong key [REDACTED:api-key], sorry"
        );
        assert_eq!(ApiKey::new(" \n"), None);
    }
}
