//! Session names, which double as file names.
//!
//! Rejects anything that could escape the sessions folder.

use std::fmt;
use std::str::FromStr;

/// A name of 1 to 60 letters, digits, `-`, `_` and `.` that starts with a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct SessionName(String);

/// Longest name in characters; at four bytes each it still fits a file name.
const N_CHARS_MAX: usize = 60;

/// An invalid session name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name:?} is not a valid session name; use 1 to {N_CHARS_MAX} letters, digits, '-', '_' and '.', starting with a \
     letter or digit"
)]
pub struct SessionNameError {
    name: String,
}

impl SessionName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionName {
    type Err = SessionNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let starts_well = name.chars().next().is_some_and(char::is_alphanumeric);
        let is_plain = |character: char| character.is_alphanumeric() || "-_.".contains(character);
        if starts_well && name.chars().all(is_plain) && name.chars().count() <= N_CHARS_MAX {
            Ok(Self(name.to_owned()))
        } else {
            Err(SessionNameError {
                name: name.to_owned(),
            })
        }
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_name_cannot_leave_its_folder() {
        for good in ["main", "2026-04-20", "日記", "a.b_c-d"] {
            assert_eq!(
                good.parse::<SessionName>().map(|name| name.to_string()),
                Ok(good.into())
            );
        }
        for bad in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            ".hidden",
            "-flag",
            "a\0",
            "a b",
            &"x".repeat(61),
        ] {
            assert_eq!(
                bad.parse::<SessionName>(),
                Err(SessionNameError { name: bad.into() })
            );
        }
    }
}
