//! A conversation as a client sends it.
//!
//! What a client says of itself is its own word, never the owner's.

use std::sync::Arc;

use base::model::{Format, Sampling, ToolSpec};
use base::{Message, TokenCount};

use super::frame::ClientFrame;

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
    /// The form of the reply, where the client says so.
    pub format: Option<Format>,
}

impl ClientConversation {
    /// What stands around every request of the turn.
    pub(crate) fn frame(&self) -> Arc<ClientFrame> {
        let system = self.system.clone();
        Arc::new(ClientFrame {
            system: system.filter(|system| !system.trim().is_empty()),
            tools: self.tools.clone(),
            output_max: self.output_max,
            sampling: self.sampling,
            format: self.format.clone(),
        })
    }

    /// What the owner asked last.
    pub(crate) fn question(&self) -> String {
        let mut asked = self.messages.iter().rev();
        let asked = asked.find(|it| matches!(it, Message::User { .. }));
        asked.map(Message::text).unwrap_or_default()
    }
}
