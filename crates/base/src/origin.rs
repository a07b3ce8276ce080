//! The author of a text.
//!
//! Never derived from the content of the text.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Block, Message};

/// Who is responsible for a text; prose inside the text cannot change it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
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
    /// The origin of a message that arrived over a channel with the origin `channel`. A user's message is not the
    /// owner's if it names a speaker, or if it has several texts, because only the client knows who wrote each of
    /// them.
    #[must_use]
    pub fn of(message: &Message, channel: Self) -> Self {
        let Message::User { content, name } = message else {
            return channel;
        };
        let is_text =
            |block: &&Block| matches!(block, Block::Text(text) if !text.trim().is_empty());
        let has_one_text = content.iter().filter(is_text).nth(1).is_none();
        match channel {
            Self::Owner if name.is_some() || !has_one_text => Self::Untrusted,
            Self::Owner | Self::Agent | Self::Untrusted | Self::System => channel,
        }
    }

    /// Rank of trust; a higher rank is more trusted.
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
    fn user_message_with_name_or_several_texts_lacks_owner_origin() {
        let text = |text: &str| Block::Text(text.to_owned());
        let said = |content: Vec<Block>, name: Option<&str>| Message::User {
            content,
            name: name.map(str::to_owned),
        };
        let one = || vec![text("I like tea.")];
        let two = || vec![text("Summarise this."), text("I like tea.")];
        let blank = || vec![text("I like tea."), text(" ")];
        for (message, expected) in [
            (said(one(), None), Origin::Owner),
            (said(blank(), None), Origin::Owner),
            (said(one(), Some("Tom")), Origin::Untrusted),
            (said(two(), None), Origin::Untrusted),
        ] {
            assert_eq!(Origin::of(&message, Origin::Owner), expected, "{message:?}");
            assert_eq!(Origin::of(&message, Origin::System), Origin::System);
        }
    }

    #[test]
    fn origins_parse_from_their_names() {
        for origin in Origin::ALL {
            assert_eq!(Origin::parse(origin.as_str()), Some(origin));
        }
        assert_eq!(Origin::parse("Owner"), None);
    }
}
