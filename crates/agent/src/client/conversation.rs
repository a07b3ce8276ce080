//! A conversation as a client sends it, and what of it stands around every request of a turn.
//!
//! What a client says of itself is its own word, never the owner's.

use std::sync::Arc;

use base::model::{Sampling, ToolSpec};
use base::{Message, TokenCount, escaped};

use crate::prompt::Part;

const CLIENT: &str = include_str!("../prompts/client.md");

/// A conversation as a client sends it: whole, each time.
#[derive(Debug, Clone)]
pub struct ClientConversation {
    /// What was said, the oldest first; the newest waits for a reply.
    pub messages: Vec<Message>,
    /// What the client says about itself and about how to answer.
    pub system: Option<String>,
    /// The tools that the client answers itself.
    pub tools: Vec<ToolSpec>,
    /// The most that the reply may hold, where the client says so.
    pub output_max: Option<TokenCount>,
    /// How its words are chosen.
    pub sampling: Sampling,
}

/// What of it stands around every request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClientFrame {
    system: Option<String>,
    tools: Vec<ToolSpec>,
    /// The most that the reply may hold.
    pub(crate) output_max: Option<TokenCount>,
    /// How its words are chosen.
    pub(crate) sampling: Sampling,
}

impl ClientConversation {
    /// What stands around every request of the turn.
    pub(crate) fn frame(&self) -> Arc<ClientFrame> {
        Arc::new(ClientFrame {
            system: self
                .system
                .clone()
                .filter(|system| !system.trim().is_empty()),
            tools: self.tools.clone(),
            output_max: self.output_max,
            sampling: self.sampling,
        })
    }

    /// What the owner asked last.
    pub(crate) fn question(&self) -> String {
        let mut asked = self.messages.iter().rev();
        let asked = asked.find(|it| matches!(it, Message::User { .. }));
        asked.map(Message::text).unwrap_or_default()
    }
}

impl ClientFrame {
    /// What the client says of itself, between marks, after what the owner has set down.
    pub(crate) fn part(&self) -> Option<Part> {
        let said = escaped(self.system.as_deref()?.trim());
        Some(Part {
            name: "client".to_owned(),
            text: format!("\n{CLIENT}<client>\n{said}\n</client>\n"),
        })
    }

    /// Our tools and those of the client, which go before ours of the same name.
    pub(crate) fn offer(&self, own: Vec<ToolSpec>) -> Vec<ToolSpec> {
        let own = own.into_iter().filter(|spec| !self.answers(&spec.name));
        own.chain(self.tools.iter().cloned()).collect()
    }

    /// Whether the client answers calls of this tool.
    pub(crate) fn answers(&self, tool: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == tool)
    }
}
