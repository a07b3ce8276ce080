//! Who a text comes from.
//!
//! Never derived from what the text says.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who is answerable for a text; prose inside the text cannot change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The owner typed or replayed it at the terminal, or wrote it by hand into a file.
    Owner,
    /// The assistant wrote it.
    Agent,
    /// It came from outside: a tool result, a web page, another person, an unproven import.
    Untrusted,
    /// The program itself wrote it.
    System,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Self; 4] = [Self::Owner, Self::Agent, Self::Untrusted, Self::System];

    /// The word that stands in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Agent => "agent",
            Self::Untrusted => "untrusted",
            Self::System => "system",
        }
    }

    /// Reads the word back; `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == word)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_origin_reads_back() {
        for origin in Origin::ALL {
            assert_eq!(Origin::parse(origin.as_str()), Some(origin));
        }
        assert_eq!(Origin::parse("Owner"), None);
    }
}
