//! Who a text comes from.
//!
//! Never derived from what the text says.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who is responsible for a text; prose inside the text cannot change it.
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

crate::words! { Origin: Owner = "owner", Agent = "agent", Untrusted = "untrusted", System = "system" }

impl Origin {
    /// Trust rank; higher is more trusted.
    pub fn trust(self) -> u8 {
        match self {
            Self::Owner => 2,
            Self::Agent | Self::System => 1,
            Self::Untrusted => 0,
        }
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
